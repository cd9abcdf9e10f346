/* Cores, caches and nodes of machines that are files, read by hwloc itself. */
#include "host/topology.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <string.h>

/* One file of a CPU. */
static void cpu_file(const char *root, int cpu, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
	fake_file(root, path, text);
}

/* A CPU whose core has the numbers in `siblings` (a mask), in package 0 with all in `package`. */
static void add_cpu(const char *root, int cpu, const char *core, const char *siblings, const char *package)
{
	cpu_file(root, cpu, "topology/core_id", core);
	cpu_file(root, cpu, "topology/physical_package_id", "0\n");
	cpu_file(root, cpu, "topology/thread_siblings", siblings);
	cpu_file(root, cpu, "topology/core_siblings", package);
	cpu_file(root, cpu, "cache/index0/level", "1\n");
	cpu_file(root, cpu, "cache/index0/type", "Data\n");
	cpu_file(root, cpu, "cache/index0/size", "32K\n");
	cpu_file(root, cpu, "cache/index0/shared_cpu_map", siblings);
	cpu_file(root, cpu, "cache/index1/level", "3\n");
	cpu_file(root, cpu, "cache/index1/type", "Unified\n");
	cpu_file(root, cpu, "cache/index1/size", "8192K\n");
	cpu_file(root, cpu, "cache/index1/shared_cpu_map", package);
}

static char *two_cores_of_two_threads(void)
{
	char *root = fake_root();
	fake_file(root, "/sys/devices/system/cpu/online", "0-3\n");
	fake_file(root, "/sys/devices/system/cpu/possible", "0-3\n");
	add_cpu(root, 0, "0\n", "5\n", "f\n");
	add_cpu(root, 1, "1\n", "a\n", "f\n");
	add_cpu(root, 2, "0\n", "5\n", "f\n");
	add_cpu(root, 3, "1\n", "a\n", "f\n");
	return root;
}

static void threads_and_caches(void **state)
{
	(void)state;
	char *root = two_cores_of_two_threads();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct topology got;
	setenv("HWLOC_FSROOT", "/nowhere", 1);
	assert_int_equal(topology_read(&host, &got, NULL), 0);
	assert_string_equal(getenv("HWLOC_FSROOT"), "/nowhere");
	unsetenv("HWLOC_FSROOT");
	assert_int_equal(got.count, 4);
	assert_int_equal(got.cores, 2);
	assert_int_equal(got.packages, 1);
	for (int cpu = 0; cpu < 4; cpu++)
		assert_int_equal(got.cpus[cpu].cpu, cpu);
	assert_int_equal(topology_find(&got, 0)->core, topology_find(&got, 2)->core);
	assert_int_not_equal(topology_find(&got, 0)->core, topology_find(&got, 1)->core);
	assert_null(topology_find(&got, 4));
	assert_int_equal(got.cache_count, 2);
	assert_int_equal(got.caches[0].level, 1);
	assert_int_equal(got.caches[0].type, 'd');
	assert_int_equal(got.caches[0].size, 32 * 1024);
	assert_int_equal(got.caches[0].count, 2);
	assert_int_equal(got.caches[0].cpus, 2);
	assert_int_equal(got.caches[1].level, 3);
	assert_int_equal(got.caches[1].size, 8192 * 1024);
	assert_int_equal(got.caches[1].cpus, 4);
	topology_release(&got);
	for (int nth = 1; nth <= 2; nth++) { /* the list of CPUs, and the copy of the environment */
		struct error err = {0};
		setenv("HWLOC_FSROOT", "/nowhere", 1);
		mem_fail_at(nth);
		assert_int_equal(topology_read(&host, &got, &err), -1);
		mem_fail_at(0);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	unsetenv("HWLOC_FSROOT");
	fake_remove(root);
	free(root);
}

static void kinds_and_nodes(void **state)
{
	(void)state;
	char *root = two_cores_of_two_threads();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct topology got;
	for (int cpu = 0; cpu < 4; cpu++)
		cpu_file(root, cpu, "cpu_capacity", cpu % 2 ? "1024\n" : "400\n");
	fake_file(root, "/sys/devices/system/node/online", "0-1\n");
	fake_file(root, "/sys/devices/system/node/node0/cpumap", "5\n");
	fake_file(root, "/sys/devices/system/node/node1/cpumap", "a\n");
	fake_file(root, "/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1000 kB\n");
	fake_file(root, "/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 1000 kB\n");
	assert_int_equal(topology_read(&host, &got, NULL), 0);
	assert_int_equal(got.kinds, 2);
	assert_int_equal(topology_find(&got, 1)->kind, 1);
	assert_int_equal(topology_find(&got, 2)->kind, 0);
	assert_int_equal(got.nodes, 2);
	assert_int_equal(topology_find(&got, 2)->node, 0);
	assert_int_equal(topology_find(&got, 3)->node, 1);
	topology_release(&got);
	fake_remove(root);
	free(root);
}

static void says_when_nothing_is_shown(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct topology got;
	struct error err = {0};
	assert_int_equal(topology_read(&host, &got, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	fake_remove(root);
	free(root);
}

static void real_machine(void **state)
{
	(void)state;
	struct host host = host_real();
	struct topology got;
	struct error err;
	if (topology_read(&host, &got, &err) != 0)
		skip();
	assert_true(got.count >= 1);
	assert_null(getenv("HWLOC_FSROOT"));
	topology_release(&got);
	topology_release(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_and_caches),
		cmocka_unit_test(kinds_and_nodes),
		cmocka_unit_test(says_when_nothing_is_shown),
		cmocka_unit_test(real_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
