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
		.spread = INFINITY,
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
	assert_int_equal(unit_of(a, b, first, n, NAN, false, &unit), STATS_OK);
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

/* Pairs of runs, each a unit. */
static void add(struct verdict_sum *sum, const struct unit *unit)
{
	verdict_add_pair(sum, unit->base, unit->new_, unit->side, unit->pairs);
	verdict_add_unit(sum, unit);
}

static struct verdict_options options_of_runs(double alpha)
{
	struct verdict_options options = verdict_defaults(alpha);
	options.runs = true;
	return options;
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
		add(&sum, &unit);
	}
	return sum;
}

static void assert_interval(struct interval actual, struct interval expected)
{
	assert_close(actual.low, expected.low, 1e-9);
	assert_close(actual.high, expected.high, 1e-9);
}

static struct interval around(double centre, double half)
{
	return (struct interval){centre - half, centre + half};
}

/* The pieces of the worked decisions; their constants and split are those of an earlier rule. */
static void test_worked_pieces(void **state)
{
	(void)state;
	json_t *known = known_load("verdict.json"), *example;
	size_t i;
	json_array_foreach(json_object_get(known, "decide_examples"), i, example)
	{
		struct verdict_sum sum = sum_of_example(example);
		const json_t *expected = json_object_get(example, "output");
		struct verdict_options options = options_of_runs(0.05);
		struct verdict_numbers n;
		assert_int_equal(verdict_look(&sum, &options, &n), STATS_OK);
		double units = known_number(expected, "units");
		assert_int_equal(n.units, (size_t)units);
		assert_int_equal(n.runs, (size_t)units);
		assert_int_equal(n.pairs / n.units, (size_t)known_number(expected, "pairs_per_unit"));
		assert_close(n.typical.estimate, known_number(expected, "typical_ratio"), 1e-9);
		assert_close(n.typical.se, known_number(expected, "typical_se_log"), 1e-9);
		assert_close(n.total.estimate, known_number(expected, "total_ratio"), 1e-9);
		assert_close(total_t(&n.evidence.total, 1) * sqrt(n.evidence.total.widening),
		             known_number(expected, "total_t_at_1"), 1e-9);
		assert_close(n.share.estimate, known_number(expected, "slow_share_diff"), 1e-9);
		assert_close(n.share.se, known_number(expected, "slow_share_se"), 1e-9);
		assert_close(n.disagreement_t, known_number(expected, "W2_t"), 1e-9);
		/* Intervals from the pieces, with the constant of the rule. */
		struct interval logs = around(log(n.typical.estimate),
		                              critical_anytime(0.05 * 3 / 8, units, units - 1) * n.typical.se);
		assert_interval(n.typical.interval, (struct interval){exp(logs.low), exp(logs.high)});
		assert_interval(n.share.interval,
		                around(n.share.estimate, critical_anytime(0.05 / 8, units, units - 1) * n.share.se));
		assert_close(n.total.c, critical_anytime(0.025, units, units - 1), 1e-12);
		assert_close(n.total.c_same, critical_anytime(0.05, units, units - 1), 1e-12);
		/* Of a phase that has a quarter of alpha everything is that of a quarter; what is asked for stays. */
		struct verdict_options quarter = options_of_runs(0.05 / 4);
		struct verdict_numbers of_phase, of_quarter;
		options.weight = 0.25;
		assert_int_equal(verdict_look(&sum, &options, &of_phase), STATS_OK);
		assert_int_equal(verdict_look(&sum, &quarter, &of_quarter), STATS_OK);
		assert_interval(of_phase.typical.interval, of_quarter.typical.interval);
		assert_interval(of_phase.total.same_interval, of_quarter.total.same_interval);
		assert_interval(of_phase.share.interval, of_quarter.share.interval);
		assert_close(verdict_difference_p(&of_phase), fmin(1, 4 * verdict_difference_p(&of_quarter)), 1e-12);
		options.weight = 0;
		options.quantum = 0.001 * fmin(running_mean(&sum.median_base), running_mean(&sum.median_new));
		struct verdict_numbers coarse;
		assert_int_equal(verdict_look(&sum, &options, &coarse), STATS_OK);
		assert_close(coarse.typical.interval.high, n.typical.interval.high * exp(0.0006), 1e-9);
	}
	assert_int_equal(i, 6);
	json_decref(known);
}

