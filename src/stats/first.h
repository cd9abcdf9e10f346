/* Whether the first iteration of a run is unlike the others, also in runs too short for a search for warm-up. */
#ifndef TARE_STATS_FIRST_H
#define TARE_STATS_FIRST_H

#include "stats/status.h"

#include <stdbool.h>
#include <stdint.h>

struct first {
	bool apart;     /* the first iteration is beyond all others of its run, in nearly all runs, and matters */
	bool above;     /* it is larger than the others; says something only where it is apart */
	size_t runs;    /* whose first value is beyond all others on that side */
	double p_value; /* one-sided: of so many runs by chance */
	double ratio;   /* first value over the mean of the others: the median of the runs */
	double effect;  /* by how much the first value moves the mean of its run, relative: the median of the runs */
};

/* Run r spans values[starts[r]] … values[starts[r + 1] − 1]. `precision` is the relative one that is wanted: a first
 * value that moves the mean of its run by less than half of it is not apart. STATS_TOO_FEW without runs, or where one
 * has fewer than two values; STATS_NOT_FINITE; STATS_NOT_POSITIVE where the others of a run have no mean above 0.
 * Allocates. */
enum stats_status first_test(const double *values, const uint32_t *starts, size_t runs, double precision,
                             struct first *out);

#endif
