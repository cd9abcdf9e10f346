#include "decide/judge.h"
#include "decide/jury.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static struct judge_options options_99(size_t block)
{
	return (struct judge_options){.verdict = verdict_defaults(0.01), .block = block, .has_order = true};
}

static int add_block(struct judge *judge, const json_t *block)
{
	size_t n, count;
	double *a = known_array(json_object_get(block, "A_ns"), &n),
		   *b = known_array(json_object_get(block, "B_ns"), &count);
	double *order = known_array(json_object_get(block, "order"), &count);
	int status = 0;
	for (size_t i = 0; i < n && status == 0; i++)
		status = judge_add(judge, a[i], b[i], (unsigned char)order[i], NULL);
	free(a);
	free(b);
	free(order);
	return status;
}

/* The worked decisions whose pairs are given: pairs in, the same typical and its spread out. */
static void pairs_become_the_worked_decisions(void **state)
{
	(void)state;
	json_t *known = known_load("verdict.json"), *example;
	size_t i, checked = 0;
	json_array_foreach(json_object_get(known, "decide_examples"), i, example)
	{
		json_t *blocks = json_object_get(example, "blocks"), *output = json_object_get(example, "output_99");
		if (json_array_size(blocks) == 0)
			continue;
		struct judge judge;
		struct judge_options options = options_99(json_array_size(json_object_get(json_array_get(blocks, 0), "A_ns")));
		judge_init(&judge, &options);
		for (size_t b = 0; b < json_array_size(blocks); b++)
			assert_int_equal(add_block(&judge, json_array_get(blocks, b)), 0);
		struct verdict_numbers numbers;
		bool correlated;
		assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
		assert_int_equal(numbers.units, json_array_size(blocks));
		assert_int_equal(numbers.runs, options.block * json_array_size(blocks));
		assert_close(numbers.typical.estimate, known_number(output, "typical_ratio"), 1e-9);
		assert_close(numbers.typical.se, known_number(output, "typical_se_log"), 1e-9);
		assert_close(numbers.total.estimate, known_number(output, "total_ratio"), 1e-9);
		checked++;
		judge_release(&judge);
	}
	assert_true(checked >= 1);
	json_decref(known);
}

static void pairs_without_a_partner_are_left_out(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(2);
	judge_init(&judge, &options);
	assert_int_equal(judge_add(&judge, NAN, 1, 0, NULL), 0);
	assert_int_equal(judge_add(&judge, 1, NAN, 0, NULL), 0);
	assert_int_equal(judge.filled, 0);
	assert_int_equal(judge_add(&judge, 1, 2, 0, NULL), 0);
	assert_int_equal(judge_add(&judge, 1, 2, 1, NULL), 0);
	assert_int_equal(judge.units, 1);
	judge_release(&judge);
}

/* The total is judged from the sixth pair on, at numbers that grow by a fifth; typical from the fifth unit on. */
static void looks_are_due_on_a_grid(void **state)
{
	(void)state;
	static const size_t expected[] = {6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 50, 58, 60, 70, 80, 84, 100, 101};
	struct judge judge;
	struct judge_options options = options_99(10);
	size_t seen = 0;
	judge_init(&judge, &options);
	for (size_t i = 1; i <= 110; i++) {
		assert_int_equal(judge_add(&judge, 100 + i % 3, 120 + i % 5, (unsigned char)(i & 1), NULL), 0);
		if (judge.due)
			assert_int_equal(i, expected[seen++]);
	}
	assert_int_equal(seen, sizeof(expected) / sizeof(expected[0]));
	struct verdict_numbers numbers;
	bool correlated;
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_true(numbers.typical.used && numbers.units == 11 && numbers.runs == 110);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	judge_clear(&judge);
	assert_int_equal(judge_pairs(&judge), 0);
	assert_false(judge.due);
	judge_release(&judge);
}

