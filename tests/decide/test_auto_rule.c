#include "decide/auto_rule.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/critical.h"
#include "stats/runcorr.h"
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
	double x = w->level + ((double)iteration < w->warm_until ? w->warm : 0) +
	           ((double)iteration >= w->late_from ? w->late : 0);
	return x * (1 + w->noise * random_normal(&w->random));
}

enum { MOST_RUNS = 60 };

/* One run of every side, turn by turn; the worlds differ. */
static int play_run(struct auto_rule *rule, struct world *worlds, size_t sides, size_t *length, size_t *kept,
                    struct error *err)
{
	bool more = true;
	auto_rule_begin_run(rule);
	for (*length = 0; more; (*length)++) {
		for (size_t s = 0; s < sides; s++)
			if (auto_rule_add(rule, s, value_of(&worlds[s], *length), err) != 0)
				return -1;
		if (auto_rule_goes_on(rule, 0, sides, &more, err) != 0)
			return -1;
	}
	return auto_rule_end_run(rule, kept, err);
}

/* Plays the rule; lengths[r] of each run. */
static struct auto_outcome play(const struct auto_options *options, struct world world, size_t lengths[MOST_RUNS])
{
	struct auto_rule *rule = auto_rule_new(options);
	struct auto_outcome outcome;
	struct error err;
	size_t runs = 0, sum = 0, kept;
	assert_non_null(rule);
	random_seed(&world.random, 17);
	for (; !auto_rule_is_enough(rule); runs++) {
		assert_true(runs < MOST_RUNS);
		assert_int_equal(play_run(rule, &world, 1, &lengths[runs], &kept, &err), 0);
		assert_int_equal(kept, lengths[runs]);
		assert_true(lengths[runs] <= options->max_length);
		sum += lengths[runs];
	}
	auto_rule_outcome(rule, &outcome);
	assert_int_equal(outcome.runs, runs);
	assert_int_equal(outcome.iterations, sum);
	assert_int_equal(outcome.skip, auto_rule_skip(rule));
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
	enum { RUNS = 4 }; /* three would be enough for this interval, but not for the truth */
	struct auto_options options = options_for(0.05);
	size_t lengths[MOST_RUNS];
	struct auto_outcome o = play(&options, (struct world){.noise = 0.002, .run_sd = 0.001, .late_from = INFINITY},
	                             lengths);
	assert_int_equal(o.runs, RUNS);
	assert_true(o.settled && o.precise);
	assert_int_equal(lengths[0], 50);
	assert_true(lengths[1] <= 30);
	/* The interval is the one that is reported: of a precision stop over the means of runs, each without what is left
	 * out, with their correlation allowed for. */
	struct world again = {.noise = 0.002, .run_sd = 0.001, .late_from = INFINITY};
	double means[RUNS];
	struct summary summary;
	random_seed(&again.random, 17);
	for (size_t r = 0; r < RUNS; r++) {
		struct running mean = {0};
		for (size_t i = 0; i < lengths[r]; i++) {
			double value = value_of(&again, i);
			if (i >= o.skip)
				running_add(&mean, value);
		}
		means[r] = running_mean(&mean);
	}
	assert_int_equal(summary_of(means, RUNS, &summary), STATS_OK);
	struct runcorr correlation; /* these four happen to resemble each other */
	assert_int_equal(runcorr_about(means, &summary, &correlation), STATS_OK);
	double half = correlation.factor * critical_precision(0.05, RUNS, RUNS - 1) * summary.sd / sqrt(RUNS);
	assert_close(o.mean, summary.mean, 1e-12);
	assert_close(o.high - o.mean, half, 1e-9);
	assert_close(o.mean - o.low, half, 1e-9);
	/* The tighter the target the more runs at least, whatever they say; a glance may have three. */
	const struct {
		double precision;
		size_t runs, scout;
	} least[] = {{0.001, 10, 100}, {0.01, 6, 60}, {0.02, 5, 50}, {0.03, 4, 50},
	             {0.1, 4, 50},     {0.15, 3, 33}, {0.2, 3, 25}};
	for (size_t i = 0; i < sizeof(least) / sizeof(least[0]); i++) {
		options.precision = least[i].precision;
		o = play(&options, (struct world){.noise = 1e-5, .run_sd = 1e-5, .late_from = INFINITY}, lengths);
		assert_int_equal(o.runs, least[i].runs);
		assert_int_equal(lengths[0], least[i].scout);
	}
}

