#include "session/bench.h"

#include "base/format.h"
#include "base/memory.h"
#include "decide/allotment.h"
#include "session/bench_state.h"
#include "session/rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum level bench_levels[] = {LEVEL_RUN, LEVEL_ITERATION};

double bench_elapsed(const struct bench_session *session)
{
	return (double)(bench_source_now(session->source) - session->started) / 1e9;
}

void bench_say(struct bench_session *session, const char *text)
{
	if (session->observer && session->observer->note)
		session->observer->note(session->observer->context, text);
}

/* What is known of the benchmark that was measured last. */
static void add_estimate(const struct bench_session *session, const struct benchmark *b, struct session_progress *now)
{
	now->subject = b->name;
	now->runs = b->runs;
	now->unit = "s";
	if (session->jury.count == 0) {
		if (b->rule)
			estimate_now(auto_rule_estimate(b->rule), bench_alpha(session), &now->estimate, &now->low, &now->high);
		return;
	}
	const struct verdict_numbers *n = &session->jury.numbers[(size_t)(b - session->benchmarks) * (session->sides - 1)];
	const struct verdict_part *part = n->typical.used ? &n->typical : &n->total;
	now->is_ratio = true;
	now->pairs = n->pairs;
	if (n->units < 2)
		return;
	now->estimate = part->estimate;
	now->low = part->unbounded ? NAN : part->interval.low;
	now->high = part->unbounded ? NAN : part->interval.high;
}

void bench_tell(struct bench_session *session, const char *phase, const struct benchmark *benchmark)
{
	if (!session->observer || !session->observer->progress)
		return;
	double budget = bench_is_bound_by_time(session) ? session->budget : INFINITY;
	struct session_progress now = {.phase = phase,
	                               .elapsed = bench_elapsed(session),
	                               .budget = budget,
	                               .estimate = NAN,
	                               .low = NAN,
	                               .high = NAN,
	                               .left = NAN,
	                               .asked = session->count};
	for (size_t i = 0; i < session->count; i++)
		now.done += session->benchmarks[i].stage != BENCH_OPEN;
	if (benchmark && benchmark->fed > 0)
		add_estimate(session, benchmark, &now);
	session->observer->progress(session->observer->context, &now);
}

/* Processes of another framework: at once on one CPU where CPU time can be judged, else run by run. */
static int choose_for_guests(struct bench_session *session, const char **why, struct error *err)
{
	bool automatic = strcmp(session->experiment->design, "auto") == 0;
	bool can_share = session->sides == 2 && bench_guests_report_cpu(session);
	if (automatic) {
		session->design = session->sides == 1 ? DESIGN_SOLO : can_share ? DESIGN_SHARED : DESIGN_SHUFFLED;
		*why = session->sides == 1 ? "one program"
		       : can_share         ? "the framework reports CPU time: both programs at once on one CPU"
		                           : "the framework reports wall time: whole runs in random order";
		return 0;
	}
	if (session->design == DESIGN_SOLO || session->design == DESIGN_SHUFFLED ||
	    (session->design == DESIGN_SHARED && can_share))
		return 0;
	error_set(err, ERROR_USAGE, "%s cannot be done with suites of other frameworks%s", session->experiment->design,
	          session->design == DESIGN_SHARED ? " that report no CPU time, or with more than two programs" : "");
	error_on(err, "--design");
	return error_next(err, "their processes run at once on one CPU (shared) or in random order (shuffled)");
}

