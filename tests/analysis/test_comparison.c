#include "analysis/analysis.h"

#include "analysis/numbers.h"
#include "base/random.h"
#include "stats/fieller.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static struct measurement *add_subject(struct result *result, const char *name, enum better better)
{
	struct subject *subject = result_add_subject(result, name);
	return result_add_metric(result, subject, "wall", "s", better, levels, 2);
}

static void analyse(struct result *result, struct analysis_options *options)
{
	assert_int_equal(analyse_subjects(result, options, NULL), 0);
	assert_int_equal(analyse_comparisons(result, options, NULL), 0);
}

/* The worked example of the vectors: paired and unpaired intervals of the ratio of means. */
static void worked_intervals(void **state)
{
	(void)state;
	json_t *example = known_load("fieller.json");
	size_t n;
	double *a = known_array(json_object_get(example, "A"), &n), *b = known_array(json_object_get(example, "B"), &n);
	struct analysis_options options;
	analysis_options_init(&options);
	options.confidence = 0.95;
	for (int paired = 0; paired < 2; paired++) {
		struct result result;
		result_init(&result);
		struct measurement *x = add_subject(&result, "a", BETTER_LOWER);
		for (size_t i = 0; i < n; i++)
			series_append(&x->series, 0, a[i], NULL);
		struct measurement *y = add_subject(&result, "b", BETTER_LOWER);
		for (size_t i = 0; i < n; i++)
			series_append(&y->series, 0, b[i], NULL);
		result.design.paired = paired;
		analyse(&result, &options);
		const json_t *interval = paired ? json_object_get(json_array_get(json_object_get(example, "paired"), 0),
		                                                  "interval")
		                                : json_object_get(example, "unpaired95");
		size_t two;
		double *expected = known_array(interval, &two);
		const struct comparison *c = &result.comparisons[0];
		assert_close(comparison_total(c)->ratio, known_number(example, "ratio"), 1e-9);
		/* The total of pairs has half of alpha, and allows for pairs that resemble their neighbours. */
		if (paired) {
			assert_true(comparison_total(c)->ci.low < expected[0] && comparison_total(c)->ci.high > expected[1]);
		} else {
			assert_close(comparison_total(c)->ci.low, expected[0], 1e-9);
			assert_close(comparison_total(c)->ci.high, expected[1], 1e-9);
		}
		assert_int_equal(c->rule, 2);
		assert_int_equal(c->verdict, VERDICT_SLOWER);
		assert_int_equal(c->pairs, paired ? n : 0);
		free(expected);
		result_release(&result);
	}
	free(a);
	free(b);
	json_decref(example);
}

static void direction_follows_the_metric(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 8);
	struct analysis_options options;
	analysis_options_init(&options);
	struct result result;
	result_init(&result);
	struct measurement *x = add_subject(&result, "a", BETTER_HIGHER);
	for (int i = 0; i < 20; i++)
		series_append(&x->series, 0, 100 + random_normal(&random), NULL);
	struct measurement *y = add_subject(&result, "b", BETTER_HIGHER);
	for (int i = 0; i < 20; i++)
		series_append(&y->series, 0, 110 + random_normal(&random), NULL);
	options.gate = 0.02;
	analyse(&result, &options);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_FASTER);
	assert_int_equal(result.comparisons[0].gate, GATE_HELD);
	result_release(&result);
}

/* A gate is broken where the interval that is shown lies beyond it, and never held where it does; whatever the rule of
 * the look, with few units and with units that resemble their neighbours. */
