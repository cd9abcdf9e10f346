/* The clock moves forward, agrees with libc, and its quality is plausible on a clock that we make up. */
#include "host/clock.h"

#include "support/known.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void moves_forward(void **state)
{
	(void)state;
	struct host host = host_real();
	int64_t before = clock_now(&host);
	for (int i = 0; i < 1000; i++) {
		int64_t now = clock_now(&host);
		assert_true(now >= before);
		before = now;
	}
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	assert_true((int64_t)t.tv_sec * CLOCK_NS_PER_SECOND + t.tv_nsec >= before);
}

static void thread_time_grows_with_work(void **state)
{
	(void)state;
	struct host host = host_real();
	int64_t before = clock_thread_cpu(&host);
	assert_true(before > 0);
	while (clock_thread_cpu(&host) - before < 1000000)
		;
}

/* The clock of a process, as libc names it. */
static void process_time_is_that_of_libc(void **state)
{
	(void)state;
	struct host host = host_real();
	struct timespec before, after;
	clockid_t clock;
	assert_int_equal(clock_getcpuclockid(getpid(), &clock), 0);
	clock_gettime(clock, &before);
	int64_t cpu = clock_process_cpu(&host, getpid());
	clock_gettime(clock, &after);
	assert_true(cpu >= (int64_t)before.tv_sec * CLOCK_NS_PER_SECOND + before.tv_nsec);
	assert_true(cpu <= (int64_t)after.tv_sec * CLOCK_NS_PER_SECOND + after.tv_nsec);
	assert_int_equal(clock_process_cpu(&host, 0x3fffff), 0);
}

/* A clock of 4 µs steps whose every reading takes 1 µs. */
static int64_t ticks;

static int coarse_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	int64_t ns = 5 * INT64_C(1000000000) + ++ticks * 1000 / 4000 * 4000;
	*out = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	return 0;
}

static int coarse_getres(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_nsec = 4000};
	return 0;
}

static void measures_a_coarse_clock(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = coarse_gettime;
	sys.clock_getres = coarse_getres;
	struct host host = {.sys = &sys, .root = ""};
	struct clock_quality quality = clock_measure(&host);
	assert_int_equal(quality.resolution, 4000);
	assert_int_equal(quality.step, 4000);
	assert_in_range(quality.cost, 950, 1050);
}

static void real_clock_is_fine(void **state)
{
	(void)state;
	struct host host = host_real();
	struct clock_quality quality = clock_measure(&host);
	assert_true(quality.resolution >= 1);
	assert_true(quality.step >= 1);
	assert_true(quality.cost >= 1);
}

/* The first wait is cut by a signal after 1 ms of a made-up time. */
static int64_t made_up_now;
static int waits;

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_sec = made_up_now / 1000000000, .tv_nsec = made_up_now % 1000000000};
	return 0;
}

static int made_up_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	(void)fds;
	(void)mask;
	assert_int_equal(n, 0);
	if (++waits == 1) {
		made_up_now += 1000000;
		errno = EINTR;
		return -1;
	}
	made_up_now += (int64_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec;
	return 0;
}

static void sleeps_through_signals(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = made_up_gettime;
	sys.ppoll = made_up_ppoll;
	struct host host = {.sys = &sys, .root = ""};
	clock_sleep(&host, 2500000000);
	assert_int_equal(waits, 2);
	assert_int_equal(made_up_now, 2500000000);
	clock_sleep(&host, 0);
	assert_int_equal(waits, 2);
}

static int reads;

static int seldom_gettime(clockid_t clock, struct timespec *out)
{
	return ++reads % 2 ? (errno = EIO, -1) : made_up_gettime(clock, out);
}

static void asks_again(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = seldom_gettime;
	struct host host = {.sys = &sys, .root = ""};
	made_up_now = 7000000001;
	assert_int_equal(clock_now(&host), 7000000001);
	assert_int_equal(reads, 2);
}

static int known_gettime(clockid_t clock, struct timespec *out)
{
	assert_int_equal(clock, CLOCK_REALTIME);
	*out = (struct timespec){.tv_sec = 1770123906};
	return 0;
}

static void timestamp_is_rfc3339(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = known_gettime;
	struct host host = {.sys = &sys, .root = ""};
	char text[40];
	setenv("TZ", "UTC-5:30", 1); /* POSIX: east of Greenwich is negative */
	tzset();
	clock_timestamp(&host, text, sizeof(text));
	assert_string_equal(text, "2026-02-03T18:35:06+05:30"); /* date -d @1770123906 */
	setenv("TZ", "UTC0", 1);
	tzset();
	clock_timestamp(&host, text, sizeof(text));
	assert_string_equal(text, "2026-02-03T13:05:06+00:00");
}

static void time_left(void **state)
{
	(void)state;
	struct timespec left = clock_left(1000000000, 3500000001);
	assert_int_equal(left.tv_sec, 2);
	assert_int_equal(left.tv_nsec, 500000001);
	left = clock_left(10, 5);
	assert_int_equal(left.tv_sec, 0);
	assert_int_equal(left.tv_nsec, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeps_through_signals),
		cmocka_unit_test(asks_again),
		cmocka_unit_test(moves_forward),
		cmocka_unit_test(thread_time_grows_with_work),
		cmocka_unit_test(measures_a_coarse_clock),
		cmocka_unit_test(real_clock_is_fine),
		cmocka_unit_test(timestamp_is_rfc3339),
		cmocka_unit_test(time_left),
		cmocka_unit_test(process_time_is_that_of_libc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
