#include "stats/verdict.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A unit from the worked unit values; the medians are not part of them, so a time of 1 ms stands in. */
static struct unit unit_from(const json_t *values)
{
	size_t n = (size_t)known_number(values, "n"), slow_base = (size_t)known_number(values, "slow_A");
	size_t slow_new = (size_t)known_number(values, "slow_B");
	return (struct unit){
		.pairs = n,
		.base = known_number(values, "mean_A"),
		.new_ = known_number(values, "mean_B"),
		.typical = {known_number(values, "typical"), known_number(values, "order_effect")},
		.share = {n, slow_base, slow_new, known_number(values, "share_diff"), 1e6, 1e6},
	};
}

static struct unit unit_from_pairs(const json_t *block)
{
	size_t n, count;
	double *a = known_array(json_object_get(block, "A_ns"), &n),
		   *b = known_array(json_object_get(block, "B_ns"), &count);
	double *order = known_array(json_object_get(block, "order"), &count);
	unsigned char first[64];
	assert_true(n <= sizeof(first) && count == n);
	for (size_t i = 0; i < n; i++)
		first[i] = (unsigned char)order[i];
	struct unit unit;
	assert_int_equal(unit_of(a, b, first, n, false, &unit), STATS_OK);
	free(a);
	free(b);
	free(order);
	return unit;
}

static void assert_unit(const struct unit *unit, const json_t *values)
{
	assert_close(unit->typical.log_ratio, known_number(values, "typical"), 1e-9);
	assert_close(unit->typical.order_effect, known_number(values, "order_effect"), 1e-9);
	assert_int_equal(unit->share.slow_base, (size_t)known_number(values, "slow_A"));
	assert_int_equal(unit->share.slow_new, (size_t)known_number(values, "slow_B"));
	assert_close(unit->share.difference, known_number(values, "share_diff"), 1e-9);
	assert_close(unit->base, known_number(values, "mean_A"), 1e-9);
	assert_close(unit->new_, known_number(values, "mean_B"), 1e-9);
	assert_int_equal(unit->pairs, (size_t)known_number(values, "n"));
	assert_close(unit->base * (double)unit->pairs, known_number(values, "sum_A"), 1e-9);
	assert_close(unit->new_ * (double)unit->pairs, known_number(values, "sum_B"), 1e-9);
}

static void test_unit(void **state)
{
	(void)state;
	json_t *known = known_load("verdict.json"), *example = json_object_get(known, "unit_example");
	struct unit unit = unit_from_pairs(json_object_get(example, "input"));
	assert_unit(&unit, json_object_get(example, "output"));
	json_decref(known);
}

static void assert_interval(struct interval actual, const json_t *object, const char *key)
{
	const json_t *expected = json_object_get(object, key);
	assert_close(actual.low, json_number_value(json_array_get(expected, 0)), 1e-9);
	assert_close(actual.high, json_number_value(json_array_get(expected, 1)), 1e-9);
}

static void assert_flag(bool actual, const json_t *object, const char *group, const char *key)
{
	const json_t *flag = json_object_get(json_object_get(object, group), key);
	assert_true(json_is_boolean(flag));
	assert_int_equal(actual, json_is_true(flag));
}

static const char *word(const struct verdict_numbers *numbers)
{
	switch (numbers->verdict) {
	case RATIO_UNDECIDED: return "undecided";
	case RATIO_SAME: return numbers->same_total ? "same" : "same-typical";
	default: return "different";
	}
}

