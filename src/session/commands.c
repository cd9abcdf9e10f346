/* The instrument of commands: processes, one or two at once, each run a value of every metric. All commands answer one
 * question together; over work amounts each has its own. */
#include "analysis/whole.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t now(const struct session *session)
{
	return source_now(session->source);
}

static bool cancelled(const struct session *session)
{
	/* Runs that are there are taken first. */
	return source_ahead(session->source) == 0 && source_cancelled(session->source);
}

/* ---- life ---- */

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
			                                              metric->better, levels_of_runs, 2);
			if (!added)
				return error_memory(err);
			added->quantum = source_quantum(session->source, m);
		}
	}
	memcpy(session->result->design.levels, levels_of_runs, sizeof(levels_of_runs));
	session->result->design.level_count = 2;
	return 0;
}

static int add_questions(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	bool each = e->work.given;
	if (session_add_questions(session, each ? session->sides : 1, each ? 1 : session->sides, err) != 0)
		return -1;
	for (size_t i = 0; i < session->count; i++) {
		struct question *question = &session->questions[i];
		question->subject = i;
		question->has_subjects = true;
		question->min_runs = e->min_runs;
		question->max_runs = e->runs ? e->runs : e->max_runs;
		question->unbound = 1;
	}
	return e->work.given ? work_open(session, err) : 0;
}

static void say_late(void *context)
{
	struct session *session = context;
	char limit[SESSION_TIME_WORDS];
	if (!session->running)
		return;
	session_say(session, "%.100s: waiting for its first run, although the time, %s, is over (--max-time)",
	            session->running->name, session_time_words(session, limit));
}

/* A time that the user gave is for all that is done. */
static void set_end(struct session *session)
{
	const struct experiment *e = session->experiment;
	int64_t second = INT64_C(1000000000), least = e->max_time / 10 > second ? e->max_time / 10 : second;
	if (e->max_time_given)
		source_set_end(session->source, &(struct source_end){session->started + e->max_time, least, say_late, session});
}

static int open_commands(struct session *session, struct error *err)
{
	session->source = source_new(session->experiment, session->spawner, session->cancel, err);
	if (!session->source)
		return -1;
	session->started = session_now(session);
	set_end(session);
	session->first_index = METRICS_OF_COMMANDS;
	session->samples = arena_alloc(&session->arena, session->sides, sizeof(*session->samples));
	if (!session->samples)
		return error_memory(err);
	if (source_machine(session->source, &session->machine, err) != 0 || describe_subjects(session, err) != 0 ||
	    session_open_indices(session, err) != 0 || source_describe(session->source, session->result, err) != 0)
		return -1;
	return add_questions(session, err);
}

static void close_commands(struct session *session)
{
	turns_close(session);
	session_close_indices(session);
	work_close(session);
	source_free(session->source);
}

/* ---- hooks ---- */

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
	for (size_t i = 0; i < session->sides && (status == 0 || after); i++) {
		const char *text = hook_text(&subjects[i], after);
		bool done = !text;
		for (size_t j = 0; j < i && !done; j++)
			done = hook_text(&subjects[j], after) && strcmp(hook_text(&subjects[j], after), text) == 0;
		if (!done && source_hook(session->source, text, after ? "cleanup" : "setup", status == 0 ? err : &later) != 0)
			status = -1;
	}
	return status;
}

static int begin(struct session *session, struct error *err)
{
	return run_hooks(session, false, err);
}

/* ---- measuring ---- */

static const struct rule *rule_of(const struct session *session)
{
	if (session->experiment->rank)
		return &rule_ranking;
	if (session->result->design.paired)
		return &rule_verdict;
	return session_judges_indices(session) ? &rule_readings : &rule_precision;
}

