#include "cli/output.h"

#include "base/memory.h"
#include "cli/message.h"
#include "host/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* *replaced: what is there before makes way for the document, as it does not for devices and the like. */
static int check(const char *path, bool *replaced, struct error *err)
{
	struct file_writer writer;
	struct stat status;
	*replaced = false;
	if (!path || output_is_stdout(path))
		return 0;
	/* A named pipe is opened once: its reader leaves when the first writer does. */
	if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
		if (access(path, W_OK) == 0)
			return 0;
		error_system(err, errno, "cannot be written");
		return error_on(err, "%s", path);
	}
	if (file_writer_open(&writer, &syscalls_libc, path, err) != 0)
		return -1;
	*replaced = writer.temporary[0] != '\0';
	return file_writer_close(&writer, false, err);
}

int output_check(const char *path, struct error *err)
{
	bool replaced;
	return check(path, &replaced, err);
}

/* ---- tables ---- */

static const char *path_of(const struct output *output, const void *options)
{
	return *(const char *const *)((const char *)options + output->offset);
}

bool outputs_on_stdout(const struct output *table, const void *options)
{
	for (const struct output *output = table; output->option; output++)
		if (output_is_stdout(path_of(output, options)))
			return true;
	return false;
}

static bool same_place(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int stat_folder(const char *path, struct stat *out)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	if (slash && (size_t)(slash - path) + 2 > sizeof(folder))
		return -1;
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	return stat(folder, out);
}

/* One name in one folder, or a link to what the other is. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat first, second;
	if (stat(a, &first) == 0 && stat(b, &second) == 0 && same_place(&first, &second))
		return true;
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
	return strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0 && stat_folder(a, &first) == 0 &&
	       stat_folder(b, &second) == 0 && same_place(&first, &second);
}

static int refuse_twins(const struct output *table, const struct output *output, const void *options, struct error *err)
{
	const char *path = path_of(output, options);
	for (const struct output *other = table; other < output; other++) {
		const char *its = path_of(other, options);
		if (!its || output_is_stdout(its) || !is_same_file(its, path))
			continue;
		error_set(err, ERROR_USAGE, "%s and %s would write the same file", other->option, output->option);
		error_on(err, "%s", path);
		return error_next(err, "give each its own file");
	}
	return 0;
}

int outputs_check(const struct output *table, const void *options, struct error *err)
{
	size_t on_stdout = 0;
	for (const struct output *output = table; output->option; output++) {
		bool replaced;
		on_stdout += output_is_stdout(path_of(output, options));
		if (check(path_of(output, options), &replaced, err) != 0 ||
		    (replaced && refuse_twins(table, output, options, err) != 0))
			return -1;
	}
	if (on_stdout > 1)
		return error_set(err, ERROR_USAGE, "only one document can go to standard output");
	return 0;
}

int output_save(const struct output *output, const void *options, const void *context, struct error *err)
{
	const char *path = path_of(output, options);
	struct buffer text = {0};
	if (!path)
		return 0;
	if (!output->make)
		return output->save(context, path, err);
	int status = output->make(context, &text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

int outputs_save(const struct output *table, const void *options, const void *context, struct error *err)
{
	int status = 0;
	for (const struct output *output = table; output->option && status == 0; output++)
		status = output_save(output, options, context, err);
	return status;
}

int output_write(const char *path, const struct buffer *text, struct error *err)
{
	if (buffer_error(text, err) != 0)
		return -1;
	if (output_is_stdout(path))
		return message_print(text, err);
	if (mem_ran_out())
		return error_memory(err);
	return file_write_whole(&syscalls_libc, path, buffer_text(text), text->length, err);
}

/* UTF-8 is taken for granted unless the locale says otherwise. */
static bool unicode_locale(void)
{
	const char *names[] = {getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")};
	for (int i = 0; i < 3; i++)
		if (names[i] && names[i][0])
			return strcasestr(names[i], "utf-8") || strcasestr(names[i], "utf8") || strcmp(names[i], "C") == 0 ||
			       strcmp(names[i], "POSIX") == 0;
	return true;
}

size_t output_lines(void)
{
	struct winsize size;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

struct look output_look(const char *color, bool ascii, bool to_stderr)
{
	int fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
	struct look look = {.width = 80, .charset = ascii || !unicode_locale() ? TEXT_ASCII : TEXT_UNICODE};
	struct winsize size;
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fd);
	if (terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
		look.width = size.ws_col < 120 ? size.ws_col : 120;
	if (color && strcmp(color, "always") == 0)
		look.colour = true;
	else if (!color || strcmp(color, "auto") == 0)
		look.colour = terminal && !(none && none[0]) && term && strcmp(term, "dumb") != 0;
	return look;
}
