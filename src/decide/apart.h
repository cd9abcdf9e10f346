/* Two means that were not measured together: results of another day, rounds judged as the Pilot paper does (Welch's
 * test on subsession means), speeds by work amounts. */
#ifndef TARE_DECIDE_APART_H
#define TARE_DECIDE_APART_H

#include "model/result.h"
#include "stats/critical.h"
#include "stats/status.h"

#include <stdbool.h>

/* One of them: what it is compared by. */
struct apart_side {
	double mean, variance; /* of the mean, not of a value */
	double runs, df;       /* values behind it, and the degrees of freedom of the variance */
	size_t merged;         /* neighbours that are one value; 0: the values stay correlated however many are merged */
};

/* The mean of readings, NaN left out; neighbours are merged until their autocorrelation is at most `limit` (Li et al.
 * 2016, section III-F), and where no merging helps the variance is enlarged for it. Of harmonic and geometric means the
 * side is that of reciprocals and of logarithms. STATS_TOO_FEW below three; STATS_NOT_POSITIVE; STATS_NO_MEMORY. */
enum stats_status apart_readings(const double *x, size_t n, enum mean_kind kind, double limit, struct apart_side *out);

struct apart_rule {
	enum critical_rule looks;
	double alpha, margin; /* two-sided; relative */
	bool higher_is_better;
	enum mean_kind kind; /* of both sides */
};

struct apart {
	enum verdict verdict;    /* new against base */
	double ratio, low, high; /* new over base; low and high NaN: unbounded */
	double p;                /* Welch's, two-sided, of one look */
};

/* Different: the interval at alpha excludes 1. Same: that at 2·alpha lies within the margin. */
void apart_compare(const struct apart_side *base, const struct apart_side *new_, const struct apart_rule *rule,
                   struct apart *out);

#endif
