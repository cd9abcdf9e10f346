#include "builds/copies.h"

#include "base/memory.h"
#include "builds/compiler.h"
#include "builds/place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LARGEST    "1073741824" /* bytes of a folder that is no checkout */
#define MOST_FILES "100000"

/* Names of files may hold anything but a zero byte. Files that are tracked and were removed are left out. */
static const char copy_checkout[] =
	"cd \"$FROM\" && mkdir -p \"$TO\" && git ls-files -z --cached --others --exclude-standard >\"$TO.all\" && "
	"xargs -0 -r sh -c 'for f do if [ -e \"$f\" ] || [ -L \"$f\" ]; then printf \"%s\\0\" \"$f\"; fi; done' sh <\"$TO.all\" >\"$TO.list\" && "
	"tar -c --null --verbatim-files-from -T \"$TO.list\" -f \"$TO.tar\" && tar -x -C \"$TO\" -f \"$TO.tar\" && "
	"rm -f \"$TO.all\" \"$TO.list\" \"$TO.tar\"";

/* Exit 3: too large. */
static const char copy_folder[] =
	"cd \"$FROM\" && { find . -xdev -type f -printf '%s\\n' | awk '{ s += $1 } s > " LARGEST " || NR > " MOST_FILES
	" { exit 3 }' || exit 3; } && "
	"mkdir -p \"$TO\" && cp -a . \"$TO\" && rm -rf \"$TO/.tare\"";

int copies_open(struct copies *copies, const struct host *host, bool keep, struct error *err)
{
	memset(copies, 0, sizeof(*copies));
	copies->keep = keep;
	if (place_make(host, copies->folder, sizeof(copies->folder), "the builds", err) != 0)
		return -1;
	if (!keep && janitor_start(host, NULL, copies->folder, &copies->janitor, err) != 0) {
		host->sys->rmdir(copies->folder);
		return -1;
	}
	copies->host = host;
	return 0;
}

/* A line of git's answer; "" where it has none (status 1). */
static int ask(const struct tool *tool, const char *directory, const char *question, char *out, size_t size,
               struct error *err)
{
	struct buffer answer = {0}, said = {0};
	int code = tool_git(tool, directory, (const char *const[]){"rev-parse", question, NULL}, &answer, &said, err);
	int used = code == 0 ? snprintf(out, size, "%s", buffer_text(&answer)) : 0;
	buffer_release(&answer);
	buffer_release(&said);
	if (used < 0 || (size_t)used >= size)
		return error_set(err, ERROR_SYSTEM, "the path of the checkout is too long");
	return code < 0 ? -1 : code > 0;
}

/* What is copied: the whole checkout that `source` lies in, or the folder itself. `top` "": no checkout. */
static int find_top(const struct tool *tool, const char *source, char *top, size_t size, char *prefix,
                    size_t prefix_size, struct error *err)
{
	top[0] = prefix[0] = '\0';
	int status = ask(tool, source, "--show-toplevel", top, size, err);
	/* Without git every folder is an ordinary one. */
	if (status < 0 && err->kind == ERROR_INTERRUPTED)
		return -1;
	if (status != 0) {
		top[0] = '\0';
		return 0;
	}
	return ask(tool, source, "--show-prefix", prefix, prefix_size, err) < 0 ? -1 : 0;
}

static int explain_copy(const char *source, bool checkout, const struct buffer *log, struct error *err)
{
	char why[sizeof(err->what)];
	if (err->kind != ERROR_SUBJECT)
		return -1;
	memcpy(why, err->what, sizeof(why));
	if (!checkout && strcmp(why, "exit 3") == 0)
		return error_full(
			err, ERROR_USAGE, source,
			"start tare where the sources are, or make it a git repository: what is ignored is not copied",
			"the folder is too large to be copied for every build: over 1 GiB or " MOST_FILES " files");
	error_set(err, ERROR_SYSTEM, "the sources cannot be copied: %.100s", why);
	error_on(err, "%s", source);
	return log->length ? error_next(err, "%.240s", buffer_text(log)) : -1;
}

