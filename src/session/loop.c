/* The loop: rounds of what is open until it is answered or the time is over. Knows neither what measures nor what decides,
 * only their tables. */
#include "base/array.h"
#include "base/memory.h"
#include "decide/auto_rule.h"
#include "session/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- clock, words ---- */

int64_t session_now(const struct session *session)
{
	return clock_now(&session->host);
}

double session_elapsed(const struct session *session)
{
	return (double)(session_now(session) - session->started) / 1e9;
}

bool session_cancelled(const struct session *session)
{
	return session->instrument->cancelled && session->instrument->cancelled(session);
}

void session_say(struct session *session, const char *format, ...)
{
	char text[1024];
	va_list args;
	if (!session->observer || !session->observer->note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	session->observer->note(session->observer->context, text);
}

void session_kept(struct session *session)
{
	if (session->observer && session->observer->round)
		session->observer->round(session->observer->round_context, session->result, session->more);
}

/* Seconds that are left: what is known of it, at most the rest of the time. */
static void set_left(const struct session *session, const struct question *question, struct session_progress *now)
{
	const struct experiment *e = session->experiment;
	double rest = fmax(now->budget - now->elapsed, 0), asked = (double)e->runs, runs = 0,
		   sides = (double)session->sides;
	/* A round of commands has a run of each, one of some work that of one; in a solo of several they come one after the
	 * other. */
	for (size_t i = 0; i < session->count; i++)
		runs += fmax(asked - (double)(e->work.given ? session->questions[i].tried : question->runs), 0);
	if (session->design == DESIGN_SOLO && !e->work.given)
		runs = fmax((asked * (sides - (double)session->first) - (double)question->runs) / sides, 0);
	if (e->runs)
		now->left = runs * session->round_time;
	if ((!e->runs || e->max_time) && !(now->left < rest))
		now->left = rest;
}

const char *session_time_words(const struct session *session, char words[SESSION_TIME_WORDS])
{
	const struct experiment *e = session->experiment;
	char part[FORMAT_MAX], whole[FORMAT_MAX];
	int64_t time = e->max_time ? e->max_time : (int64_t)(session->budget * 1e9);
	format_duration(part, sizeof(part), time);
	if (e->max_time_asked > time)
		snprintf(words, SESSION_TIME_WORDS, "%s of %s", part, format_duration(whole, sizeof(whole), e->max_time_asked));
	else
		snprintf(words, SESSION_TIME_WORDS, "%s", part);
	return words;
}

static const struct session_estimate nothing_known = {.estimate = NAN, .low = NAN, .high = NAN, .target = NAN};

static struct session_estimate estimate_of(struct session *session, const struct question *question)
{
	struct session_progress now = {.most = nothing_known};
	if (question->rule && question->rule->outlook)
		question->rule->outlook(session, question, &now);
	now.most.subject = question->name;
	now.most.decided = question->end != SESSION_GO_ON;
	return now.most;
}

size_t session_others(const struct session_progress *now, struct session_estimate *out, size_t room)
{
	size_t count = 0;
	for (int ended = 0; ended < 2; ended++)
		for (size_t i = 0; i < now->asked; i++) {
			const struct question *question = &now->session->questions[i];
			if (question == now->question || question->runs == 0 || question->end == SESSION_LOST ||
			    (question->end != SESSION_GO_ON) != ended)
				continue;
			if (count < room)
				out[count] = estimate_of(now->session, question);
			count++;
		}
	return count;
}

void session_tell(struct session *session, const char *phase, const struct question *question)
{
	if (!session->observer || !session->observer->progress)
		return;
	bool suite = session->programs != NULL;
	struct session_progress now = {.phase = phase,
	                               .elapsed = session_elapsed(session),
	                               .budget = session->budget,
	                               .most = nothing_known,
	                               .left = NAN,
	                               .used = session->cpu_used,
	                               .waited = session->cpu_waited,
	                               .asked = suite ? session->count : 0,
	                               .session = session,
	                               .question = question};
	if (suite && !session_is_bound_by_time(session))
		now.budget = INFINITY;
	for (size_t i = 0; i < now.asked; i++) {
		const struct question *one = &session->questions[i];
		now.done += one->end != SESSION_GO_ON && one->end != SESSION_LOST;
		now.left_out += one->end == SESSION_LOST;
		now.untouched += one->end == SESSION_GO_ON && one->runs == 0;
	}
	if (question && question->runs > 0) {
		now.runs = question->runs;
		now.pairs = session->result->design.paired ? question->runs : 0;
		if (question->rule && question->rule->outlook)
			question->rule->outlook(session, question, &now);
		if (session->instrument->outlook)
			session->instrument->outlook(session, question, &now);
		if (!suite)
			set_left(session, question, &now);
	}
	session->observer->progress(session->observer->context, &now);
}

/* ---- questions ---- */

int session_add_questions(struct session *session, size_t count, size_t sides, struct error *err)
{
	if (array_reserve(&session->questions, &session->question_capacity, session->count + count) != 0)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		struct question *question = &session->questions[session->count++];
		*question = (struct question){.sides = sides};
		question->metric = arena_alloc(&session->arena, sides, sizeof(*question->metric));
		question->alone = arena_alloc(&session->arena, sides, sizeof(*question->alone));
		question->company = arena_alloc(&session->arena, sides, sizeof(*question->company));
		if (!question->metric || !question->alone || !question->company)
			return error_memory(err);
	}
	return 0;
}

