#include "decide/plan.h"

#include "base/memory.h"
#include "stats/counts.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

/* Runs of iterations: sd 1 % and 3 %, a start takes 1 s and an iteration 0.05 s. */
static struct plan_subject two_levels(void)
{
	return (struct plan_subject){.pairing = NAN,
	                             .level_count = 2,
	                             .levels = {{.level = LEVEL_RUN, .members = 20, .variance = 1e-4, .cost = 1},
	                                        {.level = LEVEL_ITERATION, .members = 20, .variance = 9e-4, .cost = 0.05}}};
}

/* r = ⌈√(1/0.05 · 9/1)⌉ = ⌈13.4⌉ */
static void counts_are_those_of_the_formula(void **state)
{
	(void)state;
	struct plan_subject subject = two_levels();
	assert_true(plan_dimension(&subject));
	assert_int_equal(plan_count(&subject, LEVEL_ITERATION, false), 14);
	assert_int_equal(plan_count(&subject, LEVEL_RUN, false), 0);
	assert_int_equal(plan_count(&subject, LEVEL_BUILD, false), 0);
	assert_close(subject.unit_variance, 1e-4 + 9e-4 / 14, 1e-15);
	assert_close(subject.unit_cost, 1 + 14 * 0.05, 1e-12);
	/* Dependent iterations are taken once. */
	subject.state = STEADY_INITIALISED;
	assert_true(plan_dimension(&subject));
	assert_int_equal(plan_count(&subject, LEVEL_ITERATION, false), 1);
	assert_close(subject.unit_variance, 1e-3, 1e-15);
	subject.levels[1].cost = NAN;
	assert_false(plan_dimension(&subject));
}

/* Table 5 of Kalibera and Jones as costs and variances is checked in stats-counts; here a level that adds nothing. */
static void a_level_that_adds_nothing_is_floored(void **state)
{
	(void)state;
	struct plan_subject subject = two_levels();
	subject.levels[0].variance = -1e-6;
	assert_true(plan_dimension(&subject));
	/* S² = 9e-4/20, a tenth of it: √(20·9e-4/4.5e-6) = 63.2 */
	assert_int_equal(plan_count(&subject, LEVEL_ITERATION, false), 64);
	assert_close(subject.unit_variance, 9e-4 / 64, 1e-15);
}

/* No counts at all give the half-width for less, by trying every one. */
static void rows_are_the_cheapest(void **state)
{
	(void)state;
	struct plan_subject subject = two_levels();
	assert_true(plan_dimension(&subject));
	for (size_t i = 0; i < PLAN_ROWS; i++) {
		struct plan_row row;
		double least = INFINITY;
		assert_true(plan_row(&subject, plan_half_widths[i], 0.95, 0.99, &row));
		for (size_t r = 1; r <= 200; r++) {
			size_t runs;
			assert_int_equal(
				counts_for_mean(1e-4 + 9e-4 / (double)r, plan_half_widths[i], 0.05, CRITICAL_PRECISION, &runs),
				STATS_OK);
			runs = runs < PLAN_LEAST ? PLAN_LEAST : runs;
			least = fmin(least, (double)runs * (1 + 0.05 * (double)r));
		}
		assert_true(row.seconds <= 1.02 * least);
		assert_close(row.seconds, (double)row.counts[0] * (1 + 0.05 * (double)row.counts[1]), 1e-9);
		/* The ratio of two has counts of its own, and none are cheaper. */
		least = INFINITY;
		for (size_t r = 1; r <= 200; r++) {
			size_t runs;
			double variance = 1e-4 + 9e-4 / (double)r;
			assert_int_equal(counts_for_ratio(variance, variance, plan_half_widths[i], 0.01, CRITICAL_PRECISION, &runs),
			                 STATS_OK);
			runs = runs < PLAN_LEAST ? PLAN_LEAST : runs;
			least = fmin(least, 2 * (double)runs * (1 + 0.05 * (double)r));
		}
		assert_true(row.ratio_seconds <= 1.02 * least);
		assert_close(row.ratio_seconds, 2 * (double)row.ratio_counts[0] * (1 + 0.05 * (double)row.ratio_counts[1]),
		             1e-9);
		/* Pairs that have three quarters of their variance in common need fewer. */
		struct plan_subject paired = subject;
		struct plan_row pairs;
		paired.pairing = 0.25;
		assert_true(plan_row(&paired, plan_half_widths[i], 0.95, 0.99, &pairs));
		assert_true(pairs.ratio_seconds < row.ratio_seconds);
		assert_true(i > 0 || pairs.ratio_seconds < row.ratio_seconds / 2);
		assert_close(pairs.seconds, row.seconds, 1e-9);
	}
}

static void a_budget_buys_the_shortest_interval(void **state)
{
	(void)state;
	struct plan_subject subject = two_levels();
	struct plan_row row, half;
	assert_true(plan_dimension(&subject));
	assert_true(plan_budget(&subject, 60, 0.95, &row));
	assert_true(row.seconds <= 60);
	double best = INFINITY;
	for (size_t r = 1; r <= 200; r++) {
		double runs = floor(60 / (1 + 0.05 * (double)r));
		if (runs >= 2)
			best = fmin(best, critical_t(0.05, runs - 1) * sqrt((1e-4 + 9e-4 / (double)r) / runs));
	}
	assert_true(row.half_width <= 1.02 * best && row.half_width >= best * (1 - 1e-9));
	assert_true(plan_budget(&subject, 30, 0.95, &half));
	assert_true(half.half_width > row.half_width);
	assert_false(plan_budget(&subject, 1, 0.95, &half)); /* not even two runs */
}

