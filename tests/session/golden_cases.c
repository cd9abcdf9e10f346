/* The golden sessions, one function each: it says how the session differs from two commands of 20 ms that compute, of
 * which the second is 5 % slower, with tare's defaults. */
#include "adapters/adapter.h"
#include "session/golden.h"

#include <math.h>

#define SECONDS INT64_C(1000000000)

static void commands(struct golden *g, size_t count)
{
	g->experiment.subject_count = count;
	for (size_t i = 0; i < count; i++)
		g->script.actors[i] = (struct script_actor){.time = 0.02, .noise = 0.01};
}

static void two(struct golden *g, double ratio, double noise)
{
	commands(g, 2);
	g->script.actors[0].noise = g->script.actors[1].noise = noise;
	g->script.actors[1].time *= ratio;
}

static void fails(struct golden *g, size_t actor, enum script_fault_kind kind, size_t from, size_t to)
{
	size_t i = 0;
	while (g->script.actors[actor].faults[i].kind)
		i++;
	g->script.actors[actor].faults[i] = (struct script_fault){kind, from, to};
}

static void fixed(struct golden *g, size_t runs)
{
	g->experiment.stop = STOP_FIXED;
	g->experiment.runs = runs;
}

/* ---- one command ---- */

static void one_precise(struct golden *g)
{
	commands(g, 1);
}

static void one_equal(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].noise = 0;
}

static void one_out_of_time(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].noise = 0.4;
	g->experiment.max_time = 2 * SECONDS;
}

static void one_fixed(struct golden *g)
{
	commands(g, 1);
	fixed(g, 8);
}

static void one_fixed_beside_time(struct golden *g)
{
	commands(g, 1);
	fixed(g, 1000);
	g->experiment.max_time = SECONDS / 2;
}

static void one_long_warmup(struct golden *g)
{
	commands(g, 1);
	fixed(g, 5);
	g->experiment.warmup = 12;
}

static void one_without_warmup(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].drift = 0.002;
	g->experiment.warmup = 0;
	g->experiment.max_runs = 15;
	g->experiment.precision = 0.001;
}

static void one_least_runs(struct golden *g)
{
	commands(g, 1);
	g->experiment.min_runs = 30;
	g->experiment.stop = STOP_PRECISION;
}

static void one_precision(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].noise = 0.03;
	g->experiment.stop = STOP_PRECISION;
	g->experiment.precision = 0.008;
	g->experiment.confidence = 0.99;
}

static void one_slow(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].time = 9;
}

static void one_with_a_tail(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].tail = 0.05;
	g->script.actors[0].tail_times = 3;
	g->script.actors[0].shock = 0.1;
	g->experiment.max_time = 5 * SECONDS;
}

static void one_by_rss(struct golden *g)
{
	static const char *metrics[] = {"rss", "wall"};
	commands(g, 1);
	g->experiment.metrics = metrics;
	g->experiment.metric_count = 2;
}

static void one_of_no_metric(struct golden *g)
{
	static const char *metrics[] = {"speed"};
	commands(g, 1);
	g->experiment.metrics = metrics;
	g->experiment.metric_count = 1;
}

static void one_fails(struct golden *g)
{
	commands(g, 1);
	fails(g, 0, FAULT_EXIT, 7, 7);
}

static void one_fails_first(struct golden *g)
{
	commands(g, 1);
	fails(g, 0, FAULT_SIGNAL, 1, 1);
}

static void one_fails_and_goes_on(struct golden *g)
{
	commands(g, 1);
	fails(g, 0, FAULT_IGNORED, 2, 9);
	fails(g, 0, FAULT_SIGNAL, 11, 12);
	g->experiment.ignore_failure = true;
}

static void one_hangs(struct golden *g)
{
	commands(g, 1);
	g->experiment.timeout = SECONDS;
	fails(g, 0, FAULT_TIMEOUT, 5, 5);
}

static void one_hangs_and_goes_on(struct golden *g)
{
	one_hangs(g);
	g->experiment.ignore_failure = true;
}

static void one_not_started(struct golden *g)
{
	commands(g, 1);
	fails(g, 0, FAULT_NOT_STARTED, 1, 1);
}

static void one_without_its_shell(struct golden *g)
{
	one_not_started(g);
	g->experiment.shell = "fish";
	g->experiment.ignore_failure = true;
}

static void one_always_fails(struct golden *g)
{
	commands(g, 1);
	fails(g, 0, FAULT_EXIT, 1, 1000000);
	g->experiment.ignore_failure = true;
	fixed(g, 6);
}

static void one_interrupted(struct golden *g)
{
	commands(g, 1);
	g->script.cancel_after = 9;
	g->script.cancel_within = true;
}

static void one_interrupted_at_first(struct golden *g)
{
	commands(g, 1);
	g->script.cancel_after = 1;
	g->script.cancel_within = true;
}

static void one_with_hooks(struct golden *g)
{
	commands(g, 1);
	fixed(g, 4);
	g->subjects[0].setup = "make";
	g->subjects[0].prepare = "sync";
	g->subjects[0].conclude = "check";
	g->subjects[0].cleanup = "make clean";
	fails(g, 0, FAULT_LEFTOVER, 4, 5);
	g->script.notes = true;
}

static void one_whose_hook_fails(struct golden *g)
{
	one_with_hooks(g);
	g->script.hook_fails = 6;
}

