#include "cli/builds_use.h"

#include "analysis/joined.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/random.h"
#include "decide/estimate.h"
#include "decide/plan.h"
#include "cli/message.h"
#include "host/binary.h"
#include "host/clock.h"
#include "model/level.h"
#include "model/plan.h"
#include "session/bench.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_BUILDS = 10, USUAL_RUNS = 5, LEAST_BUILDS = 2, MOST_BUILDS = 1000 };

/* ---- what is asked for ---- */

static int bad_level(const char *word, size_t length, const char *next, struct error *err)
{
	error_set(err, ERROR_USAGE, "'%.*s' cannot be repeated here", (int)(length < 40 ? length : 40), word);
	error_on(err, "--levels");
	return error_next(err, "%s", next);
}

int builds_use_read(struct builds_use *use, const struct builds_options *options, struct error *err)
{
	for (const char *at = options->levels; at && *at;) {
		size_t length = strcspn(at, ",");
		char name[16] = "";
		if (length < sizeof(name))
			memcpy(name, at, length);
		enum level level = level_by_name(name);
		if (level == LEVEL_COUNT)
			return bad_level(at, length, "the levels are build, run, iteration and invocation", err);
		if (level == LEVEL_MACHINE)
			return bad_level(at, length, "join results of several machines: tare analyze FILE…", err);
		use->wanted |= level == LEVEL_BUILD;
		at += length + (at[length] == ',');
	}
	use->count = options->builds ? (size_t)options->builds : USUAL_BUILDS;
	use->given = options->builds > 0;
	use->keep = options->keep;
	use->wanted |= options->builds > 0;
	if (!use->wanted && options->keep) {
		error_set(err, ERROR_USAGE, "--keep-builds without builds to repeat");
		return error_next(err, "add --levels build,run");
	}
	return 0;
}

/* ---- trees ---- */

static const char *absolute(struct arena *arena, const char *path, struct error *err)
{
	char whole[PATH_MAX];
	if (!realpath(path ? path : ".", whole)) {
		error_set(err, ERROR_USAGE, "there is no such folder");
		error_on(err, "%s", path ? path : ".");
		return NULL;
	}
	const char *copy = arena_strdup(arena, whole);
	if (!copy)
		error_memory(err);
	return copy;
}

static size_t find_tree(const struct builds_use *use, const struct build_tree *like)
{
	size_t i = 0;
	while (i < use->tree_count &&
	       (use->trees[i].suite != like->suite || strcmp(use->trees[i].source, like->source) != 0 ||
	        strcmp(use->trees[i].command, like->command) != 0))
		i++;
	return i;
}

int builds_use_plan(struct builds_use *use, const struct experiment *experiment, const char *command, struct error *err)
{
	if (experiment->min_runs_given || experiment->max_runs || experiment->stop == STOP_VERDICT ||
	    experiment->stop == STOP_STABLE) {
		error_set(err, ERROR_USAGE,
		          "with builds every build has the same number of runs, and no rule of its own to stop");
		return error_next(err, "-r N says how many runs; --builds N or --stop precision how many builds");
	}
	use->command = command;
	use->tree_count = 0;
	use->trees = arena_alloc(&use->arena, experiment->subject_count, sizeof(*use->trees));
	use->tree_of = arena_alloc(&use->arena, experiment->subject_count, sizeof(*use->tree_of));
	if (!use->trees || !use->tree_of)
		return error_memory(err);
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct experiment_subject *subject = &experiment->subjects[i];
		struct build_tree tree = {.source = absolute(&use->arena, subject->directory, err),
		                          .command = subject->build ? subject->build : command,
		                          .suite = subject->origin};
		if (!tree.source)
			return -1;
		if (!tree.command) {
			error_set(err, ERROR_USAGE, "how is it built?");
			error_on(err, "%s", subject->name);
			return error_next(err, "--build 'make -j2' says so; in a suite file the key 'build'");
		}
		size_t found = find_tree(use, &tree);
		if (found == COPIES_MOST)
			return error_set(err, ERROR_USAGE, "more than %d source trees to build", COPIES_MOST);
		use->trees[found] = tree;
		use->tree_count += found == use->tree_count;
		use->tree_of[i] = found;
	}
	return 0;
}

/* ---- one build ---- */

struct building {
	struct builds_use *use;
	const struct experiment *experiment;
	const struct session_observer *observer;
	struct tool tool;
	struct host host;
	bool quiet;
	uint64_t seeds[COPIES_MOST];
	double seconds[COPIES_MOST];
	struct joined joined;
	struct experiment_subject *subjects; /* as in the copies */
	const char *metric;                  /* that the first build was judged by */
	bool until_precise;                  /* builds are added until the interval is narrow enough */
	struct estimate *estimates;          /* over builds: of each comparison's ratio, or of each subject */
	size_t estimate_count;
};

