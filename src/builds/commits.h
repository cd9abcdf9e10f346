/* Which two commits `--git RANGE` means. Only asks git; nothing is changed, not even the index's cached times. */
#ifndef TARE_BUILDS_COMMITS_H
#define TARE_BUILDS_COMMITS_H

#include "builds/tool.h"

#include <stdbool.h>

struct commit {
	char id[80];     /* in full */
	char label[120]; /* for people: "v1.2 0a1b2c3"; "0a1b2c3" where the id was typed */
};

struct commits {
	char top[4096];    /* of the user's checkout, absolute */
	char prefix[4096]; /* folder in it that tare was started in, with a '/' at the end; "": the top */
	struct commit base, head;
	bool same;  /* one commit on both sides */
	bool dirty; /* the head is what is checked out, and there are changes that are not committed */
};

/* RANGE is BASE, BASE..HEAD, or BASE...HEAD for their merge base; an end that is empty is HEAD on the right, and on the
 * left the merge base with the main branch (the remote's, else main, master or trunk). -1 and err: ERROR_USAGE for what
 * the user can mend, ERROR_INTERRUPTED. */
int commits_read(const struct tool *tool, const char *range, struct commits *out, struct error *err);

#endif
