#include "stats/ewc.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "stats/summary.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static void test_reference(void **state)
{
	(void)state;
	json_t *known = known_load("single_run.json"), *run = json_object_get(known, "single_run");
	size_t n, skip = (size_t)known_number(known, "mser5w_start");
	double *x = known_array(json_object_get(known, "series300"), &n), se, mean;
	struct interval interval;
	assert_int_equal(n - skip, (size_t)known_number(run, "n"));
	assert_int_equal(ewc_standard_error(x + skip, n - skip, &se), STATS_OK);
	assert_close(se, known_number(run, "EWC8_se"), 1e-9);
	assert_int_equal(ewc_interval(x + skip, n - skip, 0.95, &mean, &interval), STATS_OK);
	assert_close(mean, known_number(run, "mean"), 1e-12);
	assert_close((interval.high - interval.low) / 2, known_number(run, "EWC8_half95"), 1e-9);
	free(x);
	json_decref(known);
}

/* The definition with a cosine for every term. */
static void test_recomputed(void **state)
{
	(void)state;
	enum { N = 5000 };
	static double x[N];
	struct random random;
	random_seed(&random, 9);
	for (int i = 0; i < N; i++)
		x[i] = 100 + random_exponential(&random);
	for (size_t n = 9; n <= N; n = n * 5 / 2) {
		struct summary summary;
		assert_int_equal(summary_of(x, n, &summary), STATS_OK);
		double squares = 0, se;
		for (int j = 1; j <= 8; j++) {
			double sum = 0;
			for (size_t i = 1; i <= n; i++)
				sum += (x[i - 1] - summary.mean) * cos(M_PI * j * ((double)i - 0.5) / (double)n);
			squares += 2. / (double)n * sum * sum;
		}
		assert_int_equal(ewc_standard_error(x, n, &se), STATS_OK);
		assert_close(se, sqrt(squares / 8 / (double)n), 1e-10);
	}
}

/* AR(1) runs of 1000 values: coverage of the 95 % interval over 2000 runs, simulation error 0.5 points. A run whose
 * memory is too long is refused. */
static void test_coverage(void **state)
{
	(void)state;
	enum { RUNS = 2000, N = 1000 };
	struct random random;
	random_seed(&random, 10);
	const double phi[] = {0, 0.5, 0.8};
	for (int p = 0; p < 3; p++) {
		int covered = 0, refused = 0;
		for (int r = 0; r < RUNS; r++) {
			double x[N], last = random_normal(&random) / sqrt(1 - phi[p] * phi[p]), mean;
			struct interval interval;
			for (int i = 0; i < N; i++)
				x[i] = last = phi[p] * last + random_normal(&random);
			if (ewc_interval(x, N, 0.95, &mean, &interval) == STATS_TOO_FEW)
				refused++;
			else
				covered += interval.low <= 0 && interval.high >= 0;
		}
		assert_int_equal(refused, 0);
		assert_true((double)covered / RUNS > 0.936 - 3 * 0.005 && (double)covered / RUNS < 0.96 + 3 * 0.005);
	}
	double walk[N], last = 0, mean;
	struct interval interval;
	for (int i = 0; i < N; i++)
		walk[i] = last = last + random_normal(&random);
	assert_int_equal(ewc_interval(walk, N, 0.95, &mean, &interval), STATS_TOO_FEW);
}

static void test_edges(void **state)
{
	(void)state;
	double x[30], constant[30], mean = 7, se = 7;
	struct interval interval = {-1, -1};
	for (int i = 0; i < 30; i++) {
		x[i] = i * 13 % 30;
		constant[i] = 5;
	}
	assert_int_equal(ewc_interval(x, 0, 0.95, &mean, &interval), STATS_EMPTY);
	assert_int_equal(ewc_interval(x, 3, 0.95, &mean, &interval), STATS_TOO_FEW);
	assert_int_equal(ewc_interval(x, 24, 0.95, &mean, &interval), STATS_TOO_FEW);
	assert_int_equal(ewc_interval(x, 30, 1, &mean, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(ewc_interval(x, 30, NAN, &mean, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(ewc_interval(constant, 30, 0.95, &mean, &interval), STATS_CONSTANT);
	x[2] = NAN;
	assert_int_equal(ewc_interval(x, 30, 0.95, &mean, &interval), STATS_NOT_FINITE);
	assert_int_equal(ewc_standard_error(x + 3, 8, &se), STATS_TOO_FEW);
	assert_true(mean == 7 && se == 7 && interval.low == -1);
}

static enum stats_status try_ewc(void *data)
{
	double mean;
	struct interval interval;
	return ewc_interval(data, 200, 0.95, &mean, &interval);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[200];
	struct random random;
	random_seed(&random, 1);
	for (int i = 0; i < 200; i++)
		x[i] = random_normal(&random);
	assert_true(starve(try_ewc, x) >= 2);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_recomputed),
	                                   cmocka_unit_test(test_coverage), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
