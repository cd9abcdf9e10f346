#include "stats/longrun.h"

#include "base/random.h"
#include "stats/slope.h"
#include "support/known.h"
#include "support/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void centre(double *x, size_t n)
{
	double mean = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		x[i] -= mean;
}

/* search = −1: nothing was taken out, so the Yule-Walker fit is R's. */
static void test_against_r(void **state)
{
	(void)state;
	json_t *known = known_load("changepoint.json"), *row;
	size_t k;
	json_array_foreach(json_object_get(known, "longrun"), k, row)
	{
		size_t n = (size_t)known_number(row, "n"), order;
		double *phi = known_array(json_object_get(row, "phi"), &order), *x = malloc(n * sizeof(*x));
		struct longrun out;
		sequence_uniform(x, n, (unsigned)known_number(row, "seed"));
		for (size_t i = 0; i < n; i++) {
			x[i] -= 0.5;
			for (size_t j = 1; j <= order && j <= i; j++)
				x[i] += phi[j - 1] * x[i - j];
		}
		centre(x, n);
		longrun_fit(x, &n, 1, -1, &out);
		assert_int_equal(out.order, known_number(row, "order"));
		/* Of order 1 ours divides the products by their number, R's by n: 1/n relative in the correlation. */
		assert_close(out.factor, known_number(row, "factor"), out.order == 1 ? 0.02 : 1e-9);
		free(phi);
		free(x);
	}
	assert_int_equal(k, 5);
	json_decref(known);
}

/* Many fitted levels lower the correlations; the correction must bring the factor back, where it is known. */
static void test_levels_taken_out(void **state)
{
	(void)state;
	enum { N = 600, PIECE = 30, SERIES = 100 };
	static double x[N];
	size_t ends[N / PIECE];
	double corrected = 0, plain = 0;
	struct random random;
	random_seed(&random, 5);
	for (size_t k = 0; k < N / PIECE; k++)
		ends[k] = (k + 1) * PIECE;
	for (size_t s = 0; s < SERIES; s++) {
		struct longrun out;
		double value = random_normal(&random);
		for (size_t i = 0; i < N; i++) {
			x[i] = value;
			value = 0.5 * value + sqrt(0.75) * random_normal(&random);
		}
		for (size_t k = 0; k < N / PIECE; k++)
			centre(x + k * PIECE, PIECE);
		longrun_fit(x, ends, N / PIECE, 0, &out);
		corrected += out.factor / SERIES;
		longrun_fit(x, ends, N / PIECE, -(double)(N / PIECE), &out);
		plain += out.factor / SERIES;
	}
	/* True factor 3; the mean of 100 has an error of about 0.06. */
	assert_true(plain < 2.75);
	assert_true(corrected > 2.7 && corrected < 3.6);
}

static void test_edges(void **state)
{
	(void)state;
	struct longrun out;
	double zeros[8] = {0}, alternating[40], one = 3, skewed[8] = {-1, -1, -1, -1, -1, -1, -1, 7};
	size_t n = 8;
	longrun_fit(zeros, &n, 1, 3, &out);
	assert_true(out.factor == 1 && out.variance == 0 && out.skewness == 0 && out.order == 0);
	longrun_fit(skewed, &n, 1, 0, &out);
	assert_close(out.variance, 8, 1e-12);
	assert_close(out.skewness, 336 / 8. / pow(7, 1.5), 1e-12); /* Σe³/n over (Σe²/n)^1.5 */
	n = 1;
	longrun_fit(&one, &n, 1, 0, &out);
	assert_true(out.factor == 1);
	for (size_t i = 0; i < 40; i++)
		alternating[i] = i % 2 ? 1 : -1;
	n = 40;
	longrun_fit(alternating, &n, 1, 3, &out);
	assert_true(out.factor == 1); /* never below 1 */
	for (size_t i = 0; i < 40; i++)
		alternating[i] = (double)i - 19.5;
	longrun_fit(alternating, &n, 1, 3, &out);
	assert_true(out.factor > 5 && out.factor <= LONGRUN_MAX);
}

static void test_slope(void **state)
{
	(void)state;
	json_t *known = known_load("changepoint.json"), *row;
	double x[300], places[300], residuals[300];
	size_t k;
	json_array_foreach(json_object_get(known, "slope"), k, row)
	{
		size_t n = (size_t)known_number(row, "n");
		sequence_uniform(x, n, (unsigned)known_number(row, "seed"));
		for (size_t i = 0; i < n; i++)
			x[i] += known_number(row, "rise") * (double)i / (double)n;
		struct slope slope = slope_of(x, n, places, residuals);
		assert_close(slope.rise, known_number(row, "rise_in_sd"), 1e-9);
		/* White noise: the factor is near 1, so the p value is that of a t a little smaller than R's. */
		assert_true(slope.p_value < 1e-4 && slope.p_value > 0);
	}
	for (size_t i = 0; i < 300; i++)
		x[i] = 2 * (double)i;
	assert_true(slope_of(x, 300, places, residuals).p_value < 1e-12);
	assert_true(slope_of(x, 300, places, residuals).rise > 1e9);
	memset(x, 0, sizeof(x));
	assert_true(slope_of(x, 300, places, residuals).p_value == 1);
	assert_true(slope_of(x, 2, places, residuals).p_value == 1);
	json_decref(known);
}

/* A slope is claimed in autocorrelated noise no more often than its p value says: at 1 %, 1000 series, error 0.3
 * points. */
static void test_slope_alarms(void **state)
{
	(void)state;
	double x[100], places[100], residuals[100];
	struct random random;
	size_t alarms = 0;
	random_seed(&random, 8);
	for (size_t s = 0; s < 1000; s++) {
		double value = random_normal(&random);
		for (size_t i = 0; i < 100; i++) {
			x[i] = value;
			value = 0.5 * value + random_normal(&random);
		}
		alarms += slope_of(x, 100, places, residuals).p_value < 0.01;
	}
	assert_true(alarms <= 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_r), cmocka_unit_test(test_levels_taken_out), cmocka_unit_test(test_edges),
		cmocka_unit_test(test_slope),     cmocka_unit_test(test_slope_alarms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