static void the_gate_follows_the_interval_that_is_shown(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 11);
	int seen[3] = {0}, widened = 0, quick = 0;
	for (int repeat = 0; repeat < 900; repeat++) {
		struct analysis_options options;
		analysis_options_init(&options);
		options.looking = (enum looking[]){LOOKED_ONCE, LOOKED_FOR_PRECISION, LOOKED_FOR_VERDICT}[repeat % 3];
		bool paired = repeat % 4 > 0, trend = repeat % 5 == 0;
		int units = 5 + repeat % 12;
		double shift = 0.06 * random_normal(&random), noise = 0.002 + 0.01 * random_uniform(&random);
		struct result result;
		result_init(&result);
		struct measurement *x = add_subject(&result, "a", BETTER_LOWER);
		for (int i = 0; i < units; i++)
			series_append(&x->series, 0, 1 + noise * random_normal(&random), NULL);
		struct measurement *y = add_subject(&result, "b", BETTER_LOWER);
		for (int i = 0; i < units; i++)
			series_append(&y->series, 0, 1 + shift + (trend ? 0.01 * i : 0) + noise * random_normal(&random), NULL);
		result.design.paired = paired;
		options.gate = 0.02;
		analyse(&result, &options);
		const struct comparison *c = &result.comparisons[0];
		bool enough = c->verdict != VERDICT_UNDECIDED; /* units */
		assert_true(c->gate == GATE_BROKEN ? c->gated->ci.low > 1.02 : !enough || comparison_total(c)->ci.low <= 1.02);
		assert_true(c->gate != GATE_HELD || c->gated->ci.high < 1.02);
		assert_true(c->gate != GATE_OPEN || !enough || c->gated->ci.high >= 1.02);
		assert_close(c->gated->limit, 0.02, 1e-12);
		seen[c->gate == GATE_BROKEN ? 0 : c->gate == GATE_HELD ? 1 : 2]++;
		widened += c->gate == GATE_OPEN && trend && paired;
		quick += c->gate != GATE_OPEN && units < 10 && options.looking == LOOKED_FOR_VERDICT;
		result_release(&result);
	}
	assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 100 && widened > 50 && quick > 20);
}

/* Fewer than ten runs without pairs: from five on there is a verdict, marked quick. Looks for a verdict begin at six
 * runs, those for the precision of a side before that. */
static void few_runs_without_pairs_are_judged_once(void **state)
{
	(void)state;
	static const enum looking looking[] = {LOOKED_FOR_VERDICT, LOOKED_FOR_PRECISION};
	for (int k = 0; k < 2; k++)
		for (int runs = 4; runs < 12; runs++) {
			struct analysis_options options;
			analysis_options_init(&options);
			options.looking = looking[k];
			options.gate = 0.02;
			struct result result;
			result_init(&result);
			for (int s = 0; s < 2; s++) {
				struct measurement *m = add_subject(&result, s ? "b" : "a", BETTER_LOWER);
				for (int i = 0; i < runs + s; i++)
					series_append(&m->series, 0, 1 + s + 0.001 * (i % 2), NULL);
			}
			analyse(&result, &options);
			const struct comparison *c = &result.comparisons[0];
			assert_int_equal(c->verdict, runs < 5 ? VERDICT_UNDECIDED : VERDICT_SLOWER);
			assert_int_equal(c->gate, runs < 5 ? GATE_OPEN : GATE_BROKEN);
			assert_true(runs < 5 ? strstr(c->gate_why, "too few for a verdict") != NULL : c->gate_why == NULL);
			assert_int_equal(c->quick, runs < 10);
			assert_string_equal(c->ci.method, k          ? "Fieller, precision stop"
			                                  : runs < 6 ? "Fieller, t"
			                                             : "Fieller, any number of looks");
			result_release(&result);
		}
}

/* Without an end that is known the gate is open, also where higher is better and the interval reaches 0. */
static void a_gate_of_an_unbounded_interval_is_open(void **state)
{
	(void)state;
	static const double base[] = {1, 9, 30}, new_[] = {2, 12, 25};
	for (int k = 0; k < 2; k++) {
		struct analysis_options options;
		analysis_options_init(&options);
		options.gate = 0.02;
		options.method = k ? "welch" : "fieller";
		struct result result;
		result_init(&result);
		struct measurement *x = add_subject(&result, "a", BETTER_HIGHER);
		for (int i = 0; i < 3; i++)
			series_append(&x->series, 0, base[i], NULL);
		struct measurement *y = add_subject(&result, "b", BETTER_HIGHER);
		for (int i = 0; i < 3; i++)
			series_append(&y->series, 0, new_[i], NULL);
		analyse(&result, &options);
		assert_true(result.comparisons[0].ci.unbounded || result.comparisons[0].ci.low <= 0);
		assert_int_equal(result.comparisons[0].gate, GATE_OPEN);
		result_release(&result);
	}
}

