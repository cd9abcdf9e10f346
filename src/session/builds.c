/* The instrument of builds: a round makes a build of every tree and measures it by a session of its own, with another
 * instrument. The results are joined to one with the build as its outermost level. */
#include "session/builds.h"

#include "analysis/joined.h"
#include "base/memory.h"
#include "decide/plan.h"
#include "host/binary.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_BUILDS = 2, MOST_BUILDS = 1000 };

#define CLEAN_FIRST "the build may have nothing to do; clean the folder first, or --build 'make clean && make'"

struct building {
	struct builds *use;
	const struct instrument *instrument; /* of what is inside */
	struct tool tool;
	struct spawner *spawner; /* of our own, where nobody else has one */
	bool quiet, already_built;
	uint64_t seeds[COPIES_MOST];
	double seconds[COPIES_MOST];
	struct joined joined;
	struct experiment_subject *subjects; /* as in the copies */
	const char *metric;                  /* that the first build was judged by */
	bool until_precise;                  /* builds are added until the interval is narrow enough */
	struct estimate *estimates;          /* over builds: of each comparison's ratio, or of each subject */
	size_t estimate_count;
};

/* ---- one build ---- */

/* ns that are left of the time that the user gave, at least one; 0: none was given. */
static int64_t time_left(const struct session *session)
{
	const struct experiment *e = session->experiment;
	if (!e->max_time_given)
		return 0;
	int64_t left = session->started + e->max_time - session_now(session);
	return left > 1 ? left : 1;
}

static int build_failed(const struct session *session, size_t build, size_t tree, const struct buffer *log,
                        struct error *err)
{
	const struct building *building = session->building;
	const struct builds *use = building->use;
	char why[sizeof(err->what)];
	if (err->kind != ERROR_SUBJECT)
		return -1;
	memcpy(why, err->what, sizeof(why));
	if (use->print)
		use->print(log);
	error_set(err, ERROR_SUBJECT, "build %zu of %zu failed: %.60s (TARE_BUILD_SEED=%llu, in %.80s)", build + 1,
	          use->count, why, (unsigned long long)building->seeds[tree], use->trees[tree].source);
	error_on(err, "%.300s", use->trees[tree].command);
	if (time_left(session) == 1)
		return error_next(err, "that was all of --max-time; without one the time of builds is not counted");
	return error_next(err, log->length ? "its last lines are above" : "it printed nothing");
}

/* A folder that was built before is copied as it is, and the build may find nothing to do. */
static void note_already_built(struct session *session, size_t tree)
{
	struct building *building = session->building;
	const char *copy = building->use->copies.places[tree];
	char path[8192];
	for (size_t s = 0; s < session->sides && !session->experiment->shell; s++) {
		struct experiment_subject *who = &building->subjects[s];
		who->directory = copy;
		if (building->use->tree_of[s] != tree || source_program(who, path, sizeof(path), NULL) != 0 ||
		    strncmp(path, copy, strlen(copy)) != 0 || session->host.sys->access(path, X_OK) != 0)
			continue;
		building->already_built = true;
		session_say(session, "%.200s is already built in %.200s: " CLEAN_FIRST, who->command,
		            building->use->trees[tree].source);
		return;
	}
}

static int make_build(struct session *session, size_t build, struct error *err)
{
	struct building *building = session->building;
	struct builds *use = building->use;
	struct tool builder = {building->tool.spawner, building->tool.cancel, use->timeout};
	int status = 0;
	for (size_t t = 0; t < use->tree_count && status == 0; t++) {
		struct buffer log = {0};
		int64_t left = time_left(session);
		if (left && (!use->timeout || left < use->timeout))
			builder.timeout = left;
		building->seeds[t] = builds_seed(session->experiment->seed, build, t);
		status = copies_make(&use->copies, &building->tool, t, use->trees[t].source, err);
		if (status == 0 && build == 0)
			note_already_built(session, t);
		int64_t before = session_now(session);
		if (status == 0 &&
		    copies_build(&use->copies, &builder, t, use->trees[t].command, building->seeds[t], &log, err) != 0)
			status = build_failed(session, build, t, &log, err);
		building->seconds[t] = (double)(session_now(session) - before) / 1e9;
		buffer_release(&log);
	}
	for (size_t s = 0; s < session->sides; s++)
		building->subjects[s].directory = use->copies.places[use->tree_of[s]];
	return status;
}