/* Every field of a worked decision. */
static void assert_decision(const struct verdict_numbers *numbers, const json_t *expected)
{
	assert_int_equal(numbers->units, (size_t)known_number(expected, "units"));
	assert_int_equal(numbers->pairs / numbers->units, (size_t)known_number(expected, "pairs_per_unit"));
	assert_close(numbers->typical.estimate, known_number(expected, "typical_ratio"), 1e-9);
	assert_close(numbers->typical.se, known_number(expected, "typical_se_log"), 1e-9);
	assert_interval(numbers->typical.interval, expected, "typical_interval");
	assert_interval(numbers->typical.same_interval, expected, "typical_same_interval");
	assert_close(numbers->total.estimate, known_number(expected, "total_ratio"), 1e-9);
	assert_close(numbers->total.t, known_number(expected, "total_t_at_1"), 1e-9);
	assert_interval(numbers->total.interval, expected, "total_interval");
	assert_close(numbers->share.estimate, known_number(expected, "slow_share_diff"), 1e-9);
	assert_close(numbers->share.se, known_number(expected, "slow_share_se"), 1e-9);
	assert_interval(numbers->share.interval, expected, "slow_share_interval");
	assert_interval(numbers->share.same_interval, expected, "slow_share_same_interval");
	assert_close(numbers->typical.c, known_number(expected, "c_typical"), 1e-9);
	assert_close(numbers->total.c, known_number(expected, "c_total"), 1e-9);
	assert_close(numbers->share.c, known_number(expected, "c_share"), 1e-9);
	assert_close(numbers->typical.c_same, known_number(expected, "c_same"), 1e-9);
	assert_close(numbers->c_warn, known_number(expected, "c_warn"), 1e-9);
	assert_flag(numbers->decided_by & VERDICT_TYPICAL, expected, "excludes", "typical");
	assert_flag((numbers->decided_by & VERDICT_TOTAL) != 0, expected, "excludes", "total");
	assert_flag((numbers->decided_by & VERDICT_SHARE) != 0, expected, "excludes", "share");
	assert_flag(numbers->typical.inside, expected, "inside", "typical");
	assert_flag(numbers->total.inside, expected, "inside", "total");
	assert_flag(numbers->share.inside, expected, "inside", "share");
	assert_close(numbers->disagreement_t, known_number(expected, "W2_t"), 1e-9);
	assert_int_equal(numbers->disagree, json_is_true(json_object_get(expected, "W2_warn")));
	assert_string_equal(word(numbers), json_string_value(json_object_get(expected, "verdict")));
	assert_int_equal(json_object_size(expected), 23);
}

static struct verdict_sum sum_of_example(const json_t *example)
{
	struct verdict_sum sum = {0};
	const json_t *blocks = json_object_get(example, "blocks");
	size_t i;
	json_t *values;
	json_array_foreach(json_object_get(example, "unit_values"), i, values)
	{
		struct unit unit = unit_from(values);
		if (json_is_array(blocks)) {
			unit = unit_from_pairs(json_array_get(blocks, i));
			assert_unit(&unit, values);
		}
		verdict_add(&sum, &unit);
	}
	return sum;
}

static void test_worked_decisions(void **state)
{
	(void)state;
	json_t *known = known_load("verdict.json"), *example;
	size_t i;
	json_array_foreach(json_object_get(known, "decide_examples"), i, example)
	{
		struct verdict_sum sum = sum_of_example(example);
		struct verdict_numbers numbers;
		struct verdict_options options = verdict_defaults(0.05);
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_decision(&numbers, json_object_get(example, "output"));
		options.quantum = 0.001 * fmin(running_mean(&sum.median_base), running_mean(&sum.median_new));
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_decision(&numbers, json_object_get(example, "output_clock_rel_0_001"));
		options = verdict_defaults(0.01);
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_decision(&numbers, json_object_get(example, "output_99"));
	}
	assert_int_equal(i, 6);
	json_decref(known);
}

static void test_words(void **state)
{
	(void)state;
	json_t *known = known_load("verdict.json"), *examples = json_object_get(known, "decide_examples");
	struct verdict_options options = verdict_defaults(0.05);
	struct verdict_numbers numbers;
	struct verdict_sum sum = sum_of_example(json_array_get(examples, 1)); /* shift of 1 % */
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL);
	assert_true(numbers.total_times_wider > 50);
	assert_true(verdict_skew_note(&numbers, 0.05) && !verdict_skew_note(&numbers, 0.001));
	sum = sum_of_example(json_array_get(examples, 2)); /* a tail only */
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by, VERDICT_SHARE);
	assert_false(verdict_skew_note(&numbers, 0.05));
	sum = sum_of_example(json_array_get(examples, 3)); /* typical resolved, share and total not */
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_UNDECIDED);
	assert_int_equal(numbers.unresolved, VERDICT_SHARE | VERDICT_TOTAL);
	options.share_margin = 0.06;
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_typical && !numbers.same_total);
	assert_int_equal(numbers.unresolved, VERDICT_TOTAL);
	options = verdict_defaults(0.05);
	sum = sum_of_example(json_array_get(examples, 5)); /* second place costs 5 % */
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_true(numbers.order_effect > 0.047 && numbers.order_effect < 0.05);
	assert_true(isnan(numbers.side_effect));
	json_decref(known);
}

