#include "decide/gate.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>

static struct verdict_part part(double low, double high, double same_low, double same_high)
{
	return (struct verdict_part){.used = true, .interval = {low, high}, .same_interval = {same_low, same_high}};
}

/* Nothing wrong: all three near "no effect". */
static struct verdict_numbers calm(void)
{
	return (struct verdict_numbers){
		.typical = part(0.998, 1.002, 0.999, 1.001),
		.total = part(0.9, 1.1, 0.95, 1.05),
		.share = part(-0.005, 0.005, -0.004, 0.004),
		.units = 20,
	};
}

static void test_lower_is_better(void **state)
{
	(void)state;
	struct verdict_numbers numbers = calm();
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
	numbers.typical = part(1.015, 1.025, 1.016, 1.019);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
	numbers.typical = part(1.015, 1.025, 1.016, 1.021);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_OPEN);
	numbers.typical = part(1.021, 1.05, 1.022, 1.049);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_BROKEN);
	/* Much faster holds. */
	numbers.typical = part(0.5, 0.6, 0.51, 0.59);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
	/* Total alone breaks it, though typical holds. */
	numbers.total = part(1.03, 1.1, 1.04, 1.09);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_BROKEN);
	numbers.total.unbounded = true;
	numbers.total.interval = (struct interval){-INFINITY, INFINITY};
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
}

static void test_share(void **state)
{
	(void)state;
	struct verdict_numbers numbers = calm();
	/* Limit 2 points at 2 %, one point at 0.1 %. */
	numbers.share = part(0.012, 0.025, 0.013, 0.019);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
	assert_int_equal(gate_of(&numbers, 0.0025, BETTER_LOWER), GATE_BROKEN);
	numbers.share = part(-0.01, 0.03, 0, 0.021);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_OPEN);
	numbers.share = part(-0.01, 0.011, -0.01, 0.009);
	assert_int_equal(gate_of(&numbers, 0.0025, BETTER_LOWER), GATE_HELD);
}

static void test_higher_is_better(void **state)
{
	(void)state;
	struct verdict_numbers numbers = calm();
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_HELD);
	numbers.typical = part(1.2, 1.3, 1.21, 1.29); /* a higher rate */
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_HELD);
	numbers.typical = part(0.9, 0.979, 0.91, 0.975); /* 1/0.979 > 1.02 */
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_BROKEN);
	numbers.typical = part(0.97, 0.985, 0.975, 0.984);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_OPEN);
	numbers = calm();
	numbers.total = part(-0.5, 0.4, -0.4, 0.3); /* reaches below 0 */
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_BROKEN);
}

static void test_without_typical(void **state)
{
	(void)state;
	struct verdict_numbers numbers = calm();
	numbers.typical.used = numbers.share.used = false;
	numbers.total = part(0.99, 1.02, 0.995, 1.015);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_HELD);
	assert_int_equal(gate_of(&numbers, 0.01, BETTER_LOWER), GATE_OPEN);
	numbers.total = part(1.021, 1.03, 1.022, 1.029);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_BROKEN);
	numbers.unresolved = VERDICT_UNITS;
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_OPEN);
	numbers.unresolved = 0;
	numbers.total = (struct verdict_part){
		.used = true, .unbounded = true, .interval = {-INFINITY, INFINITY}, .same_interval = {-INFINITY, INFINITY}};
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_LOWER), GATE_OPEN);
	assert_int_equal(gate_of(&numbers, 0.02, BETTER_HIGHER), GATE_OPEN);
}