int session_add_metric(struct session *session, struct subject *subject, struct metric metric, double quantum,
                       struct error *err)
{
	struct measurement *added = subject ? result_add_metric(session->result, subject, metric.name, metric.unit,
	                                                        metric.better, levels_of_runs, 2)
	                                    : NULL;
	if (!added)
		return error_memory(err);
	added->quantum = quantum;
	return 0;
}

struct measurement *session_deciding(const struct session *session, const struct question *question, size_t side)
{
	return &session->result->subjects[question->subject + side].metrics[question->metric[side]];
}

double session_alpha(const struct session *session)
{
	const struct experiment *e = session->experiment;
	/* In a ranking where some pairs have judges and others are apart, each kind gets half. */
	bool both = e->rivals && e->subject_count > 1 && !e->welch;
	return (1 - experiment_confidence(e)) * (both ? 0.5 : 1);
}

double session_alpha_one(const struct session *session)
{
	return 1 - experiment_confidence_one(session->experiment);
}

bool session_is_bound_by_time(const struct session *session)
{
	const struct experiment *e = session->experiment;
	return e->stop != STOP_FIXED || e->max_time || !e->runs;
}

bool session_is_time_over(const struct session *session, const struct question *question)
{
	if (!session_is_bound_by_time(session) || question->tried < question->unbound)
		return false;
	return session_elapsed(session) + question->unit_time > session->until;
}

/* ---- order ---- */

static int write_order(struct session *session, const size_t *order, struct error *err)
{
	struct design_info *design = &session->result->design;
	if (!design->paired)
		return 0;
	const char *text = order_text(&session->result->arena, order, session->sides);
	if (!text || array_add_in(&session->result->arena, &design->order, design->order_count) != 0)
		return error_memory(err);
	design->order[design->order_count++] = text;
	return 0;
}

int session_add_order(struct session *session, const size_t *order, struct error *err)
{
	if (array_reserve(&session->orders, &session->order_capacity, (session->order_count + 1) * session->sides) != 0)
		return error_memory(err);
	memcpy(session->orders + session->order_count * session->sides, order, session->sides * sizeof(*order));
	session->order_count++;
	return write_order(session, order, err);
}

const size_t *session_order(struct session *session, size_t index, struct error *err)
{
	while (index >= session->order_count)
		if (session_add_order(session, schedule_next(&session->schedule), err) != 0)
			return NULL;
	return session->orders + index * session->sides;
}

