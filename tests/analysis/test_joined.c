#include "stats/critical.h"
#include "analysis/joined.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const enum level run_levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* A build's result: two subjects, two runs of one value. */
static void make_one(struct result *one, const char *seed_text, double base, double new_)
{
	struct error err;
	const double values[2][2] = {{base, base + 0.25}, {new_, new_ + 0.25}};
	result_init(one);
	one->design.name = "turns";
	one->design.paired = true;
	memcpy(one->design.levels, run_levels, sizeof(run_levels));
	one->design.level_count = 2;
	one->design.order = arena_alloc(&one->arena, 2, sizeof(*one->design.order));
	one->design.order[0] = "AB";
	one->design.order[1] = "BA";
	one->design.order_count = 2;
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(one, s ? "new" : "base");
		struct build_made made = {.seed = s, .seconds = 2 + (double)s, .build_id = "", .hash = seed_text};
		assert_int_equal(result_add_build(one, subject, &made), 0);
		struct measurement *m = result_add_metric(one, subject, "cpu", "s", BETTER_LOWER, run_levels, 2);
		for (size_t r = 0; r < 2; r++)
			assert_int_equal(series_append(&m->series, 0, values[s][r], &err), 0);
		*description_add_level(one, measurement_own_description(one, m)) = (struct level_share){.level = LEVEL_RUN,
		                                                                                        .cost = base};
	}
	struct comparison *c = result_add_comparison(one);
	c->base = 0;
	c->new_ = 1;
	c->metric = arena_strdup(&one->arena, "cpu");
	result_warn(one, "few-runs", "of one build alone");
	result_warn(one, "machine", "of the machine");
	result_about_warn(one, "failures", "new", "some failed");
}

/* The units of the comparison are the builds: 4 pairs of means, not 8 pairs of runs; its interval is the paired Fieller
 * interval of the means of the builds, recomputed here by its formula (docs/methods.md, "One subject"). */
static void builds_are_the_units(void **state)
{
	(void)state;
	static const double base[] = {10, 12, 11, 13}, new_[] = {10.5, 11.5, 12, 13};
	struct result result;
	struct error err;
	struct joined joined = {.result = &result, .ordered = true};
	struct analysis_options options;
	result_init(&result);
	for (size_t b = 0; b < 4; b++) {
		struct result one;
		make_one(&one, b % 2 ? "x" : "y", base[b], new_[b]);
		assert_int_equal(joined_add(&joined, &one, &err), 0);
		result_release(&one);
	}
	analysis_options_init(&options);
	options.skip = 0;
	options.deciding = "cpu";
	assert_int_equal(joined_conclude(&joined, &options, &err), 0);
	assert_int_equal(result.subject_count, 2);
	assert_int_equal(result.design.level_count, 3);
	assert_int_equal(result.design.levels[0], LEVEL_BUILD);
	assert_int_equal(result.design.order_count, 8);
	const struct measurement *m = subject_find_metric(&result.subjects[1], "cpu");
	assert_int_equal(m->series.depth, 3);
	assert_int_equal(m->series.groups[0], 4);
	assert_int_equal(m->series.groups[1], 8);
	assert_true(m->series.values[2] == 11.5 && m->series.values[3] == 11.75);
	assert_int_equal(m->unit, LEVEL_BUILD);
	assert_int_equal(m->units, 4);
	assert_int_equal(result.subjects[0].build_count, 4);
	assert_true(m->described->levels[0].cost == 3);
	assert_true(m->described->level_count == 2 && m->described->levels[1].level == LEVEL_RUN &&
	            fabs(m->described->levels[1].cost - 11.5) < 1e-12);
	assert_int_equal(result.comparison_count, 1);
	const struct comparison *c = &result.comparisons[0];
	assert_int_equal(c->units, 4);
	assert_int_equal(c->pairs, 8);
	/* means of builds: base + 1/8, new + 1/8 */
	double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
	for (size_t b = 0; b < 4; b++) {
		x += (base[b] + 0.125) / 4;
		y += (new_[b] + 0.125) / 4;
	}
	for (size_t b = 0; b < 4; b++) {
		double dx = base[b] + 0.125 - x, dy = new_[b] + 0.125 - y;
		xx += dx * dx / 3;
		xy += dx * dy / 3;
		yy += dy * dy / 3;
	}
	/* Half of alpha, widened as neighbouring builds ask for. */
	double squares = 0, products = 0, last = 0;
	for (size_t b = 0; b < 4; b++) {
		double d = (new_[b] + 0.125) / y - (base[b] + 0.125) / x;
		squares += d * d;
		products += d * last;
		last = d;
	}
	double r = fmin(0.97, fmax(0, products / squares + 0.5)), t = critical_t(0.005, 3);
	double q = t * t / 4 * (1 + r) / (1 - r), fa = x * x - q * xx, fb = x * y - q * xy, fd = y * y - q * yy,
		   root = sqrt(fb * fb - fa * fd);
	assert_true(fabs(comparison_total(c)->ratio - y / x) < 1e-12);
	assert_true(fabs(comparison_total(c)->ci.low - (fb - root) / fa) < 1e-9);
	assert_true(fabs(comparison_total(c)->ci.high - (fb + root) / fa) < 1e-9);
	/* Of the warnings only the machine's and that of the failures, once and as they are. */
	size_t few = 0, machine = 0, failures = 0;
	for (size_t i = 0; i < result.warning_count; i++) {
		few += strstr(result.warnings[i].text, "of one build alone") != NULL;
		machine += strcmp(result.warnings[i].text, "of the machine") == 0 && !result.warnings[i].about;
		failures += strcmp(result.warnings[i].text, "new: some failed") == 0;
	}
	assert_true(machine == 1 && failures == 1 && few == 0);
	result_release(&result);
}

