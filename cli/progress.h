/* Progress on standard error: one line that is rewritten in a terminal, plain lines elsewhere. */
#ifndef TARE_CLI_PROGRESS_H
#define TARE_CLI_PROGRESS_H

#include "session/session.h"

#include <stdbool.h>

struct progress {
	bool terminal; /* rewrite one line */
	bool none;
	bool shown;  /* a line stands in the terminal */
	double last; /* elapsed seconds when it was last written */
};

/* `when` is "auto", "plain", "none" or NULL. */
void progress_init(struct progress *progress, const char *when, bool quiet);

/* For struct session_observer; `context` is the struct progress. Writes at most every 0.1 s in a
 * terminal and every 5 s in plain lines, and nothing in the first second. */
void progress_update(void *context, const struct session_progress *now);
void progress_note(void *context, const char *text);

/* Removes the line from the terminal. */
void progress_end(struct progress *progress);

#endif
