/* The start together: lanes meet in shared memory, agree on an instant a little ahead, and
 * each starts its command at that instant by the clock.
 *
 * Meetings are numbered by tare, upwards from 1, and one is under way at a time. Everyone waits
 * on descriptors (an eventfd of its own), never on a lock: a lane may be killed at any
 * instruction. The spawner marks a lane as gone when it ends and wakes the others, so that
 * nobody waits for the dead. Waking is only a hint to look again, which may get lost:
 * whoever waits also looks from time to time. */
#ifndef TARE_HOST_MEETING_H
#define TARE_HOST_MEETING_H

#include "host/command.h"

#include <stdbool.h>

/* Lives in memory that all processes share. */
struct meeting_board {
	uint32_t magic, version, size, unused;
	uint32_t claimed; /* meeting whose instant somebody is about to set */
	uint32_t agreed;  /* meeting whose instant is set */
	int64_t instant;
	struct {
		uint32_t alive;   /* 1 from before the lane starts until after it has ended */
		uint32_t arrived; /* latest meeting that it has come to */
		uint32_t failed;  /* latest meeting that it cannot come to */
		uint32_t ended;   /* latest meeting whose command has ended there */
	} lanes[LANES_MAX];
};

struct meeting {
	struct meeting_board *board;
	int wake[LANES_MAX]; /* eventfd of each lane; readable: look again */
};

/* Makes board and descriptors, to be inherited by fork; 0, or -1 with errno. */
int meeting_init(const struct host *host, struct meeting *meeting);
void meeting_release(const struct host *host, struct meeting *meeting); /* also of a zeroed one */

/* For the spawner: a lane begins, or has ended. */
void meeting_set_alive(const struct host *host, struct meeting *meeting, unsigned lane, bool alive);

/* For a lane: says that it is there, cannot come, or that its command has ended, and wakes the
 * other participants; or says the last without waking them, since their commands may still run. */
void meeting_arrive(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                    uint32_t participants);
void meeting_fail(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                  uint32_t participants);
void meeting_end(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                 uint32_t participants);

void meeting_mark_ended(struct meeting *meeting, unsigned lane, uint32_t number);

/* Those who wait look again. */
void meeting_wake(const struct host *host, const struct meeting *meeting, uint32_t participants, unsigned except);

enum meeting_state {
	MEETING_WAIT,  /* somebody is still missing: wait until woken */
	MEETING_READY, /* *instant is set */
	MEETING_LOST,  /* somebody will never come */
};
enum meeting_state meeting_look(const struct host *host, struct meeting *meeting, unsigned lane, uint32_t number,
                                uint32_t participants, int64_t *instant);

/* Whether every participant's command has ended, or never will. */
bool meeting_all_ended(const struct meeting *meeting, uint32_t number, uint32_t participants);

#endif