/* -5 is larger than -10, but their ratio is below 1. */
static void negative_means_are_not_compared(void **state)
{
	(void)state;
	for (int k = 0; k < 6; k++) {
		struct analysis_options options;
		analysis_options_init(&options);
		options.gate = 0.02;
		options.method = (const char *[]){NULL, "welch", "fieller"}[k % 3];
		struct result result;
		result_init(&result);
		struct measurement *x = add_subject(&result, "a", BETTER_LOWER);
		for (int i = 0; i < 5; i++)
			series_append(&x->series, 0, -10 + 0.1 * i, NULL);
		struct measurement *y = add_subject(&result, "b", BETTER_LOWER);
		for (int i = 0; i < 5; i++)
			series_append(&y->series, 0, -5 + 0.1 * i, NULL);
		result.subjects[0].metrics[0].mean_kind = y->mean_kind = k < 3 ? MEAN_ARITHMETIC : MEAN_HARMONIC;
		analyse(&result, &options);
		assert_int_equal(result.comparisons[0].verdict, VERDICT_UNDECIDED);
		assert_string_equal(result.comparisons[0].unresolved, "a ratio with a negative mean is meaningless");
		assert_int_equal(result.comparisons[0].gate, GATE_OPEN);
		assert_true(isnan(result.comparisons[0].ratio));
		result_release(&result);
	}
}

/* Ratio and interval of a method are both of arithmetic means, also where the subjects have harmonic ones. */
static void a_method_by_name_has_its_own_mean(void **state)
{
	(void)state;
	struct confidence ci[2];
	for (int k = 0; k < 2; k++) {
		struct analysis_options options;
		analysis_options_init(&options);
		options.method = "welch";
		struct result result;
		result_init(&result);
		for (int s = 0; s < 2; s++) {
			struct measurement *m = add_subject(&result, s ? "b" : "a", BETTER_HIGHER);
			m->mean_kind = k ? MEAN_HARMONIC : MEAN_ARITHMETIC;
			for (int i = 0; i < 6; i++)
				series_append(&m->series, 0, (i % 2 ? 100 : 50) * (1 + s * i % 3), NULL);
		}
		analyse(&result, &options);
		assert_close(result.subjects[0].metrics[0].mean, k ? 1 / 0.015 : 75, 1e-9);
		assert_close(result.comparisons[0].ratio, 150.0 / 75, 1e-9);
		ci[k] = result.comparisons[0].ci;
		result_release(&result);
	}
	assert_close(ci[1].low, ci[0].low, 1e-12);
	assert_close(ci[1].high, ci[0].high, 1e-12);
}

/* Half the runs at each of two rates. */
static void add_rates(struct result *result, const char *name, enum mean_kind kind, double low, double high)
{
	struct measurement *m = add_subject(result, name, BETTER_HIGHER);
	m->mean_kind = kind;
	for (int i = 0; i < 600; i++)
		series_append(&m->series, 0, i % 2 ? high : low, NULL);
}

static int times_warned(const struct result *result, const char *code)
{
	int times = 0;
	for (size_t i = 0; i < result->warning_count; i++)
		times += strcmp(result->warnings[i].code, code) == 0;
	return times;
}

/* 50 and 100 in turn: 75 at first sight, and 66.7 of equal work. Ratio, interval, verdict and gate are of that. */
static void independent_rates_are_compared_by_their_harmonic_means(void **state)
{
	(void)state;
	for (int worse = 0; worse < 2; worse++) {
		struct analysis_options options;
		struct result result;
		struct interval expected;
		double x[600], y[600], ratio;
		analysis_options_init(&options);
		options.gate = 0.03;
		options.clock_quantum = 1e-9; /* two values look like the ticks of a clock */
		result_init(&result);
		add_rates(&result, "a", MEAN_HARMONIC, worse ? 75 : 50, worse ? 76 : 100);
		add_rates(&result, "b", MEAN_HARMONIC, worse ? 50 : 75, worse ? 100 : 76);
		analyse(&result, &options);
		const struct measurement *a = &result.subjects[0].metrics[0], *b = &result.subjects[1].metrics[0];
		const struct comparison *c = &result.comparisons[0];
		for (int i = 0; i < 600; i++) {
			x[i] = 1 / a->series.values[i];
			y[i] = 1 / b->series.values[i];
		}
		assert_int_equal(fieller_unpaired(y, 600, x, 600, critical_t(0.01, 599), &ratio, &expected), STATS_OK);
		assert_close(c->ratio, b->mean / a->mean, 1e-12);
		assert_close(comparison_total(c)->ratio, ratio, 1e-12);
		assert_close(c->ci.low, expected.low, 1e-12);
		assert_close(c->ci.high, expected.high, 1e-12);
		assert_int_equal(c->verdict, worse ? VERDICT_SLOWER : VERDICT_FASTER);
		assert_int_equal(c->gate, worse ? GATE_BROKEN : GATE_HELD);
		assert_true(c->p_difference < 0.01 && c->p_same_total > 0.5);
		assert_int_equal(times_warned(&result, "mean-kind"), 0);
		result.subjects[1].metrics[0].series.values[7] = 0;
		result.comparison_count = 0;
		analyse(&result, &options);
		assert_true(isnan(result.comparisons[0].ratio));
		assert_string_equal(result.comparisons[0].ratio_why, "a value is not positive");
		assert_int_equal(result.comparisons[0].gate, GATE_OPEN);
		result_release(&result);
	}
}

