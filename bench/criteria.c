/* What a check of the criteria of Laaber et al. (2020) costs at iterations of one second, and what `auto` costs at 10
 * ms.
 *
 * The paper measured 0.88 % of the run time for CV, 4.32 % for KLD and 10.92 % for RCIW; the goals here are 0.05, 0.5
 * and 0.5 %. Data: a warm-up of 50 iterations with 1000 values each, lognormal with a tail of slow ones; filtered and
 * thinned from 5000 as a session does, which is counted in. The cost of a criterion is the CPU time of all its checks
 * over 50 s. The straightforward way computes every value from all data so far, of `auto` after every iteration; it
 * stands beside it. */
#include "bench/figure.h"
#include "base/random.h"
#include "decide/auto_rule.h"
#include "stats/criteria_data.h"
#include "stats/stability.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { ITERATIONS = 50, RAW = 5000, KEPT = CRITERIA_MOST_VALUES, ROUNDS = 3, AUTO_RUNS = 10, AUTO_MOST = 200 };
static const double goals[CRITERION_COUNT] = {0.0005, 0.005, 0.005}, paper[CRITERION_COUNT] = {0.0088, 0.1092, 0.0432};

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double raw[ITERATIONS][RAW];

static void make_data(uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (int i = 0; i < ITERATIONS; i++)
		for (int j = 0; j < RAW; j++)
			raw[i][j] = (1 + 0.5 * exp(-i / 5.)) * exp(0.1 * random_normal(&random)) *
			            (random_below(&random, 200) == 0 ? 1 + 3 * random_uniform(&random) : 1);
}

/* CPU seconds of all checks of one warm-up, NaN when one failed; *last gets the criterion's last value. */
static double cost_of(enum stop_criterion criterion, bool direct, double *last)
{
	static double filtered[RAW], thinned[KEPT];
	struct stability *stability = stability_new(criterion, 1, direct);
	struct stability_rule rule = {STOP_PUBLISHED, stop_threshold(criterion), STOP_WINDOW, false};
	bool holds, fine = stability != NULL;
	double start = seconds();
	for (int i = 0; i < ITERATIONS && fine; i++) {
		size_t inside, kept;
		fine = criteria_filter(raw[i], NULL, RAW, filtered, NULL, &inside) == STATS_OK &&
		       criteria_sample(filtered, NULL, inside, KEPT, (uint64_t)i, thinned, &kept) == STATS_OK;
		const uint32_t starts[] = {0, fine ? (uint32_t)kept : 0};
		fine = fine && stability_add(stability, thinned, starts, 1) == STATS_OK &&
		       stability_holds(stability, &rule, &holds) == STATS_OK;
	}
	double spent = seconds() - start;
	*last = fine ? stability_value(stability) : NAN;
	stability_free(stability);
	return fine ? spent : NAN;
}

/* What tare's own rule is played on: ten runs, the first a scout of 100 iterations. */
static struct auto_options auto_plan(void)
{
	struct auto_options options;
	auto_options_init(&options);
	options.precision = 0.001;
	options.max_runs = AUTO_RUNS;
	options.min_scout = 100;
	return options;
}

static double own_values[AUTO_RUNS][AUTO_MOST];
static size_t own_lengths[AUTO_RUNS]; /* iterations that the rule asked for */

static void make_own_data(void)
{
	struct random random;
	random_seed(&random, 3);
	for (int r = 0; r < AUTO_RUNS; r++)
		for (int i = 0; i < AUTO_MOST; i++)
			own_values[r][i] = (1 + 0.5 * exp(-i / 5.)) * exp(0.01 * random_normal(&random));
}

/* Iteration i of run r, and whether the run goes on. */
static bool play_iteration(struct auto_rule *rule, size_t r, size_t i, bool *more)
{
	struct error err;
	return i < AUTO_MOST && auto_rule_add(rule, 0, own_values[r][i], &err) == 0 &&
	       auto_rule_goes_on(rule, 0, 1, more, &err) == 0;
}

/* CPU seconds of the rule as a session plays it, each value seen once; NaN when something failed. */
static double cost_of_auto(size_t *iterations, double *mean)
{
	const struct auto_options options = auto_plan();
	struct error err;
	struct auto_outcome outcome;
	double start = seconds();
	struct auto_rule *rule = auto_rule_new(&options);
	bool fine = rule != NULL;
	*iterations = 0;
	for (size_t r = 0; fine && !auto_rule_is_enough(rule); r++) {
		bool more = true;
		size_t length;
		auto_rule_begin_run(rule);
		for (own_lengths[r] = 0; fine && more; own_lengths[r]++)
			fine = play_iteration(rule, r, own_lengths[r], &more);
		*iterations += own_lengths[r];
		fine = fine && auto_rule_end_run(rule, &length, &err) == 0;
	}
	double spent = seconds() - start;
	if (fine)
		auto_rule_outcome(rule, &outcome);
	*mean = fine ? outcome.mean : NAN;
	auto_rule_free(rule);
	return fine ? spent : NAN;
}

