/* The spawner itself: the small process that tare forks first. It forks a lane for each command that
 * is to run at the same time as others, and outlives them: what a killed lane leaves behind
 * becomes its child and is killed. */
#ifndef TARE_HOST_SPAWNER_PROCESS_H
#define TARE_HOST_SPAWNER_PROCESS_H

#include "host/host.h"

/* Serves until `socket` closes or says so, then ends all lanes. To be called in a process of its own,
 * with all signals blocked and `mask` what they were before; the process ends when it returns. */
void spawner_process_serve(const struct host *host, int socket, const sigset_t *mask);

#endif
