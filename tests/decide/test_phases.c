/* The stable phase of unit readings: Pilot's blocks, and made-up rounds whose phases are known. */
#include "decide/phases.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void blocks_of_pilot(void **state)
{
	(void)state;
	json_t *known = known_load("sessions.json"), *entry;
	size_t i;
	json_array_foreach(json_object_get(known, "dominant"), i, entry)
	{
		double x[1000];
		size_t n = 0, b;
		json_t *block;
		json_array_foreach(json_object_get(entry, "blocks"), b,
		                   block) for (json_int_t k = 0; k < json_integer_value(json_array_get(block, 1)); k++)
			x[n++] = json_number_value(json_array_get(block, 0));
		for (int rule = PHASES_AUTO; rule <= PHASES_EDM; rule++) {
			struct phase phase;
			assert_true(phases_find(x, n, (enum phases_rule)rule, &phase));
			assert_int_equal(phase.from, (size_t)known_number(entry, "from"));
			assert_int_equal(phase.to, (size_t)known_number(entry, "to"));
		}
		struct phase all;
		assert_true(phases_find(x, n, PHASES_NONE, &all));
		assert_true(all.from == 0 && all.to == n);
	}
	json_decref(known);
}

enum shape { STEP, EXPONENTIAL, STEP_AND_COOL_DOWN, SHAPES };

/* A round of n unit readings around 100, sd 5, first-order autoregression 0.5; the warm-up of an exponential
 * approach ends where it is within 2 % of the level. */
static void make_round(struct random *random, enum shape shape, size_t n, double *x, struct phase *truth)
{
	double state = random_normal(random);
	size_t warm = n / 10, cool = shape == STEP_AND_COOL_DOWN ? n - n / 20 : n;
	double decay = (double)warm / log(30 / 2.0); /* 30 below at first, 2 below after `warm` */
	*truth = (struct phase){.from = warm, .to = cool};
	for (size_t i = 0; i < n; i++) {
		double level = 100;
		if (shape == EXPONENTIAL)
			level -= 30 * exp(-(double)i / decay);
		else if (i < warm)
			level -= 30;
		if (i >= cool)
			level -= 40;
		x[i] = level + 5 * state;
		state = 0.5 * state + sqrt(0.75) * random_normal(random);
	}
}

static double distance(size_t a, size_t b)
{
	return a > b ? (double)(a - b) : (double)(b - a);
}

/* Both ends within ±2 % of the round in 95 % of the rounds: 60 rounds each; at 95 % true, 54 or more with 99 %. */
static void ends_are_found(void **state)
{
	(void)state;
	enum { N = 1000, ROUNDS = 60 };
	double *x = malloc(N * sizeof(*x));
	for (int shape = 0; shape < SHAPES; shape++) {
		struct random random;
		int right = 0;
		random_stream(&random, 11, (unsigned)shape);
		for (int r = 0; r < ROUNDS; r++) {
			struct phase truth, found;
			make_round(&random, (enum shape)shape, N, x, &truth);
			assert_true(phases_find(x, N, PHASES_AUTO, &found));
			right += distance(found.from, truth.from) <= 0.02 * N && distance(found.to, truth.to) <= 0.02 * N;
		}
		if (right < 54)
			fail_msg("shape %d: %d of %d", shape, right, ROUNDS);
	}
	free(x);
}

static void means_by_kind(void **state)
{
	(void)state;
	double x[] = {9, 1, 2, 4, 9};
	struct phase middle = {.from = 1, .to = 4}, none = {0};
	assert_close(phases_mean(x, &middle, MEAN_ARITHMETIC), 7.0 / 3, 1e-12);
	assert_close(phases_mean(x, &middle, MEAN_HARMONIC), 3 / 1.75, 1e-12);
	assert_close(phases_mean(x, &middle, MEAN_GEOMETRIC), 2, 1e-12);
	assert_true(isnan(phases_mean(x, &none, MEAN_ARITHMETIC)));
	x[2] = 0;
	assert_true(isnan(phases_mean(x, &middle, MEAN_HARMONIC)));
	struct phase phase;
	assert_true(phases_find(x, 0, PHASES_AUTO, &phase));
	assert_true(phase.from == 0 && phase.to == 0);
	double odd[40];
	for (size_t i = 0; i < 40; i++)
		odd[i] = i == 7 ? NAN : 1;
	assert_true(phases_find(odd, 40, PHASES_AUTO, &phase));
	assert_true(phase.from == 0 && phase.to == 40);
}

/* A program that reports every second: nothing at first, then slow, then its usual rate; or units whose first takes
 * very long. */
static void set_up_is_a_phase_of_its_own(void **state)
{
	(void)state;
	double rates[400], times[400];
	struct random random;
	struct phase phase;
	random_seed(&random, 9);
	for (size_t i = 0; i < 400; i++) {
		rates[i] = (i < 12 ? 0 : i < 60 ? 60 : 100) * (1 + 0.03 * random_normal(&random));
		times[i] = (i == 0 ? 3 : 0.1) * (1 + 0.03 * random_normal(&random));
	}
	assert_true(phases_of_round(rates, 400, PHASES_AUTO, BETTER_HIGHER, &phase));
	assert_int_equal(phase.set_up, 12);
	assert_true(phase.from >= 58 && phase.from <= 62 && phase.to == 400);
	assert_true(phases_of_round(times, 400, PHASES_AUTO, BETTER_LOWER, &phase));
	assert_true(phase.set_up == 1 && phase.from == 1 && phase.to == 400);
	assert_true(phases_of_round(rates, 400, PHASES_NONE, BETTER_HIGHER, &phase));
	assert_true(phase.set_up == 0 && phase.from == 0);
	/* The other way round nothing stands still; nor where most of a round does. */
	assert_true(phases_of_round(times, 400, PHASES_AUTO, BETTER_HIGHER, &phase));
	assert_int_equal(phase.set_up, 0);
	memset(rates, 0, 300 * sizeof(*rates));
	assert_true(phases_of_round(rates, 400, PHASES_AUTO, BETTER_HIGHER, &phase));
	assert_int_equal(phase.set_up, 0);
	assert_true(phases_of_round(rates, 0, PHASES_AUTO, BETTER_HIGHER, &phase));
	assert_true(phase.from == 0 && phase.to == 0 && phase.set_up == 0);
	/* Joined with other rounds it is the round's own, and never reaches into the stable phase. */
	struct round_phase rounds[] = {{{10, 100, 4}, 100}, {{10, 100, 4}, 100}, {{12, 100, 12}, 100}};
	phase = phases_join(rounds, 3);
	assert_true(phase.set_up == 12 && phase.from == 12 && phase.to == 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_of_pilot),
		cmocka_unit_test(ends_are_found),
		cmocka_unit_test(set_up_is_a_phase_of_its_own),
		cmocka_unit_test(means_by_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
