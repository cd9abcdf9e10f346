/* A history: estimates of the same metric of the same subject on the same machine, in order of time. Plain data. */
#ifndef TARE_MODEL_HISTORY_H
#define TARE_MODEL_HISTORY_H

#include "base/arena.h"
#include "model/result.h"

struct history_point {
	int64_t id;         /* of the experiment; 0: not saved */
	int64_t when;       /* ms since 1970; less than a day since then: a mere number in a sequence */
	const char *commit; /* "": not known */
	double value;
	double low, high; /* interval of the value; NaN: not known */
	bool outlier;     /* a single point apart from both neighbours' levels */
};

struct history_change {
	size_t at;                        /* first point of the new level, most likely */
	size_t low, high;                 /* where that may be, 95 % */
	bool gradual;                     /* a slope, no single place */
	double before, after;             /* levels */
	double size, size_low, size_high; /* after − before, 95 % */
	double relative, relative_low,
		relative_high; /* change as a fraction of the level before; NaN: that is not above 0 */
	double p_value;    /* family-wise over the series */
	bool environment;  /* most of the suite moved at once: */
	size_t moved, of;  /* so many of so many histories */
};

/* What changes may be instead of changes of the program. */
enum history_pattern {
	PATTERN_NONE,
	PATTERN_WANDERS, /* neighbours are alike also between the changes: a level that drifts to and fro */
	PATTERN_CYCLES,  /* the level goes up and down again at even distances */
};

struct history_series {
	const char *subject, *metric, *unit, *stratum;
	enum better better;
	struct history_point *points;
	size_t n, capacity;
	struct history_change *changes;
	size_t change_count;
	enum history_pattern pattern;
	bool iterations; /* of a run, and no results of a machine: each run begins anew */
	bool aside;      /* not asked for: there so that the others can be compared with the whole suite */
};

struct history {
	struct arena arena;
	struct history_series *series;
	size_t count, capacity;
	size_t min_points; /* results that a change needs on each side; 0: nobody looked for changes */
};

/* A zeroed history is empty. */
void history_release(struct history *history);

/* Whether two are of the same subject, metric, unit and machine. */
bool history_same_series(const struct history_series *a, const struct history_series *b);

/* Adds a point behind the last; a subject, metric, unit or machine that differs from the last one's begins a new
 * series. Texts are copied. -1: no memory. */
int history_add(struct history *history, const struct history_series *of, const struct history_point *point);

/* From how many results on changes are found: two levels of min_points, and 24 at least. With fewer even a step of 20
 * standard deviations is missed in one of ten series or more (tests/stats/test_edivisive.c). */
size_t history_least(size_t min_points);
/* No change was found, and the results are too few for that to say anything. Those without a value do not count. */
bool history_is_short(const struct history_series *series, size_t min_points);
/* Those that have a value: the ones that a search looks at. */
size_t history_values(const struct history_series *series);

/* Removes the series that were not asked for. */
void history_drop_aside(struct history *history);

#endif
