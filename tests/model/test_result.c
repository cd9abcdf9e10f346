#include "model/result.h"

#include "model/level_change.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static void test_empty(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	assert_true(isnan(result.elapsed) && isnan(result.host.load) && isnan(result.host.steal));
	assert_true(result.subject_count == 0 && result.comparison_count == 0 && result.warning_count == 0);
	assert_null(result_find_subject(&result, "x"));
	result_release(&result);
	result_release(&result);
}

/* Many of everything: what was added first is still right after the arrays have moved. */
static void test_many(void **state)
{
	(void)state;
	struct result result;
	char name[32];
	result_init(&result);
	for (int s = 0; s < 70; s++) {
		snprintf(name, sizeof(name), "subject %d", s);
		struct subject *subject = result_add_subject(&result, name);
		assert_non_null(subject);
		for (int m = 0; m < 9; m++) {
			snprintf(name, sizeof(name), "metric %d", m);
			struct measurement *metric = result_add_metric(&result, subject, name, "s", BETTER_LOWER, levels, 2);
			assert_non_null(metric);
			assert_true(isnan(metric->mean) && isnan(metric->sd) && isnan(metric->ci.level) &&
			            isnan(metric->described->median_ci.low));
			assert_true(metric->n == 0 && metric->steady == STEADY_UNKNOWN &&
			            isnan(metric->described->autocorrelation));
			for (int i = 0; i < 20; i++)
				assert_int_equal(series_append(&metric->series, i % 5 ? 1 : 0, 100 * s + m, NULL), 0);
		}
		snprintf(name, sizeof(name), "%d", s);
		assert_int_equal(result_add_parameter(&result, subject, "size", name), 0);
		assert_int_equal(result_add_parameter(&result, subject, "mode", "fast"), 0);
		assert_int_equal(result_add_failure(&result, subject, (struct failure){"exit 1", (size_t)s, 1}), 0);
		struct comparison *comparison = result_add_comparison(&result);
		assert_non_null(comparison);
		assert_true(isnan(comparison->ratio) && isnan(comparison_total(comparison)->ratio) &&
		            isnan(comparison->paired->share_difference));
		assert_true(isnan(comparison->ci.low) && comparison->verdict == VERDICT_UNDECIDED &&
		            comparison->scope == SCOPE_NONE);
		comparison->new_ = (size_t)s;
	}
	assert_int_equal(result.subject_count, 70);
	for (size_t s = 0; s < 70; s++) {
		const struct subject *subject = &result.subjects[s];
		snprintf(name, sizeof(name), "subject %zu", s);
		assert_string_equal(subject->name, name);
		assert_ptr_equal(result_find_subject(&result, name), subject);
		assert_int_equal(subject->metric_count, 9);
		for (size_t m = 0; m < 9; m++) {
			snprintf(name, sizeof(name), "metric %zu", m);
			const struct measurement *metric = subject_find_metric(subject, name);
			assert_ptr_equal(metric, &subject->metrics[m]);
			assert_true(metric->series.n == 20 && metric->series.groups[0] == 4 &&
			            metric->series.values[19] == (double)(100 * s + m));
		}
		assert_null(subject_find_metric(subject, "metric 9"));
		snprintf(name, sizeof(name), "%zu", s);
		assert_string_equal(subject->parameters[0].value, name);
		assert_string_equal(subject->parameters[1].name, "mode");
		assert_int_equal(subject->failures[0].run, s);
		assert_int_equal(result.comparisons[s].new_, s);
	}
	result_release(&result);
	assert_int_equal(result.subject_count, 0);
}

/* What a subject of one value takes is mostly these; bench/sizes measures all of it. */
static void a_million_subjects_take_little(void **state)
{
	(void)state;
	struct result result;
	assert_true(sizeof(struct measurement) <= 384 && sizeof(struct comparison) <= 240 && sizeof(struct subject) <= 144);
	result_init(&result);
	struct comparison *c = result_add_comparison(&result);
	c->ratio = 2;
	assert_ptr_equal(comparison_total(c), &c->shown);
	struct ratio_estimate *total = comparison_own_total(&result, c);
	assert_true(total->ratio == 2 && comparison_own_total(&result, c) == total);
	total->ratio = 3;
	assert_true(comparison_total(c)->ratio == 3 && c->ratio == 2);
	/* The code is kept once. */
	assert_int_equal(result_warn(&result, "few-runs", "1"), 0);
	assert_int_equal(result_warn(&result, "few-runs", "2"), 0);
	assert_ptr_equal(result.warnings[0].code, result.warnings[1].code);
	result_release(&result);
}

