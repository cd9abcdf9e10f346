/* Warm-up and steady state of a measurement. Each run has its own warm-up, found by its own changes of level
 * (stats/settle.h); what is kept of a run is the mean of its steady iterations, however they depend on each other: the
 * spread between runs shows what dependence does to that mean. Where the user says that the state is initialised, one
 * iteration of each run is taken, the first after the warm-up (Kalibera and Jones 2013, section 5). Wherever iterations
 * depend on each other the two are held against each other (analysis/measurement.c). */
#include "analysis/work.h"
#include "base/format.h"
#include "base/memory.h"
#include "model/level_change.h"
#include "stats/first.h"
#include "stats/settle.h"
#include "stats/summary.h"

#include <math.h>

bool work_has_iterations(const struct series *series)
{
	return series->levels[series->depth - 1] >= LEVEL_ITERATION;
}

/* The iterations of a series, run by run; where they have invocations, their means. */
struct iterations {
	const double *values;
	const uint32_t *starts;
	size_t runs;
	double *own; /* NULL: the series' own */
	uint32_t one_run[2];
};

static int iterations_init(struct iterations *out, const struct series *series, struct error *err)
{
	unsigned last = series->depth - 2;
	*out = (struct iterations){.values = series->values, .starts = series->starts[last], .runs = series->groups[last]};
	if (series->levels[series->depth - 1] == LEVEL_ITERATION)
		return 0;
	out->own = mem_alloc(series->groups[last], sizeof(*out->own));
	if (!out->own)
		return error_memory(err);
	for (size_t g = 0; g < series->groups[last]; g++) {
		struct running sum = {0};
		running_add_all(&sum, series->values + series->starts[last][g],
		                series->starts[last][g + 1] - series->starts[last][g]);
		out->own[g] = running_mean(&sum);
	}
	out->values = out->own;
	out->one_run[1] = (uint32_t)series->groups[last];
	out->starts = last > 0 ? series->starts[last - 1] : out->one_run;
	out->runs = last > 0 ? series->groups[last - 1] : 1;
	return 0;
}

static size_t shortest_run(const struct iterations *all)
{
	size_t shortest = SIZE_MAX;
	for (size_t r = 0; r < all->runs; r++)
		if (all->starts[r + 1] - all->starts[r] < shortest)
			shortest = all->starts[r + 1] - all->starts[r];
	return shortest;
}

static bool has_lost(const struct series *series)
{
	for (size_t i = 0; i < series->n; i++)
		if (isnan(series->values[i]))
			return true;
	return false;
}

static struct level_change change_of(const struct settle_change *change)
{
	return (struct level_change){change->runs,
	                             change->first,
	                             change->last,
	                             change->ratio,
	                             2 * change->curves > change->runs,
	                             2 * change->several > change->runs};
}

static int keep_evidence(struct work *work, const struct settle *settle, size_t all_runs, struct error *err)
{
	struct steady_evidence *e = arena_alloc(&work->result->arena, 1, sizeof(*e));
	if (!e)
		return error_memory(err);
	*e = (struct steady_evidence){.runs = settle->runs,
	                              .moving = settle->moving,
	                              .dependent = settle->dependent,
	                              .later_level = settle->later_level,
	                              .ljung_box_p = INFINITY,
	                              .all_runs = all_runs,
	                              .never = settle->never,
	                              .warmup = change_of(&settle->warmup),
	                              .late = change_of(&settle->late)};
	double plainest = INFINITY;
	for (size_t r = 0; r < settle->runs; r++) {
		const struct independence *one = &settle->run[r].independence;
		double p = fmin(one->ljung_box_p, one->largest_p);
		e->effect = fmax(e->effect, settle->run[r].steady.unsteady ? settle->run[r].steady.effect : 0);
		if (p < plainest) {
			plainest = p;
			e->ljung_box_p = one->ljung_box_p;
			e->autocorrelation = one->largest;
			e->lag = one->lag;
		}
	}
	work->m->evidence = e;
	return 0;
}

/* The warm-up of each run where they differ; else one number for all. */
static int keep_cuts(struct work *work, const size_t *cuts, size_t runs, struct error *err)
{
	struct measurement *m = work->m;
	bool same = true;
	for (size_t r = 0; r < runs; r++)
		same &= cuts[r] == cuts[0];
	m->skip_found = true;
	if (same) {
		m->skip = cuts[0];
		return 0;
	}
	m->skip = 0;
	for (size_t r = 0; r < runs; r++)
		if (measurement_add_skip(work->result, m, r, cuts[r]) != 0)
			return error_memory(err);
	return 0;
}

static int leave_out_share(struct work *work, const struct iterations *all, struct error *err)
{
	size_t *cuts = mem_alloc(all->runs, sizeof(*cuts));
	if (!cuts)
		return error_memory(err);
	for (size_t r = 0; r < all->runs; r++)
		cuts[r] = (size_t)(work->options->skip_share * (double)(all->starts[r + 1] - all->starts[r]));
	int status = keep_cuts(work, cuts, all->runs, err);
	work->m->skip_found = false;
	mem_free(cuts);
	return status;
}

