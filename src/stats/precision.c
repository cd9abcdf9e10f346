/* The precision stop: c·se ≤ target·|estimate| with c = t_{1−α/2,ν}·√(1 + 5/R) (stats/critical.h), checked
 * after every run from the least number of runs on; the same c makes the reported interval.
 *
 * A t quantile costs more than a microsecond. The first two terms of its expansion in 1/ν (Fisher and
 * Cornish 1960),
 *
 *	t ≥ z + (z³ + z)/(4ν)
 *
 * lie below it, so that most checks end with "no" without it. */
#include "stats/precision.h"

#include "stats/critical.h"
#include "stats/distribution.h"

#include <math.h>

struct precision precision_rule(double alpha, double target)
{
	return (struct precision){alpha, target, -normal_quantile(alpha / 2)};
}

bool precision_reached(const struct precision *rule, double estimate, double se, double runs, double df)
{
	double z = rule->z, allowed = rule->target * fabs(estimate);
	double least_c = (z + (z * z * z + z) / (4 * df)) * sqrt(1 + 5 / runs);
	if (!(least_c * se <= allowed))
		return false;
	return critical_precision(rule->alpha, runs, df) * se <= allowed;
}
