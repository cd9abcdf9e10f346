#include "session/session.h"

#include "analysis/analysis.h"
#include "analysis/disturbed.h"
#include "base/format.h"
#include "base/memory.h"
#include "decide/plan.h"
#include "decide/work_fit.h"
#include "session/rate.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum level run_levels[] = {LEVEL_RUN, LEVEL_ITERATION};

double session_elapsed(const struct session *session)
{
	return (double)(source_now(session->source) - session->started) / 1e9;
}

void session_say(struct session *session, const char *text)
{
	if (session->observer && session->observer->note)
		session->observer->note(session->observer->context, text);
}

void session_kept(struct session *session)
{
	if (session->observer && session->observer->round)
		session->observer->round(session->observer->round_context, session->result);
}

void session_tell(struct session *session, const char *phase)
{
	if (!session->observer || !session->observer->progress)
		return;
	struct session_progress now = {.phase = phase, .runs = session->rounds, .elapsed = session_elapsed(session),
	                               .budget = session->budget, .estimate = NAN, .low = NAN, .high = NAN, .left = NAN, .target = NAN};
	if (session->rounds > 0) {
		now.pairs = session->result->design.paired ? session->rounds : 0;
		session_outlook(session, &now);
	}
	session->observer->progress(session->observer->context, &now);
}

/* The subjects and their empty series. */
static int describe_subjects(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t s = 0; s < e->subject_count; s++) {
		struct subject *subject = result_add_subject(session->result, e->subjects[s].name);
		if (!subject)
			return error_memory(err);
		subject->command = arena_strdup(&session->result->arena, e->subjects[s].command);
		for (size_t i = 0; i < e->subjects[s].parameter_count; i++)
			if (result_add_parameter(session->result, subject, e->subjects[s].parameters[i].name,
			                         e->subjects[s].parameters[i].value) != 0)
				return error_memory(err);
		for (size_t m = 0; m < source_metric_count(session->source); m++) {
			const struct metric *metric = source_metric(session->source, m);
			struct measurement *added =
				result_add_metric(session->result, subject, metric->name, metric->unit, metric->better, run_levels, 2);
			if (!added)
				return error_memory(err);
			added->quantum = source_quantum(session->source, m);
		}
	}
	memcpy(session->result->design.levels, run_levels, sizeof(run_levels));
	session->result->design.level_count = 2;
	session->result->seed = e->seed;
	session->result->name = e->name ? arena_strdup(&session->result->arena, e->name) : NULL;
	return 0;
}

int session_open(struct session *session, struct error *err)
{
	size_t n = session->experiment->subject_count, metrics = source_metric_count(session->source);
	session->started = source_now(session->source);
	session->samples = mem_zalloc(n, sizeof(*session->samples));
	session->round_values = mem_zalloc(n * metrics, sizeof(double));
	session->alone = mem_zalloc(n, sizeof(double));
	if (!session->samples || !session->round_values || !session->alone)
		return error_memory(err);
	if (source_machine(session->source, &session->machine, err) != 0 ||
	    schedule_init(&session->schedule, n, session->experiment->seed, err) != 0 ||
	    describe_subjects(session, err) != 0 || session_open_indices(session, err) != 0)
		return -1;
	return source_describe(session->source, session->result, err);
}

void session_close(struct session *session)
{
	mem_free(session->samples);
	mem_free(session->round_values);
	mem_free(session->alone);
	schedule_release(&session->schedule);
	jury_release(&session->jury);
	session_close_indices(session);
	session_close_work(session);
	watch_close(session->monitor);
	source_free(session->source);
}

