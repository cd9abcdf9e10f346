#include "coverage/suites.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

const char *suite_kind_name(enum suite_kind kind)
{
	static const char *const names[SUITE_KINDS] = {"steady",          "warm-up curve",   "warm-up steps",
	                                               "slower later",    "modes of runs",   "dependent",
	                                               "no steady state", "slow invocations"};
	return names[kind];
}

enum { MOST_STEPS = 3 };

/* What a benchmark is like; relative to a level of 1. */
struct traits {
	double invocation_sd, iteration_sd, run_sd, first;
	double curve, curve_length;
	size_t steps;
	double step_at[MOST_STEPS], step[MOST_STEPS], jitter; /* before iteration step_at the level is higher by `step` */
	double mode, mode_share;
	double dependence;
	double jump, stay; /* of restless ones: size, and iterations in one level */
	double tail, tail_size;
};

static double between(struct random *random, double low, double high)
{
	return low + (high - low) * random_uniform(random);
}

/* Small values as likely as large ones, by order of magnitude. */
static double scale_between(struct random *random, double low, double high)
{
	return low * pow(high / low, random_uniform(random));
}

static void draw_traits(struct traits *t, enum suite_kind kind, struct random *random)
{
	*t = (struct traits){.invocation_sd = scale_between(random, 0.003, 0.05),
	                     .iteration_sd = scale_between(random, 0.002, 0.02),
	                     .run_sd = scale_between(random, 0.001, 0.01),
	                     .first = scale_between(random, 0.02, 1),
	                     .jitter = 0.15};
	switch (kind) {
	case SUITE_CURVE:
		t->curve = scale_between(random, 0.05, 1);
		t->curve_length = between(random, 1.5, 8);
		break;
	case SUITE_STEPS:
		t->steps = 1 + random_below(random, MOST_STEPS);
		for (size_t i = 0; i < t->steps; i++) {
			t->step_at[i] = between(random, 2, 35);
			t->step[i] = scale_between(random, 0.02, 0.4);
		}
		break;
	case SUITE_SLOWER:
		t->steps = 1;
		t->step_at[0] = between(random, 5, 35);
		t->step[0] = -scale_between(random, 0.02, 0.15);
		break;
	case SUITE_MODES:
		t->mode = scale_between(random, 0.02, 0.15);
		t->mode_share = between(random, 0.3, 0.7);
		break;
	case SUITE_DEPENDENT:
		t->dependence = between(random, 0.6, 0.95);
		t->iteration_sd = between(random, 0.005, 0.03);
		break;
	case SUITE_RESTLESS:
		t->jump = scale_between(random, 0.02, 0.15);
		t->stay = between(random, 5, 25);
		break;
	case SUITE_TAIL:
		t->tail = scale_between(random, 0.002, 0.03);
		t->tail_size = between(random, 2, 8);
		break;
	default: break;
	}
}

static double truth_of(const struct traits *t)
{
	return (1 + t->mode * t->mode_share + t->jump / 2) * (1 + t->tail * (t->tail_size - 1));
}

/* Levels of the iterations of one run. */
static void draw_run(const struct traits *t, struct random *random, size_t iterations, double *levels)
{
	double run = 1 + t->run_sd * random_normal(random), noise = t->iteration_sd * random_normal(random);
	double at[MOST_STEPS];
	run += random_uniform(random) < t->mode_share ? t->mode : 0;
	int high = random_below(random, 2) == 1;
	for (size_t k = 0; k < t->steps; k++)
		at[k] = t->step_at[k] * (1 + t->jitter * random_normal(random));
	for (size_t i = 0; i < iterations; i++) {
		double level = run;
		if (i == 0)
			level += t->first;
		if (t->curve > 0)
			level += t->curve * exp(-(double)i / t->curve_length);
		for (size_t k = 0; k < t->steps; k++)
			level += (double)i < at[k] ? t->step[k] : 0;
		level += t->jump > 0 && high ? t->jump : 0;
		if (t->jump > 0 && random_uniform(random) < 1 / t->stay)
			high = !high;
		levels[i] = level * (1 + noise);
		noise = t->dependence * noise +
		        t->iteration_sd * sqrt(1 - t->dependence * t->dependence) * random_normal(random);
	}
}

static double draw_value(const struct traits *t, struct random *random)
{
	double value = exp(t->invocation_sd * random_normal(random) - 0.5 * t->invocation_sd * t->invocation_sd);
	return t->tail > 0 && random_uniform(random) < t->tail ? value * t->tail_size : value;
}

int suite_make(struct suite_benchmark *out, enum suite_kind kind, uint64_t seed, size_t index, size_t repetition,
               const struct suite_shape *shape)
{
	struct traits traits;
	struct random random;
	size_t iterations = shape->runs * shape->iterations, n = iterations * shape->invocations;
	random_stream(&random, seed + 1000 * (uint64_t)kind + index, 0);
	draw_traits(&traits, kind, &random);
	random_seed(&random, seed * 7919 + 1000003 * (repetition + 1) + 1009 * (uint64_t)kind + index * 104729);
	*out = (struct suite_benchmark){.shape = *shape,
	                                .truth = truth_of(&traits),
	                                .values = malloc(n * sizeof(double)),
	                                .runs = malloc((shape->runs + 1) * sizeof(uint32_t)),
	                                .iterations = malloc((iterations + 1) * sizeof(uint32_t))};
	double *levels = malloc(shape->iterations * sizeof(*levels));
	if (!out->values || !out->runs || !out->iterations || !levels) {
		free(levels);
		suite_release(out);
		return 0;
	}
	size_t k = 0;
	for (size_t r = 0; r < shape->runs; r++) {
		draw_run(&traits, &random, shape->iterations, levels);
		for (size_t i = 0; i < shape->iterations; i++)
			for (size_t j = 0; j < shape->invocations; j++)
				out->values[k++] = levels[i] * draw_value(&traits, &random);
	}
	for (size_t r = 0; r <= shape->runs; r++)
		out->runs[r] = (uint32_t)(r * shape->iterations);
	for (size_t i = 0; i <= iterations; i++)
		out->iterations[i] = (uint32_t)(i * shape->invocations);
	out->view = (struct nested){.depth = 3,
	                            .n = n,
	                            .values = out->values,
	                            .groups = {shape->runs, iterations},
	                            .starts = {out->runs, out->iterations}};
	free(levels);
	return 1;
}

void suite_release(struct suite_benchmark *benchmark)
{
	free(benchmark->values);
	free(benchmark->runs);
	free(benchmark->iterations);
	*benchmark = (struct suite_benchmark){.truth = 0};
}
