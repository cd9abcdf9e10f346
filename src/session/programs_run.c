/* One run of one benchmark on every side on stage, each in a fresh process:
 *
 *	turns     on one CPU, iteration by iteration in the order drawn for the pair
 *	duet      at once, a CPU each, changed over by the order drawn for the run
 *	shuffled  one whole run after the other, in the order drawn for the run
 *	solo      one side alone
 *
 * Values are kept in tables until the run is whole; a run that was cut short leaves nothing but its failure. */
#include "session/programs.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MIDDLE_MOST = 64 }; /* rows of a run that a median is taken of */

static const int64_t DEFAULT_LIMIT = INT64_C(10000000000);

int64_t session_iteration_limit(const struct experiment *e)
{
	if (e->timeout)
		return e->timeout;
	return e->max_time / 4 > DEFAULT_LIMIT ? e->max_time / 4 : DEFAULT_LIMIT;
}

int64_t bench_limit(const struct session *session)
{
	return session_iteration_limit(session->experiment);
}

double bench_run_time(const struct question *b)
{
	return b->pace * (b->start_time + (double)b->length * b->row_time);
}

/* The processes of a run. */
struct cast {
	struct session *session;
	struct question *benchmark;
	struct harness *actors[BENCH_SIDES_MOST];
	int64_t begun; /* when the sides that are on stage came */
};

/* 0: go on; 1: the benchmark was lost; -1 */
static int taken(struct cast *cast, size_t side, const struct harness_outcome *outcome, struct error *err)
{
	if (outcome->end == HARNESS_OK)
		return 0;
	return bench_take_outcome(cast->session, cast->benchmark, side, outcome, err) == 0 ? 1 : -1;
}

static int enter(struct cast *cast, size_t side, int cpu, struct error *err)
{
	struct session *session = cast->session;
	if (bench_source_start(session->programs, side, cpu, &cast->actors[side], err) != 0)
		return bench_take_start(session, cast->benchmark, side, err) == 0 ? 1 : -1;
	struct harness_outcome outcome = harness_select(cast->actors[side], cast->benchmark->on[side]->name,
	                                                bench_limit(session));
	return taken(cast, side, &outcome, err);
}

static int leave(struct cast *cast, size_t side, struct error *err)
{
	uint32_t notes = 0;
	struct harness_outcome outcome = harness_leave(cast->actors[side], bench_limit(cast->session), &notes);
	int status = taken(cast, side, &outcome, err);
	if (status == 0)
		status = bench_take_notes(cast->session, cast->benchmark, side, notes, err);
	/* One that crashes, fails or hangs when it is to end has not done what it was measured for. */
	if (status == 0) {
		outcome = harness_stop(cast->actors[side]);
		status = taken(cast, side, &outcome, err);
	}
	return status;
}

static void dismiss(struct cast *cast)
{
	for (size_t s = 0; s < cast->session->sides; s++)
		harness_free(cast->actors[s]);
}

static struct harness_grant grant_of(const struct cast *cast)
{
	return (struct harness_grant){.invocations = cast->benchmark->invocations,
	                              .metrics = TARE_HAS_CPU | TARE_HAS_DELAY,
	                              .limit = bench_limit(cast->session)};
}

static int collect(struct cast *cast, size_t side, struct error *err)
{
	struct session *session = cast->session;
	struct harness_sample sample;
	struct harness_outcome outcome = harness_collect(cast->actors[side], &sample);
	if (outcome.end != HARNESS_OK)
		return taken(cast, side, &outcome, err);
	if (bench_table_add(&session->tables[side], &cast->benchmark->columns[side],
	                    bench_source_overhead(session->programs), session->experiment->phases, &sample, err) != 0)
		return -1;
	return cast->benchmark->stable ? bench_stable_take(session, cast->benchmark, side, &sample, err)
	                               : bench_auto_take(session, cast->benchmark, side, err);
}

static int iterate_once(struct cast *cast, size_t side, struct error *err)
{
	struct harness_grant grant = grant_of(cast);
	struct harness_outcome outcome = harness_grant(cast->actors[side], &grant);
	return outcome.end == HARNESS_OK ? collect(cast, side, err) : taken(cast, side, &outcome, err);
}

