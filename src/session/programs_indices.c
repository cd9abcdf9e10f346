/* --pi of `tare bench`: numbers that the program itself reports (tare_report, tare_unit) and that must be precise too
 * before a benchmark is done. The value of a run is its mean after the warm-up; the rule is that of rounds that average
 * much (decide/readings.h). */
#include "session/programs.h"

#include "base/memory.h"
#include "decide/readings.h"

#include <math.h>

/* The mean of each run after its warm-up; NULL: no memory. */
static double *run_means(const struct series *series, size_t skip, size_t *count)
{
	double *means = mem_alloc(series->groups[0], sizeof(*means));
	*count = series->groups[0];
	for (size_t r = 0; means && r < *count; r++) {
		size_t n, from = series_span(series, r, &n);
		double sum = 0, known = 0;
		for (size_t i = from + (skip < n ? skip : 0); i < from + n; i++)
			if (!isnan(series->values[i])) {
				sum += series->values[i];
				known++;
			}
		means[r] = known > 0 ? sum / known : NAN;
	}
	return means;
}

/* READINGS_FEW also when the program does not report it, or there is no memory. */
static struct readings look_at(const struct session *session, const struct question *b,
                               const struct performance_index *pi)
{
	struct readings now = {.wait = READINGS_FEW};
	const struct measurement *m = subject_find_metric(&session->result->subjects[b->subject + session->first],
	                                                  pi->metric.name);
	struct readings_rule rule = readings_rule_for(session->experiment, pi);
	size_t n;
	if (!m || m->series.depth != 2)
		return now;
	rule.least = bench_least_runs(session, b);
	rule.asked = 0; /* the least number of runs is seen to by the one who looks (rule_auto.c) */
	rule.strict = false;
	double *means = run_means(&m->series, m->skip, &n);
	if (!means || !readings_look(means, n, &rule, &now))
		now.wait = READINGS_FEW;
	mem_free(means);
	return now;
}

bool bench_indices_are_precise(const struct session *session, const struct question *b)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++)
		if (look_at(session, b, &e->pis[i]).wait != READINGS_ENOUGH)
			return false;
	return true;
}

int bench_warn_indices(struct session *session, const struct question *b, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count && e->stop != STOP_FIXED; i++) {
		const char *name = e->pis[i].metric.name;
		bool known = subject_find_metric(&session->result->subjects[b->subject + session->first], name) != NULL;
		struct readings now = look_at(session, b, &e->pis[i]);
		if (now.wait != READINGS_ENOUGH &&
		    result_warn(session->result, "not-converged", "%s, %s: %s", b->name, name,
		                known ? readings_wait_words(now.wait) : "the benchmark does not report it") != 0)
			return error_memory(err);
	}
	return 0;
}
