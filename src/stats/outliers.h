/* Outliers by Tukey's fences: counted and marked, never dropped. */
#ifndef TARE_STATS_OUTLIERS_H
#define TARE_STATS_OUTLIERS_H

#include "stats/status.h"

enum outlier {
	OUTLIER_LOW_SEVERE = -2,
	OUTLIER_LOW_MILD = -1,
	OUTLIER_NONE = 0,
	OUTLIER_HIGH_MILD = 1,
	OUTLIER_HIGH_SEVERE = 2
};

struct outliers {
	struct interval inner; /* quartiles ∓ 1.5 interquartile ranges; outside: mild */
	struct interval outer; /* quartiles ∓ 3 interquartile ranges; outside: severe */
	size_t low_severe, low_mild, high_mild, high_severe;
};

/* Quartiles of type 7. marks, if not NULL, gets an enum outlier for each value. STATS_TOO_FEW below four
 * values. Allocates. */
enum stats_status outliers_of(const double *x, size_t n, signed char *marks, struct outliers *out);

enum outlier outlier_of(const struct outliers *fences, double x);

#endif
