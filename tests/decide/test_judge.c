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

/* The worked decisions whose pairs are given: pairs in, the same intervals out. */
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
		size_t n;
		double *interval = known_array(json_object_get(output, "typical_interval"), &n);
		if (!correlated) {
			assert_close(numbers.typical.interval.low, interval[0], 1e-9);
			assert_close(numbers.typical.interval.high, interval[1], 1e-9);
			checked++;
		} else {
			assert_true(numbers.typical.interval.low < interval[0] && numbers.typical.interval.high > interval[1]);
		}
		free(interval);
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

static void single_pairs_judge_the_total_alone(void **state)
{
	(void)state;
	struct judge judge;
	struct judge_options options = options_99(1);
	judge_init(&judge, &options);
	for (int i = 0; i < 30; i++)
		assert_int_equal(judge_add(&judge, 100 + i % 3, 120 + i % 5, (unsigned char)(i & 1), NULL), 0);
	struct verdict_numbers numbers;
	bool correlated;
	assert_int_equal(judge_look(&judge, &numbers, &correlated), STATS_OK);
	assert_false(numbers.typical.used);
	assert_int_equal(numbers.pairs, 30);
	assert_int_equal(numbers.verdict, RATIO_HIGHER);
	judge_release(&judge);
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
	struct judge_options options = options_99(1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_become_the_worked_decisions),   cmocka_unit_test(pairs_without_a_partner_are_left_out),
		cmocka_unit_test(single_pairs_judge_the_total_alone),  cmocka_unit_test(a_gate_waits_for_its_limit),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