static int choose_design(struct bench_session *session, struct error *err)
{
	const char *name = session->experiment->design, *why = "asked for";
	struct design_info *info = &session->result->design;
	size_t count;
	const int *cpus = bench_source_cpus(session->source, &count);
	session->design = design_by_name(name);
	if (session->guests) {
		if (choose_for_guests(session, &why, err) != 0)
			return -1;
	} else if (strcmp(name, "auto") == 0) {
		session->design = session->sides > 1 ? DESIGN_TURNS : DESIGN_SOLO;
		why = session->sides > 1 ? "iterations of all sides side by side on one CPU" : "one program";
	} else if (session->design == DESIGN_SHARED ||
	           (session->design == DESIGN_DUET && (session->sides != 2 || count < 2))) {
		error_set(err, ERROR_USAGE, "%s cannot be done here: %s", name,
		          session->design == DESIGN_SHARED ? "benchmarks inside programs have iterations to take turns with"
		          : session->sides != 2            ? "it measures two programs at once"
		                                           : "it needs two CPUs");
		return error_on(err, "--design");
	}
	if (session->sides == 1)
		session->design = DESIGN_SOLO;
	bool paired = session->sides > 1 && session->design != DESIGN_SOLO;
	session->comparisons = paired ? session->count * (session->sides - 1) : 0;
	info->name = design_name(session->design);
	info->why = why;
	info->paired = paired;
	info->cpu_count = session->design == DESIGN_TURNS || session->design == DESIGN_SHARED ? count
	                  : session->design == DESIGN_DUET                                    ? 2
	                                                                                      : 0;
	info->cpus = arena_alloc(&session->result->arena, count + 1, sizeof(*info->cpus));
	if (!info->cpus)
		return error_memory(err);
	memcpy(info->cpus, cpus, count * sizeof(*cpus));
	memcpy(info->levels, bench_levels, sizeof(bench_levels));
	info->level_count = 2;
	return 0;
}

static int open_session(struct bench_session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->source = bench_source_new(e, session->cancel, err);
	if (!session->source)
		return -1;
	session->started = bench_source_now(session->source);
	session->sides = session->last = e->subject_count;
	random_stream(&session->random, e->seed, 1);
	session->result->seed = e->seed;
	session->result->name = e->name ? arena_strdup(&session->result->arena, e->name) : NULL;
	session->tables = mem_zalloc(session->sides, sizeof(*session->tables));
	if (!session->tables)
		return error_memory(err);
	if (bench_guests_open(session, err) != 0 || (!session->guests && bench_source_meet(session->source, err) != 0) ||
	    schedule_init(&session->schedule, session->sides, e->seed, err) != 0 || bench_match(session, err) != 0 ||
	    choose_design(session, err) != 0)
		return -1;
	session->allotments = mem_zalloc(session->count, sizeof(*session->allotments));
	session->chosen = mem_zalloc(session->count, sizeof(*session->chosen));
	return session->allotments && session->chosen ? 0 : error_memory(err);
}

static void close_session(struct bench_session *session)
{
	bench_turns_free(session);
	bench_guests_free(session);
	for (size_t s = 0; session->tables && s < session->sides; s++)
		mem_free(session->tables[s].values);
	mem_free(session->tables);
	mem_free(session->allotments);
	mem_free(session->chosen);
	for (size_t i = 0; i < session->count; i++) {
		bench_stable_free(session->benchmarks[i].stable, session->sides);
		auto_rule_free(session->benchmarks[i].rule);
	}
	mem_free(session->benchmarks);
	mem_free(session->orders);
	schedule_release(&session->schedule);
	jury_release(&session->jury);
	arena_release(&session->arena);
	watch_close(session->monitor);
	bench_source_free(session->source);
}

/* A judge for each side of each benchmark but the first, by what decides there. */
static int seat_jury(struct bench_session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct judge_options options = {
		.verdict = verdict_defaults(bench_alpha(session)), .has_order = true, .sides = session->design == DESIGN_DUET};
	if (session->comparisons == 0)
		return 0;
	options.verdict.margin = e->margin;
	options.verdict.share_margin = e->share_margin;
	options.verdict.least_units = verdict_first_look(options.verdict.alpha, session->comparisons);
	if (e->stop == STOP_PRECISION)
		options.verdict.rule = CRITICAL_PRECISION;
	if (jury_init(&session->jury, session->comparisons, &options, err) != 0)
		return -1;
	session->jury.until_total = e->until_total;
	session->jury.gate = e->stop == STOP_AUTO ? e->gate : NAN;
	session->jury.precision = e->stop == STOP_PRECISION ? e->precision : NAN;
	for (size_t i = 0; i < session->comparisons; i++) {
		const struct benchmark *b = &session->benchmarks[i / (session->sides - 1)];
		if (b->stage == BENCH_LOST)
			continue;
		session->jury.better[i] = bench_measurement(session, b, 0, b->deciding)->metric.better;
		if (bench_guests_have_single_values(session, b)) /* a pair of processes is a pair of values */
			session->jury.judges[i].options.block = 1;
		session->jury.judges[i].options.verdict.higher_is_better = session->jury.better[i] == BETTER_HIGHER;
	}
	return 0;
}

