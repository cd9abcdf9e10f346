/* The CPU time that the control groups of this process allow, versions 1 and 2. */
#ifndef TARE_HOST_CGROUP_H
#define TARE_HOST_CGROUP_H

#include "host/host.h"

/* CPUs' worth of time: 1.5 means 150 ms in every 100 ms. The smallest limit on the way from
 * the group of this process to the root; INFINITY where there is none or none can be read. */
double cgroup_cpu_limit(const struct host *host);

/* Bytes of memory that the groups allow, the smallest limit on the way; -1: none known. */
int64_t cgroup_memory_limit(const struct host *host);

#endif
