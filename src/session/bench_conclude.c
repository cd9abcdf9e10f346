/* From the series to the result: estimates, comparisons, and what must be said beside them. */
#include "session/bench_state.h"

#include "analysis/analysis.h"
#include "analysis/disturbed.h"
#include "analysis/measurement.h"
#include "base/memory.h"
#include "decide/plan.h"

#include <math.h>
#include <string.h>

static struct analysis_options options_of(const struct bench_session *session)
{
	const struct experiment *e = session->experiment;
	struct analysis_options options;
	analysis_options_init(&options);
	options.confidence = isnan(e->confidence) ? 0.99 : e->confidence;
	options.confidence_one = isnan(e->confidence) ? 0.95 : e->confidence;
	options.margin = e->margin;
	options.share_margin = e->share_margin;
	options.gate = e->gate;
	options.seed = e->seed;
	options.skip = SKIP_AS_SET;
	/* Rules that do not look at the mean leave its interval as it is (METHODS 4). */
	bool all_stable = true;
	for (size_t i = 0; i < session->count; i++)
		all_stable &= session->benchmarks[i].stable != NULL;
	if (e->stop == STOP_FIXED || all_stable)
		return options;
	bool by_precision = session->comparisons == 0 || e->stop == STOP_PRECISION;
	options.looking = by_precision ? LOOKED_FOR_PRECISION : LOOKED_FOR_VERDICT;
	return options;
}

/* Seconds of one more iteration, and of one more run: starting and warming up. */
static void set_costs(const struct bench_session *session, const struct benchmark *b, struct measurement *m)
{
	double sides = (double)session->sides, row = b->row_time / sides;
	m->costs[LEVEL_ITERATION] = row;
	m->costs[LEVEL_RUN] = b->start_time / sides + (double)m->skip * row;
}

static int analyse(struct bench_session *session, const struct benchmark *b, struct analysis_options options,
                   struct error *err)
{
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		/* Where pairs decide, what the runs of one side alone are like is beside the point. */
		if (b->stable)
			options.looking = LOOKED_ONCE;
		options.allowance = b->rule ? auto_rule_estimate(b->rule)->allowance : 0;
		options.deciding = session->comparisons > 0 ? "" : bench_column_name(&b->columns[s], b->deciding);
		for (size_t m = 0; m < subject->metric_count; m++) {
			set_costs(session, b, &subject->metrics[m]);
			if (analyse_measurement(session->result, subject, &subject->metrics[m], &options, err) != 0)
				return -1;
		}
	}
	return 0;
}

/* Runs on every side, and nothing went wrong. */
static bool is_comparable(const struct bench_session *session, const struct benchmark *b)
{
	if (b->stage == BENCH_LOST || !b->has_subjects)
		return false;
	for (size_t s = 0; s < session->sides; s++)
		if (bench_measurement(session, b, s, b->deciding)->series.n == 0)
			return false;
	return true;
}

static size_t couples_of(const struct bench_session *session, bool by_wall, struct couple *couples)
{
	size_t count = 0;
	for (size_t i = 0; i < session->count; i++) {
		const struct benchmark *b = &session->benchmarks[i];
		if (!is_comparable(session, b))
			continue;
		for (size_t s = 1; s < session->sides; s++)
			couples[count++] = (struct couple){.base = b->subject,
			                                   .new_ = b->subject + s,
			                                   .metric = by_wall ? "wall"
			                                                     : bench_column_name(&b->columns[0], b->deciding)};
	}
	return count;
}

static bool opposite(const struct comparison *a, const struct comparison *b)
{
	return (a->verdict == VERDICT_FASTER && b->verdict == VERDICT_SLOWER) ||
	       (a->verdict == VERDICT_SLOWER && b->verdict == VERDICT_FASTER);
}

/* Whether wall time says the opposite of what decided (METHODS 3). */
static int compare_wall(struct bench_session *session, struct couple *couples, struct analysis_options options,
                        struct error *err)
{
	struct result *result = session->result;
	size_t decided = result->comparison_count, count = couples_of(session, true, couples);
	options.gate = NAN;
	options.holm = false;
	if (analyse_couples(result, couples, count, &options, err) != 0)
		return -1;
	int status = 0;
	for (size_t i = 0; i < decided && status == 0; i++) {
		const struct comparison *c = &result->comparisons[i], *wall = &result->comparisons[i + decided];
		if (opposite(c, wall) &&
		    result_warn(result, "wall-disagrees", "%s: wall time says %s, %s says %s", result->subjects[c->new_].name,
		                verdict_name(wall->verdict), c->metric, verdict_name(c->verdict)) != 0)
			status = error_memory(err);
	}
	result->comparison_count = decided;
	return status;
}

