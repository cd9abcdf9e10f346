#include "session/session.h"

#include "analysis/analysis.h"
#include "analysis/disturbed.h"
#include "analysis/whole.h"
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
	struct session_progress now = {.phase = phase,
	                               .runs = session->rounds,
	                               .elapsed = session_elapsed(session),
	                               .budget = session->budget,
	                               .estimate = NAN,
	                               .low = NAN,
	                               .high = NAN,
	                               .left = NAN,
	                               .target = NAN};
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
			struct measurement *added = result_add_metric(session->result, subject, metric->name, metric->unit,
			                                              metric->better, run_levels, 2);
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
	struct judge_options options = {.verdict = verdict_defaults(alpha),
	                                .block = session->block,
	                                .has_order = true,
	                                .sides = session->design == DESIGN_DUET};
	if (e->subject_count < 2)
		return 0;
	options.verdict.margin = e->margin;
	options.verdict.share_margin = e->share_margin;
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
	enum session_end end, worst = SESSION_GO_ON;
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
		/* The reason of the whole is the least good one. */
		worst = end > worst ? end : worst;
	}
	session->result->stopped.reason = session_reason(worst);
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
	struct rate_rounds rounds = {.context = session,
	                             .round_time = session->round_time,
	                             .budget = session->budget,
	                             .elapsed = rate_elapsed,
	                             .round = rate_round,
	                             .tell = rate_tell,
	                             .cancelled = rate_cancelled};
	return rate_find(session->monitor, session->experiment, &rounds, &session->result->monitoring, err);
}

static const char *hook_text(const struct experiment_subject *subject, bool after)
{
	return after ? subject->cleanup : subject->setup;
}

int session_run_hooks(struct session *session, bool after, struct error *err)
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
	if (session_run_hooks(session, false, err) != 0)
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
	whole_warn_failures(result, NULL);
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
	struct session session = {.experiment = experiment,
	                          .observer = observer,
	                          .result = out,
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
	if (session_run_hooks(&session, true, status == 0 ? err : &later) != 0)
		status = -1;
	if (result_has_samples(out) && session_conclude(&session, status == 0 ? err : &later) != 0)
		status = -1;
	final_notes(&session);
	session_close(&session);
	return status;
}
