/* Which state the iterations of a benchmark reach, and from which iteration of each run on (Kalibera and Jones 2013,
 * section 5). */
#ifndef TARE_STATS_SETTLE_H
#define TARE_STATS_SETTLE_H

#include "stats/independence.h"
#include "stats/onset.h"
#include "stats/steady.h"

#include <stdint.h>

enum { SETTLE_RUNS = STEADY_RUNS };

enum settle_state {
	SETTLE_INDEPENDENT, /* steady, and iterations do not depend on their neighbours */
	SETTLE_INITIALISED, /* steady, but they do */
	SETTLE_NEVER,       /* no level lasts, or it still moves */
};

/* What one of the first runs shows after its warm-up. */
struct settle_run {
	struct steady steady;
	struct independence independence; /* of a constant run: not dependent, p values 1 */
};

/* A change of level that several runs have. */
struct settle_change {
	size_t runs;        /* that have it; 0: none, and the rest says nothing */
	size_t first, last; /* the earliest and the latest place: values before it */
	double ratio;       /* level after over level before: the median of the runs */
	size_t curves;      /* of them: an approach rather than a step */
	size_t several;     /* of them: more than one step */
};

struct settle {
	enum settle_state state;
	size_t from;      /* the most that is left out of a run */
	bool later_level; /* all runs change late, at about one place, to another level, which is then the steady one */
	size_t runs;      /* looked at for what follows, at most SETTLE_RUNS */
	size_t moving;    /* of them: the level still steps or drifts */
	size_t dependent; /* of them: iterations depend on their neighbours */
	struct settle_run run[SETTLE_RUNS];
	size_t never;                /* of all runs: no level lasts */
	struct settle_change warmup; /* where the steady part begins */
	struct settle_change late;   /* changes near the end that leave too little to be called steady */
};

struct settle_options {
	double precision;    /* as for steady_test() */
	bool warmed;         /* as for onset_find() */
	long skip;           /* ≥ 0: the warm-up that somebody has set for every run; −1: found */
	const size_t *skips; /* with skip ≥ 0: the warm-up of each run; NULL: skip */
};

/* Run r spans values[starts[r]] … values[starts[r + 1] − 1]; cuts[r] gets what is left out of it. STATS_TOO_FEW when one
 * of the first runs has fewer than ONSET_LEAST values, or fewer than STEADY_BATCHES after its warm-up (later runs that
 * are too short have nothing left out); STATS_NOT_FINITE. Allocates. */
enum stats_status settle_find(const double *values, const uint32_t *starts, size_t runs,
                              const struct settle_options *options, size_t *cuts, struct settle *out);

#endif