/* Judges for the comparisons, by the rule that the stop rule needs. */
static int seat_jury(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	const struct metric *metric = source_metric(session->source, session->deciding);
	double alpha = e->rank ? rank_alpha(session) : session_alpha(session);
	struct judge_options options = {.verdict = verdict_defaults(alpha), .block = session->block, .has_order = true,
	                                .sides = session->design == DESIGN_DUET};
	if (e->subject_count < 2)
		return 0;
	options.verdict.margin = e->margin;
	options.verdict.share_margin = e->share_margin;
	options.verdict.quantum = source_quantum(session->source, session->deciding);
	options.verdict.higher_is_better = metric->better == BETTER_HIGHER;
	size_t comparisons = e->rank ? rank_pairs(e->subject_count) : e->subject_count - 1;
	options.verdict.least_units = verdict_first_look(alpha, comparisons);
	if (e->stop == STOP_PRECISION)
		options.verdict.rule = CRITICAL_PRECISION;
	if (jury_init(&session->jury, comparisons, &options, err) != 0)
		return -1;
	session->jury.until_total = e->until_total;
	session->jury.gate = e->stop == STOP_AUTO ? e->gate : NAN;
	session->jury.precision = e->stop == STOP_PRECISION ? e->precision : NAN;
	for (size_t i = 0; i < comparisons; i++)
		session->jury.better[i] = metric->better;
	return 0;
}

int session_feed(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	if (e->subject_count < 2) {
		estimate_add(&session->estimate, session_value(session, 0, session->deciding));
		return 0;
	}
	if (session->design == DESIGN_SOLO)
		return 0;
	if (e->rank)
		return rank_feed(session, err);
	for (size_t i = 0; i < session->jury.count; i++) {
		size_t subject = i + (i >= e->reference);
		if (judge_add(&session->jury.judges[i], session_value(session, e->reference, session->deciding),
		              session_value(session, subject, session->deciding), session_order(session, subject), err) != 0)
			return -1;
	}
	return 0;
}

const char *session_reason(enum session_end end)
{
	switch (end) {
	case SESSION_PRECISE: return "precision";
	case SESSION_DECIDED: return "verdict";
	case SESSION_COUNTED: return "count";
	default: return "budget";
	}
}

/* A running mean of the last rounds keeps the estimate of a round's time near the present. */
static void time_round(struct session *session, int64_t before)
{
	double seconds = (double)(source_now(session->source) - before) / 1e9;
	session->round_time += (seconds - session->round_time) * 0.1;
}

static int measure(struct session *session, struct error *err)
{
	enum session_end end;
	do {
		int64_t before = source_now(session->source);
		int lost = session_round(session, session->design, true, err);
		if (lost < 0)
			return -1;
		session_kept(session);
		if (lost == 0 && session_feed(session, err) != 0)
			return -1;
		time_round(session, before);
		if (source_cancelled(session->source))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		end = session_look(session);
		session_tell(session, "measuring");
	} while (end == SESSION_GO_ON);
	session->result->stopped.reason = session_reason(end);
	return 0;
}

/* Solo: one subject after the other, each until it is precise, has its count, or its share of the time is over. */
static int measure_solo(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	double share = (session->budget - session_elapsed(session)) / (double)e->subject_count;
	enum session_end end = SESSION_COUNTED;
	for (size_t s = 0; s < e->subject_count; s++) {
		double until = session_elapsed(session) + share;
		session->estimate = (struct estimate){0};
		session->rounds = 0;
		session->leading = s;
		do {
			int64_t before = source_now(session->source);
			int lost = session_single(session, s, err);
			if (lost < 0)
				return -1;
			session_kept(session);
			if (lost == 0)
				estimate_add(&session->estimate, session_value(session, s, session->deciding));
			double seconds = (double)(source_now(session->source) - before) / 1e9;
			if (source_cancelled(session->source))
				return error_set(err, ERROR_INTERRUPTED, "interrupted");
			end = session_look_single(session, session_elapsed(session) + seconds > until);
			session_tell(session, "measuring");
		} while (end == SESSION_GO_ON);
	}
	session->result->stopped.reason = session_reason(end);
	return 0;
}

/* ---- the rate of a monitor ---- */

static double rate_elapsed(const void *context)
{
	return session_elapsed(context);
}

