#include "builds/commits.h"

#include <stdio.h>
#include <string.h>

/* One question to git at a time. */
struct inquiry {
	const struct tool *tool;
	struct buffer out, said;
};

#define ASK(inquiry, err, ...) \
	tool_git((inquiry)->tool, NULL, (const char *const[]){__VA_ARGS__, NULL}, &(inquiry)->out, &(inquiry)->said, err)

static int copy(char *to, size_t size, const char *text, struct error *err)
{
	if ((size_t)snprintf(to, size, "%s", text) >= size)
		return error_set(err, ERROR_USAGE, "a path or name is too long");
	return 0;
}

static int read_place(struct inquiry *q, struct commits *out, struct error *err)
{
	int code = ASK(q, err, "rev-parse", "--show-toplevel");
	if (code < 0)
		return -1;
	if (code > 0) {
		error_set(err, ERROR_USAGE, "this folder is not the checkout of a git repository");
		error_on(err, "--git");
		return error_next(err, "git says: %.190s", buffer_text(&q->said));
	}
	if (copy(out->top, sizeof(out->top), buffer_text(&q->out), err) != 0)
		return -1;
	if (ASK(q, err, "rev-parse", "--show-prefix") < 0)
		return -1;
	return copy(out->prefix, sizeof(out->prefix), buffer_text(&q->out), err);
}

/* 1: there is no such commit. */
static int resolve(struct inquiry *q, const char *name, char *id, size_t size, struct error *err)
{
	char query[300];
	if (name[0] == '-' || (size_t)snprintf(query, sizeof(query), "%s^{commit}", name) >= sizeof(query))
		return 1;
	int code = ASK(q, err, "rev-parse", "--verify", "--quiet", query);
	if (code != 0)
		return code < 0 ? -1 : 1;
	return copy(id, size, buffer_text(&q->out), err);
}

static int no_commit(struct inquiry *q, const char *name, struct error *err)
{
	bool shallow = ASK(q, err, "rev-parse", "--is-shallow-repository") == 0 &&
	               strcmp(buffer_text(&q->out), "true") == 0;
	error_set(err, ERROR_USAGE, "there is no commit '%.100s' in this repository", name);
	error_on(err, "--git");
	return shallow
	           ? error_next(
					 err, "this clone is shallow: fetch more of it (git fetch --unshallow; in CI, a fetch depth of 0)")
	           : error_next(err, "'git branch -a' and 'git tag' list the names");
}

/* The label holds the name as it was typed, unless that is the beginning of the id. */
static int describe(struct inquiry *q, const char *name, struct commit *commit, struct error *err)
{
	if (ASK(q, err, "rev-parse", "--short", commit->id) != 0)
		return error_set(err, ERROR_SYSTEM, "git cannot shorten the id of a commit");
	const char *id = buffer_text(&q->out);
	bool typed = strncmp(name, commit->id, strlen(name)) == 0;
	snprintf(commit->label, sizeof(commit->label), "%.60s%s%.40s", typed ? "" : name, typed ? "" : " ", id);
	return 0;
}

static int read_commit(struct inquiry *q, const char *name, struct commit *out, struct error *err)
{
	int status = resolve(q, name, out->id, sizeof(out->id), err);
	if (status > 0)
		return no_commit(q, name, err);
	return status < 0 ? -1 : describe(q, name, out, err);
}

/* The name of the main branch: what the remote calls its HEAD, else the usual names. 1: none of them. */
static int find_main(struct inquiry *q, char *name, size_t size, struct error *err)
{
	static const char *const usual[] = {"origin/main", "origin/master", "main", "master", "trunk"};
	char id[80];
	int code = ASK(q, err, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
	if (code == 0)
		return copy(name, size, buffer_text(&q->out), err);
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]) && code >= 0; i++) {
		code = resolve(q, usual[i], id, sizeof(id), err);
		if (code == 0)
			return copy(name, size, usual[i], err);
	}
	return code;
}

/* The last commit that two lines of history share. */
static int read_merge_base(struct inquiry *q, const char *main_branch, const struct commit *head, struct commit *out,
                           struct error *err)
{
	struct commit branch;
	if (read_commit(q, main_branch, &branch, err) != 0)
		return -1;
	int code = ASK(q, err, "merge-base", branch.id, head->id);
	if (code < 0)
		return -1;
	if (code > 0)
		return error_full(err, ERROR_USAGE, "--git", "name the base, or fetch more history (git fetch --unshallow)",
		                  "'%.100s' and '%.100s' have no commit in common", main_branch, head->label);
	if (copy(out->id, sizeof(out->id), buffer_text(&q->out), err) != 0)
		return -1;
	return describe(q, "base", out, err);
}

static int read_default_base(struct inquiry *q, const struct commit *head, struct commit *out, struct error *err)
{
	char name[200];
	int status = find_main(q, name, sizeof(name), err);
	if (status > 0) {
		error_set(err, ERROR_USAGE, "no main branch was found to compare with");
		error_on(err, "--git");
		error_next(err, "name the base: --git BASE..HEAD");
	}
	if (status != 0 || read_merge_base(q, name, head, out, err) != 0)
		return -1;
	if (strcmp(out->id, head->id) == 0)
		return error_full(err, ERROR_USAGE, "--git", "commit the change first, or name the base: --git HEAD~1",
		                  "%s is on %.60s already: there is nothing to compare it with", head->label, name);
	return 0;
}

/* Changes that nobody will measure. --no-optional-locks: looking must not rewrite the index. */
static int look_for_changes(struct inquiry *q, struct commits *commits, struct error *err)
{
	char checked_out[80];
	int status = resolve(q, "HEAD", checked_out, sizeof(checked_out), err);
	if (status != 0 || strcmp(checked_out, commits->head.id) != 0)
		return status < 0 ? -1 : 0;
	if (ASK(q, err, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no") < 0)
		return -1;
	commits->dirty = q->out.length > 0;
	return 0;
}

static int read_range(struct inquiry *q, const char *range, struct commits *out, struct error *err)
{
	char base[256];
	const char *dots = strstr(range, "..");
	size_t length = dots ? (size_t)(dots - range) : strlen(range);
	bool three = dots && dots[2] == '.';
	const char *head = dots ? dots + (three ? 3 : 2) : "";
	if ((size_t)snprintf(base, sizeof(base), "%.*s", (int)(length < 300 ? length : 300), range) >= sizeof(base))
		return error_full(err, ERROR_USAGE, "--git", NULL, "the name of the commit is too long");
	if (read_place(q, out, err) != 0 || read_commit(q, head[0] ? head : "HEAD", &out->head, err) != 0)
		return -1;
	int status = !base[0] ? read_default_base(q, &out->head, &out->base, err)
	             : three  ? read_merge_base(q, base, &out->head, &out->base, err)
	                      : read_commit(q, base, &out->base, err);
	if (status != 0)
		return -1;
	out->same = strcmp(out->base.id, out->head.id) == 0;
	return look_for_changes(q, out, err);
}

int commits_read(const struct tool *tool, const char *range, struct commits *out, struct error *err)
{
	struct inquiry inquiry = {.tool = tool};
	struct commits commits = {.same = false};
	buffer_init(&inquiry.out, 1 << 20);
	buffer_init(&inquiry.said, 1 << 16);
	int status = read_range(&inquiry, range, &commits, err);
	buffer_release(&inquiry.out);
	buffer_release(&inquiry.said);
	if (status == 0)
		*out = commits;
	return status;
}
