/* A criterion of Laaber et al. (2020) followed from iteration to iteration, or from run to run.
 *
 * Each check costs little, however much was seen before: what earlier data have shown is kept. Members are what a check
 * follows: iterations while warming up (each added as one iteration), runs afterwards (with their iterations). */
#ifndef TARE_STATS_STABILITY_H
#define TARE_STATS_STABILITY_H

#include "stats/nested.h"
#include "stats/stop_rules.h"

#include <stdint.h>

struct stability; /* owned by who made it */

/* `direct`: every value is computed from all data, the slow way, to hold the other against. NULL: no memory. */
struct stability *stability_new(enum stop_criterion criterion, uint64_t seed, bool direct);
void stability_free(struct stability *stability);  /* NULL is fine */
void stability_clear(struct stability *stability); /* as new, with the same seed */

/* One member more: `iterations` of them, iteration i is values[starts[i]] … values[starts[i + 1] − 1], none empty,
 * starts[0] = 0; copied. Then the criterion's value after it is known: NaN where it is not defined (one value, a mean
 * that is not positive, …). STATS_OK; STATS_EMPTY or STATS_NOT_FINITE: nothing was added; STATS_NO_MEMORY: clear or
 * free it. */
enum stats_status stability_add(struct stability *stability, const double *values, const uint32_t *starts,
                                size_t iterations);

size_t stability_count(const struct stability *stability); /* members */
double stability_value(const struct stability *stability); /* after the last member; NaN */

/* What to ask of the values. */
struct stability_rule {
	enum stop_variant variant;
	double threshold;
	size_t window;     /* of warm-up */
	bool between_runs; /* the rule for runs */
};

/* Whether the last member is stable. Where rounding could decide, the values are computed again by the direct way, so
 * that it is never another decision. STATS_OK or STATS_NO_MEMORY. */
enum stats_status stability_holds(struct stability *stability, const struct stability_rule *rule, bool *holds);

#endif
