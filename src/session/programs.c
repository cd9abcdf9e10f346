/* The instrument of harness programs: benchmarks inside of them, each a question. */
#include "session/guests.h"

#include "base/format.h"
#include "base/memory.h"
#include "decide/allotment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool cancelled(const struct session *session)
{
	return bench_source_cancelled(session->programs);
}

static int check(const struct experiment *experiment, struct error *err)
{
	if (experiment->subject_count > BENCH_SIDES_MOST)
		return error_set(err, ERROR_USAGE, "more than %d programs", BENCH_SIDES_MOST);
	return bench_source_check(experiment, err);
}

/* ---- what there is ---- */

const struct harness_benchmark *programs_list(const struct session *session, size_t side, size_t *count)
{
	const struct harness_benchmark *list = NULL;
	if (!session->guests)
		return bench_source_list(session->programs, side, count);
	guest_list(session->guests->guests[side], &list, count, NULL); /* it was asked before and has it */
	return list;
}

static int choose_design(struct session *session, struct error *err)
{
	const char *name = session->experiment->design, *why = "asked for";
	size_t count;
	const int *cpus = bench_source_cpus(session->programs, &count);
	session->design = design_by_name(name);
	if (session->guests) {
		if (guests_choose_design(session, &why, err) != 0)
			return -1;
	} else if (strcmp(name, "auto") == 0) {
		session->design = session->sides > 1 ? DESIGN_TURNS : DESIGN_SOLO;
		why = session->sides > 1 ? "iterations of all sides side by side on one CPU" : "one program";
	} else if (session->design == DESIGN_SHARED ||
	           (session->design == DESIGN_DUET && (session->sides != 2 || count < 2))) {
		return error_full(err, ERROR_USAGE, "--design", NULL, "%s cannot be done here: %s", name,
		                  session->design == DESIGN_SHARED
		                      ? "benchmarks inside programs have iterations to take turns with"
		                  : session->sides != 2 ? "it measures two programs at once"
		                                        : "it needs two CPUs");
	}
	if (session_set_design(session, session->sides == 1 ? DESIGN_SOLO : session->design, why, cpus, count, err) != 0)
		return -1;
	session->result->design.order_of_runs = programs_paired(session) && session->design != DESIGN_TURNS;
	session->machine.cpu_count = count < 2 ? count : 2;
	memcpy(session->machine.cpus, cpus, session->machine.cpu_count * sizeof(*cpus));
	return 0;
}

static int open_programs(struct session *session, struct error *err)
{
	session->programs = bench_source_new(session->experiment, session->cancel, err);
	if (!session->programs)
		return -1;
	session->started = session_now(session);
	session->tables = arena_alloc(&session->arena, session->sides, sizeof(*session->tables));
	if (!session->tables)
		return error_memory(err);
	if (guests_open(session, err) != 0 || (!session->guests && bench_source_meet(session->programs, err) != 0))
		return -1;
	if (bench_match(session, err) != 0 || choose_design(session, err) != 0)
		return -1;
	session->allotments = arena_alloc(&session->arena, session->count, sizeof(*session->allotments));
	if (!session->allotments)
		return error_memory(err);
	for (struct question *b = session->questions; b < session->questions + session->count; b++)
		b->rule = b->stable ? &rule_stable : programs_paired(session) ? &rule_verdict : &rule_precision;
	return 0;
}

static void close_programs(struct session *session)
{
	turns_close(session);
	guests_free(session);
	for (size_t s = 0; session->tables && s < session->sides; s++)
		mem_free(session->tables[s].values);
	for (size_t i = 0; i < session->count; i++) {
		bench_stable_free(session->questions[i].stable, session->sides);
		auto_rule_free(session->questions[i].lengths);
	}
	bench_source_free(session->programs);
}

static int learn(struct session *session, struct error *err)
{
	watch_trial_begins(session->monitor);
	int status = bench_try(session, err);
	watch_trial_ends(session->monitor, NAN, NAN);
	return status;
}

