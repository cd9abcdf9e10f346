#include "report/paper.h"

#include "analysis/analysis.h"
#include "report/overview.h"
#include "report/words.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* Old and new with these values, a run each; compared. */
static void compare_metric(struct result *result, const char *metric, const char *unit, enum better better,
                           const double *old, const double *new_, size_t n)
{
	struct analysis_options options;
	result_init(result);
	for (size_t s = 0; s < 2; s++)
		result_add_metric(result, result_add_subject(result, s ? "new_1" : "old"), metric, unit, better, levels, 2);
	for (size_t i = 0; i < n; i++) {
		series_append(&result->subjects[0].metrics[0].series, 0, old[i], NULL);
		series_append(&result->subjects[1].metrics[0].series, 0, new_[i], NULL);
	}
	result->design.name = "solo";
	analysis_options_init(&options);
	assert_int_equal(analyse_subjects(result, &options, NULL), 0);
	assert_int_equal(analyse_comparisons(result, &options, NULL), 0);
}

static void compare(struct result *result, const double *old, const double *new_, size_t n)
{
	compare_metric(result, "wall", "s", BETTER_LOWER, old, new_, n);
}

static void assert_effect(const double *old, const double *new_, size_t n, const char *expected)
{
	struct result result;
	struct buffer text = {0};
	compare(&result, old, new_, n);
	words_effect(&result, &result.comparisons[0], &text);
	assert_string_equal(buffer_text(&text), expected);
	buffer_release(&text);
	result_release(&result);
}

/* Half-widths by the formula with scipy.stats.t.ppf(0.995, 5): 0.0402, 0.0354, 0.1134, 0.0429. */
static void effects_have_a_size_and_an_interval(void **state)
{
	(void)state;
	static const double old[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4}, slower[] = {10.9, 10.7, 10.8, 11.0, 10.6, 10.9};
	static const double twice[] = {31.2, 30.4, 30.9, 31.0, 30.6, 30.1}, wild[] = {3, -3.1, 2, -2.2, 1, -0.5};
	assert_effect(old, slower, 6, "new_1 is slower than old by 6.6 % ± 4.0 % (99 %)");
	assert_effect(slower, old, 6, "new_1 is faster than old by 6.2 % ± 3.5 % (99 %)");
	assert_effect(old, twice, 6, "new_1 is slower than old by a factor of 3.02 ± 0.11 (99 %)");
	assert_effect(old, old, 6, "No difference between new_1 and old is shown: 0.0 % ± 4.3 % (99 %)");
	assert_effect(wild, old, 6,
	              "The ratio of new_1 to old is unbounded: the mean of the latter cannot be distinguished from 0");
}

/* An interval of the ratio that reaches 0: no "times", and no decrease of more than 100 %. */
static void nothing_is_less_than_nothing(void **state)
{
	(void)state;
	static const double old[] = {10, 10.1, 9.9, 10, 10.05, 10.02}, wide[] = {0.1, 0.2, 0.1, 5, 0.15, 0.1};
	static const double zero[6] = {0}, below[] = {-1, -1.1, -0.9, -1, -1, -1};
	assert_effect(old, wide, 6, "new_1 is 91 % faster than old (58 % to 100 %, 99 %)");
	assert_effect(old, zero, 6, "new_1 is 100.0 % faster than old (100.0 % to 100.0 %, 99 %)");
	assert_effect(old, below, 6, "cannot compare new_1 with old: a ratio with a negative mean is meaningless");
}

static void assert_share(enum verdict verdict, double difference, double low, double high, const char *expected)
{
	static const double old[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4};
	struct result result;
	struct buffer text = {0};
	compare(&result, old, old, 6);
	struct comparison *c = &result.comparisons[0];
	c->verdict = verdict;
	c->decided_by = "share";
	struct pair_findings paired = *c->paired;
	paired.share_difference = difference;
	paired.share_ci = (struct confidence){.level = 0.99, .low = low, .high = high};
	c->paired = &paired;
	words_verdict(&result, c, &text);
	assert_string_equal(buffer_text(&text), expected);
	buffer_release(&text);
	result_release(&result);
}