static void note_interference(struct bench_session *session)
{
	struct result *result = session->result;
	size_t at = 0;
	for (size_t i = 0; i < session->count && session->design == DESIGN_DUET; i++) {
		const struct benchmark *b = &session->benchmarks[i];
		if (!is_comparable(session, b))
			continue;
		struct comparison *c = &result->comparisons[at++];
		c->interference_base = bench_measurement(session, b, 0, b->deciding)->median / b->alone[0];
		c->interference_new = bench_measurement(session, b, 1, b->deciding)->median / b->alone[1];
	}
}

/* What is undecided: about how much longer it would take. */
static void note_missing_time(struct bench_session *session)
{
	size_t at = 0, per = session->sides - 1;
	for (size_t i = 0; i < session->count && session->jury.count > 0; i++) {
		const struct benchmark *b = &session->benchmarks[i];
		if (!is_comparable(session, b))
			continue;
		for (size_t s = 0; s < per; s++) {
			struct comparison *c = &session->result->comparisons[at++];
			double more = session->jury.missing[i * per + s];
			if (c->verdict == VERDICT_UNDECIDED && b->fed > 1 && isfinite(more) && more > 0)
				c->more_time = more * (double)b->fed * b->unit_time;
		}
	}
}

/* The second look at the machine, and what the iterations themselves say. */
static int note_disturbance(struct bench_session *session, struct error *err)
{
	if (!session->watched)
		return 0;
	if (disturbance_end(&session->watch, NULL, session->design == DESIGN_DUET ? 2 : 1, session->result, err) != 0)
		return -1;
	disturbed_runs(session->result, session->result->design.cpu_count > 0, false);
	return 0;
}

static int compare(struct bench_session *session, const struct analysis_options *options, struct error *err)
{
	struct couple *couples = mem_alloc(session->count * session->sides, sizeof(*couples));
	if (!couples)
		return error_memory(err);
	size_t count = couples_of(session, false, couples);
	int status = analyse_couples(session->result, couples, count, options, err);
	if (status == 0) {
		note_interference(session);
		note_missing_time(session);
		status = compare_wall(session, couples, *options, err);
	}
	mem_free(couples);
	return status;
}

/* The order of every pair or run as letters. */
static int write_orders(struct bench_session *session, struct error *err)
{
	struct arena *arena = &session->result->arena;
	struct design_info *design = &session->result->design;
	if (!design->paired || session->order_count == 0)
		return 0;
	design->order = arena_alloc(arena, session->order_count, sizeof(*design->order));
	if (!design->order)
		return error_memory(err);
	for (size_t i = 0; i < session->order_count; i++) {
		const size_t *order = session->orders + i * session->sides;
		char text[BENCH_SIDES_MOST + 1] = "";
		for (size_t s = 0; s < session->sides; s++)
			text[s] = (char)('A' + order[s]);
		design->order[i] = session->sides == 2 ? (order[0] == 0 ? "AB" : "BA") : arena_strdup(arena, text);
		if (!design->order[i])
			return error_memory(err);
	}
	design->order_count = session->order_count;
	design->order_of_runs = session->design != DESIGN_TURNS;
	return 0;
}

int bench_conclude(struct bench_session *session, struct error *err)
{
	struct analysis_options options = options_of(session);
	if (write_orders(session, err) != 0)
		return -1;
	for (size_t i = 0; i < session->count; i++) {
		struct benchmark *b = &session->benchmarks[i];
		if (!b->has_subjects)
			continue;
		if (analyse(session, b, options, err) != 0 ||
		    (session->comparisons == 0 && bench_warn_indices(session, b, err) != 0))
			return -1;
	}
	if (note_disturbance(session, err) != 0 || bench_auto_note(session, err) != 0 ||
	    bench_stable_note(session, err) != 0)
		return -1;
	if (session->experiment->plan && plan_check(session->experiment->plan, session->result, err) != 0)
		return -1;
	return session->sides > 1 ? compare(session, &options, err) : 0;
}
