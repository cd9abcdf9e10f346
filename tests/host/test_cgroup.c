/* Quotas of control groups as several kinds of machines and containers show them. */
#include "host/cgroup.h"

#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const char mounts_v2[] = "25 30 0:23 / /proc rw - proc proc rw\n"
								"35 30 0:29 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

static struct cgroup_memory memory_of(const struct host *host)
{
	struct cgroup_memory memory;
	cgroup_memory(host, &memory);
	return memory;
}

static void version_2_takes_the_least_of_all_parents(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	fake_file(root, "/proc/self/mountinfo", mounts_v2);
	fake_file(root, "/proc/self/cgroup", "0::/user.slice/job/inner\n");
	fake_file(root, "/sys/fs/cgroup/user.slice/job/inner/cpu.max", "max 100000\n");
	assert_true(isinf(cgroup_cpu_limit(&host)));
	fake_file(root, "/sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n");
	assert_close(cgroup_cpu_limit(&host), 4, 0);
	fake_file(root, "/sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n");
	assert_close(cgroup_cpu_limit(&host), 1.5, 0);
	assert_int_equal(memory_of(&host).limit, -1);
	fake_file(root, "/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
	assert_int_equal(memory_of(&host).limit, -1);
	fake_file(root, "/sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
	assert_int_equal(memory_of(&host).limit, 1073741824);
	fake_remove(root);
	free(root);
}

static void container_sees_its_group_at_the_mount_point(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	fake_file(root, "/proc/self/mountinfo", mounts_v2);
	fake_file(root, "/proc/self/cgroup", "0::/\n");
	fake_file(root, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
	assert_close(cgroup_cpu_limit(&host), 0.5, 0);
	fake_remove(root);
	free(root);
}

static void version_1(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	/* The mounted part begins at /docker/abc: the path of the process is cut by it. */
	fake_file(root, "/proc/self/mountinfo",
	          "36 25 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
	          "37 25 0:32 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
	fake_file(root, "/proc/self/cgroup",
	          "9:name=systemd:/\n4:memory:/job\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc/inner\n0::/\n");
	fake_file(root, "/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "-1\n");
	fake_file(root, "/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "100000\n");
	assert_true(isinf(cgroup_cpu_limit(&host)));
	fake_file(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
	fake_file(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	assert_close(cgroup_cpu_limit(&host), 2.5, 0);
	fake_file(root, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
	assert_int_equal(memory_of(&host).limit, -1);
	fake_file(root, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
	assert_int_equal(memory_of(&host).limit, 536870912);
	fake_remove(root);
	free(root);
}

/* The name of the mounted part may begin that of another group. */
static void a_group_beside_the_mounted_one(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	fake_file(root, "/proc/self/mountinfo", "35 30 0:29 /job /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/proc/self/cgroup", "0::/jobs\n");
	fake_file(root, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
	assert_close(cgroup_cpu_limit(&host), 0.5, 0);
	fake_remove(root);
	free(root);
}

static void memory_that_is_left(void **state)
{
	(void)state;
	char *root = fake_root(), folder[PATH_MAX];
	struct host host = {.sys = &syscalls_libc, .root = root};
	assert_int_equal(memory_of(&host).left, -1);
	fake_file(root, "/proc/self/mountinfo", mounts_v2);
	fake_file(root, "/proc/self/cgroup", "0::/user.slice/job\n");
	fake_file(root, "/sys/fs/cgroup/user.slice/memory.current", "7000\n");
	assert_int_equal(memory_of(&host).left, -1);
	assert_int_equal(memory_of(&host).limit, -1);
	assert_string_equal(memory_of(&host).folder, "");
	/* Who does not tell what it uses has all of it. */
	fake_file(root, "/sys/fs/cgroup/user.slice/job/memory.max", "5000\n");
	assert_int_equal(memory_of(&host).left, 5000);
	/* The one above has the larger limit, and less left. Files that nobody reads do not count. */
	fake_file(root, "/sys/fs/cgroup/user.slice/memory.max", "10000\n");
	assert_int_equal(memory_of(&host).left, 3000);
	fake_file(root, "/sys/fs/cgroup/user.slice/memory.stat", "anon 5000\nactive_file 500\ninactive_file 1500\n");
	assert_int_equal(memory_of(&host).left, 4500);
	fake_file(root, "/sys/fs/cgroup/user.slice/job/memory.current", "6000\n");
	assert_int_equal(memory_of(&host).left, 0);
	assert_int_equal(memory_of(&host).limit, 5000);
	assert_string_equal(memory_of(&host).folder, "/sys/fs/cgroup/user.slice/job");
	fake_file(root, "/proc/self/mountinfo", "37 25 0:32 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
	fake_file(root, "/proc/self/cgroup", "4:memory:/job\n");
	fake_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "10000\n");
	fake_file(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
	fake_file(root, "/sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 2000\n");
	fake_file(root, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
	assert_int_equal(memory_of(&host).left, 3000);
	assert_int_equal(memory_of(&host).limit, 10000);
	assert_string_equal(memory_of(&host).folder, "/sys/fs/cgroup/memory");
	/* The way up. */
	assert_int_equal(cgroup_above(&host, "memory", 0, folder, sizeof(folder)), 0);
	assert_string_equal(folder, "/sys/fs/cgroup/memory/job");
	assert_int_equal(cgroup_above(&host, "memory", 1, folder, sizeof(folder)), 0);
	assert_string_equal(folder, "/sys/fs/cgroup/memory");
	assert_int_equal(cgroup_above(&host, "memory", 2, folder, sizeof(folder)), -1);
	assert_string_equal(folder, "");
	fake_remove(root);
	free(root);
}

static void names_the_group_that_limits(void **state)
{
	(void)state;
	char *root = fake_root(), list[64];
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct cgroup_quota quota;
	cgroup_cpu_quota(&host, &quota);
	assert_int_equal(quota.version, 0);
	assert_true(isinf(quota.limit));
	fake_file(root, "/proc/self/mountinfo", mounts_v2);
	fake_file(root, "/proc/self/cgroup", "0::/user.slice/job/inner\n");
	cgroup_cpu_quota(&host, &quota);
	assert_int_equal(quota.version, 2);
	assert_true(isinf(quota.limit));
	assert_string_equal(quota.file, "");
	assert_int_equal(cgroup_cpu_list(&host, list, sizeof(list)), -1);
	fake_file(root, "/sys/fs/cgroup/user.slice/job/inner/cpu.max", "400000 100000\n");
	fake_file(root, "/sys/fs/cgroup/user.slice/job/cpu.max", "30000 20000\n");
	fake_file(root, "/sys/fs/cgroup/user.slice/job/cpu.stat",
	          "usage_usec 5\nnr_periods 40\nnr_throttled 12\nthrottled_usec 3400\n");
	fake_file(root, "/sys/fs/cgroup/user.slice/cpuset.cpus.effective", "0-3\n");
	cgroup_cpu_quota(&host, &quota);
	assert_close(quota.limit, 1.5, 0);
	assert_close(quota.period, 0.02, 1e-15);
	assert_int_equal(quota.throttled, 12);
	assert_int_equal(quota.throttled_time, 3400000);
	assert_string_equal(quota.file, "/sys/fs/cgroup/user.slice/job/cpu.max");
	assert_int_equal(cgroup_cpu_list(&host, list, sizeof(list)), 0);
	assert_string_equal(list, "0-3");
	/* Version 1 beside it, as on machines in between. */
	fake_file(root, "/proc/self/mountinfo",
	          "36 25 0:31 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n"
	          "37 25 0:32 / /sys/fs/cgroup/cpuset ro - cgroup cgroup rw,cpuset\n"
	          "41 25 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/proc/self/cgroup", "3:cpuset:/set\n2:cpu,cpuacct:/job\n0::/\n");
	cgroup_cpu_quota(&host, &quota);
	assert_int_equal(quota.version, 1);
	assert_true(isinf(quota.limit));
	fake_file(root, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
	fake_file(root, "/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
	fake_file(root, "/sys/fs/cgroup/cpuset/set/cpuset.cpus", "2-3\n");
	cgroup_cpu_quota(&host, &quota);
	assert_int_equal(quota.version, 1);
	assert_close(quota.limit, 0.5, 0);
	assert_close(quota.period, 0.1, 1e-15);
	assert_int_equal(quota.throttled, -1);
	assert_string_equal(quota.file, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us");
	assert_int_equal(cgroup_cpu_list(&host, list, sizeof(list)), 0);
	assert_string_equal(list, "2-3");
	fake_remove(root);
	free(root);
}

static int mounts_opened;

static int count_mounts(const char *path, int flags, mode_t mode)
{
	mounts_opened += strstr(path, "/proc/self/mountinfo") != NULL;
	return syscalls_libc.open(path, flags, mode);
}

/* The list of mounts is dear: one reading answers for both versions, every controller and all groups on the way. */
static void reads_the_mounts_once_for_a_question(void **state)
{
	(void)state;
	char *root = fake_root(), text[PATH_MAX];
	struct syscalls sys = syscalls_libc;
	struct host host = {.sys = &sys, .root = root};
	struct cgroup_quota quota;
	sys.open = count_mounts;
	fake_file(root, "/proc/self/mountinfo",
	          "36 25 0:31 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n"
	          "37 25 0:32 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
	          "38 25 0:33 / /sys/fs/cgroup/cpuset ro - cgroup cgroup rw,cpuset\n"
	          "41 25 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/proc/self/cgroup", "3:cpuset:/a/b\n2:memory:/a/b\n1:cpu:/a/b\n0::/a/b\n");
	fake_file(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
	cgroup_cpu_limit(&host);
	assert_int_equal(mounts_opened, 1);
	cgroup_cpu_quota(&host, &quota);
	assert_int_equal(mounts_opened, 2);
	memory_of(&host);
	assert_int_equal(mounts_opened, 3);
	assert_int_equal(cgroup_cpu_list(&host, text, sizeof(text)), -1);
	assert_int_equal(mounts_opened, 4);
	assert_int_equal(cgroup_folder(&host, "memory", "memory.usage_in_bytes", text, sizeof(text)), 0);
	assert_string_equal(text, "/sys/fs/cgroup/memory");
	assert_int_equal(mounts_opened, 5);
	assert_int_equal(cgroup_folder(&host, "memory", "memory.swap", text, sizeof(text)), -1);
	assert_string_equal(text, "");
	fake_remove(root);
	free(root);
}

static void nothing_there(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	assert_true(isinf(cgroup_cpu_limit(&host)));
	assert_int_equal(memory_of(&host).limit, -1);
	fake_file(root, "/proc/self/cgroup", "garbage\n::\n0::\n");
	fake_file(root, "/proc/self/mountinfo", "garbage\n - \n1 2 3 - cgroup2\n");
	assert_true(isinf(cgroup_cpu_limit(&host)));
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2_takes_the_least_of_all_parents),
		cmocka_unit_test(container_sees_its_group_at_the_mount_point),
		cmocka_unit_test(version_1),
		cmocka_unit_test(a_group_beside_the_mounted_one),
		cmocka_unit_test(memory_that_is_left),
		cmocka_unit_test(names_the_group_that_limits),
		cmocka_unit_test(reads_the_mounts_once_for_a_question),
		cmocka_unit_test(nothing_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
