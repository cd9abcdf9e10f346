/* total: the ratio of all the time that two programs took, over units; and whether typical disagrees. */
#ifndef TARE_STATS_TOTAL_H
#define TARE_STATS_TOTAL_H

#include "stats/duet.h"
#include "stats/fieller.h"

#include <stdbool.h>

/* What the interval of a total needs, for any way of measuring. */
struct total {
	bool by_sides; /* duet with two sides: duet is used, otherwise means */
	struct fieller means;
	struct duet duet;
	double runs, df; /* for the critical value */
};

/* Over units; a zeroed struct is empty. */
struct total_sum {
	struct comoment moments; /* base, new, typical of a unit */
	struct running plus, minus;
	size_t sided; /* units that have a side */
};

/* Unit means of base and new, the unit's typical log ratio (0 when there is none), its side or 0. */
void total_add(struct total_sum *sum, double base, double new_, double typical, int side);

/* By sides when every unit has one. STATS_EMPTY; STATS_TOO_FEW below two units (three, with both
 * sides, for a duet); STATS_NOT_FINITE when a side's mean ratio has no logarithm. */
enum stats_status total_of(const struct total_sum *sum, struct total *out);

/* Unpaired: independent runs, at least two each. */
enum stats_status total_unpaired(const struct running *base, const struct running *new_, struct total *out);

/* As fieller_interval. */
enum stats_status total_interval(const struct total *total, double c, double *ratio, struct interval *out);

/* The t statistic of "the total ratio is theta" (theta > 0). */
double total_t(const struct total *total, double theta);

/* The c above which total_interval has no bound. */
double total_bound(const struct total *total);

/* By how much total and typical disagree, W = ln(Σ new/Σ base) − mean typical, and its t statistic;
 * both NaN when there are fewer than two units or no positive means. */
void total_disagreement(const struct total_sum *sum, double *w, double *t);

#endif
