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

double bench_run_time(const struct question *b)
{
	return b->pace * (b->start_time + (double)b->length * b->row_time);
}

/* ---- what a benchmark did besides giving a time: named in the result, while the suite goes on ---- */

/* " on ./new" where there is more than one side. */
static const char *side_words(struct session *session, size_t side)
{
	if (session->sides == 1)
		return "";
	const char *text = arena_printf(&session->arena, " on %s", session->experiment->subjects[side].name);
	return text ? text : "";
}

static int skip(struct session *session, struct question *benchmark, size_t side, const char *reason)
{
	benchmark->end = SESSION_LOST;
	/* The first side had it, or it would not have come to the others. */
	session->missing += side > 0;
	result_warn(session->result, "left-out", "%s is skipped%s%s%s", benchmark->name, side_words(session, side),
	            reason[0] ? ": " : "", reason);
	return 1;
}

static int fail(struct session *session, struct question *benchmark, size_t side, const char *what, struct error *err)
{
	benchmark->end = SESSION_LOST;
	session->failed++;
	if (bench_add_subjects(session, benchmark, err) != 0)
		return -1;
	struct subject *subject = &session->result->subjects[benchmark->subject + side];
	result_add_failure(session->result, subject, (struct failure){what, benchmark->runs, 0});
	result_warn(session->result, "failed", "%s%s: %s", benchmark->name, side_words(session, side), what);
	return 1;
}

int bench_take_outcome(struct session *session, struct question *benchmark, size_t side, struct harness_outcome outcome,
                       struct error *err)
{
	switch (outcome.end) {
	case HARNESS_OK: return 0;
	case HARNESS_CANCELLED: return error_set(err, ERROR_INTERRUPTED, "interrupted");
	case HARNESS_SKIPPED: return skip(session, benchmark, side, outcome.text);
	case HARNESS_HUNG: session->hung++; break;
	default: break;
	}
	return fail(session, benchmark, side, outcome.text[0] ? outcome.text : harness_end_name(outcome.end), err);
}

int bench_take_start(struct session *session, struct question *benchmark, size_t side, struct error *err)
{
	char what[300];
	if (err->kind != ERROR_SUBJECT)
		return -1;
	memcpy(what, err->what, sizeof(err->what));
	return fail(session, benchmark, side, what, err);
}

static void take_notes(struct session *session, const struct question *benchmark, size_t side, uint32_t notes)
{
	struct result *result = session->result;
	const char *name = benchmark->name, *where = side_words(session, side);
	if (notes & HARNESS_PRINTED)
		result_warn(result, "prints", "%s%s: it prints to standard output, which takes time that is measured", name,
		            where);
	if (notes & HARNESS_MOVED)
		result_warn(result, "moves",
		            "%s%s: it changes the CPUs that it may run on; they were set back after each iteration", name,
		            where);
	if (notes & HARNESS_LEFTOVER)
		result_warn(result, "left-behind", "%s%s: it leaves processes behind; they were killed with the run", name,
		            where);
}

/* ---- one run ---- */

/* The processes of a run. */
struct cast {
	struct session *session;
	struct question *benchmark;
	struct harness *actors[BENCH_SIDES_MOST];
	int64_t limit; /* ns of an iteration */
	int64_t begun; /* when the sides that are on stage came */
	size_t slower; /* of a duet: the side that took longer the last time */
};

static int taken(struct cast *cast, size_t side, struct harness_outcome outcome, struct error *err)
{
	return bench_take_outcome(cast->session, cast->benchmark, side, outcome, err);
}

static int enter(struct cast *cast, size_t side, int cpu, struct error *err)
{
	struct session *session = cast->session;
	if (bench_source_start(session->programs, side, cpu, &cast->actors[side], err) != 0)
		return bench_take_start(session, cast->benchmark, side, err);
	return taken(cast, side, harness_select(cast->actors[side], cast->benchmark->on[side]->name, cast->limit), err);
}

static int leave(struct cast *cast, size_t side, struct error *err)
{
	uint32_t notes = 0;
	int status = taken(cast, side, harness_leave(cast->actors[side], cast->limit, &notes), err);
	if (status != 0)
		return status;
	take_notes(cast->session, cast->benchmark, side, notes);
	/* One that crashes, fails or hangs when it is to end has not done what it was measured for. */
	return taken(cast, side, harness_stop(cast->actors[side]), err);
}

static struct harness_grant grant_of(const struct cast *cast)
{
	return (struct harness_grant){
		.invocations = cast->benchmark->invocations, .metrics = TARE_HAS_CPU | TARE_HAS_DELAY, .limit = cast->limit};
}

