#include "session/scripted.h"

static struct scripted *of(const struct session *session)
{
	return session->caller;
}

static size_t index_of(const struct session *session, const struct question *question)
{
	return (size_t)(question - session->questions);
}

static double value_of(const struct session *session, size_t question, size_t side, size_t round)
{
	return of(session)->value ? of(session)->value(question, side, round) : 1;
}

static bool cancelled(const struct session *session)
{
	return of(session)->cancel_after && of(session)->all_rounds >= of(session)->cancel_after;
}

static int add_subject(struct session *session, const char *name, struct error *err)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	const char *unit = of(session)->unit;
	struct subject *subject = result_add_subject(session->result, name);
	if (!subject || !result_add_metric(session->result, subject, unit ? "rate" : "cpu", unit ? unit : "s",
	                                   unit ? BETTER_HIGHER : BETTER_LOWER, levels, 2))
		return error_memory(err);
	return 0;
}

static int open_script(struct session *session, struct error *err)
{
	static const char *const names[SCRIPTED_QUESTIONS] = {"first", "second", "third"};
	const struct experiment *e = session->experiment;
	struct scripted *script = of(session);
	size_t count = script->questions ? script->questions : 1;
	script->seconds = script->seconds > 0 ? script->seconds : 1;
	session->budget = script->budget > 0 ? script->budget : 60;
	session->design = script->design;
	session->round_time = script->seconds;
	session->block = count == 1;
	session->result->design.name = design_name(script->design);
	session->result->design.paired = session->sides > 1 && script->design != DESIGN_SOLO;
	if (session_add_questions(session, count, session->sides, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct question *question = &session->questions[i];
		question->name = count > 1 ? names[i] : NULL;
		question->rule = script->rule;
		question->unit_time = script->seconds;
		question->min_runs = e->min_runs;
		question->max_runs = e->runs ? e->runs : e->max_runs;
		question->subject = session->result->subject_count;
		question->has_subjects = true;
		for (size_t s = 0; s < session->sides; s++) {
			question->alone[s] = value_of(session, i, s, 0);
			if (add_subject(session, e->subjects[s].name, err) != 0)
				return -1;
		}
	}
	return 0;
}

static int learn(struct session *session, struct error *err)
{
	(void)session;
	(void)err;
	return 0;
}

static size_t next(struct session *session, size_t *chosen)
{
	size_t count = 0;
	for (size_t i = 0; i < session->count; i++)
		if (session->questions[i].end == SESSION_GO_ON)
			chosen[count++] = i;
	return count;
}

static int play_round(struct session *session, struct question *question, struct error *err)
{
	struct scripted *script = of(session);
	size_t i = index_of(session, question), round = script->rounds[i]++;
	int lost = 0;
	if (script->all_rounds < SCRIPTED_LOG - 1)
		script->log[script->all_rounds] = (char)('0' + i);
	script_pass(script->seconds);
	session->cut_off = script->cut_off;
	if (++script->all_rounds == script->fails_at)
		return error_set(err, ERROR_SUBJECT, "the script ends here");
	for (size_t s = session->first; s < session->last; s++) {
		double value = value_of(session, i, s, round);
		struct measurement *m = session_deciding(session, question, s);
		lost |= isnan(value);
		if (series_append(&m->series, 0, value, err) != 0)
			return -1;
	}
	if (session_order(session, question->runs++, err) == NULL)
		return -1;
	return lost ? ROUND_LOST : ROUND_KEPT;
}

static size_t cpus(const struct session *session, const int **out, bool *bound)
{
	(void)session;
	*out = NULL;
	*bound = false;
	return 0;
}

static int end(struct session *session, int status, struct error *err)
{
	(void)status;
	(void)err;
	of(session)->ended++;
	return 0;
}

static int finish(struct session *session, int status, struct error *err)
{
	(void)err;
	session->result->elapsed = session_elapsed(session);
	return status;
}

static void close_script(struct session *session)
{
	(void)session;
}

const struct instrument instrument_scripted = {
	.open = open_script,
	.learn = learn,
	.next = next,
	.round = play_round,
	.cpus = cpus,
	.end = end,
	.finish = finish,
	.close = close_script,
	.cancelled = cancelled,
};
