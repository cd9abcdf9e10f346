/* Readings of a performance index: known answers of Pilot's own tests, and the cases in which Pilot never ended. */
#include "decide/readings.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static struct readings_rule rule_for(double precision)
{
	return (struct readings_rule){
		.precision = precision, .level = 0.95, .autocorrelation = 0.1, .least = 28, .strict = true};
}

static struct readings look(const double *x, size_t n, struct readings_rule rule)
{
	struct readings r;
	assert_true(readings_look(x, n, &rule, &r));
	return r;
}

static void small_session(void **state)
{
	(void)state;
	json_t *known = known_load("sessions.json"), *small = json_object_get(known, "small");
	size_t n;
	double *x = known_array(json_object_get(small, "readings"), &n);
	struct readings_rule rule = {.precision = 0.05, .level = 0.95, .autocorrelation = 0.1, .least = 2, .once = true};
	struct readings r = look(x, n, rule);
	assert_close(r.mean, known_number(small, "mean"), 1e-12);
	assert_close(r.high - r.low, known_number(small, "ci_width_95"), 1e-9);
	assert_close(r.autocorrelation, known_number(small, "autocorrelation"), 1e-12);
	assert_int_equal(r.wait, READINGS_WIDE);
	free(x);
	json_t *ferrari = json_object_get(known, "ferrari");
	x = known_array(json_object_get(ferrari, "data"), &n);
	r = look(x, n, rule_for(0.1));
	assert_close(r.mean, known_number(ferrari, "mean"), 1e-12);
	assert_close(r.autocorrelation, known_number(ferrari, "autocorrelation"), 1e-12);
	assert_int_equal(r.subsession, (size_t)known_number(ferrari, "subsession"));
	assert_true(r.dependent);
	/* 48 readings with r1 = 0.64 are worth about ten: Pilot's rule gives an interval here, ours waits. */
	assert_int_equal(r.wait, READINGS_DEPENDENT);
	assert_true(r.missing > 0 && isfinite(r.missing));
	free(x);
	json_decref(known);
}

static void harmonic_means(void **state)
{
	(void)state;
	json_t *known = known_load("sessions.json"), *harmonic = json_object_get(known, "harmonic");
	size_t n;
	struct readings_rule rule = {
		.mean = MEAN_HARMONIC, .precision = 0.1, .level = 0.95, .autocorrelation = 1, .least = 2, .once = true};
	double *x = known_array(json_object_get(harmonic, "data"), &n);
	struct readings r = look(x, n, rule);
	assert_close(r.mean, known_number(harmonic, "mean"), 1e-12);
	assert_close(r.high - r.low, known_number(harmonic, "ci_width_95"), 1e-8);
	/* One reading has no interval, which is not one without an end. */
	r = look(x, 1, rule);
	assert_close(r.mean, x[0], 1e-12);
	assert_true(isnan(r.low) && isnan(r.high));
	free(x);
	x = known_array(json_object_get(harmonic, "session"), &n);
	r = look(x, n, rule);
	assert_close(r.mean, known_number(harmonic, "session_mean"), 1e-5);
	free(x);
	x = known_array(json_object_get(harmonic, "unbounded"), &n);
	r = look(x, n, rule);
	assert_true(isinf(r.high) && r.wait == READINGS_WIDE);
	free(x);
	double zero[] = {1, 2, 0, 3};
	r = look(zero, 4, rule);
	assert_int_equal(r.wait, READINGS_UNFIT);
	assert_int_equal(r.unfit, STATS_NOT_POSITIVE);
	rule.mean = MEAN_GEOMETRIC;
	double powers[] = {1, 10, 100, 10, 1, 100, 10};
	r = look(powers, 7, rule);
	assert_close(r.mean, 10, 1e-12);
	assert_close(r.low * r.high, 100, 1e-12); /* symmetric in logarithms */
	json_decref(known);
}

static void constant_readings_end_at_once(void **state)
{
	(void)state;
	double x[60];
	for (size_t i = 0; i < 60; i++)
		x[i] = 7.5;
	for (size_t n = 1; n <= 60; n++) {
		struct readings r = look(x, n, rule_for(0.1));
		assert_int_equal(r.wait, n < 5 ? READINGS_FEW : READINGS_ENOUGH);
	}
	struct readings r = look(x, 5, rule_for(0.1));
	assert_true(r.low == 7.5 && r.high == 7.5 && r.mean == 7.5);
	/* A number that was asked for holds for them too, where it is larger than five. */
	for (size_t asked = 2; asked <= 20; asked += 18)
		for (size_t n = 1; n <= 60; n++) {
			struct readings_rule rule = rule_for(0.1);
			rule.least = rule.asked = asked;
			r = look(x, n, rule);
			assert_int_equal(r.wait, n < 5 || n < asked ? READINGS_FEW : READINGS_ENOUGH);
			if (n >= 2)
				assert_close(r.missing, fmax(fmax(5, (double)asked) - (double)n, 0), 0);
		}
}

