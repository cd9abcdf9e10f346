/* A lane: the process that starts commands, one at a time, and watches over each until nothing
 * of it is left. Commands that run at once have a lane each. */
#ifndef TARE_HOST_LANE_H
#define TARE_HOST_LANE_H

#include "host/meeting.h"

/* What a lane gets from the spawner that forks it. */
struct lane_start {
	const struct host *host;
	struct meeting *meeting;
	unsigned index;
	int socket;       /* to tare */
	int inherited[3]; /* the standard files that tare was started with */
	sigset_t mask;    /* of signals, as tare was started with */
	pid_t spawner;
};

/* Serves requests until the socket closes or the spawner ends; then kills what runs. To be called in
 * a process of its own, with all signals blocked; the process ends when it returns. */
void lane_serve(const struct lane_start *start);

#endif