/* Units made up from three numbers each. */
static void add_unit(struct verdict_sum *sum, double typical, double base, double new_, size_t slow_base,
                     size_t slow_new, int side)
{
	add(sum,
	    &(struct unit){.pairs = 100,
	                   .base = base,
	                   .new_ = new_,
	                   .typical = {typical, NAN},
	                   .share = {100, slow_base, slow_new, ((double)slow_new - (double)slow_base) / 100, base, new_},
	                   .spread = INFINITY,
	                   .side = side});
}

static struct verdict_numbers look(const struct verdict_sum *sum, const struct verdict_options *options)
{
	struct verdict_numbers numbers;
	assert_int_equal(verdict_look(sum, options, &numbers), STATS_OK);
	return numbers;
}

static void test_directions(void **state)
{
	(void)state;
	struct verdict_options options = options_of_runs(0.01);
	struct verdict_sum mixed = {0}, lower = {0};
	for (int r = 0; r < 20; r++) {
		double wobble = 0.001 * (r % 3 - 1);
		add_unit(&mixed, -0.05 + wobble, 1, 1 + 50 * wobble, 1, (size_t)(9 + r % 2), 0);
		add_unit(&lower, -0.05 + wobble, 1, exp(-0.05) * (1 + 0.002 * (r % 5 - 2)), 5, 5, 0);
	}
	struct verdict_numbers numbers = look(&mixed, &options);
	assert_int_equal(numbers.verdict, RATIO_MIXED);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_SHARE);
	assert_true(numbers.typical.direction == -1 && numbers.share.direction == 1);
	assert_close(numbers.share_base, 0.01, 1e-12);
	assert_close(numbers.share_new, 0.095, 1e-12);
	/* More slow values of a rate are a lower rate: the same direction. */
	options.higher_is_better = true;
	assert_int_equal(look(&mixed, &options).verdict, RATIO_LOWER);
	options.higher_is_better = false;
	numbers = look(&lower, &options);
	assert_int_equal(numbers.verdict, RATIO_LOWER);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_TOTAL);
	assert_false(numbers.disagree);
	assert_true(verdict_skew_note(&numbers, 0.2) && !verdict_skew_note(&numbers, 0.1));
	/* Typical −5 % while the total has not moved: said beside the verdict. */
	struct verdict_sum apart = {0};
	for (int r = 0; r < 20; r++)
		add_unit(&apart, -0.05 + 0.001 * (r % 3 - 1), 1, 1 + 0.002 * (r % 2), 5, 5, 0);
	numbers = look(&apart, &options);
	assert_true(numbers.disagree);
	assert_close(numbers.disagreement, log(1.001) + 0.05, 1e-2);
}

/* A small difference that is resolved is the same, within the margin; one beyond it is not. */
static void test_same_comes_first(void **state)
{
	(void)state;
	struct verdict_options options = options_of_runs(0.01);
	struct verdict_sum small = {0}, noisy = {0}, far = {0}, tail = {0};
	for (int r = 0; r < 40; r++) {
		double wobble = 0.0004 * (r % 5 - 2), noise = 0.1 * (r % 7 - 3);
		add_unit(&small, 0.003 + wobble, 1, 1.003 + wobble, 0, 0, 0);
		add_unit(&noisy, 0.003 + wobble, 1, 1.03 + noise, 0, 0, 0);
		add_unit(&far, 0.02 + wobble, 1, 1.02 + wobble, 0, 0, 0);
		add_unit(&tail, wobble, 1, 1.03 + noise, 1, (size_t)(12 + r % 3), 0);
	}
	struct verdict_numbers numbers = look(&small, &options);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total && numbers.typical.interval.low > 1);
	assert_false(verdict_skew_note(&numbers, 1));
	numbers = look(&noisy, &options);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_typical && !numbers.same_total);
	assert_int_equal(numbers.unresolved, VERDICT_TOTAL);
	assert_int_equal(look(&far, &options).verdict, RATIO_HIGHER);
	/* The usual run is the same, eleven points more are slow: that is a difference. */
	numbers = look(&tail, &options);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by, VERDICT_SHARE);
	/* A wider margin takes the larger one in. */
	options.margin = 0.03;
	assert_int_equal(look(&far, &options).verdict, RATIO_SAME);
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
		struct verdict_options options = options_of_runs(0.04);
		options.rule = rules[i];
		options.inflation = 1.5;
		struct verdict_numbers numbers = look(&sum, &options);
		assert_close(numbers.typical.c, 1.5 * critical_value(rules[i], 0.015, 12, 11), 1e-12);
		assert_close(numbers.total.c, critical_value(rules[i], 0.02, 12, 11), 1e-12);
		assert_close(numbers.share.c, 1.5 * critical_value(rules[i], 0.005, 12, 11), 1e-12);
		assert_close(numbers.typical.c_same, 1.5 * critical_value(rules[i], 0.04, 12, 11), 1e-12);
		options.alpha_same = 0.1;
		assert_close(look(&sum, &options).total.c_same, critical_value(rules[i], 0.1, 12, 11), 1e-12);
		options.total_alone = true;
		numbers = look(&sum, &options);
		assert_close(numbers.total.c, critical_value(rules[i], 0.02, 12, 11), 1e-12);
		assert_false(numbers.typical.used || numbers.share.used);
		assert_true(isnan(numbers.typical.estimate) && isnan(numbers.share_base));
	}
}

