/* Resampling one innermost group with replacement, value by value or by its exact moments.
 *
 * A plan says how the mean of n draws from the n values of one group is made. Small groups
 * are drawn value by value. Of a large group the values that stick out are drawn one by one
 * and the rest, the bulk, is left to three exact cumulants, which a replicate adds up over
 * all its groups and turns into one normal number at the end (resample_finish). */
#ifndef TARE_STATS_RESAMPLE_H
#define TARE_STATS_RESAMPLE_H

#include "base/random.h"
#include "stats/status.h"

#include <stdbool.h>

/* Where the indices come from: a random stream, or a given list (for checks against other programs). */
struct index_source {
	struct random random;
	const uint32_t *given; /* NULL: random */
	size_t given_left;
	bool given_wrong; /* the list ended early, or an index was too large; index 0 was used */
};

static inline size_t index_below(struct index_source *source, size_t below)
{
	if (!source->given)
		return (size_t)random_below(&source->random, below);
	size_t index = source->given_left > 0 ? *source->given : below;
	if (index >= below) {
		source->given_wrong = true;
		return 0;
	}
	source->given++;
	source->given_left--;
	return index;
}

enum { RESAMPLE_MAX_EXTREMES = 64 };

struct resample_plan {
	const double *values;
	size_t n;
	bool by_moments;
	double bulk_mean, bulk_variance, bulk_third; /* central moments of the bulk, divided by its count */
	size_t extremes;                             /* how many values are drawn one by one */
	const double *extreme_values;                /* set by the owner of the pool, see below */
	double no_hit;                               /* probability that none of them is drawn */
};

/* Decides how to draw from values[0 … n − 1], all finite. `tolerance` is the error that the
 * moments may add, in standard deviations of the group's resampled mean; 0: value by value.
 * scratch: n doubles. The extremes are written to extreme_values[0 … RESAMPLE_MAX_EXTREMES − 1];
 * the caller keeps them and points plan->extreme_values there. Values are taken from `centre`. */
void resample_plan(struct resample_plan *plan, const double *values, size_t n, double centre, double tolerance,
                   double *scratch, double *extreme_values);

/* What a replicate adds up: the mean so far, and the cumulants that are still to be drawn. */
struct resample_sum {
	double mean, variance, third;
};

/* Adds weight × (mean of n draws from the group − centre). */
void resample_group(const struct resample_plan *plan, double centre, double weight, struct index_source *source,
                    struct resample_sum *sum);

/* The replicate: the sum with its open cumulants drawn. */
double resample_finish(const struct resample_sum *sum, struct random *random);

#endif
