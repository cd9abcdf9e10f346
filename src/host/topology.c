/* hwloc's tree turned into plain numbers.
 *
 * Only the files of /sys are asked. hwloc's other source, the CPUID instruction, would move
 * this thread from CPU to CPU and show the real machine where a snapshot is meant. */
#include "host/topology.h"

#include "base/memory.h"
#include "host/proc.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

static int load(hwloc_topology_t *out, struct error *err)
{
	hwloc_topology_t topology;
	if (hwloc_topology_init(&topology) != 0)
		return error_set(err, ERROR_SYSTEM, "hwloc cannot start");
	hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	if (hwloc_topology_load(topology) != 0) {
		int problem = errno;
		hwloc_topology_destroy(topology);
		return error_system(err, problem, "hwloc cannot read the CPUs");
	}
	*out = topology;
	return 0;
}

/* hwloc takes another root from the environment only. */
static int load_below(const char *root, hwloc_topology_t *out, struct error *err)
{
	if (!root[0])
		return load(out, err);
	const char *set = getenv("HWLOC_FSROOT");
	char *before = set ? mem_strdup(set) : NULL;
	if (set && !before)
		return error_memory(err);
	setenv("HWLOC_FSROOT", root, 1);
	int failed = load(out, err);
	if (before)
		setenv("HWLOC_FSROOT", before, 1);
	else
		unsetenv("HWLOC_FSROOT");
	mem_free(before);
	return failed;
}

static int ancestor(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu)
{
	hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(topology, type, pu);
	return object ? (int)object->logical_index : -1;
}

/* Memory nodes are no ancestors in hwloc: the first one that covers the CPU. */
static int node_of(hwloc_topology_t topology, hwloc_obj_t pu)
{
	for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL;)
		if (hwloc_bitmap_isincluded(pu->cpuset, node->cpuset))
			return (int)node->os_index;
	return -1;
}

static int by_number(const void *a, const void *b)
{
	const struct topology_cpu *x = a, *y = b;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int take_cpus(hwloc_topology_t topology, struct topology *out, struct error *err)
{
	int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	if (count <= 0)
		return error_set(err, ERROR_SYSTEM, "hwloc finds no CPUs");
	out->cpus = mem_alloc((size_t)count, sizeof(*out->cpus));
	if (!out->cpus)
		return error_memory(err);
	for (hwloc_obj_t pu = NULL; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != NULL;)
		out->cpus[out->count++] = (struct topology_cpu){
			.cpu = (int)pu->os_index,
			.core = ancestor(topology, HWLOC_OBJ_CORE, pu),
			.package = ancestor(topology, HWLOC_OBJ_PACKAGE, pu),
			.node = node_of(topology, pu),
			.kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0),
		};
	qsort(out->cpus, out->count, sizeof(*out->cpus), by_number);
	return 0;
}

static size_t count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	int count = hwloc_get_nbobjs_by_type(topology, type);
	return count > 0 ? (size_t)count : 0;
}

static void take_caches(hwloc_topology_t topology, struct topology *out)
{
	static const struct {
		hwloc_obj_type_t type;
		int level;
		char kind;
	} all[] = {
		{HWLOC_OBJ_L1CACHE, 1, 'd'}, {HWLOC_OBJ_L1ICACHE, 1, 'i'}, {HWLOC_OBJ_L2CACHE, 2, 'u'},
		{HWLOC_OBJ_L3CACHE, 3, 'u'}, {HWLOC_OBJ_L4CACHE, 4, 'u'},
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct topology_cache cache = {.level = all[i].level, .type = all[i].kind};
		for (hwloc_obj_t c = NULL; (c = hwloc_get_next_obj_by_type(topology, all[i].type, c)) != NULL;) {
			int64_t size = (int64_t)c->attr->cache.size;
			int sharing = hwloc_bitmap_weight(c->cpuset);
			if (c->attr->cache.type == HWLOC_OBJ_CACHE_UNIFIED)
				cache.type = 'u';
			if (size > cache.size) {
				cache.size = size;
				cache.count = 0;
			}
			cache.count += size == cache.size;
			if (sharing > 0 && (size_t)sharing > cache.cpus)
				cache.cpus = (size_t)sharing;
		}
		if (cache.count > 0)
			out->caches[out->cache_count++] = cache;
	}
}

int topology_read(const struct host *host, struct topology *out, struct error *err)
{
	static const char path[] = "/sys/devices/system/cpu/cpu0/topology/core_id";
	char text[32];
	/* Where hwloc finds nothing it writes to standard error and makes a machine up. */
	if (proc_read(host, path, text, sizeof(text)) < 0) {
		error_system(err, errno, "/sys does not show how the CPUs are connected");
		return error_on(err, "%s", path);
	}
	hwloc_topology_t topology = NULL;
	struct topology found = {0};
	if (load_below(host->root, &topology, err) != 0)
		return -1;
	int failed = take_cpus(topology, &found, err);
	if (!failed) {
		found.cores = count_of(topology, HWLOC_OBJ_CORE);
		found.packages = count_of(topology, HWLOC_OBJ_PACKAGE);
		found.nodes = count_of(topology, HWLOC_OBJ_NUMANODE);
		int kinds = hwloc_cpukinds_get_nr(topology, 0);
		found.kinds = kinds > 0 ? (size_t)kinds : 0;
		take_caches(topology, &found);
		*out = found;
	}
	hwloc_topology_destroy(topology);
	return failed;
}

void topology_release(struct topology *topology)
{
	mem_free(topology->cpus);
	memset(topology, 0, sizeof(*topology));
}

const struct topology_cpu *topology_find(const struct topology *topology, int cpu)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].cpu == cpu)
			return &topology->cpus[i];
	return NULL;
}