/* Rounds until nobody is open or nobody's unit fits into the time. */
static int measure(struct bench_session *session, struct error *err)
{
	size_t count;
	bool measured = true;
	while (measured && (count = bench_next(session)) > 0) {
		measured = false;
		for (size_t i = 0; i < count; i++) {
			struct benchmark *b = &session->benchmarks[session->chosen[i]];
			session->round_at = i;
			session->round_count = count;
			if (b->stage != BENCH_OPEN || (measured && bench_is_time_over(session, b)))
				continue;
			measured = true;
			if (watch_round(session->monitor, err) != 0)
				return -1;
			watch_trial_begins(session->monitor);
			int lost = bench_unit(session, b, err);
			watch_trial_ends(session->monitor, NAN, NAN);
			int64_t before = bench_source_now(session->source);
			if (lost < 0 || (lost == 0 && bench_take_run(session, b, err) != 0))
				return -1;
			session->deciding_time += bench_source_now(session->source) - before;
			bench_tell(session, "measuring", b);
			if (bench_source_cancelled(session->source))
				return error_set(err, ERROR_INTERRUPTED, "interrupted");
		}
	}
	return 0;
}

/* One side after the other, each with its share of the time. */
static int measure_solo(struct bench_session *session, struct error *err)
{
	double begun = bench_elapsed(session), share = (session->budget - begun) / (double)session->sides;
	for (size_t side = 0; side < session->sides; side++) {
		session->first = side;
		session->last = side + 1;
		double elapsed = bench_elapsed(session);
		/* What a side did not use is for the others; a count that is not bound by time takes nothing of theirs. */
		bool bound = bench_is_bound_by_time(session);
		session->until = elapsed + (bound ? (session->budget - elapsed) / (double)(session->sides - side) : share);
		for (size_t i = 0; i < session->count; i++) {
			struct benchmark *b = &session->benchmarks[i];
			b->stage = b->stage == BENCH_LOST ? BENCH_LOST : BENCH_OPEN;
			b->runs = b->fed = 0;
			if (b->stable)
				b->stable->warmup_runs_left = b->stable->options.warmup_runs;
			if (b->stage == BENCH_OPEN && b->rule &&
			    bench_auto_init(session, b, (session->until - elapsed) / (double)session->count, err) != 0)
				return -1;
		}
		if (measure(session, err) != 0)
			return -1;
		for (size_t i = 0; i < session->count; i++) {
			session->ran_out |= session->benchmarks[i].stage == BENCH_OPEN;
			session->counted |= session->benchmarks[i].stage == BENCH_COUNTED;
		}
	}
	return 0;
}

static const char *reason_of(const struct bench_session *session)
{
	bool counted = session->counted;
	for (size_t i = 0; i < session->count; i++) {
		if (session->ran_out || session->benchmarks[i].stage == BENCH_OPEN)
			return "budget";
		counted |= session->benchmarks[i].stage == BENCH_COUNTED;
	}
	if (counted)
		return "count";
	if (session->experiment->stop == STOP_STABLE)
		return "stable";
	return session->comparisons == 0 || session->experiment->stop == STOP_PRECISION ? "precision" : "verdict";
}

/* ---- the rate of a monitor, by runs of the shortest benchmark ---- */

struct rate_runs {
	struct bench_session *session;
	struct benchmark *benchmark;
};

static double rate_elapsed(const void *context)
{
	const struct rate_runs *runs = context;
	return bench_elapsed(runs->session);
}

static bool rate_cancelled(const void *context)
{
	const struct rate_runs *runs = context;
	return bench_source_cancelled(runs->session->source);
}

static void rate_tell(void *context)
{
	struct rate_runs *runs = context;
	bench_tell(runs->session, "finding the rate", NULL);
}

static int rate_round(void *context, double *seconds, struct error *err)
{
	struct rate_runs *runs = context;
	struct bench_session *session = runs->session;
	*seconds = NAN;
	if (runs->benchmark->stage != BENCH_OPEN)
		return 0;
	int lost = bench_play(session, runs->benchmark, err);
	if (lost != 0)
		return lost < 0 ? -1 : 0;
	double sum = 0, rows = 0;
	for (size_t s = session->first; s < session->last; s++) {
		rows += (double)session->tables[s].rows;
		for (size_t row = 0; row < session->tables[s].rows; row++)
			sum += bench_table_at(&session->tables[s], row, COLUMN_WALL);
	}
	/* Of a first run, which ends where its warm-up does: as if each had the same length. */
	*seconds = sum / rows *
	           (double)(runs->benchmark->length * (session->last - session->first) * runs->benchmark->invocations);
	return 0;
}