/* By other methods the comparison is of arithmetic means, and that is said, once for the metric. */
static void another_mean_than_the_one_shown_is_said(void **state)
{
	(void)state;
	static const struct {
		enum mean_kind kind;
		bool paired;
		const char *method;
		int said;
	} cases[] = {{MEAN_ARITHMETIC, false, NULL, 0},  {MEAN_ARITHMETIC, true, NULL, 0},
	             {MEAN_GEOMETRIC, false, NULL, 0},   {MEAN_GEOMETRIC, true, NULL, 0},
	             {MEAN_HARMONIC, false, NULL, 0},    {MEAN_HARMONIC, true, NULL, 0},
	             {MEAN_HARMONIC, false, "welch", 1}, {MEAN_HARMONIC, false, "t", 0},
	             {MEAN_HARMONIC, false, "ewc", 0},   {MEAN_ARITHMETIC, false, "harmonic", 1}};
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct analysis_options options;
		struct result result;
		analysis_options_init(&options);
		options.method = cases[k].method;
		result_init(&result);
		for (int s = 0; s < 3; s++)
			add_rates(&result, (const char *[]){"a", "b", "c"}[s], cases[k].kind, 50 + s, 100);
		result.design.paired = cases[k].paired;
		analyse(&result, &options);
		assert_int_equal(times_warned(&result, "mean-kind"), cases[k].said);
		const struct measurement *a = &result.subjects[0].metrics[0], *b = &result.subjects[1].metrics[0];
		if (!cases[k].said)
			assert_close(comparison_total(&result.comparisons[0])->ratio, b->mean / a->mean, 1e-12);
		result_release(&result);
	}
}

/* The sides of builds that were put together are not known: then there are none to adjust for. */
static void a_duet_without_its_order_is_compared(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 12);
	struct analysis_options options;
	analysis_options_init(&options);
	struct result result;
	result_init(&result);
	struct measurement *x = add_subject(&result, "a", BETTER_LOWER);
	for (int i = 0; i < 20; i++)
		series_append(&x->series, 0, 1 + 0.01 * random_normal(&random), NULL);
	struct measurement *y = add_subject(&result, "b", BETTER_LOWER);
	for (int i = 0; i < 20; i++)
		series_append(&y->series, 0, 1.2 + 0.01 * random_normal(&random), NULL);
	result.design.paired = true;
	result.design.name = "duet";
	analyse(&result, &options);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_SLOWER);
	result_release(&result);
}

