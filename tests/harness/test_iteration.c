/* The bookkeeping of an iteration: invocations, hooks, segments, threads, what a benchmark says. No speed is
 * asserted. */
#include "harness/internal.h"
#include "support/known.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the functions below saw; atomic where threads write. */
static struct {
	uint64_t turns;
	int run_up, run_down, iteration_up, iteration_down;
	uint64_t batch_up, batch_down;
	char trace[64];                       /* one letter for each step */
	uint64_t failing_turn, failing_batch; /* of "hooked", from 1; 0: none */
} seen;

static void step(char letter)
{
	size_t length = strlen(seen.trace);
	if (length + 1 < sizeof(seen.trace))
		seen.trace[length] = letter;
}

static void count_run_up(struct tare *t)
{
	seen.run_up++;
	step('R');
	tare_set_data(t, &seen);
}

static void count_run_down(struct tare *t)
{
	assert_ptr_equal(tare_data(t), &seen);
	seen.run_down++;
	step('r');
}

static void count_iteration_up(struct tare *t)
{
	(void)t;
	seen.iteration_up++;
	step('I');
}

static void count_iteration_down(struct tare *t)
{
	(void)t;
	seen.iteration_down++;
	step('i');
}

static void count_batch_up(struct tare *t)
{
	if (__atomic_add_fetch(&seen.batch_up, 1, __ATOMIC_SEQ_CST) == seen.failing_batch)
		tare_fail(t, "no room");
	if (tare_thread_count(t) == 1)
		step('B');
}

static void count_batch_down(struct tare *t)
{
	__atomic_add_fetch(&seen.batch_down, 1, __ATOMIC_SEQ_CST);
	if (tare_thread_count(t) == 1)
		step('b');
}

TARE_BENCH(counts)
{
	uint64_t turns = 0;
	TARE_LOOP(t) {
		turns++;
		if (turns % 2)
			continue;
		tare_keep(turns);
	}
	__atomic_add_fetch(&seen.turns, turns, __ATOMIC_SEQ_CST);
	assert_true(tare_thread(t) < tare_thread_count(t));
	tare_items(t, 3);
	tare_bytes(t, 100);
}
TARE_CONFIGURE(counts)
{
	tare_threads(o, "1,3");
}

TARE_BENCH(hooked)
{
	step('(');
	TARE_LOOP(t) {
		if (++seen.turns == seen.failing_turn)
			tare_fail(t, "no more");
		step('.');
	}
	step(')');
}
TARE_CONFIGURE(hooked)
{
	tare_each_run(o, count_run_up, count_run_down);
	tare_each_iteration(o, count_iteration_up, count_iteration_down);
	tare_each_invocation(o, 2, count_batch_up, count_batch_down);
}

TARE_BENCH(hooked_threads)
{
	TARE_LOOP(t)
		__atomic_add_fetch(&seen.turns, 1, __ATOMIC_SEQ_CST);
}
TARE_CONFIGURE(hooked_threads)
{
	tare_threads(o, "4");
	tare_each_invocation(o, 3, count_batch_up, count_batch_down);
}

TARE_BENCH(pauses)
{
	TARE_LOOP(t) {
		tare_pause(t);
		seen.turns++;
		tare_resume(t);
	}
}

TARE_BENCH(says)
{
	switch (tare_int(t, "case")) {
	case 1: tare_skip(t, "no %s\nhere", "device"); break;
	case 2:
		tare_fail(t, "wrong");
		tare_skip(t, "too late");
		break;
	case 3: tare_check(t, 1 + 1 == 3); break;
	case 4: tare_text(t, "none"); break;
	case 5: tare_pause(t); break;
	case 6: tare_resume(t); break;
	case 7: tare_unit(t, 1); break;
	case 8: tare_report(t, "a b", 1, "", TARE_LOWER); break;
	case 9: tare_report(t, "a", 0.0 / 0.0, "", TARE_LOWER); break;
	default: break;
	}
	TARE_LOOP(t)
		seen.turns++;
}
TARE_CONFIGURE(says)
{
	tare_range(o, "case", 1, 9, 1);
}

