/* Commands over work amounts: the amount goes into the command's words, and which time decides is found once rounds are
 * long enough. What the rounds show is rule_work.c's. */
#include "base/format.h"
#include "design/parameters.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where amounts are kept, and how long it may take. */
int work_open(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->budget = work_budget_for(e);
	session->facts.single_threaded = true;
	for (size_t s = 0; s < e->subject_count; s++) {
		struct subject *subject = &session->result->subjects[s];
		subject->work = arena_alloc(&session->result->arena, 1, sizeof(*subject->work));
		if (!subject->work)
			return error_memory(err);
		if (work_add(session, &session->questions[s], e->seed + s, err) != 0)
			return -1;
		work_result_init(subject->work);
		subject->work->speed_unit = arena_printf(&session->result->arena, "%s/s", e->work.unit[0] ? e->work.unit : "1");
		if (!subject->work->speed_unit)
			return error_memory(err);
	}
	/* A metric that is no time is told before anything runs. */
	if (e->metric_count > 0 && session_find_metric(session, &session->line_metric, err) != 0)
		return -1;
	const struct metric *metric = source_metric(session->source, session->line_metric);
	if (strcmp(metric->unit, "s") != 0)
		return error_full(err, ERROR_USAGE, "--metric", "choose wall, cpu, net, user or system",
		                  "work amounts need a metric that is a time, not '%.60s'", metric->name);
	/* Each alone; several in random order, which makes no pairs. */
	if (session_set_design(session, session->sides == 1 ? DESIGN_SOLO : DESIGN_SHUFFLED, "rounds of chosen work",
	                       session->machine.cpus, 0, err) != 0)
		return -1;
	session->result->design.paired = false;
	session->block = 1;
	return 0;
}

static int set_amount(struct session *session, size_t subject, double work, struct error *err)
{
	if (work == floor(work) && fabs(work) < 1e15)
		snprintf(session->work_text, sizeof(session->work_text), "%.0f", work);
	else
		format_exact(session->work_text, sizeof(session->work_text), work);
	struct parameter value = {"work", session->work_text};
	struct arena arena = {0};
	char *command = parameter_substitute(&arena, session->experiment->subjects[subject].command, &value, 1);
	int status = command ? source_set_command(session->source, subject, command, err) : error_memory(err);
	arena_release(&arena);
	return status;
}

int work_learn(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t s = 0; s < e->subject_count && session->monitor; s++) {
		double smallest = e->work.low > 0 ? e->work.low : fmin(1, e->work.high);
		if (set_amount(session, s, smallest, err) != 0 || session_single(session, s, false, err) < 0)
			return -1;
	}
	return 0;
}

/* The time that decides, once rounds are long enough to tell. */
static int choose_time(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	size_t found;
	session->line_chosen = true;
	session->facts.subjects = e->subject_count;
	session->facts.least_cpu_share = 1;
	session->line_metric = METRIC_WALL;
	if (work_unit_index(e)) {
		work_set_time(session, METRICS_OF_COMMANDS, METRIC_WALL);
		return 0;
	}
	for (size_t s = 0; s < e->subject_count; s++) {
		const struct measurement *metrics = session->result->subjects[s].metrics;
		size_t n = metrics[METRIC_WALL].series.n;
		double wall = n ? metrics[METRIC_WALL].series.values[n - 1] : NAN,
			   net = n ? metrics[METRIC_NET].series.values[n - 1] : NAN;
		double running = isnan(net) ? wall : net, cpu = n ? metrics[METRIC_CPU].series.values[n - 1] : NAN;
		session->facts.least_cpu_share = fmin(session->facts.least_cpu_share, running > 0 ? cpu / running : 0);
	}
	if (session_find_metric(session, &found, err) != 0)
		return -1;
	work_set_time(session, found, found);
	work_keep_to_known(session);
	return 0;
}

/* A session that nobody gave a time to gets what its least number of rounds needs. */
static void stretch_budget(struct session *session, const struct session_work *work, double seconds)
{
	const struct experiment *e = session->experiment;
	double share = work->amounts.from / work->amounts.work[work->amounts.n - 1];
	double needed = session_elapsed(session) +
	                1.5 * (double)work->goal.least * 2.5 * seconds * share * (double)e->subject_count;
	char budget[FORMAT_MAX], limit[FORMAT_MAX];
	if (e->max_time || e->stop == STOP_FIXED || work_unit_index(e) || needed <= session->budget)
		return;
	session_say(session,
	            "%zu rounds of different work take longer than %s: measuring for up to %s (--max-time sets it)",
	            work->goal.least, format_duration(limit, sizeof(limit), (int64_t)(session->budget * 1e9)),
	            format_duration(budget, sizeof(budget), (int64_t)(needed * 1e9)));
	session->budget = session->until = needed;
}

static bool all_found(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		if (!session->questions[i].work->amounts.found)
			return false;
	return true;
}

int work_round(struct session *session, struct question *question, struct error *err)
{
	struct session_work *work = question->work;
	size_t s = question->subject;
	double amount = work_next(session, work);
	bool found = work->amounts.found;
	if (isnan(amount))
		return error_memory(err);
	if (set_amount(session, s, amount, err) != 0)
		return -1;
	int lost = session_single(session, s, true, err);
	if (lost != 0)
		return lost;
	double seconds = session_value(session, s, METRIC_WALL);
	session->facts.single_threaded &= session->samples[s].single_threaded;
	if (work_keep(session, question, amount, seconds, err) != 0)
		return -1;
	if (!found && work->amounts.found)
		stretch_budget(session, work, seconds);
	if (!session->line_chosen && all_found(session) && choose_time(session, err) != 0)
		return -1;
	return ROUND_KEPT;
}

static void warn_short_rounds(struct session *session)
{
	bool too_short = false;
	char time[FORMAT_MAX];
	for (size_t i = 0; i < session->count; i++)
		too_short |= session->questions[i].work->amounts.too_short;
	if (too_short)
		result_warn(session->result, "short-rounds",
		            "even the largest work amount takes less than %s: shorter rounds are used; give a wider range",
		            format_duration(time, sizeof(time), (int64_t)(session->questions[0].work->goal.shortest * 1e9)));
}

/* With --ignore-failure a session may end without a single time. */
static int check_any(const struct session *session, struct error *err)
{
	for (size_t s = 0; s < session->sides; s++) {
		const struct subject *subject = &session->result->subjects[s];
		if (subject->metrics[0].series.n > 0)
			continue;
		return error_full(err, ERROR_SUBJECT, subject->name, "look at its output with --show-output",
		                  "every run failed, the first with: %.160s",
		                  subject->failure_count ? subject->failures[0].what : "nothing");
	}
	return 0;
}

int work_end(struct session *session, int status, struct error *err)
{
	if (session->count == 0 || !session->questions[session->count - 1].work)
		return 0;
	warn_short_rounds(session);
	if (status != 0 || check_any(session, err) == 0)
		return 0;
	session->result->stopped.reason = "failed";
	return -1;
}