static int collect(struct cast *cast, size_t side, struct error *err)
{
	struct session *session = cast->session;
	struct harness_sample sample;
	int status = taken(cast, side, harness_collect(cast->actors[side], &sample), err);
	if (status != 0)
		return status;
	if (bench_table_add(session, &session->tables[side], &cast->benchmark->columns[side], &sample, err) != 0)
		return -1;
	return cast->benchmark->stable ? bench_stable_take(session, cast->benchmark, side, &sample, err)
	                               : bench_auto_take(session, cast->benchmark, side, err);
}

static int iterate_once(struct cast *cast, size_t side, struct error *err)
{
	struct harness_grant grant = grant_of(cast);
	int status = taken(cast, side, harness_grant(cast->actors[side], &grant), err);
	return status == 0 ? collect(cast, side, err) : status;
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

enum { GO_ON = 2 };

/* GO_ON: the sides first … last − 1, which have done so many rows, do another; 0: they do not; -1. What that takes is
 * counted. */
static int goes_on(struct cast *cast, size_t rows, size_t first, size_t last, struct error *err)
{
	struct session *session = cast->session;
	struct question *b = cast->benchmark;
	bool more;
	if (rows == 0)
		return GO_ON;
	if (b->stable)
		return bench_stable_goes_on(session, b, first, last) ? GO_ON : 0;
	int64_t before = session_now(session);
	session->checks++;
	if (auto_rule_goes_on(b->lengths, first - session->first, last - session->first, &more, err) != 0)
		return -1;
	session->deciding_time += session_now(session) - before;
	return more && !is_late(cast, rows, last - first) ? GO_ON : 0;
}

/* One more step of the side that has ended its iteration, which keeps the other company and is not kept. Short ones, for
 * the next iteration begins when the last of them has ended. */
static int refill_step(struct cast *cast, size_t side, struct error *err)
{
	enum { STEPS = 16 }; /* of an iteration */
	uint64_t invocations = cast->benchmark->invocations / STEPS;
	struct harness_grant grant = {.invocations = invocations ? invocations : 1, .limit = cast->limit};
	return taken(cast, side, harness_grant(cast->actors[side], &grant), err);
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
		alone = status == 0 && harness_first_done(pair) == 1;
		if (status == 0 && !alone)
			status = collect(cast, 1 - side, err);
		if (status != 0)
			return status;
		status = taken(cast, side, harness_collect(cast->actors[side], &unused), err);
	}
	return status;
}

/* Both are granted before either is waited for; the one that took longer the last time is waited for first, so that
 * this process sleeps until both have ended, unless the shorter one is to go on. */
static int iterate_both(struct cast *cast, const size_t *order, struct error *err)
{
	struct harness_grant grant = grant_of(cast);
	int status = 0;
	for (size_t i = 0; i < 2 && status == 0; i++)
		status = taken(cast, order[i], harness_grant(cast->actors[order[i]], &grant), err);
	if (status != 0)
		return status;
	bool refills = cast->session->experiment->refill;
	struct harness *const pair[2] = {cast->actors[0], cast->actors[1]};
	size_t first = refills ? harness_first_done(pair) : cast->slower;
	status = collect(cast, first, err);
	if (status == 0)
		status = refills ? refill(cast, first, err) : collect(cast, 1 - first, err);
	if (status != 0)
		return status;
	const struct bench_table *tables = cast->session->tables;
	size_t row = tables[0].rows - 1;
	cast->slower = bench_table_at(&tables[1], row, METRIC_WALL) > bench_table_at(&tables[0], row, METRIC_WALL);
	return 0;
}

/* An iteration of each side, or of both of a duet at once; the criteria of a benchmark that is stopped when stable are
 * asked when it has ended. */
static int iterate(struct cast *cast, const size_t *order, size_t count, struct error *err)
{
	struct bench_stable *stable = cast->benchmark->stable;
	size_t at_once = cast->session->design == DESIGN_DUET ? 2 : 1, batches = stable ? stable->batches : 1;
	int status = 0;
	for (size_t i = 0; i < count; i += at_once) {
		for (size_t batch = 0; batch < batches && status == 0; batch++)
			status = at_once > 1 ? iterate_both(cast, order, err) : iterate_once(cast, order[i], err);
		for (size_t k = 0; k < at_once && stable && status == 0; k++)
			status = bench_stable_row(cast->session, cast->benchmark, order[i + k], err);
	}
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
			status = taken(cast, s, harness_iterate(cast->actors[s], &grant, &sample), err);
			if (status == 0)
				status = bench_table_add(session, &alone, &b->columns[s], &sample, err);
		}
		if (status == 0)
			session_take_company(session, b, s, middle_of(&session->tables[s], last, b->deciding),
			                     middle_of(&alone, 0, b->deciding));
		mem_free(alone.values);
	}
	return status;
}