static void one_by_plan(struct golden *g)
{
	commands(g, 1);
	fixed(g, 12);
	g->experiment.plan = &g->plan;
	g->plan.precision = 0.005;
	g->planned = (struct plan_subject){.name = "a",
	                                   .command = "./a",
	                                   .metric = "wall",
	                                   .unit = "s",
	                                   .mean = 0.02,
	                                   .levels = {{.level = LEVEL_RUN, .members = 25, .variance = 1e-6, .cost = 0.02}},
	                                   .level_count = 1,
	                                   .unit_variance = 1e-6,
	                                   .unit_cost = 0.02,
	                                   .units = 12,
	                                   .half_width = 0.001};
}

/* ---- two commands ---- */

static void turns_slower(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "turns";
}

static void turns_faster(struct golden *g)
{
	two(g, 0.8, 0.05);
	g->experiment.design = "turns";
}

static void turns_same(struct golden *g)
{
	two(g, 1.0005, 0.005);
	g->experiment.design = "turns";
}

static void turns_same_in_total(struct golden *g)
{
	turns_same(g);
	g->experiment.until_total = true;
}

static void turns_undecided(struct golden *g)
{
	two(g, 1.01, 0.2);
	g->experiment.design = "turns";
	g->experiment.max_time = 10 * SECONDS;
}

static void turns_with_a_tail(struct golden *g)
{
	two(g, 1, 0.005);
	g->experiment.design = "turns";
	g->script.actors[1].tail = 0.1;
	g->script.actors[1].tail_times = 2;
}

static void turns_by_wall_too(struct golden *g)
{
	two(g, 1.03, 0.005);
	g->experiment.design = "turns";
	g->script.actors[0].shock = 1;
}

static void turns_slow(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->script.actors[0].time = 4;
	g->script.actors[1].time = 4.4;
	g->experiment.design = "turns";
}

static void turns_most_runs(struct golden *g)
{
	two(g, 1.002, 0.02);
	g->experiment.design = "turns";
	g->experiment.max_runs = 60;
}

static void turns_least_runs(struct golden *g)
{
	two(g, 1.5, 0.01);
	g->experiment.design = "turns";
	g->experiment.min_runs = 350;
}

static void duet_slower(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "duet";
	g->script.actors[0].crowd = 1.1;
	g->script.actors[1].crowd = 1.1;
}

static void duet_uneven(struct golden *g)
{
	two(g, 1, 0.01);
	g->experiment.design = "duet";
	g->script.actors[1].crowd = 1.3;
}

static void duet_on_one_cpu(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "duet";
	g->script.cpus = 1;
}

static void shared_slower(struct golden *g)
{
	two(g, 1.04, 0.02);
	g->experiment.design = "shared";
}

/* The second needs more of the cache than is left to it beside the first. */
static void shared_in_company(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->script.actors[1].crowd = 1.15;
	g->experiment.design = "shared";
}

static void shared_unconfirmed(struct golden *g)
{
	two(g, 1.03, 0.01);
	g->experiment.design = "shared";
	g->experiment.max_time = 2 * SECONDS;
}

static void shared_gate(struct golden *g)
{
	two(g, 1.12, 0.01);
	g->experiment.design = "shared";
	g->experiment.gate = 0.05;
}

static void shared_by_wall(struct golden *g)
{
	static const char *metrics[] = {"wall"};
	two(g, 1, 0.02);
	g->experiment.design = "shared";
	g->experiment.metrics = metrics;
	g->experiment.metric_count = 1;
	g->experiment.max_time = 12 * SECONDS;
}

static void shuffled_that_wait(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->script.actors[0].waits = g->script.actors[1].waits = 0.4;
	g->experiment.design = "shuffled";
}

static void auto_of_threads(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->script.actors[1].threads = true;
}

static void auto_tries(struct golden *g)
{
	two(g, 1.02, 0.02);
	g->script.actors[0].crowd = g->script.actors[1].crowd = 1.05;
}

/* As large as that it takes no design but turns to see it. */
static void auto_at_once(struct golden *g)
{
	two(g, 2, 0.02);
}

static void auto_by_rule(struct golden *g)
{
	two(g, 1.2, 0.01);
	g->script.actors[0].time = 0.6;
	g->script.actors[1].time = 0.7;
}

static void auto_on_one_cpu(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->script.cpus = 1;
	g->experiment.max_time = 20 * SECONDS;
}

static void solo_of_two(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "solo";
}

static void solo_out_of_time(struct golden *g)
{
	two(g, 1.05, 0.3);
	g->experiment.design = "solo";
	g->experiment.max_time = 3 * SECONDS;
}

static void solo_fixed(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "solo";
	fixed(g, 6);
}

static void gate_broken(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->experiment.design = "turns";
	g->experiment.gate = 0.02;
}

static void gate_held(struct golden *g)
{
	two(g, 1.001, 0.004);
	g->experiment.design = "turns";
	g->experiment.gate = 0.05;
}

static void gate_open(struct golden *g)
{
	two(g, 1.02, 0.1);
	g->experiment.design = "turns";
	g->experiment.gate = 0.02;
	g->experiment.max_time = 8 * SECONDS;
}

static void gate_of_a_fixed_count(struct golden *g)
{
	two(g, 1.2, 0.01);
	g->experiment.gate = 0.05;
	fixed(g, 120);
}

static void verdict_asked_for(struct golden *g)
{
	two(g, 1.1, 0.01);
	g->experiment.design = "shuffled";
	g->experiment.stop = STOP_VERDICT;
	g->experiment.gate = 0.3;
	g->experiment.confidence = 0.95;
}

static void precision_of_two(struct golden *g)
{
	two(g, 1.05, 0.02);
	g->experiment.design = "turns";
	g->experiment.stop = STOP_PRECISION;
	g->experiment.precision = 0.003;
}