static void test_warmup(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.02);
	size_t lengths[MOST_RUNS];
	struct auto_outcome o = play(
		&options, (struct world){.warm = 0.5, .warm_until = 12, .noise = 0.005, .run_sd = 0.002, .late_from = INFINITY},
		lengths);
	assert_true(o.skip >= 12 && o.skip <= 20);
	assert_true(o.settled && o.precise && fabs(o.mean - 1) < 0.01);
	/* Longer than half of the scout: it goes on until the rest is the longer part. */
	o = play(&options,
	         (struct world){.warm = 0.5, .warm_until = 30, .noise = 0.005, .run_sd = 0.002, .late_from = INFINITY},
	         lengths);
	assert_true(lengths[0] > 60 && o.skip >= 30 && fabs(o.mean - 1) < 0.01);
	/* It gets slower: the later level is the steady one. */
	o = play(&options, (struct world){.noise = 0.005, .run_sd = 0.002, .late = 0.1, .late_from = 20}, lengths);
	assert_true(fabs(o.mean - 1.1) < 0.01 && o.skip >= 20);
	/* Never over within the longest run: said, and stopped. */
	options.max_length = 40;
	options.max_runs = 4;
	o = play(&options,
	         (struct world){.warm = 0.5, .warm_until = 38, .noise = 0.005, .run_sd = 0.3, .late_from = INFINITY},
	         lengths);
	assert_int_equal(o.runs, 4);
	assert_false(o.settled && o.precise);
}

/* A loose target from someone who takes three runs: a short look, and an interval that says so. */
static void test_glance(void **state)
{
	(void)state;
	const struct world quiet = {.noise = 1e-4, .run_sd = 1e-4, .late_from = INFINITY};
	struct auto_options options = options_for(0.2);
	size_t lengths[MOST_RUNS];
	struct auto_outcome o = play(&options, quiet, lengths);
	assert_int_equal(o.runs, 3);
	assert_close(o.allowance, 0.1, 1e-12);
	double half = (o.high - o.low) / 2;
	assert_true(o.precise && half > 0.1 * o.mean && half < 0.102 * o.mean);
	/* The noise has half of the target: with runs that vary by 8 % three are not enough. */
	o = play(&options, (struct world){.noise = 1e-4, .run_sd = 0.08, .late_from = INFINITY}, lengths);
	half = (o.high - o.low) / 2;
	assert_true(o.runs > 3 && o.precise && half <= 0.2 * o.mean);
	/* Who takes more runs, or compares, is not served with a glance. */
	options.min_runs = 4;
	o = play(&options, quiet, lengths);
	assert_int_equal(lengths[0], 50);
	assert_true(o.runs == 4 && o.allowance == 0 && o.high - o.low < 0.01);
	options.min_runs = 3;
	options.sides = 2;
	struct auto_rule *rule = auto_rule_new(&options);
	assert_non_null(rule);
	assert_true(auto_rule_estimate(rule)->allowance == 0);
	assert_int_equal(auto_rule_next_length(rule), 50);
	auto_rule_free(rule);
}

/* The only run that there will be: its first half is left out, unless it was said how many are to be measured. */
static void test_only_run(void **state)
{
	(void)state;
	const struct world quiet = {.noise = 0.001, .late_from = INFINITY};
	struct auto_options options = options_for(0.05);
	size_t lengths[MOST_RUNS];
	options.max_runs = 1;
	assert_int_equal(play(&options, quiet, lengths).skip, 25);
	assert_int_equal(lengths[0], 50);
	options.max_warmup = 10;
	assert_int_equal(play(&options, quiet, lengths).skip, 10);
	options.max_warmup = SIZE_MAX;
	options.max_runs = MOST_RUNS;
	assert_int_equal(play(&options, quiet, lengths).skip, 1);
	options.max_runs = 1;
	options.iterations = 12;
	struct auto_outcome o = play(&options, quiet, lengths);
	assert_int_equal(lengths[0] - o.skip, 12);
}

static void test_lengths(void **state)
{
	(void)state;
	size_t lengths[MOST_RUNS];
	struct auto_options options = options_for(0.02);
	/* Noisy runs, quiet iterations: many short runs. */
	struct auto_outcome o = play(&options, (struct world){.noise = 0.001, .run_sd = 0.03, .late_from = INFINITY},
	                             lengths);
	assert_true(o.runs > 6 && lengths[o.runs - 1] <= 6);
	/* Noisy iterations, quiet runs, and a start that costs: longer ones. */
	options.start_cost = 20;
	o = play(&options, (struct world){.noise = 0.05, .run_sd = 0.0005, .late_from = INFINITY}, lengths);
	assert_true(lengths[o.runs - 1] >= 10);
	/* Kalibera and Jones (2013), equation 3: √(c₂/c₁ · T₁²/T₂²), rounded up; T₂² at least a tenth of S₂². */
	assert_int_equal(auto_best_length(4, 1 + 4 / 10., 10, 9), 6);
	assert_int_equal(auto_best_length(4, 0.4, 10, 10), 32); /* nothing between runs: √(10·4/0.04) */
	assert_int_equal(auto_best_length(0, 1, 10, 10), 1);
	assert_int_equal(auto_best_length(400, 40, 10, 1000), 100); /* ten times what was measured */
}