/* ---- life ---- */

int session_open(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->host = host_real();
	session->started = session_now(session);
	session->budget = e->max_time ? (double)e->max_time / 1e9 : 60;
	session->sides = session->last = e->subject_count;
	session->until = INFINITY;
	session->cpu_used = session->cpu_waited = NAN;
	random_stream(&session->random, e->seed, 1);
	session->result->seed = e->seed;
	session->result->name = e->name ? arena_strdup(&session->result->arena, e->name) : NULL;
	memcpy(session->result->design.levels, levels_of_runs, sizeof(levels_of_runs));
	session->result->design.level_count = 2;
	if (schedule_init(&session->schedule, e->subject_count, e->seed, err) != 0 ||
	    session_pair_sides(session, err) != 0 || session->instrument->open(session, err) != 0)
		return -1;
	session->chosen = arena_alloc(&session->arena, session->count, sizeof(*session->chosen));
	return session->chosen ? 0 : error_memory(err);
}

void session_close(struct session *session)
{
	if (session->instrument->close)
		session->instrument->close(session);
	mem_free(session->questions);
	mem_free(session->orders);
	schedule_release(&session->schedule);
	jury_release(&session->jury);
	arena_release(&session->arena);
}

/* ---- measuring ---- */

/* A round of some work that failed is one of so many; of a benchmark's runs those count that tell something. */
static bool has_its_count(const struct question *question)
{
	size_t most = question->max_runs, runs = question->work ? question->tried : question->runs;
	if (most == 0)
		return false;
	return question->lengths ? auto_rule_usable_runs(question->lengths) >= most || runs >= 2 * most : runs >= most;
}

static int look(struct session *session, struct question *question, struct error *err)
{
	const struct rule *rule = question->rule;
	if (rule && rule->look && session->experiment->stop != STOP_FIXED && rule->look(session, question, err) != 0)
		return -1;
	if (question->end == SESSION_GO_ON && has_its_count(question))
		question->end = SESSION_COUNTED;
	return 0;
}

int session_took(struct session *session, struct question *question, int round, int64_t before, struct error *err)
{
	const struct rule *rule = question->rule;
	question->tried++;
	if (round < 0)
		return -1;
	if (round != ROUND_NOTHING && !session->instrument->nested)
		session_kept(session);
	int64_t measured = session_now(session);
	if (round == ROUND_KEPT && rule && rule->feed && rule->feed(session, question, err) != 0)
		return -1;
	if (session->instrument->took)
		session->instrument->took(session, question, (double)(session_now(session) - before) / 1e9);
	if (session_cancelled(session))
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	if (round != ROUND_NOTHING && look(session, question, err) != 0)
		return -1;
	session->deciding_time += session_now(session) - measured;
	if (!session->instrument->nested)
		session_tell(session, "measuring", question);
	return 0;
}

bool session_is_stopped(const struct session *session)
{
	const struct session_observer *observer = session->observer;
	return observer && observer->enough && observer->enough(observer->context);
}

int session_measure(struct session *session, struct error *err)
{
	bool measured = true;
	while (measured && !session->enough) {
		measured = false;
		session->chosen_count = session->instrument->next ? session->instrument->next(session, session->chosen)
		                                                  : session->questions[0].end == SESSION_GO_ON;
		for (size_t i = 0; i < session->chosen_count; i++) {
			struct question *question = &session->questions[session->chosen[i]];
			if (question->end != SESSION_GO_ON || session_is_time_over(session, question))
				continue;
			measured = true;
			int64_t before = session_now(session);
			int round = session->instrument->round(session, question, err);
			if (session_took(session, question, round, before, err) == 0) {
				session->enough = session_is_stopped(session);
				if (session->enough)
					return 0;
				continue;
			}
			/* A hook that the end of the time has cut off is no failure where there is something to tell. */
			return question->runs > 0 && session->cut_off ? 0 : -1;
		}
	}
	return 0;
}