/* Units made up from three numbers each. */
static void add_unit(struct verdict_sum *sum, double typical, double base, double new_, size_t slow_base,
                     size_t slow_new, int side)
{
	verdict_add(sum, &(struct unit){
						 .pairs = 100,
						 .base = base,
						 .new_ = new_,
						 .typical = {typical, NAN},
						 .share = {100, slow_base, slow_new, ((double)slow_new - (double)slow_base) / 100, base, new_},
						 .side = side});
}

static void test_directions(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	struct verdict_sum mixed = {0}, lower = {0};
	for (int r = 0; r < 20; r++) {
		double wobble = 0.001 * (r % 3 - 1);
		add_unit(&mixed, -0.05 + wobble, 1, 1 + 50 * wobble, 1, (size_t)(9 + r % 2), 0);
		add_unit(&lower, -0.05 + wobble, 1, exp(-0.05) * (1 + 0.002 * (r % 5 - 2)), 5, 5, 0);
	}
	assert_int_equal(verdict_look(&mixed, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_MIXED);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_SHARE);
	assert_true(numbers.typical.direction == -1 && numbers.share.direction == 1);
	assert_close(numbers.share_base, 0.01, 1e-12);
	assert_close(numbers.share_new, 0.095, 1e-12);
	/* More slow values of a rate are a lower rate: the same direction. */
	options.higher_is_better = true;
	assert_int_equal(verdict_look(&mixed, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_LOWER);
	options.higher_is_better = false;
	assert_int_equal(verdict_look(&lower, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_LOWER);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_TOTAL);
	assert_false(numbers.disagree);
	/* Typical −5 % while the total has not moved: said beside the verdict. */
	struct verdict_sum apart = {0};
	for (int r = 0; r < 20; r++)
		add_unit(&apart, -0.05 + 0.001 * (r % 3 - 1), 1, 1 + 0.002 * (r % 2), 5, 5, 0);
	assert_int_equal(verdict_look(&apart, &options, &numbers), STATS_OK);
	assert_true(numbers.disagree);
	assert_close(numbers.disagreement, log(1.001) + 0.05, 1e-2);
}

/* Which constant, from which alpha, for every way of looking. */
static void test_constants(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	for (int r = 0; r < 12; r++)
		add_unit(&sum, 0.001 * (r % 3 - 1), 1, 1 + 0.002 * (r % 4), 2, 2, 0);
	static const enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME};
	for (size_t i = 0; i < 3; i++) {
		struct verdict_options options = verdict_defaults(0.04);
		struct verdict_numbers numbers;
		options.rule = rules[i];
		options.inflation = 1.5;
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_close(numbers.typical.c, 1.5 * critical_value(rules[i], 0.02, 12, 11), 1e-12);
		assert_close(numbers.total.c, 1.5 * critical_value(rules[i], 0.01, 12, 11), 1e-12);
		assert_close(numbers.share.c, 1.5 * critical_value(rules[i], 0.01, 12, 11), 1e-12);
		assert_close(numbers.typical.c_same, 1.5 * critical_value(rules[i], 0.08, 12, 11), 1e-12);
		options.total_alone = true;
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_close(numbers.total.c, 1.5 * critical_value(rules[i], 0.04, 12, 11), 1e-12);
		assert_close(numbers.total.c_same, 1.5 * critical_value(rules[i], 0.08, 12, 11), 1e-12);
		assert_false(numbers.typical.used || numbers.share.used);
		assert_true(isnan(numbers.typical.estimate) && isnan(numbers.share_base));
	}
}