/* The same for every copy of the tree. Not in the struct itself, which would take 160 kB of a small stack. */
static int name_place(struct copies *copies, size_t tree, const char *prefix, struct error *err)
{
	size_t size = strlen(copies->folder) + strlen(prefix) + 4;
	if (copies->places[tree])
		return 0;
	copies->places[tree] = mem_alloc(size, 1);
	if (!copies->places[tree])
		return error_memory(err);
	snprintf(copies->places[tree], size, "%s/%c/%s", copies->folder, (int)('a' + tree), prefix);
	return 0;
}

int copies_make(struct copies *copies, const struct tool *tool, size_t tree, const char *source, struct error *err)
{
	char top[4096], prefix[4096], from[4096 + 8], to[sizeof(copies->folder) + 8];
	struct buffer log = {0};
	if (find_top(tool, source, top, sizeof(top), prefix, sizeof(prefix), err) != 0)
		return -1;
	bool checkout = top[0] != '\0';
	if (!checkout && strncmp(copies->folder, source, strlen(source)) == 0 && copies->folder[strlen(source)] == '/')
		return error_full(err, ERROR_USAGE, source, "set TMPDIR to a folder elsewhere",
		                  "the folder for temporary files lies in the sources that are to be copied there");
	snprintf(from, sizeof(from), "FROM=%s", checkout ? top : source);
	snprintf(to, sizeof(to), "TO=%s/%c", copies->folder, (int)('a' + tree));
	if (name_place(copies, tree, prefix, err) != 0)
		return -1;
	const char *const variables[] = {from, to, NULL};
	char path[sizeof(copies->folder) + 16];
	snprintf(path, sizeof(path), "%s/copy.log", copies->folder);
	int status = place_run(copies->host, tool, copies->folder, checkout ? copy_checkout : copy_folder, variables, path,
	                       &log, err);
	if (status != 0)
		status = explain_copy(source, checkout, &log, err);
	buffer_release(&log);
	return status;
}

int copies_build(struct copies *copies, const struct tool *tool, size_t tree, const char *command, uint64_t seed,
                 struct buffer *log, struct error *err)
{
	char variable[sizeof(BUILD_SEED_VARIABLE) + 24], self[4096 + 8] = "TARE=", path[sizeof(copies->folder) + 16];
	ssize_t length = copies->host->sys->readlink("/proc/self/exe", self + 5, sizeof(self) - 6);
	self[length > 0 ? 5 + (size_t)length : 4] = '\0';
	snprintf(variable, sizeof(variable), "%s=%llu", BUILD_SEED_VARIABLE, (unsigned long long)seed);
	snprintf(path, sizeof(path), "%s/%c.log", copies->folder, (int)('a' + tree));
	const char *const variables[] = {variable, self, NULL};
	return place_run(copies->host, tool, copies->places[tree], command, variables, path, log, err);
}

int copies_put_away(struct copies *copies, const struct tool *tool, size_t tree, size_t build, struct error *err)
{
	char from[sizeof(copies->folder) + 16], kept[sizeof(copies->folder) + 40];
	char path[sizeof(copies->folder) + 16];
	struct buffer log = {0};
	snprintf(path, sizeof(path), "%s/copy.log", copies->folder);
	snprintf(from, sizeof(from), "WHAT=%s/%c", copies->folder, (int)('a' + tree));
	snprintf(kept, sizeof(kept), "%s/build-%zu-%c", copies->folder, build + 1, (int)('a' + tree));
	if (copies->keep) {
		if (copies->host->sys->rename(from + 5, kept) == 0)
			return 0;
		error_system(err, errno, "a build cannot be kept");
		return error_on(err, "%s", kept);
	}
	const char *const variables[] = {from, NULL};
	int status = place_run(copies->host, tool, copies->folder,
	                       "rm -rf \"$WHAT\" || { chmod -R u+rwX \"$WHAT\"; rm -rf \"$WHAT\"; }", variables, path, &log,
	                       err);
	buffer_release(&log);
	return status;
}

void copies_close(struct copies *copies)
{
	if (!copies->host)
		return;
	janitor_close(copies->host, &copies->janitor);
	for (size_t tree = 0; tree < COPIES_MOST; tree++)
		mem_free(copies->places[tree]);
	memset(copies, 0, sizeof(*copies));
}
