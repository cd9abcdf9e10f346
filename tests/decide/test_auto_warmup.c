#include "decide/auto_warmup.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>

enum { RUNS = 6, LENGTH = 100, REST = 5 };

struct shape {
	double height; /* of the warm-up, relative to the steady level */
	double scale;  /* iterations after which it has fallen to 1/e; 0: none */
	double noise;  /* relative sd of an iteration */
	double tail;   /* share of iterations that take three times as long */
};

static void draw(const struct shape *shape, struct random *random, double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double level = 1 + (shape->scale > 0 ? shape->height * exp(-(double)i / shape->scale) : 0);
		level *= 1 + shape->noise * random_normal(random);
		values[i] = random_uniform(random) < shape->tail ? 3 * level : level;
	}
}

static const struct warmup_wanted usual = {.tolerance = 0.01, .own = 0.01, .width = INFINITY, .rest = REST};

static struct warmup_look look_at(const struct shape *shape, size_t n, uint64_t seed)
{
	static double values[LENGTH];
	struct warmup_look look;
	struct random random;
	struct error err;
	random_seed(&random, seed);
	draw(shape, &random, values, n);
	assert_int_equal(warmup_look(values, n, &usual, &look, &err), 0);
	return look;
}

/* What is left of a warm-up moves the mean of the run by at most 0.2 % on average (the bound that the rule is made
 * for). */
static void real_warmups_are_left_out(void **state)
{
	(void)state;
	const struct shape shapes[] = {
		{2, 3, 0.01, 0}, {0.5, 5, 0.01, 0.02}, {10, 1, 0.02, 0}, {0.2, 8, 0.003, 0.01}, {1, 10, 0.02, 0}};
	for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
		double bias = 0;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			size_t skip = look_at(&shapes[k], LENGTH, seed).skip;
			for (size_t i = skip; i < LENGTH; i++)
				bias += shapes[k].height * exp(-(double)i / shapes[k].scale) / (double)(LENGTH - skip) / 20;
		}
		if (bias >= 0.002)
			fail_msg("shape %zu: %g", k, bias);
	}
}

/* A loose target does not keep what would be large beside an interval that will be short: noise of 0.2 % and width 1
 * make it ±0.2 %, and on average over 20 runs the mean of 5 more iterations is off by more than ten times that, or by
 * less than a quarter. */
static void a_short_interval_leaves_out_more(void **state)
{
	(void)state;
	const struct shape shape = {.height = 0.3, .scale = 5, .noise = 0.002};
	const double widths[2] = {INFINITY, 1};
	double shift[2] = {0, 0}, values[LENGTH];
	for (size_t k = 0; k < 2; k++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			const struct warmup_wanted wanted = {.tolerance = 0.1, .own = 0.1, .width = widths[k], .rest = REST};
			struct warmup_look look;
			struct random random;
			struct error err;
			random_seed(&random, seed);
			draw(&shape, &random, values, LENGTH);
			assert_int_equal(warmup_look(values, LENGTH, &wanted, &look, &err), 0);
			for (size_t i = look.skip; i < look.skip + REST; i++)
				shift[k] += shape.height * exp(-(double)i / shape.scale) / REST / 20;
		}
	}
	assert_true(shift[0] > 10 * 0.002);
	assert_true(shift[1] < 0.002 / 4);
}

static void a_warmup_longer_than_the_run_goes_on(void **state)
{
	(void)state;
	struct warmup_look look;
	struct error err;
	const double short_run[6] = {3, 1, 1, 1, 1, 1};
	assert_true(look_at(&(struct shape){.height = 3, .scale = 60, .noise = 0.01}, 40, 1).more);
	assert_false(look_at(&(struct shape){.height = 3, .scale = 4, .noise = 0.01}, LENGTH, 1).more);
	/* Too short for any answer, and constant. */
	assert_int_equal(warmup_look(short_run, 6, &usual, &look, &err), 0);
	assert_true(look.more && look.skip == 1);
	double same[40];
	for (size_t i = 0; i < 40; i++)
		same[i] = 2;
	assert_int_equal(warmup_look(same, 40, &usual, &look, &err), 0);
	assert_true(!look.more && look.skip == 1);
}