static int learn(struct session *session, struct error *err)
{
	struct question *question = &session->questions[0];
	if (session->experiment->work.given)
		return work_learn(session, err);
	if (session_learn(session, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides; s++)
		question->metric[s] = session->deciding;
	if ((session->experiment->rank && rank_check(session, err) != 0) || session_choose_design(session, err) != 0)
		return -1;
	question->rule = rule_of(session);
	question->unit_time = session->round_time;
	return turns_open(session, err);
}

static int keep_trial(struct session *session, struct error *err)
{
	struct question *question = &session->questions[0];
	if (question->runs > 0) { /* the first pairs have decided; perhaps they tell it well, too */
		session_kept(session);
		return question->rule->look(session, question, err);
	}
	if (!session->trial_counts)
		return 0;
	if (session_keep_trial(session, err) != 0 ||
	    (question->rule->feed && question->rule->feed(session, question, err) != 0))
		return -1;
	question->unbound = 0;
	session_kept(session);
	return 0;
}

/* Of rounds of chosen work each subject that needs one, in random order. */
static size_t next(struct session *session, size_t *chosen)
{
	static const size_t all[] = {0};
	size_t count = 0;
	const size_t *order = session->experiment->work.given ? schedule_next(&session->schedule) : all;
	for (size_t i = 0; i < session->count; i++)
		if (session->questions[order[i]].end == SESSION_GO_ON || turns_reopen(session, &session->questions[order[i]]))
			chosen[count++] = order[i];
	return count;
}

/* A pair in turns after those at once: in its own metric. */
static int turn_round(struct session *session, struct question *question, struct error *err)
{
	size_t run;
	const size_t *order = turns_begin_run(session, question, &run, err) == 0 ? session_order(session, run, err) : NULL;
	int lost = order ? session_turn(session, order, err) : -1;
	double values[2];
	for (size_t s = 0; s < 2; s++)
		values[s] = lost ? NAN : session_value(session, s, session->deciding);
	if (lost < 0 || turns_add(session, question, 0, values, err) != 0 || turns_end_run(session, question, err) != 0)
		return -1;
	return ROUND_NOTHING;
}

static int run_round(struct session *session, struct question *question, struct error *err)
{
	int lost;
	if (question->work)
		return work_round(session, question, err);
	if (turns_are_wanted(session, question))
		return turn_round(session, question, err);
	if (session->last - session->first < session->sides)
		lost = session_single(session, session->first, true, err);
	else
		lost = session_round(session, session->design, true, err);
	if (lost == 0 && session_company(session, question, err) != 0)
		return -1;
	return lost < 0 ? -1 : lost ? ROUND_LOST : ROUND_KEPT;
}

static int measure_round(struct session *session, struct question *question, struct error *err)
{
	if (watch_round(session->monitor, err) != 0)
		return -1;
	int round = run_round(session, question, err);
	session->more = source_ahead(session->source) > 0;
	session->cut_off |= round < 0 && source_was_ended(session->source);
	return round;
}

/* Wall time, without the time in which others had the CPU where the monitor cannot be one of them: it has CPUs of its
 * own. */
static double time_of(const struct session *session, size_t subject)
{
	double wall = session_value(session, subject, METRIC_WALL), delay = session_value(session, subject, METRIC_DELAY);
	bool known = session->samples[subject].single_threaded && !isnan(delay);
	return watch_apart(session->monitor) && known ? wall - delay : wall;
}

static int unkept(struct session *session, struct question *question, double *seconds, struct error *err)
{
	(void)question;
	int lost = session_round(session, session->design, false, err);
	*seconds = lost ? NAN : 0;
	for (size_t s = 0; s < session->sides && lost == 0; s++)
		*seconds += time_of(session, s);
	return lost;
}

/* A running mean of the last rounds keeps the estimate of a round's time near the present; one command alone, and
 * rounds of different work, take about as long as the last one. */
static void took(struct session *session, struct question *question, double seconds)
{
	if (session->ahead_time > 0)
		seconds = session->ahead_time;
	if (question->work)
		session->round_time = seconds;
	else if (session->last - session->first == session->sides)
		session->round_time += (seconds - session->round_time) * 0.1;
	question->unit_time = session->last - session->first == session->sides ? session->round_time : seconds;
}

static size_t watched_cpus(const struct session *session, const int **cpus, bool *bound)
{
	const struct experiment *e = session->experiment;
	*cpus = session->machine.cpus;
	*bound = true;
	switch (session->design) {
	case DESIGN_DUET: return 2;
	case DESIGN_TURNS:
	case DESIGN_SHARED: return 1;
	default: break;
	}
	*cpus = e->cpus;
	*bound = e->cpu_count == 1;
	return e->cpu_count;
}

static double quantum(const struct session *session)
{
	return source_quantum(session->source, session->deciding);
}

/* ---- the end ---- */

static int end(struct session *session, int status, struct error *err)
{
	struct error later;
	if (!session->source)
		return 0;
	int failed = session->experiment->work.given ? work_end(session, status, err)
	             : status == 0                   ? turns_note(session, err)
	                                             : 0;
	return run_hooks(session, true, failed ? &later : err) != 0 || failed ? -1 : 0;
}

static int finish(struct session *session, int status, struct error *err)
{
	struct result *result = session->result;
	(void)err;
	if (!session->source)
		return status;
	result->elapsed = session_elapsed(session);
	if (session->experiment->earlier && isfinite(session->experiment->earlier->elapsed))
		result->elapsed += session->experiment->earlier->elapsed;
	if (session->untidy)
		result_warn(result, "left-behind", "%s left processes behind (%s); they were killed and are not measured",
		            session->untidy->name, session->left_behind);
	whole_warn_failures(result, NULL);
	for (size_t i = 0; source_note(session->source, i); i++)
		result_warn(result, "machine", "%s", source_note(session->source, i));
	return status;
}

/* What would be done: nothing is tried over work amounts, which follow from the time that the first ones take. */
static int plan(struct session *session, struct buffer *out, struct error *err)
{
	struct error later;
	bool tries = !session->experiment->work.given;
	int status = tries ? begin(session, err) : 0;
	if (status == 0)
		status = commands_plan(session, out, err);
	if (tries && run_hooks(session, true, status == 0 ? err : &later) != 0)
		status = -1;
	return status;
}

const struct instrument instrument_commands = {
	.needs_spawner = true,
	.generations = 3,
	.check = source_check,
	.open = open_commands,
	.begin = begin,
	.learn = learn,
	.keep_trial = keep_trial,
	.next = next,
	.round = measure_round,
	.unkept = unkept,
	.took = took,
	.outlook = turns_outlook,
	.cpus = watched_cpus,
	.quantum = quantum,
	.end = end,
	.finish = finish,
	.plan = plan,
	.close = close_commands,
	.now = now,
	.cancelled = cancelled,
};