static void test_total_alone(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	double a[30], b[30], ratio;
	struct random random;
	random_seed(&random, 4);
	for (int r = 0; r < 30; r++) {
		a[r] = 1 + 0.001 * random_normal(&random);
		b[r] = 1 + 0.001 * random_normal(&random);
		verdict_add_pair(&sum, a[r], b[r], 0);
	}
	options.total_alone = true;
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	struct interval expected;
	assert_int_equal(fieller_paired(a, b, 30, critical_anytime(0.01, 30, 29), &ratio, &expected), STATS_OK);
	assert_close(numbers.total.estimate, ratio, 1e-12);
	assert_close(numbers.total.interval.low, expected.low, 1e-12);
	assert_close(numbers.total.interval.high, expected.high, 1e-12);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total && !numbers.same_typical);
	/* Without the option the missing typical has the same effect. */
	options.total_alone = false;
	struct verdict_numbers again;
	assert_int_equal(verdict_look(&sum, &options, &again), STATS_OK);
	assert_close(again.total.interval.low, expected.low, 1e-12);
	assert_int_equal(again.verdict, RATIO_SAME);
}

static void test_unpaired(void **state)
{
	(void)state;
	struct running base = {0}, new_ = {0};
	double a[12], b[15], ratio;
	struct random random;
	random_seed(&random, 5);
	for (int r = 0; r < 12; r++)
		running_add(&base, a[r] = 10 + 0.1 * random_normal(&random));
	for (int r = 0; r < 15; r++)
		running_add(&new_, b[r] = 11 + 0.1 * random_normal(&random));
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	struct interval expected;
	options.rule = CRITICAL_FIXED;
	options.least_units = 3;
	assert_int_equal(verdict_unpaired(&base, &new_, &options, &numbers), STATS_OK);
	assert_int_equal(fieller_unpaired(a, 12, b, 15, critical_t(0.01, 11), &ratio, &expected), STATS_OK);
	assert_close(numbers.total.estimate, ratio, 1e-12);
	assert_close(numbers.total.interval.low, expected.low, 1e-12);
	assert_close(numbers.total.interval.high, expected.high, 1e-12);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by, VERDICT_TOTAL);
	assert_true(numbers.units == 12 && numbers.pairs == 0 && !numbers.quick);
	struct running one = {0};
	running_add(&one, 1);
	assert_int_equal(verdict_unpaired(&base, &one, &options, &numbers), STATS_TOO_FEW);
	assert_int_equal(verdict_unpaired(&base, &(struct running){0}, &options, &numbers), STATS_EMPTY);
}

/* Duet: units on one side each. Adding to a side moves the side effect and nothing else. */
static void test_sides(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers plain, shifted;
	for (double effect = 0; effect < 0.3; effect += 0.2) {
		struct verdict_sum sum = {0};
		for (int r = 0; r < 16; r++) {
			int side = r % 4 == 0 || r % 4 == 3 ? 1 : -1;
			double typical = 0.02 + 0.001 * (r % 3 - 1) + effect * side;
			add_unit(&sum, typical, 1, exp(typical), 3, 3, side);
		}
		assert_int_equal(verdict_look(&sum, &options, effect > 0 ? &shifted : &plain), STATS_OK);
	}
	assert_int_equal(shifted.verdict, RATIO_HIGHER);
	assert_close(shifted.side_effect - plain.side_effect, 0.2, 1e-9);
	assert_close(shifted.typical.estimate, plain.typical.estimate, 1e-9);
	assert_close(shifted.typical.interval.low, plain.typical.interval.low, 1e-9);
	assert_close(shifted.total.interval.high, plain.total.interval.high, 1e-9);
	assert_close(shifted.total.c, critical_anytime(0.0025, 16, 14), 1e-12);
	assert_close(shifted.typical.c, critical_anytime(0.005, 16, 14), 1e-12);
	assert_close(shifted.share.c, critical_anytime(0.0025, 16, 15), 1e-12);
}

static void test_coarse_clock(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	for (int r = 0; r < 40; r++)
		add_unit(&sum, 0.0001 * (r % 3 - 1), 1, 1 + 0.001 * (r % 2 ? 1 : -1), 0, 0, 0);
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	options.quantum = 0.0024 / 0.6;
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_true(!numbers.coarse_clock && numbers.typical.used);
	assert_close(numbers.clock_term, 0.0024, 1e-12);
	options.quantum = 0.0026 / 0.6;
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	assert_true(numbers.coarse_clock && !numbers.typical.used && !numbers.share.used);
	assert_close(numbers.total.c, critical_anytime(0.01, 40, 39), 1e-12);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total);
}

