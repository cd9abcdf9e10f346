#include "stats/wps.h"

#include "base/random.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *known;

static const json_t *case_of(const char *name)
{
	json_t *entry;
	size_t index;
	json_array_foreach(json_object_get(json_object_get(known, "regression"), "cases"), index,
	                   entry) if (strcmp(json_string_value(json_object_get(entry, "name")), name) == 0) return entry;
	fail_msg("no case %s", name);
	return NULL;
}

struct rounds {
	size_t n;
	double *work, *seconds;
};

static struct rounds read_rounds(const json_t *entry)
{
	struct rounds rounds;
	const json_t *ns = json_object_get(entry, "duration_ns");
	rounds.work = known_array(json_object_get(entry, "work"), &rounds.n);
	rounds.seconds = known_array(ns ? ns : json_object_get(entry, "duration_s"), &rounds.n);
	for (size_t i = 0; ns && i < rounds.n; i++)
		rounds.seconds[i] /= 1e9;
	return rounds;
}

static void free_rounds(struct rounds *rounds)
{
	free(rounds->work);
	free(rounds->seconds);
}

static struct wps_options options_of(const json_t *entry)
{
	return (struct wps_options){
		.autocorrelation_limit = known_number(entry, "ac_limit"), .level = 0.95, .merging = WPS_MERGE_SPEEDS};
}

static double width(struct interval interval)
{
	return interval.high - interval.low;
}

static void assert_within(double actual, const json_t *expected, const char *key, const char *tolerance)
{
	assert_true(fabs(actual - known_number(expected, key)) <= known_number(expected, tolerance));
}

static void test_pilot_lines(void **state)
{
	(void)state;
	struct wps wps;
	const json_t *entry = case_of("R1"), *expected = json_object_get(entry, "expected");
	struct wps_options options = options_of(entry);
	struct rounds rounds = read_rounds(entry);
	assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_OK);
	assert_within(wps.alpha, expected, "alpha", "alpha_tol");
	assert_within(wps.speed, expected, "v", "v_tol");
	assert_within(wps.residual_squares, expected, "ssr", "ssr_tol");
	assert_within(width(wps.speed_interval), expected, "v_ci_correct", "v_ci_tol");
	free_rounds(&rounds);

	entry = case_of("R4");
	expected = json_object_get(entry, "expected");
	rounds = read_rounds(entry);
	assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_OK);
	assert_close(wps.alpha, known_number(expected, "alpha"), 1e-9);
	assert_within(wps.speed, expected, "v", "v_tol");
	assert_within(wps.residual_squares, expected, "ssr", "ssr_tol");
	assert_within(width(wps.speed_interval), expected, "v_ci_correct", "v_ci_tol");
	free_rounds(&rounds);

	/* The slope's interval reaches 0: the speed has a low bound only. */
	entry = case_of("R3");
	expected = json_object_get(entry, "expected");
	rounds = read_rounds(entry);
	assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_UNBOUNDED);
	assert_within(wps.alpha, expected, "alpha", "alpha_tol");
	assert_within(wps.speed, expected, "v", "v_tol");
	assert_within(wps.residual_squares, expected, "ssr", "ssr_tol");
	assert_true(isinf(wps.speed_interval.high) && fabs(wps.speed_interval.low - 47338412) < 1);
	struct interval slope = line_slope_interval(&wps.line, wps.critical);
	assert_close(slope.low, -7.63e-9, 1e-3);
	assert_close(slope.high, 2.11e-8, 2e-3);
	free_rounds(&rounds);

	entry = case_of("R2");
	expected = json_object_get(entry, "expected");
	double work[40], seconds[40];
	for (int i = 0; i < 40; i++) {
		double t = 50 * i;
		work[i] = 500 * 100 + 30 * t + 15 * 30;
		seconds[i] = (10 + 100 + 30 + t) / 1e9;
	}
	assert_int_equal(wps_fit(work, seconds, 40, &options, &wps), STATS_OK);
	assert_true(fabs(wps.alpha * 1e9 - known_number(expected, "alpha_ns")) < known_number(expected, "alpha_tol_ns"));
	assert_close(wps.speed, known_number(expected, "v_per_s"), 1e-9);
	assert_true(width(wps.speed_interval) < 1e-9 * wps.speed && wps.residual_squares < 1e-30);
}

