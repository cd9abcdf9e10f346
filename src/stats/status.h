/* What every statistic returns beside its numbers, and the shapes they share.
 *
 * A statistic takes arrays of double and writes numbers; it returns STATS_OK or
 * the reason why there is no number that it could stand behind. Outputs are
 * written only on STATS_OK (STATS_UNBOUNDED: the point estimate is written too,
 * and the interval is -INFINITY, +INFINITY). Inputs with NaN or infinities give
 * STATS_NOT_FINITE unless the header of the function says otherwise. */
#ifndef TARE_STATS_STATUS_H
#define TARE_STATS_STATUS_H

#include <stddef.h>

#define STATS_STATUSES(X) \
	X(STATS_OK, "ok") \
	X(STATS_EMPTY, "no values") \
	X(STATS_TOO_FEW, "too few values") \
	X(STATS_CONSTANT, "all values are equal") \
	X(STATS_NOT_FINITE, "a value is not finite") \
	X(STATS_NOT_POSITIVE, "a value is not positive") \
	X(STATS_BAD_ARGUMENT, "an argument is outside its range") \
	X(STATS_UNBOUNDED, "the interval has no finite bound") \
	X(STATS_NOT_DEFINED, "not defined for these values") \
	X(STATS_NO_MEMORY, "out of memory")

enum stats_status {
#define X(status, text) status,
	STATS_STATUSES(X)
#undef X
};

const char *stats_status_text(enum stats_status status);

struct interval {
	double low, high;
};

/* STATS_OK, STATS_EMPTY when n is 0, or STATS_NOT_FINITE. */
enum stats_status stats_check_finite(const double *x, size_t n);

#endif