static void fixed_few(struct golden *g)
{
	two(g, 1.1, 0.01);
	fixed(g, 20);
}

static void fixed_three(struct golden *g)
{
	two(g, 1.1, 0.01);
	fixed(g, 3);
}

static void fixed_many(struct golden *g)
{
	two(g, 1.02, 0.01);
	g->experiment.design = "turns";
	fixed(g, 200);
}

static void fixed_beside_time(struct golden *g)
{
	two(g, 1.02, 0.01);
	g->experiment.design = "duet";
	fixed(g, 1000);
	g->experiment.max_time = 3 * SECONDS;
}

static void two_fail(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "turns";
	fails(g, 1, FAULT_EXIT, 30, 30);
}

static void two_fail_at_once(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "duet";
	fails(g, 0, FAULT_SIGNAL, 30, 30);
	fails(g, 1, FAULT_EXIT, 30, 30);
}

static void two_fail_and_go_on(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "turns";
	g->experiment.ignore_failure = true;
	fails(g, 0, FAULT_SIGNAL, 20, 24);
	fails(g, 1, FAULT_IGNORED, 22, 40);
}

static void two_fail_unpaired(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "solo";
	g->experiment.ignore_failure = true;
	fails(g, 0, FAULT_SIGNAL, 7, 9);
}

static void two_hang_and_go_on(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->experiment.design = "turns";
	g->experiment.ignore_failure = true;
	g->experiment.timeout = SECONDS;
	fails(g, 1, FAULT_TIMEOUT, 10, 200);
}

static void two_interrupted(struct golden *g)
{
	two(g, 1.05, 0.05);
	g->experiment.design = "turns";
	g->script.cancel_after = 400;
}

static void two_interrupted_early(struct golden *g)
{
	two(g, 1.05, 0.05);
	g->experiment.design = "turns";
	g->script.cancel_after = 23;
	g->script.cancel_within = true;
}

static void two_interrupted_while_trying(struct golden *g)
{
	two(g, 1.05, 0.05);
	g->script.cancel_after = 60;
	g->script.cancel_within = true;
}

static void two_by_a_rate(struct golden *g)
{
	two(g, 1, 0.01);
	g->pis[0] = (struct performance_index){
		.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = NAN, .confidence = NAN, .autocorrelation = NAN};
	g->experiment.pi_count = 1;
	g->script.actors[0].reading = 100;
	g->script.actors[1].reading = 110;
	g->script.actors[0].reading_noise = g->script.actors[1].reading_noise = 0.02;
	g->experiment.design = "turns";
}

static void two_by_coarse_numbers(struct golden *g)
{
	two(g, 1, 0.01);
	g->experiment.design = "turns";
	g->script.actors[0].grain = g->script.actors[1].grain = 0.001;
	g->script.actors[1].time = 0.0207;
	g->experiment.max_time = 20 * SECONDS;
}

static void two_same_text(struct golden *g)
{
	two(g, 1, 0.01);
	g->subjects[1].command = g->subjects[0].command;
	g->experiment.design = "turns";
}

static void three_shuffled(struct golden *g)
{
	commands(g, 3);
	g->script.actors[1].time = 0.022;
	g->script.actors[2].time = 0.0202;
	g->experiment.max_time = 30 * SECONDS;
}

static void three_with_a_reference(struct golden *g)
{
	commands(g, 3);
	g->script.actors[1].time = 0.022;
	g->script.actors[2].time = 0.03;
	g->experiment.reference = 1;
	g->experiment.design = "turns";
	g->experiment.gate = 0.05;
	g->experiment.max_time = 30 * SECONDS;
}

static void three_in_a_duet(struct golden *g)
{
	commands(g, 3);
	g->experiment.design = "duet";
}

/* ---- going on ---- */

static void append_interrupted(struct golden *g)
{
	two_interrupted(g);
	g->script.cancel_after = 0;
	g->before = "two-interrupted";
}

static void append_to_a_count(struct golden *g)
{
	fixed_few(g);
	g->experiment.runs = 45;
	g->script.seed = 2;
	g->before = "fixed-few";
}

static void append_nothing(struct golden *g)
{
	fixed_few(g);
	g->before = "fixed-few";
}

static void append_to_one(struct golden *g)
{
	one_out_of_time(g);
	g->before = "one-out-of-time";
}

static void append_to_other_commands(struct golden *g)
{
	two_interrupted(g);
	g->subjects[1].name = "other";
	g->before = "two-interrupted";
}

static void append_in_another_design(struct golden *g)
{
	two_interrupted(g);
	g->experiment.design = "shuffled";
	g->before = "two-interrupted";
}

/* ---- ranking ---- */

static void rank_three(struct golden *g)
{
	commands(g, 3);
	g->script.actors[0].time = 0.024;
	g->script.actors[2].time = 0.022;
	g->experiment.rank = true;
	g->experiment.max_time = 30 * SECONDS;
}

static void rank_by_means(struct golden *g)
{
	rank_three(g);
	g->experiment.welch = true;
}

static void rank_with_earlier(struct golden *g)
{
	two(g, 1.2, 0.01);
	g->experiment.rank = true;
	g->experiment.design = "turns";
	g->before = "one-precise";
}

static void rank_one_with_earlier(struct golden *g)
{
	commands(g, 1);
	g->script.actors[0].time = 0.025;
	g->experiment.rank = true;
	g->before = "one-precise";
}

/* ---- performance indices ---- */

