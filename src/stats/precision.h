/* Stopping when the interval is short enough: the check that runs after every run. */
#ifndef TARE_STATS_PRECISION_H
#define TARE_STATS_PRECISION_H

#include <stdbool.h>

struct precision {
	double alpha;  /* 0.05 for 95 % */
	double target; /* relative half-width to reach, 0.01 for 1 % */
	double z;      /* the normal's quantile, kept for a quick no */
};

/* 0 < alpha < 1, target ≥ 0. */
struct precision precision_rule(double alpha, double target);

/* Whether critical_precision · se ≤ target · |estimate|. Well under a microsecond while the interval is
 * clearly too long. False when anything is NaN, or when the estimate is 0 and se is not. */
bool precision_reached(const struct precision *rule, double estimate, double se, double runs, double df);

#endif
