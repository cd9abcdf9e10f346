/* What the machine is: for the record that goes into every result. */
#ifndef TARE_HOST_INFO_H
#define TARE_HOST_INFO_H

#include "host/host.h"

enum { INFO_TEXT = 128 };

struct host_description {
	char cpu[INFO_TEXT];                              /* model; all texts "" where not known */
	char os[INFO_TEXT];                               /* "Debian GNU/Linux 12 (bookworm)" */
	char kernel[INFO_TEXT];                           /* "Linux 6.1.0-18-amd64" */
	char virtual_[INFO_TEXT];                         /* "kvm", "docker", "kvm, docker"; "none" where none was seen */
	char hypervisor[INFO_TEXT], container[INFO_TEXT]; /* the parts of it, or "" */
	char governor[INFO_TEXT];                         /* of CPU 0, or "" */
	char id[INFO_TEXT];                               /* of the machine: hash of /etc/machine-id and its name */
	char node[INFO_TEXT];                             /* TARE_NODE: its name as whoever started tare gives it, or "" */
	long cpus;                                        /* online; 0: not known */
};
void info_describe(const struct host *host, struct host_description *out);

/* Bytes of memory, control groups considered; -1: not known. */
struct host_memory {
	int64_t total, available;
};
void info_memory(const struct host *host, struct host_memory *out);

/* The first number of /proc/loadavg: processes that run or want to, over a minute; NaN: not known. */
double info_load(const struct host *host);

/* Threads that run or wait for a CPU now, the caller among them; 0: not known. */
long info_runnable(const struct host *host);

/* Time that all CPUs have spent since boot, in clock ticks. */
struct cpu_times {
	int64_t total, idle, steal;
};
int info_cpu_times(const struct host *host, struct cpu_times *out); /* -1: not known */

/* The share of the time between two readings that the hypervisor gave to others; of the time
 * since boot when `before` is NULL. NaN when there is no time between them. */
double info_steal(const struct cpu_times *before, const struct cpu_times *after);

#endif
