#include "builds/place.h"

#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int place_make(const struct host *host, char *folder, size_t size, const char *what, struct error *err)
{
	const char *place = getenv("TMPDIR");
	if (!place || place[0] != '/')
		place = "/tmp";
	errno = EEXIST;
	for (int i = 0; i < 100 && errno == EEXIST; i++) {
		int used = snprintf(folder, size, "%s/tare-%016llx", place, (unsigned long long)file_unguessable(host->sys));
		if (used < 0 || (size_t)used >= size)
			errno = ENAMETOOLONG;
		else if (host->sys->mkdir(folder, 0700) == 0)
			return 0;
	}
	error_system(err, errno, "cannot make a folder for %s", what);
	error_on(err, "%s", place);
	folder[0] = '\0';
	return error_next(err, "set TMPDIR to a folder with room for %s", what);
}

/* The last lines, beginning with a whole one. */
static void read_tail(const struct host *host, int fd, struct buffer *out)
{
	enum { MOST_BYTES = 16 << 10, MOST_LINES = 20 };
	char text[MOST_BYTES + 1];
	off_t size = host->sys->lseek(fd, 0, SEEK_END);
	off_t from = size > MOST_BYTES ? size - MOST_BYTES : 0;
	ssize_t length = size > 0 ? host->sys->pread(fd, text, MOST_BYTES, from) : 0;
	if (length <= 0)
		return;
	ssize_t start = length;
	int lines = 0;
	while (start > 0 && (start == length || text[start - 1] != '\n' || ++lines < MOST_LINES))
		start--;
	buffer_add(out, text + start, (size_t)(length - start));
	if (text[length - 1] != '\n')
		buffer_char(out, '\n');
}

int place_run(const struct host *host, const struct tool *tool, const char *directory, const char *command,
              const char *const *variables, const char *path, struct buffer *log, struct error *err)
{
	int fd = host->sys->open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0) {
		error_system(err, errno, "cannot be written");
		return error_on(err, "%s", path);
	}
	int status = tool_shell(tool, directory, command, variables, fd, err);
	read_tail(host, fd, log);
	host->sys->close(fd);
	return status;
}