static void successes_have_a_real_interval(void **state)
{
	(void)state;
	double x[30];
	for (size_t i = 0; i < 30; i++)
		x[i] = 1;
	struct readings r = look(x, 30, rule_for(0.1));
	assert_close(r.mean, 1, 0);
	assert_close(r.low, pow(0.025, 1.0 / 30), 1e-9); /* Clopper and Pearson, closed form for n of n */
	assert_close(r.high, 1, 0);
	assert_int_equal(r.wait, READINGS_ENOUGH);
	r = look(x, 5, rule_for(0.1));
	assert_int_equal(r.wait, READINGS_FEW);
	r = look(x, 30, rule_for(0.01));
	assert_int_equal(r.wait, READINGS_WIDE);
	x[3] = 0;
	r = look(x, 30, rule_for(0.1));
	assert_close(r.mean, 29.0 / 30, 1e-12);
	assert_true(r.low < r.mean && r.mean < r.high && r.high < 1);
}

static void a_warm_up_is_left_out(void **state)
{
	(void)state;
	struct random random;
	double x[120];
	random_seed(&random, 3);
	for (size_t i = 0; i < 120; i++)
		x[i] = (i < 40 ? 70 : 100) + 2 * random_normal(&random);
	struct readings r = look(x, 47, rule_for(0.1));
	assert_int_equal(r.wait, READINGS_WARMUP);
	r = look(x, 120, rule_for(0.1));
	assert_int_equal(r.from, 40);
	assert_int_equal(r.used, 80);
	assert_int_equal(r.wait, READINGS_ENOUGH);
	assert_true(r.low < 100 && r.high > 100);
}

static void odd_input(void **state)
{
	(void)state;
	double x[] = {NAN, 3, NAN, 4, INFINITY};
	struct readings r = look(x, 0, rule_for(0.1));
	assert_int_equal(r.wait, READINGS_FEW);
	assert_int_equal(r.n, 0);
	r = look(x, 1, rule_for(0.1));
	assert_int_equal(r.n, 0);
	r = look(x, 4, rule_for(0.1));
	assert_int_equal(r.n, 2);
	assert_close(r.mean, 3.5, 0);
	r = look(x, 5, rule_for(0.1));
	assert_int_equal(r.wait, READINGS_UNFIT);
	/* A mean of 0 has no relative width; the session must not end on it, nor believe that it knows how long it
	 * takes. */
	double around_zero[40];
	for (size_t i = 0; i < 40; i++)
		around_zero[i] = i % 2 ? 1.5 : -1.5;
	r = look(around_zero, 40, rule_for(0.1));
	assert_int_equal(r.wait, READINGS_WIDE);
	assert_true(r.missing > 1e6);
	for (long nth = 1;; nth++) {
		struct readings_rule rule = rule_for(0.1);
		mem_fail_at(nth);
		bool fine = readings_look(around_zero, 40, &rule, &r);
		bool failed = mem_failed();
		mem_fail_at(0);
		if (!failed) {
			assert_true(fine);
			break;
		}
	}
}

static void presets(void **state)
{
	(void)state;
	struct experiment e;
	struct performance_index pi = {.precision = NAN, .confidence = NAN, .autocorrelation = NAN};
	experiment_init(&e);
	struct readings_rule rule = readings_rule_for(&e, &pi);
	assert_true(rule.precision == 0.01 && rule.least == 10 && !rule.strict && rule.level == 0.95);
	e.preset = PRESET_QUICK;
	rule = readings_rule_for(&e, &pi);
	assert_true(rule.precision == 0.1 && rule.least == 28 && rule.strict && rule.autocorrelation == 0.8);
	e.preset = PRESET_NORMAL;
	rule = readings_rule_for(&e, &pi);
	assert_true(rule.precision == 0.05 && rule.least == 45 && rule.autocorrelation == 0.2);
	pi.units = true;
	rule = readings_rule_for(&e, &pi);
	assert_true(rule.least == 10 && !rule.strict);
	pi.precision = 0.02;
	pi.confidence = 0.9;
	pi.autocorrelation = 0.3;
	e.min_runs = 6;
	e.min_runs_given = true;
	rule = readings_rule_for(&e, &pi);
	assert_true(rule.precision == 0.02 && rule.level == 0.9 && rule.autocorrelation == 0.3 && rule.least == 6);
	assert_false(rule.once);
	/* A fixed number is looked at once, unless part of it was looked at before. */
	struct result earlier = {0};
	e.stop = STOP_FIXED;
	assert_true(readings_rule_for(&e, &pi).once);
	e.earlier = &earlier;
	assert_false(readings_rule_for(&e, &pi).once);
	experiment_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_session),
		cmocka_unit_test(harmonic_means),
		cmocka_unit_test(constant_readings_end_at_once),
		cmocka_unit_test(successes_have_a_real_interval),
		cmocka_unit_test(a_warm_up_is_left_out),
		cmocka_unit_test(odd_input),
		cmocka_unit_test(presets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
