/* Two processes on one CPU share its caches: a difference that shows there is one, but its size may be exaggerated where
 * the sides need different amounts of cache. So a benchmark that is called faster or slower is measured again by turns,
 * one process after the other on one CPU, until the half-width is a third of the estimate or the time is over. The size
 * by turns is what is told; its values are a metric of their own. */
#include "session/bench_state.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double PART_OF_ESTIMATE = 1.0 / 3;
static const double FIRST_PART = 0.7; /* of the time, for finding differences */

/* A benchmark that was called. */
struct turns {
	bool begun, confirmed;
	size_t runs;
	struct judge judge;
	struct verdict_numbers numbers;
	const char *metric; /* its name in the result */
};

static bool is_called(const struct bench_session *session, size_t i)
{
	enum ratio_verdict verdict = session->jury.numbers[i].verdict;
	return session->benchmarks[i].has_subjects && session->benchmarks[i].stage != BENCH_LOST &&
	       (verdict == RATIO_LOWER || verdict == RATIO_HIGHER || verdict == RATIO_MIXED);
}

static int begin(struct bench_session *session, size_t i, struct turns *turns, struct error *err)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	const struct benchmark *b = &session->benchmarks[i];
	turns->metric = arena_printf(&session->result->arena, "%s-turns", bench_column_name(&b->columns[0], b->deciding));
	if (!turns->metric)
		return error_memory(err);
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		if (!result_add_metric(session->result, subject, turns->metric, "s", BETTER_LOWER, levels, 2))
			return error_memory(err);
	}
	judge_init(&turns->judge, &session->jury.judges[i].options);
	turns->begun = true;
	return 0;
}

static const struct verdict_part *size_of(const struct verdict_numbers *numbers)
{
	return numbers->typical.used ? &numbers->typical : &numbers->total;
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
static int keep(struct bench_session *session, struct benchmark *b, struct turns *turns, struct error *err)
{
	const struct bench_table *base = &session->tables[0], *other = &session->tables[1];
	size_t rows = base->rows < other->rows ? base->rows : other->rows;
	const size_t *order = bench_order(session, turns->runs, err);
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
	bool correlated;
	if (!order || judge_end_unit(&turns->judge, err) != 0)
		return -1;
	judge_look(&turns->judge, &turns->numbers, &correlated);
	return 0;
}

static int measure_one(struct bench_session *session, size_t i, struct turns *turns, struct error *err)
{
	struct benchmark *b = &session->benchmarks[i];
	if (!turns->begun && begin(session, i, turns, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides; s++)
		session->tables[s].rows = 0;
	int lost = bench_guests_turn(session, b, turns->runs, err);
	if (lost != 0 || keep(session, b, turns, err) != 0)
		return lost > 0 ? 0 : -1;
	turns->confirmed = is_confirmed(turns, bench_least_runs(session, b));
	bench_tell(session, "confirming", b);
	return 0;
}

static bool has_time(const struct bench_session *session, size_t i, const struct turns *turns)
{
	const struct benchmark *b = &session->benchmarks[i];
	return bench_is_bound_by_time(session) ? !bench_is_time_over(session, b) : turns->runs < b->runs;
}

/* Rounds over all that were called. */
static int confirm(struct bench_session *session, struct turns *turns, struct error *err)
{
	for (bool measured = true; measured;) {
		measured = false;
		for (size_t i = 0; i < session->count; i++) {
			if (!bench_guests_are_at_once(session, &session->benchmarks[i]) || !is_called(session, i) ||
			    turns[i].confirmed || !has_time(session, i, &turns[i]))
				continue;
			if (measure_one(session, i, &turns[i], err) != 0)
				return -1;
			measured = true;
			if (bench_source_cancelled(session->source))
				return error_set(err, ERROR_INTERRUPTED, "interrupted");
		}
	}
	return 0;
}

int bench_measure_shared(struct bench_session *session, int (*measure)(struct bench_session *, struct error *),
                         struct error *err)
{
	double begun = bench_elapsed(session);
	session->turns = mem_zalloc(session->count, sizeof(*session->turns));
	if (!session->turns)
		return error_memory(err);
	session->until = begun + FIRST_PART * (session->budget - begun);
	int status = measure(session, err);
	session->until = session->budget;
	for (int part = 0; part < 2 && status == 0; part++) {
		status = confirm(session, session->turns, err);
		if (status == 0 && part == 0)
			status = measure(session, err);
	}
	return status;
}

const char *bench_told_metric(const struct bench_session *session, const struct benchmark *b)
{
	const struct turns *turns = session->turns ? &session->turns[b - session->benchmarks] : NULL;
	return turns && turns->confirmed ? turns->metric : bench_column_name(&b->columns[0], b->deciding);
}

static int note(struct bench_session *session, size_t i, const struct turns *turns)
{
	const struct verdict_part *shared = size_of(&session->jury.numbers[i]), *alone = size_of(&turns->numbers);
	const char *name = session->benchmarks[i].name;
	if (!turns->confirmed)
		return result_about_warn(
			session->result, "size-unconfirmed", name,
			"different with both programs on one CPU; there was no time to confirm by turns by how much");
	if (alone->interval.high < shared->interval.low || alone->interval.low > shared->interval.high)
		return result_about_warn(
			session->result, "cache-company", name,
			"%+.1f %% with both programs on one CPU and %+.1f %% by turns, which is told: they compete for caches",
			100 * (shared->estimate - 1), 100 * (alone->estimate - 1));
	return 0;
}

int bench_note_turns(struct bench_session *session, struct error *err)
{
	for (size_t i = 0; session->turns && i < session->count; i++)
		if (bench_guests_are_at_once(session, &session->benchmarks[i]) && is_called(session, i) &&
		    note(session, i, &session->turns[i]) != 0)
			return error_memory(err);
	return 0;
}

void bench_turns_free(struct bench_session *session)
{
	for (size_t i = 0; session->turns && i < session->count; i++)
		judge_release(&session->turns[i].judge);
	mem_free(session->turns);
}