/* 1000 pairs of commands: blocks, typical, total and share; orders by letters. */
static void pairs_of_commands_make_blocks(void **state)
{
	(void)state;
	enum { PAIRS = 1000 };
	struct random random;
	random_seed(&random, 9);
	struct analysis_options options;
	analysis_options_init(&options);
	struct result result;
	result_init(&result);
	static const char *order[PAIRS];
	double drift[PAIRS];
	struct measurement *x = add_subject(&result, "a", BETTER_LOWER);
	for (int i = 0; i < PAIRS; i++) {
		drift[i] = 0.02 * exp(0.3 * random_normal(&random));
		order[i] = random_below(&random, 2) ? "AB" : "BA";
		series_append(&x->series, 0, drift[i] * (1 + 0.002 * random_normal(&random)), NULL);
	}
	struct measurement *y = add_subject(&result, "b", BETTER_LOWER);
	for (int i = 0; i < PAIRS; i++)
		series_append(&y->series, 0, 1.01 * drift[i] * (1 + 0.002 * random_normal(&random)), NULL);
	result.design.paired = true;
	result.design.order = order;
	result.design.order_count = PAIRS;
	analyse(&result, &options);
	const struct comparison *c = &result.comparisons[0];
	assert_int_equal(c->block, 20); /* a pair takes about 40 ms */
	assert_int_equal(c->units, 29); /* of one look */
	assert_int_equal(c->verdict, VERDICT_SLOWER);
	assert_true(c->ci.low < 1.01 && 1.01 < c->ci.high);
	assert_true(c->ci.high - c->ci.low < 0.002);
	assert_true(c->paired->shuffle_width_ratio > 5);
	assert_false(isnan(c->paired->order_effect));
	result_release(&result);
}

/* Three subjects of the same speed: Holm keeps the family at its level (2000 experiments, error 0.5 points). */
static void several_comparisons_are_held_together(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 10);
	struct analysis_options options;
	analysis_options_init(&options);
	options.confidence = 0.95;
	size_t alarms = 0;
	for (int e = 0; e < 2000; e++) {
		struct result result;
		result_init(&result);
		for (int s = 0; s < 4; s++) {
			struct measurement *m = add_subject(&result,
			                                    s == 0   ? "a"
			                                    : s == 1 ? "b"
			                                    : s == 2 ? "c"
			                                             : "d",
			                                    BETTER_LOWER);
			for (int i = 0; i < 12; i++)
				series_append(&m->series, 0, 10 + 0.3 * random_normal(&random), NULL);
		}
		analyse(&result, &options);
		bool any = false;
		for (size_t i = 0; i < 3; i++)
			any |= result.comparisons[i].verdict == VERDICT_FASTER || result.comparisons[i].verdict == VERDICT_SLOWER;
		alarms += any;
		result_release(&result);
	}
	assert_true((double)alarms / 2000 < 0.05 + 2 * 0.005);
}

static void subjects_without_a_common_metric_are_undecided(void **state)
{
	(void)state;
	struct analysis_options options;
	analysis_options_init(&options);
	struct result result;
	result_init(&result);
	add_subject(&result, "a", BETTER_LOWER);
	struct subject *b = result_add_subject(&result, "b");
	result_add_metric(&result, b, "rate", "ops/s", BETTER_HIGHER, levels, 2);
	analyse(&result, &options);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_UNDECIDED);
	assert_non_null(result.comparisons[0].unresolved);
	result_release(&result);
}

/* The interval of the ratio reaches below 0; a change does not. */
static void no_decrease_exceeds_all(void **state)
{
	(void)state;
	static const double a[] = {10, 10.1, 9.9, 10, 10.05, 10.02}, b[] = {10, -9, 30, 20, -20, 5};
	struct analysis_options options;
	struct result result;
	analysis_options_init(&options);
	result_init(&result);
	add_subject(&result, "a", BETTER_LOWER);
	add_subject(&result, "b", BETTER_LOWER);
	for (size_t i = 0; i < 6; i++) {
		series_append(&result.subjects[0].metrics[0].series, 0, a[i], NULL);
		series_append(&result.subjects[1].metrics[0].series, 0, b[i], NULL);
	}
	analyse(&result, &options);
	assert_true(comparison_total(&result.comparisons[0])->ci.low < 0);
	assert_string_equal(result.comparisons[0].unresolved, "total is not known to within 100 %");
	result_release(&result);
}

static void assert_share_words(double low, double high, const char *expected)
{
	struct result result;
	struct judged judged = {.rule = {.verdict = verdict_defaults(0.01)},
	                        .numbers = {.verdict = RATIO_UNDECIDED,
	                                    .unresolved = VERDICT_SHARE,
	                                    .units = 20,
	                                    .pairs = 200,
	                                    .runs = 200,
	                                    .typical = {.used = true, .estimate = 1, .inside = true},
	                                    .share = {.used = true, .same_interval = {low, high}}}};
	result_init(&result);
	add_subject(&result, "a", BETTER_LOWER);
	add_subject(&result, "b", BETTER_LOWER);
	struct comparison *c = result_add_comparison(&result);
	c->new_ = 1;
	c->metric = "wall";
	assert_int_equal(numbers_fill(&result, c, &judged, NULL), 0);
	assert_non_null(strstr(c->unresolved, expected));
	result_release(&result);
}