enum { BUILDS = 20, RUNS = 30 };

/* A program as examples/layout has it: every build lies elsewhere and has a speed of its own (sd 3 %), runs differ by
 * 0.1 %. */
static void make_layout(struct result *one, struct random *random, size_t runs)
{
	struct error err;
	const double speed[2] = {exp(0.03 * random_normal(random)), exp(0.03 * random_normal(random))};
	result_init(one);
	one->design.name = "turns";
	one->design.paired = true;
	memcpy(one->design.levels, run_levels, sizeof(run_levels));
	one->design.level_count = 2;
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(one, s ? "other" : "one");
		struct measurement *m = result_add_metric(one, subject, "cpu", "s", BETTER_LOWER, run_levels, 2);
		for (size_t r = 0; r < runs; r++)
			assert_int_equal(series_append(&m->series, 0, speed[s] * (1 + 0.001 * random_normal(random)), &err), 0);
	}
	struct comparison *c = result_add_comparison(one);
	c->new_ = 1;
	c->metric = arena_strdup(&one->arena, "cpu");
}

static struct analysis_options layout_options(void)
{
	struct analysis_options options;
	analysis_options_init(&options);
	options.skip = 0;
	options.deciding = "cpu";
	options.margin = 0.07; /* 20 builds of 3 % are known to 3 to 5 % at 99 %, as their correlation comes out */
	return options;
}

/* Identical sources, fixed seeds: two builds are called different nearly always, 20 builds of each the same nearly
 * always and different hardly ever (1 % nominal). Of 100 experiments each count has a simulation error of at most 5. */
static void same_by_builds_and_different_by_files(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 100 };
	struct analysis_options options = layout_options();
	struct random random;
	struct error err;
	size_t naive_different = 0, same = 0, different = 0;
	random_seed(&random, 20261115);
	for (size_t e = 0; e < EXPERIMENTS; e++) {
		struct result one, result;
		struct joined joined = {.result = &result};
		make_layout(&one, &random, RUNS);
		one.comparison_count = 0;
		assert_int_equal(analyse_subjects(&one, &options, &err), 0);
		struct analysis_options strict = options;
		strict.margin = 0.001; /* what files differ by is small */
		assert_int_equal(analyse_comparisons(&one, &strict, &err), 0);
		naive_different += one.comparisons[0].verdict == VERDICT_FASTER || one.comparisons[0].verdict == VERDICT_SLOWER;
		result_release(&one);
		result_init(&result);
		for (size_t b = 0; b < BUILDS; b++) {
			make_layout(&one, &random, 5);
			assert_int_equal(joined_add(&joined, &one, &err), 0);
			result_release(&one);
		}
		assert_int_equal(joined_conclude(&joined, &options, &err), 0);
		same += result.comparisons[0].verdict == VERDICT_SAME;
		different += result.comparisons[0].verdict == VERDICT_FASTER || result.comparisons[0].verdict == VERDICT_SLOWER;
		/* What the levels contribute: 3 % between builds, 0.1 % between runs. */
		const struct measurement *m = subject_find_metric(&result.subjects[0], "cpu");
		assert_int_equal(m->described->level_count, 2);
		double build_sd = sqrt(m->described->levels[0].variance) / m->mean,
			   run_sd = sqrt(m->described->levels[1].variance) / m->mean;
		assert_true(build_sd > 0.012 && build_sd < 0.055 && run_sd > 0.0007 && run_sd < 0.0013);
		result_release(&result);
	}
	assert_true(naive_different >= 93);
	assert_true(same >= 90);
	assert_true(different <= 4);
}

/* A subject that one build lost has a group less; nothing is mixed up. */
static void a_lost_subject(void **state)
{
	(void)state;
	struct result result, one;
	struct error err;
	struct joined joined = {.result = &result};
	result_init(&result);
	make_one(&one, "x", 1, 2);
	assert_int_equal(joined_add(&joined, &one, &err), 0);
	result_release(&one);
	make_one(&one, "x", 3, 4);
	series_release(&one.subjects[0].metrics[0].series);
	one.subjects[0] = one.subjects[1];
	one.subject_count = 1;
	assert_int_equal(joined_add(&joined, &one, &err), 0);
	result_release(&one);
	assert_int_equal(subject_find_metric(&result.subjects[0], "cpu")->series.groups[0], 1);
	assert_int_equal(subject_find_metric(&result.subjects[1], "cpu")->series.groups[0], 2);
	result_release(&result);
}

