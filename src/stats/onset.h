/* Where the steady part of one run begins: its last level, found by change points. */
#ifndef TARE_STATS_ONSET_H
#define TARE_STATS_ONSET_H

#include "stats/status.h"

#include <stdbool.h>

enum onset_kind {
	ONSET_NONE,  /* steady from the first value on */
	ONSET_STEP,  /* the level changes abruptly, once or several times, and then lasts */
	ONSET_CURVE, /* the level is approached smoothly */
	ONSET_NEVER, /* no level lasts */
};

struct onset_options {
	double precision; /* wanted, relative: changes below half of it are no changes */
	bool warmed;      /* whoever measured had warmed up: only a step is a reason to leave something out */
	size_t most;      /* values that are searched: of a longer run means of neighbours; 0: 4096 */
};

struct onset {
	enum onset_kind kind;
	size_t from;       /* values to leave out at the start */
	double ratio;      /* steady level over the level of the start; 1 where nothing is left out */
	bool several;      /* there are more levels than one before the steady one */
	size_t late;       /* the first value of a last level that is too short to be called steady; 0: there is none */
	double late_ratio; /* that level over the one before it */
};

enum { ONSET_LEAST = 20 }; /* values that a run must have */

/* One run of n finite values. STATS_TOO_FEW below ONSET_LEAST; STATS_BAD_ARGUMENT for a negative precision.
 * O(n) for long runs. Allocates. */
enum stats_status onset_find(const double *x, size_t n, const struct onset_options *options, struct onset *out);

#endif
