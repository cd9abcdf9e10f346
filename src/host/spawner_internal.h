/* What the files of the spawner's tare side share. */
#ifndef TARE_HOST_SPAWNER_INTERNAL_H
#define TARE_HOST_SPAWNER_INTERNAL_H

#include "host/spawner.h"
#include "host/wire.h"

struct spawner {
	const struct host *host;
	const struct syscalls *sys;
	pid_t pid;
	int socket;
	struct {
		int socket; /* -1: none */
		pid_t pid;
	} lanes[LANES_MAX];
	bool lane_asked; /* the first lane is under way: its answer is still to be taken */
	bool quitting;
	uint32_t meetings;
	struct wire_count counting; /* what every lane counts */
	struct wire_message message;
	struct buffer strings;
	int64_t late_at; /* 0: nobody wants to know */
	void (*late)(void *context);
	void *late_context;
};

/* Makes sure that a lane exists. */
int spawner_need_lane(struct spawner *spawner, unsigned index, struct error *err);

/* Forgets a lane: the closed socket tells it to end. */
void spawner_drop_lane(struct spawner *spawner, unsigned index);

/* Asks the spawner to kill a lane that does not answer; its socket then closes. */
void spawner_kill_lane(struct spawner *spawner, unsigned index);

#endif