/* Pairs of single runs: the total is Fieller over pairs, widened as if they were correlated by 1/√R more. */
static void test_total_of_pairs(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	struct verdict_options options = verdict_defaults(0.01);
	double a[30], b[30], ratio;
	struct random random;
	random_seed(&random, 4);
	for (int r = 0; r < 30; r++) {
		a[r] = 1 + 0.001 * random_normal(&random);
		b[r] = 1 + 0.001 * random_normal(&random);
		verdict_add_pair(&sum, a[r], b[r], 0, 1);
	}
	struct verdict_numbers numbers = look(&sum, &options);
	struct interval expected;
	double c = critical_anytime(0.005, 30, 29) * sqrt(total_widening(numbers.evidence.total.lag1, 30));
	assert_int_equal(fieller_paired(a, b, 30, c, &ratio, &expected), STATS_OK);
	assert_close(numbers.total.estimate, ratio, 1e-12);
	assert_interval(numbers.total.interval, expected);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total && !numbers.same_typical);
	assert_true(numbers.runs == 30 && numbers.pairs == 30 && !numbers.typical.used);
}

static void test_unpaired(void **state)
{
	(void)state;
	struct running base = {0}, new_ = {0};
	double a[12], b[12], ratio;
	struct random random;
	random_seed(&random, 5);
	for (int r = 0; r < 12; r++) {
		running_add(&base, a[r] = 10 + 0.1 * random_normal(&random));
		running_add(&new_, b[r] = 11 + 0.1 * random_normal(&random));
	}
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	struct interval expected;
	options.rule = CRITICAL_FIXED;
	assert_int_equal(verdict_unpaired(&base, &new_, &options, &numbers), STATS_OK);
	assert_int_equal(fieller_unpaired(a, 12, b, 12, critical_t(0.01, 11), &ratio, &expected), STATS_OK);
	assert_close(numbers.total.estimate, ratio, 1e-12);
	assert_interval(numbers.total.interval, expected);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by, VERDICT_TOTAL);
	assert_true(numbers.units == 12 && numbers.pairs == 0 && !numbers.quick);
	/* Five runs of base that happen to agree are not steadier than thirty of new that do not. */
	struct running five = {0}, thirty = {0};
	for (int r = 0; r < 30; r++) {
		if (r < 5)
			running_add(&five, 1 + 0.0001 * r);
		running_add(&thirty, r % 2 ? 1.3 : 1);
	}
	assert_int_equal(verdict_unpaired(&five, &thirty, &options, &numbers), STATS_OK);
	assert_int_equal(numbers.verdict, RATIO_UNDECIDED);
	struct running one = {0};
	running_add(&one, 1);
	assert_int_equal(verdict_unpaired(&base, &one, &options, &numbers), STATS_TOO_FEW);
	assert_int_equal(verdict_unpaired(&base, &(struct running){0}, &options, &numbers), STATS_EMPTY);
}

/* A clock whose step is that many times the shorter time hides everything: exp(0.6·10⁹) is no double. */
static void test_interval_beyond_all_doubles(void **state)
{
	(void)state;
	struct running base = {0}, new_ = {0};
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers;
	options.rule = CRITICAL_FIXED;
	options.quantum = 1;
	for (int r = 0; r < 12; r++) {
		running_add(&base, 1e-9);
		running_add(&new_, 1 + r % 2);
	}
	assert_int_equal(verdict_unpaired(&base, &new_, &options, &numbers), STATS_OK);
	assert_true(numbers.total.unbounded);
	assert_int_equal(numbers.verdict, RATIO_UNDECIDED);
}

