/* What the runs so far mean for what to do next: verdicts or precision, and who is measured in the next round. */
#include "session/bench_state.h"

#include "analysis/measurement.h"
#include "decide/allotment.h"

#include <math.h>

enum { LEAST_RUNS = 10, LEAST_RUNS_LONG_WARMUP = 3 };

static const double LONG_WARMUP = 10; /* seconds */

double bench_alpha(const struct bench_session *session)
{
	double level = session->experiment->confidence;
	if (isnan(level))
		level = session->comparisons > 0 ? 0.99 : 0.95;
	return 1 - level;
}

size_t bench_least_runs(const struct bench_session *session, const struct benchmark *b)
{
	size_t least = LEAST_RUNS;
	if (b->stable)
		return b->min_runs;
	if (session->comparisons > 0)
		least = verdict_first_look(bench_alpha(session), session->comparisons);
	else if (b->min_runs)
		least = b->min_runs;
	else if ((double)b->skip * b->row_time > LONG_WARMUP)
		least = LEAST_RUNS_LONG_WARMUP;
	if (b->min_runs > least)
		least = b->min_runs;
	return b->max_runs && b->max_runs < least ? b->max_runs : least;
}

/* Iterations left out of a run. */
static size_t skip_of(const struct benchmark *b, const struct measurement *m, size_t run)
{
	return b->stable ? measurement_skip(m, run) : b->skip;
}

/* One run, from the series, to the judges of its benchmark. */
static int feed_run(struct bench_session *session, struct benchmark *b, size_t run, struct error *err)
{
	size_t n, per = session->sides - 1;
	const struct measurement *m = bench_measurement(session, b, session->first, b->deciding);
	const struct series *base = &m->series;
	size_t from = series_span(base, run, &n), skip = skip_of(b, m, run);
	for (size_t s = 1; s < session->sides; s++) {
		struct judge *judge = &session->jury.judges[(size_t)(b - session->benchmarks) * per + s - 1];
		const struct series *other = &bench_measurement(session, b, s, b->deciding)->series;
		for (size_t i = skip; i < n; i++) {
			const size_t *order = bench_order(session, session->design == DESIGN_TURNS ? from + i : run, err);
			size_t place = 0;
			while (order && order[place] != 0 && order[place] != s)
				place++;
			if (!order ||
			    judge_add(judge, base->values[from + i], other->values[from + i], order[place] != 0, err) != 0)
				return -1;
		}
		if (judge_end_unit(judge, err) != 0)
			return -1;
	}
	return 0;
}

/* What the jury has not seen; everything again where another number is left out of the runs than it was told. */
static int feed(struct bench_session *session, struct benchmark *b, struct error *err)
{
	size_t per = session->sides - 1;
	if (session->comparisons == 0) {
		b->fed = b->runs;
		return 0;
	}
	if (b->fed_skip != b->skip) {
		for (size_t s = 0; s < per; s++)
			judge_clear(&session->jury.judges[(size_t)(b - session->benchmarks) * per + s]);
		b->fed = 0;
		b->fed_skip = b->skip;
	}
	for (; b->fed < b->runs; b->fed++)
		if (feed_run(session, b, b->fed, err) != 0)
			return -1;
	return 0;
}

/* The jury takes the clock step that the comparisons of the result will take. */
static void tell_quantum(struct bench_session *session, struct benchmark *b)
{
	size_t per = session->sides - 1, first = (size_t)(b - session->benchmarks) * per;
	double base = measurement_quantum(bench_measurement(session, b, 0, b->deciding));
	for (size_t s = 1; s < session->sides; s++)
		session->jury.judges[first + s - 1].options.verdict.quantum = fmax(
			base, measurement_quantum(bench_measurement(session, b, s, b->deciding)));
	b->quantum_runs = b->fed;
}

/* A benchmark is decided when every side of it is. */
static bool is_decided(const struct bench_session *session, const struct benchmark *b)
{
	size_t per = session->sides - 1, first = (size_t)(b - session->benchmarks) * per;
	bool decided = b->stage == BENCH_OPEN && b->runs >= b->min_runs;
	for (size_t s = 0; s < per; s++)
		decided &= session->jury.decided[first + s];
	return decided;
}

