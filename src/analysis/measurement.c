/* What one series shows: warm-up, steady state, estimate with interval, levels, dependence, modes.
 *
 * The unit of analysis is the outermost level with two groups or more, never the iteration of one process
 * (docs/methods.md, "Three rules before any formula"). One process alone gets an interval for itself, and a warning.
 *
 * A harmonic or geometric mean is taken at every level, and its interval is that of 1/x or ln x turned back. A method
 * that is asked for by name has its own mean. */
#include "analysis/measurement.h"

#include "analysis/work.h"
#include "base/format.h"
#include "base/memory.h"
#include "decide/phases.h"
#include "stats/bootstrap.h"
#include "stats/critical.h"
#include "stats/ewc.h"
#include "stats/interval.h"
#include "stats/means.h"
#include "stats/proportion.h"
#include "stats/runcorr.h"

#include <math.h>
#include <string.h>

/* The constant of the t interval over units, with the looks and the correlation in time allowed for. */
static double unit_constant(struct work *work, double alpha)
{
	double n = (double)work->units.n;
	double c = work->options->looking == LOOKED_FOR_PRECISION ? critical_precision(alpha, n, n - 1)
	                                                          : critical_t(alpha, n - 1);
	struct runcorr correlation;
	/* Machines have no order in time. */
	if (work->m->unit != LEVEL_MACHINE && runcorr_about(work->units.mean, &work->summary, &correlation) == STATS_OK &&
	    correlation.factor > 1) {
		/* Among pairs it is the pairs that matter, and they say it themselves. */
		if (!work->result->design.paired)
			work_warn(work, "dependent-runs", "consecutive runs are correlated; the interval was widened");
		c *= correlation.factor;
	}
	return c;
}

/* The mean of the units by its kind; *mean is written where there is one. */
static enum stats_status unit_mean(const struct kept_units *units, const struct summary *summary, enum mean_kind kind,
                                   double c, double *mean, struct interval *out)
{
	switch (kind) {
	case MEAN_HARMONIC: return mean_harmonic(units->mean, units->n, c, mean, out);
	case MEAN_GEOMETRIC: return mean_geometric(units->mean, units->n, c, mean, out);
	case MEAN_ARITHMETIC: break;
	}
	*mean = summary->mean;
	return interval_of_summary(summary, c, out);
}

static bool are_zeros_and_ones(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] != 0 && x[i] != 1)
			return false;
	return n > 0;
}

/* Runs that succeed or fail: 30 of 30 is not 1 ± 0. */
static bool estimate_proportion(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct interval interval;
	const char *design = work->result->design.name;
	/* The counters of our own runs (switches, migrations) may be 0 or 1 and are counts all the same. */
	bool own = (!design || strcmp(design, "imported") != 0) && isnan(m->index->autocorrelation_limit);
	if (own || m->is_count || work->units.mean != work->kept.values.values || m->metric.unit[0] != '\0' ||
	    !are_zeros_and_ones(work->units.mean, work->units.n))
		return false;
	size_t ones = (size_t)llround(work->summary.mean * (double)work->units.n);
	enum stats_status status = proportion_wilson(ones, work->units.n, level, &interval);
	m->mean = work->summary.mean;
	work_interval(&m->ci, level, &interval, status,
	              arena_printf(&work->result->arena, "Wilson, %zu of %zu", ones, work->units.n));
	/* The median is 0 or 1 and says no more, and neither value is a slow one. */
	work_withhold_median(work, "a proportion");
	work->described.unseen_mode = NAN;
	work->proportion = true;
	return true;
}

