/* Two processes on one CPU share its caches: a difference that shows there is one, but its size may be exaggerated where
 * the sides need different amounts of cache. So a benchmark that is called faster or slower is measured again by turns,
 * one process after the other on one CPU, until the half-width is a third of the estimate or the time is over. The size
 * by turns is what is told; its values are a metric of their own. */
#include "session/programs.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

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

struct turns *turns_new(const struct session *session)
{
	return mem_zalloc(session->count, sizeof(struct turns));
}

void turns_free(struct turns *turns, size_t count)
{
	for (size_t i = 0; turns && i < count; i++)
		judge_release(&turns[i].judge);
	mem_free(turns);
}

static const struct verdict_part *size_of(const struct verdict_numbers *numbers)
{
	return numbers->typical.used ? &numbers->typical : &numbers->total;
}

/* What its judge says when nothing more is measured at once. */
static bool is_called(const struct session *session, struct turns *turns, const struct question *b)
{
	size_t i = (size_t)(b - session->questions);
	bool correlated;
	if (turns[i].asked || b->end == SESSION_GO_ON || b->end == SESSION_LOST || b->stable)
		return turns[i].called;
	turns[i].asked = true;
	if (judge_last_look(&session->jury.judges[i], &turns[i].together, &correlated) != STATS_OK)
		return false;
	enum ratio_verdict verdict = turns[i].together.verdict;
	turns[i].called = verdict == RATIO_LOWER || verdict == RATIO_HIGHER || verdict == RATIO_MIXED;
	return turns[i].called;
}

bool turns_are_wanted(struct session *session, struct turns *turns, const struct question *b)
{
	size_t i = (size_t)(b - session->questions);
	if (!turns || !guests_are_at_once(session, b) || b->end == SESSION_LOST || !is_called(session, turns, b) ||
	    turns[i].confirmed)
		return false;
	return session_is_bound_by_time(session) || turns[i].runs < b->runs;
}

static int begin(struct session *session, const struct question *b, struct turns *turns, struct error *err)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	turns->metric = arena_printf(&session->result->arena, "%s-turns", bench_column_name(&b->columns[0], b->deciding));
	if (!turns->metric)
		return error_memory(err);
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		if (!result_add_metric(session->result, subject, turns->metric, "s", BETTER_LOWER, levels, 2))
			return error_memory(err);
	}
	judge_init(&turns->judge, &session->jury.judges[b - session->questions].options);
	turns->begun = true;
	return 0;
}

/* Narrow enough, or shown to be the same. */
static bool is_confirmed(const struct turns *turns, size_t least)
{
	const struct verdict_part *part = size_of(&turns->numbers);
	if (turns->judge.units < least || part->unbounded || !(part->interval.low > 0))
		return false;
	double half = 0.5 * log(part->interval.high / part->interval.low);
	return turns->numbers.verdict == RATIO_SAME || half <= PART_OF_ESTIMATE * fabs(log(part->estimate));
}

/* The rows of the run in the tables go to the metric and to the judge. */
static int keep(struct session *session, struct question *b, struct turns *turns, struct error *err)
{
	const struct bench_table *base = &session->tables[0], *other = &session->tables[1];
	size_t rows = base->rows < other->rows ? base->rows : other->rows;
	const size_t *order = session_order(session, turns->runs, err);
	bool correlated;
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		struct measurement *m = subject_find_metric(subject, turns->metric);
		for (size_t row = 0; row < rows; row++)
			if (series_append(&m->series, row == 0 ? 0 : 1, bench_table_at(&session->tables[s], row, b->deciding),
			                  err) != 0)
				return -1;
	}
	for (size_t row = 0; order && row < rows; row++)
		if (judge_add(&turns->judge, bench_table_at(base, row, b->deciding), bench_table_at(other, row, b->deciding),
		              order[0] != 0, err) != 0)
			return -1;
	turns->runs++;
	if (!order || judge_end_unit(&turns->judge, err) != 0)
		return -1;
	judge_look(&turns->judge, &turns->numbers, &correlated);
	return 0;
}

/* From now on the values by turns are those that decide. */
static void tell_by_turns(struct session *session, struct question *b, struct turns *turns)
{
	turns->confirmed = true;
	b->end = SESSION_DECIDED;
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		b->metric[s] = (size_t)(subject_find_metric(subject, turns->metric) - subject->metrics);
		subject->metric = turns->metric;
	}
}

int turns_round(struct session *session, struct turns *all, struct question *b, struct error *err)
{
	struct turns *turns = &all[b - session->questions];
	if (!turns->begun && begin(session, b, turns, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides; s++)
		session->tables[s].rows = 0;
	int lost = guests_turn(session, b, turns->runs, err);
	if (lost == 0)
		lost = keep(session, b, turns, err);
	if (lost == 0 && is_confirmed(turns, bench_least_runs(session, b)))
		tell_by_turns(session, b, turns);
	return lost < 0 ? -1 : ROUND_NOTHING;
}

static int note(struct session *session, const struct question *b, const struct turns *turns)
{
	const struct verdict_part *together = size_of(&turns->together), *alone = size_of(&turns->numbers);
	if (!turns->confirmed)
		return result_about_warn(
			session->result, "size-unconfirmed", b->name,
			"different with both programs on one CPU; the size was not confirmed by turns in the time that there was");
	if (alone->interval.high < together->interval.low || alone->interval.low > together->interval.high)
		return result_about_warn(
			session->result, "cache-company", b->name,
			"%+.1f %% with both programs on one CPU, %+.1f %% by turns, which is told: they compete for caches",
			100 * (together->estimate - 1), 100 * (alone->estimate - 1));
	return 0;
}

int turns_note(struct session *session, struct turns *turns, struct error *err)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct question *b = &session->questions[i];
		if (b->has_subjects && guests_are_at_once(session, b) && is_called(session, turns, b) &&
		    note(session, b, &turns[i]) != 0)
			return error_memory(err);
	}
	return 0;
}
