/* One look at what moves: time of the CPUs, pressure, processes, counts of throttling and swapping.
 * Two looks some time apart say what the machine is doing now. */
#ifndef TARE_MACHINE_GLANCE_H
#define TARE_MACHINE_GLANCE_H

#include "base/error.h"
#include "host/cgroup.h"
#include "host/cpuset.h"
#include "host/info.h"
#include "machine/processes.h"

enum pressure { PRESSURE_CPU, PRESSURE_MEMORY, PRESSURE_IO, PRESSURE_COUNT };

struct glance {
	int64_t at; /* ns since boot by the machine's own account, else by the clock */
	bool has_cpu_times;
	struct cpu_times cpu_times;
	int64_t pressure[PRESSURE_COUNT]; /* µs for which some process had to wait, since boot; -1: not known */
	int64_t swapped;                  /* pages in and out, since boot; -1: not known */
	int64_t throttled[CPUSET_MAX];    /* by CPU: times that it had to slow down, since boot; -1: not known */
	struct cgroup_quota quota;
	struct processes processes; /* empty where /proc cannot be listed */
};

/* -1 only for want of memory: what is not there is "not known". */
int glance_take(const struct host *host, const struct cpuset *online, struct glance *out, struct error *err);
void glance_release(struct glance *glance);

/* Seconds between two looks; 0 where no time has passed. */
double glance_seconds(const struct glance *before, const struct glance *after);

/* Times that the CPU that had to slow down most often did so between two looks, or since boot (`before` NULL); -1: not
 * known. */
int64_t glance_throttled(const struct glance *before, const struct glance *after);

/* Threads that run or want to, this one left out; -1: not known. */
int glance_runnable(const struct host *host);

#endif