static bool rate_cancelled(const void *context)
{
	const struct session *session = context;
	return source_cancelled(session->source);
}

static void rate_tell(void *context)
{
	session_tell(context, "finding the rate");
}

/* Wall time, without the time in which others had the CPU where the monitor cannot be one of them: it has CPUs of its
 * own. */
static double rate_time(const struct session *session, size_t subject)
{
	double wall = session_value(session, subject, SOURCE_WALL), delay = session_value(session, subject, SOURCE_DELAY);
	bool known = session->samples[subject].single_threaded && !isnan(delay);
	return watch_apart(session->monitor) && known ? wall - delay : wall;
}

/* Of all subjects. */
static int rate_round(void *context, double *seconds, struct error *err)
{
	struct session *session = context;
	int lost = session_round(session, session->design, false, err);
	if (lost < 0)
		return -1;
	*seconds = lost ? NAN : 0;
	for (size_t s = 0; s < session->experiment->subject_count; s++)
		*seconds += rate_time(session, s);
	return 0;
}

/* The kept runs are watched from CPUs that they do not use. */
int session_begin_watching(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	const int *cpus = session->machine.cpus;
	size_t count = session->design == DESIGN_DUET ? 2 : 1;
	bool bound = session->design == DESIGN_DUET || session->design == DESIGN_TURNS || session->design == DESIGN_SHARED;
	if (!bound) {
		cpus = e->cpus;
		count = e->cpu_count;
		bound = e->cpu_count == 1;
	}
	return watch_begin(session->monitor, cpus, count, bound, e->monitor.rate, err);
}

void session_begin_record(struct session *session)
{
	disturbance_begin(&session->watch, NULL, session->machine.cpus, session->machine.cpu_count);
	session->watched = true;
}

static int find_rate(struct session *session, struct error *err)
{
	struct rate_rounds rounds = {.context = session, .round_time = session->round_time, .budget = session->budget,
	                             .elapsed = rate_elapsed, .round = rate_round, .tell = rate_tell, .cancelled = rate_cancelled};
	return rate_find(session->monitor, session->experiment, &rounds, &session->result->monitoring, err);
}

static const char *hook_text(const struct experiment_subject *subject, bool after)
{
	return after ? subject->cleanup : subject->setup;
}

/* What subjects have in common is done once. `after`: all that are there, whatever became of the others. */
static int run_hooks(struct session *session, bool after, struct error *err)
{
	const struct experiment_subject *subjects = session->experiment->subjects;
	struct error later;
	int status = 0;
	for (size_t i = 0; i < session->experiment->subject_count && (status == 0 || after); i++) {
		const char *text = hook_text(&subjects[i], after);
		bool done = !text;
		for (size_t j = 0; j < i && !done; j++)
			done = hook_text(&subjects[j], after) && strcmp(hook_text(&subjects[j], after), text) == 0;
		if (!done && source_hook(session->source, text, after ? "cleanup" : "setup", status == 0 ? err : &later) != 0)
			status = -1;
	}
	return status;
}

static int run_phases(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	if (run_hooks(session, false, err) != 0)
		return -1;
	if (e->work.given)
		return session_measure_work(session, err) != 0 || (e->overhead && session_measure_overhead(session, err) != 0)
		           ? -1
		           : 0;
	if (watch_open(e, 3, &session->monitor, err) != 0 || watch_learn(session->monitor, err) != 0 ||
	    session_learn(session, err) != 0 || watch_learnt(session->monitor, err) != 0)
		return -1;
	if ((e->rank && rank_check(session, err) != 0) || session_choose_design(session, err) != 0 ||
	    seat_jury(session, err) != 0 || session_begin_watching(session, err) != 0 || find_rate(session, err) != 0)
		return -1;
	session_begin_record(session);
	schedule_restart(&session->schedule);
	if (session_take_earlier(session, err) != 0)
		return -1;
	if (e->earlier && e->runs && session->rounds >= e->runs) {
		session->result->stopped.reason = "count";
		return 0;
	}
	if (session->design == DESIGN_SOLO && e->subject_count > 1)
		return measure_solo(session, err);
	if (measure(session, err) != 0)
		return -1;
	return e->overhead ? session_measure_overhead(session, err) : 0;
}

