/* Which state the iterations of a benchmark reach, and from which iteration on (Kalibera and Jones 2013, section 5). */
#ifndef TARE_STATS_SETTLE_H
#define TARE_STATS_SETTLE_H

#include "stats/independence.h"
#include "stats/steady.h"

enum { SETTLE_RUNS = STEADY_RUNS };

enum settle_state {
	SETTLE_INDEPENDENT, /* steady, and iterations do not depend on their neighbours */
	SETTLE_INITIALISED, /* steady, but they do */
	SETTLE_NEVER,       /* the level still moves */
};

/* What one run shows from `from` on. */
struct settle_run {
	size_t warmup; /* iterations that MSER-5 would leave out */
	struct steady steady;
	struct independence independence; /* of a constant run: not dependent, p values 1 */
};

struct settle {
	enum settle_state state;
	size_t from;      /* iterations left out of each run */
	bool later_level; /* all runs change to another level there */
	size_t runs;      /* looked at, at most SETTLE_RUNS */
	size_t moving;    /* of them: the level still steps or drifts */
	size_t dependent; /* of them: iterations depend on their neighbours */
	struct settle_run run[SETTLE_RUNS];
};

/* Run r spans values[starts[r]] … values[starts[r + 1] − 1]; the first SETTLE_RUNS are looked at. `precision` as for
 * steady_test(). skip ≥ 0 is the warm-up that somebody has set, −1: found. STATS_TOO_FEW when a run has fewer than 20
 * values, or fewer than STEADY_BATCHES after its warm-up; STATS_NOT_FINITE. Allocates. */
enum stats_status settle_find(const double *values, const uint32_t *starts, size_t runs, double precision, long skip,
                              struct settle *out);

#endif
