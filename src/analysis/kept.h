/* The values that count: without warm-up and without lost ones, as a view with levels. */
#ifndef TARE_ANALYSIS_KEPT_H
#define TARE_ANALYSIS_KEPT_H

#include "base/error.h"
#include "model/series.h"
#include "stats/nested.h"

struct kept {
	struct series own;     /* a copy, where something had to be left out */
	struct nested values;  /* into `own` or into the series itself */
	size_t lost;           /* values that were NaN */
};

/* Leaves out the first `skip` values of each innermost group, NaN, and groups that become empty.
 * Nothing is copied when nothing is left out. */
int kept_init(struct kept *kept, const struct series *series, size_t skip, struct error *err);
void kept_release(struct kept *kept);

/* The outermost level with two groups or more: its index in the levels; depth − 1 when no
 * grouping level has (the values themselves are then the repetitions). */
unsigned kept_unit_level(const struct nested *values);

/* Means of the groups at level index `level` (mean of means below it, as K&J), groups[level] of them;
 * for level = depth − 1 the values themselves. Allocated: mem_free(). NULL: out of memory. */
double *kept_means(const struct nested *values, unsigned level, size_t *n);

#endif
