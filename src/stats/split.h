/* One change of level in a piece of a series: where it fits best, and how likely noise would do as well.
 *
 * What the change-point searches (stats/seeded.h, stats/changepoint.h) share. */
#ifndef TARE_STATS_SPLIT_H
#define TARE_STATS_SPLIT_H

#include "stats/longrun.h"
#include "stats/score.h"
#include "stats/status.h"

#include <stdbool.h>

/* A series and what is known of its noise. */
struct split_model {
	const double *x; /* the caller's */
	size_t n;
	size_t min_segment;       /* least number of values on each side of a split, ≥ 1 */
	struct score_table table; /* distribution of the noise about its levels */
	struct longrun noise;     /* of its scores */
	bool rough; /* sides are taken to vary alike: in short intervals a point of another level is on one of them */
	double *y, *scratch; /* n each: scores of the last split, and room */
};

/* No noise is known yet: call a fit before a split. x must be finite and outlive the model. */
enum stats_status split_model_init(struct split_model *model, const double *x, size_t n, size_t min_segment);
void split_model_release(struct split_model *model);

/* The noise about the medians of the segments between `points` (ascending, inside 1 … n − 1), at least one of
 * which was searched for. */
enum stats_status split_model_fit(struct split_model *model, const size_t *points, size_t count);

/* The noise before any level is known: about running medians; autocorrelation from differences, which levels
 * hardly touch. Good enough to look for candidates. */
enum stats_status split_model_fit_roughly(struct split_model *model);

struct split {
	size_t at;         /* first index of the new level */
	double z;          /* of the change, as a normal deviate ≥ 0 */
	double difference; /* of the mean scores, after − before */
};

/* The best split of [from, to) with at least `least` ≥ 1 values on each side; false when it is too short for that.
 * model->y keeps the scores about the median of the piece in its first to − from places. */
bool split_best(struct split_model *model, size_t from, size_t to, size_t least, struct split *out);

/* The gain of a split of [from, to) after each number t of values in model->y[t], over the variance that the best
 * leaves: what split_best() makes as large as it can, as twice a log likelihood. */
void split_gains(struct split_model *model, size_t from, size_t to);

/* The split of [from, to) at `at`, which need not be the best. */
void split_at(struct split_model *model, size_t from, size_t at, size_t to, struct split *out);

/* Whether a split of a piece of `length` values is worth a closer look: z above 0.85·√(c² + 2 ln(n/length)), c =
 * split_critical() of the series. */
bool split_is_candidate(const struct split_model *model, double z, size_t length, double critical);

/* Family-wise p value of a split of [from, to) at `at`: the chance that noise alone shows a z as large at any place
 * of the series. `from` > 0 and `to` < n are change points themselves. */
double split_p_value(const struct split_model *model, double z, size_t from, size_t at, size_t to);

/* The z whose p value in the whole series is `alpha` (0 < alpha < 0.5). */
double split_critical(size_t n, size_t min_segment, double alpha);

#endif
