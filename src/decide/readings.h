/* The readings of one performance index, one a round: how precise they are, and whether that is enough.
 *
 * Pilot's session with tare's intervals (docs/methods.md, "Sessions of readings, and of work amounts"). Pure: the
 * same readings give the same answer, so a rule can be simulated without a process. */
#ifndef TARE_DECIDE_READINGS_H
#define TARE_DECIDE_READINGS_H

#include "model/experiment.h"
#include "stats/status.h"

#include <stdbool.h>

struct readings_rule {
	enum mean_kind mean;
	double precision;       /* relative half-width to reach, > 0 */
	double level;           /* of the interval, in (0, 1) */
	double autocorrelation; /* neighbours are merged until theirs is at most this, in (0, 1] */
	size_t least;           /* readings before the session may end, ≥ 2 */
	size_t asked;           /* the same as the user said it, for equal readings too; 0: not said */
	bool strict;            /* readings count as independent only when they look so, and dependent ones get an interval
	                           for series; false: the guard √(1 + 5/R) of a precise estimate, for few rounds that each average much */
	bool once;              /* one look at a number of readings fixed before */
};

/* The rule of an index in a session. Presets (docs/methods.md, "Sessions of readings, and of work amounts"; the
 * interval's half-width, readings at least): quick 10 %, 28; normal 5 %, 45; strict 5 %, 100; of unit readings,
 * where a round gives many, 5, 10 and 20 rounds. Without a preset the experiment's precision, 10 rounds. What the
 * index or the experiment says itself wins. */
struct readings_rule readings_rule_for(const struct experiment *experiment, const struct performance_index *pi);

enum readings_wait {
	READINGS_ENOUGH,
	READINGS_FEW,       /* fewer than the least number */
	READINGS_WARMUP,    /* the level has changed and there are too few since then */
	READINGS_DEPENDENT, /* too few for how alike neighbours are */
	READINGS_WIDE,      /* the interval is wider than requested */
	READINGS_UNFIT,     /* there is no such mean of these values; `unfit` says why */
};

struct readings {
	size_t n;    /* readings that are not NaN */
	size_t from; /* of them left out at the start: the session's warm-up */
	size_t used;
	enum readings_wait wait;
	enum stats_status unfit;
	double mean, low, high; /* NaN: not known; high may be INFINITY */
	const char *method;     /* of the interval */
	double autocorrelation; /* lag 1 of those used */
	size_t subsession;      /* neighbours to merge until that is small; 0: not found */
	double effective;       /* independent readings that those used are worth */
	bool dependent;         /* the interval allows for it */
	double missing;         /* about how many more are needed; INFINITY: not known */
};

/* What the readings show; NaN is a reading that was lost. False when out of memory. */
bool readings_look(const double *x, size_t n, const struct readings_rule *rule, struct readings *out);

/* The number of readings at which to look again after a look at n: looks grow rarer, as new readings say less. */
size_t readings_next_look(size_t n);

const char *readings_wait_words(enum readings_wait wait);

#endif