static void index_of(struct golden *g, bool units, double noise)
{
	commands(g, 1);
	g->pis[0] = (struct performance_index){.metric = {"rate", "MB/s", BETTER_HIGHER},
	                                       .units = units,
	                                       .precision = NAN,
	                                       .confidence = NAN,
	                                       .autocorrelation = NAN};
	g->experiment.pi_count = 1;
	g->experiment.preset = PRESET_QUICK;
	g->script.actors[0].reading = 100;
	g->script.actors[0].reading_noise = noise;
	g->script.actors[0].readings = units ? 40 : 0;
}

static void readings_quick(struct golden *g)
{
	index_of(g, false, 0.05);
}

static void readings_normal(struct golden *g)
{
	index_of(g, false, 0.1);
	g->experiment.preset = PRESET_NORMAL;
}

static void readings_equal(struct golden *g)
{
	index_of(g, false, 0);
}

static void readings_of_two_indices(struct golden *g)
{
	index_of(g, false, 0.05);
	g->pis[1] = g->pis[0];
	g->pis[1].metric.name = "watched";
	g->pis[1].watched = true;
	g->pis[0].mean = MEAN_HARMONIC;
	g->experiment.pi_count = 2;
}

static void readings_out_of_time(struct golden *g)
{
	index_of(g, false, 0.9);
	g->experiment.preset = PRESET_STRICT;
	g->experiment.max_time = 4 * SECONDS;
}

static void unit_readings(struct golden *g)
{
	index_of(g, true, 0.05);
}

static void unit_readings_and_overhead(struct golden *g)
{
	index_of(g, true, 0.05);
	g->experiment.overhead = true;
}

static void unit_readings_gone_on_with(struct golden *g)
{
	index_of(g, true, 0.05);
	fixed(g, 45);
	g->before = "unit-readings";
}

/* ---- work amounts ---- */

static void work(struct golden *g, size_t count)
{
	commands(g, count);
	g->experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 4096, .unit = "MB"};
	g->experiment.preset = PRESET_QUICK;
	for (size_t i = 0; i < count; i++) {
		g->subjects[i].command = "./a {work}";
		g->script.actors[i] = (struct script_actor){.time = 0.01 + 0.001 * (double)i, .noise = 0.01, .start = 0.3};
	}
}

static void work_line(struct golden *g)
{
	work(g, 1);
}

static void work_of_two(struct golden *g)
{
	work(g, 2);
}

static void work_curved(struct golden *g)
{
	work(g, 1);
	g->script.actors[0].curve = 0.0005;
}

static void work_fixed(struct golden *g)
{
	work(g, 1);
	fixed(g, 12);
}

static void work_out_of_time(struct golden *g)
{
	work(g, 1);
	g->script.actors[0].noise = 0.4;
	g->experiment.max_time = 60 * SECONDS;
}

static void work_of_units(struct golden *g)
{
	work(g, 1);
	g->pis[0] = (struct performance_index){.metric = {"lag", "ms", BETTER_LOWER},
	                                       .units = true,
	                                       .precision = NAN,
	                                       .confidence = NAN,
	                                       .autocorrelation = NAN};
	g->experiment.pi_count = 1;
	g->script.actors[0].reading = 5;
	g->script.actors[0].reading_noise = 0.1;
	g->script.actors[0].readings = 1;
}

static void work_that_fails(struct golden *g)
{
	work(g, 1);
	g->experiment.ignore_failure = true;
	fails(g, 0, FAULT_EXIT, 1, 100000);
	fixed(g, 5);
}

static void work_interrupted(struct golden *g)
{
	work(g, 1);
	g->script.cancel_after = 20;
	g->subjects[0].prepare = "sync {work}";
}

static void work_by_rss(struct golden *g)
{
	one_by_rss(g);
	g->experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 4096, .unit = "MB"};
}

/* ---- benchmarks inside programs ---- */

static void suite(struct golden *g, size_t sides, size_t count)
{
	static const char *const names[] = {"sort/size=8", "hash", "parse", "copy"};
	g->kind = GOLDEN_PROGRAMS;
	g->experiment.subject_count = sides;
	g->script.benchmark_count = count;
	for (size_t i = 0; i < count; i++)
		g->script.benchmarks[i] = names[i];
	for (size_t i = 0; i < sides * count; i++)
		g->script.actors[i] = (struct script_actor){.time = 2e-6 * (double)(1 + i % count) * (i < count ? 1 : 1.06),
		                                            .noise = 0.01,
		                                            .run_noise = 0.005,
		                                            .warm = 3,
		                                            .warm_times = 1.5};
	g->experiment.max_time = 10 * SECONDS;
}

static void bench_one(struct golden *g)
{
	suite(g, 1, 2);
}

static void bench_precision(struct golden *g)
{
	suite(g, 1, 1);
	g->experiment.stop = STOP_PRECISION;
	g->experiment.precision = 0.002;
	g->experiment.max_time = 30 * SECONDS;
}

static void bench_fixed(struct golden *g)
{
	suite(g, 1, 2);
	fixed(g, 4);
	g->experiment.max_time = 0;
	g->experiment.bench.iterations = 15;
}

static void bench_short_look(struct golden *g)
{
	suite(g, 1, 1);
	g->experiment.precision = 0.05;
	g->experiment.precision_given = true;
	g->experiment.min_runs = 2;
	g->experiment.min_runs_given = true;
}

static void bench_never_warm(struct golden *g)
{
	suite(g, 1, 1);
	g->script.actors[0].warm = 1e9;
	g->script.actors[0].noise = 0.3;
	g->script.actors[0].run_noise = 0.3;
	g->experiment.max_time = 3 * SECONDS;
}

static void bench_turns(struct golden *g)
{
	suite(g, 2, 2);
}

