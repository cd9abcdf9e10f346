/* By the line: decide/work_fit.h over the metric "work" and the time that the session was judged by. By unit readings:
 * every run r has a stable time a unit y_r (the mean of its stable phase; of a rate 1/v_r) and the rest of its time,
 * a_r = wall_r − (units)·y_r; work w would have taken it a_r + w·y_r. Over R runs: mean ± t_{R−1}·s·√(1 + 1/R). Runs
 * are the units: what varies from run to run is in it. Of a rate without work amounts nobody knows how much a run did;
 * then a_r is left out, and that is said. */
#include "analysis/predict.h"

#include "base/memory.h"
#include "decide/phases.h"
#include "decide/work_fit.h"
#include "stats/critical.h"
#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct measurement *units_of(const struct subject *subject, const char *index)
{
	char name[200];
	if (index) {
		snprintf(name, sizeof(name), "%.190s" METRIC_UNITS, index);
		return subject_find_metric(subject, name);
	}
	for (size_t i = 0; i < subject->metric_count; i++)
		if (subject->metrics[i].phases)
			return &subject->metrics[i];
	return NULL;
}

static const struct series *series_of(const struct subject *subject, const char *name)
{
	const struct measurement *m = subject_find_metric(subject, name);
	return m ? &m->series : NULL;
}

/* What unit readings say: seconds for a unit of work, or units of work in so many seconds. false: neither. */
static bool read_unit(const char *unit, bool *time, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} names[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"ns", 1e-9}, {"min", 60}, {"h", 3600}};
	const char *slash = strrchr(unit, '/');
	*time = !slash;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(slash ? slash + 1 : unit, names[i].name) == 0) {
			*seconds = names[i].seconds;
			return true;
		}
	return false;
}

static int nothing(struct error *err, const struct subject *subject, const char *what, const char *next)
{
	return error_full(err, ERROR_NO_DATA, subject->name, next, "%s", what);
}

/* A line that falls below 0 says nothing there. */
static int too_little(struct error *err, const struct subject *subject, double work)
{
	return error_full(err, ERROR_NO_DATA, subject->name,
	                  "ask for amounts like those that were measured, or measure smaller ones",
	                  "nothing is known about so little work as %g", work);
}

/* The goal of a fit of rounds that were measured; an early document has no least amount. */
static struct work_goal goal_of(const struct work_result *work, double level)
{
	return (struct work_goal){
		.from = isnan(work->from) ? 0 : work->from, .precision = 1, .level = level, .autocorrelation = 0.2, .least = 3};
}

static int fit_line(const struct subject *subject, const char *metric, double level, struct work_fit *fit,
                    struct error *err)
{
	const struct series *work = series_of(subject, METRIC_WORK), *times = series_of(subject, metric);
	struct work_goal goal = goal_of(subject->work, level);
	if (!work || !times || work->n == 0 || work->n != times->n)
		return nothing(err, subject, "the result has no rounds of known work", "measure with tare run --work");
	if (!work_fit(work->values, times->values, work->n, &goal, fit))
		return error_memory(err);
	if (fit->status != STATS_OK)
		return nothing(err, subject,
		               fit->refused     ? fit->refused
		               : fit->waits_for ? fit->waits_for
		                                : "too few rounds",
		               fit->instead ? fit->instead : "measure longer");
	return 0;
}

int predict_basis(const struct subject *subject, const char *index, struct prediction_basis *out, struct error *err)
{
	const struct measurement *units = units_of(subject, index);
	bool line = subject->work && !subject->work->refused && !index;
	if (subject->work && subject->work->refused && !units)
		return nothing(err, subject, subject->work->refused,
		               subject->work->instead ? subject->work->instead : "measure again");
	if (index && !units)
		return nothing(err, subject, "the result has no unit readings of that name",
		               "measure with --pi NAME:UNIT:units:…");
	if (!line && !units)
		return nothing(err, subject, "the result has neither work amounts nor unit readings",
		               "measure with tare run --work MIN:MAX 'COMMAND {work}', or with --pi NAME:UNIT:units:…");
	*out = (struct prediction_basis){
		.unit = subject->work ? subject->work->unit : "", .metric = "wall", .speed = NAN, .alpha = NAN};
	if (line) {
		out->metric = work_result_metric(subject->work);
		out->speed = subject->work->speed;
		out->alpha = subject->work->alpha;
		out->rounds = subject->work->used;
		return 0;
	}
	bool time;
	double seconds;
	if (!read_unit(units->metric.unit, &time, &seconds))
		return error_full(err, ERROR_NO_DATA, units->metric.name,
		                  "measure with a unit like s, ms, MB/s or 1/s: --pi NAME:MB/s:units:…",
		                  "unit readings in '%.40s' are neither times nor rates", units->metric.unit);
	out->source = PREDICT_BY_UNITS;
	out->index = units->metric.name;
	out->rounds = units->phase_count;
	out->stable_only = !time && !series_of(subject, METRIC_WORK);
	return 0;
}

