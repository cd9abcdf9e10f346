#include "decide/auto_rule.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/critical.h"
#include "stats/summary.h"
#include "support/known.h"

#include <math.h>

/* A benchmark as a function of run and iteration. */
struct world {
	double warm, warm_until, noise, run_sd, late, late_from;
	struct random random;
	double level;
};

static double value_of(struct world *w, size_t iteration)
{
	if (iteration == 0)
		w->level = 1 + w->run_sd * random_normal(&w->random);
	double x = w->level + ((double)iteration < w->warm_until ? w->warm : 0) + ((double)iteration >= w->late_from ? w->late : 0);
	return x * (1 + w->noise * random_normal(&w->random));
}

enum { MOST_RUNS = 60 };

/* Plays the rule; lengths[r] of each run. */
static struct auto_outcome play(const struct auto_options *options, struct world world, size_t lengths[MOST_RUNS], double *means)
{
	struct auto_rule *rule = auto_rule_new(options);
	struct auto_outcome outcome;
	struct error err;
	enum auto_step step;
	size_t runs = 0, n = 0;
	assert_non_null(rule);
	random_seed(&world.random, 17);
	for (;;) {
		assert_int_equal(auto_rule_next(rule, &step, &err), 0);
		if (step == AUTO_STOP)
			break;
		if (step == AUTO_RUN) {
			assert_true(runs < MOST_RUNS);
			runs++;
			n = 0;
		}
		assert_int_equal(auto_rule_add(rule, value_of(&world, n++), &err), 0);
		lengths[runs - 1] = n;
	}
	auto_rule_outcome(rule, &outcome);
	assert_int_equal(outcome.runs, runs);
	for (size_t r = 0; r < runs; r++) {
		assert_true(auto_rule_first(rule, r) < lengths[r]);
		assert_true(lengths[r] <= options->max_length);
		if (means)
			means[r] = auto_rule_means(rule)[r];
	}
	auto_rule_free(rule);
	return outcome;
}

static struct auto_options options_for(double precision)
{
	struct auto_options options;
	auto_options_init(&options);
	options.precision = precision;
	options.min_runs = 3;
	options.max_runs = MOST_RUNS;
	return options;
}

static void test_quiet(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.05);
	size_t lengths[MOST_RUNS];
	double means[MOST_RUNS];
	struct auto_outcome o = play(&options, (struct world){.noise = 0.002, .run_sd = 0.001, .late_from = INFINITY}, lengths, means);
	assert_int_equal(o.runs, 3);
	assert_int_equal(o.skip, 1);
	assert_true(o.settled && o.precise);
	assert_int_equal(lengths[0], 35); /* 15 + 4.5/√0.05 */
	assert_true(lengths[1] <= 10);
	/* The interval is that of a precision stop over the means of runs. */
	struct summary summary;
	assert_int_equal(summary_of(means, 3, &summary), STATS_OK);
	double half = critical_precision(0.05, 3, 2) * summary.sd / sqrt(3);
	assert_close(o.mean, summary.mean, 1e-12);
	assert_close(o.high - o.mean, half, 1e-9);
	assert_close(o.mean - o.low, half, 1e-9);
	/* A tight target asks for five runs at least, whatever they say. */
	options.precision = 0.01;
	o = play(&options, (struct world){.noise = 0.0001, .run_sd = 0.0001, .late_from = INFINITY}, lengths, NULL);
	assert_int_equal(o.runs, 5);
	assert_int_equal(lengths[0], 60);
}

