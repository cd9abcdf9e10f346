/* The CPU time that the control groups of this process allow, versions 1 and 2. */
#ifndef TARE_HOST_CGROUP_H
#define TARE_HOST_CGROUP_H

#include "host/host.h"

#include <limits.h>
#include <stddef.h>

/* CPUs' worth of time: 1.5 means 150 ms in every 100 ms. The smallest limit on the way from
 * the group of this process to the root; INFINITY where there is none or none can be read. */
double cgroup_cpu_limit(const struct host *host);

/* The group that sets that limit. */
struct cgroup_quota {
	double limit;           /* as cgroup_cpu_limit() */
	double period;          /* seconds in which the limit holds; 0: no limit */
	int version;            /* 1 or 2; 0: this process is in no group that could be found */
	char file[PATH_MAX];    /* that holds the limit, as the user sees it; "" without a limit */
	int64_t throttled;      /* periods in which the group was stopped, since it began; -1: not known */
	int64_t throttled_time; /* ns for which it was stopped, since it began; -1: not known */
};
void cgroup_cpu_quota(const struct host *host, struct cgroup_quota *out);

/* The CPUs that the groups allow, in the kernel's list format; -1: no cpuset group was found. */
int cgroup_cpu_list(const struct host *host, char *text, size_t size);

/* The memory that the groups allow. */
struct cgroup_memory {
	int64_t limit; /* bytes, the smallest on the way to the root; -1: none known */
	int64_t left;  /* bytes of the limits that are not in use, the least of all groups on the way; -1: as `limit`.
	                        * Of a group that does not tell what it uses all are free. */
	char folder[PATH_MAX]; /* of the group that sets the limit; "" where none does */
};
void cgroup_memory(const struct host *host, struct cgroup_memory *out);

/* The folder of the group so many steps above that of this process; -1: there is none so far up, `folder` is then "".
 * `controller` is one of version 1, or "" for version 2. */
int cgroup_above(const struct host *host, const char *controller, int steps, char *folder, size_t size);

/* The folder of the group of this process, or the nearest above it, that has `file`. -1: there is none; `folder` is
 * then "". */
int cgroup_folder(const struct host *host, const char *controller, const char *file, char *folder, size_t size);

#endif