static void test_few_units(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01), last;
	struct verdict_sum sum = {0};
	struct verdict_numbers numbers = {.units = 77};
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_EMPTY);
	add_unit(&sum, 0.1, 1, 1.1, 0, 0, 0);
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_TOO_FEW);
	assert_int_equal(numbers.units, 77);
	for (int r = 1; r < 10; r++) {
		add_unit(&sum, 0.1 + 0.0001 * (r % 3), 1 + 0.001 * (r % 2), 1.1, 0, 0, 0);
		size_t units = (size_t)r + 1;
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		assert_int_equal(numbers.verdict, units < 10 ? RATIO_UNDECIDED : RATIO_HIGHER);
		assert_int_equal(numbers.unresolved, units < 10 ? VERDICT_UNITS : 0);
		assert_int_equal(numbers.quick, units < 10);
		last = verdict_last_look(&options, units);
		assert_int_equal(verdict_look(&sum, &last, &numbers), STATS_OK);
		assert_int_equal(numbers.verdict, units < 5 ? RATIO_UNDECIDED : RATIO_HIGHER);
		if (units < 10)
			assert_close(numbers.typical.c, critical_t(0.005, (double)units - 1), 1e-12);
	}
	/* Two units with a look at any time: no bound, and said so. */
	struct verdict_sum two = {0};
	add_unit(&two, 0.1, 1, 1.1, 0, 0, 0);
	add_unit(&two, 0.1, 1, 1.1, 0, 0, 0);
	options.least_units = 2;
	assert_int_equal(verdict_look(&two, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_UNDECIDED);
	assert_true(numbers.typical.unbounded && numbers.total.unbounded && numbers.share.unbounded);
	assert_true(numbers.typical.interval.low == 0 && numbers.typical.interval.high == INFINITY);
}

static void test_first_look(void **state)
{
	(void)state;
	assert_int_equal(verdict_first_look(0.01, 1), 10);
	size_t runs = verdict_first_look(0.01, 50);
	assert_true(runs > 10);
	assert_true(critical_anytime(0.0002, (double)runs, (double)runs - 1) < 8);
	assert_true(critical_anytime(0.0002, (double)runs - 1, (double)runs - 2) >= 8);
	/* Of so small an alpha the constant stays above 8, and rises again from the first look on. */
	runs = verdict_first_look(1e-13, 1);
	double c = critical_anytime(1e-13, (double)runs, (double)runs - 1);
	assert_true(runs > 1000 && c > 8 && c < 8.5);
	assert_true(critical_anytime(1e-13, (double)runs - 1, (double)runs - 2) > c);
	assert_true(critical_anytime(1e-13, (double)runs + 1, (double)runs) >= c);
	assert_true(verdict_first_look(1e-16, 1000000) > runs);
}