static void test_pilot_subsessions(void **state)
{
	(void)state;
	struct wps wps;
	const json_t *entry = case_of("Subsession1"), *expected = json_object_get(entry, "expected");
	struct wps_options options = options_of(entry);
	size_t n;
	double *order = known_array(json_object_get(entry, "order"), &n), work[24], seconds[24];
	for (int i = 0; i < 24; i++) {
		work[i] = order[i / 2];
		seconds[i] = 4 + work[i] / 1.5;
	}
	free(order);
	assert_int_equal(wps_fit(work, seconds, 24, &options, &wps), STATS_OK);
	assert_int_equal(wps.size, (size_t)known_number(expected, "q"));
	assert_int_equal(wps.line.n, (size_t)known_number(expected, "h"));
	assert_close(wps.alpha, known_number(expected, "alpha"), 1e-9);
	assert_close(wps.speed, known_number(expected, "v"), 1e-9);
	assert_true(width(wps.speed_interval) < 1e-6 && wps.residual_squares < 1e-6);
	/* The line leaves nothing: by residuals all 24 rounds count. */
	options.merging = WPS_MERGE_RESIDUALS;
	assert_int_equal(wps_fit(work, seconds, 24, &options, &wps), STATS_OK);
	assert_true(wps.size == 1 && wps.line.n == 24);

	const char *const names[] = {"Subsession2", "Subsession3"}, *const ssr[] = {"ssr", "ssr_all_rounds"};
	for (int c = 0; c < 2; c++) {
		entry = case_of(names[c]);
		expected = json_object_get(entry, "expected");
		options = options_of(entry);
		struct rounds rounds = read_rounds(entry);
		assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_OK);
		assert_int_equal(wps.line.n, (size_t)known_number(expected, "h"));
		assert_int_equal(wps.rounds, rounds.n);
		assert_within(wps.alpha, expected, "alpha", "tol");
		assert_within(wps.speed, expected, "v", "tol");
		assert_within(wps.residual_squares, expected, ssr[c], "tol");
		assert_within(width(wps.speed_interval), expected, "v_ci_correct", "tol");
		free_rounds(&rounds);
	}
}

static void test_pilot_filter(void **state)
{
	(void)state;
	struct wps wps;
	const json_t *entry = case_of("FilteredRounds"), *expected = json_object_get(entry, "expected");
	struct wps_options options = options_of(entry);
	struct rounds rounds = read_rounds(entry);
	options.shortest = known_number(entry, "duration_threshold_s");
	assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_OK);
	assert_int_equal(wps.rounds, 5);
	assert_close(wps.alpha, known_number(expected, "alpha"), 1e-9);
	assert_close(wps.speed, known_number(expected, "v"), 1e-9);
	assert_true(wps.residual_squares < 1e-9);
	free_rounds(&rounds);

	const json_t *session = json_object_get(known, "session");
	options = options_of(session);
	options.shortest = known_number(session, "short_round_threshold_s");
	const char *const names[] = {"short_rounds_left_out", "negative_alpha"};
	for (int c = 0; c < 2; c++) {
		entry = json_object_get(session, names[c]);
		expected = json_object_get(entry, "expected");
		size_t n;
		double *work = known_array(json_object_get(entry, "rounds_work"), &n);
		double *seconds = known_array(json_object_get(entry, "rounds_duration_s"), &n);
		assert_int_equal(wps_fit(work, seconds, n, &options, &wps), STATS_OK);
		assert_int_equal(wps.line.n, (size_t)known_number(expected, "h"));
		assert_close(wps.alpha, known_number(expected, "alpha"), 1e-9);
		assert_close(wps.speed, known_number(expected, "v"), 1e-9);
		free(work);
		free(seconds);
	}
	size_t n;
	double *work = known_array(json_object_get(json_object_get(session, "negative_alpha_too_few"), "rounds_work"), &n);
	double *seconds = malloc(n * sizeof(*seconds));
	for (size_t i = 0; i < n; i++)
		seconds[i] = -100 + work[i] / 1.5;
	assert_int_equal(wps_fit(work, seconds, n, &options, &wps), STATS_TOO_FEW);
	free(work);
	free(seconds);
}

