/* One window over three sources; gzip members follow one another as gzip(1) reads them. */
#include "exchange/input.h"

#include "base/memory.h"
#include "host/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

struct gzip {
	z_stream stream;
	unsigned char *packed; /* what was read and not yet inflated */
	size_t at, end;
	bool source_ended, member_ended;
	uint64_t in, out;
};

static void *zip_alloc(void *unused, unsigned items, unsigned size)
{
	(void)unused;
	return mem_alloc(items, size);
}

static void zip_free(void *unused, void *block)
{
	(void)unused;
	mem_free(block);
}

int input_problem(const struct input *input, long line, long column, struct error *err, const char *what, ...)
{
	char text[sizeof(err->what)];
	va_list args;
	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	error_set(err, ERROR_INPUT, "%s", text);
	return error_at(err, input->name, line, column);
}

/* Bytes as they are in the source; the count, 0 at the end, -1 and err. */
static long read_source(struct input *input, void *bytes, size_t size, struct error *err)
{
	if (input->fd < 0) {
		size_t n = input->memory_left < size ? input->memory_left : size;
		if (n > 0)
			memcpy(bytes, input->memory, n);
		input->memory += n;
		input->memory_left -= n;
		return (long)n;
	}
	long got = file_read(&syscalls_libc, input->fd, bytes, size, err);
	return got < 0 ? error_on(err, "%s", input->name) : got;
}

static int check_ratio(const struct input *input, struct error *err)
{
	const struct gzip *zip = input->gzip;
	if (zip->out <= INPUT_GZIP_FREE || (zip->out <= INPUT_GZIP_MAX && zip->out / INPUT_GZIP_RATIO <= zip->in))
		return 0;
	input_problem(input, 0, 0, err, "the gzip data grows to more than %llu MB from %llu kB",
	              (unsigned long long)(zip->out >> 20), (unsigned long long)(zip->in >> 10));
	return error_next(err, "if it is not a gzip bomb, unpack it first and give the unpacked file");
}

static int refill_packed(struct input *input, struct error *err)
{
	struct gzip *zip = input->gzip;
	if (zip->at < zip->end || zip->source_ended)
		return 0;
	long got = read_source(input, zip->packed, INPUT_BLOCK / 4, err);
	if (got < 0)
		return -1;
	zip->source_ended = got == 0;
	zip->at = 0;
	zip->end = (size_t)got;
	return 0;
}

static long read_gzip(struct input *input, void *bytes, size_t size, struct error *err)
{
	struct gzip *zip = input->gzip;
	size_t done = 0;
	while (done == 0) {
		if (refill_packed(input, err) != 0)
			return -1;
		if (zip->at == zip->end && zip->member_ended)
			return 0;
		if (zip->at == zip->end) {
			input_problem(input, 0, 0, err, "the gzip data ends too early");
			return error_next(err, "the file is cut off: copy or make it again");
		}
		if (zip->member_ended) {
			/* gzip(1) ignores what follows the last member and is not one. */
			if (zip->packed[zip->at] != 0x1f) {
				zip->at = zip->end;
				zip->source_ended = true;
				return 0;
			}
			inflateReset(&zip->stream);
			zip->member_ended = false;
		}
		size_t room = size < UINT32_MAX ? size : UINT32_MAX;
		zip->stream.next_in = zip->packed + zip->at;
		zip->stream.avail_in = (unsigned)(zip->end - zip->at);
		zip->stream.next_out = bytes;
		zip->stream.avail_out = (unsigned)room;
		int status = inflate(&zip->stream, Z_NO_FLUSH);
		size_t used = zip->end - zip->at - zip->stream.avail_in;
		zip->at += used;
		zip->in += used;
		done = room - zip->stream.avail_out;
		zip->out += done;
		zip->member_ended = status == Z_STREAM_END;
		if (status == Z_MEM_ERROR)
			return error_memory(err);
		if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
			input_problem(input, 0, 0, err, "the gzip data is damaged (%s)",
			              zip->stream.msg ? zip->stream.msg : "error");
			return error_next(err, "copy or make the file again");
		}
		if (check_ratio(input, err) != 0)
			return -1;
	}
	return (long)done;
}

/* Slides the window to the front and adds what one read gives; grows it when it is full. */
static int refill(struct input *input, struct error *err)
{
	if (input->ended)
		return 0;
	if (input->at > 0) {
		memmove(input->block, input->block + input->at, input->end - input->at);
		input->end -= input->at;
		input->at = 0;
	}
	/* Of a few bytes in memory no more is made than they need. */
	bool small = input->fd < 0 && !input->gzip && input->end + input->memory_left < INPUT_BLOCK;
	size_t least = small ? input->memory_left + 1 : INPUT_BLOCK / 4;
	if (input->capacity - input->end < least) {
		size_t capacity = small             ? input->end + input->memory_left + 1
		                  : input->capacity ? 2 * input->capacity
		                                    : INPUT_BLOCK;
		char *block = mem_resize(input->block, capacity, 1);
		if (!block)
			return error_memory(err);
		input->block = block;
		input->capacity = capacity;
	}
	size_t room = input->capacity - input->end;
	long got = input->gzip ? read_gzip(input, input->block + input->end, room, err)
	                       : read_source(input, input->block + input->end, room, err);
	if (got < 0)
		return -1;
	input->ended = got == 0;
	input->end += (size_t)got;
	return 0;
}

