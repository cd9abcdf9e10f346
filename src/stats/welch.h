/* Welch's test and interval for the difference of two means. */
#ifndef TARE_STATS_WELCH_H
#define TARE_STATS_WELCH_H

#include "stats/summary.h"

struct welch {
	double difference;        /* mean of a − mean of b */
	double t, df;             /* without any variance: t is 0 or ±∞, df is n_a + n_b − 2 */
	double p;                 /* two-sided */
	struct interval interval; /* of the difference, at `level` */
};

/* Both samples need two values (STATS_TOO_FEW); level in (0, 1). Two samples without variance give
 * p = 1 when their means are equal, else p = 0, and an interval of width 0. */
enum stats_status welch_test(const double *a, size_t na, const double *b, size_t nb, double level, struct welch *out);

/* The same from counts, means and variances (the sd, min and max of the summaries are not read). */
enum stats_status welch_from(const struct summary *a, const struct summary *b, double level, struct welch *out);

#endif