/* Set-up 1 s, warm-up 2 s at three times the speed, cool-down 1 s at half of it: all of that is α. */
static void test_pilot_warmup(void **state)
{
	(void)state;
	const json_t *entry = json_object_get(json_object_get(known, "regression"), "warmup_synthetic");
	const json_t *expected = json_object_get(entry, "expected");
	double v = known_number(entry, "v_stable"), warm = known_number(entry, "warmup_s"),
		   cool = known_number(entry, "cooldown_s");
	double done = floor(v * known_number(entry, "warmup_v_factor") * warm) +
	              floor(v * known_number(entry, "cooldown_v_factor") * cool);
	struct wps_options options = {.autocorrelation_limit = 1, .level = 0.95};
	for (size_t s = 0; s < 2; s++) {
		size_t n;
		double *work = known_array(json_array_get(json_object_get(entry, "work_sets"), s), &n), seconds[12];
		for (size_t i = 0; i < n; i++)
			seconds[i] = known_number(entry, "setup_s") + warm + cool + (work[i] - done) / v;
		struct wps wps;
		assert_int_equal(wps_fit(work, seconds, n, &options, &wps), STATS_OK);
		assert_true(fabs(wps.speed - known_number(expected, "v")) < known_number(expected, "v_tol"));
		assert_true(width(wps.speed_interval) < known_number(expected, "ci_tol"));
		free(work);
	}
}

static void test_pilot_errors(void **state)
{
	(void)state;
	struct wps wps = {.rounds = 77};
	const json_t *entry = case_of("SameWorkAmount");
	struct wps_options options = options_of(entry);
	size_t n, amounts;
	double *ns = known_array(json_object_get(entry, "duration_ns"), &n),
		   *each = known_array(json_object_get(entry, "work_each"), &amounts);
	double work[12];
	for (size_t a = 0; a < amounts; a++) {
		for (size_t i = 0; i < n; i++)
			work[i] = each[a];
		assert_int_equal(wps_fit(work, ns, n, &options, &wps), STATS_CONSTANT);
	}
	free(ns);
	free(each);
	struct rounds rounds = read_rounds(case_of("NotEnoughInput"));
	assert_int_equal(wps_fit(rounds.work, rounds.seconds, rounds.n, &options, &wps), STATS_TOO_FEW);
	free_rounds(&rounds);
	assert_int_equal(wps.rounds, 77);
}

/* Known α and v with noise, work amounts ascending: the intervals cover both in 95 % (2000 sessions of 20 rounds,
 * simulation error 0.5 points), the next round lies in its prediction interval in 95 %, and a straight line is called
 * curved in 5 % at 5 %. By speeds such sessions would look dependent. */