static void estimate_by_units(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct interval interval;
	if (estimate_proportion(work, level))
		return;
	if (work->units.n < 2) {
		m->ci.why = "one value";
		return;
	}
	double c = unit_constant(work, 1 - level);
	enum stats_status status = unit_mean(&work->units, &work->summary, m->mean_kind, c, &m->mean, &interval);
	const char *rule = work->options->looking == LOOKED_FOR_PRECISION ? "precision stop" : "t";
	const char *text = arena_printf(&work->result->arena, "%s over %zu %ss", rule, work->units.n, level_name(m->unit));
	double allowance = work->options->allowance;
	if (status == STATS_OK && text && allowance > 0) {
		interval.low -= allowance * fabs(m->mean);
		interval.high += allowance * fabs(m->mean);
		text = arena_printf(&work->result->arena, "%s, and %g %% for what a short look may miss", text,
		                    100 * allowance);
	}
	work_interval(&m->ci, level, &interval, status, text);
}

/* EWC for 1/x or ln x, turned back. */
static enum stats_status turned_ewc(const double *x, size_t n, enum mean_kind kind, double level, struct interval *out)
{
	bool harmonic = kind == MEAN_HARMONIC;
	double *y = mem_alloc(n, sizeof(*y)), mean;
	struct interval turned;
	if (!y)
		return STATS_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		y[i] = harmonic ? 1 / x[i] : log(x[i]);
	enum stats_status status = ewc_interval(y, n, level, &mean, &turned);
	mem_free(y);
	if (status != STATS_OK)
		return status;
	if (harmonic && !(turned.low > 0))
		return STATS_UNBOUNDED;
	*out = harmonic ? (struct interval){1 / turned.high, 1 / turned.low}
	                : (struct interval){exp(turned.low), exp(turned.high)};
	return STATS_OK;
}

/* One run alone: its iterations carry an interval for this run only. */
static void estimate_one_run(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct interval interval;
	const double *x = work->units.mean;
	size_t n = work->units.n;
	enum stats_status status;
	if (m->mean_kind == MEAN_ARITHMETIC) {
		status = ewc_interval(x, n, level, &m->mean, &interval);
	} else {
		m->mean = phases_mean(x, &(struct phase){.to = n}, m->mean_kind);
		status = turned_ewc(x, n, m->mean_kind, level, &interval);
	}
	work_interval(&m->ci, level, &interval, status, "EWC, this run only");
	if (status != STATS_OK)
		m->ci.why = status == STATS_TOO_FEW ? "one run, and too few independent iterations in it"
		                                    : stats_status_text(status);
	work_warn(work, "one-run", "only one run, and others may differ; measure several");
}

static int estimate_by_name(struct work *work, const char *method, double level, struct error *err)
{
	struct measurement *m = work->m;
	struct interval interval;
	const double *x = work->units.mean;
	size_t n = work->units.n;
	double c = n > 1 ? critical_t(1 - level, (double)n - 1) : NAN;
	enum stats_status status;
	if (strcmp(method, "t") == 0) {
		status = interval_mean(x, n, c, &m->mean, &interval);
	} else if (strcmp(method, "bootstrap") == 0) {
		status = bootstrap_mean(&work->kept.values, 10000, level, work->options->seed, &interval);
	} else if (strcmp(method, "ewc") == 0) {
		status = ewc_interval(work->kept.values.values, work->kept.values.n, level, &m->mean, &interval);
	} else if (strcmp(method, "harmonic") == 0) {
		status = mean_harmonic(x, n, c, &m->mean, &interval);
	} else if (strcmp(method, "geometric") == 0) {
		status = mean_geometric(x, n, c, &m->mean, &interval);
	} else {
		return error_set(err, ERROR_INTERNAL, "method '%.40s' has no interval for one subject", method);
	}
	work_interval(&m->ci, level, &interval, status, arena_strdup(&work->result->arena, method));
	return 0;
}

/* Methods that speak of two subjects; one subject then gets its default interval. */
static bool compares_only(const char *method)
{
	static const char *const names[] = {"verdict",          "fieller", "duet-paper",
	                                    "duet-paper-plain", "welch",   "mann-whitney"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], method) == 0)
			return true;
	return false;
}

static bool by_name(const struct analysis_options *options)
{
	return options->method && !compares_only(options->method);
}

