/* What the runs so far mean for what to do next: the warm-up from the first three, then verdicts or precision, and
 * who is measured in the next round. */
#include "session/bench_state.h"

#include "decide/allotment.h"
#include "decide/auto_rule.h"
#include "design/warmup.h"

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

/* From the last three runs of each side on stage: those with the present length. */
static int find_warmup(struct bench_session *session, const struct benchmark *b, struct warmup *out, struct error *err)
{
	struct warmup_run runs[WARMUP_RUNS * BENCH_SIDES_MOST];
	size_t count = 0, of_each = b->tried < WARMUP_RUNS ? b->tried : WARMUP_RUNS;
	for (size_t s = session->first; s < session->last; s++) {
		const struct series *series = &bench_measurement(session, b, s, b->deciding)->series;
		for (size_t r = series->groups[0] - of_each; r < series->groups[0]; r++) {
			struct warmup_run *run = &runs[count++];
			run->values = series->values + series_span(series, r, &run->n);
		}
	}
	return warmup_find(runs, count, out) == 0 ? 0 : error_memory(err);
}

static void set_skip(struct bench_session *session, struct benchmark *b, size_t skip)
{
	skip = skip < b->min_warmup ? b->min_warmup : skip;
	b->skip = skip > b->max_warmup ? b->max_warmup : skip;
	b->skip_known = true;
	for (size_t s = session->first; s < session->last; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		for (size_t m = 0; m < subject->metric_count; m++)
			subject->metrics[m].skip = b->skip;
	}
}

/* Runs that were too short to show the end of the warm-up are followed by longer ones, as far as a third of the
 * benchmark's share of the time goes. Theirs are then left out whole, being shorter than the warm-up. */
static bool should_lengthen(const struct bench_session *session, const struct benchmark *b)
{
	enum { LONGER = 4 };
	double share = session->budget / (double)(session->count * (session->last == session->sides ? 1 : session->sides));
	double cost = WARMUP_RUNS * (double)(LONGER * b->length) * b->row_time;
	return b->length / 2 < b->max_warmup && cost < share / 3;
}

int bench_settle_warmup(struct bench_session *session, struct benchmark *b, bool last, struct error *err)
{
	struct warmup found;
	if (b->tried == 0)
		return 0;
	if (find_warmup(session, b, &found, err) != 0)
		return -1;
	if (!last && found.unsettled && should_lengthen(session, b)) {
		b->length *= 4;
		b->tried = 0;
		return 0;
	}
	size_t allowed = b->min_warmup > 0 || b->max_warmup == 0 ? b->min_warmup : 1;
	set_skip(session, b, found.skip);
	if (b->skip > allowed)
		b->length += b->skip - allowed;
	if (session->comparisons > 0 && b->length > 1)
		b->length += b->length % 2;
	return 0;
}

/* One run, from the series, to the judges of its benchmark or to its estimate. */
static int feed_run(struct bench_session *session, struct benchmark *b, size_t run, struct error *err)
{
	size_t n, per = session->sides - 1;
	const struct series *base = &bench_measurement(session, b, session->first, b->deciding)->series;
	size_t from = series_span(base, run, &n);
	if (session->comparisons == 0) {
		struct estimate mean = {0};
		double value, low, high;
		for (size_t i = b->skip; i < n; i++)
			estimate_add(&mean, base->values[from + i]);
		estimate_now(&mean, 0.05, &value, &low, &high);
		estimate_add(&b->estimate, n > b->skip ? value : NAN);
		return 0;
	}
	for (size_t s = 1; s < session->sides; s++) {
		struct judge *judge = &session->jury.judges[(size_t)(b - session->benchmarks) * per + s - 1];
		const struct series *other = &bench_measurement(session, b, s, b->deciding)->series;
		for (size_t i = b->skip; i < n; i++) {
			const size_t *order = bench_order(session, session->design == DESIGN_TURNS ? from + i : run, err);
			size_t place = 0;
			while (order && order[place] != 0 && order[place] != s)
				place++;
			if (!order || judge_add(judge, base->values[from + i], other->values[from + i], order[place] != 0, err) != 0)
				return -1;
		}
		if (judge_end_unit(judge, err) != 0)
			return -1;
	}
	return 0;
}

/* A benchmark is decided when every side of it is. */
static int look_at_jury(struct bench_session *session, struct error *err)
{
	struct jury_look look;
	size_t per = session->sides - 1;
	if (jury_look(&session->jury, &look, err) != 0)
		return -1;
	for (size_t i = 0; i < session->count; i++) {
		struct benchmark *b = &session->benchmarks[i];
		bool decided = b->stage == BENCH_OPEN && b->runs >= b->min_runs;
		for (size_t s = 0; s < per; s++)
			decided &= session->jury.decided[i * per + s];
		if (decided)
			b->stage = BENCH_DECIDED;
	}
	return 0;
}

static int look(struct bench_session *session, struct benchmark *b, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->checks++;
	if (e->stop == STOP_FIXED)
		return 0;
	if (session->jury.count > 0)
		return look_at_jury(session, err);
	if (estimate_is_precise(&b->estimate, bench_alpha(session), e->precision, bench_least_runs(session, b)) &&
	    bench_indices_are_precise(session, b))
		b->stage = BENCH_DECIDED;
	return 0;
}

