/* Rules replayed on suites of known truth; see stop_rates.c. */
#ifndef TESTS_COVERAGE_STOP_SUITES_H
#define TESTS_COVERAGE_STOP_SUITES_H

#include "coverage/suites.h"

#include <stdbool.h>

struct rates_rule {
	const char *name;
	bool twice; /* measured twice and compared; the bootstrap interval of the paper is made too */
};

/* What one rule did on some benchmarks. */
struct rates {
	size_t n, compared;
	double *errors;                                                      /* |mean/truth − 1| of each */
	double cost, held, theirs, equal, width, warmup, runs, warm, stable; /* sums */
};

/* `each` benchmarks of every kind; out[kind × count + rule], zeroed by the caller. False: no memory. */
bool rates_run(const struct rates_rule *rules, size_t count, size_t each, uint64_t seed,
               const struct suite_shape *shape, struct rates *out);
bool rates_join(struct rates *to, const struct rates *from);
void rates_release(struct rates *rates);

double rates_saved(const struct rates *rates); /* against 5 runs of 100 iterations */
double rates_error(const struct rates *rates); /* mean */
double rates_median(const struct rates *rates);
double rates_under(const struct rates *rates, double limit);
double rates_held(const struct rates *rates);
double rates_theirs(const struct rates *rates);
double rates_equal(const struct rates *rates);
double rates_width(const struct rates *rates);
double rates_warmup(const struct rates *rates);
double rates_runs(const struct rates *rates);
double rates_warm(const struct rates *rates);
double rates_stable(const struct rates *rates);

#endif
