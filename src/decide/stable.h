/* Laaber et al. (2020) complete: a benchmark is stopped when its result is stable, at two checkpoints.
 *
 * Inside a run every iteration is warm-up until the criteria hold there (or the cap is reached); a fixed number of
 * iterations is measured after that. After a run they are asked again, over the measured iterations of all runs: when
 * they hold there is no other run. With several criteria all must hold. */
#ifndef TARE_DECIDE_STABLE_H
#define TARE_DECIDE_STABLE_H

#include "base/error.h"
#include "stats/stop_rules.h"

#include <stdint.h>

struct stable_options {
	bool uses[CRITERION_COUNT];
	double threshold[CRITERION_COUNT]; /* NaN: the paper's */
	enum stop_variant variant;
	size_t window;     /* iterations that the warm-up rules look at */
	size_t min_warmup; /* iterations; 0: 5, with KLD 6 */
	size_t max_warmup;
	size_t iterations; /* measured in each run */
	size_t min_runs, max_runs;
	size_t warmup_runs; /* whole runs before these, not looked at */
	size_t most_values; /* of an iteration that are looked at */
	uint64_t seed;
	bool direct; /* the slow way, to check */
};

/* As the paper: window 5, warm-up 5 (6) to 50, 10 iterations, 2 to 5 runs, no warm-up runs, 1000 values; no
 * criterion. */
void stable_options_init(struct stable_options *options);

/* "cv", "rciw", "kld" or several joined by '+', each with a threshold of its own after '@' where wanted:
 * "rciw@0.05+kld". ERROR_USAGE for another word, a criterion twice or a threshold that is not a number in (0, 1). */
int stable_options_parse(struct stable_options *options, const char *text, struct error *err);

size_t stable_first_look(const struct stable_options *options); /* iterations, from which the warm-up may end */

struct stable; /* one benchmark */

struct stable *stable_new(const struct stable_options *options); /* NULL: no memory */
void stable_free(struct stable *stable);

/* A new run begins: the warm-up is looked for again. */
void stable_begin_run(struct stable *stable);

/* One iteration more, of n values that occurred counts[i] times each (NULL: once). While warming up *warm says whether
 * the criteria hold now, so that the next iteration is measured; a cap is the caller's matter. An iteration whose
 * values tell nothing (none finite, median not positive) is not looked at. -1: no memory. */
int stable_add_warmup(struct stable *stable, const double *values, const uint64_t *counts, size_t n, bool *warm,
                      struct error *err);
int stable_add_measured(struct stable *stable, const double *values, const uint64_t *counts, size_t n,
                        struct error *err);

/* The run is over; *enough: the criteria hold over all runs. Its measured iterations are then known as a run. */
int stable_end_run(struct stable *stable, bool *enough, struct error *err);

/* The criterion at the last check of warm-up, or between runs; NaN: not defined, or not used. */
double stable_value(const struct stable *stable, enum stop_criterion criterion, bool between_runs);

#endif
