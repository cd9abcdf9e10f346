/* Two processes on one CPU share its caches: a difference that shows there is one, but its size may be exaggerated where
 * the sides need different amounts of cache. So what is called faster or slower, commands or a benchmark, is measured
 * again in turns, one process after the other on one CPU, until the half-width is a third of the estimate (of a gate:
 * until that is broken or held), the time is over, or there are as many pairs in turns as a fixed number asks for at once.
 * The size in turns is what is told; its values are a metric of their own. */
#include "model/metric.h"
#include "session/programs.h"

#include <math.h>

static const double PART_OF_ESTIMATE = 1.0 / 3;

/* A benchmark that was called. */
struct turns {
	bool asked, called; /* what its runs with both sides on one CPU say, once they have ended */
	bool begun, confirmed;
	size_t runs;
	struct judge judge;
	struct verdict_numbers together, numbers;
	const char *metric; /* its name in the result */
};

int turns_open(struct session *session, struct error *err)
{
	if (session->design != DESIGN_SHARED)
		return 0;
	session->turns = arena_alloc(&session->arena, session->count, sizeof(struct turns));
	return session->turns ? 0 : error_memory(err);
}

void turns_close(struct session *session)
{
	for (size_t i = 0; session->turns && i < session->count; i++)
		judge_release(&session->turns[i].judge);
}

size_t turns_done(const struct session *session, const struct question *b)
{
	return session->turns ? session->turns[b - session->questions].runs : 0;
}

static const struct verdict_part *size_of(const struct verdict_numbers *numbers)
{
	return numbers->typical.used ? &numbers->typical : &numbers->total;
}

/* What its judge says when nothing more is measured at once. */
static bool is_called(const struct session *session, struct turns *turns, const struct question *b, bool ended)
{
	bool correlated;
	if (turns->asked || !ended || b->end == SESSION_LOST || b->stable)
		return turns->called;
	turns->asked = true;
	if (judge_last_look(&session->jury.judges[b - session->questions], &turns->together, &correlated) != STATS_OK)
		return false;
	enum ratio_verdict verdict = turns->together.verdict;
	turns->called = verdict == RATIO_LOWER || verdict == RATIO_HIGHER || verdict == RATIO_MIXED;
	return turns->called;
}

/* A fixed number of runs at once allows as many in turns. */
static bool are_used_up(const struct session *session, const struct question *b, const struct turns *turns)
{
	const struct experiment *e = session->experiment;
	return e->stop == STOP_FIXED && e->runs > 0 && turns->runs >= b->runs;
}

bool turns_are_wanted(struct session *session, const struct question *b)
{
	struct turns *turns = session->turns ? &session->turns[b - session->questions] : NULL;
	return turns && b->at_once && b->end != SESSION_LOST && is_called(session, turns, b, b->end != SESSION_GO_ON) &&
	       !turns->confirmed && !are_used_up(session, b, turns);
}

bool turns_reopen(struct session *session, struct question *b)
{
	if (b->end == SESSION_GO_ON || !turns_are_wanted(session, b) || session_is_time_over(session, b))
		return false;
	b->end = SESSION_GO_ON;
	return true;
}

static int begin(struct session *session, const struct question *b, struct turns *turns, struct error *err)
{
	struct metric metric = session_deciding(session, b, 0)->metric;
	metric.name = turns->metric = arena_printf(&session->result->arena, "%s" METRIC_IN_TURNS, metric.name);
	if (!turns->metric)
		return error_memory(err);
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		if (session_add_metric(session, subject, metric, session_deciding(session, b, s)->quantum, err) != 0)
			return -1;
	}
	judge_init(&turns->judge, &session->jury.judges[b - session->questions].options);
	turns->begun = true;
	return 0;
}

static bool is_narrow(const struct verdict_part *part)
{
	if (!part->used || part->unbounded || !(part->interval.low > 0))
		return false;
	return 0.5 * log(part->interval.high / part->interval.low) <= PART_OF_ESTIMATE * fabs(log(part->estimate));
}

/* Of a suite with as much evidence as Holm may ask for when all is compared: what the others say by then is not known. */
static enum gate gate_in_turns(const struct jury *jury, size_t judge, const struct verdict_numbers *n)
{
	double p = gate_broken_p(n, jury->gate, jury->better[judge]) * (double)jury->count;
	return gate_corrected(n, p, jury->judges[judge].options.verdict.alpha, jury->gate, jury->better[judge]);
}

