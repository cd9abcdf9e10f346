/* The scheduler's account of a whole process, with the threads that have ended: what /proc does not have.
 *
 * The kernel gives it over a generic netlink socket, to root (CAP_NET_ADMIN) only, and for a process of several threads
 * only: the account of a process that never had a second thread is empty. */
#ifndef TARE_HOST_TASKSTATS_H
#define TARE_HOST_TASKSTATS_H

#include "host/proc.h"

struct taskstats_link {
	int socket;
	uint16_t family;
	bool usable; /* false: no such account here; a zeroed link is not usable */
};

/* Opens the socket and asks for the family; leaves the link unusable where that fails. */
void taskstats_open(const struct host *host, struct taskstats_link *out);
/* The account of a process that has ended and is not reaped yet. -1 with errno; without permission the link becomes
 * unusable. */
int taskstats_process(const struct host *host, struct taskstats_link *link, pid_t pid, struct proc_schedstat *out);

#endif