/* The CPU of the side at a place of the order: in turns the same CPUs equally often for each benchmark, in a duet one for each
 * place, whatever the number of the run; one with threads of its own needs all of them. */
static int cpu_of(const struct cast *cast, size_t place)
{
	size_t count;
	const int *cpus = bench_source_cpus(cast->session->programs, &count);
	const struct question *b = cast->benchmark;
	enum design_kind design = cast->session->design;
	if (!b->one_thread || count == 0 || (design != DESIGN_TURNS && design != DESIGN_DUET))
		return -1;
	return cpus[(design == DESIGN_DUET ? place : b->cpu_offset + b->runs) % count];
}

/* The sides of the order, one or all, from their start to their end. */
static int play(struct cast *cast, const size_t *order, size_t count, struct error *err)
{
	struct session *session = cast->session;
	bool turns = session->design == DESIGN_TURNS;
	/* In turns the next pair stands after all values that the series of the deciding metric has. */
	size_t first = count > 1 ? 0 : order[0], last = first + count,
		   pair = session_deciding(session, cast->benchmark, first)->series.n;
	int status = 0;
	cast->begun = session_now(session);
	for (size_t i = 0; i < count && status == 0; i++)
		status = enter(cast, order[i], cpu_of(cast, i), err);
	for (size_t row = 0; status == 0 && (status = goes_on(cast, row, first, last, err)) == GO_ON; row++) {
		order = turns ? session_order(session, pair + row, err) : order;
		status = order ? iterate(cast, order, count, err) : -1;
	}
	if (status == 0 && session->design == DESIGN_DUET)
		status = iterate_alone(cast, order, err);
	for (size_t s = first; s < last && status == 0; s++)
		status = leave(cast, s, err);
	return status;
}

static void begin_run(struct session *session, struct question *b)
{
	for (size_t s = 0; s < session->sides; s++)
		session->tables[s].rows = 0;
	if (b->stable)
		bench_stable_begin(session, b);
	else
		auto_rule_begin_run(b->lengths);
}

int bench_play(struct session *session, struct question *benchmark, double *seconds, struct error *err)
{
	int64_t before = session_now(session);
	struct cast cast = {
		.session = session, .benchmark = benchmark, .limit = session_iteration_limit(session->experiment)};
	bool turns = session->design == DESIGN_TURNS, solo = session->design == DESIGN_SOLO;
	size_t together = turns || session->design == DESIGN_DUET ? session->sides : 1,
		   count = session->last - session->first;
	size_t run = turns ? session_deciding(session, benchmark, 0)->series.n : benchmark->runs;
	begin_run(session, benchmark);
	if (session->guests)
		return guests_play(session, benchmark, seconds, err);
	const size_t *order = solo ? &session->first : session_order(session, run, err);
	int status = order ? 0 : -1;
	for (size_t i = 0; i < count && status == 0; i += together)
		status = play(&cast, order + i, together, err);
	for (size_t s = 0; s < session->sides; s++)
		harness_free(cast.actors[s]);
	*seconds = (double)(session_now(session) - before) / 1e9;
	return status;
}

/* A whole run goes to the series, unless it was warm-up. */
static int take_whole(struct session *session, struct question *b, struct error *err)
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
	bool enough = true;
	for (size_t s = session->first; s < session->last; s++)
		enough &= session->tables[s].rows >= LEAST;
	if (enough)
		take_whole(session, b, &later);
}

int bench_unit(struct session *session, struct question *benchmark, struct error *err)
{
	double seconds = 0;
	int status = bench_play(session, benchmark, &seconds, err);
	double foreseen = benchmark->start_time + (double)session->tables[session->first].rows * benchmark->row_time;
	if (foreseen > 0)
		benchmark->pace += (seconds / foreseen - benchmark->pace) * 0.25;
	if (status == 0)
		status = take_whole(session, benchmark, err);
	else if (status < 0 && err->kind == ERROR_INTERRUPTED && benchmark->runs == 0 && !benchmark->stable)
		keep_what_is_there(session, benchmark);
	else if (status > 0)
		status = ROUND_NOTHING;
	benchmark->unit_time = bench_run_time(benchmark);
	return status;
}