/* Duet: units on one side each. Adding to a side moves the side effect and nothing else. */
static void test_sides(void **state)
{
	(void)state;
	struct verdict_options options = options_of_runs(0.01);
	struct verdict_numbers plain, shifted;
	for (double effect = 0; effect < 0.3; effect += 0.2) {
		struct verdict_sum sum = {0};
		for (int r = 0; r < 16; r++) {
			int side = r % 4 == 0 || r % 4 == 3 ? 1 : -1;
			double typical = 0.02 + 0.001 * (r % 3 - 1) + effect * side;
			add_unit(&sum, typical, 1, exp(typical), 3, 3, side);
		}
		*(effect > 0 ? &shifted : &plain) = look(&sum, &options);
	}
	assert_int_equal(shifted.verdict, RATIO_HIGHER);
	assert_close(shifted.order_effect - plain.order_effect, 0.2, 1e-9);
	assert_close(shifted.typical.estimate, plain.typical.estimate, 1e-9);
	assert_close(shifted.typical.interval.low, plain.typical.interval.low, 1e-9);
	assert_close(shifted.total.c, critical_anytime(0.005, 16, 14), 1e-12);
	assert_close(shifted.typical.c, critical_anytime(0.00375, 16, 14), 1e-12);
	assert_close(shifted.share.c, critical_anytime(0.00125, 16, 15), 1e-12);
}

/* A clock of 1 ms, runs of 20 and 20.1 ms: every reading is 20 or 21, and "5.0 % (5.0 % to 5.0 %)" would be false. */
static void test_coarse_clock(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum equal = {0}, apart = {0}, spread = {0};
	struct random random;
	random_seed(&random, 8);
	for (int r = 0; r < 60; r++) {
		verdict_add_pair(&equal, 20, 20, 0, 1);
		verdict_add_pair(&apart, 20, 21, 0, 1);
		verdict_add_pair(&spread, round(20 + 2 * random_normal(&random)), round(22 + 2 * random_normal(&random)), 0, 1);
	}
	options.quantum = 1;
	struct verdict_numbers numbers = look(&equal, &options);
	assert_close(numbers.total.interval.high, exp(0.05), 1e-9); /* a whole step either way, never 0 */
	assert_int_equal(numbers.verdict, RATIO_UNDECIDED);
	numbers = look(&apart, &options);
	assert_true(numbers.total.interval.low < 1.005 && numbers.total.interval.high > 1.09);
	assert_true(numbers.verdict == RATIO_UNDECIDED);
	/* Readings that spread over two steps average the rounding out: bias below 1e-6 of a step. */
	numbers = look(&spread, &options);
	assert_true(numbers.evidence.total_clock < 1e-6);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	/* Typical takes its own term as long as that is below a quarter of the margin. */
	struct verdict_sum units = {0};
	for (int r = 0; r < 40; r++)
		add_unit(&units, 0.0001 * (r % 3 - 1), 1, 1 + 0.001 * (r % 2 ? 1 : -1), 0, 0, 0);
	options = options_of_runs(0.01);
	options.quantum = 0.0024 / 0.6;
	numbers = look(&units, &options);
	assert_true(!numbers.coarse_clock && numbers.typical.used);
	assert_close(numbers.evidence.typical.extra, 0.0024, 1e-12);
	options.quantum = 0.0026 / 0.6;
	numbers = look(&units, &options);
	assert_true(numbers.coarse_clock && !numbers.typical.used && !numbers.share.used);
	assert_close(numbers.total.c, critical_anytime(0.005, 40, 39), 1e-12);
}