/* The second look at the machine, and what the runs themselves say. */
static int note_disturbance(struct session *session, struct error *err)
{
	bool at_once = session->design == DESIGN_DUET || session->design == DESIGN_SHARED;
	if (!session->watched)
		return 0;
	if (disturbance_end(&session->watch, NULL, at_once ? 2 : 1, session->result, err) != 0)
		return -1;
	disturbed_runs(session->result, session->result->design.cpu_count > 0 || session->experiment->cpu_count == 1,
	               session->design == DESIGN_SHARED);
	return 0;
}

static void note_interference(struct session *session)
{
	struct result *result = session->result;
	for (size_t i = 0; session->design == DESIGN_DUET && i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		if (c->base >= session->experiment->subject_count || c->new_ >= session->experiment->subject_count)
			continue; /* of another day */
		c->interference_base = result->subjects[c->base].metrics[session->deciding].median / session->alone[c->base];
		c->interference_new = result->subjects[c->new_].metrics[session->deciding].median / session->alone[c->new_];
		double uneven = c->interference_base / c->interference_new;
		if (uneven > 1.1 || uneven < 1 / 1.1)
			result_warn(result, "interference",
			            "at once they slow each other unevenly (%.2f and %.2f times): their bottlenecks differ; "
			            "--design turns measures each alone",
			            c->interference_base, c->interference_new);
	}
}

/* What is undecided: about how much longer it would take. */
static void note_missing_time(struct session *session)
{
	struct jury_look look;
	if (session->experiment->rank || session->jury.count == 0 || session->jury.judges[0].units < 2 ||
	    jury_look(&session->jury, &look, NULL) != 0)
		return;
	for (size_t i = 0; i < session->result->comparison_count; i++) {
		struct comparison *c = &session->result->comparisons[i];
		double more = jury_missing(&session->jury, i);
		if (c->verdict == VERDICT_UNDECIDED && isfinite(more) && more > 0)
			c->more_time = more * (double)session->rounds * session->round_time;
	}
}

/* Whether wall time says the opposite of what decided (METHODS 3). */
static int compare_wall(struct session *session, struct analysis_options *options, struct error *err)
{
	struct result *result = session->result;
	size_t decided = result->comparison_count;
	if (session->deciding == SOURCE_WALL || session->experiment->subject_count < 2 || session->experiment->rank ||
	    session->experiment->work.given)
		return 0;
	options->deciding = "wall";
	options->gate = NAN;
	options->holm = false;
	if (analyse_comparisons(result, options, err) != 0)
		return -1;
	for (size_t i = 0; i < decided && i + decided < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i], *wall = &result->comparisons[i + decided];
		bool opposite = (c->verdict == VERDICT_FASTER && wall->verdict == VERDICT_SLOWER) ||
		                (c->verdict == VERDICT_SLOWER && wall->verdict == VERDICT_FASTER);
		if (opposite)
			result_warn(result, "wall-disagrees", "%s: wall time says %s, %s says %s", result->subjects[c->new_].name,
			            verdict_name(wall->verdict), c->metric, verdict_name(c->verdict));
	}
	result->comparison_count = decided;
	return 0;
}

/* Seconds of one more run, with all that is around it; a round has one of each. */
static void set_costs(struct session *session)
{
	double subjects = (double)session->experiment->subject_count;
	for (size_t s = 0; s < session->result->subject_count && !session->experiment->work.given; s++)
		for (size_t m = 0; m < session->result->subjects[s].metric_count; m++)
			session->result->subjects[s].metrics[m].costs[LEVEL_RUN] =
				session->round_time > 0 ? session->round_time / subjects : NAN;
}

