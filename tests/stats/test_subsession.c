#include "stats/subsession.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "stats/interval.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

static json_t *known;

static double width_of(const struct subsession *subsession)
{
	double count = (double)subsession->count;
	return 2 * t_quantile(0.975, count - 1) * sqrt(subsession->variance / count);
}

static void test_ferrari(void **state)
{
	(void)state;
	const json_t *ferrari = json_object_get(known, "ferrari"), *expected = json_object_get(ferrari, "expected");
	size_t n;
	double *x = known_array(json_object_get(ferrari, "data"), &n);
	struct subsession one, two, four, found;
	assert_int_equal(subsession_at(x, n, 1, &one), STATS_OK);
	assert_int_equal(subsession_at(x, n, 2, &two), STATS_OK);
	assert_int_equal(subsession_at(x, n, 4, &four), STATS_OK);
	assert_close(one.mean, known_number(expected, "mean"), 1e-14);
	assert_close(one.variance, known_number(expected, "var_q1"), 1e-13);
	assert_close(one.autocorrelation * one.variance, known_number(expected, "autocov_lag1_q1"), 1e-13);
	assert_close(one.autocorrelation, known_number(expected, "autocorr_q1"), 1e-13);
	assert_close(two.autocorrelation, known_number(expected, "autocorr_q2"), 1e-13);
	assert_close(four.autocorrelation, known_number(expected, "autocorr_q4"), 1e-13);
	assert_close(four.variance, known_number(expected, "var_q4"), 1e-13);
	assert_close(width_of(&four), known_number(expected, "ci_width_q4_95"), 1e-9);
	assert_int_equal(subsession_find(x, n, 0.1, &found), STATS_OK);
	assert_int_equal(found.size, (size_t)known_number(expected, "optimal_q_at_ac_0.1"));
	assert_int_equal(found.count, 12);
	assert_true(found.autocorrelation == four.autocorrelation);

	/* What Pilot's analyze prints for the presets quick and strict. */
	const json_t *cli = json_object_get(known, "analyze_cli"), *quick = json_object_get(cli, "quick_ac_0.8"),
				 *strict = json_object_get(cli, "strict_ac_0.1");
	assert_int_equal(subsession_find(x, n, 0.8, &found), STATS_OK);
	assert_int_equal(found.size, (size_t)known_number(quick, "optimal_subsession_size"));
	assert_true(fabs(width_of(&found) - known_number(quick, "CI")) < 5e-7);
	assert_true(fabs(found.variance - known_number(quick, "variance")) < 5e-7);
	assert_true(fabs(four.autocorrelation - known_number(strict, "subsession_autocorrelation_coefficient")) < 5e-6);

	/* Its session stops at reading 44. */
	const json_t *session = json_object_get(json_object_get(known, "readings_cli"), "expected");
	size_t stop = (size_t)known_number(session, "rounds_at_stop");
	assert_int_equal(subsession_find(x, stop, 0.1, &found), STATS_OK);
	assert_int_equal(found.size, (size_t)known_number(session, "q"));
	assert_true(fabs(found.mean - known_number(session, "mean")) < 5e-6);
	assert_true(fabs(found.variance - known_number(session, "subsession_var")) < 5e-8);
	assert_true(fabs(width_of(&found) - known_number(session, "ci_width")) < 5e-7);
	free(x);
}

static void test_small(void **state)
{
	(void)state;
	const json_t *small = json_object_get(known, "readings_small"), *expected = json_object_get(small, "expected");
	size_t n;
	struct subsession found;
	double *x = known_array(json_object_get(small, "readings"), &n);
	assert_int_equal(subsession_find(x, n, 0.1, &found), STATS_OK);
	assert_int_equal(found.size, (size_t)known_number(expected, "readings_q"));
	assert_true(found.mean == known_number(expected, "readings_mean"));
	assert_true(found.variance == known_number(expected, "readings_var"));
	assert_true(found.autocorrelation == known_number(expected, "readings_autocorr_q1"));
	free(x);

	x = known_array(json_object_get(small, "unit_readings_per_round"), &n);
	assert_int_equal(n, (size_t)known_number(expected, "ur_num"));
	assert_int_equal(subsession_at(x, n, 1, &found), STATS_OK);
	assert_close(found.autocorrelation, known_number(expected, "ur_autocorr_q1"), 1e-13);
	assert_true(known_number(expected, "ur_q") == -1);
	assert_int_equal(subsession_find(x, n, 0.1, &found), STATS_TOO_FEW);
	free(x);
}

