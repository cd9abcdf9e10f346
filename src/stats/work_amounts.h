/* Which work amount to run next, as pure functions (Pilot's rules, where units of work are whole). */
#ifndef TARE_STATS_WORK_AMOUNTS_H
#define TARE_STATS_WORK_AMOUNTS_H

#include "stats/status.h"

#include <stdbool.h>

/* A round was too short: twice its work, 1 after one without any; at most `limit`. */
double work_doubled(double work, double limit);

struct work_plan {
	size_t rounds;       /* at most as many as asked for */
	double step_seconds; /* each round is that much longer than the one before; > 0 */
};

/* Rounds that fit into `session` seconds when the first takes `first` seconds. STATS_NOT_DEFINED when not even two
 * growing rounds fit, STATS_BAD_ARGUMENT unless both times are above 0 and rounds ≥ 2. */
enum stats_status work_plan(double session, double first, size_t rounds, struct work_plan *out);

/* Work that should bring the readings that are still missing, with 20 % to spare: at most five times the mean work
 * of the `rounds` so far, at most `limit`; where amounts are `whole`, rounded down and at least 1. 1 for the first
 * round. 0 when none is missing. */
double work_for_readings(double required, double readings, double work_done, size_t rounds, double limit, bool whole);

#endif