static int conclude(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct analysis_options options;
	analysis_options_init(&options);
	bool one = e->subject_count == 1;
	options.confidence = one && isnan(e->confidence) ? 0.99 : 1 - (e->rank ? rank_alpha(session) : session_alpha(session));
	options.confidence_one = isnan(e->confidence) ? 0.95 : e->confidence;
	options.margin = e->margin;
	options.share_margin = e->share_margin;
	options.gate = e->gate;
	options.reference = e->reference;
	options.deciding = source_metric(session->source, session->deciding)->name;
	options.block = session->block;
	options.clock_quantum = source_quantum(session->source, session->deciding);
	options.seed = e->seed;
	options.skip = 0;
	options.run_means = true;
	bool by_precision = one || e->stop == STOP_PRECISION || session->design == DESIGN_SOLO; /* each of a solo by its own */
	if (e->stop != STOP_FIXED || e->earlier)
		options.looking = by_precision ? LOOKED_FOR_PRECISION : LOOKED_FOR_VERDICT;
	size_t warnings = session->result->warning_count;
	if (e->rank && rank_add_rivals(session, err) != 0)
		return -1;
	set_costs(session);
	if (analyse_subjects(session->result, &options, err) != 0)
		return -1;
	if (e->plan && plan_check(e->plan, session->result, err) != 0)
		return -1;
	/* Rounds of different work have no mean: the line speaks for them. */
	if (e->work.given) {
		result_drop_warnings(session->result, warnings);
		if (session_conclude_work(session, err) != 0)
			return -1;
	}
	/* The speeds of rounds of different work were compared with their lines. */
	if ((e->rank ? rank_conclude(session, &options, err) : e->work.given ? 0 : analyse_comparisons(session->result, &options, err)) != 0)
		return -1;
	if (session_conclude_indices(session, err) != 0)
		return -1;
	note_interference(session);
	note_missing_time(session);
	return compare_wall(session, &options, err);
}

static void final_notes(struct session *session)
{
	struct result *result = session->result;
	result->elapsed = session_elapsed(session);
	if (session->experiment->earlier && isfinite(session->experiment->earlier->elapsed))
		result->elapsed += session->experiment->earlier->elapsed;
	result->stopped.rule = stop_rule_name(session->experiment->stop);
	result->stopped.checks = session->checks;
	if (session->left_behind)
		result_warn(result, "left-behind", "a command left processes behind; they were killed and are not measured");
	if (session->failures > 0)
		result_warn(result, "failures", "%zu runs failed", session->failures);
	for (size_t i = 0; source_note(session->source, i); i++)
		result_warn(result, "machine", "%s", source_note(session->source, i));
}

int session_check(const struct experiment *experiment, struct error *err)
{
	return source_check(experiment, err);
}

int session_run(const struct experiment *experiment, struct spawner *spawner, int cancel,
                const struct session_observer *observer, struct result *out, struct error *err)
{
	struct error later;
	struct session session = {.experiment = experiment, .observer = observer, .result = out,
	                          .source = source_new(experiment, spawner, cancel, err)};
	if (!session.source)
		return -1;
	int status = session_open(&session, err);
	if (status == 0)
		status = run_phases(&session, err);
	if (status != 0)
		out->stopped.reason = err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	if (watch_end(session.monitor, out, status == 0 ? err : &later) != 0)
		status = -1;
	if (note_disturbance(&session, status == 0 ? err : &later) != 0)
		status = -1;
	/* Cleanup also after a failure; its own failure counts only when nothing else has failed. */
	if (run_hooks(&session, true, status == 0 ? err : &later) != 0)
		status = -1;
	if (result_has_samples(out) && conclude(&session, status == 0 ? err : &later) != 0)
		status = -1;
	final_notes(&session);
	session_close(&session);
	return status;
}