enum mean_kind measurement_kind(const struct measurement *m, const struct analysis_options *options)
{
	if (!by_name(options))
		return m->mean_kind;
	return strcmp(options->method, "harmonic") == 0    ? MEAN_HARMONIC
	       : strcmp(options->method, "geometric") == 0 ? MEAN_GEOMETRIC
	                                                   : MEAN_ARITHMETIC;
}

static int analyse_kept(struct work *work, double level, struct error *err)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	bool named = by_name(work->options);
	if (values->n == 0) {
		m->n = 0;
		m->ci.why = m->series.n == 0 ? "no values"
		            : m->skip > 0    ? "the warm-up left no values"
		                             : "every value was lost";
		return 0;
	}
	if (stats_check_finite(values->values, values->n) != STATS_OK) {
		m->n = 0;
		m->ci.why = "a value is not finite";
		return 0;
	}
	if (!kept_is_in_range(values)) {
		m->n = 0;
		m->ci.why = "values this large or this small cannot be computed with: choose another unit";
		return 0;
	}
	work->unit_level = values->n == 1 ? values->depth - 2 : kept_unit_level(values);
	bool unfit = !named && m->mean_kind != MEAN_ARITHMETIC && !kept_is_positive(values);
	enum mean_kind kind = named || unfit ? MEAN_ARITHMETIC : m->mean_kind;
	if (kept_units_init(&work->units, values, work->unit_level, kind, err) != 0)
		return -1;
	m->unit = m->series.levels[work->unit_level];
	m->units = work->units.n;
	work_describe_units(work, level);
	bool one_run = kept_is_one_run(&m->series, values);
	if (named) {
		if (estimate_by_name(work, work->options->method, level, err) != 0)
			return -1;
	} else if (unfit) {
		m->mean = NAN;
		m->ci.why = stats_status_text(STATS_NOT_POSITIVE);
	} else if (one_run) {
		estimate_one_run(work, level);
	} else {
		estimate_by_units(work, level);
	}
	if (work_describe(work, level, err) != 0)
		return -1;
	/* Order statistics are of independent values. */
	if (one_run && 2 * work->described.effective_size < (double)work->units.n)
		work_withhold_median(work, "iterations depend on each other");
	return 0;
}

/* Where one iteration of each run is used: what all after the warm-up would say, over the same units. */
static int estimate_all(struct work *work, double level, struct error *err)
{
	struct measurement *m = work->m;
	struct kept kept;
	struct kept_units units;
	struct summary summary;
	struct interval interval;
	enum mean_kind kind = measurement_kind(m, work->options);
	if (kept_init_as(&kept, &m->series, m, err) != 0)
		return -1;
	struct all_iterations *all = measurement_own_all(work->result, m);
	int failed = all ? kept_units_init(&units, &kept.values, kept_unit_level(&kept.values),
	                                   by_name(work->options) ? MEAN_ARITHMETIC : kind, err)
	                 : error_memory(err);
	if (!failed && summary_of(units.mean, units.n, &summary) == STATS_OK) {
		double c = critical_t(1 - level, (double)units.n - 1);
		enum stats_status status = unit_mean(&units, &summary, kind, c, &all->mean, &interval);
		work_interval(&all->ci, level, &interval, status, "t");
	}
	if (!failed)
		kept_units_release(&units);
	kept_release(&kept);
	return failed;
}

/* The first steady iteration of each run beside the mean of all of them: over runs they differ by chance alone, unless a
 * warm-up is left or iterations follow a pattern. */
