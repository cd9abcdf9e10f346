/* libtare as a program uses it: sessions that tare drives, sessions that are asked, work amounts, statistics, wrong
 * calls. */
#include "tare/tare.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct load {
	struct random random;
	size_t fails_at; /* round from 1; 0: never */
	size_t calls;
};

static int noisy(struct tare_round *round, void *context)
{
	struct load *load = context;
	if (++load->calls == load->fails_at)
		return 1;
	return tare_round_reading(round, 0, 100 + 5 * random_normal(&load->random)) != TARE_OK;
}

static struct tare_session *with_pi(const struct tare_pi *pi)
{
	struct tare_session *session = tare_session_new();
	size_t index = 99;
	assert_non_null(session);
	assert_int_equal(tare_session_preset(session, TARE_QUICK), TARE_OK);
	assert_int_equal(tare_session_add_pi(session, pi, &index), TARE_OK);
	assert_int_equal(index, 0);
	return session;
}

static int equal(struct tare_round *round, void *context)
{
	(void)context;
	return tare_round_reading(round, 0, 42) != TARE_OK;
}

/* Equal readings stand in for the preset's number of rounds, not for the caller's. */
static void the_least_number_of_rounds_is_kept_to(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "x", .unit = "s"};
	for (size_t least = 0; least <= 20; least += 20) {
		struct tare_session *session = with_pi(&pi);
		if (least)
			assert_int_equal(tare_session_least(session, least), TARE_OK);
		assert_int_equal(tare_session_run(session, equal, NULL), TARE_OK);
		assert_int_equal(tare_session_rounds(session), least ? least : 5);
		tare_session_free(session);
	}
}

static void tare_drives(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "x", .unit = "s"};
	struct load load = {0};
	random_seed(&load.random, 1);
	struct tare_session *session = with_pi(&pi);
	assert_int_equal(tare_session_run(session, noisy, &load), TARE_OK);
	struct tare_estimate e;
	assert_int_equal(tare_session_estimate(session, 0, &e), TARE_OK);
	assert_true(e.enough && e.rounds >= 28 && e.rounds == load.calls && e.rounds == tare_session_rounds(session));
	assert_true(e.low < 100 && 100 < e.high && (e.high - e.low) / 2 <= 0.1 * e.mean);
	assert_close(e.level, 0.95, 0);
	assert_true(tare_session_missing_rounds(session) == 0 && tare_session_missing_seconds(session) == 0);
	/* Too late to describe. */
	assert_int_equal(tare_session_add_pi(session, &pi, NULL), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_preset(session, TARE_STRICT), TARE_BAD_ARGUMENT);
	tare_session_free(session);
}

static void limits_and_failures_keep_what_was_measured(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "x", .width = 0.0001};
	struct load load = {0};
	random_seed(&load.random, 2);
	struct tare_session *session = with_pi(&pi);
	assert_int_equal(tare_session_limit(session, 0, 40), TARE_OK);
	assert_int_equal(tare_session_run(session, noisy, &load), TARE_LIMIT);
	assert_int_equal(tare_session_rounds(session), 40);
	struct tare_estimate e;
	assert_int_equal(tare_session_estimate(session, 0, &e), TARE_OK);
	assert_true(!e.enough && e.missing > 0 && isfinite(tare_session_missing_rounds(session)));
	tare_session_free(session);
	load.fails_at = 12;
	load.calls = 0;
	session = with_pi(&pi);
	assert_int_equal(tare_session_run(session, noisy, &load), TARE_FAILED);
	assert_int_equal(tare_session_rounds(session), 11);
	assert_int_equal(tare_session_estimate(session, 0, &e), TARE_OK);
	tare_session_free(session);
}

