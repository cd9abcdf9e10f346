/* How the CPUs of a machine hang together: cores, packages, memory nodes, kinds of cores, caches; from hwloc. */
#ifndef TARE_HOST_TOPOLOGY_H
#define TARE_HOST_TOPOLOGY_H

#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

struct topology_cpu {
	int cpu;                 /* the kernel's number */
	int core, package, node; /* equal where shared; -1: not known */
	int kind;                /* 0 … kinds − 1, the slowest first; -1: not known */
};

struct topology_cache {
	int level;
	char type;    /* 'd' data, 'i' instructions, 'u' both */
	int64_t size; /* bytes of one; 0: not known */
	size_t count; /* of the largest size */
	size_t cpus;  /* that share one, at most */
};

enum { TOPOLOGY_CACHES = 8 };

/* All CPUs that are online, also those that this process may not use. */
struct topology {
	struct topology_cpu *cpus; /* by number; ours */
	size_t count;
	size_t cores, packages, nodes, kinds;          /* 0: not known */
	struct topology_cache caches[TOPOLOGY_CACHES]; /* nearest to the CPU first */
	size_t cache_count;
};

/* -1 when the machine does not show its CPUs or hwloc cannot read them; `err` says why. hwloc looks below the
 * host's root too: where that is not "", the environment holds HWLOC_FSROOT during the call. */
int topology_read(const struct host *host, struct topology *out, struct error *err);
void topology_release(struct topology *topology); /* a zeroed one is empty */

/* The entry of a CPU, or NULL. */
const struct topology_cpu *topology_find(const struct topology *topology, int cpu);

#endif