static void bench_same(struct golden *g)
{
	suite(g, 2, 1);
	g->script.actors[1].time = g->script.actors[0].time;
	g->script.actors[0].run_noise = g->script.actors[1].run_noise = 0.001;
}

static void bench_duet(struct golden *g)
{
	suite(g, 2, 1);
	g->experiment.design = "duet";
}

static void bench_shuffled(struct golden *g)
{
	suite(g, 2, 1);
	g->experiment.design = "shuffled";
}

static void bench_shared(struct golden *g)
{
	suite(g, 2, 1);
	g->experiment.design = "shared";
}

static void bench_solo(struct golden *g)
{
	suite(g, 2, 2);
	g->experiment.design = "solo";
	g->experiment.max_time = 6 * SECONDS;
}

static void bench_three(struct golden *g)
{
	suite(g, 3, 1);
	g->experiment.max_time = 15 * SECONDS;
}

static void bench_gate(struct golden *g)
{
	suite(g, 2, 3);
	g->experiment.gate = 0.03;
	for (size_t i = 0; i < 2; i++)
		g->script.actors[3 + i].time = g->script.actors[i].time;
	g->experiment.max_time = 20 * SECONDS;
}

static void bench_of_threads(struct golden *g)
{
	suite(g, 2, 1);
	g->script.actors[0].threads = g->script.actors[1].threads = true;
	g->script.actors[0].shock = 0.2;
}

static void bench_that_waits(struct golden *g)
{
	suite(g, 2, 1);
	g->script.actors[0].waits = g->script.actors[1].waits = 0.3;
}

static void bench_by_own_metric(struct golden *g)
{
	static const char *metrics[] = {"rate"};
	suite(g, 2, 1);
	for (size_t i = 0; i < 2; i++) {
		g->script.actors[i].reading = 100 - 8 * (double)i;
		g->script.actors[i].reading_noise = 0.01;
	}
	g->experiment.metrics = metrics;
	g->experiment.metric_count = 1;
}

static void bench_without_the_metric(struct golden *g)
{
	bench_by_own_metric(g);
	g->script.actors[1].reading = 0;
}

static void bench_with_an_index(struct golden *g)
{
	suite(g, 1, 1);
	g->pis[0] = (struct performance_index){
		.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = 0.004, .confidence = NAN, .autocorrelation = NAN};
	g->experiment.pi_count = 1;
	g->script.actors[0].reading = 100;
	g->script.actors[0].reading_noise = 0.2;
}

static void bench_stable(struct golden *g, const char *rule)
{
	suite(g, 1, 1);
	g->experiment.stop = STOP_STABLE;
	g->experiment.bench.stability.rule = rule;
	g->experiment.bench.iteration_time = SECONDS / 50;
	g->experiment.max_time = 20 * SECONDS;
}

static void bench_cv(struct golden *g)
{
	bench_stable(g, "cv");
}

static void bench_rciw(struct golden *g)
{
	bench_stable(g, "rciw");
	g->experiment.bench.stability.values = 100;
}

static void bench_kld(struct golden *g)
{
	bench_stable(g, "kld");
	g->experiment.bench.stability.values = 100;
}

static void bench_cv_of_two(struct golden *g)
{
	suite(g, 2, 1);
	g->experiment.stop = STOP_STABLE;
	g->experiment.bench.stability.rule = "cv";
	g->experiment.bench.stability.variant = "paper";
	g->experiment.bench.stability.warmup_runs = 1;
	g->experiment.bench.iteration_time = SECONDS / 50;
	g->experiment.design = "shuffled";
	g->experiment.max_time = 20 * SECONDS;
}

static void bench_cv_in_a_duet(struct golden *g)
{
	bench_cv_of_two(g);
	g->experiment.design = "duet";
	g->experiment.bench.stability.variant = "fork";
}

static void bench_cv_of_units(struct golden *g)
{
	static const char *metrics[] = {"lag"};
	bench_stable(g, "cv");
	g->script.actors[0].readings = 30;
	g->script.actors[0].reading_noise = 0.1;
	g->experiment.metrics = metrics;
	g->experiment.metric_count = 1;
}

static void bench_never_stable(struct golden *g)
{
	bench_stable(g, "cv");
	g->script.actors[0].noise = 0.5;
	g->script.actors[0].run_noise = 0.5;
	g->experiment.bench.stability.lift = true;
	g->experiment.max_runs = 3;
}

static void bench_told_by_the_program(struct golden *g)
{
	suite(g, 1, 2);
	g->script.defaults[0] = "max-runs=5";
	g->script.defaults[1] = "colour=red";
	g->experiment.precision = 0.0001;
}

static void bench_some(struct golden *g)
{
	static const char *const values[] = {"size=4,8"};
	suite(g, 1, 3);
	g->experiment.bench.filter = "-parse";
	g->experiment.bench.values = values;
	g->experiment.bench.value_count = 1;
}

static void bench_none(struct golden *g)
{
	suite(g, 1, 2);
	g->experiment.bench.filter = "nothing";
}

static void bench_missing(struct golden *g)
{
	suite(g, 2, 2);
	g->script.missing = 1;
}

static void bench_crashes(struct golden *g)
{
	suite(g, 2, 2);
	fails(g, 3, FAULT_SIGNAL, 5, 5);
}

static void bench_crashes_and_goes_on(struct golden *g)
{
	bench_crashes(g);
	g->experiment.ignore_failure = true;
	fails(g, 0, FAULT_PRINTS, 3, 100);
}