/* ---- measuring ---- */

static int play_round(struct session *session, struct question *b, struct error *err)
{
	if (watch_round(session->monitor, err) != 0)
		return -1;
	if (turns_are_wanted(session, b))
		return guests_turn(session, b, err);
	watch_trial_begins(session->monitor);
	int round = bench_unit(session, b, err);
	watch_trial_ends(session->monitor, NAN, NAN);
	return round;
}

/* Of a first run, which ends where its warm-up does: as if each had the same length. */
static int unkept(struct session *session, struct question *b, double *seconds, struct error *err)
{
	int lost = bench_play(session, b, seconds, err);
	double sum = 0, rows = 0;
	if (lost != 0 || session->guests)
		return lost;
	for (size_t s = session->first; s < session->last; s++) {
		rows += (double)session->tables[s].rows;
		for (size_t row = 0; row < session->tables[s].rows; row++)
			sum += bench_table_at(&session->tables[s], row, METRIC_WALL);
	}
	*seconds = sum / rows * (double)(b->length * (session->last - session->first) * b->invocations);
	return 0;
}

/* Benchmarks below their least number of runs first, then those that can still be decided, in random order. Those that
 * are called and not yet confirmed in turns are open again; whoever is open has been asked already. */
static size_t next(struct session *session, size_t *chosen)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct question *b = &session->questions[i];
		session->allotments[i] = (struct allotment){
			.open = b->end == SESSION_GO_ON,
			.units = b->runs,
			.least = bench_least_runs(session, b),
			.missing = b->rule->missing ? b->rule->missing(session, b) : INFINITY,
			.cost = b->unit_time,
		};
	}
	double left = session_is_bound_by_time(session) ? session->until - session_elapsed(session) : INFINITY;
	size_t count = allotment_next(session->allotments, session->count, left, chosen);
	random_shuffle(&session->random, chosen, count, sizeof(*chosen));
	for (size_t i = 0; i < session->count; i++)
		if (turns_reopen(session, &session->questions[i]))
			chosen[count++] = i;
	return count;
}

/* The side on stage has its own warm-ups. */
static int enter(struct session *session, struct error *err)
{
	double share = (session->until - session_elapsed(session)) / (double)session->count;
	for (struct question *b = session->questions; b < session->questions + session->count; b++) {
		if (b->stable)
			b->stable->warmup_runs_left = b->stable->options.warmup_runs;
		if (b->end == SESSION_GO_ON && b->lengths && bench_auto_init(session, b, share, err) != 0)
			return -1;
	}
	return 0;
}

/* Benchmarks of one thread are bound to the CPUs in turn; others may use any. */
static size_t watched_cpus(const struct session *session, const int **cpus, bool *bound)
{
	size_t count;
	*cpus = bench_source_cpus(session->programs, &count);
	*bound = session->design == DESIGN_TURNS || session->design == DESIGN_DUET;
	for (size_t i = 0; i < session->count; i++)
		*bound &= session->questions[i].one_thread;
	return *bound ? count : 0;
}

/* ---- the end ---- */

/* Without runs there is no result whose notes would say what became of the benchmarks: the first speaks for them. */
static int without_runs(const struct session *session, struct error *err)
{
	for (size_t i = 0; i < session->result->warning_count; i++) {
		const struct warning *warning = &session->result->warnings[i];
		if (strcmp(warning->code, "failed") == 0 || strcmp(warning->code, "left-out") == 0)
			return error_next(err, "%.250s", warning->text);
	}
	return error_next(err, "--max-time gives it more time");
}