static struct result made_up(double sd, double cost)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct result result;
	result_init(&result);
	struct subject *subject = result_add_subject(&result, "sort");
	subject->benchmark = "sort";
	struct measurement *m = result_add_metric(&result, subject, "wall", "s", BETTER_LOWER, levels, 2);
	m->n = 400;
	m->units = 20;
	m->unit = LEVEL_RUN;
	m->mean = 2;
	m->sd = sd * 2;
	struct description *described = measurement_own_description(&result, m);
	*description_add_level(&result, described) = (struct level_share){
		.level = LEVEL_RUN, .n = 20, .variance = sd * sd * 4, .cost = cost, .sd_ci = {.low = NAN, .high = NAN}};
	*description_add_level(&result, described) = (struct level_share){
		.level = LEVEL_ITERATION, .n = 20, .variance = 1e-6, .cost = 0.01, .sd_ci = {.low = NAN, .high = NAN}};
	return result;
}

static bool warned(const struct result *result, const char *code)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

static void a_plan_knows_where_it_fits(void **state)
{
	(void)state;
	struct result first = made_up(0.02, 0.5), same = made_up(0.024, 0.6), moved = made_up(0.08, 0.5),
				  slow = made_up(0.02, 5), other = made_up(0.02, 0.5), nothing;
	struct repeat_plan plan;
	repeat_plan_init(&plan);
	plan.confidence = 0.95;
	plan.precision = 0.01;
	assert_int_equal(plan_from_result(&plan, &first, NULL, NULL), 0);
	assert_int_equal(plan.subject_count, 1);
	assert_close(plan.subjects[0].levels[0].variance, 4e-4, 1e-15);
	assert_true(plan.subjects[0].units >= PLAN_LEAST);
	assert_close(plan.subjects[0].half_width, 0.01, 0);
	assert_non_null(plan_find(&plan, "sort", NULL));
	assert_null(plan_find(&plan, "search", NULL));
	assert_null(plan_find(&plan, NULL, "sort"));

	assert_int_equal(plan_check(&plan, &same, NULL), 0);
	assert_int_equal(same.warning_count, 0);
	assert_int_equal(plan_check(&plan, &moved, NULL), 0);
	assert_true(warned(&moved, "plan-stale"));
	assert_int_equal(plan_check(&plan, &slow, NULL), 0);
	assert_true(warned(&slow, "plan-stale"));
	other.subjects[0].benchmark = "search";
	plan.elsewhere = "another CPU";
	assert_int_equal(plan_check(&plan, &other, NULL), 0);
	assert_true(warned(&other, "plan-subjects") && warned(&other, "plan-machine"));

	struct error err;
	result_init(&nothing);
	struct repeat_plan none;
	repeat_plan_init(&none);
	assert_int_equal(plan_from_result(&none, &nothing, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	repeat_plan_release(&none);
	repeat_plan_release(&plan);
	result_release(&first);
	result_release(&same);
	result_release(&moved);
	result_release(&slow);
	result_release(&other);
	result_release(&nothing);
}

/* 50 and 100 in turn vary by a third of 75, and the harmonic mean, 66.7, does not change that. */
static void variances_are_relative_to_what_they_are_of(void **state)
{
	(void)state;
	struct result first = made_up(0.02, 0.5);
	struct measurement *m = &first.subjects[0].metrics[0];
	struct repeat_plan plan;
	struct error err;
	repeat_plan_init(&plan);
	plan.confidence = 0.95;
	plan.precision = 0.01;
	for (int i = 0; i < 20; i++) {
		series_append(&m->series, 0, 1000, NULL); /* warm-up */
		series_append(&m->series, 1, i % 2 ? 100 : 50, NULL);
	}
	m->skip = 1;
	m->mean_kind = MEAN_HARMONIC;
	m->mean = 1 / 0.015;
	m->sd = 25;
	m->described->levels[0].variance = 625;
	m->described->levels[0].n = (double)(m->units = 2000);
	m->described->levels[0].sd_ci = (struct confidence){.low = 15, .high = 30};
	assert_int_equal(plan_from_result(&plan, &first, NULL, NULL), 0);
	assert_close(plan.subjects[0].levels[0].variance, 1 / 9.0, 1e-12);
	assert_close(plan.subjects[0].levels[0].sd_low, 0.2, 1e-12);
	assert_close(plan.subjects[0].levels[0].sd_high, 0.4, 1e-12);
	assert_close(plan.subjects[0].mean, 1 / 0.015, 1e-12);
	assert_int_equal(plan_check(&plan, &first, NULL), 0);
	assert_int_equal(first.warning_count, 0); /* as it was planned */
	repeat_plan_release(&plan);

	repeat_plan_init(&plan);
	m->mean = NAN;
	assert_int_equal(plan_from_result(&plan, &first, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	assert_non_null(strstr(err.what, "have no harmonic mean"));
	repeat_plan_release(&plan);
	result_release(&first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_those_of_the_formula), cmocka_unit_test(a_level_that_adds_nothing_is_floored),
		cmocka_unit_test(rows_are_the_cheapest),           cmocka_unit_test(a_budget_buys_the_shortest_interval),
		cmocka_unit_test(a_plan_knows_where_it_fits),      cmocka_unit_test(variances_are_relative_to_what_they_are_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
