/* Two looks at machines made of files: what happened between them, and what changed. */
#include "measure/disturbance.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t now, set_by, slept; /* ns */

static int fake_clock(clockid_t clock, struct timespec *out)
{
	int64_t t = now + (clock == CLOCK_REALTIME ? set_by + slept : clock == CLOCK_BOOTTIME ? slept : 0);
	*out = (struct timespec){.tv_sec = t / 1000000000, .tv_nsec = t % 1000000000};
	return 0;
}

struct machine {
	char *root;
	struct syscalls sys;
	struct host host;
	struct disturbance_watch watch;
	struct result result;
};

static int setup(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));
	m->root = fake_root();
	m->sys = syscalls_libc;
	m->sys.clock_gettime = fake_clock;
	m->host = (struct host){.sys = &m->sys, .root = m->root};
	now = 1000 * INT64_C(1000000000);
	set_by = slept = 0;
	result_init(&m->result);
	fake_file(m->root, "/proc/loadavg", "1.00 0.50 0.25 2/300 4242\n");
	fake_file(m->root, "/proc/stat", "cpu  100 0 50 800 10 0 0 40 0 0\n");
	fake_file(m->root, "/proc/pressure/cpu", "some avg10=0 avg60=0 avg300=0 total=1000000\n");
	fake_file(m->root, "/proc/pressure/io", "some avg10=0 avg60=0 avg300=0 total=0\n");
	fake_file(m->root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
	fake_file(m->root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq", "3500000\n");
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;
	result_release(&m->result);
	fake_remove(m->root);
	free(m->root);
	free(m);
	return 0;
}

static void begin(struct machine *m)
{
	static const int cpus[] = {1};
	disturbance_begin(&m->watch, &m->host, cpus, 1);
}

static void end_after(struct machine *m, double seconds)
{
	struct error err;
	now += (int64_t)(seconds * 1e9);
	assert_int_equal(disturbance_end(&m->watch, &m->host, 1, &m->result, &err), 0);
}

static void shares_between_two_looks(void **state)
{
	struct machine *m = *state;
	begin(m);
	fake_file(m->root, "/proc/stat", "cpu  150 0 50 1200 10 0 0 90 0 0\n");
	fake_file(m->root, "/proc/pressure/cpu", "some avg10=0 avg60=0 avg300=0 total=3500000\n");
	end_after(m, 10);
	const struct disturbance *d = &m->result.disturbance;
	assert_true(d->recorded);
	assert_close(d->load_start, 1, 0);
	assert_close(d->load_end, 1, 0);
	assert_close(d->steal, 0.1, 1e-12);
	assert_close(d->pressure_cpu, 0.25, 1e-12);
	assert_close(d->pressure_io, 0, 0);
	assert_true(isnan(d->pressure_memory) && d->pressure_why);
	assert_close(d->throttled_periods, 0, 0);
	assert_true(isnan(d->slowed_by_heat) && d->heat_why);
	assert_true(isnan(d->frequency_start) && d->frequency_why);
	assert_null(d->changed);
	assert_int_equal(m->result.warning_count, 0);
}

/* What is watched changes one by one; each is named. */
static void changes_are_named(void **state)
{
	struct machine *m = *state;
	begin(m);
	fake_file(m->root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	fake_file(m->root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq", "2000000\n");
	fake_file(m->root, "/proc/self/mountinfo", "35 30 0:29 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n");
	fake_file(m->root, "/proc/self/cgroup", "0::/\n");
	fake_file(m->root, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
	fake_file(m->root, "/proc/loadavg", "9.00 0.50 0.25 2/300 4242\n");
	set_by = -3 * INT64_C(1000000000);
	slept = 20 * INT64_C(1000000000);
	end_after(m, 10);
	const char *changed = m->result.disturbance.changed;
	assert_non_null(changed);
	assert_non_null(strstr(changed, "'performance' and is 'powersave'"));
	assert_non_null(strstr(changed, "3.50 GHz and is 2.00 GHz"));
	assert_non_null(strstr(changed, "the quota was unlimited and is 0.5"));
	assert_non_null(strstr(changed, "slept for 20 s"));
	assert_non_null(strstr(changed, "the clock was set by -3"));
	assert_non_null(strstr(changed, "the load was 1.0 and is 9.0"));
	assert_int_equal(m->result.warning_count, 1);
	assert_string_equal(m->result.warnings[0].code, "machine-changed");
}

/* Our own run is a load of one: after five minutes the average shows nearly all of it. */
static void own_load_is_no_jump(void **state)
{
	struct machine *m = *state;
	fake_file(m->root, "/proc/loadavg", "0.00 0.00 0.00 1/300 4242\n");
	begin(m);
	fake_file(m->root, "/proc/loadavg", "1.90 0.50 0.25 2/300 4242\n");
	end_after(m, 300);
	assert_null(m->result.disturbance.changed);
}

static void a_high_load_that_wavers_is_no_change(void **state)
{
	struct machine *m = *state;
	fake_file(m->root, "/proc/loadavg", "23.70 20.00 10.00 9/300 4242\n");
	begin(m);
	fake_file(m->root, "/proc/loadavg", "21.30 20.00 10.00 9/300 4242\n");
	end_after(m, 10);
	assert_null(m->result.disturbance.changed);
}

static void a_slow_correction_is_no_step(void **state)
{
	struct machine *m = *state;
	begin(m);
	set_by = 90 * 1000000; /* 90 ms */
	end_after(m, 1);
	assert_null(m->result.disturbance.changed);
	begin(m);
	set_by += 400 * 1000000;
	end_after(m, 1000); /* 400 ms in 1000 s: 400 ppm */
	assert_null(m->result.disturbance.changed);
	begin(m);
	set_by += 400 * 1000000;
	end_after(m, 1);
	assert_non_null(m->result.disturbance.changed);
}

static void a_machine_that_tells_nothing(void **state)
{
	struct machine *m = *state;
	m->host.root = "/nowhere";
	begin(m);
	end_after(m, 10);
	const struct disturbance *d = &m->result.disturbance;
	assert_true(d->recorded && isnan(d->load_start) && isnan(d->steal) && isnan(d->pressure_cpu));
	assert_true(d->load_why && d->steal_why && d->pressure_why);
	assert_null(d->changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(shares_between_two_looks, setup, teardown),
		cmocka_unit_test_setup_teardown(changes_are_named, setup, teardown),
		cmocka_unit_test_setup_teardown(own_load_is_no_jump, setup, teardown),
		cmocka_unit_test_setup_teardown(a_high_load_that_wavers_is_no_change, setup, teardown),
		cmocka_unit_test_setup_teardown(a_slow_correction_is_no_step, setup, teardown),
		cmocka_unit_test_setup_teardown(a_machine_that_tells_nothing, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
