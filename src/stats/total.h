/* total: the ratio of all the time that two programs took, over pairs of runs; and whether typical disagrees. */
#ifndef TARE_STATS_TOTAL_H
#define TARE_STATS_TOTAL_H

#include "stats/duet.h"
#include "stats/fieller.h"

#include <stdbool.h>

/* Of which means a total is the ratio. */
enum total_kind {
	TOTAL_ARITHMETIC, /* what a bill sees */
	TOTAL_HARMONIC, /* rates of a fixed amount of work: the pairs are reciprocals that change places, 1/new and 1/base */
	TOTAL_GEOMETRIC, /* the mean of log ratios */
};

/* What the interval of a total needs, for any way of measuring. */
struct total {
	bool by_logs; /* pairs of runs on two CPU sides, and geometric means: duet is used, otherwise means */
	struct fieller means;
	struct duet duet;
	double runs, df; /* for the critical value */
	double lag1;     /* autocorrelation of neighbouring pairs; NaN: not known, or no pairs */
	double widening; /* factor on the variances, which is in them already; 1 without pairs */
	double least_sd; /* of the values, the smaller of both sides: a clock with larger steps hides them */
};

/* Over pairs of runs; a zeroed struct is empty. */
struct total_sum {
	struct comoment pairs;              /* base, new */
	struct comoment plus, minus;        /* the same by CPU side, where it is known */
	struct running log_plus, log_minus; /* ln(new/base) by side */
	struct running logs;                /* of all pairs that are positive */
	size_t sided;                       /* pairs that have a side */
	double last[2];                     /* of the last pair; relative to the first, like the products */
	double next_products[2][2];         /* Σ x_i·y_{i+1}, x and y each base or new */
};

/* One pair of runs: a value of each, or the means of their iterations. Its side is 1, −1, or 0 for none. */
void total_add(struct total_sum *sum, double base, double new_, int side);

/* With a side for every pair: `logs` by the mean log ratio of the sides (pairs of runs with many iterations), else by
 * the means within the sides. STATS_EMPTY; STATS_TOO_FEW below two pairs (three, with both sides, in a duet);
 * STATS_NOT_FINITE when a side's mean ratio has no logarithm; STATS_NOT_DEFINED when a mean is negative. Without sides
 * by the mean log ratio of all pairs where the kind is geometric; STATS_NOT_POSITIVE where one has none. */
enum stats_status total_of(const struct total_sum *sum, bool logs, enum total_kind kind, struct total *out);

/* Unpaired: independent runs, at least two each; of the geometric kind the sums are of their logarithms. */
enum stats_status total_unpaired(const struct running *base, const struct running *new_, enum total_kind kind,
                                 struct total *out);

/* As fieller_interval. */
enum stats_status total_interval(const struct total *total, double c, double *ratio, struct interval *out);

/* The t statistic of "the total ratio is theta" (theta > 0). */
double total_t(const struct total *total, double theta);

/* The c above which total_interval has no bound. */
double total_bound(const struct total *total);

/* The factor on the variance of a mean of n pairs with this lag-1 autocorrelation. */
double total_widening(double lag1, double n);

/* By how much total and typical disagree, W = ln(Σ new/Σ base) − mean typical, and its t statistic, from the means of
 * base and new and the typical log ratio of each unit; both NaN when there are fewer than two units or no positive
 * means. */
void total_disagreement(const struct comoment *units, double *w, double *t);

#endif
