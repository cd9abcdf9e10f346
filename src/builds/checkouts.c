#include "builds/checkouts.h"

#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[CHECKOUT_COUNT] = {"base", "head"};

/* A folder that nobody else has: mkdir says so. */
static int make_folder(struct checkouts *checkouts, struct error *err)
{
	const char *place = getenv("TMPDIR");
	if (!place || place[0] != '/')
		place = "/tmp";
	errno = EEXIST;
	for (int i = 0; i < 1000 && errno == EEXIST; i++) {
		int used = snprintf(checkouts->folder, sizeof(checkouts->folder), "%s/tare-%ld-%d", place, (long)getpid(), i);
		if (used < 0 || (size_t)used >= sizeof(checkouts->folder))
			errno = ENAMETOOLONG;
		else if (checkouts->host->sys->mkdir(checkouts->folder, 0700) == 0)
			return 0;
	}
	error_system(err, errno, "cannot make a folder for the worktrees");
	error_on(err, "%s", place);
	checkouts->folder[0] = '\0';
	return error_next(err, "set TMPDIR to a folder with room for two checkouts");
}

static int add_worktree(struct checkouts *checkouts, const struct tool *tool, size_t side, const struct commits *commits,
                        struct error *err)
{
	const struct commit *commit = side == CHECKOUT_BASE ? &commits->base : &commits->head;
	struct buffer out = {0}, said = {0};
	char path[sizeof(checkouts->folder) + 8];
	snprintf(path, sizeof(path), "%s/%s", checkouts->folder, names[side]);
	snprintf(checkouts->directories[side], sizeof(checkouts->directories[side]), "%s/%s", path, commits->prefix);
	int code = tool_git(tool, commits->top, (const char *const[]){"worktree", "add", "--quiet", "--detach", path, commit->id, NULL},
	                    &out, &said, err);
	if (code > 0) {
		error_set(err, ERROR_SYSTEM, "git cannot check out %s", commit->label);
		error_next(err, "git says: %.230s", buffer_text(&said));
	}
	buffer_release(&out);
	buffer_release(&said);
	if (code != 0)
		return -1;
	if (file_kind(checkouts->host->sys, checkouts->directories[side]) == FILE_FOLDER)
		return 0;
	error_set(err, ERROR_USAGE, "%s has no folder %.150s", commit->label, commits->prefix);
	error_on(err, "--git");
	return error_next(err, "start tare in a folder that both commits have");
}

int checkouts_open(struct checkouts *checkouts, const struct host *host, const struct tool *tool, const struct commits *commits,
                   struct error *err)
{
	memset(checkouts, 0, sizeof(*checkouts));
	checkouts->host = host;
	if (make_folder(checkouts, err) != 0)
		return -1;
	int status = janitor_start(host, commits->top, checkouts->folder, &checkouts->janitor, err);
	if (status != 0)
		host->sys->rmdir(checkouts->folder);
	for (size_t side = 0; side < CHECKOUT_COUNT && status == 0; side++)
		status = add_worktree(checkouts, tool, side, commits, err);
	if (status != 0)
		checkouts_close(checkouts);
	return status;
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

int checkouts_build(struct checkouts *checkouts, const struct tool *tool, size_t side, const char *command, struct buffer *log,
                    struct error *err)
{
	char path[sizeof(checkouts->folder) + 16];
	snprintf(path, sizeof(path), "%s/%s.log", checkouts->folder, names[side]);
	int fd = checkouts->host->sys->open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0) {
		error_system(err, errno, "cannot be written");
		return error_on(err, "%s", path);
	}
	int status = tool_shell(tool, checkouts->directories[side], command, fd, err);
	read_tail(checkouts->host, fd, log);
	checkouts->host->sys->close(fd);
	return status;
}

void checkouts_close(struct checkouts *checkouts)
{
	if (!checkouts->host)
		return;
	janitor_close(checkouts->host, &checkouts->janitor);
	memset(checkouts, 0, sizeof(*checkouts));
}