static void an_open_share_is_told_with_its_direction(void **state)
{
	(void)state;
	assert_share_words(-0.01, 0.034,
	                   "the usual run is the same within 1.0 %, but up to 3.4 points more runs may be slow");
	assert_share_words(-0.052, 0.01, ", but up to 5.2 points fewer runs may be slow");
}

/* What earlier looks have excluded is not told as the size, in no document, though all pairs together give it. */
static void an_estimate_lies_in_its_interval(void **state)
{
	(void)state;
	struct result result;
	struct judged judged = {.rule = {.verdict = verdict_defaults(0.01)},
	                        .numbers = {.verdict = RATIO_HIGHER,
	                                    .decided_by = VERDICT_TOTAL,
	                                    .units = 20,
	                                    .pairs = 200,
	                                    .runs = 200,
	                                    .typical = {.used = true, .estimate = 1.03, .interval = {0.99, 1.06}},
	                                    .total = {.used = true, .estimate = 0.995, .interval = {1.02, 1.06}}}};
	result_init(&result);
	add_subject(&result, "a", BETTER_LOWER);
	add_subject(&result, "b", BETTER_LOWER);
	struct comparison *c = result_add_comparison(&result);
	c->new_ = 1;
	c->metric = "wall";
	assert_int_equal(numbers_fill(&result, c, &judged, NULL), 0);
	assert_true(c->ratio == 1.03 && comparison_total(c)->ratio == 1.02 && comparison_total(c)->ci.low == 1.02);
	numbers_warn(&result, c, &judged);
	assert_int_equal(result.warning_count, 1);
	assert_string_equal(result.warnings[0].text,
	                    "b: later pairs moved the total of wall to -0.5 %, outside the interval of "
	                    "the earlier ones; measure again");
	result_release(&result);
}

static struct subject *add_benchmark(struct result *result, const char *name, const char *benchmark,
                                     const char *program)
{
	struct measurement *m = add_subject(result, name, BETTER_LOWER);
	for (int i = 0; i < 5; i++)
		series_append(&m->series, 0, 1 + 0.01 * i, NULL);
	struct subject *subject = &result->subjects[result->subject_count - 1];
	subject->benchmark = benchmark;
	subject->program = program;
	return subject;
}

/* A benchmark is compared with itself in another program, and with no other benchmark. */
static void benchmarks_are_compared_with_themselves(void **state)
{
	(void)state;
	struct analysis_options options;
	struct result result;
	analysis_options_init(&options);
	options.by_benchmark = true;
	result_init(&result);
	add_benchmark(&result, "sort", "sort", "old");
	add_benchmark(&result, "find", "find", "old");
	result_add_parameter(&result, add_benchmark(&result, "find", "find", "old"), "n", "10");
	add_benchmark(&result, "plain", NULL, NULL);
	add_benchmark(&result, "sort", "sort", "new");
	result_add_parameter(&result, add_benchmark(&result, "find", "find", "new"), "n", "10");
	add_benchmark(&result, "other", NULL, NULL);
	analyse(&result, &options);
	assert_int_equal(result.comparison_count, 3);
	static const size_t expected[][2] = {{0, 4}, {2, 5}, {3, 6}};
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(result.comparisons[i].base, expected[i][0]);
		assert_int_equal(result.comparisons[i].new_, expected[i][1]);
	}
	result_release(&result);
}

/* 50 iterations of one process on each side, far apart: a ratio, and no verdict. */
static void one_run_on_a_side_gives_no_verdict(void **state)
{
	(void)state;
	struct analysis_options options;
	struct result result;
	struct random random;
	random_seed(&random, 6);
	analysis_options_init(&options);
	options.gate = 0.02;
	result_init(&result);
	for (int side = 0; side < 2; side++) {
		struct measurement *m = add_subject(&result, side ? "b" : "a", BETTER_LOWER);
		for (int i = 0; i < 50; i++)
			series_append(&m->series, i == 0 ? 0 : 1, (side ? 1.2 : 1) + 0.01 * random_normal(&random), NULL);
	}
	analyse(&result, &options);
	const struct comparison *c = &result.comparisons[0];
	assert_close(c->ratio, 1.2, 0.01);
	assert_true(c->ci.low > 1.1 && c->ci.high < 1.3);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	assert_int_equal(c->units, 1);
	assert_int_equal(c->gate, GATE_OPEN);
	result_release(&result);
}

