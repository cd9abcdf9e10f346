#include "base/random.h"

#include "stats/distribution.h"
#include "support/known.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

/* The outputs that the published C code of xoshiro256++ 1.0 gives from the state 1, 2, 3, 4 (they are also the test
 * vector of Rust's rand_xoshiro). */
static void test_reference(void **state)
{
	(void)state;
	static const uint64_t expected[] = {41943041u,
	                                    58720359u,
	                                    3588806011781223u,
	                                    3591011842654386u,
	                                    9228616714210784205u,
	                                    9973669472204895162u,
	                                    14011001112246962877u,
	                                    12406186145184390807u,
	                                    15849039046786891736u,
	                                    10450023813501588000u};
	struct random random = {{1, 2, 3, 4}};
	for (size_t i = 0; i < 10; i++)
		assert_true(random_next(&random) == expected[i]);
}

/* The state is splitmix64's output from the seed: its test vector. */
static void test_seed(void **state)
{
	(void)state;
	static const uint64_t expected[] = {1985237415132408290u, 2979275885539914483u, 13511426838097143398u,
	                                    8488337342461049707u};
	struct random random, zero;
	random_seed(&random, 1477776061723855037u);
	assert_memory_equal(random.state, expected, sizeof(expected));
	random_seed(&zero, 0);
	assert_true(zero.state[0] || zero.state[1] || zero.state[2] || zero.state[3]);
}

/* The transition as a matrix over GF(2), 256 × 256 bits: column b is what state bit b becomes. */
struct matrix {
	uint64_t column[256][4];
};

static void multiply(const struct matrix *matrix, const uint64_t vector[4], uint64_t out[4])
{
	memset(out, 0, 4 * sizeof(*out));
	for (int bit = 0; bit < 256; bit++)
		if (vector[bit / 64] >> (bit % 64) & 1)
			for (int w = 0; w < 4; w++)
				out[w] ^= matrix->column[bit][w];
}

/* A jump is 2^128 steps: the matrix of one step squared 128 times must do the same. */
static void test_jump(void **state)
{
	(void)state;
	static struct matrix power, squared;
	for (int bit = 0; bit < 256; bit++) {
		struct random unit = {{0}};
		unit.state[bit / 64] = UINT64_C(1) << (bit % 64);
		random_next(&unit);
		memcpy(power.column[bit], unit.state, sizeof(unit.state));
	}
	for (int i = 0; i < 128; i++) {
		for (int bit = 0; bit < 256; bit++)
			multiply(&power, power.column[bit], squared.column[bit]);
		power = squared;
	}
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct random random;
		uint64_t expected[4];
		random_seed(&random, seed);
		multiply(&power, random.state, expected);
		random_jump(&random);
		assert_memory_equal(random.state, expected, sizeof(expected));
	}
}

static void test_stream(void **state)
{
	(void)state;
	struct random random, stream;
	random_seed(&random, 17);
	for (unsigned s = 0; s < 4; s++) {
		random_stream(&stream, 17, s);
		assert_memory_equal(random.state, stream.state, sizeof(random.state));
		random_jump(&random);
	}
}

/* P of a χ² statistic for counts that should be equal. */
static double equal_counts_p(const size_t *counts, size_t kinds)
{
	double total = 0, statistic = 0;
	for (size_t i = 0; i < kinds; i++)
		total += (double)counts[i];
	for (size_t i = 0; i < kinds; i++)
		statistic += pow((double)counts[i] - total / (double)kinds, 2) / (total / (double)kinds);
	return chi2_upper_tail(statistic, (double)(kinds - 1));
}

/* Every value of every range equally often, at 1e-4: ranges that do not divide 2^64, small and large. */
static void test_below(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 19);
	for (uint64_t below = 1; below <= 40; below++) {
		size_t counts[40] = {0};
		for (int i = 0; i < 20000; i++) {
			uint64_t value = random_below(&random, below);
			assert_true(value < below);
			counts[value]++;
		}
		assert_true(below == 1 || equal_counts_p(counts, below) > 1e-4);
	}
	/* Without rejection the multiples of 3 below 3·2^62 would come twice as often as the others. */
	size_t thirds[3] = {0};
	const uint64_t large = UINT64_C(3) << 62;
	for (int i = 0; i < 60000; i++) {
		uint64_t value = random_below(&random, large);
		assert_true(value < large);
		thirds[value % 3]++;
	}
	assert_true(equal_counts_p(thirds, 3) > 1e-4);
}

/* All 24 orders of four elements equally often; elements of any size stay whole. */
static void test_shuffle(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 23);
	size_t counts[256] = {0}, orders[24], kinds = 0;
	for (int i = 0; i < 48000; i++) {
		unsigned char order[4] = {0, 1, 2, 3};
		random_shuffle(&random, order, 4, 1);
		counts[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]]++;
	}
	for (int i = 0; i < 256; i++)
		if (counts[i])
			orders[kinds++] = counts[i];
	assert_int_equal(kinds, 24);
	assert_true(equal_counts_p(orders, 24) > 1e-4);

	struct {
		char text[13];
		int number;
	} elements[50];
	memset(elements, 0, sizeof(elements));
	int sum = 0;
	for (int i = 0; i < 50; i++) {
		snprintf(elements[i].text, sizeof(elements[i].text), "element %d", i);
		elements[i].number = i;
	}
	random_shuffle(&random, elements, 50, sizeof(elements[0]));
	for (int i = 0; i < 50; i++) {
		char text[16];
		snprintf(text, sizeof(text), "element %d", elements[i].number);
		assert_string_equal(elements[i].text, text);
		sum += elements[i].number;
	}
	assert_int_equal(sum, 49 * 50 / 2);
	random_shuffle(&random, NULL, 0, 8);
	random_shuffle(&random, elements, 1, sizeof(elements[0]));
}

/* Mean, variance and shape: values in 20 classes of equal probability, at 1e-4. */
static void test_distributions(void **state)
{
	(void)state;
	enum { N = 100000, CLASSES = 20 };
	struct random random;
	random_seed(&random, 29);
	size_t uniform[CLASSES] = {0}, normal[CLASSES] = {0}, exponential[CLASSES] = {0};
	for (int i = 0; i < N; i++) {
		double u = random_uniform(&random), e = random_exponential(&random);
		assert_true(u >= 0 && u < 1 && e >= 0 && isfinite(e));
		uniform[(int)(u * CLASSES)]++;
		normal[(int)(normal_cdf(random_normal(&random)) * CLASSES)]++;
		exponential[(int)(-expm1(-e) * CLASSES)]++;
	}
	assert_true(equal_counts_p(uniform, CLASSES) > 1e-4);
	assert_true(equal_counts_p(normal, CLASSES) > 1e-4);
	assert_true(equal_counts_p(exponential, CLASSES) > 1e-4);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),    cmocka_unit_test(test_seed),
	                                   cmocka_unit_test(test_jump),         cmocka_unit_test(test_stream),
	                                   cmocka_unit_test(test_below),        cmocka_unit_test(test_shuffle),
	                                   cmocka_unit_test(test_distributions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
