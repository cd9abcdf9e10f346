#include "analysis/analysis.h"

#include "base/random.h"
#include "stats/critical.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level three[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
static const enum level two[] = {LEVEL_BUILD, LEVEL_RUN};

static void analyse(struct result *result)
{
	struct analysis_options options;
	analysis_options_init(&options);
	assert_int_equal(analyse_subjects(result, &options, NULL), 0);
}

static bool warned(const struct result *result, const char *code)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

/* Half-width of the t interval over x, computed naively. */
static double naive_half_width(const double *x, size_t n, double *mean)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	*mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - *mean) * (x[i] - *mean);
	return critical_t(0.05, (double)n - 1) * sqrt(squares / ((double)n - 1) / (double)n);
}

static void assert_interval(const struct confidence *ci, const double *x, size_t n)
{
	double mean, half = naive_half_width(x, n, &mean);
	assert_close(ci->low, mean - half, 1e-9);
	assert_close(ci->high, mean + half, 1e-9);
}

/* Four builds with 3, 2, 4 and 3 runs of 5 iterations: the interval is over builds; each level says what ignoring it
 * would have claimed. */
static void every_level_says_what_ignoring_it_claims(void **state)
{
	(void)state;
	static const size_t runs[] = {3, 2, 4, 3};
	struct result result;
	struct random random;
	double builds[4], run_means[12], values[60];
	size_t r = 0, v = 0;
	random_seed(&random, 8);
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          three, 3);
	for (size_t b = 0; b < 4; b++) {
		double level = 100 + 3 * random_normal(&random);
		builds[b] = 0;
		for (size_t k = 0; k < runs[b]; k++, r++) {
			double run = level + random_normal(&random);
			run_means[r] = 0;
			for (size_t i = 0; i < 5; i++, v++) {
				values[v] = run + 0.5 * random_normal(&random);
				run_means[r] += values[v] / 5;
				series_append(&m->series, i > 0 ? 2 : k > 0 ? 1 : 0, values[v], NULL);
			}
			builds[b] += run_means[r] / (double)runs[b];
		}
	}
	analyse(&result);
	assert_int_equal(m->unit, LEVEL_BUILD);
	assert_int_equal(m->units, 4);
	assert_int_equal(m->described->level_count, 3);
	assert_interval(&m->ci, builds, 4);
	assert_interval(&m->described->levels[0].ignored, run_means, 12);
	assert_interval(&m->described->levels[1].ignored, values, 60);
	assert_true(isnan(m->described->levels[2].ignored.level) && m->described->levels[2].ignored.why);
	assert_close(m->described->levels[1].n, 3, 0);
	for (size_t k = 0; k < 3; k++) {
		const struct level_share *share = &m->described->levels[k];
		assert_true(share->sd_ci.low <= sqrt(share->variance) && sqrt(share->variance) <= share->sd_ci.high);
		assert_close(share->sd_ci.level, 0.95, 0);
	}
	result_release(&result);
}

/* A level of one member adds nothing that could be seen, and is not ignored but absent. */
static void one_build_is_no_level(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	double run_means[6] = {0};
	random_seed(&random, 9);
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          three, 3);
	for (size_t r = 0; r < 6; r++)
		for (size_t i = 0; i < 4; i++) {
			double x = 10 + (double)(r * 7 % 6 % 2 ? r : 5 - r) + random_normal(&random);
			run_means[r] += x / 4;
			series_append(&m->series, i > 0 ? 2 : r > 0 ? 1 : 0, x, NULL);
		}
	analyse(&result);
	assert_int_equal(m->unit, LEVEL_RUN);
	assert_interval(&m->ci, run_means, 6);
	assert_true(isnan(m->described->levels[0].variance) && isnan(m->described->levels[0].ignored.level));
	assert_string_equal(m->described->levels[0].ignored.why, "one repetition");
	assert_true(isfinite(m->described->levels[1].ignored.low));
	result_release(&result);
}

/* Runs of builds are no iterations: no warm-up is looked for among them, and runs of one build have a t interval. */
static void runs_of_a_build_are_no_iterations(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	double x[40];
	random_seed(&random, 10);
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER, two,
	                                          2);
	for (size_t i = 0; i < 40; i++) {
		x[i] = (i < 10 ? 20 : 10) + random_normal(&random);
		series_append(&m->series, i > 0 ? 1 : 0, x[i], NULL);
	}
	analyse(&result);
	assert_int_equal(m->skip, 0);
	assert_int_equal(m->steady, STEADY_UNKNOWN);
	assert_int_equal(m->unit, LEVEL_RUN);
	assert_false(warned(&result, "one-run"));
	double mean, half = naive_half_width(x, 40, &mean);
	assert_close(m->mean, mean, 1e-9);
	assert_true(m->ci.high - m->mean >= half * (1 - 1e-9)); /* wider where neighbours are alike */
	result_release(&result);
}

/* Runs of 300 dependent iterations: their means count, unless the user asks for one iteration of each run; where that is
 * not like the others it is said. */
