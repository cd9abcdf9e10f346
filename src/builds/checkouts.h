/* Two commits in worktrees of their own, built, for as long as they are measured.
 *
 * States: zeroed → checkouts_open → checkouts_build for each side → … → checkouts_close. The worktrees lie in a new
 * folder under TMPDIR (or /tmp), under names of one length, so that no path is longer on one side. The user's checkout
 * and index are never touched. When tare ends without checkouts_close, by whatever signal, its janitor removes them. */
#ifndef TARE_BUILDS_CHECKOUTS_H
#define TARE_BUILDS_CHECKOUTS_H

#include "builds/commits.h"
#include "builds/janitor.h"

enum { CHECKOUT_BASE, CHECKOUT_HEAD, CHECKOUT_COUNT };

struct checkouts {
	const struct host *host;
	struct janitor janitor;
	char folder[2048];
	char directories[CHECKOUT_COUNT]
					[2048 + 4200]; /* where commands run: as deep in the worktree as tare in the checkout */
};

/* Makes both worktrees; on failure nothing is left. `host` must outlive them. */
int checkouts_open(struct checkouts *checkouts, const struct host *host, const struct tool *tool,
                   const struct commits *commits, struct error *err);

/* Runs the build command, by sh, in the directory of one side. `log` gets the last lines of what it said, also on
 * failure. */
int checkouts_build(struct checkouts *checkouts, const struct tool *tool, size_t side, const char *command,
                    struct buffer *log, struct error *err);

void checkouts_close(struct checkouts *checkouts);

#endif