static void say(const struct building *building, const char *text)
{
	if (building->observer && building->observer->note)
		building->observer->note(building->observer->context, text);
}

/* Another number for every build of every tree, from the seed of the experiment; small enough to be typed. */
static uint64_t seed_of(uint64_t seed, size_t build, size_t tree)
{
	struct random random;
	random_seed(&random, seed ^ (0x9e3779b97f4a7c15 * (build * COPIES_MOST + tree + 1)));
	return random_next(&random) >> 33;
}

static int build_failed(const struct building *building, size_t build, size_t tree, const struct buffer *log,
                        struct error *err)
{
	const struct builds_use *use = building->use;
	struct error ignored;
	char why[sizeof(err->what)];
	if (err->kind != ERROR_SUBJECT)
		return -1;
	memcpy(why, err->what, sizeof(why));
	message_print_error_stream(log, &ignored);
	error_set(err, ERROR_SUBJECT, "build %zu of %zu failed: %.60s (TARE_BUILD_SEED=%llu, in %.80s)", build + 1,
	          use->count, why, (unsigned long long)building->seeds[tree], use->trees[tree].source);
	error_on(err, "%.300s", use->trees[tree].command);
	return error_next(err, log->length ? "its last lines are above" : "it printed nothing");
}

static int make_build(struct building *building, size_t build, struct error *err)
{
	struct builds_use *use = building->use;
	int status = 0;
	for (size_t t = 0; t < use->tree_count && status == 0; t++) {
		struct buffer log = {0};
		building->seeds[t] = seed_of(building->experiment->seed, build, t);
		status = copies_make(&use->copies, &building->tool, t, use->trees[t].source, err);
		int64_t before = clock_now(&building->host);
		if (status == 0 &&
		    copies_build(&use->copies, &building->tool, t, use->trees[t].command, building->seeds[t], &log, err) != 0)
			status = build_failed(building, build, t, &log, err);
		building->seconds[t] = (double)(clock_now(&building->host) - before) / 1e9;
		buffer_release(&log);
	}
	for (size_t s = 0; s < building->experiment->subject_count; s++)
		building->subjects[s].directory = use->copies.places[use->tree_of[s]];
	return status;
}

/* A build that leaves nothing to run is named as that, not as a run that failed. */
static int check_programs(const struct building *building, size_t build, struct error *err)
{
	char path[8192];
	for (size_t s = 0; s < building->experiment->subject_count && !building->experiment->shell; s++) {
		const struct experiment_subject *who = &building->subjects[s];
		if (session_find_program(who, path, sizeof(path), NULL) == 0 && building->host.sys->access(path, X_OK) == 0)
			continue;
		error_set(err, ERROR_SUBJECT, "after build %zu there is no such program", build + 1);
		error_on(err, "%.300s", who->command);
		return error_next(err, "the build must leave it at that path, as seen from %.120s",
		                  building->use->trees[building->use->tree_of[s]].source);
	}
	return 0;
}

static int describe_build(const struct building *building, struct result *one, struct error *err)
{
	for (size_t i = 0; i < one->subject_count; i++) {
		struct subject *subject = &one->subjects[i];
		size_t side = subject->letter                                             ? (size_t)(subject->letter[0] - 'A')
		              : building->experiment->subject_count == one->subject_count ? i
		                                                                          : 0;
		struct binary binary = {.hash = ""};
		char path[8192];
		if (side >= building->experiment->subject_count)
			side = 0;
		if (session_find_program(&building->subjects[side], path, sizeof(path), NULL) == 0)
			binary_describe(&building->host, path, &binary);
		size_t tree = building->use->tree_of[side];
		struct build_made made = {building->seeds[tree], building->seconds[tree], binary.build_id, binary.hash};
		if (result_add_build(one, subject, &made) != 0)
			return error_memory(err);
	}
	return 0;
}

/* ---- what all builds say ---- */

static bool all_the_same(const struct subject *subject)
{
	bool same = subject->build_count > 1 && subject->builds[0].hash[0];
	for (size_t i = 1; i < subject->build_count; i++)
		same = same && strcmp(subject->builds[i].hash, subject->builds[0].hash) == 0;
	return same;
}

