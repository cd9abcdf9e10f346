#include "analysis/analysis.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/critical.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static struct measurement *add_subject(struct result *result, const char *name)
{
	struct subject *subject = result_add_subject(result, name);
	return result_add_metric(result, subject, "wall", "s", BETTER_LOWER, levels, 2);
}

static bool warned(const struct result *result, const char *code)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

static void analyse(struct result *result)
{
	struct analysis_options options;
	analysis_options_init(&options);
	assert_int_equal(analyse_subjects(result, &options, NULL), 0);
}

/* R: t.test(c(9.1,10.2,9.7,10.1,9.9,10.4,9.6,10.0,9.8,10.3))$conf.int, R 4.2.2 */
static void runs_of_one_value_get_a_t_interval(void **state)
{
	(void)state;
	static const double x[] = {9.1, 10.2, 9.7, 10.1, 9.9, 10.4, 9.6, 10.0, 9.8, 10.3};
	struct result result;
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	for (size_t i = 0; i < 10; i++)
		series_append(&m->series, 0, x[i], NULL);
	analyse(&result);
	assert_close(m->mean, 9.91, 1e-12);
	assert_close(m->ci.low, 9.635106791769649, 1e-9);
	assert_close(m->ci.high, 10.184893208230351, 1e-9);
	assert_int_equal(m->unit, LEVEL_RUN);
	assert_int_equal(m->units, 10);
	assert_close(m->median, 9.95, 1e-12);
	assert_false(warned(&result, "few-runs"));
	result_release(&result);
}

/* The same as above in other units. Squares of values that are too small vanish, and the interval would be ± 0. */
static void values_whose_squares_vanish_or_overflow_have_no_interval(void **state)
{
	(void)state;
	static const double x[] = {9.1, 10.2, 9.7, 10.1, 9.9, 10.4, 9.6, 10.0, 9.8, 10.3};
	static const double scales[] = {1e-320, 1e-200, 1e-99, 1e98, 1e200, 1e306};
	for (size_t k = 0; k < sizeof(scales) / sizeof(scales[0]); k++) {
		struct result result;
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		bool told = scales[k] > 1e-100 && scales[k] < 1e100;
		for (size_t i = 0; i < 10; i++)
			series_append(&m->series, 0, scales[k] * x[i], NULL);
		analyse(&result);
		if (told) {
			assert_close(m->mean / scales[k], 9.91, 1e-12);
			assert_close(m->ci.low / scales[k], 9.635106791769649, 1e-9);
			assert_close(m->ci.high / scales[k], 10.184893208230351, 1e-9);
		} else {
			assert_true(isnan(m->mean) && isnan(m->ci.low));
			assert_non_null(strstr(m->ci.why, "choose another unit"));
		}
		result_release(&result);
	}
}

/* criterion's linear sampling: samples of 1, 2, 3 … iterations; slope = Σkt/Σk². */
static void iteration_counts_give_a_slope(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	random_seed(&random, 5);
	result_init(&result);
	struct measurement *wall = add_subject(&result, "a");
	struct measurement *counts = result_add_metric(&result, &result.subjects[0], METRIC_ITERATIONS, "", BETTER_LOWER,
	                                               levels, 2);
	wall = &result.subjects[0].metrics[0];
	double products = 0, squares = 0;
	for (int k = 1; k <= 15; k++) {
		double time = 0.001 * k + 1e-5 * random_normal(&random);
		series_append(&wall->series, k == 1 ? 0 : 1, time / k, NULL);
		series_append(&counts->series, k == 1 ? 0 : 1, k, NULL);
		products += k * (time / k * k);
		squares += k * k;
	}
	analyse(&result);
	assert_close(wall->slope->value, products / squares, 1e-13);
	assert_true(wall->slope->ci.low < 0.001 && wall->slope->ci.high > 0.001);
	assert_int_equal(counts->units, 0); /* counts are no measurement */
	result_release(&result);
	result_init(&result);
	wall = add_subject(&result, "b");
	for (int k = 1; k <= 15; k++)
		series_append(&wall->series, 0, 1 + 0.1 * random_normal(&random), NULL);
	analyse(&result);
	assert_true(isnan(wall->slope->value) && wall->slope->why);
	result_release(&result);
}

/* Iterations of a process are no independent samples: the interval is over run means. */
static void iterations_do_not_narrow_the_interval(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	random_seed(&random, 3);
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	double means[5] = {0};
	for (int r = 0; r < 5; r++) {
		double level = 10 + random_normal(&random);
		for (int i = 0; i < 15; i++) {
			double x = level + 0.1 * random_normal(&random);
			means[r] += x / 15;
			series_append(&m->series, i == 0 ? 0 : 1, x, NULL);
		}
	}
	analyse(&result);
	assert_int_equal(m->units, 5);
	double mean = 0, squares = 0;
	for (int r = 0; r < 5; r++)
		mean += means[r] / 5;
	for (int r = 0; r < 5; r++)
		squares += (means[r] - mean) * (means[r] - mean);
	assert_close(m->ci.high - m->mean, 2.7764451051977987 * sqrt(squares / 4 / 5), 1e-9); /* qt(0.975, 4) */
	assert_true(m->described->pooled_ci.high - m->described->pooled_ci.low < (m->ci.high - m->ci.low) / 2);
	assert_true(warned(&result, "few-runs"));
	result_release(&result);
}

