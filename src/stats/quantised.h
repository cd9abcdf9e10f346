/* Do the values lie on a grid, as times of a coarse clock do? */
#ifndef TARE_STATS_QUANTISED_H
#define TARE_STATS_QUANTISED_H

#include "stats/status.h"

struct quantised {
	double quantum;  /* the widest step that all distances of values are multiples of; 0: none seen */
	size_t distinct; /* different values; those within 4 units of their last digit count as equal */
	double ties;     /* share of values that another value equals */
};

/* The quantum is 0 when the values are all equal, when the only step seen is that between two single
 * values, or when it would be within rounding of the values (1000 times their last digit). A log
 * rounded to 6 decimal places has a quantum of 1e-6. Allocates. */
enum stats_status quantised_of(const double *x, size_t n, struct quantised *out);

#endif
