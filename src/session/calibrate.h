/* Calibration: each program against itself in every design that fits, for a given time. */
#ifndef TARE_SESSION_CALIBRATE_H
#define TARE_SESSION_CALIBRATE_H

#include "model/calibration.h"
#include "session/session.h"

struct calibrate_program {
	const char *name;
	const char *command;                 /* the user's, or NULL for one of tare's own */
	const struct experiment *experiment; /* two subjects of the same command */
};

/* Measures for about `seconds` (INFINITY: no limit), and with `pairs` no more than so many of every program in every
 * design; fills out->programs, cpus, best and elapsed (`out` initialised by the caller). The designs take turns in
 * slices, so that what changes on the machine meanwhile meets all of them; one that there was no time for is left out
 * and says so. -1: as session_run; what was measured until then is in `out`. */
int session_calibrate(const struct calibrate_program *programs, size_t count, double seconds, size_t pairs,
                      struct spawner *spawner, int cancel, const struct session_observer *observer,
                      struct calibration *out, struct error *err);

#endif
