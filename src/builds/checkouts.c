#include "builds/checkouts.h"

#include "builds/place.h"
#include "host/file.h"

#include <stdio.h>
#include <string.h>

static const char *const names[CHECKOUT_COUNT] = {"base", "head"};

static int add_worktree(struct checkouts *checkouts, const struct tool *tool, size_t side,
                        const struct commits *commits, struct error *err)
{
	const struct commit *commit = side == CHECKOUT_BASE ? &commits->base : &commits->head;
	struct buffer out = {0}, said = {0};
	char path[sizeof(checkouts->folder) + 8];
	snprintf(path, sizeof(path), "%s/%s", checkouts->folder, names[side]);
	snprintf(checkouts->directories[side], sizeof(checkouts->directories[side]), "%s/%s", path, commits->prefix);
	int code = tool_git(tool, commits->top,
	                    (const char *const[]){"worktree", "add", "--quiet", "--detach", path, commit->id, NULL}, &out,
	                    &said, err);
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
	return error_full(err, ERROR_USAGE, "--git", "start tare in a folder that both commits have",
	                  "%s has no folder %.150s", commit->label, commits->prefix);
}

int checkouts_open(struct checkouts *checkouts, const struct host *host, const struct tool *tool,
                   const struct commits *commits, struct error *err)
{
	memset(checkouts, 0, sizeof(*checkouts));
	checkouts->host = host;
	if (place_make(host, checkouts->folder, sizeof(checkouts->folder), "two checkouts", err) != 0)
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

int checkouts_build(struct checkouts *checkouts, const struct tool *tool, size_t side, const char *command,
                    struct buffer *log, struct error *err)
{
	char path[sizeof(checkouts->folder) + 16];
	snprintf(path, sizeof(path), "%s/%s.log", checkouts->folder, names[side]);
	return place_run(checkouts->host, tool, checkouts->directories[side], command, NULL, path, log, err);
}

void checkouts_close(struct checkouts *checkouts)
{
	if (!checkouts->host)
		return;
	janitor_close(checkouts->host, &checkouts->janitor);
	memset(checkouts, 0, sizeof(*checkouts));
}
