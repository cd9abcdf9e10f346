/* --live: the state of the session as a few lines of a terminal, which are rewritten between rounds, when nothing is
 * timed; `q` ends the session after the round that is going on. */
#ifndef TARE_CLI_LIVE_H
#define TARE_CLI_LIVE_H

#include "cli/progress.h"

#include <termios.h>

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

/* `title` must outlive it. Without a terminal on standard input and standard error it is the progress that goes on. */
void live_begin(struct live *live, struct progress *progress, const char *title, bool wanted);
void live_end(struct live *live);

/* For struct session_observer; `context` is the struct live. */
void live_update(void *context, const struct session_progress *now);
void live_note(void *context, const char *text);
bool live_enough(void *context);

#endif
