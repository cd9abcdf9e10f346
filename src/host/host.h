/* The machine as every function of this layer sees it: its system calls and where its
 * /proc and /sys are. A test gives other ones. */
#ifndef TARE_HOST_HOST_H
#define TARE_HOST_HOST_H

#include "host/syscalls.h"

#include <stdint.h>

struct host {
	const struct syscalls *sys;
	const char *root; /* put in front of "/proc/…", "/sys/…", "/etc/…"; "" for the real machine */
};

/* The real machine. */
static inline struct host host_real(void)
{
	return (struct host){.sys = &syscalls_libc, .root = ""};
}

#endif
