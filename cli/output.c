#include "cli/output.h"

#include "base/memory.h"
#include "cli/message.h"
#include "host/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

int output_check_place(const char *path, bool *replaced, struct error *err)
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
	return output_check_place(path, &replaced, err);
}

int output_write(const char *path, const struct buffer *text, struct error *err)
{
	if (buffer_error(text, err) != 0)
		return -1;
	if (output_is_stdout(path))
		return message_write(false, text, err);
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

size_t output_columns(bool to_stderr)
{
	struct winsize size;
	int fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
	return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

/* --ascii is one for the whole run of the program, as the locale is. */
static bool ascii_asked;

enum text_charset output_charset(void)
{
	return ascii_asked || !unicode_locale() ? TEXT_ASCII : TEXT_UNICODE;
}

struct look output_look(const char *color, bool ascii, bool to_stderr)
{
	ascii_asked = ascii_asked || ascii;
	int fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
	size_t columns = output_columns(to_stderr);
	struct look look = {.width = columns < 120 ? columns : 120, .charset = output_charset()};
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fd);
	if (color && strcmp(color, "always") == 0)
		look.colour = true;
	else if (!color || strcmp(color, "auto") == 0)
		look.colour = terminal && !(none && none[0]) && term && strcmp(term, "dumb") != 0;
	return look;
}