/* Every size by its definition; the smallest within the limit is the one found. */
static void test_recomputed(void **state)
{
	(void)state;
	enum { N = 3000 };
	double x[N], means[N], last = 0;
	struct random random;
	random_seed(&random, 6);
	for (int i = 0; i < N; i++)
		x[i] = 1e5 + (last = 0.9 * last + random_normal(&random));
	struct subsession found, at;
	assert_int_equal(subsession_find(x, N, 0.1, &found), STATS_OK);
	assert_true(found.size > 5 && found.size <= N / SUBSESSION_LEAST);
	for (size_t size = 1; size <= N / 2; size++) {
		assert_int_equal(subsession_at(x, N, size, &at), STATS_OK);
		subsession_means(x, N, size, means);
		double squares = 0, products = 0;
		for (size_t g = 0; g < N / size; g++) {
			squares += (means[g] - at.mean) * (means[g] - at.mean);
			products += g ? (means[g] - at.mean) * (means[g - 1] - at.mean) : 0;
		}
		assert_int_equal(at.count, N / size);
		assert_true(fabs(at.autocorrelation - products / squares) < 1e-9);
		assert_close(at.variance, squares / (double)(N / size - 1), 1e-8);
		if (size < found.size)
			assert_true(fabs(at.autocorrelation) > 0.1);
	}
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A series that no size helps makes the search visit them all: 200 000 values in well under a second of CPU time,
 * where a quadratic search would need 2·10⁹ steps. */
static void test_not_quadratic(void **state)
{
	(void)state;
	enum { N = 200000 };
	double *ramp = malloc(N * sizeof(*ramp)), begin = seconds();
	assert_non_null(ramp);
	for (int i = 0; i < N; i++)
		ramp[i] = i;
	struct subsession found;
	assert_int_equal(subsession_find(ramp, N, 0.1, &found), STATS_TOO_FEW);
	assert_true(seconds() - begin < 1);
	free(ramp);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, NAN}, constant[50], ramp[60];
	struct subsession found = {.size = 77};
	for (int i = 0; i < 50; i++)
		constant[i] = 0.3;
	for (int i = 0; i < 60; i++)
		ramp[i] = i;
	assert_int_equal(subsession_find(x, 0, 0.1, &found), STATS_EMPTY);
	assert_int_equal(subsession_find(x, 1, 0.1, &found), STATS_TOO_FEW);
	assert_int_equal(subsession_find(x, 3, 0.1, &found), STATS_NOT_FINITE);
	assert_int_equal(subsession_find(x, 2, 0, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(subsession_find(x, 2, 1.1, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(subsession_find(x, 2, NAN, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(subsession_at(x, 2, 0, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(subsession_at(x, 2, 2, &found), STATS_BAD_ARGUMENT);
	for (size_t n = 10; n <= 60; n++)
		assert_int_equal(subsession_find(ramp, n, 0.1, &found), STATS_TOO_FEW);
	assert_int_equal(found.size, 77);
	assert_int_equal(subsession_find(constant, 50, 0.1, &found), STATS_OK);
	assert_true(found.size == 1 && found.count == 50 && found.mean == 0.3 && found.variance == 0 &&
	            found.autocorrelation == 0);
}

static enum stats_status try_find(void *data)
{
	struct subsession found;
	return subsession_find(data, 3, 1, &found);
}

static enum stats_status try_at(void *data)
{
	struct subsession found;
	return subsession_at(data, 3, 1, &found);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 4};
	assert_int_equal(starve(try_find, x), 1);
	assert_int_equal(starve(try_at, x), 1);
}

/* Pilot's own session of one reading a round: it ends with the first reading at which ten groups are free of
 * autocorrelation. */
static void session_of_pilot(void **state)
{
	(void)state;
	json_t *sessions = known_load("sessions.json"), *entry = json_object_get(sessions, "readings_cli");
	size_t n, end = 0;
	double *x = known_array(json_object_get(entry, "x"), &n);
	struct subsession found;
	for (size_t i = 2; i <= n && end == 0; i++)
		if (subsession_find(x, i, known_number(entry, "limit"), &found) == STATS_OK)
			end = i;
	assert_int_equal(end, (size_t)known_number(entry, "rounds_at_stop"));
	assert_int_equal(found.size, (size_t)known_number(entry, "size"));
	assert_close(found.mean, known_number(entry, "mean"), 1e-5);
	assert_close(found.variance, known_number(entry, "subsession_variance"), 1e-5);
	assert_close(width_of(&found), known_number(entry, "ci_width"), 1e-5);
	free(x);
	json_decref(sessions);
}

int main(void)
{
	gsl_set_error_handler_off();
	known = known_load("one_sample.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(session_of_pilot),   cmocka_unit_test(test_ferrari),
	                                   cmocka_unit_test(test_small),         cmocka_unit_test(test_recomputed),
	                                   cmocka_unit_test(test_not_quadratic), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_no_memory)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(known);
	return failed;
}
