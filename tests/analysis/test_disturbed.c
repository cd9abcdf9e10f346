/* Shares of disturbed runs, counted by hand. */
#include "analysis/disturbed.h"

#include "base/buffer.h"
#include "report/words.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static void add(struct result *result, size_t subject, const char *name, const double *values, size_t n)
{
	struct error err;
	struct measurement *m = result_add_metric(result, &result->subjects[subject], name, "s", BETTER_LOWER, levels, 2);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(series_append(&m->series, 0, values[i], &err), 0);
}

static void preempted_by_delay_or_count(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	result_add_subject(&result, "a");
	result_add_subject(&result, "b");
	/* Of a: runs 1 and 3 waited for over 1 %; run 4 is lost. */
	add(&result, 0, "wall", (double[]){1, 1, 1, 1, NAN}, 5);
	add(&result, 0, "delay", (double[]){0.001, 0.02, 0.01, 0.5, NAN}, 5);
	/* Of b: delays are not known for run 1; run 2 was taken off its CPU. */
	add(&result, 1, "wall", (double[]){1, 1, 1, 1}, 4);
	add(&result, 1, "delay", (double[]){0, NAN, 0, 0}, 4);
	add(&result, 1, "preemptions", (double[]){0, NAN, 1, 0}, 4);
	disturbed_runs(&result, true, false);
	assert_close(result.disturbance.preempted, 3.0 / 7, 1e-15);
	assert_close(result.disturbance.disturbed, 3.0 / 8, 1e-15);
	assert_close(result.disturbance.migrated, 0, 0);
	assert_true(isnan(result.disturbance.frequency_changed) && result.disturbance.frequency_changed_why);
	disturbed_runs(&result, false, true);
	assert_true(isnan(result.disturbance.preempted) && isnan(result.disturbance.disturbed));
	assert_true(isnan(result.disturbance.migrated) && result.disturbance.migrated_why);
	result_release(&result);
}

static void frequency_from_cycles(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	result_add_subject(&result, "a");
	add(&result, 0, "wall", (double[]){1, 1, 1, 1, 1}, 5);
	add(&result, 0, "cpu", (double[]){1, 2, 1, 1, 0}, 5);
	add(&result, 0, "cycles", (double[]){3e9, 6.03e9, 2.9e9, 3.01e9, 3e9}, 5);
	disturbed_runs(&result, false, false);
	/* 3.0, 3.015, 2.9, 3.01 GHz, not known: the median is 3.005, 2.9 is 3.5 % off. */
	assert_close(result.disturbance.frequency_changed, 0.25, 0);
	assert_true(isnan(result.disturbance.preempted));
	assert_close(result.disturbance.disturbed, 0.2, 1e-15);
	result_release(&result);
}

static void migrated_by_count(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	result_add_subject(&result, "a");
	add(&result, 0, "wall", (double[]){1, 1, 1, NAN, 1}, 5);
	add(&result, 0, "migrations", (double[]){0, 2, NAN, 1, 0}, 5);
	disturbed_runs(&result, false, false);
	assert_close(result.disturbance.migrated, 1.0 / 3, 1e-15);
	assert_close(result.disturbance.disturbed, 0.25, 1e-15);
	disturbed_runs(&result, true, false);
	assert_close(result.disturbance.migrated, 0, 0);
	result_release(&result);
}

/* What starting a command costs it is no disturbance: 0.1 ms of waiting, and one move. */
static void starts_of_commands(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	result_add_subject(&result, "a")->command = "a";
	add(&result, 0, "wall", (double[]){1e-3, 1e-3, 1e-3, 1}, 4);
	add(&result, 0, "delay", (double[]){9e-5, 1.1e-4, 0, 9e-3}, 4);
	add(&result, 0, "migrations", (double[]){1, 0, 2, 1}, 4);
	disturbed_runs(&result, false, false);
	assert_close(result.disturbance.preempted, 0.25, 0);
	assert_close(result.disturbance.migrated, 0.25, 0);
	assert_close(result.disturbance.disturbed, 0.5, 0);
	result.subjects[0].command = NULL;
	disturbed_runs(&result, false, false);
	assert_close(result.disturbance.preempted, 0.5, 0);
	assert_close(result.disturbance.migrated, 0.75, 0);
	result_release(&result);
}

static void no_runs(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	disturbed_runs(&result, true, false);
	assert_true(isnan(result.disturbance.disturbed) && isnan(result.disturbance.migrated));
	result_add_subject(&result, "a");
	disturbed_runs(&result, true, false);
	assert_true(isnan(result.disturbance.preempted));
	result_release(&result);
}

/* The sentence: nothing for a quiet machine, each part from its limit on. */
static void words(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	words_disturbance(&result, false, &text);
	assert_int_equal(text.length, 0);
	result.disturbance.recorded = true;
	result.disturbance.preempted = 0.04;
	result.disturbance.steal = 0.005;
	result.disturbance.pressure_cpu = 0.05;
	result.disturbance.throttled_periods = 0;
	words_disturbance(&result, false, &text);
	assert_int_equal(text.length, 0);
	result.disturbance.preempted = 0.23;
	result.disturbance.migrated = 0.06;
	result.disturbance.steal = 0.03;
	result.disturbance.pressure_cpu = 0.5;
	result.disturbance.pressure_memory = 0.02;
	result.disturbance.throttled_periods = 12;
	result.disturbance.throttled_seconds = 1.5;
	words_disturbance(&result, false, &text);
	assert_string_equal(
		buffer_text(&text),
		"23 % of the runs waited for a CPU, 6 % of the runs were moved to another CPU, the hypervisor gave 3 % of the CPU time to others, the CPUs "
		"were contended 50 % of the time, the memory was contended 2 % of the time, the quota throttled "
		"the runs 12 times for 1.5 s");
	buffer_clear(&text);
	/* 0.2 ms of each run of a command: a fifth of the time at 0.8 ms. */
	struct subject *subject = result_add_subject(&result, "a");
	result.disturbance.preempted = result.disturbance.migrated = result.disturbance.steal = NAN;
	result.disturbance.pressure_memory = result.disturbance.throttled_periods = NAN;
	result.disturbance.pressure_cpu = 0.29;
	add(&result, 0, "wall", (double[]){8e-4}, 1);
	subject->metrics[0].mean = 8e-4;
	words_disturbance(&result, false, &text);
	assert_string_equal(buffer_text(&text), "the CPUs were contended 29 % of the time");
	buffer_clear(&text);
	subject->command = "a";
	words_disturbance(&result, false, &text);
	assert_int_equal(text.length, 0);
	result.disturbance.pressure_cpu = 0.31;
	words_disturbance(&result, false, &text);
	assert_string_equal(buffer_text(&text), "the CPUs were contended 31 % of the time");
	buffer_clear(&text);
	result.design.name = "shared";
	words_disturbance(&result, false, &text);
	assert_int_equal(text.length, 0);
	buffer_release(&text);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preempted_by_delay_or_count),
		cmocka_unit_test(frequency_from_cycles),
		cmocka_unit_test(migrated_by_count),
		cmocka_unit_test(starts_of_commands),
		cmocka_unit_test(no_runs),
		cmocka_unit_test(words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
