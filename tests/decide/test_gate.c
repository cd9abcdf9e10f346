#include "decide/gate.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>

/* Pairs of runs, each a unit, whose typical and total lie at `shift` with this spread, and so many slow of a hundred. */
static struct verdict_numbers numbers_at(double shift, double spread, size_t slow_new, bool total_alone, int runs)
{
	struct verdict_options options = verdict_defaults(0.01);
	struct verdict_sum sum = {0};
	struct verdict_numbers numbers;
	options.runs = true;
	options.total_alone = total_alone;
	for (int r = 0; r < runs; r++) {
		/* Symmetric about the shift, so that its mean is the shift. */
		double typical = shift + spread * ((r * 7) % 11 - 5) / 5;
		verdict_add_pair(&sum, 1, exp(typical), 0, 100);
		verdict_add_unit(&sum, &(struct unit){.pairs = 100,
		                                      .base = 1,
		                                      .new_ = exp(typical),
		                                      .typical = {typical, NAN},
		                                      .share = {100, 0, slow_new, (double)slow_new / 100, 1, 1},
		                                      .spread = INFINITY});
	}
	assert_int_equal(verdict_look(&sum, &options, &numbers), STATS_OK);
	return numbers;
}

/* Of one comparison, which nothing corrects. */
static enum gate gate_of(const struct verdict_numbers *numbers, double alpha, double limit, enum better better)
{
	return gate_corrected(numbers, gate_broken_p(numbers, limit, better), alpha, limit, better);
}

static enum gate at(double shift, double spread, double limit, enum better better)
{
	struct verdict_numbers numbers = numbers_at(shift, spread, 0, false, 44);
	return gate_of(&numbers, 0.01, limit, better);
}

static void test_limits(void **state)
{
	(void)state;
	double limit = log(1.02);
	assert_int_equal(at(0, 0.005, 0.02, BETTER_LOWER), GATE_HELD);
	assert_int_equal(at(limit, 0.005, 0.02, BETTER_LOWER), GATE_OPEN);
	assert_int_equal(at(limit + 0.01, 0.005, 0.02, BETTER_LOWER), GATE_BROKEN);
	assert_int_equal(at(limit - 0.01, 0.005, 0.02, BETTER_LOWER), GATE_HELD);
	assert_int_equal(at(-0.5, 0.005, 0.02, BETTER_LOWER), GATE_HELD); /* much faster */
	/* A rate: lower is worse, and 1/1.02 the limit. */
	assert_int_equal(at(-limit, 0.005, 0.02, BETTER_HIGHER), GATE_OPEN);
	assert_int_equal(at(-limit - 0.01, 0.005, 0.02, BETTER_HIGHER), GATE_BROKEN);
	assert_int_equal(at(0.2, 0.005, 0.02, BETTER_HIGHER), GATE_HELD);
	/* A gate of 0: broken by any increase that is shown, held by none that is not. */
	assert_int_equal(at(0.01, 0.005, 0, BETTER_LOWER), GATE_BROKEN);
	assert_int_equal(at(0, 0.005, 0, BETTER_LOWER), GATE_OPEN);
	struct verdict_numbers few = numbers_at(0.5, 0.005, 0, false, 5);
	assert_int_equal(gate_of(&few, 0.01, 0.02, BETTER_LOWER), GATE_OPEN); /* before the first look */
	assert_int_equal(gate_of(&(struct verdict_numbers){0}, 0.01, 0.02, BETTER_LOWER), GATE_OPEN);
}

/* Held at twice alpha, broken at a part of it: the interval that is told is the one that decided. */
static void test_own_interval(void **state)
{
	(void)state;
	struct verdict_numbers numbers = numbers_at(0, 0.005, 0, false, 44);
	struct gate_interval by = gate_interval_of(&numbers, GATE_HELD, 0.01, 0.02, BETTER_LOWER);
	assert_int_equal(by.part, VERDICT_TYPICAL);
	assert_close(by.alpha, 0.02, 1e-12);
	assert_true(by.ratio.high < 1.02 && by.ratio.low < 1);
	/* Just inside at 2 alpha, and just outside at alpha. */
	double half = log(by.ratio.high) - log(numbers.typical.estimate);
	double shift = log(1.02) - half * 1.01;
	numbers = numbers_at(shift, 0.005, 0, false, 44);
	assert_int_equal(gate_of(&numbers, 0.01, 0.02, BETTER_LOWER), GATE_HELD);
	assert_true(verdict_interval(&numbers, VERDICT_TYPICAL, 0.01).high > 1.02);
	numbers = numbers_at(0.05, 0.005, 0, true, 44);
	by = gate_interval_of(&numbers, GATE_BROKEN, 0.01, 0.02, BETTER_LOWER);
	assert_int_equal(by.part, VERDICT_TOTAL);
	assert_close(by.alpha, 0.005, 1e-12);
	assert_true(by.ratio.low > 1.02);
}