/* A build that leaves nothing to run is named as that, not as a run that failed. */
static int check_programs(const struct session *session, size_t build, struct error *err)
{
	const struct building *building = session->building;
	char path[8192];
	for (size_t s = 0; s < session->sides && !session->experiment->shell; s++) {
		const struct experiment_subject *who = &building->subjects[s];
		if (source_program(who, path, sizeof(path), NULL) == 0 && session->host.sys->access(path, X_OK) == 0)
			continue;
		error_set(err, ERROR_SUBJECT, "after build %zu there is no such program", build + 1);
		error_on(err, "%.300s", who->command);
		return error_next(err, "the build must leave it at that path, as seen from %.120s",
		                  building->use->trees[building->use->tree_of[s]].source);
	}
	return 0;
}

static int describe_build(const struct session *session, struct result *one, struct error *err)
{
	const struct building *building = session->building;
	for (size_t i = 0; i < one->subject_count; i++) {
		size_t side = result_side(one, i) < session->sides ? result_side(one, i) : 0;
		struct binary binary = {.hash = ""};
		char path[8192];
		if (source_program(&building->subjects[side], path, sizeof(path), NULL) == 0)
			binary_describe(&session->host, path, &binary);
		size_t tree = building->use->tree_of[side];
		struct build_made made = {building->seeds[tree], building->seconds[tree], binary.build_id, binary.hash};
		if (result_add_build(one, &one->subjects[i], &made) != 0)
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

static void note_same_binaries(struct result *result, bool already_built)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (all_the_same(&result->subjects[i]))
			result_about_warn(result, "same-binary", result->subjects[i].name, SAME_BINARY "; %s",
			                  already_built ? "the folder was already built: " CLEAN_FIRST : SAME_BINARY_NEXT);
}

/* Said at once, not after the tenth build. */
static void note_second_build(struct session *session)
{
	const struct building *building = session->building;
	const struct result *result = session->result;
	for (size_t i = 0; i < result->subject_count && building->joined.builds == 2; i++)
		if (all_the_same(&result->subjects[i])) {
			session_say(session, "%.100s: both builds gave the same program; " SAME_BINARY_NEXT,
			            result->subjects[i].name);
			return;
		}
}

static double alpha_of(const struct session *session)
{
	return session->building->joined.couple_count > 0 ? session_alpha(session) : session_alpha_one(session);
}

static int conclude_builds(struct session *session, struct error *err)
{
	struct building *building = session->building;
	const struct experiment *e = session->experiment;
	struct analysis_options options = analysis_options_of(e);
	options.seed = e->seed;
	options.skip = SKIP_AS_SET;
	options.deciding = building->metric;
	if (building->estimates)
		options.looking = LOOKED_FOR_PRECISION;
	if (joined_conclude(&building->joined, &options, err) != 0 ||
	    (e->plan && plan_check(e->plan, session->result, err) != 0))
		return -1;
	note_same_binaries(session->result, building->already_built);
	return 0;
}

/* ---- narrow enough? ---- */

/* The mean of one build, by what the subject is judged by; NaN: there is none. */
static double mean_of_build(const struct building *building, const struct subject *subject)
{
	const char *name = subject->metric    ? subject->metric
	                   : building->metric ? building->metric
	                                      : metric_of(METRIC_WALL).name;
	const struct measurement *m = subject_find_metric(subject, name);
	double sum = 0;
	size_t n = 0;
	for (size_t run = 0; m && run < m->series.groups[0]; run++)
		for (size_t i = m->series.starts[0][run] + measurement_skip(m, run); i < m->series.starts[0][run + 1]; i++)
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

static int look(struct session *session, struct question *question, struct error *err)
{
	const struct building *building = session->building;
	bool precise = building->until_precise && building->estimate_count > 0;
	(void)err;
	session->checks++;
	for (size_t i = 0; i < building->estimate_count && precise; i++)
		precise = estimate_is_precise(&building->estimates[i], alpha_of(session), session->experiment->precision,
		                              BUILDS_USUAL);
	if (precise)
		question->end = SESSION_PRECISE;
	return 0;
}

static const struct rule rule_builds = {.look = look};

/* ---- a round ---- */

/* The same for every build: a fixed number of runs, and what the first build has found out. */
static struct experiment inner_experiment(const struct session *session, size_t build)
{
	const struct building *building = session->building;
	struct experiment inner = *session->experiment;
	inner.subjects = building->subjects;
	inner.stop = STOP_FIXED;
	inner.runs = builds_runs(session->experiment);
	inner.plan = NULL;
	inner.min_runs = inner.max_runs = 0;
	/* The first build leaves as much for another. */
	int64_t others = build == 0 ? inner.max_time / LEAST_BUILDS : 0, left = time_left(session);
	inner.max_time = left > others + 1 ? left - others : left ? 1 : 0;
	inner.gate = NAN;
	inner.seed += build;
	if (building->joined.builds > 0) {
		inner.design = session->result->design.name;
		if (building->metric && inner.metric_count == 0) {
			inner.metrics = (const char **)(uintptr_t)&building->metric;
			inner.metric_count = 1;
		}
	}
	return inner;
}

/* A run of a build is there: all builds with it are handed on as one result, so that nothing is lost should tare be
 * killed. */
static void build_round(void *context, const struct result *one, bool more)
{
	const struct session *session = context;
	const struct session_observer *observer = session->observer;
	struct result so_far;
	struct error err;
	bool ran_out = mem_ran_out();
	if (joined_preview(&session->building->joined, one, &so_far, &err) == 0) {
		observer->round(observer->round_context, &so_far, more);
		result_release(&so_far);
	} else if (!ran_out) {
		mem_forget_ran_out(); /* it is saved with the next run */
	}
}

static int measure_build(struct session *session, size_t build, struct error *err)
{
	struct building *building = session->building;
	struct session_observer observer = session->observer ? *session->observer : (struct session_observer){0};
	struct experiment inner = inner_experiment(session, build);
	if (!building->instrument->needs_spawner)
		inner.timeout = session_iteration_limit(session->experiment); /* a build has no time of its own */
	struct result one;
	struct error later;
	observer.round_context = session;
	observer.round = observer.round ? build_round : NULL;
	result_init(&one);
	bool misses = false;
	int status = session_run(building->instrument, &inner, building->tool.spawner, building->tool.cancel, &observer,
	                         &one, &misses, err);
	session->missing |= misses;
	bool samples = result_has_samples(&one);
	if (samples && describe_build(session, &one, status == 0 ? err : &later) != 0)
		status = -1;
	if (!building->metric && building->instrument->needs_spawner && one.comparison_count > 0)
		building->metric = arena_strdup(&building->use->arena, one.comparisons[0].metric);
	if (samples && status == 0 && feed_estimates(building, &one, err) != 0)
		status = -1;
	if (samples && joined_add(&building->joined, &one, status == 0 ? err : &later) != 0)
		status = -1;
	if (one.arena.chunks)
		result_release(&one);
	return status;
}

/* The time that a plan was made for is filled with builds. */
static bool follows_budget(const struct experiment *experiment)
{
	return experiment->plan && isfinite(experiment->plan->budget) && experiment->stop == STOP_FIXED &&
	       !experiment->stop_given && !experiment->runs;
}

/* ---- the instrument ---- */

static int open_builds(struct session *session, struct error *err)
{
	struct building *building = session->building;
	const struct experiment *e = session->experiment;
	struct builds *use = building->use;
	if (builds_plan(use, e, use->command, err) != 0 || session_add_questions(session, 1, 0, err) != 0)
		return -1;
	session->budget = e->max_time ? session->budget : INFINITY;
	building->until_precise = e->stop == STOP_PRECISION;
	if ((building->until_precise || follows_budget(e)) && !use->given)
		use->count = MOST_BUILDS;
	session->questions[0].rule = building->until_precise ? &rule_builds : NULL;
	session->questions[0].max_runs = use->count;
	session->questions[0].unbound = e->max_time_given ? 1 : LEAST_BUILDS;
	building->spawner = session->spawner ? NULL : spawner_open(&session->host, err);
	building->tool = (struct tool){session->spawner ? session->spawner : building->spawner, session->cancel, 0};
	building->subjects = arena_alloc(&use->arena, e->subject_count, sizeof(*building->subjects));
	if (!building->tool.spawner)
		return -1;
	if (!building->subjects)
		return error_memory(err);
	memcpy(building->subjects, e->subjects, e->subject_count * sizeof(*building->subjects));
	return copies_open(&use->copies, &session->host, use->keep, err);
}

static void tell_times(struct session *session, size_t build)
{
	const struct building *building = session->building;
	char took[FORMAT_MAX], all[FORMAT_MAX];
	double elapsed = session_elapsed(session) * 1e9;
	if (building->quiet || build != 1 || building->use->count == MOST_BUILDS)
		return;
	session_say(session, "a build and its runs take %s: %zu of them about %s (--builds, --runs, --max-time)",
	            format_duration(took, sizeof(took), (int64_t)elapsed), building->use->count,
	            format_duration(all, sizeof(all), (int64_t)(elapsed * (double)building->use->count)));
}

static int build_and_measure(struct session *session, struct question *question, struct error *err)
{
	struct building *building = session->building;
	size_t build = question->runs;
	if (make_build(session, build, err) != 0 || check_programs(session, build, err) != 0 ||
	    measure_build(session, build, err) != 0) {
		session->cut_off = time_left(session) == 1;
		return -1;
	}
	for (size_t t = 0; t < building->use->tree_count; t++)
		if (copies_put_away(&building->use->copies, &building->tool, t, build, err) != 0)
			return -1;
	question->runs++;
	tell_times(session, question->runs);
	note_second_build(session);
	return ROUND_KEPT;
}

static void took(struct session *session, struct question *question, double seconds)
{
	(void)seconds;
	question->unit_time = session_elapsed(session) / (double)question->runs;
}

/* Where the time was over before there were so many as were asked for. */
static int end(struct session *session, int status, struct error *err)
{
	const struct building *building = session->building;
	char limit[FORMAT_MAX], asked[32] = "";
	if (status != 0)
		return 0;
	if (building->joined.builds == 0)
		return error_set(err, ERROR_NO_DATA, "no build has given a value");
	if (session->questions[0].end != SESSION_GO_ON)
		return 0;
	if (building->use->count < MOST_BUILDS)
		snprintf(asked, sizeof(asked), "of %zu ", building->use->count);
	session_say(session, "%zu %sbuild%s into %s (--max-time)", session->questions[0].runs, asked,
	            session->questions[0].runs > 1 ? "s fit"
	            : asked[0]                     ? "s fits"
	                                           : " fits",
	            format_duration(limit, sizeof(limit), session->experiment->max_time));
	return 0;
}

static int finish(struct session *session, int status, struct error *err)
{
	const struct building *building = session->building;
	struct stopped *stopped = &session->result->stopped;
	char text[2200];
	(void)err;
	session->result->elapsed = session_elapsed(session);
	stopped->rule = building->estimates ? "precision" : "fixed";
	stopped->looks = looking_name(building->estimates ? LOOKED_FOR_PRECISION : LOOKED_ONCE);
	stopped->alpha = alpha_of(session);
	stopped->metric = building->metric ? arena_strdup(&session->result->arena, building->metric) : NULL;
	snprintf(text, sizeof(text), "the builds are kept in %s", building->use->copies.folder);
	if (building->use->note && building->use->keep && building->use->copies.folder[0] && !building->quiet)
		building->use->note(text);
	return status;
}

static void close_builds(struct session *session)
{
	copies_close(&session->building->use->copies);
	spawner_close(session->building->spawner);
}

static const struct instrument instrument_builds = {
	.nested = true,
	.open = open_builds,
	.round = build_and_measure,
	.took = took,
	.end = end,
	.conclude = conclude_builds,
	.finish = finish,
	.close = close_builds,
};

int session_run_builds(struct builds *builds, const struct instrument *instrument, const struct experiment *experiment,
                       struct spawner *spawner, int cancel, const struct session_observer *observer, bool quiet,
                       struct result *out, bool *missing, struct error *err)
{
	struct building building = {.use = builds,
	                            .instrument = instrument,
	                            .quiet = quiet,
	                            .joined = {.result = out, .ordered = instrument->needs_spawner}};
	struct session session = {.experiment = experiment,
	                          .instrument = &instrument_builds,
	                          .observer = observer,
	                          .result = out,
	                          .spawner = spawner,
	                          .cancel = cancel,
	                          .building = &building};
	return session_play(&session, missing, err);
}
