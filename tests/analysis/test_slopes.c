#include "analysis/analysis.h"

#include "stats/critical.h"
#include "stats/fieller.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* The line of 20 rounds; the speed is known to so much, as a fraction of the slope. */
static struct work_result line(double speed, double half)
{
	struct work_result work;
	work_result_init(&work);
	work.metric = "cpu";
	work.used = work.rounds = 20;
	work.speed = speed;
	work.speed_ci = (struct confidence){.level = 0.95, .low = speed / (1 + half), .high = speed / (1 - half)};
	return work;
}

/* Rounds of about half a second each, whatever the speed; wall comes first, as in a document. */
static struct subject *add_subject(struct result *result, const char *name, struct work_result *work)
{
	struct subject *subject = result_add_subject(result, name);
	for (int k = 0; k < 2; k++) {
		struct measurement *m = result_add_metric(result, subject, k ? "cpu" : "wall", "s", BETTER_LOWER, levels, 2);
		for (int i = 0; i < 20; i++)
			series_append(&m->series, 0, 0.4 + 0.01 * (i * 7 % 20), NULL);
	}
	subject->work = work;
	return subject;
}

static void analyse(struct result *result, const char *metric, const char *method)
{
	struct analysis_options options;
	analysis_options_init(&options);
	options.gate = 0.2;
	options.deciding = metric;
	options.method = method;
	assert_int_equal(analyse_subjects(result, &options, NULL), 0);
	assert_int_equal(analyse_comparisons(result, &options, NULL), 0);
}

static void work_is_compared_by_the_time_of_a_unit(void **state)
{
	(void)state;
	static const double speeds[] = {10000, 20000, 40000, 20100};
	static const enum verdict verdicts[] = {VERDICT_SLOWER, VERDICT_SAME, VERDICT_FASTER, VERDICT_UNDECIDED};
	for (int k = 0; k < 4; k++) {
		double half = k == 3 ? 0.02 : 0.002, ratio;
		struct work_result base = line(20000, half), new_ = line(speeds[k], half);
		struct result result;
		result_init(&result);
		add_subject(&result, "a", &base);
		add_subject(&result, "b", &new_);
		analyse(&result, NULL, NULL);
		const struct comparison *c = &result.comparisons[0];
		double se[] = {half / 20000 / critical_t(0.05, 18), half / speeds[k] / critical_t(0.05, 18)};
		struct fieller slopes = {1 / 20000.0, 1 / speeds[k], se[0] * se[0], se[1] * se[1], 0};
		struct interval interval;
		assert_int_equal(fieller_interval(&slopes, critical_t(0.01, 18), &ratio, &interval), STATS_OK);
		assert_string_equal(c->metric, "cpu");
		assert_close(c->ratio, 20000 / speeds[k], 1e-9);
		assert_close(c->ci.low, interval.low, 1e-9);
		assert_close(c->ci.high, interval.high, 1e-9);
		assert_int_equal(c->verdict, verdicts[k]);
		assert_int_equal(c->gate, k == 0 ? GATE_BROKEN : GATE_HELD);
		assert_int_equal(c->units, 20);
		assert_int_equal(result.warning_count, 0);
		result_release(&result);
	}
}

static void without_two_lines_nothing_is_said(void **state)
{
	(void)state;
	static const char *const reasons[] = {
		"measure both with --work", "no line",           "no line",        "no line",
		"different units",          "the same --metric", "of their lines", "not by this method"};
	for (int k = 0; k < 8; k++) {
		struct work_result base = line(20000, 0.002), new_ = line(10000, 0.002);
		if (k == 1)
			new_.refused = "the time is no straight line";
		if (k == 2)
			new_.speed_ci = (struct confidence){.level = 0.95, .low = NAN, .high = NAN, .unbounded = true};
		if (k == 3)
			new_.used = 3;
		if (k == 4)
			new_.unit = "MB";
		if (k == 5)
			new_.metric = "wall";
		struct result result;
		result_init(&result);
		add_subject(&result, "a", &base);
		add_subject(&result, "b", k == 0 ? NULL : &new_);
		analyse(&result, k == 6 ? "wall" : NULL, k == 7 ? "welch" : NULL);
		const struct comparison *c = &result.comparisons[0];
		assert_non_null(c->unresolved);
		assert_non_null(strstr(c->unresolved, reasons[k]));
		assert_true(isnan(c->ratio) && isnan(c->ci.low));
		assert_int_equal(c->verdict, VERDICT_UNDECIDED);
		assert_int_equal(c->gate, GATE_OPEN);
		result_release(&result);
	}
}

static void an_index_has_a_mean_whatever_the_work(void **state)
{
	(void)state;
	struct work_result base = line(20000, 0.002), new_ = line(10000, 0.002);
	struct result result;
	result_init(&result);
	for (int side = 0; side < 2; side++) {
		struct subject *subject = add_subject(&result, side ? "b" : "a", side ? &new_ : &base);
		struct measurement *m = result_add_metric(&result, subject, "rate", "MB/s", BETTER_HIGHER, levels, 2);
		measurement_own_index(&result, m)->autocorrelation_limit = 0.1;
		for (int i = 0; i < 20; i++)
			series_append(&m->series, 0, (side ? 150 : 100) + 0.01 * (i * 7 % 20), NULL);
	}
	analyse(&result, "rate", NULL);
	assert_close(result.comparisons[0].ratio, 1.5, 1e-3);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_FASTER);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_compared_by_the_time_of_a_unit),
		cmocka_unit_test(without_two_lines_nothing_is_said),
		cmocka_unit_test(an_index_has_a_mean_whatever_the_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