/* The rule from all data so far: the runs before r, and `length` iterations of run r. */
static bool play_all(size_t r, size_t length, double *mean)
{
	const struct auto_options options = auto_plan();
	struct error err;
	struct auto_outcome outcome;
	struct auto_rule *rule = auto_rule_new(&options);
	bool fine = rule != NULL, more, ends = length == own_lengths[r];
	for (size_t k = 0; fine && k <= r; k++) {
		size_t kept, until = k < r ? own_lengths[k] : length;
		auto_rule_begin_run(rule);
		for (size_t i = 0; fine && i < until; i++)
			fine = play_iteration(rule, k, i, &more);
		if (fine && (k < r || ends))
			fine = auto_rule_end_run(rule, &kept, &err) == 0;
	}
	if (fine)
		auto_rule_outcome(rule, &outcome);
	*mean = fine ? outcome.mean : NAN;
	auto_rule_free(rule);
	return fine;
}

/* CPU seconds when the rule is played anew after every iteration. */
static double cost_of_auto_anew(double *mean)
{
	bool fine = true;
	double start = seconds();
	for (size_t r = 0; r < AUTO_RUNS; r++)
		for (size_t i = 1; fine && i <= own_lengths[r]; i++)
			fine = play_all(r, i, mean);
	return fine ? seconds() - start : NAN;
}

static bool show_auto(void)
{
	size_t iterations;
	double mean, mean_anew, spent = INFINITY;
	make_own_data();
	for (int round = 0; round < ROUNDS; round++)
		spent = fmin(spent, cost_of_auto(&iterations, &mean));
	double run_time = (double)iterations * 0.010, share = spent / run_time,
		   anew = cost_of_auto_anew(&mean_anew) / run_time;
	bool fine = share <= 0.01 && mean == mean_anew;
	printf(
		"  auto %7.4f %% of the run time at iterations of 10 ms (goal 1.00), straightforward %7.3f %%, %zu iterations%s\n",
		100 * share, 100 * anew, iterations,
		fine                ? ""
		: mean == mean_anew ? "  missed"
							: "  another result");
	figure("cost of the stop rule auto, 10 ms iterations", "% of run time", "straightforward", 100 * anew, 100 * share,
	       "under 1 %", fine);
	return fine;
}

/* CPU seconds of one width at the last iteration when every value of every replicate is drawn, as the paper's tool
 * does. */
static double cost_of_drawing(void)
{
	static double values[ITERATIONS * KEPT];
	struct random random;
	double sum = 0, start = seconds();
	random_seed(&random, 5);
	for (int i = 0; i < ITERATIONS; i++)
		for (int j = 0; j < KEPT; j++)
			values[i * KEPT + j] = raw[i][j];
	for (int replicate = 0; replicate < 100; replicate++)
		for (int i = 0; i < ITERATIONS; i++) {
			size_t iteration = (size_t)random_below(&random, ITERATIONS);
			for (int j = 0; j < KEPT; j++)
				sum += values[iteration * KEPT + random_below(&random, KEPT)];
		}
	return sum > 0 ? 10 * (seconds() - start) : NAN; /* 1000 replicates */
}

int main(void)
{
	bool met = true;
	printf("criteria, 50 iterations of 1 s with %d values, %d after thinning, share of the run time:\n", RAW, KEPT);
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		double kept = INFINITY, direct = INFINITY, kept_value = NAN, direct_value = NAN;
		for (uint64_t round = 0; round < ROUNDS; round++) {
			make_data(round);
			kept = fmin(kept, cost_of((enum stop_criterion)c, false, &kept_value));
			if (round == 0)
				direct = cost_of((enum stop_criterion)c, true, &direct_value);
		}
		double share = kept / ITERATIONS;
		bool fine = share <= goals[c];
		met &= fine;
		printf("  %-4s %7.4f %% (goal %.2f, paper %.2f), straightforward %7.3f %%%s\n",
		       stop_criterion_name((enum stop_criterion)c), 100 * share, 100 * goals[c], 100 * paper[c],
		       100 * direct / ITERATIONS, fine ? "" : "  missed");
		char what[64], goal[32];
		snprintf(what, sizeof(what), "cost of the stop rule %s, 1 s iterations",
		         stop_criterion_name((enum stop_criterion)c));
		snprintf(goal, sizeof(goal), "under %g %%", 100 * goals[c]);
		figure(what, "% of run time", "straightforward", 100 * direct / ITERATIONS, 100 * share, goal, fine);
	}
	printf("  rciw with every value drawn: %.1f %% at the last of them\n", 100 * cost_of_drawing());
	met &= show_auto();
	return met ? 0 : 1;
}