/* What each run would have taken; how many runs have a stable phase. */
static size_t would_take(const struct subject *subject, const struct measurement *units, double work, double *times)
{
	const struct series *amounts = series_of(subject, METRIC_WORK), *wall = series_of(subject, "wall");
	size_t count = 0;
	bool time;
	double unit;
	if (!read_unit(units->metric.unit, &time, &unit))
		return 0;
	for (size_t r = 0; r < units->phase_count && r < units->series.groups[0]; r++) {
		size_t n, first = series_span(&units->series, r, &n);
		double mean = phases_mean(units->series.values + first, &units->phases[r],
		                          time ? MEAN_ARITHMETIC : MEAN_HARMONIC);
		double each = time ? mean * unit : unit / mean;
		double rest = 0, done = time ? (double)n : amounts && r < amounts->n ? amounts->values[r] : NAN;
		if (!isnan(done) && wall && r < wall->n)
			rest = wall->values[r] - done * each;
		if (isfinite(each) && isfinite(rest))
			times[count++] = rest + work * each;
	}
	return count;
}

static int predict_by_units(const struct subject *subject, const struct prediction_basis *basis, double level,
                            double work, struct prediction *out, struct error *err)
{
	const struct measurement *units = subject_find_metric(subject, basis->index);
	double *times = mem_alloc(units->phase_count, sizeof(*times));
	struct summary summary = {0};
	if (!times)
		return error_memory(err);
	size_t n = would_take(subject, units, work, times);
	enum stats_status status = summary_of(times, n, &summary);
	mem_free(times);
	if (status != STATS_OK || n < 2)
		return nothing(err, subject, "fewer than two runs have a stable phase", "measure more runs");
	if (!(summary.mean > 0))
		return too_little(err, subject, work);
	double half = critical_t(1 - level, (double)n - 1) * summary.sd * sqrt(1 + 1 / (double)n);
	*out = (struct prediction){.work = work,
	                           .seconds = summary.mean,
	                           .low = fmax(summary.mean - half, 0),
	                           .high = summary.mean + half,
	                           .wall = NAN,
	                           .wall_low = NAN,
	                           .wall_high = NAN};
	return 0;
}

int predict(const struct subject *subject, const struct prediction_basis *basis, double level, double work,
            struct prediction *out, struct error *err)
{
	struct work_fit fit;
	if (basis->source == PREDICT_BY_UNITS)
		return predict_by_units(subject, basis, level, work, out, err);
	if (fit_line(subject, basis->metric, level, &fit, err) != 0)
		return -1;
	struct prediction p = {.work = work, .wall = NAN, .wall_low = NAN, .wall_high = NAN};
	struct interval interval = work_fit_predict(&fit, work, &p.seconds), wall;
	if (!(p.seconds > 0))
		return too_little(err, subject, work);
	struct error unknown;
	if (strcmp(basis->metric, "wall") != 0 && fit_line(subject, "wall", level, &fit, &unknown) == 0) {
		wall = work_fit_predict(&fit, work, &p.wall);
		bool known = p.wall > 0;
		p.wall = known ? p.wall : NAN;
		p.wall_low = known ? wall.low : NAN;
		p.wall_high = known ? wall.high : NAN;
	}
	const struct measurement *amounts = subject_find_metric(subject, METRIC_WORK);
	double largest = 0;
	for (size_t i = 0; i < amounts->series.n; i++)
		largest = fmax(largest, amounts->series.values[i]);
	p.low = interval.low;
	p.high = interval.high;
	p.beyond = work > 2 * largest;
	*out = p;
	return 0;
}
