/* Dimensioning of experiments with levels (Kalibera and Jones 2013, sections 9.3 and 10.2).
 *
 * Best counts below the top, levels 1 (lowest) … n, c_i the cost that level i adds:
 *	r_i = ⌈√(c_{i+1}/c_i · T_i²/T_{i+1}²)⌉,  i < n   (eq. 3)
 * They minimise the variance of the mean for a given time, whatever the count at the top.
 *
 * From a pilot T_{i+1}² may come out near 0 by chance and the count absurdly large. So
 * T_{i+1}² := max(T_{i+1}², 0.1·S_{i+1}²), and no count exceeds ten times the pilot's. (10 runs
 * of 10 iterations as pilot: 0 to 11 % above the optimal cost; 3 runs: up to 44 %.)
 *
 * Top: the fewest R with c(R)·√(V/R) ≤ half-width, V the variance of one member's mean
 *	V = T_n² + T_{n−1}²/r_{n−1} + T_{n−2}²/(r_{n−1} r_{n−2}) + …
 * Ratio: with e, e′ the relative half-widths of the two systems
 *	√(e² + e′² − e²e′²)/(1 − e²), about √(e² + e′²) below 10 %   (eq. 6 and the line above it)
 *
 * A plan is as good as the pilot's variances; the experiment itself must compute its interval
 * from its own data. */
#include "stats/counts.h"

#include <math.h>

static const double floor_share = 0.1; /* of S² */
static const double most_growth = 10;  /* of the pilot's count */
static const double most_runs = 1e9;

static double added_variance(const struct count_level *level)
{
	return fmax(level->t2, 0);
}

static double divisor_variance(const struct count_level *level)
{
	double t2 = added_variance(level);
	return level->s2 > 0 ? fmax(t2, floor_share * level->s2) : t2;
}

/* Members of `level` in each `parent` before rounding; INFINITY when the parent adds nothing. */
static double best_count(const struct count_level *parent, const struct count_level *level)
{
	double t2 = added_variance(level), above = divisor_variance(parent);
	if (t2 == 0)
		return 0; /* repeating gains nothing; rounded up to 1 below */
	return above > 0 ? sqrt(parent->cost / level->cost * (t2 / above)) : INFINITY;
}

static double rounded_count(double count, double pilot)
{
	count = ceil(count * (1 - 1e-12)); /* 2.0000000000000004 is 2 */
	if (pilot > 0)
		count = fmin(count, ceil(most_growth * pilot));
	return fmax(count, 1);
}

enum stats_status counts_best(const struct count_level *levels, unsigned depth, size_t *counts, double *unrounded)
{
	if (depth == 0)
		return STATS_BAD_ARGUMENT;
	for (unsigned k = 0; k < depth; k++)
		if (isnan(levels[k].t2) || isinf(levels[k].t2) || !(levels[k].cost > 0) || isinf(levels[k].cost))
			return STATS_BAD_ARGUMENT;
	for (unsigned k = 1; k < depth; k++)
		if (!(rounded_count(best_count(&levels[k - 1], &levels[k]), levels[k].pilot) <= most_runs))
			return STATS_UNBOUNDED;
	for (unsigned k = 1; k < depth; k++) {
		double count = best_count(&levels[k - 1], &levels[k]);
		counts[k] = (size_t)rounded_count(count, levels[k].pilot);
		if (unrounded)
			unrounded[k] = count;
	}
	return STATS_OK;
}

double counts_top_variance(const struct count_level *levels, unsigned depth, const size_t *counts)
{
	double variance = 0, members = 1;
	for (unsigned k = 0; k < depth; k++) {
		members *= k > 0 ? (double)counts[k] : 1;
		variance += added_variance(&levels[k]) / members;
	}
	return variance;
}

double counts_top_cost(const struct count_level *levels, unsigned depth, const size_t *counts)
{
	double cost = 0, members = 1;
	for (unsigned k = 0; k < depth; k++) {
		members *= k > 0 ? (double)counts[k] : 1;
		cost += levels[k].cost * members;
	}
	return cost;
}

struct counts_wish {
	double base_variance, new_variance; /* relative; new_variance < 0: one system */
	double half_width, alpha;
	enum critical_rule rule;
};

static int is_met(const struct counts_wish *wish, double runs)
{
	double c = critical_value(wish->rule, wish->alpha, runs, runs - 1);
	double e2 = c * c * wish->base_variance / runs, f2 = c * c * wish->new_variance / runs;
	if (wish->base_variance == 0)
		e2 = 0; /* 0 · ∞ */
	if (wish->new_variance == 0)
		f2 = 0;
	if (wish->new_variance < 0)
		return sqrt(e2) <= wish->half_width;
	return e2 < 1 && sqrt(e2 + f2 - e2 * f2) <= wish->half_width * (1 - e2);
}

/* The bound shrinks as runs grow: double until it is met, then halve the span. */
static enum stats_status fewest_runs(const struct counts_wish *wish, size_t *runs)
{
	if (!(wish->half_width > 0) || !(wish->alpha > 0 && wish->alpha < 1) || !(wish->base_variance >= 0) ||
	    isnan(wish->new_variance) || isinf(wish->base_variance) || isinf(wish->new_variance))
		return STATS_BAD_ARGUMENT;
	double low = 1, high = 2;
	while (!is_met(wish, high)) {
		low = high;
		high *= 2;
		if (high > most_runs)
			return STATS_UNBOUNDED;
	}
	while (high - low > 1) {
		double middle = floor((low + high) / 2);
		if (is_met(wish, middle))
			high = middle;
		else
			low = middle;
	}
	*runs = (size_t)high;
	return STATS_OK;
}

enum stats_status counts_for_mean(double relative_variance, double half_width, double alpha, enum critical_rule rule,
                                  size_t *runs)
{
	struct counts_wish wish = {relative_variance, -1, half_width, alpha, rule};
	return fewest_runs(&wish, runs);
}

enum stats_status counts_for_ratio(double base_variance, double new_variance, double half_width, double alpha,
                                   enum critical_rule rule, size_t *runs)
{
	if (!(new_variance >= 0))
		return STATS_BAD_ARGUMENT;
	struct counts_wish wish = {base_variance, new_variance, half_width, alpha, rule};
	return fewest_runs(&wish, runs);
}
