/* Order inside rounds: who goes first, who second.
 *
 * A round measures every subject once. Rounds come in groups of two: a random order
 * of the subjects, then the same order backwards. With two subjects that is a coin
 * between ABBA and BAAB; with more, every two subjects stand in both orders equally
 * often and equally far apart. A fixed or strictly alternating order is never used:
 * a disturbance with the same period would look like a difference (docs/methods.md, "Which design, in which order"). */
#ifndef TARE_DESIGN_SCHEDULE_H
#define TARE_DESIGN_SCHEDULE_H

#include "base/error.h"
#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

struct schedule {
	size_t subjects;
	size_t *order; /* of the current round */
	bool backwards_next;
	uint64_t seed;
	struct random random;
};

int schedule_init(struct schedule *schedule, size_t subjects, uint64_t seed, struct error *err);
void schedule_release(struct schedule *schedule);

/* From the beginning, with the orders that the seed gives: those of kept rounds are then the same however many trial
 * rounds came before. */
void schedule_restart(struct schedule *schedule);

/* The order of the next round: `subjects` indices, valid until the next call. */
const size_t *schedule_next(struct schedule *schedule);

/* The orders of the next `rounds` rounds, `subjects` indices each, without going on to them. */
void schedule_ahead(const struct schedule *schedule, size_t rounds, size_t *orders);

/* Whether `first` comes before `second` in the current round. */
bool schedule_before(const struct schedule *schedule, size_t first, size_t second);

#endif