static void test_few_pairs(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01), last;
	struct verdict_sum sum = {0};
	struct verdict_numbers numbers = {.units = 77};
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_EMPTY);
	verdict_add_pair(&sum, 1, 2, 0, 1);
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_TOO_FEW);
	assert_int_equal(numbers.units, 77);
	for (int r = 1; r < 10; r++) {
		verdict_add_pair(&sum, 1 + 0.01 * (r % 2), 2 + 0.02 * (r % 3), 0, 1);
		size_t pairs = (size_t)r + 1;
		numbers = look(&sum, &options);
		assert_int_equal(numbers.verdict, pairs < 6 ? RATIO_UNDECIDED : RATIO_HIGHER); /* twice: seen at once */
		assert_int_equal(numbers.unresolved, pairs < 6 ? VERDICT_PAIRS : 0);
		assert_int_equal(numbers.quick, pairs < 10);
		last = verdict_last_look(&options, pairs);
		numbers = look(&sum, &last);
		assert_int_equal(numbers.verdict, pairs < 5 ? RATIO_UNDECIDED : RATIO_HIGHER);
		assert_int_equal(last.rule, pairs < 6 ? CRITICAL_FIXED : CRITICAL_ANYTIME);
	}
	static const size_t grid[] = {6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48};
	for (size_t i = 0; i + 1 < sizeof(grid) / sizeof(grid[0]); i++)
		assert_int_equal(verdict_next_look(grid[i]), grid[i + 1]);
	assert_int_equal(verdict_next_look(0), 6);
}

/* What one look has shown stays shown, though what comes after would not show it. */
static void test_shown_stays_shown(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum sum = {0};
	for (int r = 0; r < 12; r++)
		verdict_add_pair(&sum, 1 + 0.001 * (r % 2), 1.1 + 0.001 * (r % 3), 0, 1);
	verdict_mark(&sum, &options);
	double shown = verdict_difference_p(&(struct verdict_numbers){0});
	assert_close(shown, 1, 1e-12);
	struct verdict_numbers before = look(&sum, &options);
	assert_int_equal(before.verdict, RATIO_HIGHER);
	for (int r = 0; r < 12; r++)
		verdict_add_pair(&sum, 1 + 0.3 * (r % 5), 1 + 0.3 * (r % 4), 0, 1);
	struct verdict_sum unmarked = sum;
	unmarked.best = (struct verdict_best){0};
	assert_int_equal(look(&unmarked, &options).verdict, RATIO_UNDECIDED);
	struct verdict_numbers after = look(&sum, &options);
	assert_int_equal(after.verdict, RATIO_HIGHER);
	assert_true(verdict_difference_p(&after) <= verdict_difference_p(&before) * (1 + 1e-9));
	assert_close(after.total.interval.low, before.total.interval.low, 1e-12);
	/* One look has no memory. */
	options.rule = CRITICAL_FIXED;
	assert_int_equal(look(&sum, &options).verdict, RATIO_UNDECIDED);
}

