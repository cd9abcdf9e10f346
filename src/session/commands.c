/* The instrument of commands: processes, one or two at once, each run a value of every metric. All commands answer one
 * question together; over work amounts each has its own. */
#include "analysis/whole.h"
#include "base/buffer.h"
#include "base/random.h"
#include "decide/overhead.h"
#include "host/spawner.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
		for (size_t m = 0; m < source_metric_count(session->source); m++)
			if (session_add_metric(session, subject, *source_metric(session->source, m),
			                       source_quantum(session->source, m), err) != 0)
				return -1;
	}
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
	question->at_once = session->design == DESIGN_SHARED && session->deciding == METRIC_CPU;
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
	bool solo = session->last - session->first < session->sides;
	if (question->work)
		return work_round(session, question, err);
	if (turns_are_wanted(session, question))
		return turn_round(session, question, err);
	return solo ? session_single(session, session->first, true, err)
	            : session_round(session, session->design, true, err);
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
	const struct design_info *design = &session->result->design;
	bool own = design->cpu_count > 0;
	*cpus = own ? design->cpus : e->cpus;
	*bound = own || e->cpu_count == 1;
	return own ? design->cpu_count : e->cpu_count;
}

static double quantum(const struct session *session)
{
	return source_quantum(session->source, session->deciding);
}

/* ---- --overhead ----
 *
 * Pairs of runs with and without unit readings, in random order. Without means: TARE_READINGS=0 in the environment, which a
 * program that can do so takes as a request to report none, and its output thrown away unread. They come after the session; a
 * time that was given holds for them too. */

enum { PAIRS = 10, LEAST_PAIRS = 2 };

static int time_one(struct session *session, bool readings, double *seconds, struct error *err)
{
	source_want_readings(session->source, readings);
	int lost = session_single(session, 0, false, err);
	source_want_readings(session->source, true);
	*seconds = session_value(session, 0, METRIC_WALL);
	return lost < 0 ? -1 : 0;
}

int session_measure_overhead(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	double with[PAIRS], without[PAIRS], first, second, pair = 2 * session->round_time;
	struct random random;
	size_t n = 0;
	random_stream(&random, e->seed, 7);
	for (int i = 0; i < PAIRS && !session_is_stopped(session); i++) {
		double before = session_elapsed(session);
		if (e->max_time && before + pair > session->budget) {
			if (n >= LEAST_PAIRS)
				break;
			result_warn(session->result, "overhead",
			            "what unit readings cost was not measured: no time was left for it (--max-time)");
			return 0;
		}
		bool with_first = random_below(&random, 2) != 0;
		if (time_one(session, with_first, &first, err) != 0 || time_one(session, !with_first, &second, err) != 0)
			return -1;
		pair = session_elapsed(session) - before;
		session_tell(session, "what readings cost", &session->questions[0]);
		if (source_cancelled(session->source))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		if (isnan(first) || isnan(second))
			continue;
		with[n] = with_first ? first : second;
		without[n++] = with_first ? second : first;
	}
	struct overhead_result *overhead = arena_alloc(&session->result->arena, 1, sizeof(*overhead));
	if (!overhead)
		return error_memory(err);
	overhead_of(without, with, n, experiment_confidence_one(e), overhead);
	session->result->subjects[0].overhead = overhead;
	return 0;
}

/* ---- the end ---- */

static int end(struct session *session, int status, struct error *err)
{
	struct error later;
	if (!session->source)
		return 0;
	int failed = session->experiment->work.given ? work_end(session, status, err) : 0;
	if (status == 0)
		turns_note(session);
	if (run_hooks(session, true, failed ? &later : err) != 0)
		failed = -1;
	spawner_rest(session->spawner);
	return failed;
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
		result_warn(result, "left-behind", "%s left processes behind (%s); %s", session->untidy->name,
		            session->left_behind,
		            session->left_alive ? "some could not be killed, and ran beside what was measured after them"
		                                : "they were killed and are not measured");
	whole_warn_failures(result, NULL);
	for (size_t i = 0; source_note(session->source, i); i++)
		result_warn(result, "machine", "%s", source_note(session->source, i));
	return status;
}

