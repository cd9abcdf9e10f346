/* A better place in the scheduler's queue while measuring, where the system allows it (root, or a limit on nice).
 *
 * Not to take time from others, but for the hand-over: a process that wakes up beside busy neighbours waits until one
 * of them has used its slice, several milliseconds, before an iteration of one. Children inherit it. */
#ifndef TARE_HOST_PRIORITY_H
#define TARE_HOST_PRIORITY_H

#include "host/host.h"

#include <stdbool.h>

struct priority {
	bool raised;
	int before; /* nice value */
};

/* Of this process; what is not allowed is left as it is. */
void priority_raise(const struct host *host, struct priority *priority);
void priority_restore(const struct host *host, struct priority *priority);

#endif
