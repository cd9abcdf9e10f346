/* Precision as a rule: the mean of one command, or of a benchmark on one side, until its interval is as short as was asked
 * for. The runs of a benchmark are estimated by what says how long they are (rule_auto.c). */
#include "session/programs.h"

#include "base/memory.h"
#include "decide/readings.h"

#include <math.h>

enum { LEAST_RUNS = 10 };

static size_t least_runs(const struct session *session, const struct question *question)
{
	if (question->name)
		return bench_least_runs(session, question);
	return question->min_runs ? question->min_runs : LEAST_RUNS;
}

static const struct estimate *estimate_of(const struct question *question)
{
	return question->lengths ? auto_rule_estimate(question->lengths) : &question->estimate;
}

static double run_mean(const struct measurement *m, size_t run)
{
	size_t n, from = series_span(&m->series, run, &n), skip = measurement_left_out(m, run);
	double sum = 0, known = 0;
	for (size_t i = from + (skip < n ? skip : 0); i < from + n; i++)
		if (!isnan(m->series.values[i])) {
			sum += m->series.values[i];
			known++;
		}
	return known > 0 ? sum / known : NAN;
}

int precision_feed(struct session *session, struct question *question, struct error *err)
{
	(void)err;
	const struct measurement *m = session_deciding(session, question, session->first);
	question->estimate.kind = m->mean_kind;
	for (; question->fed < question->runs; question->fed++)
		if (!question->lengths) /* which has seen every iteration */
			estimate_add(&question->estimate, run_mean(m, question->fed));
	return 0;
}

/* ---- --pi of `tare bench` ----
 *
 * Numbers that the program itself reports (tare_report, tare_unit) and that must be precise too before a benchmark is done.
 * The value of a run is its mean after the warm-up; the rule is that of rounds that average much (decide/readings.h). */

/* READINGS_FEW also when the program does not report it, or there is no memory. */
static struct readings look_at_index(const struct session *session, const struct question *b,
                                     const struct performance_index *pi)
{
	struct readings now = {.wait = READINGS_FEW};
	const struct measurement *m = subject_find_metric(&session->result->subjects[b->subject + session->first],
	                                                  pi->metric.name);
	struct readings_rule rule = readings_rule_for(session->experiment, pi);
	if (!m)
		return now;
	rule.least = bench_least_runs(session, b);
	rule.asked = 0; /* the least number of runs is seen to by the one who looks */
	rule.strict = false;
	size_t n = m->series.groups[0];
	double *means = mem_alloc(n, sizeof(*means));
	for (size_t run = 0; run < n && means; run++)
		means[run] = run_mean(m, run);
	if (!means || !readings_look(means, n, &rule, &now))
		now.wait = READINGS_FEW;
	mem_free(means);
	return now;
}

static bool indices_are_precise(const struct session *session, const struct question *b)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++)
		if (look_at_index(session, b, &e->pis[i]).wait != READINGS_ENOUGH)
			return false;
	return true;
}

/* ---- as a rule ---- */

static int look(struct session *session, struct question *question, struct error *err)
{
	(void)err;
	session->checks++;
	if (estimate_is_precise(estimate_of(question), session_alpha_one(session), session->experiment->precision,
	                        least_runs(session, question)) &&
	    (!question->name || indices_are_precise(session, question)))
		question->end = SESSION_PRECISE;
	return 0;
}

static double missing(const struct session *session, const struct question *question)
{
	if (question->end == SESSION_LOST)
		return INFINITY;
	return estimate_missing(estimate_of(question), session_alpha_one(session), session->experiment->precision,
	                        least_runs(session, question));
}

void precision_outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	estimate_now(estimate_of(question), session_alpha_one(session), &p->most.estimate, &p->most.low, &p->most.high);
	p->most.subject = question->name       ? question->name
	                  : session->sides > 1 ? session->experiment->subjects[session->first].name
	                                       : NULL;
	p->most.unit = session_deciding(session, question, session->first)->metric.unit;
	if (!question->name)
		p->left = missing(session, question) * session->round_time;
	p->most.target = session->experiment->precision;
}

static int conclude(struct session *session, struct question *b, struct error *err)
{
	(void)err;
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count && b->name && e->stop != STOP_FIXED; i++) {
		const char *name = e->pis[i].metric.name;
		bool known = subject_find_metric(&session->result->subjects[b->subject + session->first], name) != NULL;
		struct readings now = look_at_index(session, b, &e->pis[i]);
		if (now.wait != READINGS_ENOUGH)
			result_warn(session->result, "not-converged", "%s, %s: %s", b->name, name,
			            known ? readings_wait_words(now.wait) : "the benchmark does not report it");
	}
	return 0;
}

const struct rule rule_precision = {
	.feed = precision_feed,
	.look = look,
	.missing = missing,
	.outlook = precision_outlook,
	.conclude = conclude,
};