/* What is to be saved while the second build is measured: the first build, and the runs that the second has. */
static void a_preview_has_all_samples(void **state)
{
	(void)state;
	struct result result, one, out;
	struct error err;
	struct joined joined = {.result = &result, .ordered = true};
	result_init(&result);
	result.version = "1";
	make_one(&one, "x", 1, 2);
	assert_int_equal(joined_preview(&joined, &one, &out, &err), 0);
	assert_int_equal(result.subject_count, 0);
	assert_int_equal(subject_find_metric(&out.subjects[1], "cpu")->series.n, 2);
	result_release(&out);
	assert_int_equal(joined_add(&joined, &one, &err), 0);
	result_release(&one);
	make_one(&one, "x", 3, 4);
	for (long nth = 1;; nth++) {
		mem_fail_at(nth);
		int status = joined_preview(&joined, &one, &out, &err);
		bool failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? -1 : 0);
		if (!failed)
			break;
	}
	static const double expected[2][4] = {{1, 1.25, 3, 3.25}, {2, 2.25, 4, 4.25}};
	assert_int_equal(out.subject_count, 2);
	assert_string_equal(out.version, "1");
	assert_int_equal(out.design.level_count, 3);
	assert_int_equal(out.design.order_count, 4);
	for (size_t s = 0; s < 2; s++) {
		const struct series *series = &subject_find_metric(&out.subjects[s], "cpu")->series;
		assert_int_equal(series->depth, 3);
		assert_int_equal(series->groups[0], 2);
		assert_int_equal(series->groups[1], 4);
		assert_int_equal(series->starts[0][1], 2);
		assert_memory_equal(series->values, expected[s], sizeof(expected[s]));
	}
	/* Neither has changed. */
	assert_int_equal(one.subjects[0].metrics[0].series.n, 2);
	assert_int_equal(result.subjects[0].metrics[0].series.n, 2);
	result_release(&out);
	result_release(&one);
	result_release(&result);
}

/* A build whose warm-up was long takes nothing of one whose runs are shorter than that. */
static void each_build_keeps_its_own_warm_up(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	static const size_t skips[] = {2, 30, 2};
	struct result result;
	struct error err;
	struct joined joined = {.result = &result};
	struct analysis_options options;
	result_init(&result);
	for (size_t b = 0; b < 3; b++) {
		struct result one;
		result_init(&one);
		struct subject *subject = result_add_subject(&one, "only");
		struct measurement *m = result_add_metric(&one, subject, "cpu", "s", BETTER_LOWER, levels, 2);
		for (size_t r = 0; r < 2; r++)
			for (size_t i = 0; i < skips[b] + 10; i++)
				assert_int_equal(
					series_append(&m->series, i ? 1 : 0, i < skips[b] ? 9 : 1 + 0.01 * (double)(i % 3 + b), &err), 0);
		m->skip = skips[b];
		m->skip_set = true;
		assert_int_equal(joined_add(&joined, &one, &err), 0);
		result_release(&one);
	}
	analysis_options_init(&options);
	options.skip = SKIP_AS_SET;
	assert_int_equal(joined_conclude(&joined, &options, &err), 0);
	const struct measurement *m = subject_find_metric(&result.subjects[0], "cpu");
	assert_int_equal(m->n, 60);
	assert_int_equal(m->units, 3);
	assert_true(m->max < 2);
	result_release(&result);
}

/* Each share as it was in the worst build; what is not known of one build is not known of all. */
static void disturbance_is_that_of_the_worst_build(void **state)
{
	(void)state;
	static const double preempted[] = {0.1, 0.3, 0.2}, steal[] = {NAN, 0.1, 0.2}, migrated[] = {0, 0, NAN};
	struct result result;
	struct error err;
	struct joined joined = {.result = &result};
	result_init(&result);
	for (size_t b = 0; b < 3; b++) {
		struct result one;
		make_one(&one, "s", 10, 11);
		one.disturbance.preempted = preempted[b];
		one.disturbance.steal = steal[b];
		one.disturbance.migrated = migrated[b];
		assert_int_equal(joined_add(&joined, &one, &err), 0);
		result_release(&one);
	}
	assert_true(result.disturbance.preempted == 0.3);
	assert_true(isnan(result.disturbance.steal) && isnan(result.disturbance.migrated));
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_are_the_units),
		cmocka_unit_test(disturbance_is_that_of_the_worst_build),
		cmocka_unit_test(each_build_keeps_its_own_warm_up),
		cmocka_unit_test(a_lost_subject),
		cmocka_unit_test(a_preview_has_all_samples),
		cmocka_unit_test(same_by_builds_and_different_by_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