static void asked_round_by_round(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "t", .units = 1}, other = {.name = "n", .watch = 1};
	struct tare_session *session = with_pi(&pi);
	assert_int_equal(tare_session_add_pi(session, &other, NULL), TARE_OK);
	struct random random;
	random_seed(&random, 5);
	assert_true(isinf(tare_session_missing_rounds(session)));
	for (int r = 0; r < 100 && !tare_session_enough(session); r++) {
		struct tare_round *round, *second;
		assert_int_equal(tare_session_begin(session, &round), TARE_OK);
		assert_int_equal(tare_session_begin(session, &second), TARE_BAD_ARGUMENT);
		assert_int_equal(tare_round_number(round), (size_t)r);
		assert_true(tare_round_wants_units(round) && tare_round_work(round) == 0);
		for (int i = 0; i < 300; i++)
			assert_int_equal(tare_round_unit(round, 0, (i < 50 ? 20 : 10) + random_normal(&random)), TARE_OK);
		assert_int_equal(tare_round_reading(round, 0, 1), TARE_BAD_ARGUMENT); /* it has unit readings */
		assert_int_equal(tare_round_unit(round, 0, NAN), TARE_BAD_ARGUMENT);
		assert_int_equal(tare_round_reading(round, 1, r), TARE_OK);
		assert_int_equal(tare_session_end(session, round, 1), TARE_OK);
	}
	assert_true(tare_session_enough(session));
	size_t from, to;
	assert_int_equal(tare_session_phase(session, 0, 2, &from, &to), TARE_OK);
	assert_true(from >= 48 && from <= 52 && to == 300);
	struct tare_estimate e;
	assert_int_equal(tare_session_estimate(session, 0, &e), TARE_OK);
	assert_true(e.low < 10.02 && e.high > 9.98);
	/* A round without a reading is no round. */
	struct tare_round *round;
	size_t before = tare_session_rounds(session);
	assert_int_equal(tare_session_begin(session, &round), TARE_OK);
	assert_int_equal(tare_session_end(session, round, 1), TARE_FAILED);
	assert_int_equal(tare_session_begin(session, &round), TARE_OK);
	assert_int_equal(tare_session_end(session, round, 0), TARE_OK);
	assert_int_equal(tare_session_end(session, round, 0), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_rounds(session), before);
	tare_session_free(session);
}

static int line_of_work(struct tare_round *round, void *context)
{
	struct load *load = context;
	double work = tare_round_work(round);
	return tare_round_seconds(round, (2 + work / 50) * (1 + 0.01 * random_normal(&load->random))) != TARE_OK;
}

static void work_amounts(void **state)
{
	(void)state;
	struct load load = {0};
	random_seed(&load.random, 8);
	struct tare_session *session = tare_session_new();
	assert_int_equal(tare_session_work(session, 1, 1000, 1), TARE_OK);
	assert_int_equal(tare_session_run(session, line_of_work, &load), TARE_OK);
	struct tare_line line;
	assert_int_equal(tare_session_line(session, &line), TARE_OK);
	assert_true(line.speed_low < 50 && 50 < line.speed_high && line.alpha_low < 2 && 2 < line.alpha_high &&
	            !line.refused);
	double seconds, low, high;
	assert_int_equal(tare_session_predict(session, 5000, 0.95, &seconds, &low, &high), TARE_OK);
	assert_true(low < 102 && 102 < high && low < seconds && seconds < high);
	double next = tare_session_next_work(session);
	assert_true(next >= 1 && next <= 1000 && next == tare_session_next_work(session));
	tare_session_free(session);
}

static int with_units(struct tare_round *round, void *context)
{
	*(size_t *)context += tare_round_wants_units(round) ? 1 : 1000;
	tare_round_seconds(round, tare_round_wants_units(round) ? 1.05 : 1);
	return tare_round_wants_units(round) && tare_round_unit(round, 0, 1) != TARE_OK;
}

static void overhead(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "x", .units = 1};
	struct tare_session *session = with_pi(&pi);
	struct tare_ratio ratio;
	size_t calls = 0;
	assert_int_equal(tare_session_overhead(session, with_units, &calls, 6, &ratio), TARE_OK);
	assert_int_equal(calls, 6006);
	assert_close(ratio.ratio, 1.05, 1e-9);
	assert_int_equal(tare_session_rounds(session), 0);
	/* The session has not begun by that. */
	assert_int_equal(tare_session_preset(session, TARE_NORMAL), TARE_OK);
	tare_session_free(session);
}

/* Rates of a round that is set up before it does anything. */
static int rates(struct tare_round *round, void *context)
{
	struct load *load = context;
	for (int i = 0; i < 200; i++)
		if (tare_round_unit(round, 0, i < 3 ? 0 : 100 + random_normal(&load->random)) != TARE_OK)
			return 1;
	return 0;
}

static void set_up_of_rates(void **state)
{
	(void)state;
	for (int harmonic = 0; harmonic < 2; harmonic++) {
		struct tare_pi pi = {.name = "x",
		                     .unit = "MB/s",
		                     .units = 1,
		                     .higher = !harmonic,
		                     .mean = harmonic ? TARE_HARMONIC : TARE_ARITHMETIC};
		struct load load = {0};
		random_seed(&load.random, 2);
		struct tare_session *session = with_pi(&pi);
		assert_true(isinf(tare_session_missing_seconds(session)));
		assert_int_equal(tare_session_limit(session, 0, 100), TARE_OK);
		assert_int_equal(tare_session_run(session, rates, &load), TARE_OK);
		struct tare_estimate e;
		assert_int_equal(tare_session_estimate(session, 0, &e), TARE_OK);
		assert_true(e.enough && 99.9 < e.mean && e.mean < 100.1);
		tare_session_free(session);
	}
}

