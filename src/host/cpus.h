/* The CPUs that this process may use, how they share cores, and which to measure on.
 *
 * Which are allowed comes from the affinity of the process (the kernel has already cut that
 * to the cpuset of the container); how much of them from the quota of the control groups; how
 * they share cores and caches from hwloc. */
#ifndef TARE_HOST_CPUS_H
#define TARE_HOST_CPUS_H

#include "host/cpuset.h"

struct cpu_place {
	int cpu;        /* the kernel's number */
	int core;       /* equal for hardware threads of one core; -1: not known */
	int package;    /* -1: not known */
	int cache;      /* equal where the last-level cache is shared; -1: not known */
	int rank;       /* of its kind among those of a hybrid machine, larger is faster; 0 where all are alike */
	bool with_zero; /* on the core of CPU 0, where most systems keep their interrupts and housekeeping */
};

struct cpus {
	struct cpuset allowed;
	struct cpu_place *places; /* of the allowed ones, by number; ours */
	size_t count;
	double limit;             /* CPUs' worth of time by quota; INFINITY: no quota */
	bool threads_share_cores; /* some two of the allowed CPUs are one core */
};

/* Reads the machine. A topology that cannot be read leaves cores, packages and caches at -1. */
int cpus_read(const struct host *host, struct cpus *out, struct error *err);
void cpus_release(struct cpus *cpus);

/* Leaves only the CPUs of `set`; -1 and err (ERROR_USAGE) when one of them is not allowed here or none is named. */
int cpus_restrict(struct cpus *cpus, const struct cpuset *set, struct error *err);

/* CPUs that can be busy at the same time: allowed ones, cut to the quota; at least 1. */
size_t cpus_usable(const struct cpus *cpus);

/* The place of a CPU, or NULL when it is not allowed. */
const struct cpu_place *cpus_place(const struct cpus *cpus, int cpu);

/* Whether two CPUs are hardware threads of one core; false when that is not known. */
bool cpus_same_core(const struct cpus *cpus, int a, int b);

/* The best `count` CPUs to measure on: a core each as long as there are cores, of the fastest kind, under one cache,
 * and away from the core of CPU 0. Writes at most `count` and returns how many there are. The same machine gives the
 * same answer. */
size_t cpus_choose(const struct cpus *cpus, size_t count, int *out);

#endif