static void warmup_is_left_out(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	random_seed(&random, 4);
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	for (int r = 0; r < 4; r++)
		for (int i = 0; i < 400; i++)
			series_append(&m->series, i == 0 ? 0 : 1, (i < 40 ? 3 : 1) * (1 + 0.01 * random_normal(&random)), NULL);
	analyse(&result);
	assert_in_range(m->skip, 40, 100);
	assert_int_equal(m->steady, STEADY_INDEPENDENT);
	assert_close(m->mean, 1, 0.005);
	result_release(&result);
}

static void one_run_is_said_to_be_one(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	random_seed(&random, 5);
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	for (int i = 0; i < 500; i++)
		series_append(&m->series, i == 0 ? 0 : 1, 10 + random_normal(&random), NULL);
	analyse(&result);
	assert_true(warned(&result, "one-run"));
	assert_non_null(strstr(m->ci.method, "this run only"));
	assert_true(m->ci.low < 10.2 && m->ci.high > 9.8);
	result_release(&result);
}

static void nothing_is_said_of_what_is_not_there(void **state)
{
	(void)state;
	static const double lost[] = {NAN}, one[] = {2}, infinite[] = {1, INFINITY, 2};
	const struct {
		const double *x;
		size_t n, used;
	} cases[] = {{NULL, 0, 0}, {lost, 1, 0}, {one, 1, 1}, {infinite, 3, 0}};
	for (size_t c = 0; c < 4; c++) {
		struct result result;
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		for (size_t i = 0; i < cases[c].n; i++)
			series_append(&m->series, 0, cases[c].x[i], NULL);
		analyse(&result);
		assert_int_equal(m->n, cases[c].used);
		assert_true(isnan(m->ci.low));
		assert_non_null(m->ci.why);
		result_release(&result);
	}
}

static void constant_values_have_an_interval_of_no_width(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	for (int i = 0; i < 12; i++)
		series_append(&m->series, 0, 7, NULL);
	analyse(&result);
	assert_close(m->ci.low, 7, 0);
	assert_close(m->ci.high, 7, 0);
	result_release(&result);
}

/* 1/x is 0.01 and 0.02 in turn: mean 0.015, sd 0.005·√(10/9). */
static void a_harmonic_mean_goes_by_reciprocals(void **state)
{
	(void)state;
	double d = critical_t(0.05, 9) * 0.005 * sqrt(10.0 / 9) / sqrt(10);
	for (int several = 0; several < 2; several++) { /* a run of one value, or of two with the same harmonic mean */
		struct result result;
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		m->mean_kind = MEAN_HARMONIC;
		for (int i = 0; i < 10; i++) {
			double time = i % 2 ? 0.02 : 0.01;
			series_append(&m->series, 0, 1 / (time - several * 0.005), NULL);
			if (several)
				series_append(&m->series, 1, 1 / (time + 0.005), NULL);
		}
		analyse(&result);
		assert_close(m->mean, 1 / 0.015, 1e-9);
		assert_close(m->ci.low, 1 / (0.015 + d), 1e-9);
		assert_close(m->ci.high, 1 / (0.015 - d), 1e-9);
		result_release(&result);
	}
}

static void a_geometric_mean_goes_by_logarithms(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	struct measurement *m = add_subject(&result, "a");
	m->mean_kind = MEAN_GEOMETRIC;
	for (int i = 0; i < 10; i++)
		series_append(&m->series, 0, i % 2 ? 1 : 4, NULL);
	analyse(&result);
	double d = critical_t(0.05, 9) * log(2) * sqrt(10.0 / 9) / sqrt(10);
	assert_close(m->mean, 2, 1e-12);
	assert_close(m->ci.low, 2 * exp(-d), 1e-9);
	assert_close(m->ci.high, 2 * exp(d), 1e-9);
	result_release(&result);
}