static void bench_hangs(struct golden *g)
{
	suite(g, 1, 2);
	fails(g, 1, FAULT_TIMEOUT, 3, 3);
	g->experiment.timeout = SECONDS;
}

static void bench_skips(struct golden *g)
{
	suite(g, 2, 2);
	fails(g, 2, FAULT_SKIPPED, 1, 1);
}

static void bench_leaves_processes(struct golden *g)
{
	suite(g, 1, 1);
	fails(g, 0, FAULT_LEFTOVER, 1, 1);
}

static void bench_set_up_fails(struct golden *g)
{
	suite(g, 1, 1);
	fails(g, 0, FAULT_NOT_STARTED, 4, 4);
}

static void bench_interrupted(struct golden *g)
{
	suite(g, 2, 1);
	g->script.cancel_after = 500;
	g->script.cancel_within = true;
}

static void bench_interrupted_at_first(struct golden *g)
{
	suite(g, 1, 1);
	g->script.cancel_after = 30;
	g->script.cancel_within = true;
}

static void bench_by_plan(struct golden *g)
{
	suite(g, 1, 1);
	g->experiment.plan = &g->plan;
	g->experiment.stop = STOP_FIXED;
	g->experiment.min_runs = g->experiment.max_runs = 6;
	g->plan.precision = 0.005;
	g->planned = (struct plan_subject){
		.name = "sort/size=8",
		.benchmark = "sort/size=8",
		.metric = "wall",
		.unit = "s",
		.mean = 2e-6,
		.state = STEADY_INDEPENDENT,
		.skip = 3,
		.levels = {{.level = LEVEL_RUN, .members = 10, .variance = 1e-5, .cost = 0.003},
	               {.level = LEVEL_ITERATION, .members = 100, .variance = 1e-4, .cost = 0.002, .count = 12}},
		.level_count = 2,
		.unit_variance = 1e-5,
		.unit_cost = 0.03,
		.units = 6,
		.half_width = 0.004};
}

static void bench_first_of_a_plan(struct golden *g)
{
	suite(g, 1, 1);
	g->experiment.bench.first = true;
	g->experiment.design = "solo";
	fixed(g, 5);
}

static void bench_of_long_iterations(struct golden *g)
{
	suite(g, 2, 1);
	g->script.actors[0].time = 1.2;
	g->script.actors[1].time = 1.5;
	g->script.actors[0].warm = g->script.actors[1].warm = 0;
	g->experiment.max_time = 0;
}

static void bench_dry_run(struct golden *g)
{
	suite(g, 2, 2);
	g->kind = GOLDEN_DRY_RUN_OF_PROGRAMS;
}

static void bench_list(struct golden *g)
{
	suite(g, 2, 3);
	g->script.missing = 1;
	g->kind = GOLDEN_LIST;
}

/* ---- suites of other frameworks ---- */

static void guests(struct golden *g, size_t sides, const struct adapter *adapter)
{
	suite(g, sides, 2);
	g->script.adapter = adapter;
	for (size_t i = 0; i < sides * 2; i++)
		g->script.actors[i].warm = 0;
}

static const struct adapter by_cpu_time = {
	.name = "google", .framework = "Google Benchmark", .repetitions = 5, .reports_cpu = true};
static const struct adapter by_wall_time = {.name = "plain", .framework = "Plain", .repetitions = 1};

static void guests_shared(struct golden *g)
{
	guests(g, 2, &by_cpu_time);
	g->experiment.max_time *= 4;
	g->script.actors[2].time *= 1.2;
}

static void guests_unconfirmed(struct golden *g)
{
	guests(g, 2, &by_cpu_time);
	g->script.actors[2].time *= 1.2;
}

static void guests_shuffled(struct golden *g)
{
	guests(g, 2, &by_wall_time);
}

static void guests_one(struct golden *g)
{
	guests(g, 1, &by_cpu_time);
}

static void guests_crash(struct golden *g)
{
	guests(g, 1, &by_cpu_time);
	fails(g, 0, FAULT_SIGNAL, 4, 1000);
}

static void guests_cv(struct golden *g)
{
	guests(g, 2, &by_cpu_time);
	g->experiment.stop = STOP_STABLE;
	g->experiment.bench.stability.rule = "cv";
}

static void guests_solo(struct golden *g)
{
	guests(g, 2, &by_cpu_time);
	g->experiment.design = "solo";
}

static void guests_cv_of_one(struct golden *g)
{
	guests(g, 1, &by_wall_time);
	g->experiment.stop = STOP_STABLE;
	g->experiment.bench.stability.rule = "cv";
}

static void guests_out_of_time(struct golden *g)
{
	guests(g, 2, &by_wall_time);
	g->experiment.max_time = SECONDS / 100;
}

static void guests_dry_run(struct golden *g)
{
	guests(g, 2, &by_cpu_time);
	g->kind = GOLDEN_DRY_RUN_OF_PROGRAMS;
}

/* ---- the others ---- */

static void dry_run(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->kind = GOLDEN_DRY_RUN;
	g->experiment.max_time = 60 * SECONDS;
}

static void dry_run_fixed(struct golden *g)
{
	two(g, 1.05, 0.01);
	g->kind = GOLDEN_DRY_RUN;
	g->experiment.design = "duet";
	fixed(g, 100);
	g->experiment.max_time = SECONDS;
	g->subjects[0].setup = "make";
}

static void dry_run_of_work(struct golden *g)
{
	work(g, 1);
	g->kind = GOLDEN_DRY_RUN;
}

static void calibration(struct golden *g)
{
	two(g, 1, 0.01);
	g->script.actors[0].crowd = g->script.actors[1].crowd = 1.2;
	g->kind = GOLDEN_CALIBRATION;
	g->seconds = 60;
}