/* A value of 0 has no ratio. Once it is left out, as part of the warm-up, units are made again. */
static void a_cleared_judge_makes_units_again(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(0);
	struct verdict_numbers numbers;
	bool correlated;
	judge_init(&judge, &options);
	for (int warm = 0; warm < 2; warm++) {
		judge_clear(&judge);
		for (int r = 0; r < 8; r++) {
			for (int i = 0; i < 10; i++)
				assert_int_equal(judge_add(&judge, i + warm > 0 ? 100 + (r + i) % 3 : 0, 200 + (r + i) % 5, 0, NULL),
				                 0);
			assert_int_equal(judge_end_unit(&judge, NULL), 0);
		}
		assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
		assert_int_equal(judge.trouble != NULL, !warm);
		assert_int_equal(numbers.typical.used, warm);
		assert_int_equal(judge.units, warm ? 8 : 7);
	}
	judge_release(&judge);
}

/* Runs with iterations: a pair of them is a unit, and its mean the value that the total takes. */
static void runs_are_pairs(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(0);
	judge_init(&judge, &options);
	for (int r = 0; r < 8; r++) {
		for (int i = 0; i < 10; i++)
			assert_int_equal(judge_add(&judge, 100 + (r + i) % 3, 200 + (r + i) % 5, (unsigned char)(i & 1), NULL), 0);
		assert_int_equal(judge_end_unit(&judge, NULL), 0);
	}
	struct verdict_numbers numbers;
	bool correlated;
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_true(numbers.runs == 8 && numbers.units == 8 && numbers.pairs == 80);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	assert_int_equal(numbers.evidence.share_kind, SHARE_OF_RUNS);
	judge_release(&judge);
}

/* 50 and 100 in turn against 75: of equal work new is 12.5 % better, geometrically 6 %, at first sight equal. Runs with
 * iterations are averaged alike at both levels. */
static void totals_are_of_the_mean_that_was_asked_for(void **state)
{
	(void)state;
	static const double expected[] = {[TOTAL_ARITHMETIC] = 1, [TOTAL_HARMONIC] = 1.125, [TOTAL_GEOMETRIC] = 1.0606602};
	for (size_t block = 0; block <= 20; block += 20)
		for (int kind = TOTAL_ARITHMETIC; kind <= TOTAL_GEOMETRIC; kind++) {
			struct judge judge;
			struct judge_options options = options_99(block);
			struct verdict_numbers numbers;
			bool correlated;
			options.verdict.kind = (enum total_kind)kind;
			options.verdict.higher_is_better = true;
			options.verdict.quantum = 1e-9; /* two values look like the ticks of a clock */
			judge_init(&judge, &options);
			for (int i = 0; i < 4000; i++) {
				double noise = 1 + 1e-4 * ((i * 7919) % 101 - 50) / 50;
				assert_int_equal(judge_add(&judge, i % 2 ? 50 : 100, 75 * noise, (unsigned char)(i / 2 % 2), NULL), 0);
				if (block == 0 && i % 10 == 9)
					assert_int_equal(judge_end_unit(&judge, NULL), 0);
			}
			assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
			assert_close(numbers.total.estimate, expected[kind], 1e-3);
			assert_true(numbers.total.interval.low < expected[kind] && numbers.total.interval.high > expected[kind]);
			if (kind != TOTAL_ARITHMETIC)
				assert_true(numbers.total.direction > 0);
			assert_int_equal(judge_add(&judge, 0, 75, 0, NULL), 0);
			assert_int_equal(judge_look(&judge, &numbers, &correlated),
			                 kind == TOTAL_ARITHMETIC ? STATS_OK : STATS_NOT_POSITIVE);
			judge_release(&judge);
		}
}

/* One look: units of nearly the same odd size, ten or more of them where the pairs suffice, that hold every pair but one
 * at most. */
static void units_suit_the_number_of_pairs(void **state)
{
	(void)state;
	static const size_t units[][2] = {{9, 0},  {10, 5},  {17, 5},   {18, 6},   {21, 7},   {33, 7},   {34, 8},
	                                  {59, 9}, {60, 10}, {200, 10}, {230, 10}, {250, 11}, {800, 25}, {2000, 46}};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		assert_int_equal(judge_units(units[i][0]), units[i][1]);
	for (size_t pairs = 5; pairs < 300; pairs += 7) {
		struct judge judge;
		struct judge_options options = options_99(20);
		options.once = true;
		judge_init(&judge, &options);
		for (size_t i = 0; i < pairs; i++)
			assert_int_equal(judge_add(&judge, 1 + (double)(i % 7), 2 + (double)(i % 5), (unsigned char)(i & 1), NULL),
			                 0);
		assert_int_equal(judge.units, 0);
		assert_int_equal(judge_divide(&judge, NULL), 0);
		size_t count = judge_units(pairs), used = 0, least = pairs, most = 0;
		for (size_t u = 0; u < count; u++) {
			assert_int_equal(judge_unit_start(pairs, count, u), used);
			size_t size = judge_unit_start(pairs, count, u + 1) - used;
			assert_true(size % 2 == 1);
			least = size < least ? size : least;
			most = size > most ? size : most;
			used += size;
		}
		assert_true(count == 0 || (pairs - used <= 1 && most - least <= 2));
		assert_int_equal(judge.units, count);
		assert_int_equal(judge.filled, 0);
		judge_release(&judge);
	}
}