static void bounds_of_the_slow_share_are_turned_with_it(void **state)
{
	(void)state;
	assert_share(VERDICT_SLOWER, 0.021, 0.011, 0.031,
	             "new_1 is slower than old: 2.1 percentage points more slow runs (1.1 to 3.1, 99 %)");
	assert_share(VERDICT_FASTER, -0.021, -0.031, -0.011,
	             "new_1 is faster than old: 2.1 percentage points fewer slow runs (1.1 to 3.1, 99 %)");
}

/* What is the same is told by its interval, or, where that excludes no change, by its small number. */
static void a_small_difference_is_told_as_such(void **state)
{
	(void)state;
	static const double old[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4};
	static const struct {
		enum scope scope;
		double ratio, low, high;
		const char *words;
	} cases[] = {
		{SCOPE_TOTAL, 1.0005, 0.998, 1.003,
	     "new_1 is the same as old within 1.0 % (in total; [-0.20 %, +0.30 %], 99 %)"},
		{SCOPE_TOTAL, 1.00103, 1.0005, 1.0016,
	     "new_1 is the same as old within 1.0 %: 0.103 % slower in total (0.050 % to 0.160 %, 99 %)"},
		{SCOPE_TYPICAL, 0.997, 0.996, 0.998,
	     "new_1 is the same as old within 1.0 %: 0.30 % faster in the usual run (0.20 % to 0.40 %, 99 %)"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result result;
		struct buffer text = {0};
		compare(&result, old, old, 6);
		struct comparison *c = &result.comparisons[0];
		c->verdict = VERDICT_SAME;
		c->scope = cases[i].scope;
		c->ratio = cases[i].ratio;
		c->ci = (struct confidence){.level = 0.99, .low = cases[i].low, .high = cases[i].high};
		words_verdict(&result, c, &text);
		assert_string_equal(buffer_text(&text), cases[i].words);
		buffer_release(&text);
		result_release(&result);
	}
}

/* Only times, rates and plain values are fast or slow. */
static void other_quantities_are_better_or_worse(void **state)
{
	(void)state;
	static const double a[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4}, b[] = {20.9, 20.7, 20.8, 21.0, 20.6, 20.9};
	static const struct {
		const char *name, *unit;
		enum better better;
		const char *word;
	} cases[] = {
		{"wall", "s", BETTER_LOWER, "slower"},           {"value", "", BETTER_LOWER, "slower"},
		{"rate", "MB/s", BETTER_HIGHER, "faster"},       {"memory", "bytes", BETTER_LOWER, "worse"},
		{"faults", "", BETTER_LOWER, "worse"},           {"allocs/op", "allocs/op", BETTER_LOWER, "worse"},
		{"energy", "J", BETTER_LOWER, "worse"},          {"hits", "%", BETTER_HIGHER, "better"},
		{"failures", "faults/s", BETTER_LOWER, "worse"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result result;
		struct buffer verdict = {0}, effect = {0};
		char expected[40];
		compare_metric(&result, cases[i].name, cases[i].unit, cases[i].better, a, b, 6);
		words_verdict(&result, &result.comparisons[0], &verdict);
		words_effect(&result, &result.comparisons[0], &effect);
		snprintf(expected, sizeof(expected), "times %s than old", cases[i].word);
		assert_non_null(strstr(buffer_text(&verdict), expected));
		snprintf(expected, sizeof(expected), "new_1 is %s than old by", cases[i].word);
		assert_non_null(strstr(buffer_text(&effect), expected));
		buffer_release(&verdict);
		buffer_release(&effect);
		result_release(&result);
	}
}

/* Kalibera and Jones, eq. 6: with both relative variances v the half-width is about t·√(2v/R). */
static void needed_counts_are_those_of_the_formula(void **state)
{
	(void)state;
	static const double old[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4}, slower[] = {10.9, 10.7, 10.8, 11.0, 10.6, 10.9};
	struct result result;
	struct buffer text = {0};
	size_t runs = 0;
	compare(&result, old, slower, 6);
	words_needed(&result, &result.comparisons[0], &text);
	assert_int_equal(sscanf(buffer_text(&text), "about %zu runs of each would give ± 1.0 %%", &runs), 1);
	const struct measurement *a = &result.subjects[0].metrics[0], *b = &result.subjects[1].metrics[0];
	double v = a->sd / a->mean * a->sd / a->mean + b->sd / b->mean * b->sd / b->mean, z = 2.5758;
	assert_true(fabs((double)runs - z * z * v / 1e-4) < 6); /* t is a little more than z */
	result_release(&result);
	buffer_release(&text);
}

/* The spread is that of the values as they are: it is set against their arithmetic mean, whichever is shown. */
static void needed_counts_do_not_depend_on_the_kind_of_mean(void **state)
{
	(void)state;
	static const double old[] = {10, 14, 9, 12, 10, 15}, slower[] = {16, 12, 18, 13, 17, 11};
	struct result result;
	struct buffer text = {0};
	size_t arithmetic = 0, harmonic = 0;
	compare(&result, old, slower, 6);
	words_needed(&result, &result.comparisons[0], &text);
	assert_int_equal(sscanf(buffer_text(&text), "about %zu runs", &arithmetic), 1);
	for (size_t s = 0; s < 2; s++) {
		struct measurement *m = &result.subjects[s].metrics[0];
		double sum = 0;
		m->mean_kind = MEAN_HARMONIC;
		for (size_t i = 0; i < 6; i++)
			sum += 1 / m->series.values[i];
		m->mean = 6 / sum;
	}
	buffer_clear(&text);
	words_needed(&result, &result.comparisons[0], &text);
	assert_int_equal(sscanf(buffer_text(&text), "about %zu runs", &harmonic), 1);
	assert_int_equal(harmonic, arithmetic);
	assert_true(arithmetic > 1000 && arithmetic % 100 == 0); /* six values tell no more than two digits */
	result_release(&result);
	buffer_release(&text);
}

static void latex_has_tables_sentence_and_methods(void **state)
{
	(void)state;
	static const double old[] = {10.1, 10.3, 9.9, 10.2, 10.0, 10.4}, slower[] = {10.9, 10.7, 10.8, 11.0, 10.6, 10.9};
	struct result result;
	struct buffer text = {0};
	compare(&result, old, slower, 6);
	result.host.cpu = "A CPU_7";
	result.host.cpus = 4;
	assert_int_equal(paper_latex(&result, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "\\toprule"));
	assert_non_null(strstr(buffer_text(&text), "new\\_1 is slower than old by 6.6 \\% $\\pm$ 4.0 \\% (99 \\%)."));
	assert_non_null(strstr(buffer_text(&text), "Machine: A CPU\\_7, 4 CPUs."));
	assert_non_null(strstr(buffer_text(&text), "Each subject was measured in 6 runs."));
	/* The two versions of a benchmark have one name. */
	result.subjects[0].name = result.subjects[1].name = "sort";
	result.subjects[0].title = result.subjects[1].title = NULL;
	buffer_clear(&text);
	assert_int_equal(paper_latex(&result, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "\nsort (old) & "));
	assert_non_null(strstr(buffer_text(&text), "\nsort (new) & "));
	assert_non_null(strstr(buffer_text(&text), "\nsort is slower by 6.6 \\% $\\pm$ 4.0 \\% (99 \\%)."));
	buffer_clear(&text);
	paper_methods_markdown(&result, &text);
	assert_non_null(strstr(buffer_text(&text), "<details><summary>How it was measured</summary>"));
	assert_non_null(strstr(buffer_text(&text), "99 %"));
	result_release(&result);
	buffer_release(&text);
}

/* 4 benchmarks in two programs: each has one name, and the counts of so many subjects are told as ranges. */
static void a_suite_of_two_programs_is_told_by_benchmark(void **state)
{
	(void)state;
	static const char *const programs[] = {"./very/long/path/old", "./very/long/path/new"};
	static const char *const benchmarks[] = {"sort", "merge", "parse", "hash"};
	struct result result;
	struct buffer text = {0};
	char name[8][60];
	struct analysis_options options;
	result_init(&result);
	for (size_t s = 0; s < 8; s++) {
		snprintf(name[s], sizeof(name[s]), "%s %s", programs[s % 2], benchmarks[s / 2]);
		struct subject *subject = result_add_subject(&result, name[s]);
		struct measurement *m = result_add_metric(&result, subject, "wall", "s", BETTER_LOWER, levels, 2);
		subject->side = s % 2;
		subject->benchmark = benchmarks[s / 2];
		for (size_t i = 0; i < 6 + s; i++)
			series_append(&m->series, 0, 10 + 0.1 * (double)(i * 7 % 5) + (double)(s % 2), NULL);
	}
	analysis_options_init(&options);
	assert_int_equal(analyse_subjects(&result, &options, NULL), 0);
	for (size_t k = 0; k < 2; k++) {
		struct comparison *c = result_add_comparison(&result);
		*c = (struct comparison){.metric = "wall",
		                         .base = 2 * k,
		                         .new_ = 2 * k + 1,
		                         .ratio = 1.1,
		                         .paired = c->paired,
		                         .gated = c->gated,
		                         .interference = c->interference,
		                         .verdict = VERDICT_SLOWER,
		                         .units = 6};
		c->ci = (struct confidence){.level = 0.99, .low = 1.08, .high = 1.12};
	}
	words_verdict(&result, &result.comparisons[1], &text);
	assert_string_equal(buffer_text(&text), "merge is 10.0 % slower (8.0 % to 12.0 %, 99 %)");
	buffer_clear(&text);
	words_effect(&result, &result.comparisons[1], &text);
	assert_string_equal(buffer_text(&text), "merge is slower by 10.0 % \u00b1 2.0 % (99 %)");
	buffer_clear(&text);
	words_methods(&result, &text);
	assert_non_null(strstr(buffer_text(&text), "The 8 subjects were measured in 6 to 13 runs."));
	/* One benchmark alone: the programs are what is compared. */
	result.comparison_count = 1;
	buffer_clear(&text);
	words_verdict(&result, &result.comparisons[0], &text);
	assert_non_null(strstr(buffer_text(&text), "/new sort is 10.0 % slower than ./very/long/path/old sort"));
	result_release(&result);
	buffer_release(&text);
}

/* Times of different work amounts have no mean; the line through them is the answer. */
static void work_amounts_are_told_by_their_line(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct look look = {0};
	struct work_result work;
	result_init(&result);
	struct subject *subject = result_add_subject(&result, "copy");
	struct measurement *m = result_add_metric(&result, subject, "wall", "s", BETTER_LOWER, levels, 2);
	for (size_t i = 0; i < 6; i++)
		series_append(&m->series, 0, (double)(i + 1), NULL);
	m->n = 6;
	m->mean = m->median = 3.5;
	work_result_init(&work);
	work.speed_unit = "MB/s";
	work.speed = 101;
	work.speed_ci = (struct confidence){.level = 0.95, .low = 99, .high = 103};
	work.alpha = 0.5;
	work.alpha_ci = (struct confidence){.level = 0.95, .low = 0.4, .high = 0.6};
	work.rounds = work.used = 6;
	subject->work = &work;
	assert_int_equal(paper_latex(&result, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "stable speed & 101.0 MB/s & {[}99.0, 103.0{]}"));
	assert_null(strstr(buffer_text(&text), "mean wall"));
	buffer_clear(&text);
	assert_int_equal(overview_markdown(&result, &look, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "| stable speed | 101.0 MB/s |"));
	assert_null(strstr(buffer_text(&text), "mean wall"));
	buffer_release(&text);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects_have_a_size_and_an_interval),
		cmocka_unit_test(nothing_is_less_than_nothing),
		cmocka_unit_test(bounds_of_the_slow_share_are_turned_with_it),
		cmocka_unit_test(a_small_difference_is_told_as_such),
		cmocka_unit_test(other_quantities_are_better_or_worse),
		cmocka_unit_test(needed_counts_are_those_of_the_formula),
		cmocka_unit_test(needed_counts_do_not_depend_on_the_kind_of_mean),
		cmocka_unit_test(latex_has_tables_sentence_and_methods),
		cmocka_unit_test(a_suite_of_two_programs_is_told_by_benchmark),
		cmocka_unit_test(work_amounts_are_told_by_their_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
