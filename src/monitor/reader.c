#include "monitor/reader.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int reader_read(struct reader *reader, const struct host *host)
{
	size_t length = 0;
	if (reader->fd < 0)
		return -1;
	while (length + 1 < reader->size) {
		ssize_t got = host->sys->pread(reader->fd, reader->text + length, reader->size - 1 - length, (off_t)length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			reader->errnum = errno;
			reader->text[0] = '\0';
			return -1;
		}
		if (got == 0)
			break;
		length += (size_t)got;
	}
	reader->text[length] = '\0';
	reader->length = length;
	if (length + 1 == reader->size) {
		/* Half a line would be a wrong number. */
		char *last = strrchr(reader->text, '\n');
		reader->cut = true;
		if (last)
			last[1] = '\0';
	}
	return 0;
}

/* What the file holds now, by reading it in pieces. */
static size_t length_now(const struct reader *reader, const struct host *host)
{
	char piece[4096];
	size_t length = 0;
	for (ssize_t got; (got = host->sys->pread(reader->fd, piece, sizeof(piece), (off_t)length)) > 0;)
		length += (size_t)got;
	return length;
}

int reader_open(struct reader *reader, const struct host *host, const char *path, size_t least, struct error *err)
{
	char full[PATH_MAX];
	*reader = (struct reader){.fd = -1};
	int n = snprintf(full, sizeof(full), "%s%s", host->root, path);
	if (n < 0 || n >= (int)sizeof(full)) {
		reader->errnum = ENAMETOOLONG;
		return 1;
	}
	reader->fd = host->sys->open(full, O_RDONLY | O_CLOEXEC, 0);
	if (reader->fd < 0) {
		reader->errnum = errno;
		return 1;
	}
	size_t length = length_now(reader, host);
	reader->size = 2 * length + 256 > least ? 2 * length + 256 : least;
	reader->text = mem_alloc(reader->size, 1);
	if (!reader->text) {
		reader_close(reader, host);
		return error_memory(err);
	}
	if (reader_read(reader, host) == 0)
		return 0;
	int errnum = reader->errnum;
	reader_close(reader, host);
	reader->errnum = errnum;
	return 1;
}

void reader_close(struct reader *reader, const struct host *host)
{
	if (reader->text || reader->fd > 0) {
		if (reader->fd >= 0)
			host->sys->close(reader->fd);
		mem_free(reader->text);
	}
	*reader = (struct reader){.fd = -1};
}

bool scan_number(const char **at, uint64_t *out)
{
	const char *text = *at;
	uint64_t value = 0;
	while (*text == ' ' || *text == '\t')
		text++;
	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (uint64_t)(*text - '0');
	*at = text;
	*out = value;
	return true;
}

bool scan_word(const char **at, char *out, size_t size)
{
	const char *text = *at;
	size_t length = 0;
	while (*text == ' ' || *text == '\t')
		text++;
	for (; *text && *text != ' ' && *text != '\t' && *text != '\n'; text++)
		if (length + 1 < size)
			out[length++] = *text;
	if (length == 0)
		return false;
	out[length] = '\0';
	*at = text;
	return true;
}

const char *scan_line(const char *at)
{
	const char *end = strchr(at, '\n');
	return end && end[1] ? end + 1 : NULL;
}

bool scan_key(const char *text, const char *key, uint64_t *out)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = scan_line(line)) {
		if (strncmp(line, key, length) != 0 || (line[length] != ' ' && line[length] != ':' && line[length] != '\t'))
			continue;
		const char *at = line + length + 1;
		return scan_number(&at, out);
	}
	return false;
}
