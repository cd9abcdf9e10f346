/* Do the values of a series depend on their neighbours? */
#ifndef TARE_STATS_INDEPENDENCE_H
#define TARE_STATS_INDEPENDENCE_H

#include "stats/status.h"

#include <stdbool.h>

enum {
	INDEPENDENCE_LEAST = 10,
	INDEPENDENCE_MOST = 1 << 16 /* values that are looked at: the first of a longer series */
};

struct independence {
	double ljung_box_p; /* ranks, lags 1 … min(10, n/5) */
	double largest;     /* the autocorrelation of ranks that stands out most, up to lag n/4 */
	size_t lag;         /* at this lag */
	double largest_p;   /* its p value times the number of lags, at most 1 */
	bool dependent;     /* one of the two p values is below 0.005 */
};

/* STATS_TOO_FEW below INDEPENDENCE_LEAST values, STATS_CONSTANT without variance. Allocates. */
enum stats_status independence_test(const double *x, size_t n, struct independence *out);

#endif