static void test_warmup(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.02);
	size_t lengths[MOST_RUNS];
	struct auto_outcome o = play(&options, (struct world){.warm = 0.5, .warm_until = 12, .noise = 0.005, .run_sd = 0.002, .late_from = INFINITY},
	                             lengths, NULL);
	assert_true(o.skip >= 12 && o.skip <= 20);
	assert_true(o.settled && o.precise && fabs(o.mean - 1) < 0.01);
	/* Longer than half of the scout: it goes on until the rest is the longer part. */
	o = play(&options, (struct world){.warm = 0.5, .warm_until = 30, .noise = 0.005, .run_sd = 0.002, .late_from = INFINITY}, lengths, NULL);
	assert_true(lengths[0] > 60 && o.skip >= 30 && fabs(o.mean - 1) < 0.01);
	/* It gets slower: the later level is the steady one. */
	o = play(&options, (struct world){.noise = 0.005, .run_sd = 0.002, .late = 0.1, .late_from = 20}, lengths, NULL);
	assert_true(fabs(o.mean - 1.1) < 0.01 && o.skip >= 20);
	/* Never over within the longest run: said, and stopped. */
	options.max_length = 40;
	options.max_runs = 4;
	o = play(&options, (struct world){.warm = 0.5, .warm_until = 38, .noise = 0.005, .run_sd = 0.3, .late_from = INFINITY}, lengths, NULL);
	assert_int_equal(o.runs, 4);
	assert_false(o.settled && o.precise);
}

static void test_lengths(void **state)
{
	(void)state;
	size_t lengths[MOST_RUNS];
	struct auto_options options = options_for(0.02);
	/* Noisy runs, quiet iterations: many short runs. */
	struct auto_outcome o = play(&options, (struct world){.noise = 0.001, .run_sd = 0.03, .late_from = INFINITY}, lengths, NULL);
	assert_true(o.runs > 6 && lengths[o.runs - 1] <= 6);
	/* Noisy iterations, quiet runs, and a start that costs: longer ones. */
	options.start_cost = 20;
	o = play(&options, (struct world){.noise = 0.05, .run_sd = 0.0005, .late_from = INFINITY}, lengths, NULL);
	assert_true(lengths[o.runs - 1] >= 10);
	/* Paper 004, eq. 3: √(c₂/c₁ · T₁²/T₂²), rounded up; T₂² at least a tenth of S₂². */
	assert_int_equal(auto_best_length(4, 1 + 4 / 10., 10, 9), 6);
	assert_int_equal(auto_best_length(4, 0.4, 10, 10), 32);   /* nothing between runs: √(10·4/0.04) */
	assert_int_equal(auto_best_length(0, 1, 10, 10), 1);
	assert_int_equal(auto_best_length(400, 40, 10, 1000), 100); /* ten times what was measured */
}

static void test_edges(void **state)
{
	(void)state;
	size_t lengths[MOST_RUNS];
	/* Constant values, and a run that is too short for any test. */
	struct auto_options options = options_for(0.02);
	struct auto_outcome o = play(&options, (struct world){.late_from = INFINITY}, lengths, NULL);
	assert_int_equal(o.runs, 3);
	assert_true(o.precise && o.low == 1 && o.high == 1);
	options.max_length = 3;
	options.max_runs = 1;
	o = play(&options, (struct world){.noise = 0.01, .late_from = INFINITY}, lengths, NULL);
	assert_int_equal(o.runs, 1);
	assert_true(isnan(o.low) && !o.precise && !o.settled);
	auto_rule_free(NULL);
}

static void test_no_memory(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.05);
	long failed = 0;
	for (long nth = 1; nth < 400; nth++) {
		struct world world = {.noise = 0.01, .warm = 0.3, .warm_until = 4, .late_from = INFINITY};
		struct error err;
		enum auto_step step = AUTO_RUN;
		size_t n = 0;
		random_seed(&world.random, 2);
		mem_fail_at(nth);
		struct auto_rule *rule = auto_rule_new(&options);
		int status = rule ? 0 : -1;
		while (status == 0) {
			status = auto_rule_next(rule, &step, &err);
			if (status != 0 || step == AUTO_STOP)
				break;
			n = step == AUTO_RUN ? 0 : n;
			status = auto_rule_add(rule, value_of(&world, n++), &err);
		}
		bool hit = mem_failed();
		mem_fail_at(0);
		auto_rule_free(rule);
		if (!hit)
			break;
		assert_int_equal(status, -1);
		failed++;
	}
	assert_true(failed >= 5 && failed < 399);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet), cmocka_unit_test(test_warmup),    cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_edges), cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