/* ---- what would be done ---- */

/* The first of so many rounds as they would be measured. */
static void list_rounds(struct session *session, double rounds, struct buffer *out)
{
	enum { SHOWN = 8 };
	for (int round = 0; round < SHOWN && round < rounds; round++) {
		const size_t *order = schedule_next(&session->schedule);
		buffer_printf(out, "  round %d:", round + 1);
		for (size_t i = 0; i < session->sides; i++)
			buffer_printf(out, "%s %s", i ? "," : "", session->experiment->subjects[order[i]].name);
		buffer_char(out, '\n');
	}
	if (rounds > SHOWN)
		buffer_text_add(out, "  \xe2\x80\xa6\n");
}

/* Amounts follow from the time that the first ones take: nothing is tried for a plan. */
static void plan_work(const struct experiment *e, struct buffer *out)
{
	char time[FORMAT_MAX];
	buffer_printf(out, "work      %g to %g%s%s, doubled from the least until a round takes %s\n", e->work.low,
	              e->work.high, e->work.unit[0] ? " " : "", e->work.unit,
	              format_duration(time, sizeof(time), (int64_t)(work_goal_for(e).shortest * 1e9)));
	if (e->runs)
		buffer_printf(out, "rounds    %zu of each command\n", e->runs);
	else
		buffer_printf(out, "budget    %s, at least %zu rounds of each command\n",
		              format_duration(time, sizeof(time), (int64_t)(work_budget_for(e) * 1e9)), work_goal_for(e).least);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)e->seed);
}

static int plan_tried(struct session *session, struct buffer *out, struct error *err)
{
	char time[FORMAT_MAX], budget[FORMAT_MAX];
	const char *why;
	if (session_learn(session, err) != 0)
		return -1;
	bool automatic = strcmp(session->experiment->design, "auto") == 0;
	enum design_kind design = automatic ? design_default(&session->facts, &why)
	                                    : design_by_name(session->experiment->design);
	double left = session->budget - session_elapsed(session);
	buffer_printf(out, "design    %s%s\n", design_name(design),
	              automatic && session->sides > 1 ? " unless another one shows less variance when tried" : "");
	buffer_printf(out, "judged by %s\n", source_metric(session->source, session->deciding)->name);
	buffer_printf(out, "a round   %s, one run of each command\n",
	              format_quantity(time, sizeof(time), session->round_time, session->round_time / 10, "s"));
	/* A time that was given cuts a number of runs. */
	double fit = fmax(floor(left / session->round_time), 1), runs = (double)session->experiment->runs;
	bool cut = session->experiment->max_time && fit < runs;
	if (runs > 0 && cut)
		buffer_printf(out, "rounds    %.0f of %.0f, as many as fit into %s\n", fit, runs,
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)));
	else if (runs > 0)
		buffer_printf(out, "rounds    %.0f, about %s\n", runs,
		              format_duration(time, sizeof(time), (int64_t)(runs * session->round_time * 1e9)));
	else
		buffer_printf(out, "budget    %s: up to %.0f rounds; ends early if 6, 7, 8, 10, 12, 15, 18 … are enough\n",
		              format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)), fit);
	buffer_printf(out, "seed      %llu\n", (unsigned long long)session->experiment->seed);
	list_rounds(session, runs > 0 && !cut ? runs : fit, out);
	return 0;
}

static int plan(struct session *session, struct buffer *out, struct error *err)
{
	struct error later;
	if (session->experiment->work.given) {
		plan_work(session->experiment, out);
		return 0;
	}
	int status = begin(session, err) == 0 ? plan_tried(session, out, err) : -1;
	return run_hooks(session, true, status == 0 ? err : &later) == 0 ? status : -1;
}

const struct instrument instrument_commands = {
	.needs_spawner = true,
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
	.cancelled = cancelled,
};