static int nothing(void *context)
{
	(*(size_t *)context)++;
	return 0;
}

static int two_ms(void *context)
{
	(*(size_t *)context)++;
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	return 0;
}

static int failing(void *context)
{
	return ++*(size_t *)context > 50;
}

static void comparison(void **state)
{
	(void)state;
	size_t calls = 0;
	struct tare_verdict verdict;
	struct tare_compare_options options = {.seconds = 1e-9, .seed = 3};
	assert_int_equal(tare_compare(nothing, nothing, &calls, &options, &verdict), TARE_LIMIT);
	assert_true(calls <= 2);
	assert_true(isnan(verdict.ratio) && verdict.outcome == TARE_UNDECIDED);
	calls = 0;
	options.seconds = 0.02;
	tare_compare(two_ms, two_ms, &calls, &options, &verdict);
	assert_true(calls % 2 == 0 &&
	            calls <= 6 + 6); /* a pair takes 4 ms or more, and there are 8 left after the trials */
	calls = 0;
	options.seconds = 60;
	assert_int_equal(tare_compare(nothing, failing, &calls, &options, &verdict), TARE_FAILED);
	static const double levels[] = {2, 1, 0.5, 0.4};
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		options.confidence = levels[i];
		assert_int_equal(tare_compare(nothing, nothing, &calls, &options, &verdict), TARE_BAD_ARGUMENT);
	}
	assert_int_equal(tare_compare(NULL, nothing, &calls, NULL, &verdict), TARE_BAD_ARGUMENT);
	assert_string_equal(tare_outcome_text(TARE_SAME), "same");
}

static void statistics(void **state)
{
	(void)state;
	json_t *known = known_load("sessions.json"), *harmonic = json_object_get(known, "harmonic");
	size_t n, size, count, places[4], from, to;
	double *x = known_array(json_object_get(harmonic, "data"), &n), value;
	struct tare_interval i;
	assert_int_equal(tare_mean_of(x, n, TARE_HARMONIC, 0.95, &i), TARE_OK);
	assert_close(i.estimate, known_number(harmonic, "mean"), 1e-12);
	assert_close(i.high - i.low, known_number(harmonic, "ci_width_95"), 1e-8);
	free(x);
	x = known_array(json_object_get(harmonic, "unbounded"), &n);
	assert_int_equal(tare_mean_of(x, n, TARE_HARMONIC, 0.95, &i), TARE_UNBOUNDED);
	assert_true(isinf(i.high));
	assert_int_equal(tare_median_of(x, n, 0.95, &i), TARE_NOT_KNOWN);
	free(x);
	json_t *ferrari = json_object_get(known, "ferrari");
	x = known_array(json_object_get(ferrari, "data"), &n);
	assert_int_equal(tare_autocorrelation(x, n, &value), TARE_OK);
	assert_close(value, known_number(ferrari, "autocorrelation"), 1e-12);
	assert_int_equal(tare_subsession(x, n, 0.1, &size), TARE_OK);
	assert_int_equal(size, (size_t)known_number(ferrari, "subsession"));
	assert_int_equal(tare_effective_size(x, n, &value), TARE_OK);
	assert_true(value > 1 && value < (double)n);
	assert_int_equal(tare_series_mean(x, n, 0.95, &i), TARE_NOT_KNOWN);
	double twice[100];
	for (size_t k = 0; k < n; k++)
		twice[k] = 2 * x[k] + (k % 2 ? 0.01 : -0.01);
	assert_int_equal(tare_ratio_paired(x, twice, n, 0.95, &i), TARE_OK);
	assert_true(i.low < i.estimate && i.estimate < i.high && i.high - i.low < 0.01);
	assert_close(i.estimate, 2, 0.01);
	assert_int_equal(tare_ratio_unpaired(x, n, x, n, 0.95, &i), TARE_OK);
	assert_true(i.low < 1 && i.high > 1);
	assert_close(i.estimate, 1, 1e-12);
	double spread[100];
	for (size_t k = 0; k < 100; k++)
		spread[k] = (double)(k * 37 % 100);
	assert_int_equal(tare_median_of(spread, 99, 0.95, &i), TARE_OK);
	assert_true(i.low <= i.estimate && i.estimate <= i.high);
	assert_int_equal(tare_series_mean(spread, 100, 0.95, &i), TARE_OK);
	assert_close(i.estimate, 49.5, 1e-9);
	assert_int_equal(tare_proportion_of(3, 12, 0.95, &i), TARE_OK);
	assert_close(i.estimate, 0.25, 1e-12);
	assert_int_equal(tare_welch(x, n, x, n, 0.95, &i, &value), TARE_OK);
	assert_close(value, 1, 1e-12);
	free(x);
	assert_int_equal(tare_proportion_of(30, 30, 0.95, &i), TARE_OK);
	assert_close(i.low, pow(0.025, 1.0 / 30), 1e-9);
	assert_close(i.estimate, 1, 1e-12);
	double steps[120];
	for (size_t k = 0; k < 120; k++)
		steps[k] = (k < 30 ? 5 : 1) + 0.01 * (double)(k * 7 % 5);
	assert_int_equal(tare_change_points(steps, 120, 0.01, places, 4, &count), TARE_OK);
	assert_true(count == 1 && places[0] == 30);
	assert_int_equal(tare_stable_phase(steps, 120, TARE_PHASES_AUTO, &from, &to), TARE_OK);
	assert_true(from == 30 && to == 120);
	double sequence[41];
	for (size_t k = 0; k < 41; k++)
		sequence[k] = (double)(k * 17 % 41);
	assert_int_equal(tare_median_of(sequence, 41, 0.95, &i), TARE_OK);
	assert_true(i.estimate == 20 && i.low < 20 && i.high > 20);
	assert_int_equal(tare_series_mean(sequence, 41, 0.95, &i), TARE_OK);
	assert_close(i.estimate, 20, 1e-12);
	assert_int_equal(tare_mean_of(sequence, 41, (enum tare_mean)7, 0.95, &i), TARE_BAD_ARGUMENT);
	const double few[] = {1, 2}, huge[] = {1e308, 1e308, 1e308, 1e308, 1e308};
	assert_int_equal(tare_ratio_unpaired(few, 2, huge, 5, 0.5, &i), TARE_UNBOUNDED);
	steps[3] = NAN;
	assert_int_equal(tare_stable_phase(steps, 120, TARE_PHASES_AUTO, &from, &to), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_mean_of(NULL, 3, TARE_ARITHMETIC, 0.95, &i), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_mean_of(steps + 10, 1, TARE_ARITHMETIC, 0.95, &i), TARE_NOT_KNOWN);
	json_decref(known);
}

