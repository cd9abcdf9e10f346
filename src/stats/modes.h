/* How many modes a sample has, where they are, and which values belong to which. */
#ifndef TARE_STATS_MODES_H
#define TARE_STATS_MODES_H

#include "stats/status.h"

#include <stdint.h>

enum { MODES_MOST = 16 };

struct modes_peak {
	size_t count;     /* values */
	double low, high; /* smallest and largest of them */
	double mean, median;
};

struct modes {
	size_t count; /* 1 … MODES_MOST, ascending by position */
	struct modes_peak mode[MODES_MOST];
};

/* The order of the values does not matter. `quantum` is the clock's step (values are whole
 * multiples of it, or nearly); 0: not known, then it is the one of stats/quantised.h.
 * member (n entries, or NULL) gets the mode of each value. More than one mode is a finding: about
 * 1 % of samples from one peak give it, whatever their shape; one mode is the lack of such a
 * finding, and with fewer than six values always the answer. STATS_EMPTY, STATS_NOT_FINITE,
 * STATS_BAD_ARGUMENT for a negative quantum, STATS_NO_MEMORY. */
enum stats_status modes_find(const double *x, size_t n, double quantum, struct modes *out, uint8_t *member);

#endif