/* NULL: there is none that can be run without being kept. */
static struct benchmark *shortest(struct bench_session *session)
{
	struct benchmark *found = NULL;
	for (size_t i = 0; i < session->count; i++) {
		struct benchmark *b = &session->benchmarks[i];
		if (b->stage == BENCH_OPEN && !b->stable && (!found || b->unit_time < found->unit_time))
			found = b;
	}
	return found;
}

/* Benchmarks of one thread are bound to the CPUs in turn; others may use any. */
static int begin_watching(struct bench_session *session, const int *cpus, size_t count, struct error *err)
{
	const struct experiment *e = session->experiment;
	bool bound = session->design == DESIGN_TURNS || session->design == DESIGN_DUET;
	for (size_t i = 0; i < session->count; i++)
		bound &= session->benchmarks[i].one_thread;
	/* Where pairs of runs cannot tell: the rate at which sampling takes the share that was allowed of one CPU. */
	double rate = fmin(1000, fmax(1, e->monitor.overhead / watch_cost(session->monitor)));
	if (watch_begin(session->monitor, cpus, bound ? count : 0, bound, e->monitor.rate > 0 ? e->monitor.rate : rate,
	                err) != 0)
		return -1;
	struct rate_runs runs = {.session = session, .benchmark = shortest(session)};
	if (!runs.benchmark) {
		session->result->monitoring
			.overhead_why = "not measured; sampling takes at most the share of one CPU that was allowed";
		return 0;
	}
	struct rate_rounds rounds = {.context = &runs,
	                             .round_time = runs.benchmark->unit_time,
	                             .budget = session->budget,
	                             .elapsed = rate_elapsed,
	                             .round = rate_round,
	                             .tell = rate_tell,
	                             .cancelled = rate_cancelled};
	return rate_find(session->monitor, e, &rounds, &session->result->monitoring, err);
}

static int run_phases(struct bench_session *session, struct error *err)
{
	if (open_session(session, err) != 0 || watch_open(session->experiment, 1, &session->monitor, err) != 0 ||
	    watch_learn(session->monitor, err) != 0)
		return -1;
	watch_trial_begins(session->monitor);
	int tried = bench_try(session, err);
	watch_trial_ends(session->monitor, NAN, NAN);
	if (tried != 0 || watch_learnt(session->monitor, err) != 0 || seat_jury(session, err) != 0)
		return -1;
	session->until = session->budget;
	size_t cpu_count;
	const int *cpus = bench_source_cpus(session->source, &cpu_count);
	if (begin_watching(session, cpus, cpu_count, err) != 0)
		return -1;
	disturbance_begin(&session->watch, NULL, cpus, cpu_count);
	session->watched = true;
	int status = session->design == DESIGN_SOLO     ? measure_solo(session, err)
	             : session->design == DESIGN_SHARED ? bench_measure_shared(session, measure, err)
	                                                : measure(session, err);
	if (status == 0)
		session->result->stopped.reason = reason_of(session);
	return status;
}

static bool has_runs(const struct bench_session *session)
{
	for (size_t i = 0; i < session->result->subject_count; i++)
		if (session->result->subjects[i].metric_count > 0 && session->result->subjects[i].metrics[0].series.n > 0)
			return true;
	return false;
}

/* Without runs there is no result whose notes would say what became of the benchmarks: the first speaks for them. */
static int without_runs(const struct bench_session *session, struct error *err)
{
	for (size_t i = 0; i < session->result->warning_count; i++) {
		const struct warning *warning = &session->result->warnings[i];
		if (strcmp(warning->code, "failed") == 0 || strcmp(warning->code, "left-out") == 0)
			return error_next(err, "%.250s", warning->text);
	}
	return error_next(err, "--max-time gives it more time");
}

/* What became of the benchmarks decides what becomes of the session. */
static int judge_failures(const struct bench_session *session, struct error *err)
{
	if (session->failed > 0 && !session->experiment->ignore_failure) {
		error_set(err, session->failed == session->hung ? ERROR_TIMEOUT : ERROR_SUBJECT, "%zu of %zu benchmarks failed",
		          session->failed, session->count);
		if (session->failed == session->hung)
			return error_next(err, "--timeout sets how long an iteration may take, -i does without the benchmark");
		return has_runs(session) ? error_next(err, "the notes name them; -i does without them")
		                         : without_runs(session, err);
	}
	if (has_runs(session))
		return 0;
	error_set(err, ERROR_NO_DATA, "no benchmark was measured");
	return without_runs(session, err);
}

