/* How often to repeat at which level: best counts below the top, and the top's for a precision. */
#ifndef TARE_STATS_COUNTS_H
#define TARE_STATS_COUNTS_H

#include "stats/critical.h"
#include "stats/status.h"

/* One level, as a first experiment (pilot) has shown it. Arrays of these are outermost first. */
struct count_level {
	double t2;    /* variance that the level adds (variance_level.t2); below 0 counts as 0 */
	double s2;    /* variance of its members' means (variance_level.s2); 0 or NaN: t2 is taken as it is */
	double cost;  /* seconds for one more member, without its own members; above 0 */
	double pilot; /* members per parent in the pilot; 0 or NaN: no limit is put on the count */
};

/* counts[k] = members of level k in each of its parents, for k = 1 … depth − 1; counts[0], the
 * outermost, is not written: it follows from the precision. unrounded (may be NULL) gets the
 * same before rounding up and limiting. STATS_BAD_ARGUMENT for depth 0, a cost that is not
 * positive or a NaN variance; STATS_UNBOUNDED when a level above adds nothing and nothing limits
 * the count. Outputs are written only on STATS_OK. */
enum stats_status counts_best(const struct count_level *levels, unsigned depth, size_t *counts, double *unrounded);

/* Variance of one outermost member's mean under these counts: Σ_k T_k²/Π_{1≤j≤k} counts[j]. */
double counts_top_variance(const struct count_level *levels, unsigned depth, const size_t *counts);

/* Seconds that one outermost member takes under these counts. */
double counts_top_cost(const struct count_level *levels, unsigned depth, const size_t *counts);

/* The fewest outermost members (at least 2) whose interval c·√(relative_variance/R) is at most
 * half_width (a fraction of the mean), c by `rule` at two-sided alpha with R − 1 degrees of
 * freedom. relative_variance = counts_top_variance()/mean². STATS_BAD_ARGUMENT, or
 * STATS_UNBOUNDED when more than 10⁹ are needed. */
enum stats_status counts_for_mean(double relative_variance, double half_width, double alpha, enum critical_rule rule,
                                  size_t *runs);

/* The same for the ratio of two systems with R members each; half_width is a fraction of the ratio. */
enum stats_status counts_for_ratio(double base_variance, double new_variance, double half_width, double alpha,
                                   enum critical_rule rule, size_t *runs);

#endif
