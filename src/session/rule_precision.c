/* Precision as a rule: the mean of one command, until its interval is as short as was asked for. */
#include "session/state.h"

#include <math.h>

enum { LEAST_RUNS = 10 };

static size_t least_runs(const struct question *question)
{
	return question->min_runs ? question->min_runs : LEAST_RUNS;
}

int precision_feed(struct session *session, struct question *question, struct error *err)
{
	(void)err;
	const struct measurement *m = session_deciding(session, question, session->first);
	question->estimate.kind = m->mean_kind;
	for (; question->fed < question->runs; question->fed++)
		estimate_add(&question->estimate, m->series.values[question->fed]);
	return 0;
}

static int look(struct session *session, struct question *question, struct error *err)
{
	(void)err;
	session->checks++;
	if (estimate_is_precise(&question->estimate, session_alpha_one(session), session->experiment->precision,
	                        least_runs(question)))
		question->end = SESSION_PRECISE;
	return 0;
}

static double missing(const struct session *session, const struct question *question)
{
	return estimate_missing(&question->estimate, session_alpha_one(session), session->experiment->precision,
	                        least_runs(question));
}

void precision_outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	estimate_now(&question->estimate, session_alpha_one(session), &p->most.estimate, &p->most.low, &p->most.high);
	p->most.subject = session->sides > 1 ? session->experiment->subjects[session->first].name : NULL;
	p->most.unit = session_deciding(session, question, session->first)->metric.unit;
	p->left = missing(session, question) * session->round_time;
	p->most.target = session->experiment->precision;
}

const struct rule rule_precision = {
	.feed = precision_feed,
	.look = look,
	.missing = missing,
	.outlook = precision_outlook,
};