static int finish(struct bench_session *session, int status, struct error *err)
{
	struct result *result = session->result;
	struct error later;
	if (status != 0)
		result->stopped.reason = err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	if (watch_end(session->monitor, result, status == 0 ? err : &later) != 0)
		status = -1;
	if (session->source && bench_source_describe(session->source, result, status == 0 ? err : &later) != 0)
		status = -1;
	if (session->count > 0 && has_runs(session) && bench_conclude(session, status == 0 ? err : &later) != 0)
		status = -1;
	if (status == 0)
		status = judge_failures(session, err);
	if (session->source)
		result->elapsed = bench_elapsed(session);
	const char *rule = session->experiment->bench.stability.rule;
	result->stopped.rule = rule && session->experiment->stop == STOP_STABLE ? arena_strdup(&result->arena, rule)
	                                                                        : stop_rule_name(session->experiment->stop);
	result->stopped.checks = session->checks;
	result->stopped.cost = result->elapsed > 0 ? (double)session->deciding_time / 1e9 / result->elapsed : 0;
	return status;
}

int bench_check(const struct experiment *experiment, struct error *err)
{
	if (experiment->subject_count > BENCH_SIDES_MOST)
		return error_set(err, ERROR_USAGE, "more than %d programs", BENCH_SIDES_MOST);
	return bench_source_check(experiment, err);
}

int bench_run(const struct experiment *experiment, int cancel, const struct session_observer *observer,
              struct result *out, struct bench_summary *summary, struct error *err)
{
	struct bench_session session = {
		.experiment = experiment, .cancel = cancel, .observer = observer, .result = out, .summary = summary};
	*summary = (struct bench_summary){0};
	int status = finish(&session, run_phases(&session, err), err);
	close_session(&session);
	return status;
}

int bench_list(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err)
{
	struct result result;
	struct bench_summary summary = {0};
	result_init(&result);
	struct bench_session session = {.experiment = experiment, .cancel = cancel, .result = &result, .summary = &summary};
	int status = open_session(&session, err);
	for (size_t i = 0; i < session.count && status == 0; i++)
		buffer_printf(out, "%s\n", session.benchmarks[i].name);
	for (size_t i = 0; i < result.warning_count && status == 0; i++)
		buffer_printf(out, "# %s\n", result.warnings[i].text);
	close_session(&session);
	result_release(&result);
	return status;
}

static double least_time(const struct bench_session *session, const struct benchmark *b)
{
	return b->rule ? bench_auto_least_time(session, b) : b->unit_time * (double)bench_least_runs(session, b);
}

static void describe_plan(const struct bench_session *session, struct buffer *out)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	buffer_printf(out, "design    %s\n", session->result->design.name);
	buffer_printf(out, "budget    %s\n", format_duration(a, sizeof(a), (int64_t)(session->budget * 1e9)));
	buffer_printf(out, "seed      %llu\n", (unsigned long long)session->experiment->seed);
	for (size_t i = 0; i < session->count; i++) {
		const struct benchmark *m = &session->benchmarks[i];
		if (m->stage == BENCH_LOST)
			continue;
		buffer_printf(out, "  %s: at least %zu runs of %zu iterations of %llu invocations, about %s; judged by %s\n",
		              m->name, bench_least_runs(session, m), m->rule ? auto_rule_later_length(m->rule) : m->length,
		              (unsigned long long)m->invocations,
		              format_duration(b, sizeof(b), (int64_t)(1e9 * least_time(session, m))),
		              bench_column_name(&m->columns[0], m->deciding));
	}
	for (size_t i = 0; i < session->result->warning_count; i++)
		buffer_printf(out, "note: %s\n", session->result->warnings[i].text);
}

int bench_dry_run(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err)
{
	struct result result;
	struct bench_summary summary = {0};
	result_init(&result);
	struct bench_session session = {.experiment = experiment, .cancel = cancel, .result = &result, .summary = &summary};
	int status = open_session(&session, err);
	if (status == 0)
		status = bench_try(&session, err);
	if (status == 0)
		describe_plan(&session, out);
	close_session(&session);
	result_release(&result);
	return status;
}