#define SAME_BINARY      "every build gave the same program, so builds show no layout but their own chance"
#define SAME_BINARY_NEXT "let TARE_BUILD_SEED reach the compiler, for example --build \"make CC='tare cc -- gcc'\""

static int note_same_binaries(struct result *result, struct error *err)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (all_the_same(&result->subjects[i]) &&
		    result_about_warn(result, "same-binary", result->subjects[i].name, SAME_BINARY "; " SAME_BINARY_NEXT) != 0)
			return error_memory(err);
	return 0;
}

/* Said at once, not after the tenth build. */
static void note_second_build(const struct building *building)
{
	const struct result *result = building->joined.result;
	char text[400];
	for (size_t i = 0; i < result->subject_count && building->joined.builds == 2; i++)
		if (all_the_same(&result->subjects[i])) {
			snprintf(text, sizeof(text), "%.100s: both builds gave the same program; " SAME_BINARY_NEXT,
			         result->subjects[i].name);
			say(building, text);
			return;
		}
}

static int conclude(struct building *building, struct error *err)
{
	const struct experiment *e = building->experiment;
	struct result *result = building->joined.result;
	struct analysis_options options;
	analysis_options_init(&options);
	options.confidence = isnan(e->confidence) ? 0.99 : e->confidence;
	options.confidence_one = isnan(e->confidence) ? 0.95 : e->confidence;
	options.margin = e->margin;
	options.share_margin = e->share_margin;
	options.gate = e->gate;
	options.seed = e->seed;
	options.skip = SKIP_AS_SET;
	options.deciding = building->metric;
	if (building->estimates)
		options.looking = LOOKED_FOR_PRECISION;
	if (joined_conclude(&building->joined, &options, err) != 0)
		return -1;
	if (e->plan && plan_check(e->plan, result, err) != 0)
		return -1;
	return note_same_binaries(result, err);
}

/* ---- narrow enough? ---- */

/* The mean of one build, by what the subject is judged by; NaN: there is none. */
static double mean_of_build(const struct building *building, const struct subject *subject)
{
	const char *name = subject->metric ? subject->metric : building->metric ? building->metric : "wall";
	const struct measurement *m = subject_find_metric(subject, name);
	double sum = 0;
	size_t n = 0;
	for (size_t run = 0; m && run < m->series.groups[0]; run++)
		for (size_t i = m->series.starts[0][run] + m->skip; i < m->series.starts[0][run + 1]; i++)
			if (isfinite(m->series.values[i])) {
				sum += m->series.values[i];
				n++;
			}
	return n ? sum / (double)n : NAN;
}

static int feed_estimates(struct building *building, const struct result *one, struct error *err)
{
	size_t count = one->comparison_count ? one->comparison_count : one->subject_count;
	if (!building->until_precise)
		return 0;
	if (!building->estimates) {
		building->estimates = arena_alloc(&building->use->arena, count, sizeof(*building->estimates));
		building->estimate_count = count;
	}
	if (!building->estimates)
		return error_memory(err);
	/* A benchmark that was lost in one build leaves nothing to compare with: the count decides. */
	building->until_precise = count == building->estimate_count;
	for (size_t i = 0; i < count && building->until_precise; i++) {
		const struct comparison *c = one->comparison_count ? &one->comparisons[i] : NULL;
		double value = c ? mean_of_build(building, &one->subjects[c->new_]) /
		                       mean_of_build(building, &one->subjects[c->base])
		                 : mean_of_build(building, &one->subjects[i]);
		building->until_precise = isfinite(value);
		if (building->until_precise)
			estimate_add(&building->estimates[i], value);
	}
	return 0;
}

static double alpha_of(const struct building *building)
{
	double level = building->experiment->confidence;
	return 1 - (!isnan(level) ? level : building->joined.couple_count > 0 ? 0.99 : 0.95);
}

static bool is_precise(const struct building *building)
{
	const struct experiment *e = building->experiment;
	double alpha = alpha_of(building);
	if (!building->until_precise || building->estimate_count == 0)
		return false;
	for (size_t i = 0; i < building->estimate_count; i++)
		if (!estimate_is_precise(&building->estimates[i], alpha, e->precision, USUAL_BUILDS))
			return false;
	return true;
}

/* ---- the loop ---- */

/* Runs in every build: as asked for, as the plan says, or a few. */
static size_t runs_of(const struct experiment *experiment)
{
	size_t count = 0;
	for (size_t i = 0; experiment->plan && i < experiment->plan->subject_count; i++) {
		size_t planned = plan_count(&experiment->plan->subjects[i], LEVEL_RUN);
		count = planned > count ? planned : count;
	}
	return experiment->runs ? experiment->runs : count ? count : USUAL_RUNS;
}