/* An open gate tells what keeps it open: the total where typical lies within it and the share does not. */
static void test_open_interval(void **state)
{
	(void)state;
	struct verdict_numbers numbers = numbers_at(log(1.02), 0.005, 0, false, 44);
	struct gate_interval by = gate_interval_of(&numbers, GATE_OPEN, 0.01, 0.02, BETTER_LOWER);
	assert_true(by.part == VERDICT_TYPICAL && by.ratio.high > 1.02);
	numbers = numbers_at(0.01, 0.001, 20, false, 44);
	by = gate_interval_of(&numbers, GATE_OPEN, 0.01, 0.02, BETTER_LOWER);
	assert_int_equal(by.part, VERDICT_TOTAL);
}

static void test_share(void **state)
{
	(void)state;
	/* The limit of slow runs is three times that of the gate, three points at least. */
	struct verdict_numbers numbers = numbers_at(0, 0.0005, 12, false, 44);
	assert_int_equal(gate_of(&numbers, 0.01, 0.02, BETTER_LOWER), GATE_BROKEN);
	/* No ratio lies beyond the limit: what is told is the share. */
	struct gate_interval by = gate_interval_of(&numbers, GATE_BROKEN, 0.01, 0.02, BETTER_LOWER);
	assert_int_equal(by.part, VERDICT_SHARE);
	assert_true(by.ratio.low > gate_share_limit(0.02) && by.ratio.low < 0.12 && by.ratio.high > 0.12);
	assert_close(gate_share_limit(0.02), 0.06, 1e-12);
	assert_close(gate_share_limit(0.001), 0.03, 1e-12);
	assert_int_equal(gate_of(&numbers, 0.01, 0.05, BETTER_LOWER), GATE_HELD);
	numbers = numbers_at(0, 0.0005, 2, false, 44);
	assert_int_equal(gate_of(&numbers, 0.01, 0.001, BETTER_LOWER), GATE_HELD);
	assert_int_equal(gate_of(&numbers, 0.01, 0.02, BETTER_LOWER), GATE_HELD);
}

static void test_suite(void **state)
{
	(void)state;
	enum { N = 40 };
	struct verdict_numbers numbers[N];
	enum better better[N];
	enum gate gates[N];
	int alone = 0, together = 0;
	for (int i = 0; i < N; i++) {
		better[i] = BETTER_LOWER;
		numbers[i] = numbers_at(log(1.02) + 0.0003 * i, 0.005, 0, false, 44);
		alone += gate_of(&numbers[i], 0.01, 0.02, BETTER_LOWER) == GATE_BROKEN;
	}
	assert_int_equal(gate_of_suite(numbers, 0.01, N, 0.02, better, gates, NULL), 0);
	for (int i = 0; i < N; i++)
		together += gates[i] == GATE_BROKEN;
	assert_true(together > 0 && together < alone); /* Holm asks for more */
	/* To be held costs nothing to be among many. */
	for (int i = 0; i < N; i++)
		numbers[i] = numbers_at(log(1.02) - 0.004, 0.005, 0, false, 44);
	assert_int_equal(gate_of(&numbers[0], 0.01, 0.02, BETTER_LOWER), GATE_HELD);
	assert_int_equal(gate_of_suite(numbers, 0.01, N, 0.02, better, gates, NULL), 0);
	for (int i = 0; i < N; i++)
		assert_int_equal(gates[i], GATE_HELD);
	struct error err = {0};
	for (long nth = 1; nth <= 2; nth++) {
		mem_fail_at(nth);
		assert_int_equal(gate_of_suite(numbers, 0.01, N, 0.02, better, gates, &err), -1);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	mem_fail_at(0);
	assert_int_equal(gate_of_suite(numbers, 0.01, 0, 0.02, better, gates, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits), cmocka_unit_test(test_own_interval), cmocka_unit_test(test_open_interval),
		cmocka_unit_test(test_share),  cmocka_unit_test(test_suite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