/* Time until an interval of 0.8 times the precision, by adding runs one by one. */
static double time_of(const struct auto_options *o, double added, double within, double k, double overhead)
{
	double runs = 6;
	while (critical_anytime(1 - o->confidence, runs, runs - 1) * sqrt((added + within / k) / runs) > 0.8 * o->precision)
		runs++;
	return runs * (overhead + k);
}

/* Pairs are judged by a constant that falls steeply with the number of runs: the length is the one that is over first. */
static void test_soonest(void **state)
{
	(void)state;
	struct auto_options o = options_for(0.01);
	o.sides = 2;
	o.confidence = 0.99;
	o.least_rest = 20;
	o.max_length = 1000;
	static const struct {
		double noise, between, overhead;
	} cells[] = {{0.002, 0.001, 6}, {0.02, 0, 6}, {0.05, 0, 6}, {0.05, 0.002, 40}, {0.02, 0.01, 6}, {0.1, 0, 100}};
	const double measured = 30;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		double within = cells[i].noise * cells[i].noise, overhead = cells[i].overhead;
		double s2 = cells[i].between * cells[i].between + within / measured,
			   added = fmax(s2 - within / measured, 0.1 * s2);
		double k = (double)auto_soonest_length(&o, within, s2, measured, overhead), best = INFINITY;
		for (double other = 20; other <= 10 * measured; other++)
			best = fmin(best, time_of(&o, added, within, other, overhead));
		assert_true(k >= 20 && k <= 10 * measured);
		assert_true(time_of(&o, added, within, k, overhead) <= 1.1 * best); /* of a grid of lengths */
		double usual = fmax((double)auto_best_length(within, s2, measured, overhead), 20);
		assert_true(k <= usual &&
		            time_of(&o, added, within, k, overhead) <= time_of(&o, added, within, usual, overhead));
	}
	assert_int_equal(auto_soonest_length(&o, 0, 0, measured, 6), 20);
	o.most_rest = 10; /* no room for more */
	o.least_rest = 10;
	assert_int_equal(auto_soonest_length(&o, 1, 0.1, measured, 6), 10);
}

static void test_edges(void **state)
{
	(void)state;
	size_t lengths[MOST_RUNS];
	/* Constant values, and a run that is too short for any test. */
	struct auto_options options = options_for(0.02);
	struct auto_outcome o = play(&options, (struct world){.late_from = INFINITY}, lengths);
	assert_int_equal(o.runs, 5);
	assert_true(o.precise && o.low == 1 && o.high == 1);
	options.max_length = 3;
	options.max_runs = 1;
	o = play(&options, (struct world){.noise = 0.01, .late_from = INFINITY}, lengths);
	assert_int_equal(o.runs, 1);
	assert_true(isnan(o.low) && !o.precise && !o.settled);
	auto_rule_free(NULL);
}

/* Two sides that are compared: one of them warms up, and both leave out as much; lengths are even, pairs many. */
static void test_sides(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.01);
	options.sides = 2;
	options.least_rest = 20;
	struct auto_rule *rule = auto_rule_new(&options);
	struct world worlds[2] = {{.noise = 0.003, .late_from = INFINITY},
	                          {.warm = 0.5, .warm_until = 12, .noise = 0.003, .late_from = INFINITY}};
	struct error err;
	size_t length, kept;
	assert_non_null(rule);
	random_seed(&worlds[0].random, 1);
	random_seed(&worlds[1].random, 2);
	for (size_t r = 0; r < 12; r++) {
		assert_int_equal(play_run(rule, worlds, 2, &length, &kept, &err), 0);
		assert_int_equal(kept, length);
		assert_int_equal(length % 2, 0);
		assert_true(auto_rule_skip(rule) >= 12 && auto_rule_skip(rule) <= 20);
		assert_true(length >= auto_rule_skip(rule) + 20);
	}
	auto_rule_free(rule);
}