static void compare_one_iteration(struct work *work)
{
	enum { LEAST_RUNS = 5 };
	static const double alpha = 0.01;
	struct measurement *m = work->m;
	struct kept kept;
	struct running differences = {0};
	if (m->steady != STEADY_INITIALISED || m->series.levels[m->series.depth - 1] != LEVEL_ITERATION ||
	    m->series.groups[m->series.depth - 2] < LEAST_RUNS || kept_init_as(&kept, &m->series, m, NULL) != 0)
		return;
	const struct nested *values = &kept.values;
	unsigned last = values->depth - 2;
	for (size_t r = 0; r < values->groups[last]; r++) {
		struct running run = {0};
		const double *first = values->values + values->starts[last][r];
		running_add_all(&run, first, values->starts[last][r + 1] - values->starts[last][r]);
		running_add(&differences, *first / running_mean(&run) - 1);
	}
	kept_release(&kept);
	double n = (double)running_count(&differences), mean = running_mean(&differences);
	if (n < LEAST_RUNS)
		return;
	double half = critical_t(alpha, n - 1) * sqrt(running_variance(&differences) / n);
	if (!(fabs(mean) > half))
		return;
	char share[FORMAT_MAX], width[FORMAT_MAX];
	work_warn(
		work, "one-iteration",
		"the first steady iteration of a run is %s (\xc2\xb1 %s) off the mean of its steady iterations: a warm-up may "
		"be left, or iterations follow a pattern",
		format_percent(share, sizeof(share), mean, half, 1), format_percent(width, sizeof(width), half, half, 0));
}

static int find_state(struct work *work, bool phases, struct error *err)
{
	const struct series *series = &work->m->series;
	if (series->n == 0 || phases || !work_has_iterations(series))
		return 0;
	if (work_find_state(work, 0.01, err) != 0)
		return -1;
	compare_one_iteration(work);
	return work->m->iteration > 0 ? estimate_all(work, work->options->confidence_one, err) : 0;
}

/* Runs of which the tool told count, mean and standard error alone. */
static void analyse_stated(struct work *work, double level)
{
	struct measurement *m = work->m;
	const struct stated_runs *stated = m->stated;
	double n = (double)stated->n, half = critical_t(1 - level, n - 1) * stated->sem;
	m->n = m->units = stated->n;
	m->unit = LEVEL_RUN;
	m->mean = stated->mean;
	m->sd = stated->sem * sqrt(n);
	work->described.median_ci.why = "the tool kept no values";
	work_interval(&m->ci, level, &(struct interval){m->mean - half, m->mean + half}, STATS_OK,
	              arena_printf(&work->result->arena, "t over %zu runs, from their mean and its error", stated->n));
	work->described.unseen_mode = proportion_unseen(stated->n, 0.95);
}

/* A mean of what is never below 0 that is not known to within 100 % has no interval to show. */
static void withhold_interval(struct work *work)
{
	enum { FEW = 10 };
	struct measurement *m = work->m;
	bool positive = strcmp(m->metric.unit, "s") == 0 || m->min >= 0;
	if (!positive || !(m->mean > 0) || m->ci.unbounded || !(m->ci.low < 0))
		return;
	m->ci.low = m->ci.high = NAN;
	m->ci.method = NULL;
	m->ci.why = m->units < FEW
	                ? arena_printf(&work->result->arena, "%zu %ss are too few", m->units, level_name(m->unit))
	                : "the mean is not known to within 100 %";
}

int analyse_measurement(struct result *result, const struct subject *subject, struct measurement *m,
                        const struct analysis_options *options, struct error *err)
{
	struct work work = {.result = result, .subject = subject, .m = m, .options = options, .described = *m->described};
	bool phases = m->phases && m->series.depth == 2 && m->phase_count == m->series.groups[0];
	bool stated = m->stated->n > 1;
	if (stated)
		analyse_stated(&work, options->confidence_one);
	int status = stated ? 0 : find_state(&work, phases, err);
	if (status == 0 && !stated)
		status = phases ? kept_init_phases(&work.kept, &m->series, m->phases, err) : kept_init_of(&work.kept, m, err);
	if (status == 0 && !stated)
		status = analyse_kept(&work, options->confidence_one, err);
	withhold_interval(&work);
	kept_units_release(&work.units);
	kept_release(&work.kept);
	if (status == 0 && measurement_describe(result, m, &work.described) != 0)
		status = error_memory(err);
	return status;
}