/* Narrow enough, or shown to be the same; where there is a gate, that alone is asked. */
static bool is_confirmed(const struct session *session, const struct question *b, const struct turns *turns)
{
	const struct verdict_numbers *n = &turns->numbers;
	const struct jury *jury = &session->jury;
	size_t i = (size_t)(b - session->questions);
	if (n->runs < (session->guests ? bench_least_runs(session, b) : VERDICT_FIRM_PAIRS))
		return false;
	if (!isnan(jury->gate))
		return gate_in_turns(jury, i, n) != GATE_OPEN;
	return n->verdict == RATIO_SAME || is_narrow(&n->typical) || is_narrow(&n->total);
}

/* From now on the values in turns are those that decide, and their judge is the one that is asked. */
static void tell_by_turns(struct session *session, struct question *b, struct turns *turns)
{
	struct judge *asked = &session->jury.judges[b - session->questions], together = *asked;
	turns->confirmed = true;
	b->end = SESSION_DECIDED;
	b->fed = b->runs; /* also one at once that was lost last: this judge has seen all that is its own */
	*asked = turns->judge;
	turns->judge = together;
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		b->metric[s] = (size_t)(subject_find_metric(subject, turns->metric) - subject->metrics);
		subject->metric = turns->metric;
	}
}

int turns_begin_run(struct session *session, struct question *b, size_t *run, struct error *err)
{
	struct turns *turns = &session->turns[b - session->questions];
	*run = turns->runs;
	return turns->begun ? 0 : begin(session, b, turns, err);
}

int turns_add(struct session *session, struct question *b, size_t row, const double values[2], struct error *err)
{
	struct turns *turns = &session->turns[b - session->questions];
	const size_t *order = session_order(session, turns->runs, err);
	size_t base = session->experiment->reference;
	for (size_t s = 0; s < 2; s++) {
		struct measurement *m = subject_find_metric(&session->result->subjects[b->subject + s], turns->metric);
		if (series_append(&m->series, row == 0 ? 0 : 1, values[s], err) != 0)
			return -1;
	}
	return order ? judge_add(&turns->judge, values[base], values[!base], order[0] != base, err) : -1;
}

int turns_end_run(struct session *session, struct question *b, struct error *err)
{
	struct turns *turns = &session->turns[b - session->questions];
	bool correlated;
	turns->runs++;
	if (session->block == 0 && judge_end_unit(&turns->judge, err) != 0)
		return -1;
	if (session->block == 0 || turns->judge.due)
		judge_look(&turns->judge, &turns->numbers, &correlated);
	if (is_confirmed(session, b, turns))
		tell_by_turns(session, b, turns);
	else if (are_used_up(session, b, turns))
		b->end = SESSION_COUNTED; /* no further run at once, which would allow another in turns */
	return 0;
}

void turns_outlook(const struct session *session, const struct question *b, struct session_progress *p)
{
	const struct turns *turns = session->turns ? &session->turns[b - session->questions] : NULL;
	if (!turns || !turns->begun || turns->confirmed)
		return;
	const struct verdict_part *size = size_of(&turns->numbers);
	p->phase = "confirming the size in turns";
	p->runs = p->pairs = turns->runs;
	p->most.estimate = size->used ? size->estimate : NAN;
	p->most.low = size->used ? size->interval.low : NAN;
	p->most.high = size->used ? size->interval.high : NAN;
	p->most.target = PART_OF_ESTIMATE * fabs(p->most.estimate - 1);
	p->most.decided = false;
}

static void note(struct session *session, const struct question *b, const struct turns *turns)
{
	const struct verdict_part *together = size_of(&turns->together), *alone = size_of(&turns->numbers);
	const char *about = b->name ? b->name : session->experiment->subjects[!session->experiment->reference].name;
	if (!turns->confirmed)
		result_about_warn(session->result, "size-unconfirmed", about,
		                  "the two differ when they share one CPU; %s to confirm in turns by how much",
		                  are_used_up(session, b, turns) ? "that number of runs is too small" : "there was no time");
	else if (alone->interval.high < together->interval.low || alone->interval.low > together->interval.high)
		result_about_warn(
			session->result, "cache-company", about,
			"%+.1f %% with both programs on one CPU, %+.1f %% in turns, which is the size reported: they compete for caches",
			100 * (together->estimate - 1), 100 * (alone->estimate - 1));
}

void turns_note(struct session *session)
{
	struct turns *turns = session->turns;
	for (size_t i = 0; turns && i < session->count; i++) {
		const struct question *b = &session->questions[i];
		if (b->has_subjects && b->at_once && is_called(session, &turns[i], b, true))
			note(session, b, &turns[i]);
	}
}