static void test_coverage(void **state)
{
	(void)state;
	enum { SESSIONS = 2000, N = 20 };
	struct random random;
	random_seed(&random, 71);
	struct wps_options options = {.autocorrelation_limit = 1, .level = 0.95};
	int speed = 0, alpha = 0, curved = 0, merged = 0, refused = 0;
	for (int s = 0; s < SESSIONS; s++) {
		double work[N + 1], seconds[N + 1];
		struct wps wps;
		for (int i = 0; i <= N; i++) {
			work[i] = 100 + 50 * i;
			seconds[i] = 4 + work[i] / 12 + random_normal(&random);
		}
		options.autocorrelation_limit = 1;
		options.merging = WPS_MERGE_RESIDUALS;
		assert_int_equal(wps_fit(work, seconds, N, &options, &wps), STATS_OK);
		speed += wps.speed_interval.low <= 12 && 12 <= wps.speed_interval.high;
		alpha += wps.alpha_interval.low <= 4 && 4 <= wps.alpha_interval.high;
		curved += wps.curvature_p < 0.05;
		options.autocorrelation_limit = 0.2;
		merged += wps_fit(work, seconds, N, &options, &wps) == STATS_OK;
		options.merging = WPS_MERGE_SPEEDS;
		refused += wps_fit(work, seconds, N, &options, &wps) == STATS_TOO_FEW;
	}
	assert_true(fabs((double)speed / SESSIONS - 0.95) < 0.015 && fabs((double)alpha / SESSIONS - 0.95) < 0.015);
	assert_true(fabs((double)curved / SESSIONS - 0.05) < 0.015);
	assert_true((double)merged / SESSIONS > 0.85 && refused > SESSIONS / 2);
}

static enum stats_status try_fit(void *data)
{
	double *work = data;
	struct wps wps;
	struct wps_options options = {.autocorrelation_limit = 1, .level = 0.95, .merging = WPS_MERGE_SPEEDS};
	return wps_fit(work, work + 5, 5, &options, &wps);
}

static void test_edges(void **state)
{
	(void)state;
	double rounds[] = {50, 100, 150, 200, 250, 142.5, 242, 342, 441, 542}, *work = rounds, *seconds = rounds + 5;
	struct wps_options good = {.autocorrelation_limit = 1, .level = 0.95}, bad = good;
	struct wps wps = {.rounds = 77};
	assert_int_equal(wps_fit(work, seconds, 0, &good, &wps), STATS_EMPTY);
	bad.level = 1;
	assert_int_equal(wps_fit(work, seconds, 5, &bad, &wps), STATS_BAD_ARGUMENT);
	bad = good;
	bad.autocorrelation_limit = 0;
	assert_int_equal(wps_fit(work, seconds, 5, &bad, &wps), STATS_BAD_ARGUMENT);
	bad = good;
	bad.shortest = NAN;
	assert_int_equal(wps_fit(work, seconds, 5, &bad, &wps), STATS_BAD_ARGUMENT);
	bad.shortest = 1000;
	assert_int_equal(wps_fit(work, seconds, 5, &bad, &wps), STATS_TOO_FEW);
	double falling[] = {500, 400, 300, 200, 100}, negative[] = {-1, 2, 3, 4, 5}, lost[] = {1, NAN, 3, 4, 5};
	assert_int_equal(wps_fit(falling, seconds, 5, &good, &wps), STATS_TOO_FEW); /* α = 642: no round is longer */
	assert_int_equal(wps_fit(negative, seconds, 5, &good, &wps), STATS_NOT_POSITIVE);
	assert_int_equal(wps_fit(work, negative, 5, &good, &wps), STATS_NOT_POSITIVE);
	assert_int_equal(wps_fit(work, lost, 5, &good, &wps), STATS_NOT_FINITE);
	double flat[] = {12, 10, 11, 10, 10.5, 1, 2, 3, 4, 5};
	assert_int_equal(wps_fit(flat + 5, flat, 5, &good, &wps), STATS_TOO_FEW);
	assert_int_equal(wps.rounds, 77);
	/* A round of exactly the shortest time counts. */
	good.shortest = 142.5;
	assert_int_equal(wps_fit(work, seconds, 5, &good, &wps), STATS_OK);
	assert_int_equal(wps.rounds, 5);
	assert_int_equal(starve(try_fit, rounds), 3);
}

int main(void)
{
	gsl_set_error_handler_off();
	known = known_load("wps.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pilot_lines),  cmocka_unit_test(test_pilot_subsessions),
	                                   cmocka_unit_test(test_pilot_filter), cmocka_unit_test(test_pilot_warmup),
	                                   cmocka_unit_test(test_pilot_errors), cmocka_unit_test(test_coverage),
	                                   cmocka_unit_test(test_edges)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(known);
	return failed;
}
