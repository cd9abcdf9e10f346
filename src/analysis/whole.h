/* Only what was measured whole can hold a gate: one rule for sessions, files and the store.
 *
 * A comparison is failed, whatever its numbers say, where runs of one of its subjects failed, where the session of one
 * failed, or where the new side has no usable value. It is open at best where a session was interrupted or killed, or
 * where values of the new side are infinite, no numbers or, for a time, 0 or below. */
#ifndef TARE_ANALYSIS_WHOLE_H
#define TARE_ANALYSIS_WHOLE_H

#include "base/error.h"
#include "model/result.h"

/* Exit codes that are no failures. A signal, a crash or a time-out is never welcome. */
struct welcome {
	bool alike;       /* those that both sides have in like measure: shares of runs at most 10 points apart, and not
	                     further than chance takes them (99 %) */
	const int *codes; /* these, wherever they occur */
	size_t code_count;
};

struct whole_options {
	double limit; /* of the gate; NaN: none, and nothing is done */
	struct welcome welcome;
	const char *how_missing; /* what to do about what is missing; NULL: --allow-missing */
	bool allow_missing;      /* benchmarks of the base may be missing on the new side */
	bool missing;            /* one is, whether or not a warning names it */
};

/* Settles every comparison's gate, and from them and from what is missing result->gate. */
int whole_settle(struct result *result, const struct whole_options *options, struct error *err);

/* After a failure or an interrupt, which nothing that was measured before outweighs: result->gate. `why` is copied. */
void whole_give_up(struct result *result, double limit, bool interrupted, const char *why);

/* The subjects say how the session that measured them ended, where that was before its time. */
void whole_mark_unfinished(struct result *result);

/* Warns of the runs that failed, command by command. */
int whole_warn_failures(struct result *result, struct error *err);

#endif
