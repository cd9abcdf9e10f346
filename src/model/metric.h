/* The metrics that tare measures itself: one list for what they are called, their units and their steps. A program's
 * own numbers are struct metric (model/result.h) of other names. */
#ifndef TARE_MODEL_METRIC_H
#define TARE_MODEL_METRIC_H

#include "model/result.h"

/* id, name, unit, its size in the raw number, smallest step in that number. Those of every command come first, in the
 * order of its values; the first four are also those of an iteration. */
#define METRICS(X) \
	X(METRIC_WALL, "wall", "s", 1e-9, 1) \
	X(METRIC_CPU, "cpu", "s", 1e-9, 2000) \
	X(METRIC_NET, "net", "s", 1e-9, 1) \
	X(METRIC_DELAY, "delay", "s", 1e-9, 1) \
	X(METRIC_USER, "user", "s", 1e-9, 4000000) \
	X(METRIC_SYSTEM, "system", "s", 1e-9, 4000000) \
	X(METRIC_RSS, "rss", "bytes", 1, 4096) \
	X(METRIC_FAULTS, "faults", "", 1, 1) \
	X(METRIC_SWITCHES, "switches", "", 1, 1) \
	X(METRIC_MIGRATIONS, "migrations", "", 1, 1) \
	X(METRIC_BLOCKS_IN, "blocks-in", "bytes", 1, 512) \
	X(METRIC_BLOCKS_OUT, "blocks-out", "bytes", 1, 512) \
	X(METRIC_MAJOR_FAULTS, "major-faults", "", 1, 1) \
	X(METRIC_PREEMPTIONS, "preemptions", "", 1, 1) \
	X(METRIC_ENERGY, "energy", "J", 1e-6, 61)

enum metric_id {
#define X(id, name, unit, scale, step) id,
	METRICS(X)
#undef X
		METRIC_COUNT,
	METRICS_OF_COMMANDS = METRIC_BLOCKS_OUT + 1,
	METRICS_OF_ITERATIONS = METRIC_DELAY + 1,
};

struct metric metric_of(enum metric_id id); /* name, unit; lower is better */
double metric_scale(enum metric_id id);     /* of the raw number, in its unit */
double metric_step(enum metric_id id);      /* smallest step of its values, in its unit */

/* "cpu-turns" is "cpu" once more: a difference that was found with both at once on one CPU, as measured in turns. */
#define METRIC_IN_TURNS "-turns"

bool metric_is_in_turns(const char *name, const char *at_once); /* whether it is this one's */
bool metric_is_same(const char *a, const char *b);              /* by name, or one is the other's in turns */

#endif