/* The same for every build: a fixed number of runs, and what the first build has found out. */
static struct experiment inner_experiment(const struct building *building, size_t build)
{
	struct experiment inner = *building->experiment;
	inner.subjects = building->subjects;
	inner.stop = STOP_FIXED;
	inner.runs = runs_of(building->experiment);
	inner.plan = NULL;
	inner.min_runs = inner.max_runs = 0;
	inner.max_time = 0;
	inner.gate = NAN;
	inner.seed += build;
	if (building->joined.builds > 0) {
		inner.design = building->joined.result->design.name;
		if (building->metric && inner.metric_count == 0) {
			inner.metrics = (const char **)(uintptr_t)&building->metric;
			inner.metric_count = 1;
		}
	}
	return inner;
}

/* A run of a build is there: all builds with it are handed on as one result, so that nothing is lost should tare be
 * killed. */
static void build_round(void *context, const struct result *one)
{
	const struct building *building = context;
	const struct session_observer *observer = building->observer;
	struct result so_far;
	struct error err;
	bool ran_out = mem_ran_out();
	if (joined_preview(&building->joined, one, &so_far, &err) == 0) {
		observer->round(observer->round_context, &so_far);
		result_release(&so_far);
	} else if (!ran_out) {
		mem_forget_ran_out(); /* it is saved with the next run */
	}
}

static int measure_build(struct building *building, const struct measure_kind *kind, struct spawner *spawner,
                         int cancel, size_t build, bool *missing, struct error *err)
{
	struct session_observer observer = *building->observer;
	struct experiment inner = inner_experiment(building, build);
	if (!kind->needs_spawner)
		inner.timeout = bench_iteration_limit(building->experiment); /* a build has no time of its own */
	struct result one;
	struct error later;
	observer.round_context = building;
	observer.round = observer.round ? build_round : NULL;
	result_init(&one);
	bool misses = false;
	int status = kind->run(&inner, spawner, cancel, &observer, &one, &misses, err);
	*missing |= misses;
	const char *reason = status != 0 ? one.stopped.reason : NULL;
	bool samples = result_has_samples(&one);
	if (samples && describe_build(building, &one, status == 0 ? err : &later) != 0)
		status = -1;
	if (!building->metric && kind->needs_spawner && one.comparison_count > 0)
		building->metric = arena_strdup(&building->use->arena, one.comparisons[0].metric);
	if (samples && status == 0 && feed_estimates(building, &one, err) != 0)
		status = -1;
	if (samples && joined_add(&building->joined, &one, status == 0 ? err : &later) != 0)
		status = -1;
	if (reason)
		building->joined.result->stopped.reason = reason;
	if (one.arena.chunks)
		result_release(&one);
	return status;
}

/* Seconds that a build with its runs takes; before the first is known, 0. */
static bool is_time_over(const struct building *building, int64_t started, size_t build, char *text, size_t size)
{
	const struct experiment *e = building->experiment;
	char limit[FORMAT_MAX], asked[32] = "";
	double elapsed = (double)(clock_now(&building->host) - started), each = build ? elapsed / (double)build : 0;
	if (build < LEAST_BUILDS || !e->max_time || elapsed + each <= (double)e->max_time)
		return false;
	if (building->use->count < MOST_BUILDS)
		snprintf(asked, sizeof(asked), "of %zu ", building->use->count);
	snprintf(text, size, "%zu %sbuilds fit into %s (--max-time)", build, asked,
	         format_duration(limit, sizeof(limit), e->max_time));
	return true;
}

static void tell_progress(const struct building *building, int64_t started, size_t build)
{
	char text[200], took[FORMAT_MAX];
	double elapsed = (double)(clock_now(&building->host) - started);
	if (building->quiet || build != 1 || building->use->count == MOST_BUILDS)
		return;
	snprintf(text, sizeof(text), "a build and its runs take %s: %zu of them about %s (--builds, --runs, --max-time)",
	         format_duration(took, FORMAT_MAX, (int64_t)elapsed), building->use->count,
	         format_duration((char[FORMAT_MAX]){0}, FORMAT_MAX, (int64_t)(elapsed * (double)building->use->count)));
	say(building, text);
}

