/* Progress on standard error: one line that is rewritten in a terminal, plain lines elsewhere. */
#ifndef TARE_CLI_PROGRESS_H
#define TARE_CLI_PROGRESS_H

#include "session/session.h"

#include <stdbool.h>
#include <termios.h>

struct progress {
	bool terminal; /* rewrite one line */
	bool none;
	bool ascii;
	bool shown;  /* a line stands in the terminal */
	double last; /* elapsed seconds when it was last written */
};

/* `when` is "auto", "plain", "none" or NULL. */
void progress_init(struct progress *progress, const char *when, bool quiet, bool ascii);

/* For struct session_observer; `context` is the struct progress. Writes at most every 0.1 s in a
 * terminal and every 5 s in plain lines, and nothing in the first second. */
void progress_update(void *context, const struct session_progress *now);
void progress_note(void *context, const char *text);

/* Removes the line from the terminal. */
void progress_end(struct progress *progress);

/* --live: the state of the session as a few lines of a terminal, which are rewritten between rounds, when nothing is
 * timed; `q` ends the session after the round that is going on. */
enum { LIVE_PHASES = 8 };

struct live {
	struct progress *plain; /* that is used where there is no terminal, and for notes */
	bool on;
	bool enough; /* q was pressed */
	bool raw;    /* the keyboard was changed: `before` is what it was */
	struct termios before;
	const char *title;            /* what is measured */
	char phases[LIVE_PHASES][24]; /* so far */
	size_t phase_count;
	size_t lines; /* on the screen */
	double last;
};

/* `title` must outlive it. Without a terminal on standard input and standard error, or in the background of it, the
 * progress goes on. */
void live_begin(struct live *live, struct progress *progress, const char *title, bool wanted);
void live_end(struct live *live);

/* For struct session_observer; `context` is the struct live. */
void live_update(void *context, const struct session_progress *now);
void live_note(void *context, const char *text);
bool live_enough(void *context);

#endif