static void one_iteration_of_each_run_is_asked_for(void **state)
{
	(void)state;
	enum { RUNS = 6, LENGTH = 300 };
	static const enum level run_levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct result result;
	struct random random;
	double x[RUNS][LENGTH], once[RUNS];
	random_seed(&random, 12);
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          run_levels, 2);
	for (size_t r = 0; r < RUNS; r++) {
		double noise = 0;
		for (size_t i = 0; i < LENGTH; i++) {
			noise = 0.7 * noise + 0.02 * random_normal(&random);
			x[r][i] = 1 + noise;
			series_append(&m->series, i > 0 ? 1 : 0, x[r][i], NULL);
		}
	}
	analyse(&result);
	assert_int_equal(m->steady, STEADY_INITIALISED);
	assert_int_equal(m->evidence->runs, 3);
	assert_int_equal(m->evidence->dependent, 3);
	assert_int_equal(m->iteration, 0);
	assert_int_equal(m->n, RUNS * LENGTH);
	double mean = 0, width = m->ci.high - m->ci.low;
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 0; i < LENGTH; i++)
			mean += x[r][i] / (RUNS * LENGTH);
	assert_close(m->mean, mean, 1e-12);
	assert_false(warned(&result, "one-iteration"));

	struct analysis_options options;
	analysis_options_init(&options);
	options.state = STEADY_INITIALISED;
	assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
	assert_int_equal(m->iteration, m->skip + 1);
	for (size_t r = 0; r < RUNS; r++)
		once[r] = x[r][m->skip];
	assert_interval(&m->ci, once, RUNS);
	assert_close(m->all->ci.high - m->all->ci.low, width, 1e-12);
	options.state = STEADY_NEVER;
	assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
	assert_int_equal(m->iteration, 0);
	for (size_t r = 0; r < RUNS; r++)
		m->series.values[r * LENGTH] += 0.1;
	options.skip = 0;
	options.state = STEADY_INITIALISED;
	assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
	assert_true(warned(&result, "one-iteration"));
	result_release(&result);
}

/* Runs of ten iterations are too short for a search; a first iteration four times as slow in all of them is told, and
 * kept unless the user leaves it out. */
static void a_slow_first_iteration_is_said_and_kept(void **state)
{
	(void)state;
	static const enum level run_levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct analysis_options options;
	struct result result;
	struct random random;
	result_init(&result);
	random_seed(&random, 5);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          run_levels, 2);
	for (size_t i = 0; i < 50; i++)
		series_append(&m->series, i % 10 > 0 ? 1 : 0, (i % 10 > 0 ? 1 : 4) + 0.01 * random_normal(&random), NULL);
	analyse(&result);
	assert_true(warned(&result, "first-iteration"));
	assert_true(m->n == 50 && m->skip == 0);
	result.warning_count = 0;
	analysis_options_init(&options);
	for (options.skip = 0; options.skip < 2; options.skip++) {
		assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
		assert_false(warned(&result, "first-iteration"));
	}
	for (size_t i = 0; i < 50; i += 10)
		m->series.values[i] = 1 + 0.01 * random_normal(&random);
	options.skip = -1;
	assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
	assert_false(warned(&result, "first-iteration"));
	result_release(&result);
}

static struct result two_subjects(size_t builds, size_t runs, bool paired)
{
	struct result result;
	struct random random;
	random_seed(&random, 11);
	result_init(&result);
	for (size_t s = 0; s < 2; s++)
		result_add_metric(&result, result_add_subject(&result, s ? "new" : "old"), "wall", "s", BETTER_LOWER, three, 3);
	for (size_t s = 0; s < 2; s++) {
		struct series *series = &result.subjects[s].metrics[0].series;
		size_t own = s == 0 || paired ? builds : 1;
		for (size_t b = 0; b < own; b++) {
			double level = 10 + random_normal(&random);
			for (size_t r = 0; r < runs; r++)
				series_append(series, r > 0 ? 1 : 0, level + 0.01 * random_normal(&random), NULL);
		}
	}
	result.design.paired = paired;
	result.design.name = "turns";
	return result;
}

/* Pairs of runs of commands inside builds: a build is the unit, not a block of pairs across builds. */
static void builds_are_the_units_of_pairs(void **state)
{
	(void)state;
	struct result result = two_subjects(6, 40, true);
	struct analysis_options options;
	analysis_options_init(&options);
	analyse(&result);
	assert_int_equal(analyse_comparisons(&result, &options, NULL), 0);
	const struct comparison *c = &result.comparisons[0];
	assert_int_equal(c->pairs, 240);
	assert_int_equal(c->units, 6);
	assert_int_equal(c->block, 0);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED); /* builds differ by 10 %, and these are 6 draws of the same */
	result_release(&result);
}

static void a_side_without_builds_is_said(void **state)
{
	(void)state;
	struct result result = two_subjects(6, 20, false);
	struct analysis_options options;
	analysis_options_init(&options);
	analyse(&result);
	assert_int_equal(analyse_comparisons(&result, &options, NULL), 0);
	assert_int_equal(result.comparisons[0].units, 6);
	assert_true(warned(&result, "levels-differ"));
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_level_says_what_ignoring_it_claims),
		cmocka_unit_test(one_build_is_no_level),
		cmocka_unit_test(runs_of_a_build_are_no_iterations),
		cmocka_unit_test(one_iteration_of_each_run_is_asked_for),
		cmocka_unit_test(a_slow_first_iteration_is_said_and_kept),
		cmocka_unit_test(builds_are_the_units_of_pairs),
		cmocka_unit_test(a_side_without_builds_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
