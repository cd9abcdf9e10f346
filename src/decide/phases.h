/* The phases of one run's unit readings: set-up, warm-up, stable, cool-down. */
#ifndef TARE_DECIDE_PHASES_H
#define TARE_DECIDE_PHASES_H

#include "model/experiment.h"

#include <stdbool.h>

/* Fewer unit readings than this are one phase. */
enum { PHASES_LEAST = 20 };

/* The stable phase of x[0 … n). PHASES_NONE: all of it. No phase that dominates: from = to = 0. A value that is not
 * finite takes part in no phase search: then all is stable. False when out of memory. */
bool phases_find(const double *x, size_t n, enum phases_rule rule, struct phase *out);

/* The same of a round of a session, with its set-up apart: readings at the start that show less than a twentieth of the
 * usual speed, by which direction is better. PHASES_NONE: there is none. */
bool phases_of_round(const double *x, size_t n, enum phases_rule rule, enum better better, struct phase *out);

/* What a round's own search found, and how many unit readings the round had. */
struct round_phase {
	struct phase phase;
	size_t n;
};

/* The stable phase of the last of `count` rounds of one session, in the light of those before it: one round alone says
 * only roughly where a slow approach ends. Its warm-up, and apart from that its cool-down, is the median of its own and
 * of the earlier ones that are within a twentieth of the round of it, where most of them are. A round without a stable
 * phase keeps none. */
struct phase phases_join(const struct round_phase *rounds, size_t count);

/* The mean of x[from … to) by its kind; NaN when there is none: an empty phase, or a value that the kind does not
 * allow. */
double phases_mean(const double *x, const struct phase *phase, enum mean_kind mean);

enum phases_rule phases_rule_by_name(const char *name); /* PHASES_AUTO where there is no such name */

#endif
