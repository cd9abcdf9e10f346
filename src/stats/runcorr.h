/* Runs that resemble their predecessor: how much wider the interval has to be. */
#ifndef TARE_STATS_RUNCORR_H
#define TARE_STATS_RUNCORR_H

#include "stats/status.h"
#include "stats/summary.h"

struct runcorr {
	double lag1;      /* autocorrelation r₁ of the differences */
	double threshold; /* above it r₁ is taken for real */
	double factor;    /* multiply c by it; 1 when r₁ is not above the threshold */
};

/* difference[r] of n ≥ 3 pairs or runs in the order they were measured (typical of a unit, or new −
 * base). Equal differences have no correlation: lag1 0, factor 1. */
enum stats_status runcorr_of(const double *difference, size_t n, struct runcorr *out);

/* The same with the summary of the differences at hand. */
enum stats_status runcorr_about(const double *difference, const struct summary *summary, struct runcorr *out);

/* The same while values come in, O(1) for each. A zeroed struct is empty. */
struct runcorr_running {
	struct running values;
	double first, last;
	double products; /* Σ (d_i − first)(d_{i+1} − first) */
};
void runcorr_add(struct runcorr_running *running, double difference);
double runcorr_now(const struct runcorr_running *running); /* the factor; 1 below three values */

/* The factor for n ≥ 3 differences whose lag-1 autocorrelation is `lag1`. */
double runcorr_factor(double lag1, double n);

#endif