/* A run of one that is stopped when stable; its warm-up is left out already. */
static int take_stable_run(struct bench_session *session, struct benchmark *b, struct error *err)
{
	bool enough;
	if (!b->skip_known) {
		set_skip(session, b, 0);
		b->skip = 0;
		for (size_t s = session->first; s < session->last; s++) {
			struct subject *subject = &session->result->subjects[b->subject + s];
			for (size_t m = 0; m < subject->metric_count; m++)
				subject->metrics[m].skip = 0;
		}
	}
	for (; b->fed < b->runs; b->fed++)
		if (feed_run(session, b, b->fed, err) != 0)
			return -1;
	session->checks++;
	if (bench_stable_end_run(session, b, &enough, err) != 0)
		return -1;
	if (enough)
		b->stage = BENCH_DECIDED;
	else if (b->runs >= b->max_runs)
		b->stage = BENCH_COUNTED;
	return 0;
}

/* Without a plan after five and ten runs; with one when its own data say more than the first experiment did: at as many runs,
 * twice that, and so on. Iterations that are not independent stay one a run. */
static bool is_time_to_resize(const struct benchmark *b)
{
	enum { FIRST = 5, SECOND = 10 };
	if (!b->planned)
		return !b->iterations && (b->runs == FIRST || b->runs == SECOND);
	if (b->planned->state == STEADY_INITIALISED || b->planned->state == STEADY_NEVER)
		return false;
	for (double runs = fmax(b->planned->levels[0].members, SECOND); runs <= (double)b->runs; runs *= 2)
		if ((size_t)runs == b->runs)
			return true;
	return false;
}

/* After five and ten runs of one side the iterations worth measuring in the next are known (paper 004), where starting a
 * run and warming it up is the cost that more iterations share. At least 4, at most 1000. */
static void set_best_length(const struct bench_session *session, struct benchmark *b)
{
	enum { LEAST = 4, MOST = 1000 };
	if (session->comparisons > 0 || session->experiment->stop == STOP_FIXED || !is_time_to_resize(b))
		return;
	const struct series *series = &bench_measurement(session, b, session->first, b->deciding)->series;
	double within = 0, measured = 0, counted = 0;
	for (size_t r = 0; r < series->groups[0]; r++) {
		size_t n, from = series_span(series, r, &n);
		if (n < b->skip + 3)
			continue;
		within += auto_within(series->values + from + b->skip, n - b->skip);
		measured += (double)(n - b->skip);
		counted++;
	}
	if (counted < 3 || !(b->row_time > 0))
		return;
	double overhead = (double)b->skip + b->start_time / b->row_time;
	size_t best = auto_best_length(within / counted, estimate_variance(&b->estimate), measured / counted, overhead);
	best = best < LEAST ? LEAST : best > MOST ? MOST : best;
	b->length = b->skip + best;
}

int bench_take_run(struct bench_session *session, struct benchmark *b, struct error *err)
{
	if (b->stable)
		return take_stable_run(session, b, err);
	bool last = b->runs == b->max_runs;
	b->tried++;
	if (!b->skip_known && (b->tried >= WARMUP_RUNS || last) && bench_settle_warmup(session, b, last, err) != 0)
		return -1;
	if (b->skip_known) {
		for (; b->fed < b->runs; b->fed++)
			if (feed_run(session, b, b->fed, err) != 0)
				return -1;
		if (look(session, b, err) != 0)
			return -1;
		set_best_length(session, b);
	}
	if (b->stage == BENCH_OPEN && b->max_runs && b->runs >= b->max_runs)
		b->stage = BENCH_COUNTED;
	return 0;
}

/* Runs that it needs beyond those that it has. */
static double missing_runs(const struct bench_session *session, size_t index)
{
	const struct benchmark *b = &session->benchmarks[index];
	double missing = 0;
	size_t per = session->sides - 1;
	if (session->jury.count == 0)
		return estimate_missing(&b->estimate, bench_alpha(session), session->experiment->precision, bench_least_runs(session, b));
	for (size_t s = 0; s < per; s++)
		missing = fmax(missing, session->jury.missing[index * per + s]);
	return missing * (double)b->fed;
}

static bool is_bound_by_time(const struct bench_session *session)
{
	const struct experiment *e = session->experiment;
	return e->stop != STOP_FIXED || e->max_time || !e->runs;
}

bool bench_is_time_over(const struct bench_session *session, const struct benchmark *b)
{
	return is_bound_by_time(session) && bench_elapsed(session) + b->unit_time > session->until;
}

size_t bench_next(struct bench_session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct benchmark *b = &session->benchmarks[i];
		session->allotments[i] = (struct allotment){
			.open = b->stage == BENCH_OPEN,
			.units = b->skip_known ? b->runs : 0,
			.least = bench_least_runs(session, b),
			.missing = missing_runs(session, i),
			.cost = b->unit_time,
		};
	}
	double left = is_bound_by_time(session) ? session->until - bench_elapsed(session) : INFINITY;
	size_t count = allotment_next(session->allotments, session->count, left, session->chosen);
	random_shuffle(&session->random, session->chosen, count, sizeof(*session->chosen));
	return count;
}
