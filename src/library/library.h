/* What the files of libtare share. */
#ifndef TARE_LIBRARY_LIBRARY_H
#define TARE_LIBRARY_LIBRARY_H

#include "base/random.h"
#include "decide/readings.h"
#include "decide/phases.h"
#include "decide/work_fit.h"
#include "design/work.h"
#include "host/clock.h"
#include "tare/tare.h"

#include <stdbool.h>

enum tare_status library_status(enum stats_status status);
bool library_level(double level); /* in (0, 1) */

/* Numbers that grow. */
struct library_list {
	double *values;
	size_t n, capacity;
};

struct library_index {
	char *name, *unit; /* ours */
	struct performance_index pi;
	struct readings_rule rule;
	struct library_list readings; /* one a round */
	struct phase *phases;         /* one a round, of unit readings */
	struct round_phase *own;      /* the same as each round's own search found them */
	size_t phase_capacity;
	struct readings look; /* the last one */
	/* the round that is going on */
	bool given;
	double reading;
	struct library_list units;
};

struct tare_round {
	struct tare_session *session;
	double work, seconds; /* NaN: timed */
	int64_t began;
	bool wants_units;
};

struct tare_session {
	struct host host;
	struct experiment experiment; /* preset, limits, phases */
	struct library_index *indices;
	size_t index_count;
	double budget;      /* seconds; 0: the preset's */
	size_t most_rounds; /* 0: any number */
	bool has_work, looked;
	double shortest;
	struct work_session work;
	struct work_goal goal;
	struct work_fit fit;
	struct tare_round round;
	bool in_round;
	size_t rounds, next_look;
	int64_t started;     /* 0: not yet */
	double last_seconds; /* of the last round, all of it */
	double next_work;    /* NaN: to be chosen */
};

/* session.c */
/* Runs one round of a workload; *seconds gets how long it took. Unit readings are wanted or not; the round is kept or
 * not. */
enum tare_status library_round(struct tare_session *session, tare_workload workload, void *context, bool wants_units,
                               bool keep, double work, double *seconds);

#endif