static void wrong_calls(void **state)
{
	(void)state;
	struct tare_pi unnamed = {0}, odd = {.name = "x", .confidence = 1.5};
	struct tare_session *session = tare_session_new();
	struct tare_estimate e;
	struct tare_round *round;
	assert_int_equal(tare_session_add_pi(session, &unnamed, NULL), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_add_pi(session, &odd, NULL), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_work(session, 5, 5, 0), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_begin(session, &round), TARE_BAD_ARGUMENT); /* nothing to measure */
	assert_int_equal(tare_session_estimate(session, 0, &e), TARE_BAD_ARGUMENT);
	assert_int_equal(tare_session_run(session, NULL, NULL), TARE_BAD_ARGUMENT);
	assert_true(!tare_session_enough(session) && !tare_session_enough(NULL));
	assert_true(isinf(tare_session_missing_seconds(NULL)));
	tare_session_free(session);
	tare_session_free(NULL);
	for (int s = TARE_OK; s <= TARE_UNBOUNDED; s++)
		assert_true(strlen(tare_status_text((enum tare_status)s)) > 1);
}

/* Every allocation failed in turn: an error by value, and nothing lost. */
static void without_memory(void **state)
{
	(void)state;
	for (long nth = 1; nth < 400; nth++) {
		struct tare_pi pi = {.name = "x"};
		struct load load = {0};
		random_seed(&load.random, 1);
		mem_fail_at(nth);
		struct tare_session *session = tare_session_new();
		enum tare_status status = session ? tare_session_preset(session, TARE_QUICK) : TARE_NO_MEMORY;
		if (status == TARE_OK)
			status = tare_session_add_pi(session, &pi, NULL);
		if (status == TARE_OK)
			status = tare_session_run(session, noisy, &load);
		bool failed = mem_failed();
		mem_fail_at(0);
		assert_true(status == TARE_OK || status == TARE_NO_MEMORY);
		tare_session_free(session);
		if (!failed)
			return;
	}
}