static int look_at_jury(struct bench_session *session, struct benchmark *b, struct error *err)
{
	struct jury_look look;
	bool again = true;
	/* The clock's step is sought in all values: when they are a tenth more, and before the last word. */
	if (10 * b->fed >= 11 * b->quantum_runs)
		tell_quantum(session, b);
	while (again) {
		again = false;
		if (jury_look(&session->jury, &look, err) != 0)
			return -1;
		for (size_t i = 0; i < session->count; i++) {
			struct benchmark *other = &session->benchmarks[i];
			if (is_decided(session, other) && other->quantum_runs < other->fed) {
				tell_quantum(session, other);
				again = true;
			}
		}
	}
	for (size_t i = 0; i < session->count; i++)
		if (is_decided(session, &session->benchmarks[i]))
			session->benchmarks[i].stage = BENCH_DECIDED;
	return 0;
}

static int look(struct bench_session *session, struct benchmark *b, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->checks++;
	if (e->stop == STOP_FIXED)
		return 0;
	if (session->jury.count > 0)
		return look_at_jury(session, b, err);
	if (auto_rule_is_precise(b->rule, bench_least_runs(session, b)) && bench_indices_are_precise(session, b))
		b->stage = BENCH_DECIDED;
	return 0;
}

/* A run of one that is stopped when stable. */
static int take_stable_run(struct bench_session *session, struct benchmark *b, struct error *err)
{
	bool enough;
	session->checks++;
	if (bench_stable_end_run(session, b, &enough, err) != 0)
		return -1;
	if (enough)
		b->stage = BENCH_DECIDED;
	else if (b->runs >= b->max_runs)
		b->stage = BENCH_COUNTED;
	return 0;
}

int bench_take_run(struct bench_session *session, struct benchmark *b, struct error *err)
{
	if (feed(session, b, err) != 0)
		return -1;
	if (b->stable)
		return take_stable_run(session, b, err);
	if (look(session, b, err) != 0)
		return -1;
	if (b->stage == BENCH_OPEN && b->max_runs &&
	    (auto_rule_usable_runs(b->rule) >= b->max_runs || b->runs >= 2 * b->max_runs))
		b->stage = BENCH_COUNTED;
	return 0;
}

/* Runs that it needs beyond those that it has. */
static double missing_runs(const struct bench_session *session, size_t index)
{
	const struct benchmark *b = &session->benchmarks[index];
	double missing = 0;
	size_t per = session->sides - 1;
	if (session->jury.count == 0 && !b->rule) /* stopped when stable, or lost */
		return INFINITY;
	if (session->jury.count == 0)
		return estimate_missing(auto_rule_estimate(b->rule), bench_alpha(session), session->experiment->precision,
		                        bench_least_runs(session, b));
	for (size_t s = 0; s < per; s++)
		missing = fmax(missing, session->jury.missing[index * per + s]);
	return missing * (double)b->fed;
}

bool bench_is_bound_by_time(const struct bench_session *session)
{
	const struct experiment *e = session->experiment;
	return e->stop != STOP_FIXED || e->max_time || !e->runs;
}

bool bench_is_time_over(const struct bench_session *session, const struct benchmark *b)
{
	return bench_is_bound_by_time(session) && bench_elapsed(session) + b->unit_time > session->until;
}

size_t bench_next(struct bench_session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct benchmark *b = &session->benchmarks[i];
		session->allotments[i] = (struct allotment){
			.open = b->stage == BENCH_OPEN,
			.units = b->runs,
			.least = bench_least_runs(session, b),
			.missing = missing_runs(session, i),
			.cost = b->unit_time,
		};
	}
	double left = bench_is_bound_by_time(session) ? session->until - bench_elapsed(session) : INFINITY;
	size_t count = allotment_next(session->allotments, session->count, left, session->chosen);
	random_shuffle(&session->random, session->chosen, count, sizeof(*session->chosen));
	return count;
}
