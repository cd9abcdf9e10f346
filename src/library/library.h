/* What the files of libtare share. */
#ifndef TARE_LIBRARY_LIBRARY_H
#define TARE_LIBRARY_LIBRARY_H

#include "host/clock.h"
#include "session/state.h"
#include "tare/tare.h"

#include <stdbool.h>

enum tare_status library_status(enum stats_status status);
bool library_level(double level); /* in (0, 1) */

struct tare_round {
	struct tare_session *session;
	double work, seconds; /* NaN: timed */
	int64_t began;
	bool wants_units;
};

/* A session of src/session with one question, whose instrument is the caller's workload. */
struct tare_session {
	struct host host;
	struct experiment experiment; /* preset, limits, phases, indices */
	double budget;                /* seconds; 0: the preset's */
	struct session measuring;     /* open from the first round on */
	struct result result;         /* of it: wall, an index each, unit readings' phases, work */
	bool begun;
	struct sample sample; /* values of the round */
	bool *given;          /* by index: the round that is going on has a reading */
	struct pi_numbers *units;
	struct tare_round round;
	bool in_round;
	double next_work; /* NaN: to be chosen */
	tare_workload workload;
	void *context;
	enum tare_status failed; /* why the last round failed */
};

/* session.c */
struct question *library_question(const struct tare_session *session); /* the one, once the session has begun */
bool library_has_looked(const struct tare_session *session);
/* Runs one round of a workload; *seconds gets how long it took. Unit readings are wanted or not; the round is kept or
 * not. */
enum tare_status library_round(struct tare_session *session, tare_workload workload, void *context, bool wants_units,
                               bool keep, double work, double *seconds);
/* As if no round had been begun. */
void library_close(struct tare_session *session);

#endif