/* b is 1.01 times a in every pair; lost[side] has a bit for each value that is. */
static void a_pair_is_lost_with_either_of_its_values(void **state)
{
	(void)state;
	static const struct {
		unsigned lost[2];
		size_t pairs;
	} cases[] = {{{1, 1 << 11}, 10}, {{1, 0}, 11}, {{0x555, 0xaaa}, 0}};
	static const char *const methods[] = {"fieller", "duet-paper", "welch", "bootstrap"};
	for (int k = 0; k < 12; k++) {
		struct analysis_options options;
		struct result result;
		analysis_options_init(&options);
		options.method = methods[k % 4];
		result_init(&result);
		for (int side = 0; side < 2; side++) {
			struct measurement *m = add_subject(&result, side ? "b" : "a", BETTER_LOWER);
			for (int i = 0; i < 12; i++) {
				double value = (side ? 1.01 : 1) * (1 + 0.3 * (i % 4));
				series_append(&m->series, 0, cases[k / 4].lost[side] >> i & 1 ? NAN : value, NULL);
			}
		}
		result.design.paired = true;
		analyse(&result, &options);
		const struct comparison *c = &result.comparisons[0];
		assert_int_equal(c->pairs, cases[k / 4].pairs);
		assert_int_equal(c->units, c->pairs);
		assert_true(c->pairs ? fabs(c->ratio - 1.01) < 1e-9 : strcmp(c->unresolved, "no pair has both values") == 0);
		assert_true(k % 4 > 1 || c->pairs == 0 || (c->ci.low > 1.009 && c->ci.high < 1.011));
		result_release(&result);
	}
}

/* The size of units stays what it was when the session began. */
static void a_session_broken_off_early_keeps_its_units(void **state)
{
	(void)state;
	struct analysis_options options;
	struct result result;
	analysis_options_init(&options);
	options.block = 20;
	options.looking = LOOKED_FOR_VERDICT;
	result_init(&result);
	for (size_t s = 0; s < 2; s++) {
		struct measurement *m = add_subject(&result, s ? "b" : "a", BETTER_LOWER);
		for (int i = 0; i < 21; i++)
			series_append(&m->series, 0, (s ? 2 : 1) + 0.01 * (i % 3), NULL);
	}
	result.design.paired = true;
	analyse(&result, &options);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_SLOWER); /* twice is seen in 21 pairs */
	assert_string_equal(result.comparisons[0].decided_by, "total");
	assert_int_equal(result.comparisons[0].block, 20);
	assert_int_equal(result.comparisons[0].units, 1);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_intervals),
		cmocka_unit_test(a_session_broken_off_early_keeps_its_units),
		cmocka_unit_test(direction_follows_the_metric),
		cmocka_unit_test(the_gate_follows_the_interval_that_is_shown),
		cmocka_unit_test(few_runs_without_pairs_are_judged_once),
		cmocka_unit_test(a_gate_of_an_unbounded_interval_is_open),
		cmocka_unit_test(negative_means_are_not_compared),
		cmocka_unit_test(a_method_by_name_has_its_own_mean),
		cmocka_unit_test(independent_rates_are_compared_by_their_harmonic_means),
		cmocka_unit_test(another_mean_than_the_one_shown_is_said),
		cmocka_unit_test(a_duet_without_its_order_is_compared),
		cmocka_unit_test(pairs_of_commands_make_blocks),
		cmocka_unit_test(several_comparisons_are_held_together),
		cmocka_unit_test(subjects_without_a_common_metric_are_undecided),
		cmocka_unit_test(no_decrease_exceeds_all),
		cmocka_unit_test(an_open_share_is_told_with_its_direction),
		cmocka_unit_test(an_estimate_lies_in_its_interval),
		cmocka_unit_test(benchmarks_are_compared_with_themselves),
		cmocka_unit_test(one_run_on_a_side_gives_no_verdict),
		cmocka_unit_test(a_pair_is_lost_with_either_of_its_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