static void test_warnings(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	assert_int_equal(result_warn(&result, "few-runs", "%d runs", 3), 0);
	assert_int_equal(result_warn(&result, "few-runs", "%d runs", 3), 0);
	assert_int_equal(result.warning_count, 1);
	assert_int_equal(result_warn(&result, "few-runs", "%d runs", 4), 0);
	assert_int_equal(result_warn(&result, "other", "3 runs"), 0);
	assert_int_equal(result.warning_count, 3);
	assert_string_equal(result.warnings[0].code, "few-runs");
	assert_string_equal(result.warnings[0].text, "3 runs");
	char longer[3000];
	memset(longer, 'w', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(result_warn(&result, "long", "%s", longer), 0);
	assert_int_equal(strlen(result.warnings[3].text), 1023);
	/* What was dropped can be said again. */
	result_drop_warnings(&result, 1);
	assert_int_equal(result.warning_count, 1);
	assert_int_equal(result_warn(&result, "few-runs", "%d runs", 3), 0);
	assert_int_equal(result_warn(&result, "other", "3 runs"), 0);
	assert_int_equal(result_warn(&result, "other", "3 runs"), 0);
	assert_int_equal(result.warning_count, 2);
	assert_string_equal(result.warnings[1].code, "other");
	result_release(&result);
}

static void test_warnings_about(void **state)
{
	(void)state;
	struct result result, other;
	result_init(&result);
	result_init(&other);
	assert_int_equal(result_about_warn(&result, "one-run", "a: b", "%d run", 1), 0);
	assert_string_equal(result.warnings[0].text, "a: b: 1 run");
	assert_string_equal(result.warnings[0].about, "a: b");
	assert_string_equal(warning_rest(&result.warnings[0]), "1 run");
	assert_int_equal(result_warn(&result, "plain", "x: y"), 0);
	assert_null(result.warnings[1].about);
	assert_string_equal(warning_rest(&result.warnings[1]), "x: y");
	/* The hash grows, and everything is still found in it. */
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 500; i++)
			assert_int_equal(result_warn(&result, i % 2 ? "odd" : "even", "%d", i), 0);
	assert_int_equal(result.warning_count, 502);
	assert_int_equal(result_warn(&other, "plain", "x: y"), 0);
	assert_int_equal(result_adopt_warnings(&other, &result), 0);
	assert_int_equal(other.warning_count, 502);
	assert_string_equal(other.warnings[1].about, "a: b");
	result_release(&result);
	result_release(&other);
}

static void test_titles(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	for (int i = 0; i < 5; i++)
		result_add_subject(&result, i == 4 ? "alone" : "sort");
	for (int i = 0; i < 4; i++) {
		assert_int_equal(result_add_parameter(&result, &result.subjects[i], "n", i % 2 ? "10" : "20"), 0);
		assert_int_equal(result_add_parameter(&result, &result.subjects[i], "pkg", "same"), 0);
		result.subjects[i].program = i < 2 ? "old" : "new";
	}
	assert_int_equal(result_make_titles(&result), 0);
	assert_string_equal(subject_title(&result.subjects[0]), "sort (old, n=20)");
	assert_string_equal(subject_title(&result.subjects[3]), "sort (new, n=10)");
	assert_string_equal(subject_title(&result.subjects[4]), "alone");
	assert_true(subject_same_parameters(&result.subjects[0], &result.subjects[2]));
	assert_false(subject_same_parameters(&result.subjects[0], &result.subjects[1]));
	assert_false(subject_same_parameters(&result.subjects[0], &result.subjects[4]));
	result_release(&result);
	result_init(&result);
	assert_int_equal(result_make_titles(&result), 0);
	result_release(&result);
}

/* Strings are copies: the caller's may go. */
static void test_copies(void **state)
{
	(void)state;
	struct result result;
	char name[] = "before", unit[] = "s";
	result_init(&result);
	struct subject *subject = result_add_subject(&result, name);
	result_add_metric(&result, subject, name, unit, BETTER_HIGHER, levels, 2);
	strcpy(name, "after!");
	strcpy(unit, "x");
	assert_string_equal(subject->name, "before");
	assert_string_equal(subject->metrics[0].metric.name, "before");
	assert_string_equal(subject->metrics[0].metric.unit, "s");
	assert_int_equal(subject->metrics[0].metric.better, BETTER_HIGHER);
	result_release(&result);
}