/* Counts: an interval of both sides' exact ones; each further look costs a part of the level. */
static void test_counted_share(void **state)
{
	(void)state;
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum sum = {0};
	struct interval expected;
	for (int u = 0; u < 10; u++) {
		struct unit unit = {.pairs = 20,
		                    .base = 1,
		                    .new_ = 1,
		                    .typical = {0.0001 * (u % 3), NAN},
		                    .share = {20, 0, 3, 0.15, 1, 1},
		                    .counts = {20, 0, 3, 0, 3},
		                    .spread = INFINITY};
		for (int i = 0; i < 20; i++)
			verdict_add_pair(&sum, 1 + 0.01 * (i % 4), 1 + 0.01 * ((i + 1) % 4), 0, 1);
		verdict_add_unit(&sum, &unit);
		verdict_mark(&sum, &options);
	}
	struct verdict_numbers numbers = look(&sum, &options);
	/* Looks at 5, 6, 7, 8 and 10 units. */
	assert_int_equal(numbers.evidence.share_looks, 5);
	assert_int_equal(share_exact(&(struct share_counts){200, 0, 30, 0, 30}, 0.01 / 8 / 30, &expected), STATS_OK);
	assert_interval(numbers.share.interval, expected);
	assert_close(numbers.share.estimate, 0.15, 1e-12);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.decided_by & VERDICT_SHARE, VERDICT_SHARE);
	options.rule = CRITICAL_FIXED;
	numbers = look(&sum, &options);
	assert_int_equal(share_exact(&(struct share_counts){200, 0, 30, 0, 30}, 0.01 / 8, &expected), STATS_OK);
	assert_interval(numbers.share.interval, expected);
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
				verdict_add_pair(&sum, 1 + spread * random_normal(&random), total, 0, 1);
			else
				add_unit(&sum, typical, 1 + spread * random_normal(&random), total, random_below(&random, 3),
				         random_below(&random, 3), side);
		}
		struct verdict_options options = verdict_defaults(0.01);
		options.runs = kind != 2;
		options.rule = rules[repeat % 3];
		options.inflation = 1.2;
		options.quantum = kind == 1 ? 0.001 : 0;
		options.margin = 0.05;
		struct verdict_numbers numbers = look(&sum, &options);
		double p = verdict_difference_p(&numbers);
		for (int below = 0; below < 2 && p > 1e-6 && p < 0.49; below++) {
			struct verdict_options at = options;
			at.alpha = p * (below ? 1 - 1e-6 : 1 + 1e-6);
			struct verdict_numbers again = numbers;
			verdict_again(&again, &at);
			assert_int_equal(again.decided_by != 0, !below);
			assert_int_equal(look(&sum, &at).decided_by != 0, !below);
			differences++;
		}
		for (int scope = 0; scope < 2; scope++) {
			p = verdict_same_p(&numbers, &options, scope == 1);
			for (int below = 0; below < 2 && p > 1e-6 && p < 0.49; below++) {
				struct verdict_options at = options;
				at.alpha = p * (below ? 1 - 1e-6 : 1 + 1e-6);
				struct verdict_numbers again = look(&sum, &at);
				bool inside = scope == 1 || !again.typical.used ? again.total.inside : again.typical.inside;
				assert_int_equal(inside, !below);
				sames++;
			}
		}
		/* Beyond a limit: where the interval that the part has at that alpha just touches it. */
		p = verdict_beyond_p(&numbers, 1, 0.998, 1);
		if (p > 1e-6 && p < 0.3 && numbers.typical.used) {
			double typical = verdict_interval(&numbers, VERDICT_TYPICAL, p * 3 / 8).low;
			double total = verdict_interval(&numbers, VERDICT_TOTAL, p / 2).low;
			assert_close(fmax(typical, total), 0.998, 1e-9);
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
		assert_int_equal(unit_of(equal, equal, NULL, 4, NAN, false, &unit), STATS_OK);
		add(&same, &unit);
		assert_int_equal(unit_of(equal, larger, NULL, 4, NAN, false, &unit), STATS_OK);
		add(&more, &unit);
	}
	struct verdict_options options = options_of_runs(0.01);
	struct verdict_numbers numbers = look(&same, &options);
	assert_true(numbers.verdict == RATIO_SAME && numbers.same_total && !numbers.disagree);
	assert_true(numbers.total.interval.low == 1 && numbers.total.interval.high == 1);
	numbers = look(&more, &options);
	assert_true(numbers.verdict == RATIO_HIGHER && !numbers.disagree);
	assert_int_equal(numbers.decided_by, VERDICT_TYPICAL | VERDICT_TOTAL);
}

/* Pairs that spread over a step of the clock, and whose readings are alike in each of them, are not the same to within less
 * than the step. */
static void test_alike_in_every_pair(void **state)
{
	(void)state;
	struct verdict_sum sum = {0};
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers n;
	static const double readings[] = {1, 1, 1.05, 1, 1, 1, 0.95};
	options.quantum = 0.05;
	for (size_t i = 0; i < 7; i++)
		verdict_add_pair(&sum, readings[i], readings[i], 0, 1);
	assert_int_equal(verdict_look(&sum, &options, &n), STATS_OK);
	assert_int_equal(n.verdict, RATIO_UNDECIDED);
	assert_close(n.total.interval.high, exp(0.05), 1e-9);
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
		static const double values[] = {0, 0.5, 0, 0, -1, 0.5};
		*fields[i] = values[i];
		assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_BAD_ARGUMENT);
		assert_int_equal(verdict_unpaired(&sum.typical, &sum.typical, &options, &numbers), STATS_BAD_ARGUMENT);
	}
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum zero = {0};
	for (int r = 0; r < 12; r++)
		verdict_add_pair(&zero, 0, 1, 0, 1);
	assert_int_equal(verdict_look(&zero, &options, &numbers), STATS_NOT_DEFINED);
	verdict_add_pair(&zero, NAN, 1, 0, 1);
	assert_int_equal(verdict_look(&zero, &options, &numbers), STATS_NOT_FINITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unit),
		cmocka_unit_test(test_worked_pieces),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_same_comes_first),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_total_of_pairs),
		cmocka_unit_test(test_unpaired),
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_coarse_clock),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_shown_stays_shown),
		cmocka_unit_test(test_counted_share),
		cmocka_unit_test(test_p_values),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_alike_in_every_pair),
		cmocka_unit_test(test_bad_options),
		cmocka_unit_test(test_interval_beyond_all_doubles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
