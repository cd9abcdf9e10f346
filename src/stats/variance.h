/* How much each level contributes to the variance of a value: builds, runs, iterations. */
#ifndef TARE_STATS_VARIANCE_H
#define TARE_STATS_VARIANCE_H

#include "stats/nested.h"

struct variance_level {
	double count;    /* members per parent; their mean where unbalanced */
	double harmonic; /* the same, harmonic mean over the parents */
	double uneven;   /* mean of 1/count² over the parents, times harmonic²; 1 where balanced */
	double df;       /* members − parents; 0: nothing to compare at this level */
	double s2;       /* S²: pooled variance of the members' means around their parent's; NaN when df is 0 */
	double t2;       /* T²: what this level adds by itself, unbiased, may be negative; NaN when df is 0,
	                 its variance is then part of the level above */
	double kept;     /* T² after levels with T² ≤ 0 were dropped, innermost first, and the rest
	                 estimated again; 0 when dropped, NaN when df is 0 */
};

struct variance_components {
	unsigned depth;
	bool balanced;
	struct variance_level level[NESTED_MAX_DEPTH]; /* outermost first, the values last */
};

/* Statuses of nested_check(), STATS_TOO_FEW for a single value, STATS_NO_MEMORY, STATS_NOT_DEFINED
 * when squares overflow. */
enum stats_status variance_components(const struct nested *data, struct variance_components *out);

/* Interval at `confidence` (0.95) of the standard deviation √T² of level k (0 = outermost), raw,
 * not after dropping. Both ends are at least 0. The data must be nearly normal at that level: with
 * heavy tails the interval is too short. Unbalanced data: by unweighted means, approximate above the
 * lowest level. STATS_TOO_FEW when df is 0 at a level it needs, STATS_BAD_ARGUMENT. */
enum stats_status variance_sd_interval(const struct variance_components *components, unsigned k, double confidence,
                                       struct interval *out);

/* Limits of a − b for independent mean squares a, b with that many degrees of freedom; `tail` on each side (Ting et al.
 * 1990). The lower one may be below 0. */
struct interval variance_difference_limits(double a, double df_a, double b, double df_b, double tail);

#endif
