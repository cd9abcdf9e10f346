/* Looks at machines made of files: one that tells everything, one that tells nothing. */
#include "host/moment.h"

#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static int64_t real_clock, boot_clock, monotonic_clock;

static int fake_clock(clockid_t clock, struct timespec *out)
{
	int64_t t = clock == CLOCK_REALTIME ? real_clock : clock == CLOCK_BOOTTIME ? boot_clock : monotonic_clock;
	*out = (struct timespec){.tv_sec = t / 1000000000, .tv_nsec = t % 1000000000};
	return 0;
}

static void everything_is_read(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = fake_clock;
	struct host host = {.sys = &sys, .root = root};
	struct moment got;
	static const int cpus[] = {1, 3};
	real_clock = 1700000000 * INT64_C(1000000000) + 5;
	monotonic_clock = 100 * INT64_C(1000000000) + 7;
	boot_clock = 160 * INT64_C(1000000000) + 7;
	fake_file(root, "/proc/loadavg", "1.25 0.50 0.25 2/300 4242\n");
	fake_file(root, "/proc/stat", "cpu  100 0 50 800 10 0 0 40 0 0\n");
	fake_file(root, "/proc/pressure/cpu",
	          "some avg10=98.51 avg60=97.13 avg300=79.49 total=2523074795\nfull avg10=0 total=9\n");
	fake_file(root, "/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=17\n");
	fake_file(root, "/proc/pressure/memory", "garbage\n");
	fake_file(root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
	fake_file(root, "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance\n");
	fake_file(root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000\n");
	fake_file(root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq", "3500000\n");
	fake_file(root, "/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "3\n");
	fake_file(root, "/sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count", "4\n");
	moment_take(&host, cpus, 2, &got);
	assert_close(got.load, 1.25, 0);
	assert_true(got.has_cpu_times && got.cpu_times.steal == 40 && got.cpu_times.total == 1000);
	assert_int_equal(got.waited[MOMENT_CPU], 2523074795);
	assert_int_equal(got.waited[MOMENT_IO], 17);
	assert_int_equal(got.waited[MOMENT_MEMORY], -1);
	assert_string_equal(got.governor, "performance");
	assert_int_equal(got.frequency, INT64_C(2400000000));
	assert_int_equal(got.highest_frequency, INT64_C(3500000000));
	assert_int_equal(got.slowed_by_heat, 7);
	assert_int_equal(got.at, monotonic_clock);
	assert_int_equal(got.real_offset, real_clock - monotonic_clock);
	assert_int_equal(got.sleep_offset, 60 * INT64_C(1000000000));
	assert_true(isinf(got.quota) && got.throttled == 0 && got.throttled_time == 0);
	assert_true(got.has_allowed && cpuset_count(&got.allowed) > 0);
	fake_file(root, "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave\n");
	fake_file(root, "/proc/self/mountinfo", "35 30 0:29 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n");
	fake_file(root, "/proc/self/cgroup", "0::/\n");
	fake_file(root, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
	moment_take(&host, cpus, 2, &got);
	assert_string_equal(got.governor, "mixed");
	assert_close(got.quota, 0.5, 0);
	assert_int_equal(got.throttled, -1);
	fake_file(root, "/sys/fs/cgroup/cpu.stat", "nr_throttled 5\nthrottled_usec 20\n");
	moment_take(&host, cpus, 2, &got);
	assert_int_equal(got.throttled, 5);
	assert_int_equal(got.throttled_time, 20000);
	fake_remove(root);
	free(root);
}

static void nothing_is_not_known(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct moment got;
	moment_take(&host, NULL, 0, &got);
	assert_true(isnan(got.load) && !got.has_cpu_times && got.frequency == -1 && got.highest_frequency == -1);
	assert_true(got.waited[MOMENT_CPU] == -1 && got.waited[MOMENT_IO] == -1 && got.waited[MOMENT_MEMORY] == -1);
	assert_true(got.slowed_by_heat == -1 && isinf(got.quota));
	assert_string_equal(got.governor, "");
	assert_true(got.at > 0);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_read),
		cmocka_unit_test(nothing_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
