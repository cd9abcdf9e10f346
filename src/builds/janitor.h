/* A process that tidies up when tare has ended, however it ended.
 *
 * It is started before there is anything to tidy, ignores the terminal's signals and waits at a socket that only tare
 * holds open: the word of janitor_close(), or the end of tare by any signal, lets it remove the worktrees and their
 * folder. */
#ifndef TARE_BUILDS_JANITOR_H
#define TARE_BUILDS_JANITOR_H

#include "base/error.h"
#include "host/host.h"

struct janitor {
	pid_t pid; /* 0: none */
	int wake;
};

/* `repository`: any folder of it, or NULL: there are no worktrees. They are `folder`/base and `folder`/head, existing
 * or not. The paths are absolute. */
int janitor_start(const struct host *host, const char *repository, const char *folder, struct janitor *out,
                  struct error *err);

/* Lets it tidy now and waits until it has. A zeroed one is fine. */
void janitor_close(const struct host *host, struct janitor *janitor);

#endif