static int iterate(struct cast *cast, size_t side, struct error *err)
{
	struct bench_stable *stable = cast->benchmark->stable;
	if (!stable)
		return iterate_once(cast, side, err);
	int status = 0;
	for (size_t i = 0; i < stable->batches && status == 0; i++)
		status = iterate_once(cast, side, err);
	return status == 0 ? bench_stable_row(cast->session, cast->benchmark, side, err) : status;
}

/* A first run that others slow down must leave time for the next, unless its length was asked for. */
static bool is_late(const struct cast *cast, size_t rows, size_t sides)
{
	enum { LEAST = 20 };
	const struct question *b = cast->benchmark;
	double seconds = (double)(session_now(cast->session) - cast->begun) / 1e9;
	return b->runs == 0 && b->iterations == 0 && rows >= LEAST + b->min_warmup &&
	       seconds > b->scout_time * (double)sides / (double)b->sides;
}

/* Whether the sides first … last − 1, which have done so many rows, do another. What that takes is counted. */
static int goes_on(struct cast *cast, size_t rows, size_t first, size_t last, bool *more, struct error *err)
{
	struct session *session = cast->session;
	struct question *b = cast->benchmark;
	*more = true;
	if (rows == 0)
		return 0;
	if (b->stable) {
		*more = bench_stable_goes_on(session, b, first, last);
		return 0;
	}
	int64_t before = session_now(session);
	session->checks++;
	int status = auto_rule_goes_on(b->lengths, first - session->first, last - session->first, more, err);
	session->deciding_time += session_now(session) - before;
	*more = *more && !is_late(cast, rows, last - first);
	return status;
}

/* The same CPUs equally often for each benchmark; one with threads of its own needs all of them. */
static int cpu_of(const struct cast *cast, size_t place)
{
	size_t count;
	const int *cpus = bench_source_cpus(cast->session->programs, &count);
	const struct question *b = cast->benchmark;
	return b->one_thread && count > 0 ? cpus[(b->cpu_offset + b->runs + place) % count] : -1;
}

/* All values that the series of the deciding metric has: where the next pair will stand. */
static size_t next_pair(const struct cast *cast)
{
	const struct question *b = cast->benchmark;
	return session_deciding(cast->session, b, cast->session->first)->series.n;
}

static int play_turns(struct cast *cast, struct error *err)
{
	struct session *session = cast->session;
	size_t pair = next_pair(cast);
	const size_t *order = session_order(session, pair, err);
	int status = order ? 0 : -1;
	for (size_t i = 0; i < session->sides && status == 0; i++)
		status = enter(cast, order[i], cpu_of(cast, 0), err);
	bool more = true;
	for (size_t row = 0; status == 0; row++) {
		status = goes_on(cast, row, 0, session->sides, &more, err);
		if (status != 0 || !more)
			break;
		order = session_order(session, pair + row, err);
		status = order ? 0 : -1;
		for (size_t i = 0; i < session->sides && status == 0; i++)
			status = iterate(cast, order[i], err);
	}
	for (size_t s = 0; s < session->sides && status == 0; s++)
		status = leave(cast, s, err);
	return status;
}

/* One more step of the side that has ended its iteration, which keeps the other company and is not kept. Short ones, for
 * the next iteration begins when the last of them has ended. */
static int refill_step(struct cast *cast, size_t side, struct error *err)
{
	enum { STEPS = 16 }; /* of an iteration */
	uint64_t invocations = cast->benchmark->invocations / STEPS;
	struct harness_grant grant = {.invocations = invocations ? invocations : 1, .limit = bench_limit(cast->session)};
	struct harness_outcome outcome = harness_grant(cast->actors[side], &grant);
	return taken(cast, side, &outcome, err);
}