TARE_BENCH(breaks)
{
	TARE_LOOP(t)
		break;
}
TARE_BENCH(loops_twice)
{
	TARE_LOOP(t) {
	}
	TARE_LOOP(t) {
	}
}
TARE_BENCH(no_loop)
{
}
TARE_BENCH(stays_paused)
{
	TARE_LOOP(t)
		tare_pause(t);
}
TARE_BENCH(one_thread_skips)
{
	if (tare_thread(t) == 1) {
		tare_skip(t, "not this one");
		return;
	}
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(one_thread_skips)
{
	tare_threads(o, "3");
}
TARE_BENCH(no_whole_number)
{
	tare_keep(tare_int(t, "n"));
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(no_whole_number)
{
	tare_values(o, "n", "1.5,99999999999999999999");
}

TARE_BENCH(forks)
{
	pid_t child = -1;
	TARE_LOOP(t)
		child = fork();
	int status = -1;
	if (child > 0) {
		waitpid(child, &status, 0);
		tare_check(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}

/* Children that come back from any of these, waited for where that is possible. */
static void fork_and_wait(struct tare *t)
{
	int status = -1;
	pid_t child = fork();
	if (child > 0)
		tare_check(t, waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TARE_BENCH(hooks_fork)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(hooks_fork)
{
	tare_each_run(o, fork_and_wait, fork_and_wait);
	tare_each_iteration(o, fork_and_wait, fork_and_wait);
	tare_each_invocation(o, 1, fork_and_wait, fork_and_wait);
}

TARE_BENCH(long_reason)
{
	char reason[TARE_REASON_SIZE + 2] = "";
	while (strlen(reason) < TARE_REASON_SIZE)
		strcat(reason, "\u00e9");
	tare_fail(t, "%s", reason);
	TARE_LOOP(t) {
	}
}

TARE_BENCH(reports)
{
	double p = tare_real(t, "p");
	TARE_LOOP(t)
		tare_unit(t, (double)seen.turns++);
	tare_report(t, "share", p, "", TARE_HIGHER);
	tare_report(t, "rate", 1, "MB/s", TARE_HIGHER);
	tare_report(t, "rate", 2, "MB/s", TARE_HIGHER);
}
TARE_CONFIGURE(reports)
{
	tare_values(o, "p", "0.25");
	tare_unit_metric(o, "latency", "s", TARE_LOWER);
}

static void refuse_run(struct tare *t)
{
	step('R');
	tare_skip(t, "no device");
}

static void refuse_iteration(struct tare *t)
{
	step('I');
	tare_fail(t, "no disk");
}

TARE_BENCH(refused_run)
{
	step('(');
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(refused_run)
{
	tare_threads(o, "1,2");
	tare_each_run(o, refuse_run, count_run_down);
}

TARE_BENCH(refused_iteration)
{
	step('(');
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(refused_iteration)
{
	tare_each_run(o, count_run_up, count_run_down);
	tare_each_iteration(o, refuse_iteration, count_iteration_down);
}

static struct tare_suite suite;
static struct tare_selected selected;
static struct tare_reply reply;
#define answer (reply.answer)

static void start(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	struct tare_instance *instance = tare_suite_find(&suite, name);
	assert_non_null(instance);
	tare_select(&selected, instance, &reply);
	assert_int_equal(answer.status, TARE_STATUS_OK);
}

static void iterate(uint64_t invocations, uint32_t metrics, uint32_t counters)
{
	struct tare_grant grant;
	memset(&grant, 0, sizeof(grant));
	grant.sequence = 77;
	grant.invocations = invocations;
	grant.metrics = metrics;
	grant.counters = counters;
	tare_iterate(&selected, &grant, &reply);
	assert_int_equal(answer.sequence, 77);
}

static void runs_as_many_as_granted(void **state)
{
	(void)state;
	start("counts/threads=1");
	iterate(1000, TARE_HAS_CPU | TARE_HAS_USAGE | TARE_HAS_PROCESS_CPU, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	assert_int_equal(seen.turns, 1000);
	assert_int_equal(answer.invocations, 1000);
	assert_int_equal(answer.segments, 1);
	assert_int_equal(answer.thread_count, 1);
	assert_int_equal(answer.present & ~(uint32_t)TARE_HAS_CPUS,
	                 TARE_HAS_WALL | TARE_HAS_CPU | TARE_HAS_USAGE | TARE_HAS_PROCESS_CPU);
	assert_true(answer.wall > 0);
	assert_int_equal(answer.wall, reply.threads[0].wall);
	assert_int_equal(answer.cpu, reply.threads[0].cpu);
	assert_close(answer.items, 3000, 0);
	assert_close(answer.bytes, 100000, 0);
	iterate(0, 0, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	assert_int_equal(answer.present & ~(uint32_t)TARE_HAS_CPUS, TARE_HAS_WALL);
	assert_int_equal(seen.turns, 1000);
	tare_deselect(&selected);
}

static void delay_is_known_where_the_kernel_tells(void **state)
{
	(void)state;
	if (access("/proc/thread-self/schedstat", R_OK) != 0)
		skip();
	start("counts/threads=1");
	iterate(1000, TARE_HAS_DELAY, 0);
	assert_true(answer.present & TARE_HAS_DELAY);
	assert_true(answer.delay <= answer.wall + 1000000000);
	tare_deselect(&selected);
}

static void threads_start_together(void **state)
{
	(void)state;
	start("counts/threads=3");
	for (int i = 0; i < 3; i++) {
		seen.turns = 0;
		iterate(500, TARE_HAS_CPU, 1u << TARE_COUNTER_TASK_CLOCK);
		assert_int_equal(answer.status, TARE_STATUS_OK);
		assert_int_equal(seen.turns, 1500);
		assert_int_equal(answer.thread_count, 3);
		assert_int_equal(answer.segments, 3);
		assert_int_equal(answer.counters, 0);
		assert_close(answer.items, 4500, 0);
		uint64_t least_start = UINT64_MAX, last_end = 0, cpu = 0;
		for (int k = 0; k < 3; k++) {
			const struct tare_thread_times *times = &reply.threads[k];
			least_start = times->start < least_start ? times->start : least_start;
			last_end = times->start + times->wall > last_end ? times->start + times->wall : last_end;
			cpu += times->cpu;
		}
		assert_int_equal(least_start, 0);
		assert_int_equal(answer.wall, last_end);
		assert_int_equal(answer.cpu, cpu);
	}
	tare_deselect(&selected);
}

static void hooks_stand_where_they_should(void **state)
{
	(void)state;
	start("hooked");
	iterate(5, TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_USAGE, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	iterate(0, 0, 0);
	tare_deselect(&selected);
	assert_string_equal(seen.trace, "RI(B..bB..bB.b)iI()ir");
	assert_int_equal(seen.run_up, 1);
	assert_int_equal(seen.run_down, 1);
}

static void a_refused_set_up_is_not_torn_down(void **state)
{
	(void)state;
	memset(&seen, 0, sizeof(seen));
	tare_select(&selected, tare_suite_find(&suite, "refused_run/threads=1"), &reply);
	tare_deselect(&selected);
	assert_int_equal(answer.status, TARE_STATUS_SKIPPED);
	assert_string_equal(answer.reason, "no device");
	assert_string_equal(seen.trace, "R");
	start("refused_iteration");
	iterate(1, 0, 0);
	tare_deselect(&selected);
	assert_int_equal(answer.status, TARE_STATUS_FAILED);
	assert_string_equal(answer.reason, "no disk");
	assert_string_equal(seen.trace, "RIr");
}

static void a_failed_loop_sets_up_no_more_and_counts_no_more(void **state)
{
	(void)state;
	static const char *const traces[] = {"RI(B..b)ir", "RI(B..bB)ir"};
	for (size_t i = 0; i < 2; i++) {
		uint64_t once[3], again[3]; /* as in counters.c */
		start("hooked");
		*(i == 0 ? &seen.failing_turn : &seen.failing_batch) = i + 1;
		iterate(5, 0, 1u << TARE_COUNTER_TASK_CLOCK);
		int counter = selected.contexts->counter_descriptors[TARE_COUNTER_TASK_CLOCK]; /* where present */
		if (read(counter, once, sizeof(once)) > 0 && read(counter, again, sizeof(again)) > 0)
			assert_int_equal(again[0], once[0]);
		tare_deselect(&selected);
		assert_int_equal(answer.status, TARE_STATUS_FAILED);
		assert_string_equal(seen.trace, traces[i]);
	}
}

/* A stack larger than the address space. */
static void without_its_threads_there_is_no_hook(void **state)
{
	(void)state;
	pthread_attr_t usual, huge;
	assert_int_equal(pthread_getattr_default_np(&usual), 0);
	assert_int_equal(pthread_attr_init(&huge), 0);
	assert_int_equal(pthread_attr_setstacksize(&huge, SIZE_MAX / 2), 0);
	assert_int_equal(pthread_setattr_default_np(&huge), 0);
	memset(&seen, 0, sizeof(seen));
	tare_select(&selected, tare_suite_find(&suite, "refused_run/threads=2"), &reply);
	tare_deselect(&selected);
	assert_int_equal(pthread_setattr_default_np(&usual), 0);
	pthread_attr_destroy(&huge);
	pthread_attr_destroy(&usual);
	assert_int_equal(answer.status, TARE_STATUS_FAILED);
	assert_string_equal(answer.reason, "the system gives no 2 threads");
	assert_string_equal(seen.trace, "");
}

static void untimed_parts_make_segments(void **state)
{
	(void)state;
	start("hooked");
	iterate(5, TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_USAGE | TARE_HAS_PROCESS_CPU, 0);
	assert_int_equal(answer.segments, 3);
	/* those would cover the untimed parts too */
	assert_int_equal(answer.present & ~(uint32_t)TARE_HAS_CPUS, TARE_HAS_WALL | TARE_HAS_CPU);
	tare_deselect(&selected);
	start("pauses");
	iterate(4, 0, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	assert_int_equal(answer.segments, 5);
	assert_int_equal(seen.turns, 4);
	tare_deselect(&selected);
	start("hooked_threads/threads=4");
	iterate(7, 0, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	assert_int_equal(seen.turns, 28);
	assert_int_equal(seen.batch_up, 12);
	assert_int_equal(seen.batch_down, 12);
	assert_int_equal(answer.segments, 12);
	tare_deselect(&selected);
}

static void what_a_benchmark_says(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t status;
		const char *reason; /* a part of it */
	} cases[] = {
		{"says/case=1", TARE_STATUS_SKIPPED, "no device here"},
		{"says/case=2", TARE_STATUS_FAILED, "wrong"},
		{"says/case=3", TARE_STATUS_FAILED, "check failed: 1 + 1 == 3"},
		{"says/case=4", TARE_STATUS_FAILED, "no parameter none"},
		{"says/case=5", TARE_STATUS_FAILED, "tare_pause outside the loop"},
		{"says/case=6", TARE_STATUS_FAILED, "tare_resume without tare_pause"},
		{"says/case=7", TARE_STATUS_FAILED, "tare_unit without tare_unit_metric"},
		{"says/case=8", TARE_STATUS_FAILED, "white space"},
		{"says/case=9", TARE_STATUS_FAILED, "not finite"},
		{"breaks", TARE_STATUS_FAILED, "left early"},
		{"loops_twice", TARE_STATUS_FAILED, "more than one TARE_LOOP"},
		{"no_loop", TARE_STATUS_FAILED, "has no TARE_LOOP"},
		{"stays_paused", TARE_STATUS_FAILED, "tare_pause"},
		{"one_thread_skips/threads=3", TARE_STATUS_SKIPPED, "not this one"},
		{"no_whole_number/n=1.5", TARE_STATUS_FAILED, "n=1.5 is not a whole number"},
		{"no_whole_number/n=99999999999999999999", TARE_STATUS_FAILED, "is not a whole number"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(cases[i].name);
		for (int again = 0; again < 2; again++) {
			iterate(3, 0, 0);
			if (answer.status != cases[i].status || !strstr(answer.reason, cases[i].reason))
				fail_msg("%s: status %u, \"%s\"", cases[i].name, answer.status, answer.reason);
			assert_int_equal(answer.present, 0);
			assert_int_equal(seen.turns, 0);
		}
		tare_deselect(&selected);
	}
}

static void a_forked_child_does_not_go_on(void **state)
{
	(void)state;
	pid_t self = getpid();
	start("forks");
	iterate(1, 0, 0);
	assert_int_equal(getpid(), self);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	tare_deselect(&selected);
	start("hooks_fork");
	iterate(2, 0, 0);
	tare_deselect(&selected);
	if (getpid() != self)
		_exit(1); /* which its parent takes for a failure */
	assert_int_equal(answer.status, TARE_STATUS_OK);
}

static void a_long_reason_ends_with_a_whole_character(void **state)
{
	(void)state;
	start("long_reason");
	iterate(1, 0, 0);
	tare_deselect(&selected);
	assert_int_equal(answer.status, TARE_STATUS_FAILED);
	assert_int_equal(strlen(answer.reason), TARE_REASON_SIZE - 2);
	assert_string_equal(answer.reason + TARE_REASON_SIZE - 4, "\u00e9");
}

/* As it is with CONFIG_SCHEDSTATS off and delayacct off. */
static void a_kernel_that_keeps_no_account_tells_no_delay(void **state)
{
	(void)state;
	static const char *const accounts[] = {"0 0 0\n", "", "5", "123 456 7\n"};
	for (size_t i = 0; i < sizeof(accounts) / sizeof(accounts[0]); i++) {
		start("counts/threads=1");
		selected.contexts->schedstat = memfd_create("schedstat", 0);
		ssize_t length = (ssize_t)strlen(accounts[i]);
		assert_int_equal(write(selected.contexts->schedstat, accounts[i], (size_t)length), length);
		iterate(1, TARE_HAS_DELAY, 0);
		assert_int_equal(answer.status, TARE_STATUS_OK);
		assert_int_equal(answer.present & TARE_HAS_DELAY, i == 3 ? TARE_HAS_DELAY : 0);
		tare_deselect(&selected);
	}
}

static void metrics_of_the_program(void **state)
{
	(void)state;
	start("reports/p=0.25");
	iterate(3 * TARE_UNITS_MAX, 0, 0);
	assert_int_equal(answer.status, TARE_STATUS_OK);
	assert_int_equal(answer.metric_count, 2);
	assert_string_equal(reply.metrics[0].name, "share");
	assert_close(reply.metrics[0].value, 0.25, 0);
	assert_int_equal(reply.metrics[0].better, 1);
	assert_string_equal(reply.metrics[1].unit, "MB/s");
	assert_close(reply.metrics[1].value, 2, 0);
	assert_string_equal(answer.unit_name, "latency");
	assert_int_equal(answer.unit_total, 3 * TARE_UNITS_MAX);
	assert_int_equal(answer.unit_stride, 4);
	assert_int_equal(answer.unit_count, 3 * TARE_UNITS_MAX / 4);
	for (uint32_t i = 0; i < answer.unit_count; i++)
		assert_close(reply.units[i], 4.0 * i, 0);
	iterate(2, 0, 0);
	assert_int_equal(answer.unit_count, 2);
	assert_int_equal(answer.unit_stride, 1);
	tare_deselect(&selected);
}

static void counters_where_present(void **state)
{
	(void)state;
	start("counts/threads=1");
	for (int i = 0; i < 2; i++) {
		iterate(100000, 0, 1u << TARE_COUNTER_TASK_CLOCK);
		if (!answer.counters)
			skip(); /* perf_event_open is not allowed here */
		assert_int_equal(answer.counters, 1u << TARE_COUNTER_TASK_CLOCK);
		assert_true(answer.counter[TARE_COUNTER_TASK_CLOCK] > 0);
		assert_true(answer.counter_running > 0);
		assert_true(answer.counter_running <= answer.counter_enabled);
	}
	iterate(10, 0, 0);
	assert_int_equal(answer.counters, 0);
	tare_deselect(&selected);
}

static void calibration_stays_in_its_bounds(void **state)
{
	(void)state;
	static const struct tare_loops loops = {tare_loop_empty, tare_loop_chain, tare_loop_chain_twice};
	struct tare_overhead overhead;
	tare_calibrate(&loops, &overhead);
	assert_true(overhead.resolution > 0);
	assert_true(overhead.fixed_wall > 0);
	assert_true(overhead.loop >= 0 && overhead.loop <= overhead.loop_limit);
	struct tare_answer long_one;
	memset(&long_one, 0, sizeof(long_one));
	long_one.invocations = 100;
	long_one.segments = 4;
	long_one.thread_count = 2;
	long_one.wall = 10000;
	overhead.fixed_wall = 50;
	overhead.loop = 3;
	assert_close(tare_corrected(&long_one, &overhead), (10000 - 2 * 50 - 100 * 3) / 100.0, 1e-15);
	long_one.wall = 10;
	assert_close(tare_corrected(&long_one, &overhead), 0, 0);
}

int main(void)
{
	char problem[512];
	if (tare_suite_build(&suite, problem, sizeof(problem)) < 0) {
		printf("Bail out! %s\n", problem);
		return 1;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_as_many_as_granted),
		cmocka_unit_test(delay_is_known_where_the_kernel_tells),
		cmocka_unit_test(threads_start_together),
		cmocka_unit_test(hooks_stand_where_they_should),
		cmocka_unit_test(a_refused_set_up_is_not_torn_down),
		cmocka_unit_test(a_failed_loop_sets_up_no_more_and_counts_no_more),
		cmocka_unit_test(without_its_threads_there_is_no_hook),
		cmocka_unit_test(untimed_parts_make_segments),
		cmocka_unit_test(what_a_benchmark_says),
		cmocka_unit_test(a_forked_child_does_not_go_on),
		cmocka_unit_test(a_long_reason_ends_with_a_whole_character),
		cmocka_unit_test(a_kernel_that_keeps_no_account_tells_no_delay),
		cmocka_unit_test(metrics_of_the_program),
		cmocka_unit_test(counters_where_present),
		cmocka_unit_test(calibration_stays_in_its_bounds),
	};
	int failures = cmocka_run_group_tests(tests, NULL, NULL);
	tare_suite_release(&suite);
	return failures;
}
