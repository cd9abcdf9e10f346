/* One-way analysis of variance. */
#ifndef TARE_STATS_ANOVA_H
#define TARE_STATS_ANOVA_H

#include "stats/status.h"

#include <stdint.h>

struct anova {
	double between_squares, within_squares; /* sums of squares */
	double between_df, within_df;           /* groups − 1, n − groups */
	double f;                               /* ratio of the mean squares; ∞ when only the groups differ */
	double p;                               /* P(F > f) */
	double r_squared;                       /* between over total */
	double residual_sd;                     /* √(within mean square) */
};

/* Group g spans values[starts[g]] … values[starts[g + 1] − 1]; every group has a value. STATS_TOO_FEW without two
 * groups or without a group of two values, STATS_CONSTANT when all values are equal. */
enum stats_status anova_one_way(const double *values, const uint32_t *starts, size_t groups, struct anova *out);

#endif
