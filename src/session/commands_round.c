/* One round: every subject once, in the order and on the CPUs that the design says. */
#include "session/state.h"

#include "design/parameters.h"

#include <math.h>
#include <string.h>

double session_value(const struct session *session, size_t subject, size_t metric)
{
	return session->samples[subject].values[metric];
}

/* The CPU of a step: one for turns and shared, a side each in a duet, any otherwise. */
static int cpu_for(const struct session *session, enum design_kind design, size_t place)
{
	switch (design) {
	case DESIGN_TURNS:
	case DESIGN_SHARED: return session->machine.cpus[0];
	case DESIGN_DUET: return session->machine.cpus[place % 2];
	default: return session->experiment->cpu_count == 1 ? session->experiment->cpus[0] : -1;
	}
}

/* Over work amounts every subject has its own. */
static struct question *question_of(const struct session *session, size_t subject)
{
	return &session->questions[session->count > 1 ? subject : 0];
}

/* What a failed run means: with --ignore-failure it is noted, where it is kept; without it the session ends. */
static int take_failure(struct session *session, size_t subject, const struct sample *sample, bool keep,
                        struct error *err)
{
	const struct question *question = question_of(session, subject);
	size_t run = question->runs + turns_done(session, question);
	const struct experiment_subject *who = &session->experiment->subjects[subject];
	struct subject *entry = &session->result->subjects[subject];
	if (sample->status == SAMPLE_CANCELLED)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	bool ignored = sample->status == SAMPLE_OK ||
	               (session->experiment->ignore_failure && sample->status != SAMPLE_NOT_STARTED);
	if (ignored && !keep)
		return 0;
	if (result_add_failure(session->result, entry, (struct failure){sample->what, run, sample->exit_code}) != 0)
		return error_memory(err);
	if (ignored)
		return 0;
	if (sample->status == SAMPLE_NOT_STARTED && session->experiment->shell)
		return error_full(err, ERROR_SUBJECT, NULL, sample->next[0] ? sample->next : "'--shell default' takes /bin/sh",
		                  "the shell '%.60s' (--shell) did not start: %s", session->experiment->shell, sample->what);
	if (sample->status == SAMPLE_NOT_STARTED)
		error_set(err, ERROR_SUBJECT, "%s", sample->what);
	else
		error_set(err, sample->status == SAMPLE_TIMED_OUT ? ERROR_TIMEOUT : ERROR_SUBJECT, "%s in run %zu",
		          sample->what, run + 1);
	error_on(err, "%s", who->name);
	/* A name of the user's own does not say which program is missing. */
	size_t program = who->command ? strcspn(who->command, " \t") : 0;
	if (sample->status == SAMPLE_NOT_STARTED && !strstr(who->command, who->name) &&
	    !memmem(who->name, strlen(who->name), who->command, program))
		error_on(err, "%s (%s)", who->name, who->command);
	if (sample->status == SAMPLE_TIMED_OUT)
		return error_next(err, "--timeout sets how long a run may take, -i continues without it");
	if (sample->next[0])
		return error_next(err, "%s", sample->next);
	if (sample->status == SAMPLE_NOT_STARTED)
		return error_next(err, "is it the right path? A command that needs a shell takes --shell default");
	return error_next(
		err, "--show-output prints its output; -i continues anyway; --expect-exit CODE accepts that exit code");
}

/* A hook of a round of some work may have {work} in it too. */
static int run_hook(struct session *session, size_t subject, const char *command, const char *what, struct error *err)
{
	struct parameter work = {"work", session->work_text};
	struct arena arena = {0};
	if (!command)
		return 0;
	if (session->work_text[0])
		command = parameter_substitute(&arena, command, &work, 1);
	int status = command ? source_hook_of(session->source, subject, command, what, err) : error_memory(err);
	if (status != 0 && command)
		error_on(err, "%s", session->experiment->subjects[subject].name);
	arena_release(&arena);
	return status;
}

/* The shares of its time in which the busiest of the runs used a CPU and waited for one; that is known of single
 * threads alone. */
static void tell_wanted_cpu(struct session *session, const struct sample *samples, size_t count)
{
	double used = NAN, waited = NAN, most = -1;
	for (size_t i = 0; i < count; i++) {
		const double *values = samples[i].values;
		if (samples[i].status != SAMPLE_OK || !(values[METRIC_WALL] > 0))
			continue;
		double delay = samples[i].single_threaded ? values[METRIC_DELAY] : NAN;
		double wanted = (values[METRIC_CPU] + (isnan(delay) ? 0 : delay)) / values[METRIC_WALL];
		if (wanted <= most)
			continue;
		most = wanted;
		used = values[METRIC_CPU] / values[METRIC_WALL];
		waited = delay / values[METRIC_WALL];
	}
	session->cpu_used = used;
	session->cpu_waited = waited;
	watch_trial_ends(session->monitor, used, waited);
}