int input_need(struct input *input, size_t want, struct error *err)
{
	while (input->end - input->at < want && !input->ended)
		if (refill(input, err) != 0)
			return -1;
	return 0;
}

static int start_gzip(struct input *input, struct error *err)
{
	struct gzip *zip = mem_zalloc(1, sizeof(*zip));
	if (!zip)
		return error_memory(err);
	zip->stream.zalloc = zip_alloc;
	zip->stream.zfree = zip_free;
	zip->packed = mem_alloc(INPUT_BLOCK / 4 > input->end ? INPUT_BLOCK / 4 : input->end, 1);
	if (!zip->packed || inflateInit2(&zip->stream, 16 + MAX_WBITS) != Z_OK) {
		mem_free(zip->packed);
		mem_free(zip);
		return error_memory(err);
	}
	/* What was peeked at is the beginning of the packed bytes. */
	memcpy(zip->packed, input->block + input->at, input->end - input->at);
	zip->end = input->end - input->at;
	zip->source_ended = input->ended;
	input->at = input->end = 0;
	input->ended = false;
	input->gzip = zip;
	return 0;
}

static int starts_with(const struct input *input, const char *bytes, size_t length)
{
	return input->end - input->at >= length && memcmp(input->block + input->at, bytes, length) == 0;
}

static int look_at_start(struct input *input, struct error *err)
{
	if (input_need(input, 4, err) != 0)
		return -1;
	if (starts_with(input, "\x1f\x8b", 2) && (start_gzip(input, err) != 0 || input_need(input, 4, err) != 0))
		return -1;
	if (starts_with(input, "\xef\xbb\xbf", 3))
		input->at += 3;
	else if (starts_with(input, "\xff\xfe", 2) || starts_with(input, "\xfe\xff", 2)) {
		input_problem(input, 1, 1, err, "this is UTF-16 or UTF-32 text");
		return error_next(err, "convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8");
	}
	return 0;
}

static int open_source(struct input *input, struct error *err)
{
	if (look_at_start(input, err) == 0)
		return 0;
	input_release(input);
	return -1;
}

int input_open_file(struct input *input, const char *path, struct error *err)
{
	memset(input, 0, sizeof(*input));
	input->name = path;
	input->fd = file_open(&syscalls_libc, path, err);
	input->own_fd = true;
	if (input->fd < 0)
		return error_next(err, "give a file that can be read, label=FILE, or - for standard input");
	return open_source(input, err);
}

int input_open_fd(struct input *input, int fd, const char *name, struct error *err)
{
	memset(input, 0, sizeof(*input));
	input->name = name;
	input->fd = fd;
	return open_source(input, err);
}

int input_open_memory(struct input *input, const void *bytes, size_t length, const char *name, struct error *err)
{
	memset(input, 0, sizeof(*input));
	input->name = name;
	input->fd = -1;
	input->memory = bytes;
	input->memory_left = length;
	return open_source(input, err);
}

void input_release(struct input *input)
{
	if (input->gzip) {
		inflateEnd(&input->gzip->stream);
		mem_free(input->gzip->packed);
		mem_free(input->gzip);
	}
	if (input->own_fd && input->fd >= 0)
		syscalls_libc.close(input->fd);
	mem_free(input->block);
	memset(input, 0, sizeof(*input));
	input->fd = -1;
}

int input_line(struct input *input, char **line, size_t *length, struct error *err)
{
	size_t searched = 0;
	char *end = NULL;
	for (;;) {
		char *start = input->block + input->at;
		size_t have = input->end - input->at;
		if (have > searched)
			end = memchr(start + searched, '\n', have - searched);
		if (end || input->ended)
			break;
		searched = have;
		if (have > INPUT_LINE_MAX) {
			input_problem(input, input->line + 1, 0, err, "a line of more than %zu MB", INPUT_LINE_MAX >> 20);
			return error_next(err, "put one record on a line");
		}
		if (refill(input, err) != 0)
			return -1;
	}
	if (!end && input->at == input->end)
		return 0;
	char *start = input->block + input->at;
	size_t n = end ? (size_t)(end - start) : input->end - input->at;
	input->at += n + (end != NULL);
	input->line++;
	if (n > 0 && start[n - 1] == '\r')
		n--;
	*line = start;
	*length = n;
	return 1;
}
