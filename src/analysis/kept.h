/* The values that count: without warm-up and without lost ones, as a view with levels. */
#ifndef TARE_ANALYSIS_KEPT_H
#define TARE_ANALYSIS_KEPT_H

#include "base/error.h"
#include "model/result.h"
#include "model/series.h"
#include "stats/nested.h"

struct kept {
	struct series own;    /* a copy, where something had to be left out */
	struct nested values; /* into `own` or into the series itself */
	size_t lost;          /* values that were NaN, or whose pair was */
};

/* Leaves out the first `skip` iterations of each run (with all of their invocations), NaN, and groups that become empty.
 * Nothing is copied when nothing is left out. */
int kept_init(struct kept *kept, const struct series *series, size_t skip, struct error *err);
/* As the measurement says: without its warm-up, or its one iteration of each run. */
int kept_init_of(struct kept *kept, const struct measurement *m, struct error *err);
/* Without what the measurement leaves out of each of its runs: the series is its own, or one of the same shape. */
int kept_init_as(struct kept *kept, const struct series *series, const struct measurement *measurement,
                 struct error *err);
/* One side of pairs, the other being of the same shape: they are kept or left out together, without the longer warm-up
 * of the two in each run, and also where the other's value is NaN. */
int kept_init_pair(struct kept *kept, const struct measurement *m, const struct measurement *other, struct error *err);
/* With the stable phase of each outermost group: values outside it are left out. `series` has two levels and
 * as many groups as there are phases. */
int kept_init_phases(struct kept *kept, const struct series *series, const struct phase *phases, struct error *err);
void kept_release(struct kept *kept);

/* The outermost level with two groups or more: its index in the levels; depth − 1 when no
 * grouping level has (the values themselves are then the repetitions). */
unsigned kept_unit_level(const struct nested *values);

/* All values are of one process: iterations are what is repeated. */
bool kept_is_one_run(const struct series *series, const struct nested *values);

/* All values are above 0: they have a harmonic and a geometric mean. */
bool kept_is_positive(const struct nested *values);

/* The largest is of a size whose square neither vanishes nor overflows: of others no variance can be told. */
bool kept_is_in_range(const struct nested *values);

/* The units: means of that kind of the groups at level index `level` (mean of means below it, as K&J); for level =
 * depth − 1 the values themselves. Nothing is copied where every group has one value. */
struct kept_units {
	const double *mean;
	size_t n;
	double *own; /* a copy, or NULL: mean points into the values */
};

/* -1 without memory: then there is nothing to release, and releasing does no harm. */
int kept_units_init(struct kept_units *units, const struct nested *values, unsigned level, enum mean_kind kind,
                    struct error *err);
void kept_units_release(struct kept_units *units);

/* The same values without the levels that have one member in each group; level_of[k] is the index in
 * `values` of level k of the view. */
struct nested kept_slim(const struct nested *values, unsigned *level_of);

#endif