static void a_step_is_found_and_a_slow_value_is_not_one(void **state)
{
	(void)state;
	double x[20], quiet[60];
	struct warmup_noise noise;
	struct random random;
	struct error err;
	size_t step;
	random_seed(&random, 4);
	draw(&(struct shape){.noise = 0.01}, &random, quiet, 60);
	assert_int_equal(warmup_noise_of(quiet, 60, &noise, &err), 0);
	assert_true(noise.spread > 0.007 && noise.spread < 0.013);
	/* Independent values: the variance of one is about that of the mean of k, times k. */
	assert_true(noise.within > 0.5e-4 && noise.within < 2e-4);
	for (size_t i = 0; i < 20; i++)
		x[i] = quiet[i] + (i < 7 ? 0.2 : 0);
	assert_int_equal(warmup_step(x, 20, &noise, 0.01 / 8, &step, &err), 0);
	assert_int_equal(step, 7);
	assert_int_equal(warmup_step(quiet, 20, &noise, 0.01 / 8, &step, &err), 0);
	assert_int_equal(step, 0);
	for (size_t i = 0; i < 20; i++)
		x[i] = quiet[i] * (i == 0 ? 8 : 1);
	assert_int_equal(warmup_step(x, 20, &noise, 0.01 / 8, &step, &err), 0);
	assert_int_equal(step, 0);
	/* A step that the target does not mind. */
	for (size_t i = 0; i < 20; i++)
		x[i] = quiet[i] + (i < 7 ? 0.05 : 0);
	assert_int_equal(warmup_step(x, 20, &noise, 0.5 / 8, &step, &err), 0);
	assert_int_equal(step, 0);
	assert_int_equal(warmup_step(x, 1, &noise, 0.01 / 8, &step, &err), 0);
	assert_int_equal(step, 0);
}

static void draw_runs(const struct shape *shape, uint64_t seed, size_t n, double values[RUNS][LENGTH],
                      struct warmup_run *runs)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t r = 0; r < RUNS; r++) {
		draw(shape, &random, values[r], n);
		runs[r] = (struct warmup_run){values[r], n};
	}
}

/* On steady runs what was left out does not matter; with a level of 30 % by chance in about 60 of 200. A burst in
 * one run is that run's alone; a warm-up comes in all of them. */
static void runs_are_held_against_each_other(void **state)
{
	(void)state;
	static double values[RUNS][LENGTH];
	struct warmup_run runs[RUNS];
	struct error err;
	size_t matters = 0;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		draw_runs(&(struct shape){.noise = 0.02, .tail = 0.05}, seed, 22, values, runs);
		matters += warmup_matters(runs, RUNS, 10, 12, 0.001, &err) == 1;
	}
	assert_true(matters <= 80);
	draw_runs(&(struct shape){.noise = 0.01}, 3, LENGTH, values, runs);
	for (size_t i = 0; i < 30; i++)
		values[2][i] *= 1.4;
	assert_int_equal(warmup_matters(runs, RUNS, 30, REST, 0.001, &err), 0);
	draw_runs(&(struct shape){.height = 0.3, .scale = 5, .noise = 0.01}, 3, LENGTH, values, runs);
	assert_int_equal(warmup_matters(runs, RUNS, 30, REST, 0.001, &err), 1);
	/* A lost value takes its run out; runs that are not longer than the warm-up say nothing. */
	for (size_t r = 0; r < RUNS; r++)
		values[r][4] = NAN;
	assert_int_equal(warmup_matters(runs, RUNS, 30, REST, 0.001, &err), 0);
	assert_int_equal(warmup_matters(runs, RUNS, LENGTH, REST, 0.001, &err), 0);
	assert_int_equal(warmup_matters(NULL, 0, 3, REST, 0.001, &err), 0);
}

static void no_memory(void **state)
{
	(void)state;
	static double values[RUNS][LENGTH];
	struct warmup_run runs[RUNS];
	struct warmup_look look;
	struct warmup_noise noise = {1, 1};
	struct error err;
	size_t step;
	draw_runs(&(struct shape){.height = 0.3, .scale = 5, .noise = 0.01}, 3, LENGTH, values, runs);
	mem_fail_at(1);
	assert_int_equal(warmup_look(values[0], LENGTH, &usual, &look, &err), -1);
	mem_fail_at(1);
	assert_int_equal(warmup_step(values[0], LENGTH, &noise, 0.01 / 8, &step, &err), -1);
	mem_fail_at(1);
	assert_int_equal(warmup_matters(runs, RUNS, 30, REST, 0.001, &err), -1);
	mem_fail_at(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_warmups_are_left_out),
		cmocka_unit_test(a_short_interval_leaves_out_more),
		cmocka_unit_test(a_warmup_longer_than_the_run_goes_on),
		cmocka_unit_test(a_step_is_found_and_a_slow_value_is_not_one),
		cmocka_unit_test(runs_are_held_against_each_other),
		cmocka_unit_test(no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