/* A random experiment, measured with a look for the gate. */
static struct verdict_numbers experiment(struct random *random, double shift, const struct verdict_options *options,
                                         bool pairs_only)
{
	struct verdict_sum sum = {0};
	for (int r = 0; r < 15; r++) {
		double typical = shift + 0.01 * random_normal(random);
		double base = 1 + 0.02 * random_normal(random), new_ = base * exp(shift + 0.01 * random_normal(random));
		size_t slow_base = (size_t)random_below(random, 4), slow_new = (size_t)random_below(random, 4);
		if (pairs_only)
			verdict_add_pair(&sum, base, new_, 0);
		else
			verdict_add(&sum, &(struct unit){.pairs = 100,
			                                 .base = base,
			                                 .new_ = new_,
			                                 .typical = {typical, NAN},
			                                 .share = {100, slow_base, slow_new,
			                                           ((double)slow_new - (double)slow_base) / 100, 1, 1}});
	}
	struct verdict_numbers numbers;
	assert_int_equal(verdict_look(&sum, options, &numbers), STATS_OK);
	return numbers;
}

/* A suite of one is the gate itself, by another way of computing. */
static void test_suite_of_one(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 12);
	int seen[GATE_HELD + 1] = {0};
	for (int repeat = 0; repeat < 600; repeat++) {
		struct verdict_options options = verdict_defaults(0.01);
		options.rule = (enum critical_rule[]){CRITICAL_ANYTIME, CRITICAL_FIXED, CRITICAL_PRECISION}[repeat / 3 % 3];
		options.inflation = repeat % 4 ? 1 : 1.5;
		options.quantum = 0.0005;
		enum better better = repeat % 3 ? BETTER_LOWER : BETTER_HIGHER;
		options.higher_is_better = better == BETTER_HIGHER;
		struct verdict_numbers numbers = experiment(&random, 0.03 * random_normal(&random), &options, repeat % 5 == 0);
		enum gate suite, one = gate_of(&numbers, 0.02, better);
		assert_int_equal(gate_of_suite(&numbers, options.alpha, 1, 0.02, &better, &suite, NULL), 0);
		assert_int_equal(suite, one);
		seen[one]++;
	}
	assert_true(seen[GATE_OPEN] > 50 && seen[GATE_BROKEN] > 50 && seen[GATE_HELD] > 20);
}

static void test_suite(void **state)
{
	(void)state;
	enum { N = 40 };
	struct random random;
	random_seed(&random, 13);
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_numbers numbers[N];
	enum better better[N];
	enum gate gates[N];
	int alone = 0, together = 0;
	for (int i = 0; i < N; i++) {
		better[i] = BETTER_LOWER;
		numbers[i] = experiment(&random, 0.04, &options, false);
		alone += gate_of(&numbers[i], 0.02, BETTER_LOWER) == GATE_BROKEN;
	}
	numbers[0].unresolved = VERDICT_UNITS;
	assert_int_equal(gate_of_suite(numbers, options.alpha, N, 0.02, better, gates, NULL), 0);
	for (int i = 0; i < N; i++)
		together += gates[i] == GATE_BROKEN;
	assert_int_equal(gates[0], GATE_OPEN);
	assert_true(together > 0 && together < alone); /* Holm asks for more */
	struct error err = {0};
	for (long nth = 1; nth <= 3; nth++) {
		mem_fail_at(nth);
		assert_int_equal(gate_of_suite(numbers, options.alpha, N, 0.02, better, gates, &err), -1);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	mem_fail_at(0);
	assert_int_equal(gate_of_suite(numbers, options.alpha, 0, 0.02, better, gates, NULL), 0);
}

static void test_worst(void **state)
{
	(void)state;
	const enum gate held[] = {GATE_HELD, GATE_HELD}, open[] = {GATE_HELD, GATE_OPEN},
					broken[] = {GATE_OPEN, GATE_BROKEN};
	assert_int_equal(gate_worst(held, 2), GATE_HELD);
	assert_int_equal(gate_worst(open, 2), GATE_OPEN);
	assert_int_equal(gate_worst(broken, 2), GATE_BROKEN);
	assert_int_equal(gate_worst(held, 0), GATE_HELD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lower_is_better),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_higher_is_better),
		cmocka_unit_test(test_without_typical),
		cmocka_unit_test(test_suite_of_one),
		cmocka_unit_test(test_suite),
		cmocka_unit_test(test_worst),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