static void warn_of_changes(struct work *work)
{
	struct measurement *m = work->m;
	const struct steady_evidence *e = m->evidence;
	struct buffer text = {0};
	if (level_change_is_worse(&e->warmup, m->metric.better) && m->steady != STEADY_NEVER) {
		level_change_words(&e->warmup, e->all_runs, &m->metric, &text);
		work_warn(work, "slowdown", "%s and stay so: the steady state is slower than the start", buffer_text(&text));
	}
	buffer_clear(&text);
	if (e->late.runs > 0) {
		level_change_words(&e->late, e->all_runs, &m->metric, &text);
		work_warn(work, "late-change", "%s, too late to tell whether that lasts; measure more iterations",
		          buffer_text(&text));
	}
	buffer_release(&text);
	if (m->steady == STEADY_NEVER)
		work_warn(work, "unsteady", "no steady state was found; measure more iterations, or look at --plot");
}

static const size_t *given_skips(const struct measurement *m, size_t runs)
{
	return m->skip_count >= runs ? m->skips : NULL;
}

/* From the data; the warm-up stays as it is where it was given. */
static int find_state(struct work *work, const struct iterations *all, double precision, bool given, struct error *err)
{
	struct measurement *m = work->m;
	size_t run = shortest_run(all), *cuts = mem_alloc(all->runs, sizeof(*cuts));
	struct settle settle;
	struct settle_options options = {.precision = precision,
	                                 .warmed = m->warmed,
	                                 .skip = given ? (long)m->skip : -1,
	                                 .skips = given ? given_skips(m, all->runs) : NULL};
	if (!cuts)
		return error_memory(err);
	enum stats_status status = settle_find(all->values, all->starts, all->runs, &options, cuts, &settle);
	int failed = status == STATS_NO_MEMORY ? error_memory(err) : 0;
	if (status == STATS_OK && !given)
		failed = keep_cuts(work, cuts, all->runs, err);
	mem_free(cuts);
	if (status != STATS_OK || failed)
		return failed;
	static const enum steady_state states[] = {[SETTLE_INDEPENDENT] = STEADY_INDEPENDENT,
	                                           [SETTLE_INITIALISED] = STEADY_INITIALISED,
	                                           [SETTLE_NEVER] = STEADY_NEVER};
	m->steady = states[settle.state];
	if (keep_evidence(work, &settle, given ? 0 : all->runs, err) != 0)
		return -1;
	if (run < STEADY_ADVISED)
		m->steady_why = "fewer than 300 iterations: a weak test";
	warn_of_changes(work);
	return 0;
}

/* Runs too short for the search may begin with an iteration that is plainly no steady one. It is kept: whether the first
 * iteration is part of what is asked is for the user to say. */
static int warn_of_first(struct work *work, const struct iterations *all, double precision, struct error *err)
{
	struct measurement *m = work->m;
	struct first first;
	char ratio[FORMAT_MAX];
	if (m->skip > 0 || m->skip_count > 0)
		return 0;
	enum stats_status status = first_test(all->values, all->starts, all->runs, precision, &first);
	if (status != STATS_OK || !first.apart)
		return status == STATS_NO_MEMORY ? error_memory(err) : 0;
	const struct level_change change = {.runs = first.runs, .ratio = first.ratio};
	work_warn(work, "first-iteration",
	          "in %zu of %zu runs the first iteration is %s than all others, %s times their mean; if it is warm-up, "
	          "leave it out: tare analyze or tare compare with --skip 1",
	          first.runs, all->runs, level_change_direction(&change, &m->metric),
	          format_significant(ratio, sizeof(ratio), first.ratio, 2));
	return 0;
}

static void choose_iteration(struct work *work, const struct iterations *all)
{
	struct measurement *m = work->m;
	size_t run = shortest_run(all);
	if (work->options->state != STEADY_INITIALISED || all->runs < 2 || run < 2 || run <= m->skip ||
	    work->result->design.paired)
		return;
	m->iteration = (uint32_t)m->skip + 1; /* of the shortest run */
}

int work_find_state(struct work *work, double precision, struct error *err)
{
	struct measurement *m = work->m;
	struct iterations all;
	long skip = work->options->skip;
	m->iteration = 0;
	m->steady = STEADY_UNKNOWN;
	m->steady_why = NULL;
	m->evidence = NULL;
	if (skip == -1 && !m->skip_found && (m->skip_set || m->skip_count > 0))
		skip = SKIP_AS_SET;
	if (skip != SKIP_AS_SET) {
		m->skip = skip >= 0 ? (size_t)skip : 0;
		m->skip_count = 0;
		m->skip_found = false;
	}
	if (iterations_init(&all, &m->series, err) != 0)
		return -1;
	int status = work->options->skip_share > 0 ? leave_out_share(work, &all, err) : 0;
	if (status == 0 && !has_lost(&m->series))
		status = find_state(work, &all, precision, skip != -1, err);
	if (status == 0 && skip == -1 && !(work->options->skip_share > 0))
		status = warn_of_first(work, &all, precision, err);
	if (work->options->state != STEADY_UNKNOWN) {
		m->steady = work->options->state;
		m->steady_why = "given";
	}
	choose_iteration(work, &all);
	mem_free(all.own);
	return status;
}
