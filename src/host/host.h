/* The machine as every function of this layer sees it: its system calls and where its
 * /proc and /sys are. A test gives other ones. */
#ifndef TARE_HOST_HOST_H
#define TARE_HOST_HOST_H

#include "host/syscalls.h"

#include <stdbool.h>
#include <stdint.h>

struct host {
	const struct syscalls *sys;
	const char *root; /* put in front of "/proc/…", "/sys/…", "/etc/…"; "" for the real machine */
	/* /proc is that of another PID namespace (unshare --pid without --mount-proc): /proc/PID there is some other process
	 * than the one that has this id here. */
	bool other_pids;
};

/* The machine with this root, as its /proc/self tells it. */
struct host host_at(const struct syscalls *sys, const char *root);

/* The real machine. */
struct host host_real(void);

#endif