/* Builds a small result; -1 when an allocation failed. */
static int build(struct result *result)
{
	struct subject *subject = NULL;
	char big[5000]; /* larger than a chunk, so that strings need allocations of their own */
	memset(big, 'b', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	for (int s = 0; s < 3; s++)
		if (!(subject = result_add_subject(result, big)))
			return -1;
	for (int m = 0; m < 3; m++) {
		struct measurement *metric = result_add_metric(result, subject, big, "s", BETTER_LOWER, levels, 2);
		if (!metric || series_append(&metric->series, 0, 1, NULL) != 0)
			return -1;
	}
	if (result_add_parameter(result, subject, "p", big) != 0 ||
	    result_add_failure(result, subject, (struct failure){big, 1, 0}) != 0)
		return -1;
	if (!result_add_comparison(result) || result_warn(result, big, "x") != 0)
		return -1;
	return 0;
}

static void test_no_memory(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct result result;
		result_init(&result);
		mem_fail_at(nth);
		int built = build(&result), failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(built, failed ? -1 : 0);
		/* What there is, is whole; and it can go on. */
		for (size_t s = 0; s < result.subject_count; s++)
			assert_int_equal(strlen(result.subjects[s].name), 4999);
		assert_non_null(result_add_subject(&result, "one more"));
		assert_string_equal(result.subjects[result.subject_count - 1].name, "one more");
		result_release(&result);
		if (!failed) {
			assert_true(nth > 10);
			return;
		}
	}
}

static void test_words(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_UNDECIDED), "undecided");
	assert_string_equal(verdict_name(VERDICT_FASTER), "faster");
	assert_string_equal(verdict_name(VERDICT_SLOWER), "slower");
	assert_string_equal(verdict_name(VERDICT_MIXED), "mixed");
	assert_string_equal(verdict_name(VERDICT_SAME), "same");
	assert_null(scope_name(SCOPE_NONE));
	assert_string_equal(scope_name(SCOPE_TYPICAL), "typical");
	assert_string_equal(scope_name(SCOPE_TOTAL), "total");
	assert_null(steady_name(STEADY_UNKNOWN));
	assert_string_equal(steady_name(STEADY_INITIALISED), "initialised");
	const char *const rates[] = {"ops/s", "MB/s",    "items/sec", "Mbps",   "Hz",        "GHz",        "req/min",
	                             "/s",    "bytes/s", "op/ms",     "qps",    "RPS",       "kIOPS",      "GFLOPS",
	                             "fps",   "tps",     "Ops/Sec",   "jobs/h", "jobs/hour", "jobs/minute"};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		assert_int_equal(better_from_unit(rates[i]), BETTER_HIGHER);
	const char *const amounts[] = {"s", "ms", "ns/op", "bytes", "", "B/op", "us", "s/op", "%", "instructions", "laps"};
	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++)
		assert_int_equal(better_from_unit(amounts[i]), BETTER_LOWER);
}

/* Only times and rates are faster or slower; of counts and shares more is larger. */
static void only_speeds_are_slower(void **state)
{
	(void)state;
	static const struct {
		struct metric metric;
		const char *word;
	} cases[] = {
		{{"wall", "s", BETTER_LOWER}, "slower"},    {{"rate", "MB/s", BETTER_HIGHER}, "faster"},
		{{"value", "", BETTER_LOWER}, "slower"},    {{"faults", "", BETTER_LOWER}, "larger"},
		{{"rss", "bytes", BETTER_LOWER}, "larger"}, {{"hits", "%", BETTER_HIGHER}, "larger"},
	};
	const struct level_change change = {.runs = 1, .ratio = 2};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(level_change_direction(&change, &cases[i].metric), cases[i].word);
}

/* Subjects of one name are told apart by what differs among them. 60 000 of them in a moment: the test would time out if
 * each looked at all others. */
static void titles_name_what_differs(void **state)
{
	(void)state;
	enum { MANY = 60000 };
	struct result result;
	result_init(&result);
	for (size_t i = 0; i < MANY; i++) {
		struct subject *subject = result_add_subject(&result, "a");
		char size[32];
		snprintf(size, sizeof(size), "%zu", i);
		assert_int_equal(result_add_parameter(&result, subject, "kind", "k"), 0);
		if (i > 0)
			assert_int_equal(result_add_parameter(&result, subject, "size", size), 0);
		subject->program = i == 2 ? "p" : NULL;
	}
	assert_int_equal(result_make_titles(&result), 0);
	assert_string_equal(subject_title(&result.subjects[0]), "a");
	assert_string_equal(subject_title(&result.subjects[1]), "a (size=1)");
	assert_string_equal(subject_title(&result.subjects[2]), "a (p, size=2)");
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(titles_name_what_differs),
	                                   cmocka_unit_test(only_speeds_are_slower),
	                                   cmocka_unit_test(test_empty),
	                                   cmocka_unit_test(test_many),
	                                   cmocka_unit_test(a_million_subjects_take_little),
	                                   cmocka_unit_test(test_warnings),
	                                   cmocka_unit_test(test_warnings_about),
	                                   cmocka_unit_test(test_titles),
	                                   cmocka_unit_test(test_copies),
	                                   cmocka_unit_test(test_no_memory),
	                                   cmocka_unit_test(test_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