static int measure_steps(struct session *session, const struct source_step *steps, size_t count, struct error *err)
{
	const struct experiment_subject *subjects = session->experiment->subjects;
	struct sample samples[2];
	for (size_t i = 0; i < count; i++)
		if (run_hook(session, steps[i].subject, subjects[steps[i].subject].prepare, "prepare", err) != 0)
			return -1;
	watch_trial_begins(session->monitor);
	bool first = session->questions[0].runs == 0 && count == 1;
	session->running = first ? &subjects[steps[0].subject] : NULL;
	int status = source_measure(session->source, steps, count, samples, err);
	session->running = NULL;
	tell_wanted_cpu(session, samples, status == 0 ? count : 0);
	if (status != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		session->samples[steps[i].subject] = samples[i];
		if (samples[i].left_behind[0] && !session->untidy) {
			session->untidy = &subjects[steps[i].subject];
			memcpy(session->left_behind, samples[i].left_behind, sizeof(session->left_behind));
		}
		session->left_alive |= samples[i].left_alive;
		if (session_take_units(session, steps[i].subject, samples[i].numbers, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		if (run_hook(session, steps[i].subject, subjects[steps[i].subject].conclude, "conclude", err) != 0)
			return -1;
	return 0;
}

/* How many of the next rounds, of `runs` runs each, are run ahead: nothing may be asked for between them, and the loop
 * looks at its clock and its rules no later than it would notice an interruption. */
static size_t rounds_ahead(const struct session *session, const struct question *question, size_t runs)
{
	static const double most_seconds = 0.02;
	const struct experiment *e = session->experiment;
	double time = most_seconds;
	if (question->runs == 0 || !(question->unit_time > 0) || question->work || session->monitor ||
	    !source_may_run_ahead(session->source))
		return 0;
	for (size_t s = 0; s < e->subject_count; s++)
		if (e->subjects[s].prepare || e->subjects[s].conclude)
			return 0;
	if (session_is_bound_by_time(session))
		time = fmin(time, session->until - session_elapsed(session));
	double rounds = fmin((double)(SOURCE_AHEAD / runs), time / question->unit_time);
	if (question->max_runs)
		rounds = fmin(rounds, (double)question->max_runs - (double)question->runs);
	return rounds * (double)runs >= 2 ? (size_t)rounds : 0;
}

/* Each run of these rounds, in turns; `alone`: of one subject, instead of all in the order of the schedule. */
static int run_ahead(struct session *session, enum design_kind design, const struct source_step *alone,
                     struct error *err)
{
	size_t n = alone ? 1 : session->sides, orders[SOURCE_AHEAD];
	struct source_step steps[SOURCE_AHEAD];
	if (source_ahead(session->source) > 0)
		return 0;
	session->ahead_time = 0;
	size_t rounds = n <= SOURCE_AHEAD ? rounds_ahead(session, &session->questions[0], n) : 0;
	if (rounds == 0)
		return 0;
	if (!alone)
		schedule_ahead(&session->schedule, rounds, orders);
	for (size_t i = 0; i < rounds * n; i++)
		steps[i] = alone ? *alone : (struct source_step){orders[i], cpu_for(session, design, i % n)};
	int64_t before = session_now(session);
	if (source_run_ahead(session->source, steps, n * rounds, err) != 0)
		return -1;
	session->ahead_time = (double)(session_now(session) - before) / 1e9 / (double)rounds;
	return 0;
}

/* The time that the two of a duet ran side by side. */
static int keep_overlap(struct session *session, bool lost, struct error *err)
{
	const struct sample *a = &session->samples[0], *b = &session->samples[1];
	int64_t from = a->started > b->started ? a->started : b->started, to = a->ended < b->ended ? a->ended : b->ended;
	double overlap = lost ? NAN : to > from ? (double)(to - from) / 1e9 : 0;
	for (size_t s = 0; s < 2; s++)
		if (series_append(&subject_find_metric(&session->result->subjects[s], "overlap")->series, 0, overlap, err) != 0)
			return -1;
	return 0;
}

/* The values of a subject's run into its series; `without`: it was lost. */
static int keep_run(struct session *session, size_t subject, bool without, struct error *err)
{
	struct measurement *metrics = session->result->subjects[subject].metrics;
	for (size_t m = 0; m < source_metric_count(session->source); m++)
		if (series_append(&metrics[m].series, 0, without ? NAN : session_value(session, subject, m), err) != 0)
			return -1;
	return session_keep_units(session, subject, without, err);
}

/* Appends the round to every series. Where runs are pairs, one that failed is lost for all. */
static int keep_round(struct session *session, const size_t *order, bool lost, struct error *err)
{
	bool paired = session->result->design.paired;
	for (size_t s = 0; s < session->sides; s++)
		if (keep_run(session, s, paired ? lost : session->samples[s].status != SAMPLE_OK, err) != 0)
			return -1;
	if (session->design == DESIGN_DUET && keep_overlap(session, lost, err) != 0)
		return -1;
	session->questions[0].runs++;
	return paired ? session_add_order(session, order, err) : 0;
}

/* Of the subjects first … last − 1: ROUND_KEPT, ROUND_LOST or -1 */
static int collect_failures(struct session *session, size_t first, size_t last, bool keep, struct error *err)
{
	int round = ROUND_KEPT;
	for (size_t s = first; s < last; s++) {
		/* An exit code that the user ignores is told, but its run is one like others; what was killed, or failed
		 * its check, is lost. */
		const struct sample *sample = &session->samples[s];
		bool lost = sample->status != SAMPLE_OK;
		if ((lost || sample->what[0]) && take_failure(session, s, sample, keep, err) != 0)
			return -1;
		round = lost ? ROUND_LOST : round;
	}
	return round;
}

static int measure_apart(struct session *session, enum design_kind design, const size_t *order, bool keep,
                         struct error *err)
{
	for (size_t i = 0; i < session->sides; i++) {
		struct source_step step = {order[i], cpu_for(session, design, i)};
		if (measure_steps(session, &step, 1, err) != 0)
			return -1;
		if (session->samples[order[i]].status != SAMPLE_OK && !session->experiment->ignore_failure)
			return take_failure(session, order[i], &session->samples[order[i]], keep, err);
	}
	return 0;
}

int session_turn(struct session *session, const size_t *order, struct error *err)
{
	if (measure_apart(session, DESIGN_TURNS, order, true, err) != 0)
		return -1;
	return collect_failures(session, 0, session->sides, true, err);
}

/* Each of the pair that was just kept, alone on the CPU that it had. */
static int measure_alone(struct session *session, struct question *question, struct error *err)
{
	const size_t *order = session->schedule.order;
	double together[2];
	for (size_t s = 0; s < 2; s++)
		together[s] = session_value(session, s, session->deciding);
	for (size_t i = 0; i < 2; i++) {
		size_t s = order[i];
		struct source_step step = {s, cpu_for(session, DESIGN_DUET, i)};
		if (measure_steps(session, &step, 1, err) != 0)
			return -1;
		const struct sample *sample = &session->samples[s];
		if (sample->status == SAMPLE_OK)
			session_take_company(session, question, s, together[s], session_value(session, s, session->deciding));
		else if (take_failure(session, s, sample, false, err) != 0)
			return -1;
	}
	return 0;
}

/* In a duet each is measured alone too, where that is due. */
static int keep_company(struct session *session, struct error *err)
{
	struct question *question = &session->questions[0];
	enum { EVERY = 3, MOST = 10 }; /* pairs; the two of them, alone: 20 runs at most */
	size_t done = question->company[0].n;
	bool due = session->design == DESIGN_DUET && done < MOST && done * EVERY < question->runs;
	return due ? measure_alone(session, question, err) : 0;
}

int session_round(struct session *session, enum design_kind design, bool keep, struct error *err)
{
	struct source_step steps[2];
	bool at_once = design == DESIGN_DUET || design == DESIGN_SHARED;
	if (keep && !at_once && run_ahead(session, design, NULL, err) != 0)
		return -1;
	const size_t *order = schedule_next(&session->schedule);
	if (at_once) {
		for (size_t i = 0; i < 2; i++)
			steps[i] = (struct source_step){order[i], cpu_for(session, design, i)};
		if (measure_steps(session, steps, 2, err) != 0)
			return -1;
	} else if (measure_apart(session, design, order, keep, err) != 0) {
		return -1;
	}
	int round = collect_failures(session, 0, session->sides, keep, err);
	if (round < 0 || !keep)
		return round;
	if (keep_round(session, order, round == ROUND_LOST, err) != 0)
		return -1;
	return round == ROUND_KEPT && keep_company(session, err) != 0 ? -1 : round;
}

int session_keep_trial(struct session *session, struct error *err)
{
	int round = collect_failures(session, 0, session->sides, true, err);
	return round < 0 ? -1 : keep_round(session, session->schedule.order, round == ROUND_LOST, err);
}

int session_single(struct session *session, size_t subject, bool keep, struct error *err)
{
	struct question *question = question_of(session, subject);
	struct source_step step = {subject, cpu_for(session, DESIGN_SOLO, 0)};
	if ((keep && run_ahead(session, DESIGN_SOLO, &step, err) != 0) || measure_steps(session, &step, 1, err) != 0)
		return -1;
	int round = collect_failures(session, subject, subject + 1, keep, err);
	if (round < 0 || !keep || (round == ROUND_LOST && question->work)) /* an amount without its time says nothing */
		return round;
	if (keep_run(session, subject, round == ROUND_LOST, err) != 0)
		return -1;
	question->runs++;
	return round;
}