/* One run too, a method by name has its own mean, and of a value that is not positive there is none. */
static void a_kind_of_mean_is_kept_to(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		struct result result;
		struct random random;
		struct analysis_options options;
		analysis_options_init(&options);
		options.method = k == 1 ? "t" : NULL;
		options.skip = 0;
		random_seed(&random, 5);
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		m->mean_kind = MEAN_HARMONIC;
		double reciprocals = 0, values = 0;
		for (int i = 0; i < 500; i++) {
			double time = 0.5 + random_uniform(&random);
			reciprocals += time;
			values += 1 / time;
			series_append(&m->series, i == 0 || (k == 1 && i == 250) ? 0 : 1, k == 2 && i == 9 ? 0 : 1 / time, NULL);
		}
		assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
		if (k == 2) {
			assert_true(isnan(m->mean) && isnan(m->ci.low));
			assert_string_equal(m->ci.why, "a value is not positive");
		} else {
			assert_close(m->mean, k ? values / 500 : 500 / reciprocals, 1e-9);
			assert_true(m->ci.low < m->mean && m->mean < m->ci.high);
		}
		result_release(&result);
	}
}

/* Where one iteration of each run is used, what all of them would say is the same kind of mean. */
static void all_iterations_have_the_kind_of_the_mean(void **state)
{
	(void)state;
	static const char *const methods[] = {NULL, "t", "harmonic"};
	for (int k = 0; k < 3; k++) {
		struct result result;
		struct analysis_options options;
		analysis_options_init(&options);
		options.method = methods[k];
		options.skip = 0;
		options.state = STEADY_INITIALISED;
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		m->mean_kind = k == 2 ? MEAN_ARITHMETIC : MEAN_HARMONIC;
		for (int i = 0; i < 40; i++)
			series_append(&m->series, i % 4 ? 1 : 0, i / 4 % 2 ? 100 : 50, NULL); /* all of a run are alike */
		assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
		assert_int_equal(m->iteration, 1);
		assert_close(m->mean, k == 1 ? 75 : 1 / 0.015, 1e-9);
		assert_close(m->all->mean, m->mean, 1e-9);
		assert_true(m->all->ci.low < m->all->mean && m->all->mean < m->all->ci.high);
		result_release(&result);
	}
}

static void every_failed_allocation_is_survived(void **state)
{
	(void)state;
	for (long nth = 1; nth < 2000; nth++) {
		struct result result;
		struct error err;
		struct analysis_options options;
		analysis_options_init(&options);
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		for (int r = 0; r < 3; r++)
			for (int i = 0; i < 40; i++)
				series_append(&m->series, i == 0 ? 0 : 1, 1 + (i * 7 % 5) * 0.01 + r * 0.02, NULL);
		mem_fail_at(nth);
		analyse_subjects(&result, &options, &err);
		bool failed = mem_failed();
		mem_fail_at(0);
		result_release(&result);
		if (!failed)
			return;
	}
	fail_msg("more than 2000 allocations");
}

/* How many of so many samples of n normal values are said to fall into groups; every fifth value is `apart` higher, or
 * only the last three. */
static int said_to_be_groups(int samples, size_t n, double apart, bool last_three)
{
	struct random random;
	int count = 0;
	random_seed(&random, n);
	for (int k = 0; k < samples; k++) {
		struct result result;
		result_init(&result);
		struct measurement *m = add_subject(&result, "a");
		for (size_t i = 0; i < n; i++) {
			bool far = last_three ? i + 3 >= n : i % 5 == 0;
			double at = last_three && far ? 0 : random_normal(&random);
			assert_int_equal(series_append(&m->series, 0, 1 + 0.01 * (at + (far ? apart : 0)), NULL), 0);
		}
		analyse(&result);
		count += warned(&result, "modes");
		result_release(&result);
	}
	return count;
}

static void a_few_values_of_a_tail_are_no_group(void **state)
{
	(void)state;
	static const size_t sizes[] = {100, 400, 1000};
	for (int i = 0; i < 3; i++) {
		assert_in_range(said_to_be_groups(200, sizes[i], 0, false), 0, 2);
		assert_int_equal(said_to_be_groups(5, sizes[i], 12, false), 5);
	}
	assert_int_equal(said_to_be_groups(1, 1000, 8, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_of_one_value_get_a_t_interval),
		cmocka_unit_test(values_whose_squares_vanish_or_overflow_have_no_interval),
		cmocka_unit_test(iteration_counts_give_a_slope),
		cmocka_unit_test(iterations_do_not_narrow_the_interval),
		cmocka_unit_test(warmup_is_left_out),
		cmocka_unit_test(one_run_is_said_to_be_one),
		cmocka_unit_test(nothing_is_said_of_what_is_not_there),
		cmocka_unit_test(constant_values_have_an_interval_of_no_width),
		cmocka_unit_test(a_harmonic_mean_goes_by_reciprocals),
		cmocka_unit_test(a_geometric_mean_goes_by_logarithms),
		cmocka_unit_test(a_kind_of_mean_is_kept_to),
		cmocka_unit_test(all_iterations_have_the_kind_of_the_mean),
		cmocka_unit_test(a_few_values_of_a_tail_are_no_group),
		cmocka_unit_test(every_failed_allocation_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