static void calibration_by_pairs(struct golden *g)
{
	two(g, 1, 0.01);
	g->kind = GOLDEN_CALIBRATION;
	g->seconds = INFINITY;
	g->pairs = 130;
}

static void calibration_interrupted(struct golden *g)
{
	calibration(g);
	g->script.cancel_after = 900;
}

static void builds(struct golden *g, size_t count)
{
	two(g, 1.05, 0.01);
	g->kind = GOLDEN_BUILDS;
	g->builds = count;
	g->subjects[0].directory = g->subjects[1].directory = "/";
	g->subjects[0].build = "make";
	g->subjects[1].build = "make new";
	g->experiment.design = "turns";
}

static void builds_of_two(struct golden *g)
{
	builds(g, 6);
	g->experiment.gate = 0.02;
}

static void builds_until_precise(struct golden *g)
{
	builds(g, 0);
	g->experiment.stop = STOP_PRECISION;
	g->experiment.precision = 0.01;
}

static void builds_out_of_time(struct golden *g)
{
	builds(g, 40);
	g->experiment.max_time = 20 * SECONDS;
}

static void build_that_fails(struct golden *g)
{
	builds(g, 6);
	g->script.build_fails = 6;
}

static void builds_interrupted(struct golden *g)
{
	builds(g, 6);
	g->script.cancel_after = 35;
	g->script.cancel_within = true;
}

static void builds_of_one(struct golden *g)
{
	builds(g, 4);
	g->experiment.subject_count = 1;
	g->experiment.runs = 7;
}

static void builds_of_a_suite(struct golden *g)
{
	suite(g, 2, 1);
	g->kind = GOLDEN_BUILDS_OF_PROGRAMS;
	g->builds = 4;
	g->subjects[0].directory = g->subjects[1].directory = "/";
	g->subjects[0].build = g->subjects[1].build = "make";
	g->experiment.max_time = 0;
}

#define LIBRARY(name) \
	static void name##_session(struct golden *g) \
	{ \
		g->kind = GOLDEN_LIBRARY; \
		g->library = name; \
	}
LIBRARY(library_readings)
LIBRARY(library_units)
LIBRARY(library_work)
LIBRARY(library_work_of_units)
LIBRARY(library_limit)
LIBRARY(library_failure)
LIBRARY(library_by_hand)
LIBRARY(library_overhead)

