/* The spawner itself: the small process that tare forks first. It forks a lane for each command that
 * is to run at the same time as others, and outlives them: what a killed lane leaves behind
 * becomes its child and is killed. */
#ifndef TARE_HOST_SPAWNER_PROCESS_H
#define TARE_HOST_SPAWNER_PROCESS_H

#include "host/host.h"

/* Why it ended, as its exit status. */
#define SPAWNER_ENDS(X) \
	X(SPAWNER_QUIT, "it was told to end") \
	X(SPAWNER_TERMINATED, "it got SIGTERM") \
	X(SPAWNER_NO_SET_UP, "it could not set itself up") \
	X(SPAWNER_NO_WAITING, "it could not wait for its work") \
	X(SPAWNER_NO_ANSWER, "it could not take a request or answer it")

enum spawner_end {
#define X(end, words) end,
	SPAWNER_ENDS(X)
#undef X
};

/* Serves until `socket` closes or says so, then ends all lanes. To be called in a process of its own,
 * with all signals blocked and `mask` what they were before; the process ends when it returns. */
enum spawner_end spawner_process_serve(const struct host *host, int socket, const sigset_t *mask);

#endif