/* One look takes what the first place adds from all pairs: units of a few pairs, of which one order has more, show the
 * ratio all the same, and what the place adds. */
static void one_look_knows_what_the_place_adds(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(20);
	struct verdict_numbers numbers;
	bool correlated;
	options.once = true;
	options.verdict.rule = CRITICAL_FIXED;
	judge_init(&judge, &options);
	for (int i = 0; i < 60; i++) {
		unsigned char order = i % 4 == 1 || i % 4 == 2;
		double noise = 1e-4 * ((i * 37) % 11 - 5);
		assert_int_equal(judge_add(&judge, 1, exp(0.03 + noise + (order ? -0.05 : 0.05)), order, NULL), 0);
	}
	assert_int_equal(judge_divide(&judge, NULL), 0);
	assert_int_equal(judge.units, 10);
	for (size_t u = 0; u < 10; u++)
		assert_close(judge.unit_log[u], 0.03, 0.02);
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_close(numbers.order_effect, 0.05, 0.01);
	judge_release(&judge);
}

/* A value without a logarithm leaves the total. */
static void values_of_any_sign_have_a_total(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(10);
	judge_init(&judge, &options);
	for (int i = 0; i < 60; i++)
		assert_int_equal(judge_add(&judge, i == 33 ? -1 : 100 + i % 3, 120 + i % 5, (unsigned char)(i & 1), NULL), 0);
	struct verdict_numbers numbers;
	bool correlated;
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_true(judge.trouble && !numbers.typical.used && numbers.total.used);
	judge_release(&judge);
}

/* Decided at once; told well when the interval tells the size, or after as many pairs again. */
static void a_verdict_is_told_well(void **state)
{
	(void)state;
	struct judge_options options = options_99(20);
	struct jury jury;
	struct jury_look look = {.open = 1};
	size_t decided = 0, done = 0;
	assert_int_equal(jury_init(&jury, 1, &options, NULL), 0);
	jury.told = 0.01;
	for (size_t i = 1; i <= 400 && done == 0; i++) {
		/* 2.0 times, ± 20 %: different at once, and its size a while later. */
		double noise = 1 + 0.2 * ((double)(i * 7 % 11) / 5 - 1);
		assert_int_equal(judge_add(&jury.judges[0], 1, 2 * noise, (unsigned char)(i & 1), NULL), 0);
		if (!jury_is_due(&jury))
			continue;
		assert_int_equal(jury_look(&jury, &look, NULL), 0);
		decided = decided == 0 && jury.decided_at[0] ? jury.decided_at[0] : decided;
		done = look.open == 0 ? i : 0;
	}
	assert_true(decided > 0 && done > decided && done <= 2 * decided + 3);
	const struct verdict_part *part = &jury.numbers[0].total;
	assert_true((part->interval.high - part->interval.low) / 2 <= 0.2 * (part->estimate - 1) || done >= 2 * decided);
	jury_release(&jury);
}

