/* The mean of one subject while it is measured: how precise it is, and when that is enough (docs/methods.md,
 * "Stopping"). */
#ifndef TARE_DECIDE_ESTIMATE_H
#define TARE_DECIDE_ESTIMATE_H

#include "model/result.h"
#include "stats/runcorr.h"
#include "stats/summary.h"

#include <stdbool.h>

/* A zeroed struct is empty, of an arithmetic mean. */
struct estimate {
	enum mean_kind kind;          /* set before the first value */
	struct running sum;           /* of the values, of their reciprocals or of their logarithms */
	struct runcorr_running order; /* of the values: those that resemble their predecessor widen the interval */
	bool unfit;                   /* a value has no mean of this kind: it is never precise */
	double allowance; /* relative half-width for what no number of values shows; added to that of the values */
};

void estimate_add(struct estimate *estimate, double value); /* NaN is left out */

/* Mean with the interval that allows for a precision stop; NaN bounds below two values. */
void estimate_now(const struct estimate *estimate, double alpha, double *mean, double *low, double *high);

double estimate_variance(const struct estimate *estimate); /* of what is summed; NaN below two */

/* Whether the relative half-width is at most `precision`, from `least` values on. */
bool estimate_is_precise(const struct estimate *estimate, double alpha, double precision, size_t least);

/* About how many values more are needed for it; 0 when it is precise, INFINITY when not known. */
double estimate_missing(const struct estimate *estimate, double alpha, double precision, size_t least);

#endif