/* Its iteration has ended: it goes on until that of the other has ended too. */
static int refill(struct cast *cast, size_t side, struct error *err)
{
	struct harness *const pair[2] = {cast->actors[1 - side], cast->actors[side]};
	struct harness_sample unused;
	bool alone = true;
	int status = 0;
	while (status == 0 && alone) {
		status = refill_step(cast, side, err);
		if (status != 0)
			return status;
		alone = harness_first_done(pair) == 1;
		if (!alone)
			status = collect(cast, 1 - side, err);
		if (status != 0)
			return status;
		struct harness_outcome outcome = harness_collect(cast->actors[side], &unused);
		status = taken(cast, side, &outcome, err);
	}
	return status;
}

/* Both are granted before either is waited for; the one that took longer the last time is waited for first, so that
 * this process sleeps until both have ended, unless the shorter one is to go on. */
static int iterate_both_once(struct cast *cast, const size_t *order, size_t *slower, struct error *err)
{
	struct harness_grant grant = grant_of(cast);
	for (size_t i = 0; i < 2; i++) {
		struct harness_outcome outcome = harness_grant(cast->actors[order[i]], &grant);
		if (outcome.end != HARNESS_OK)
			return taken(cast, order[i], &outcome, err);
	}
	bool refills = cast->session->experiment->refill;
	struct harness *const pair[2] = {cast->actors[0], cast->actors[1]};
	size_t first = refills ? harness_first_done(pair) : *slower;
	int status = collect(cast, first, err);
	if (status == 0)
		status = refills ? refill(cast, first, err) : collect(cast, 1 - first, err);
	if (status != 0)
		return status;
	const struct bench_table *tables = cast->session->tables;
	size_t row = tables[0].rows - 1;
	*slower = bench_table_at(&tables[1], row, METRIC_WALL) > bench_table_at(&tables[0], row, METRIC_WALL);
	return 0;
}

/* The criteria of a benchmark that is stopped when stable are asked when both have ended their iteration. */
static int iterate_both(struct cast *cast, const size_t *order, size_t *slower, struct error *err)
{
	struct bench_stable *stable = cast->benchmark->stable;
	int status = 0;
	for (size_t i = 0; i < (stable ? stable->batches : 1) && status == 0; i++)
		status = iterate_both_once(cast, order, slower, err);
	for (size_t s = 0; s < 2 && stable && status == 0; s++)
		status = bench_stable_row(cast->session, cast->benchmark, s, err);
	return status;
}

static double middle_of(const struct bench_table *table, size_t from, int column)
{
	double values[MIDDLE_MOST];
	size_t n = 0;
	for (size_t row = from; row < table->rows && n < MIDDLE_MOST; row++)
		values[n++] = bench_table_at(table, row, column);
	return design_middle(values, n);
}

/* A few iterations of each side alone, in the processes of the duet, which are warm by then: how much they slow each other down is the
 * median of the last ones that they had together over that of these. */
static int iterate_alone(struct cast *cast, const size_t *order, struct error *err)
{
	enum { SHARE = 8, LEAST = 2, MOST = 10 };
	struct session *session = cast->session;
	struct question *b = cast->benchmark;
	size_t rows = session->tables[0].rows, count = rows / SHARE;
	count = count < LEAST ? LEAST : count > MOST ? MOST : count;
	int status = 0;
	for (size_t i = 0; i < 2 && status == 0 && b->company[order[i]].n < COMPANY_MOST; i++) {
		size_t s = order[i], kept = session->tables[s].rows, last = kept < MIDDLE_MOST ? kept / 2 : kept - MIDDLE_MOST;
		struct harness_grant grant = grant_of(cast);
		struct bench_table alone = {0};
		for (size_t row = 0; row < count && status == 0; row++) {
			struct harness_sample sample;
			struct harness_outcome outcome = harness_iterate(cast->actors[s], &grant, &sample);
			status = taken(cast, s, &outcome, err);
			if (status == 0)
				status = bench_table_add(&alone, &b->columns[s], bench_source_overhead(session->programs),
				                         session->experiment->phases, &sample, err);
		}
		if (status == 0)
			session_take_company(session, b, s, middle_of(&session->tables[s], last, b->deciding),
			                     middle_of(&alone, 0, b->deciding));
		mem_free(alone.values);
	}
	return status;
}