/* Of twenty that are equal and one that is not, the one is called, and its interval alone excludes 1. */
static void intervals_are_those_of_the_selection(void **state)
{
	(void)state;
	enum { COUNT = 21, PAIRS = 40 };
	struct judge_options options = options_99(20);
	struct jury jury;
	struct jury_look look;
	assert_int_equal(jury_init(&jury, COUNT, &options, NULL), 0);
	for (size_t c = 0; c < COUNT; c++)
		for (size_t i = 0; i < PAIRS; i++) {
			double noise = 1 + 0.05 * ((double)((i + c) * 7 % 11) / 5 - 1);
			assert_int_equal(judge_add(&jury.judges[c], 1, (c == 3 ? 1.3 : 1) * noise, (unsigned char)(i & 1), NULL),
			                 0);
		}
	assert_int_equal(jury_look(&jury, &look, NULL), 0);
	for (size_t c = 0; c < COUNT; c++) {
		const struct verdict_numbers *n = &jury.numbers[c];
		bool excludes = n->total.interval.low > 1 || n->total.interval.high < 1;
		assert_int_equal(n->verdict == RATIO_HIGHER, c == 3);
		assert_int_equal(excludes, c == 3);
		assert_close(n->total.c, critical_anytime(0.01 / COUNT / 2, PAIRS, PAIRS - 1), 1e-9);
	}
	jury_release(&jury);
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct judge judge;
		struct judge_options options = options_99(4);
		judge_init(&judge, &options);
		mem_fail_at(nth);
		int status = 0;
		for (int i = 0; i < 300 && status == 0; i++)
			status = judge_add(&judge, 1 + i % 7, 2 + i % 5, (unsigned char)(i & 1), NULL);
		bool failed = mem_failed();
		mem_fail_at(0);
		judge_release(&judge);
		assert_int_equal(status, failed ? -1 : 0);
		if (!failed)
			break;
	}
}

/* A ratio of 1.025 within 0.5 points and a gate of 2 %: the limit lies inside the interval, so that much is missing,
 * whatever the distance to 1. */
static void a_gate_waits_for_its_limit(void **state)
{
	(void)state;
	struct judge_options options = options_99(20);
	for (int turned = 0; turned < 2; turned++) {
		struct jury jury;
		struct jury_look look;
		assert_int_equal(jury_init(&jury, 1, &options, NULL), 0);
		jury.gate = 0.02;
		jury.better[0] = turned ? BETTER_HIGHER : BETTER_LOWER;
		for (int i = 0; i < 40; i++) {
			double ratio = 1.0225 + 0.02 * ((i * 7 % 11) / 5.0 - 1);
			assert_int_equal(judge_add(&jury.judges[0], 1, turned ? 1 / ratio : ratio, (unsigned char)(i & 1), NULL),
			                 0);
		}
		assert_int_equal(jury_look(&jury, &look, NULL), 0);
		assert_int_equal(look.open, 1);
		assert_true(look.missing > 1);
		jury_release(&jury);
	}
}

/* Where each pair is a unit, a tail is seen all the same. */
static void units_of_one_pair_keep_the_slow_share(void **state)
{
	(void)state;
	struct judge_options options = options_99(1);
	struct judge judge;
	struct verdict_numbers numbers;
	bool correlated;
	judge_init(&judge, &options);
	for (int i = 0; i < 205; i++)
		assert_int_equal(
			judge_add(&judge, 1 + 0.01 * (i % 3), (1 + 0.01 * (i % 4)) * (i % 10 == 7 ? 3 : 1), i & 1, NULL), 0);
	assert_int_equal(judge.units, 205);
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_int_equal(judge.sum.counts.pairs, 205);
	assert_int_equal(judge.sum.counts.only_new, 20);
	assert_int_equal(judge.sum.counts.slow_base, 0);
	assert_true(numbers.share.used && numbers.share.estimate > 0.08);
	judge_release(&judge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_become_the_worked_decisions),
		cmocka_unit_test(pairs_without_a_partner_are_left_out),
		cmocka_unit_test(looks_are_due_on_a_grid),
		cmocka_unit_test(a_gate_waits_for_its_limit),
		cmocka_unit_test(a_cleared_judge_makes_units_again),
		cmocka_unit_test(runs_are_pairs),
		cmocka_unit_test(totals_are_of_the_mean_that_was_asked_for),
		cmocka_unit_test(units_suit_the_number_of_pairs),
		cmocka_unit_test(units_of_one_pair_keep_the_slow_share),
		cmocka_unit_test(one_look_knows_what_the_place_adds),
		cmocka_unit_test(values_of_any_sign_have_a_total),
		cmocka_unit_test(a_verdict_is_told_well),
		cmocka_unit_test(intervals_are_those_of_the_selection),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