/* Each side has its whole run after the other's: the second is at least as long, and as much is kept of both. */
static void test_sides_one_by_one(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.01);
	options.sides = 2;
	options.max_length = 300;
	struct auto_rule *rule = auto_rule_new(&options);
	struct world worlds[2] = {{.noise = 0.003, .late_from = INFINITY},
	                          {.warm = 0.5, .warm_until = 50, .noise = 0.003, .late_from = INFINITY}};
	struct error err;
	size_t n[2], kept;
	assert_non_null(rule);
	for (size_t r = 0; r < 4; r++) {
		auto_rule_begin_run(rule);
		for (size_t s = 0; s < 2; s++) {
			bool more = true;
			random_seed(&worlds[s].random, r + 5 * s);
			for (n[s] = 0; more; n[s]++) {
				assert_int_equal(auto_rule_add(rule, s, value_of(&worlds[s], n[s]), &err), 0);
				assert_int_equal(auto_rule_goes_on(rule, s, s + 1, &more, &err), 0);
			}
		}
		assert_int_equal(auto_rule_end_run(rule, &kept, &err), 0);
		assert_true(n[1] >= n[0]);
		assert_int_equal(kept, n[0]);
	}
	assert_true(auto_rule_skip(rule) >= 50);
	auto_rule_free(rule);
}

/* What the user has fixed stays fixed: the measured iterations, and the limits of what is left out. */
static void test_given(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.01);
	struct world world = {.warm = 0.5, .warm_until = 12, .noise = 0.003, .late_from = INFINITY};
	struct error err;
	options.iterations = 30;
	for (int given = 0; given < 3; given++) {
		size_t length, kept;
		options.min_warmup = given == 1 ? 25 : 0;
		options.max_warmup = given == 2 ? 3 : SIZE_MAX;
		struct auto_rule *rule = auto_rule_new(&options);
		assert_non_null(rule);
		random_seed(&world.random, 1);
		for (size_t r = 0; r < 3; r++) {
			assert_int_equal(play_run(rule, &world, 1, &length, &kept, &err), 0);
			size_t skip = auto_rule_skip(rule);
			assert_true(given == 0 ? skip >= 12 && skip <= 20 : given == 1 ? skip == 25 : skip == 3);
			assert_int_equal(kept, skip + 30);
		}
		auto_rule_free(rule);
	}
	/* Too few iterations to look for a warm-up: only the first is left out, and of very few not even that. */
	const size_t few[] = {10, 2};
	for (size_t i = 0; i < 2; i++) {
		size_t length, kept;
		options = options_for(0.01);
		options.iterations = few[i];
		struct auto_rule *rule = auto_rule_new(&options);
		assert_non_null(rule);
		assert_int_equal(play_run(rule, &world, 1, &length, &kept, &err), 0);
		assert_int_equal(auto_rule_skip(rule), i == 0);
		assert_int_equal(kept, few[i] + (i == 0));
		auto_rule_free(rule);
	}
}

/* A value that is lost: the run says nothing of the warm-up, and is ended. */
static void test_lost_value(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.01);
	struct auto_rule *rule = auto_rule_new(&options);
	struct error err;
	size_t n = 0, kept;
	bool more = true;
	assert_non_null(rule);
	auto_rule_begin_run(rule);
	for (; more; n++) {
		assert_int_equal(auto_rule_add(rule, 0, n == 7 ? NAN : 1 + 0.01 * (double)(n % 3), &err), 0);
		assert_int_equal(auto_rule_goes_on(rule, 0, 1, &more, &err), 0);
	}
	assert_int_equal(auto_rule_end_run(rule, &kept, &err), 0);
	assert_int_equal(kept, 60);
	assert_int_equal(auto_rule_skip(rule), 1);
	auto_rule_free(rule);
}

static void test_no_memory(void **state)
{
	(void)state;
	struct auto_options options = options_for(0.05);
	long failed = 0;
	options.sides = 2;
	for (long nth = 1; nth < 2000; nth++) {
		struct world worlds[2] = {{.noise = 0.01, .warm = 0.3, .warm_until = 4, .late_from = INFINITY},
		                          {.noise = 0.01, .late_from = INFINITY}};
		struct error err;
		size_t length, kept;
		random_seed(&worlds[0].random, 2);
		random_seed(&worlds[1].random, 3);
		mem_fail_at(nth);
		struct auto_rule *rule = auto_rule_new(&options);
		int status = rule ? 0 : -1;
		for (size_t r = 0; r < 5 && status == 0; r++)
			status = play_run(rule, worlds, 2, &length, &kept, &err);
		bool hit = mem_failed();
		mem_fail_at(0);
		auto_rule_free(rule);
		if (!hit)
			break;
		assert_int_equal(status, -1);
		failed++;
	}
	assert_true(failed >= 10 && failed < 1999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),    cmocka_unit_test(test_warmup),     cmocka_unit_test(test_glance),
		cmocka_unit_test(test_only_run), cmocka_unit_test(test_lengths),    cmocka_unit_test(test_soonest),
		cmocka_unit_test(test_edges),    cmocka_unit_test(test_sides),      cmocka_unit_test(test_sides_one_by_one),
		cmocka_unit_test(test_given),    cmocka_unit_test(test_lost_value), cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