const struct golden_case golden_cases[] = {
	{"one-precise", one_precise},
	{"one-equal", one_equal},
	{"one-out-of-time", one_out_of_time},
	{"one-fixed", one_fixed},
	{"one-fixed-beside-time", one_fixed_beside_time},
	{"one-long-warmup", one_long_warmup},
	{"one-without-warmup", one_without_warmup},
	{"one-least-runs", one_least_runs},
	{"one-precision", one_precision},
	{"one-slow", one_slow},
	{"one-with-a-tail", one_with_a_tail},
	{"one-by-rss", one_by_rss},
	{"one-of-no-metric", one_of_no_metric},
	{"one-fails", one_fails},
	{"one-fails-first", one_fails_first},
	{"one-fails-and-goes-on", one_fails_and_goes_on},
	{"one-hangs", one_hangs},
	{"one-hangs-and-goes-on", one_hangs_and_goes_on},
	{"one-not-started", one_not_started},
	{"one-without-its-shell", one_without_its_shell},
	{"one-always-fails", one_always_fails},
	{"one-interrupted", one_interrupted},
	{"one-interrupted-at-first", one_interrupted_at_first},
	{"one-with-hooks", one_with_hooks},
	{"one-whose-hook-fails", one_whose_hook_fails},
	{"one-by-plan", one_by_plan},
	{"turns-slower", turns_slower},
	{"turns-faster", turns_faster},
	{"turns-same", turns_same},
	{"turns-same-in-total", turns_same_in_total},
	{"turns-undecided", turns_undecided},
	{"turns-with-a-tail", turns_with_a_tail},
	{"turns-by-wall-too", turns_by_wall_too},
	{"turns-slow", turns_slow},
	{"turns-most-runs", turns_most_runs},
	{"turns-least-runs", turns_least_runs},
	{"duet-slower", duet_slower},
	{"duet-uneven", duet_uneven},
	{"duet-on-one-cpu", duet_on_one_cpu},
	{"shared-slower", shared_slower},
	{"shared-in-company", shared_in_company},
	{"shared-unconfirmed", shared_unconfirmed},
	{"shared-gate", shared_gate},
	{"shared-by-wall", shared_by_wall},
	{"shuffled-that-wait", shuffled_that_wait},
	{"auto-of-threads", auto_of_threads},
	{"auto-tries", auto_tries},
	{"auto-at-once", auto_at_once},
	{"auto-by-rule", auto_by_rule},
	{"auto-on-one-cpu", auto_on_one_cpu},
	{"solo-of-two", solo_of_two},
	{"solo-out-of-time", solo_out_of_time},
	{"solo-fixed", solo_fixed},
	{"gate-broken", gate_broken},
	{"gate-held", gate_held},
	{"gate-open", gate_open},
	{"gate-of-a-fixed-count", gate_of_a_fixed_count},
	{"verdict-asked-for", verdict_asked_for},
	{"precision-of-two", precision_of_two},
	{"fixed-few", fixed_few},
	{"fixed-three", fixed_three},
	{"fixed-many", fixed_many},
	{"fixed-beside-time", fixed_beside_time},
	{"two-fail", two_fail},
	{"two-fail-at-once", two_fail_at_once},
	{"two-fail-and-go-on", two_fail_and_go_on},
	{"two-fail-unpaired", two_fail_unpaired},
	{"two-hang-and-go-on", two_hang_and_go_on},
	{"two-interrupted", two_interrupted},
	{"two-interrupted-early", two_interrupted_early},
	{"two-interrupted-while-trying", two_interrupted_while_trying},
	{"two-by-a-rate", two_by_a_rate},
	{"two-by-coarse-numbers", two_by_coarse_numbers},
	{"two-same-text", two_same_text},
	{"three-shuffled", three_shuffled},
	{"three-with-a-reference", three_with_a_reference},
	{"three-in-a-duet", three_in_a_duet},
	{"append-interrupted", append_interrupted},
	{"append-to-a-count", append_to_a_count},
	{"append-nothing", append_nothing},
	{"append-to-one", append_to_one},
	{"append-to-other-commands", append_to_other_commands},
	{"append-in-another-design", append_in_another_design},
	{"rank-three", rank_three},
	{"rank-by-means", rank_by_means},
	{"rank-with-earlier", rank_with_earlier},
	{"rank-one-with-earlier", rank_one_with_earlier},
	{"readings-quick", readings_quick},
	{"readings-normal", readings_normal},
	{"readings-equal", readings_equal},
	{"readings-of-two-indices", readings_of_two_indices},
	{"readings-out-of-time", readings_out_of_time},
	{"unit-readings", unit_readings},
	{"unit-readings-and-overhead", unit_readings_and_overhead},
	{"unit-readings-gone-on-with", unit_readings_gone_on_with},
	{"work-line", work_line},
	{"work-of-two", work_of_two},
	{"work-curved", work_curved},
	{"work-fixed", work_fixed},
	{"work-out-of-time", work_out_of_time},
	{"work-of-units", work_of_units},
	{"work-that-fails", work_that_fails},
	{"work-interrupted", work_interrupted},
	{"work-by-rss", work_by_rss},
	{"bench-one", bench_one},
	{"bench-precision", bench_precision},
	{"bench-fixed", bench_fixed},
	{"bench-short-look", bench_short_look},
	{"bench-never-warm", bench_never_warm},
	{"bench-turns", bench_turns},
	{"bench-same", bench_same},
	{"bench-duet", bench_duet},
	{"bench-shuffled", bench_shuffled},
	{"bench-shared", bench_shared},
	{"bench-solo", bench_solo},
	{"bench-three", bench_three},
	{"bench-gate", bench_gate},
	{"bench-of-threads", bench_of_threads},
	{"bench-that-waits", bench_that_waits},
	{"bench-by-own-metric", bench_by_own_metric},
	{"bench-without-the-metric", bench_without_the_metric},
	{"bench-with-an-index", bench_with_an_index},
	{"bench-cv", bench_cv},
	{"bench-rciw", bench_rciw},
	{"bench-kld", bench_kld},
	{"bench-cv-of-two", bench_cv_of_two},
	{"bench-cv-in-a-duet", bench_cv_in_a_duet},
	{"bench-cv-of-units", bench_cv_of_units},
	{"bench-never-stable", bench_never_stable},
	{"bench-told-by-the-program", bench_told_by_the_program},
	{"bench-some", bench_some},
	{"bench-none", bench_none},
	{"bench-missing", bench_missing},
	{"bench-crashes", bench_crashes},
	{"bench-crashes-and-goes-on", bench_crashes_and_goes_on},
	{"bench-hangs", bench_hangs},
	{"bench-skips", bench_skips},
	{"bench-leaves-processes", bench_leaves_processes},
	{"bench-set-up-fails", bench_set_up_fails},
	{"bench-interrupted", bench_interrupted},
	{"bench-interrupted-at-first", bench_interrupted_at_first},
	{"bench-by-plan", bench_by_plan},
	{"bench-first-of-a-plan", bench_first_of_a_plan},
	{"bench-of-long-iterations", bench_of_long_iterations},
	{"bench-dry-run", bench_dry_run},
	{"bench-list", bench_list},
	{"guests-shared", guests_shared},
	{"guests-unconfirmed", guests_unconfirmed},
	{"guests-shuffled", guests_shuffled},
	{"guests-one", guests_one},
	{"guests-crash", guests_crash},
	{"guests-cv", guests_cv},
	{"guests-solo", guests_solo},
	{"guests-cv-of-one", guests_cv_of_one},
	{"guests-out-of-time", guests_out_of_time},
	{"guests-dry-run", guests_dry_run},
	{"dry-run", dry_run},
	{"dry-run-fixed", dry_run_fixed},
	{"dry-run-of-work", dry_run_of_work},
	{"calibration", calibration},
	{"calibration-by-pairs", calibration_by_pairs},
	{"calibration-interrupted", calibration_interrupted},
	{"builds-of-two", builds_of_two},
	{"builds-until-precise", builds_until_precise},
	{"builds-out-of-time", builds_out_of_time},
	{"build-that-fails", build_that_fails},
	{"builds-interrupted", builds_interrupted},
	{"builds-of-one", builds_of_one},
	{"builds-of-a-suite", builds_of_a_suite},
	{"library-readings", library_readings_session},
	{"library-units", library_units_session},
	{"library-work", library_work_session},
	{"library-work-of-units", library_work_of_units_session},
	{"library-limit", library_limit_session},
	{"library-failure", library_failure_session},
	{"library-by-hand", library_by_hand_session},
	{"library-overhead", library_overhead_session},
};

const size_t golden_case_count = sizeof(golden_cases) / sizeof(golden_cases[0]);
