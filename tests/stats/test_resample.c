#include "stats/resample.h"

#include "support/known.h"

#include <math.h>

enum { N = 1000, DRAWS = 200000 };
static const double tolerance = 0.00487;

static struct resample_plan plan_of(const double *values, size_t n, double allowed, double *extremes)
{
	static double scratch[N];
	struct resample_plan plan;
	resample_plan(&plan, values, n, 5, allowed, scratch, extremes);
	plan.extreme_values = extremes;
	return plan;
}

/* Mean, variance and third central moment of the resampled mean against their exact values. */
static void check_moments(const double *values, size_t n, const struct resample_plan *plan)
{
	double mean = 0, variance = 0, third = 0, m = 0, v = 0, s = 0;
	struct index_source source = {0};
	random_seed(&source.random, 3);
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		variance += pow(values[i] - mean, 2) / (double)n;
		third += pow(values[i] - mean, 3) / (double)n;
	}
	variance /= (double)n;
	third /= (double)n * (double)n;
	for (int i = 0; i < DRAWS; i++) {
		struct resample_sum sum = {0};
		resample_group(plan, 5, 1, &source, &sum);
		double d = 5 + resample_finish(&sum, &source.random) - mean;
		m += d / DRAWS;
		v += d * d / DRAWS;
		s += d * d * d / DRAWS;
	}
	double sd = sqrt(variance);
	/* Four standard errors of each, for a nearly normal sum. */
	assert_true(fabs(m) < 4 * sd / sqrt(DRAWS));
	assert_true(fabs(v / variance - 1) < 4 * sqrt(2.0 / DRAWS) + 0.01 * fabs(third) / pow(sd, 3));
	assert_true(fabs(s - third) / pow(sd, 3) < 4 * sqrt(15.0 / DRAWS) + 0.05 * fabs(third) / pow(sd, 3));
}

static void test_what_is_drawn(void **state)
{
	(void)state;
	static double x[N];
	double extremes[RESAMPLE_MAX_EXTREMES];
	struct random random;
	random_seed(&random, 1);
	for (int i = 0; i < N; i++)
		x[i] = 5 + random_normal(&random);
	struct resample_plan plan = plan_of(x, N, tolerance, extremes);
	assert_true(plan.by_moments && plan.extremes < 16);
	check_moments(x, N, &plan);
	assert_false(plan_of(x, N, 0, extremes).by_moments);
	assert_false(plan_of(x, 10, tolerance, extremes).by_moments);

	for (int i = 0; i < N; i++)
		x[i] = 5 + random_exponential(&random);
	x[17] = 60;
	plan = plan_of(x, N, tolerance, extremes);
	assert_true(plan.by_moments && plan.extremes >= 1 && plan.extremes < 32);
	double largest = 0;
	for (size_t i = 0; i < plan.extremes; i++)
		largest = fmax(largest, extremes[i]);
	assert_true(largest == 55); /* from the centre */
	check_moments(x, N, &plan);

	/* One value in fifty is far away: a cluster, to be drawn whole. */
	for (int i = 0; i < N; i++)
		x[i] = (i % 50 == 0 ? 9 : 5) + 0.01 * random_normal(&random);
	plan = plan_of(x, N, tolerance, extremes);
	assert_true(plan.by_moments && plan.extremes >= 20);
	check_moments(x, N, &plan);

	/* Few distinct values, two large clusters: no smooth curve fits. */
	for (int i = 0; i < N; i++)
		x[i] = (double)(i % 3);
	assert_false(plan_of(x, N, tolerance, extremes).by_moments);
	for (int i = 0; i < N; i++)
		x[i] = (i % 2 ? 9 : 5) + 0.01 * random_normal(&random);
	assert_false(plan_of(x, N, tolerance, extremes).by_moments);
	for (int i = 0; i < N; i++)
		x[i] = 1e200 * random_normal(&random);
	assert_false(plan_of(x, N, tolerance, extremes).by_moments);
}

static void test_constant(void **state)
{
	(void)state;
	double x[64], extremes[RESAMPLE_MAX_EXTREMES];
	for (int i = 0; i < 64; i++)
		x[i] = 0.1;
	struct resample_plan plan = plan_of(x, 64, tolerance, extremes);
	struct index_source source = {0};
	struct resample_sum sum = {0};
	random_seed(&source.random, 1);
	resample_group(&plan, 5, 1, &source, &sum);
	assert_true(plan.by_moments && plan.extremes == 0);
	assert_true(resample_finish(&sum, &source.random) == 0.1 - 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_drawn),
		cmocka_unit_test(test_constant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