/* The first rounds as they would be measured. */
static void list_rounds(struct session *session, struct buffer *out)
{
	enum { SHOWN = 8 };
	for (int round = 0; round < SHOWN; round++) {
		const size_t *order = schedule_next(&session->schedule);
		buffer_printf(out, "  round %d:", round + 1);
		for (size_t i = 0; i < session->experiment->subject_count; i++)
			buffer_printf(out, "%s %s", i ? "," : "", session->experiment->subjects[order[i]].name);
		buffer_char(out, '\n');
	}
	buffer_text_add(out, "  \xe2\x80\xa6\n");
}

/* Amounts follow from the time that the first ones take: nothing is tried for a plan. */
static int plan_work(const struct experiment *e, struct buffer *out)
{
	char time[FORMAT_MAX];
	buffer_printf(out, "work      %g to %g%s%s, doubled from the least until a round takes %s\n", e->work.low, e->work.high,
	              e->work.unit[0] ? " " : "", e->work.unit,
	              format_duration(time, sizeof(time), (int64_t)(work_goal_for(e).shortest * 1e9)));
	if (e->runs)
		buffer_printf(out, "rounds    %zu of each of %zu commands\n", e->runs, e->subject_count);
	else
		buffer_printf(out, "budget    %s, at least %zu rounds of each of %zu commands\n",
		              format_duration(time, sizeof(time), (int64_t)(work_budget_for(e) * 1e9)), work_goal_for(e).least,
		              e->subject_count);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)e->seed);
	return 0;
}

static int plan(struct session *session, struct buffer *out, struct error *err)
{
	char time[FORMAT_MAX], budget[FORMAT_MAX];
	const char *why;
	if (session->experiment->work.given)
		return plan_work(session->experiment, out);
	if (session_learn(session, err) != 0)
		return -1;
	bool automatic = strcmp(session->experiment->design, "auto") == 0;
	enum design_kind design = automatic ? design_default(&session->facts, &why)
	                                    : design_by_name(session->experiment->design);
	double left = session->budget - session_elapsed(session);
	size_t block = design_block(session->round_time, left);
	buffer_printf(out, "design    %s%s\n", design_name(design),
	              automatic ? " unless another one shows less variance when tried" : "");
	buffer_printf(out, "judged by %s\n", source_metric(session->source, session->deciding)->name);
	buffer_printf(out, "a round   %s of all %zu commands\n",
	              format_duration(time, sizeof(time), (int64_t)(session->round_time * 1e9)),
	              session->experiment->subject_count);
	/* A time that was given cuts a number of runs. */
	double fit = floor(left / session->round_time), runs = (double)session->experiment->runs;
	bool cut = session->experiment->max_time && fit < runs;
	if (runs > 0 && cut)
		buffer_printf(out, "rounds    %.0f of %.0f, as many as fit into %s\n", fit > 1 ? fit : 1, runs,
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)));
	else if (runs > 0)
		buffer_printf(out, "rounds    %.0f, about %s\n", runs,
		              format_duration(time, sizeof(time), (int64_t)(runs * session->round_time * 1e9)));
	else
		buffer_printf(out, "budget    %s: up to %.0f rounds, a look after every %zu\n",
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)),
		              fit, block);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)session->experiment->seed);
	list_rounds(session, out);
	return 0;
}

int session_dry_run(const struct experiment *experiment, struct spawner *spawner, int cancel, struct buffer *out,
                    struct error *err)
{
	struct result result;
	result_init(&result);
	struct session session = {.experiment = experiment, .result = &result,
	                          .source = source_new(experiment, spawner, cancel, err)};
	struct error later;
	int status = session.source ? session_open(&session, err) : -1;
	bool tries = status == 0 && !experiment->work.given;
	if (tries)
		status = run_hooks(&session, false, err);
	if (status == 0)
		status = plan(&session, out, err);
	if (tries && run_hooks(&session, true, status == 0 ? err : &later) != 0)
		status = -1;
	session_close(&session);
	result_release(&result);
	return status;
}
