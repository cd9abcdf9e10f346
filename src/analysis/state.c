/* Warm-up and steady state of a measurement, and what follows: where iterations do not become independent, the same
 * iteration is taken from each run (Kalibera and Jones 2013, section 5), the first after the warm-up, or the last that
 * all runs have where there is no steady state. That is done where the state is known well, from runs of 300 iterations
 * or by the user's word, and where there are runs to repeat; it is left to sessions, which stopped by the means of
 * runs, and to pairs, whose unit is the run in any case. The mean over all iterations stands beside it. */
#include "analysis/work.h"
#include "stats/mser.h"
#include "stats/settle.h"

#include <math.h>

enum { LEAST_FOR_WARMUP = 20 }; /* iterations in each of the first runs before warm-up is looked for */

bool work_has_iterations(const struct series *series)
{
	return series->levels[series->depth - 1] >= LEVEL_ITERATION;
}

/* The shortest of the first innermost groups: what warm-up can be looked for in; `most` of them. */
static size_t shortest_run(const struct series *series, size_t most)
{
	unsigned last = series->depth - 2;
	size_t shortest = SIZE_MAX;
	for (size_t g = 0; g < series->groups[last] && g < most; g++) {
		size_t n = series->starts[last][g + 1] - series->starts[last][g];
		shortest = n < shortest ? n : shortest;
	}
	return shortest;
}

static bool has_lost(const struct series *series)
{
	for (size_t i = 0; i < series->n; i++)
		if (isnan(series->values[i]))
			return true;
	return false;
}

static void keep_evidence(struct measurement *m, const struct settle *settle)
{
	struct steady_evidence *e = &m->evidence;
	*e = (struct steady_evidence){.runs = settle->runs,
	                              .moving = settle->moving,
	                              .dependent = settle->dependent,
	                              .later_level = settle->later_level,
	                              .ljung_box_p = INFINITY};
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
}

/* From the data; the warm-up stays as it is where it was given. */
static void find_state(struct work *work, double precision, bool given)
{
	struct measurement *m = work->m;
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	size_t run = shortest_run(series, SETTLE_RUNS);
	struct settle settle;
	if (run == SIZE_MAX || run < LEAST_FOR_WARMUP || has_lost(series))
		return;
	enum stats_status status = settle_find(series->values, series->starts[last], series->groups[last], precision,
	                                       given ? (long)m->skip : -1, &settle);
	if (status != STATS_OK) {
		if (!given)
			mser_common(series->values, series->starts[last], series->groups[last], &m->skip);
		return;
	}
	m->skip = settle.from;
	if (run < m->skip + LEAST_FOR_WARMUP)
		return;
	static const enum steady_state states[] = {[SETTLE_INDEPENDENT] = STEADY_INDEPENDENT,
	                                           [SETTLE_INITIALISED] = STEADY_INITIALISED,
	                                           [SETTLE_NEVER] = STEADY_NEVER};
	m->steady = states[settle.state];
	keep_evidence(m, &settle);
	if (run < STEADY_ADVISED)
		m->steady_why = "fewer than 300 iterations: the test sees little";
	if (m->steady == STEADY_NEVER)
		work_warn(work, "unsteady", "no steady state was found; measure more iterations, or look at --plot");
}

static void choose_iteration(struct work *work)
{
	struct measurement *m = work->m;
	const struct series *series = &m->series;
	size_t run = shortest_run(series, SIZE_MAX), runs = series->groups[series->depth - 2];
	bool given = work->options->state != STEADY_UNKNOWN;
	if ((m->steady != STEADY_INITIALISED && m->steady != STEADY_NEVER) || runs < 2 || run < 2 || run <= m->skip)
		return;
	if (work->options->run_means || work->result->design.paired || (!given && run < STEADY_ADVISED))
		return;
	m->iteration = m->steady == STEADY_NEVER ? run : m->skip + 1;
}

void work_find_state(struct work *work, double precision)
{
	struct measurement *m = work->m;
	long skip = work->options->skip;
	m->iteration = 0;
	m->steady = STEADY_UNKNOWN;
	m->steady_why = NULL;
	m->evidence = (struct steady_evidence){0};
	if (skip == -1 && (m->skip_set || m->skip_count > 0))
		skip = SKIP_AS_SET;
	if (skip != SKIP_AS_SET) {
		m->skip = skip >= 0 ? (size_t)skip : 0;
		m->skip_count = 0;
	}
	find_state(work, precision, skip != -1);
	if (work->options->state != STEADY_UNKNOWN) {
		m->steady = work->options->state;
		m->steady_why = "given";
	}
	choose_iteration(work);
}
