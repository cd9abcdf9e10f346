#include "host/checkout.h"

#include "host/capture.h"
#include "host/clock.h"
#include "host/file.h"
#include "host/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OUTPUT = 1 << 16 };
static const int64_t patience = INT64_C(2000000000);

/* Whether ".git" is in this folder or one above: without it git need not be asked. */
static bool in_checkout(const struct host *host)
{
	char folder[4096], path[4096 + 8];
	if (!getcwd(folder, sizeof(folder)))
		return false;
	for (;;) {
		snprintf(path, sizeof(path), "%s/.git", folder);
		if (file_kind(host->sys, path) != FILE_MISSING)
			return true;
		char *slash = strrchr(folder, '/');
		if (!slash || folder[0] == '\0')
			return false;
		*slash = '\0';
	}
}

/* What a program prints, when it ends well and in time. A folder of another owner makes git refuse: no answer
 * either. */
static bool ask(const struct host *host, const char *const *argv, struct buffer *answer)
{
	static const char *const env[] = {"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", NULL};
	struct capture capture;
	struct program program = {0};
	buffer_clear(answer);
	int null = host->sys->open("/dev/null", O_WRONLY | O_CLOEXEC, 0);
	if (null < 0)
		return false;
	if (capture_open(host, &capture, answer) != 0) {
		host->sys->close(null);
		return false;
	}
	struct program_request request = {.argv = argv, .env = env, .out = capture.to, .err = null};
	bool well = program_start(host, &request, &program, NULL) == 0;
	if (well)
		well = program_wait(host, &program, clock_now(host) + patience) && program.code == 0;
	capture_drain(host, &capture);
	program_release(host, &program);
	capture_close(host, &capture);
	host->sys->close(null);
	return well;
}

static void take_line(const struct buffer *answer, char *text)
{
	size_t length = strcspn(buffer_text(answer), "\n");
	if (length < CHECKOUT_TEXT)
		snprintf(text, CHECKOUT_TEXT, "%.*s", (int)length, buffer_text(answer));
}

void checkout_describe(const struct host *host, struct checkout *out)
{
	static const char *const commit[] = {"git", "rev-parse", "--verify", "-q", "HEAD", NULL};
	static const char *const branch[] = {"git", "symbolic-ref", "--short", "-q", "HEAD", NULL};
	static const char *const changes[] = {"git", "status", "--porcelain", "--untracked-files=no", "--ignore-submodules",
	                                      NULL};
	struct buffer answer;
	memset(out, 0, sizeof(*out));
	if (!in_checkout(host))
		return;
	buffer_init(&answer, MOST_OUTPUT);
	if (ask(host, commit, &answer)) {
		take_line(&answer, out->commit);
		if (ask(host, branch, &answer))
			take_line(&answer, out->branch);
		out->dirty_known = ask(host, changes, &answer);
		out->dirty = out->dirty_known && answer.length > 0;
	}
	buffer_release(&answer);
}