static int play_duet(struct cast *cast, struct error *err)
{
	struct session *session = cast->session;
	const size_t *order = session_order(session, cast->benchmark->runs, err);
	size_t slower = 0;
	int status = order ? 0 : -1;
	/* The first of the order is on the first CPU, whatever the number of the run. */
	size_t count;
	const int *cpus = bench_source_cpus(session->programs, &count);
	for (size_t i = 0; i < 2 && status == 0; i++)
		status = enter(cast, order[i], cast->benchmark->one_thread ? cpus[i % count] : -1, err);
	bool more = true;
	for (size_t row = 0; status == 0; row++) {
		status = goes_on(cast, row, 0, 2, &more, err);
		if (status != 0 || !more)
			break;
		status = iterate_both(cast, order, &slower, err);
	}
	if (status == 0)
		status = iterate_alone(cast, order, err);
	for (size_t s = 0; s < 2 && status == 0; s++)
		status = leave(cast, s, err);
	return status;
}

static int play_alone(struct cast *cast, size_t side, struct error *err)
{
	cast->begun = session_now(cast->session);
	int status = enter(cast, side, -1, err);
	bool more = true;
	for (size_t row = 0; status == 0; row++) {
		status = goes_on(cast, row, side, side + 1, &more, err);
		if (status != 0 || !more)
			break;
		status = iterate(cast, side, err);
	}
	return status == 0 ? leave(cast, side, err) : status;
}

static int play_shuffled(struct cast *cast, struct error *err)
{
	const size_t *order = session_order(cast->session, cast->benchmark->runs, err);
	int status = order ? 0 : -1;
	for (size_t i = 0; i < cast->session->sides && status == 0; i++)
		status = play_alone(cast, order[i], err);
	return status;
}

int bench_play(struct session *session, struct question *benchmark, struct error *err)
{
	struct cast cast = {.session = session, .benchmark = benchmark, .begun = session_now(session)};
	int status;
	for (size_t s = 0; s < session->sides; s++)
		session->tables[s].rows = 0;
	if (benchmark->stable)
		bench_stable_begin(session, benchmark);
	else
		auto_rule_begin_run(benchmark->lengths);
	switch (session->design) {
	case DESIGN_TURNS: status = play_turns(&cast, err); break;
	case DESIGN_DUET: status = play_duet(&cast, err); break;
	case DESIGN_SHUFFLED: status = play_shuffled(&cast, err); break;
	default: status = play_alone(&cast, session->first, err); break;
	}
	dismiss(&cast);
	return status;
}

int bench_take_whole(struct session *session, struct question *b, struct error *err)
{
	bool keep = true;
	if ((b->stable ? bench_stable_keep(session, b, &keep, err) : bench_auto_end_run(session, b, err)) != 0)
		return -1;
	if (!keep)
		return ROUND_NOTHING;
	return bench_keep_run(session, b, err) == 0 ? ROUND_KEPT : -1;
}

/* The first run may be long: broken off, its iterations are all that there is. */
static void keep_what_is_there(struct session *session, struct question *b)
{
	enum { LEAST = 2 };
	struct error later;
	size_t rows = SIZE_MAX;
	for (size_t s = session->first; s < session->last; s++)
		rows = session->tables[s].rows < rows ? session->tables[s].rows : rows;
	if (rows >= LEAST && rows != SIZE_MAX)
		bench_take_whole(session, b, &later);
}

int bench_unit(struct session *session, struct question *benchmark, struct error *err)
{
	int64_t before = session_now(session);
	int status = bench_play(session, benchmark, err);
	double seconds = (double)(session_now(session) - before) / 1e9;
	double foreseen = benchmark->start_time + (double)session->tables[session->first].rows * benchmark->row_time;
	if (foreseen > 0)
		benchmark->pace += (seconds / foreseen - benchmark->pace) * 0.25;
	if (status == 0)
		status = bench_take_whole(session, benchmark, err);
	else if (status < 0 && err->kind == ERROR_INTERRUPTED && benchmark->runs == 0 && !benchmark->stable)
		keep_what_is_there(session, benchmark);
	else if (status > 0)
		status = ROUND_NOTHING;
	benchmark->unit_time = bench_run_time(benchmark);
	return status;
}
