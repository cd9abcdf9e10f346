/* The allowed CPUs with their places in the machine, and the choice among them. */
#include "host/cpus.h"

#include "base/memory.h"
#include "host/cgroup.h"

#include <hwloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int index_of(hwloc_obj_t object)
{
	return object ? (int)object->logical_index : -1;
}

/* The rank of the CPU's kind; hwloc orders kinds by efficiency, the fastest last. */
static int kind_rank(hwloc_topology_t topology, hwloc_const_cpuset_t cpuset)
{
#if HWLOC_API_VERSION >= 0x00020400
	int kind = hwloc_cpukinds_get_by_cpuset(topology, cpuset, 0);
	int efficiency = -1;
	if (kind >= 0 && hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0) == 0 &&
	    efficiency > 0)
		return efficiency;
#else
	(void)topology;
	(void)cpuset;
#endif
	return 0;
}

static void find_place(hwloc_topology_t topology, struct cpu_place *place)
{
	hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, (unsigned)place->cpu);
	if (!pu)
		return;
	place->core = index_of(hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu));
	place->package = index_of(hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu));
	place->cache = index_of(hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_L3CACHE, pu));
	if (place->cache < 0)
		place->cache = place->package;
	place->rank = kind_rank(topology, pu->cpuset);
	hwloc_obj_t zero = hwloc_get_pu_obj_by_os_index(topology, 0);
	int zero_core = zero ? index_of(hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, zero)) : -1;
	place->with_zero = place->with_zero || (zero_core >= 0 && zero_core == place->core);
}

/* A topology with what find_place() asks for and nothing else; NULL when hwloc fails. */
static hwloc_topology_t load_plain_topology(void)
{
	hwloc_topology_t topology;
	if (hwloc_topology_init(&topology) != 0)
		return NULL;
	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_L3CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
#if HWLOC_API_VERSION >= 0x00020800
	hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
#endif
	/* The CPUID instruction says the same as /sys, and costs milliseconds: this thread would be moved from CPU to CPU,
	 * and each instruction traps in a virtual machine. */
	hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	if (hwloc_topology_load(topology) != 0) {
		hwloc_topology_destroy(topology);
		return NULL;
	}
	return topology;
}

/* Where there is no /sys, as in some chroots, hwloc writes to standard error and finds nothing: it is told to be silent. */
static hwloc_topology_t load_topology(void)
{
	static const char variable[] = "HWLOC_HIDE_ERRORS";
	bool given = getenv(variable) != NULL;
	if (!given)
		setenv(variable, "2", 1);
	hwloc_topology_t topology = load_plain_topology();
	if (!given)
		unsetenv(variable);
	return topology;
}

int cpus_read(const struct host *host, struct cpus *out, struct error *err)
{
	struct cpus cpus = {.limit = cgroup_cpu_limit(host)};
	if (cpuset_of_process(host, 0, &cpus.allowed, err) != 0)
		return -1;
	cpus.places = mem_alloc(cpuset_count(&cpus.allowed), sizeof(*cpus.places));
	if (!cpus.places)
		return error_memory(err);
	hwloc_topology_t topology = load_topology();
	for (int cpu = cpuset_next(&cpus.allowed, 0); cpu >= 0; cpu = cpuset_next(&cpus.allowed, cpu + 1)) {
		struct cpu_place *place = &cpus.places[cpus.count++];
		*place = (struct cpu_place){.cpu = cpu, .core = -1, .package = -1, .cache = -1, .with_zero = cpu == 0};
		if (topology)
			find_place(topology, place);
		for (size_t i = 0; i + 1 < cpus.count; i++)
			if (place->core >= 0 && cpus.places[i].core == place->core)
				cpus.threads_share_cores = true;
	}
	if (topology)
		hwloc_topology_destroy(topology);
	*out = cpus;
	return 0;
}

void cpus_release(struct cpus *cpus)
{
	mem_free(cpus->places);
	memset(cpus, 0, sizeof(*cpus));
}

int cpus_restrict(struct cpus *cpus, const struct cpuset *set, struct error *err)
{
	struct cpuset common = *set;
	char list[256];
	cpuset_and(&common, &cpus->allowed);
	if (!cpuset_equal(&common, set) || cpuset_count(set) == 0) {
		error_set(err, ERROR_USAGE, "not all of these CPUs may be used here");
		error_on(err, "--cpus %s", cpuset_format(set, list, sizeof(list)));
		return error_next(err, "choose among %s", cpuset_format(&cpus->allowed, list, sizeof(list)));
	}
	size_t kept = 0;
	cpus->threads_share_cores = false;
	for (size_t i = 0; i < cpus->count; i++) {
		struct cpu_place place = cpus->places[i];
		if (!cpuset_has(set, place.cpu))
			continue;
		for (size_t k = 0; k < kept; k++)
			if (place.core >= 0 && cpus->places[k].core == place.core)
				cpus->threads_share_cores = true;
		cpus->places[kept++] = place;
	}
	cpus->count = kept;
	cpus->allowed = common;
	return 0;
}

size_t cpus_usable(const struct cpus *cpus)
{
	double usable = fmin((double)cpus->count, floor(cpus->limit));
	return usable >= 1 ? (size_t)usable : 1;
}

const struct cpu_place *cpus_place(const struct cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (cpus->places[i].cpu == cpu)
			return &cpus->places[i];
	return NULL;
}

bool cpus_same_core(const struct cpus *cpus, int a, int b)
{
	const struct cpu_place *one = cpus_place(cpus, a), *other = cpus_place(cpus, b);
	return a == b || (one && other && one->core >= 0 && one->core == other->core);
}

/* Larger is better; the parts in order of weight. -1: already taken. */
static int score(const struct cpus *cpus, const struct cpu_place *place, const int *taken, size_t count)
{
	int own_core = 1;
	for (size_t i = 0; i < count; i++) {
		if (taken[i] == place->cpu)
			return -1;
		if (cpus_same_core(cpus, taken[i], place->cpu))
			own_core = 0;
	}
	const struct cpu_place *first = count ? cpus_place(cpus, taken[0]) : NULL;
	int near = first && first->cache == place->cache;
	int rank = place->rank < 1000 ? place->rank : 999;
	return ((own_core * 1000 + rank) * 2 + near) * 2 + !place->with_zero;
}

size_t cpus_choose(const struct cpus *cpus, size_t count, int *out)
{
	size_t chosen = 0;
	while (chosen < count && chosen < cpus->count) {
		int best = -1, best_cpu = -1;
		for (size_t i = 0; i < cpus->count; i++) {
			int value = score(cpus, &cpus->places[i], out, chosen);
			if (value > best) {
				best = value;
				best_cpu = cpus->places[i].cpu;
			}
		}
		out[chosen++] = best_cpu;
	}
	return chosen;
}