/* At the p value the verdict just flips. */
static void test_p_values(void **state)
{
	(void)state;
	static const enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME};
	struct random random;
	random_seed(&random, 6);
	int differences = 0, sames = 0;
	for (int repeat = 0; repeat < 300; repeat++) {
		struct verdict_sum sum = {0};
		double shift = 0.002 * random_normal(&random), spread = 0.001 + 0.01 * random_uniform(&random);
		int kind = repeat % 4, units = 12 + repeat % 20;
		for (int r = 0; r < units; r++) {
			double typical = shift + spread * random_normal(&random),
				   total = exp(shift + 2 * spread * random_normal(&random));
			int side = kind == 3 ? (r % 2 ? 1 : -1) : 0;
			if (kind == 2)
				verdict_add_pair(&sum, 1 + spread * random_normal(&random), total, 0);
			else
				add_unit(&sum, typical, 1 + spread * random_normal(&random), total, random_below(&random, 3),
				         random_below(&random, 3), side);
		}
		struct verdict_options options = verdict_defaults(0.01);
		struct verdict_numbers numbers;
		options.rule = rules[repeat % 3];
		options.inflation = 1.2;
		options.quantum = kind == 1 ? 0.001 : 0;
		options.margin = 0.05;
		options.share_margin = 0.05;
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
		double p = verdict_difference_p(&numbers);
		for (int below = 0; below < 2 && p > 1e-6 && p < 0.49; below++) {
			struct verdict_options at = options;
			at.alpha = p * (below ? 1 - 1e-6 : 1 + 1e-6);
			assert_int_equal(verdict_look(&sum, &at, &numbers), STATS_OK);
			assert_int_equal(numbers.decided_by != 0, !below);
			differences++;
		}
		for (int scope = 0; scope < 2; scope++) {
			p = verdict_same_p(&numbers, &options, scope == 1);
			for (int below = 0; below < 2 && p > 1e-6 && p < 0.49; below++) {
				struct verdict_options at = options;
				at.alpha = p * (below ? 1 - 1e-6 : 1 + 1e-6);
				assert_int_equal(verdict_look(&sum, &at, &numbers), STATS_OK);
				bool inside = (!numbers.typical.used || (numbers.typical.inside && numbers.share.inside)) &&
				              (scope == 0 && numbers.typical.used ? true : numbers.total.inside);
				assert_int_equal(inside, !below);
				sames++;
			}
		}
	}
	assert_true(differences > 100 && sames > 100);
}

static void test_deterministic(void **state)
{
	(void)state;
	struct verdict_sum same = {0}, more = {0};
	double equal[4] = {100, 100, 100, 100}, larger[4] = {103, 103, 103, 103};
	struct unit unit;
	for (int r = 0; r < 50; r++) {
		assert_int_equal(unit_of(equal, equal, NULL, 4, false, &unit), STATS_OK);
		verdict_add(&same, &unit);
		assert_int_equal(unit_of(equal, larger, NULL, 4, false, &unit), STATS_OK);
		verdict_add(&more, &unit);
	}
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	options.share_margin = 0.1;
	assert_int_equal(verdict_look(&same, &options, &numbers), STATS_OK);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total && !numbers.disagree);
	assert_true(numbers.total.interval.low == 1 && numbers.total.interval.high == 1);
	assert_int_equal(verdict_look(&more, &options, &numbers), STATS_OK);
	assert_true(numbers.verdict == RATIO_HIGHER && !numbers.disagree);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_TOTAL);
}

static void test_bad_options(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	struct verdict_numbers numbers;
	for (int r = 0; r < 12; r++)
		add_unit(&sum, 0, 1, 1, 0, 0, 0);
	for (int i = 0; i < 6; i++) {
		struct verdict_options options = verdict_defaults(0.01);
		double *fields[] = {&options.alpha,        &options.alpha,   &options.margin,
		                    &options.share_margin, &options.quantum, &options.inflation};
		static const double values[] = {0, 0.5, 0, NAN, -1, 0.5};
		*fields[i] = values[i];
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_BAD_ARGUMENT);
		assert_int_equal(verdict_unpaired(&sum.typical, &sum.typical, &options, &numbers), STATS_BAD_ARGUMENT);
	}
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum zero = {0};
	for (int r = 0; r < 12; r++)
		verdict_add_pair(&zero, 0, 1, 0);
	assert_int_equal(verdict_look(&zero, &options, &numbers), STATS_NOT_DEFINED);
	verdict_add_pair(&zero, NAN, 1, 0);
	assert_int_equal(verdict_look(&zero, &options, &numbers), STATS_NOT_FINITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unit),          cmocka_unit_test(test_worked_decisions),
		cmocka_unit_test(test_words),         cmocka_unit_test(test_directions),
		cmocka_unit_test(test_constants),     cmocka_unit_test(test_total_alone),
		cmocka_unit_test(test_unpaired),      cmocka_unit_test(test_sides),
		cmocka_unit_test(test_coarse_clock),  cmocka_unit_test(test_few_units),
		cmocka_unit_test(test_first_look),    cmocka_unit_test(test_p_values),
		cmocka_unit_test(test_deterministic), cmocka_unit_test(test_bad_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