static int run_builds(struct building *building, const struct measure_kind *kind, struct spawner *spawner, int cancel,
                      bool *missing, struct error *err)
{
	struct builds_use *use = building->use;
	struct result *result = building->joined.result;
	int64_t started = clock_now(&building->host);
	int status = 0;
	char text[200];
	for (size_t build = 0; build < use->count && status == 0; build++) {
		if (is_time_over(building, started, build, text, sizeof(text))) {
			say(building, text);
			result->stopped.reason = "budget";
			break;
		}
		status = make_build(building, build, err);
		if (status == 0)
			status = check_programs(building, build, err);
		if (status == 0)
			status = measure_build(building, kind, spawner, cancel, build, missing, err);
		for (size_t t = 0; t < use->tree_count && status == 0; t++)
			status = copies_put_away(&use->copies, &building->tool, t, build, err);
		if (status == 0) {
			tell_progress(building, started, build + 1);
			note_second_build(building);
		}
		if (status == 0 && is_precise(building)) {
			result->stopped.reason = "precision";
			break;
		}
	}
	if (status != 0 && !result->stopped.reason)
		result->stopped.reason = err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	if (!result->stopped.reason)
		result->stopped.reason = "count";
	result->stopped.rule = building->estimates ? "precision" : "fixed";
	result->stopped.looks = building->estimates ? "precision" : "once";
	result->stopped.alpha = alpha_of(building);
	result->stopped.metric = building->metric ? arena_strdup(&result->arena, building->metric) : NULL;
	result->elapsed = (double)(clock_now(&building->host) - started) / 1e9;
	return status;
}

/* The time that a plan was made for is filled with builds. */
static bool follows_budget(const struct experiment *experiment)
{
	return experiment->plan && isfinite(experiment->plan->budget) && experiment->stop == STOP_FIXED &&
	       !experiment->stop_given && !experiment->runs;
}

int builds_use_run(struct builds_use *use, const struct measure_kind *kind, const struct experiment *experiment,
                   struct spawner *spawner, int cancel, const struct session_observer *observer, bool quiet,
                   struct result *result, bool *missing, struct error *err)
{
	struct building building = {.use = use,
	                            .experiment = experiment,
	                            .observer = observer,
	                            .host = host_real(),
	                            .quiet = quiet,
	                            .joined = {.result = result, .ordered = kind->needs_spawner}};
	struct error later;
	if (builds_use_plan(use, experiment, use->command, err) != 0)
		return -1;
	building.until_precise = experiment->stop == STOP_PRECISION;
	if ((building.until_precise || follows_budget(experiment)) && !use->given)
		use->count = MOST_BUILDS;
	use->spawner = spawner ? NULL : spawner_open(&building.host, err);
	building.tool = (struct tool){spawner ? spawner : use->spawner, cancel};
	building.subjects = arena_alloc(&use->arena, experiment->subject_count, sizeof(*building.subjects));
	if (!building.tool.spawner)
		return -1;
	if (!building.subjects)
		return error_memory(err);
	memcpy(building.subjects, experiment->subjects, experiment->subject_count * sizeof(*building.subjects));
	if (copies_open(&use->copies, &building.host, use->keep, err) != 0)
		return -1;
	int status = run_builds(&building, kind, spawner, cancel, missing, err);
	if (status == 0 && building.joined.builds == 0)
		status = error_set(err, ERROR_NO_DATA, "no build has given a value");
	if (building.joined.builds > 0 && conclude(&building, status == 0 ? err : &later) != 0)
		status = -1;
	if (use->keep && !quiet)
		message_note("the builds are kept in %s", use->copies.folder);
	copies_close(&use->copies);
	spawner_close(use->spawner);
	use->spawner = NULL;
	return status;
}

void builds_use_describe(const struct builds_use *use, const struct experiment *experiment, struct buffer *out)
{
	size_t runs = runs_of(experiment);
	buffer_printf(out, "%zu builds, %zu runs of each command in every one\n", use->count, runs);
	for (size_t t = 0; t < use->tree_count; t++) {
		buffer_printf(out, "  %s: %s\n   ", use->trees[t].source, use->trees[t].command);
		for (size_t s = 0; s < experiment->subject_count; s++)
			if (use->tree_of[s] == t)
				buffer_printf(out, " %s", experiment->subjects[s].name);
		buffer_text_add(out, "\n    seeds");
		for (size_t build = 0; build < use->count && build < 8; build++)
			buffer_printf(out, " %llu", (unsigned long long)seed_of(experiment->seed, build, t));
		buffer_text_add(out, use->count > 8 ? " \xe2\x80\xa6\n" : "\n");
	}
}

void builds_use_release(struct builds_use *use)
{
	copies_close(&use->copies);
	spawner_close(use->spawner);
	arena_release(&use->arena);
	memset(use, 0, sizeof(*use));
}