/* The same over work amounts with unit readings, and of a comparison: what was kept before stays as it was. */
static int load_of_units(struct tare_round *round, void *context)
{
	struct load *load = context;
	tare_round_seconds(round, tare_round_work(round) / 100);
	for (int i = 0; i < 60; i++) {
		enum tare_status status = tare_round_unit(round, 0, 10 + random_normal(&load->random));
		if (status != TARE_OK)
			return 1;
	}
	return tare_round_reading(round, 1, 1) != TARE_OK;
}

static void work_without_memory(void **state)
{
	(void)state;
	bool failed = true;
	for (long nth = 1; nth < 4000 && failed; nth += 7) {
		struct tare_pi units = {.name = "work", .units = 1}, other = {.name = "wall", .watch = 1};
		struct tare_session *session = with_pi(&units);
		struct tare_estimate a, b;
		struct load load = {0};
		random_seed(&load.random, 1);
		assert_int_equal(tare_session_add_pi(session, &other, NULL), TARE_OK);
		assert_int_equal(tare_session_work(session, 1, 1000, 0.5), TARE_OK);
		assert_int_equal(tare_session_limit(session, 0, 30), TARE_OK);
		mem_fail_at(nth);
		enum tare_status status = tare_session_run(session, load_of_units, &load);
		failed = mem_failed();
		mem_fail_at(0);
		assert_true(failed || status == TARE_OK);
		if (tare_session_rounds(session) > 0) {
			assert_true(tare_session_estimate(session, 0, &a) != TARE_NO_MEMORY);
			assert_int_equal(tare_session_estimate(session, 1, &b), TARE_OK);
			assert_int_equal(a.rounds, tare_session_rounds(session));
			assert_int_equal(b.rounds, a.rounds);
		}
		tare_session_free(session);
	}
	assert_false(failed);
}

/* A limit that was reached holds; a session that is gone on with by hand says what all its rounds say. */
static void what_is_over_stays_over(void **state)
{
	(void)state;
	struct tare_pi pi = {.name = "x", .width = 0.0001};
	struct load load = {0};
	random_seed(&load.random, 4);
	struct tare_session *session = with_pi(&pi);
	assert_int_equal(tare_session_limit(session, 0, 12), TARE_OK);
	assert_int_equal(tare_session_run(session, noisy, &load), TARE_LIMIT);
	assert_int_equal(tare_session_run(session, noisy, &load), TARE_LIMIT);
	assert_int_equal(load.calls, 12);
	tare_session_free(session);
	pi.width = 0;
	session = with_pi(&pi);
	assert_int_equal(tare_session_run(session, equal, &load), TARE_OK);
	size_t rounds = tare_session_rounds(session);
	for (int i = 0; i < 60; i++) {
		struct tare_round *round;
		assert_int_equal(tare_session_begin(session, &round), TARE_OK);
		assert_int_equal(tare_round_reading(round, 0, i % 2 ? 1 : 1000), TARE_OK);
		assert_int_equal(tare_session_end(session, round, 1), TARE_OK);
	}
	assert_int_equal(tare_session_rounds(session), rounds + 60);
	assert_false(tare_session_enough(session));
	tare_session_free(session);
}

static void *one_thread(void *seed)
{
	struct tare_pi pi = {.name = "x"};
	struct load load = {0};
	random_seed(&load.random, *(uint64_t *)seed);
	struct tare_session *session = tare_session_new();
	struct tare_estimate e;
	bool fine = session && tare_session_preset(session, TARE_QUICK) == TARE_OK &&
	            tare_session_add_pi(session, &pi, NULL) == TARE_OK &&
	            tare_session_run(session, noisy, &load) == TARE_OK &&
	            tare_session_estimate(session, 0, &e) == TARE_OK && e.enough;
	tare_session_free(session);
	return fine ? seed : NULL;
}

static void handles_in_threads(void **state)
{
	(void)state;
	pthread_t threads[4];
	uint64_t seeds[4] = {1, 2, 3, 4};
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, one_thread, &seeds[i]), 0);
	for (int i = 0; i < 4; i++) {
		void *result;
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, &seeds[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tare_drives),
		cmocka_unit_test(the_least_number_of_rounds_is_kept_to),
		cmocka_unit_test(limits_and_failures_keep_what_was_measured),
		cmocka_unit_test(asked_round_by_round),
		cmocka_unit_test(work_amounts),
		cmocka_unit_test(overhead),
		cmocka_unit_test(set_up_of_rates),
		cmocka_unit_test(comparison),
		cmocka_unit_test(statistics),
		cmocka_unit_test(wrong_calls),
		cmocka_unit_test(without_memory),
		cmocka_unit_test(work_without_memory),
		cmocka_unit_test(what_is_over_stays_over),
		cmocka_unit_test(handles_in_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
