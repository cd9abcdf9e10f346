/* The rank sum test of Mann, Whitney and Wilcoxon, exact where that is feasible, with and without ties. */
#ifndef TARE_STATS_MANN_WHITNEY_H
#define TARE_STATS_MANN_WHITNEY_H

#include "stats/status.h"

#include <stdbool.h>

struct mann_whitney {
	double u;   /* pairs with a_i > b_j, plus half the pairs with a_i = b_j */
	double z;   /* (u − n_a·n_b/2)/sd with the tie correction, no continuity correction; 0 when all are equal */
	double p;   /* two-sided */
	bool exact; /* p is from all assignments of the values to the two sides */
};

/* One value on each side is enough. p is 1 when all values are equal. Exact up to about 80 values on each
 * side (70 with ties), more when one side is small, and always when there are two distinct values (Fisher's
 * exact test); beyond that normal with tie and continuity correction, as in R. Allocates. */
enum stats_status mann_whitney(const double *a, size_t na, const double *b, size_t nb, struct mann_whitney *out);

#endif