/* What became of the benchmarks decides what becomes of the session. */
static int judge_failures(const struct session *session, struct error *err)
{
	bool any = result_has_samples(session->result);
	if (session->failed > 0 && !session->experiment->ignore_failure) {
		/* A list that failed counts too. */
		size_t failed = session->failed < session->count ? session->failed : session->count;
		error_set(err, session->failed == session->hung ? ERROR_TIMEOUT : ERROR_SUBJECT, "%zu of %zu benchmarks failed",
		          failed, session->count);
		if (session->failed == session->hung)
			return error_next(err, "--timeout sets how long an iteration may take, -i does without the benchmark");
		return any ? error_next(err, "the notes name them; -i does without them") : without_runs(session, err);
	}
	if (any)
		return 0;
	error_set(err, ERROR_NO_DATA, "no benchmark was measured");
	return without_runs(session, err);
}

static int finish(struct session *session, int status, struct error *err)
{
	if (!session->programs)
		return status;
	if (bench_source_describe(session->programs, session->result, err) != 0)
		return -1;
	session->result->elapsed = session_elapsed(session);
	return status == 0 ? judge_failures(session, err) : -1;
}

/* Benchmarks that have no run yet when the user wants no more: no gate holds without them. */
static void note_not_begun(struct session *session)
{
	size_t count = 0;
	for (size_t i = 0; session->enough && i < session->count; i++)
		count += session->questions[i].end == SESSION_GO_ON && session->questions[i].runs == 0;
	session->missing += count;
	if (count > 0)
		result_warn(session->result, "left-out", "stopped by q: %zu benchmark%s not measured", count,
		            count == 1 ? " was" : "s were");
}

static int end(struct session *session, int status, struct error *err)
{
	if (status != 0)
		return 0;
	if (bench_keep_tried(session, err) != 0)
		return -1;
	note_not_begun(session);
	turns_note(session);
	return 0;
}

static int plan(struct session *session, struct buffer *out, struct error *err)
{
	char time[FORMAT_MAX];
	if (bench_try(session, err) != 0)
		return -1;
	buffer_printf(out, "design    %s\n", session->result->design.name);
	buffer_printf(out, "budget    %s\n", format_duration(time, sizeof(time), (int64_t)(session->budget * 1e9)));
	buffer_printf(out, "seed      %llu\n", (unsigned long long)session->experiment->seed);
	for (const struct question *b = session->questions; b < session->questions + session->count; b++) {
		if (b->end == SESSION_LOST)
			continue;
		size_t least = bench_least_runs(session, b);
		double seconds = b->lengths ? bench_auto_least_time(session, b) : b->unit_time * (double)least;
		buffer_printf(out, "  %s: at least %zu runs of %zu iterations of %llu invocations, about %s; judged by %s\n",
		              b->name, least, b->lengths ? auto_rule_later_length(b->lengths) : b->length,
		              (unsigned long long)b->invocations, format_duration(time, sizeof(time), (int64_t)(1e9 * seconds)),
		              bench_column(&b->columns[0], b->deciding).name);
	}
	for (size_t i = 0; i < session->result->warning_count; i++)
		buffer_printf(out, "note: %s\n", session->result->warnings[i].text);
	return 0;
}

int session_list(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err)
{
	SCOPED(result) struct result result = result_empty();
	struct session session = {
		.experiment = experiment, .instrument = &instrument_programs, .cancel = cancel, .result = &result};
	int status = session_open(&session, err);
	for (size_t i = 0; i < session.count && status == 0; i++)
		buffer_printf(out, "%s\n", session.questions[i].name);
	for (size_t i = 0; i < result.warning_count && status == 0; i++)
		buffer_printf(out, "# %s\n", result.warnings[i].text);
	session_close(&session);
	return status;
}

const struct instrument instrument_programs = {
	.check = check,
	.open = open_programs,
	.learn = learn,
	.enter = enter,
	.next = next,
	.round = play_round,
	.unkept = unkept,
	.outlook = turns_outlook,
	.cpus = watched_cpus,
	.end = end,
	.finish = finish,
	.plan = plan,
	.close = close_programs,
	.cancelled = cancelled,
};
