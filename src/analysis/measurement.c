/* What one series shows: warm-up, steady state, estimate with interval, levels, dependence, modes.
 *
 * The unit of analysis is the outermost level with two groups or more, never the iteration of one
 * process (METHODS 1). One process alone gets an interval for itself, and a warning. */
#include "analysis/measurement.h"

#include "analysis/kept.h"
#include "base/format.h"
#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/bootstrap.h"
#include "stats/critical.h"
#include "stats/ess.h"
#include "stats/ewc.h"
#include "stats/independence.h"
#include "stats/interval.h"
#include "stats/means.h"
#include "stats/modes.h"
#include "stats/mser.h"
#include "stats/outliers.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/quantised.h"
#include "stats/runcorr.h"
#include "stats/steady.h"
#include "stats/subsession.h"
#include "stats/summary.h"
#include "stats/variance.h"

#include <math.h>
#include <string.h>

enum {
	LEAST_FOR_WARMUP = 20,  /* iterations in each of the first runs before warm-up is looked for */
	FIRM_RUNS = 10,         /* METHODS 1: below it a result is quick */
	MOST_FOR_MODES = 100000 /* values looked at for modes */
};

struct work {
	struct result *result;
	const struct subject *subject;
	struct measurement *m;
	const struct analysis_options *options;
	struct kept kept;
	unsigned unit_level;
	double *units; /* means of the units */
	size_t unit_count;
};

/* Where one metric decides, the others are beside it and keep quiet. */
static bool is_quiet(const struct work *work)
{
	return work->options->deciding && strcmp(work->options->deciding, work->m->metric.name) != 0;
}

static int warn(struct work *work, const char *code, const char *text)
{
	if (is_quiet(work))
		return 0;
	return result_warn(work->result, code, "%s, %s: %s", work->subject->name, work->m->metric.name, text);
}

/* The shortest of the first three innermost groups: what warm-up can be looked for in. */
static size_t shortest_run(const struct series *series)
{
	unsigned last = series->depth - 2;
	size_t shortest = SIZE_MAX;
	for (size_t g = 0; g < series->groups[last] && g < MSER_RUNS; g++) {
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

static void find_warmup(struct work *work)
{
	struct measurement *m = work->m;
	const struct series *series = &m->series;
	size_t run = shortest_run(series);
	m->skip = 0;
	if (work->options->skip >= 0) {
		m->skip = (size_t)work->options->skip;
		return;
	}
	unsigned last = series->depth - 2;
	if (run >= LEAST_FOR_WARMUP && run != SIZE_MAX && !has_lost(series))
		mser_common(series->values, series->starts[last], series->groups[last], &m->skip);
}

/* Independence by majority of the first three runs, each from `skip` on. */
static bool iterations_depend(const struct series *series, size_t skip)
{
	unsigned last = series->depth - 2;
	size_t votes = 0, asked = 0;
	for (size_t g = 0; g < series->groups[last] && g < STEADY_RUNS; g++) {
		size_t from = series->starts[last][g] + skip, to = series->starts[last][g + 1];
		struct independence test;
		if (to < from + INDEPENDENCE_LEAST ||
		    independence_test(series->values + from, to - from, &test) != STATS_OK)
			continue;
		asked++;
		votes += test.dependent;
	}
	return 2 * votes > asked;
}

static void find_steady_state(struct work *work, double precision)
{
	struct measurement *m = work->m;
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	size_t run = shortest_run(series);
	bool unsteady = false;
	if (work->options->state != STEADY_UNKNOWN) {
		m->steady = work->options->state;
		m->steady_why = "given";
		return;
	}
	if (run == SIZE_MAX || run < m->skip + LEAST_FOR_WARMUP || has_lost(series))
		return;
	if (steady_runs(series->values, series->starts[last], series->groups[last], m->skip, precision, &unsteady) != STATS_OK)
		return;
	if (unsteady) {
		m->steady = STEADY_NEVER;
		m->steady_why = "the level still moves after the warm-up";
		warn(work, "unsteady", "no steady state was found; measure more iterations, or look at --plot");
		return;
	}
	bool depend = iterations_depend(series, m->skip);
	m->steady = depend ? STEADY_INITIALISED : STEADY_INDEPENDENT;
	if (run < STEADY_ADVISED)
		m->steady_why = "fewer than 300 iterations: the test sees little";
}

static void set_interval(struct confidence *ci, double level, const struct interval *interval, enum stats_status status,
                         const char *method)
{
	ci->level = level;
	ci->method = method;
	if (status == STATS_OK) {
		ci->low = interval->low;
		ci->high = interval->high;
	} else if (status == STATS_UNBOUNDED) {
		ci->unbounded = true;
	} else {
		ci->level = NAN;
		ci->why = stats_status_text(status);
	}
}

/* The constant of the t interval over units, with the looks and the correlation in time allowed for. */
static double unit_constant(struct work *work, double alpha)
{
	double n = (double)work->unit_count;
	double c = work->options->looking == LOOKED_FOR_PRECISION ? critical_precision(alpha, n, n - 1)
	                                                          : critical_t(alpha, n - 1);
	struct runcorr correlation;
	if (runcorr_of(work->units, work->unit_count, &correlation) == STATS_OK && correlation.factor > 1) {
		/* Among pairs it is the pairs that matter, and they say it themselves. */
		if (!work->result->design.paired)
			warn(work, "dependent-runs", "neighbouring runs are alike; the interval is widened for it");
		c *= correlation.factor;
	}
	return c;
}

static void estimate_by_units(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct interval interval;
	if (work->unit_count < 2) {
		m->ci.why = "one value";
		return;
	}
	enum stats_status status = interval_mean(work->units, work->unit_count, unit_constant(work, 1 - level), &m->mean, &interval);
	const char *rule = work->options->looking == LOOKED_FOR_PRECISION ? "precision stop" : "t";
	set_interval(&m->ci, level, &interval, status,
	             arena_printf(&work->result->arena, "%s over %zu %ss", rule, work->unit_count, level_name(m->unit)));
}

/* One run alone: its iterations carry an interval for this run only. */
static void estimate_one_run(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct interval interval;
	enum stats_status status = ewc_interval(work->kept.values.values, work->kept.values.n, level, &m->mean, &interval);
	set_interval(&m->ci, level, &interval, status, "EWC, this run only");
	if (status != STATS_OK)
		m->ci.why = status == STATS_TOO_FEW ? "one run, and too few independent iterations in it" : stats_status_text(status);
	warn(work, "one-run", "one run only: another run may have another level; measure several");
}

static int estimate_by_name(struct work *work, const char *method, double level, struct error *err)
{
	struct measurement *m = work->m;
	struct interval interval;
	const double *x = work->units;
	size_t n = work->unit_count;
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
	set_interval(&m->ci, level, &interval, status, arena_strdup(&work->result->arena, method));
	return 0;
}

/* Methods that speak of two subjects; one subject then gets its default interval. */
static bool compares_only(const char *method)
{
	static const char *const names[] = {"verdict", "fieller", "duet-paper", "welch", "mann-whitney"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], method) == 0)
			return true;
	return false;
}

static void describe_units(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct summary all, units;
	struct interval interval;
	struct outliers outliers;
	if (summary_of(work->kept.values.values, work->kept.values.n, &all) == STATS_OK) {
		m->min = all.min;
		m->max = all.max;
		m->n = all.n;
		if (all.n > work->unit_count) {
			double mean;
			enum stats_status status =
				interval_mean(work->kept.values.values, all.n, critical_t(1 - level, (double)all.n - 1), &mean, &interval);
			set_interval(&m->pooled_ci, level, &interval, status, "t over all values");
		}
	}
	if (summary_of(work->units, work->unit_count, &units) == STATS_OK) {
		m->mean = units.mean;
		m->sd = units.sd;
		m->sd_why = isnan(units.sd) ? "one value" : NULL;
	}
	median_of(work->units, work->unit_count, &m->median);
	double median;
	enum stats_status status = interval_median(work->units, work->unit_count, level, &median, &interval);
	set_interval(&m->median_ci, level, &interval, status, "order statistics");
	if (outliers_of(work->units, work->unit_count, NULL, &outliers) == STATS_OK) {
		m->far_outliers = outliers.low_severe + outliers.high_severe;
		m->outliers = m->far_outliers + outliers.low_mild + outliers.high_mild;
	}
	m->unseen_mode = proportion_unseen(work->unit_count, 0.95);
}

static void describe_levels(struct work *work)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	struct variance_components components;
	bool known = variance_components(values, &components) == STATS_OK;
	m->level_count = 0;
	for (unsigned k = 0; k < values->depth; k++) {
		size_t groups = k + 1 < values->depth ? values->groups[k] : values->n;
		size_t parents = k == 0 ? 1 : values->groups[k - 1];
		if (groups == parents && k > 0)
			continue; /* one below each: no level of its own */
		struct level_share *share = &m->levels[m->level_count++];
		*share = (struct level_share){.level = m->series.levels[k], .n = (double)groups / (double)parents,
		                              .variance = NAN, .cost = NAN};
		if (known && !isnan(components.level[k].t2))
			share->variance = components.level[k].t2;
		else
			share->variance_why = groups < 2 ? "one repetition" : "not known";
	}
}

static void describe_dependence(struct work *work)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	unsigned last = values->depth - 2;
	const double *x = work->units;
	size_t n = work->unit_count;
	/* Inside the first run where a run has iterations, else across runs. */
	size_t first = values->starts[last][1] - values->starts[last][0];
	bool inside = first >= INDEPENDENCE_LEAST;
	if (inside) {
		x = values->values;
		n = first;
	}
	enum stats_status status = autocorrelation_lag1(x, n, &m->autocorrelation);
	if (status != STATS_OK) {
		m->autocorrelation = NAN;
		m->autocorrelation_why = stats_status_text(status);
	}
	struct subsession found;
	if (subsession_find(x, n, 0.1, &found) == STATS_OK)
		m->subsession = found.size;
	if (inside && effective_sample_size(x, n, &m->effective_size) != STATS_OK)
		m->effective_size = NAN;
}

static int describe_modes(struct work *work, struct error *err)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	struct modes modes;
	if (work->unit_count <= MOST_FOR_MODES && modes_find(work->units, work->unit_count, m->quantum, &modes, NULL) == STATS_OK) {
		m->modes = arena_alloc(&work->result->arena, modes.count, sizeof(*m->modes));
		if (!m->modes)
			return error_memory(err);
		for (size_t i = 0; i < modes.count; i++)
			m->modes[i] = (struct mode){modes.mode[i].median, modes.mode[i].count};
		m->mode_count = modes.count;
		if (modes.count > 1 && work->options->looking == LOOKED_ONCE)
			warn(work, "modes", "the runs fall into groups of different speed; the mean is of none of them");
	}
	size_t first = values->starts[values->depth - 2][1];
	if (first >= FIRM_RUNS && first <= MOST_FOR_MODES && modes_find(values->values, first, m->quantum, &modes, NULL) == STATS_OK)
		m->inner_modes = modes.count;
	return 0;
}

static void describe_clock(struct work *work)
{
	struct quantised quantised;
	struct measurement *m = work->m;
	if (quantised_of(work->kept.values.values, work->kept.values.n, &quantised) != STATS_OK)
		return;
	m->ties = quantised.ties;
	if (m->quantum == 0)
		m->quantum = quantised.quantum;
	bool is_count = m->metric.unit[0] == '\0' && strcmp(m->metric.name, "value") != 0;
	if (is_quiet(work) || is_count)
		return;
	if (quantised.quantum > 0 && m->median > 0 && quantised.quantum > 0.001 * m->median && quantised.ties > 0.1) {
		char step[FORMAT_MAX];
		result_warn(work->result, "quantised",
		            "%s, %s: the clock behind these values steps by %s; medians of such values mislead",
		            work->subject->name, m->metric.name,
		            format_quantity(step, sizeof(step), quantised.quantum, quantised.quantum, m->metric.unit));
	}
}

static void warn_of_few(struct work *work)
{
	char number[FORMAT_MAX];
	if (is_quiet(work))
		return;
	if (work->unit_count >= 2 && work->unit_count < FIRM_RUNS)
		result_warn(work->result, "few-runs", "%s, %s: %zu %ss are few; a slow mode of up to %s of them may be unseen",
		            work->subject->name, work->m->metric.name, work->unit_count, level_name(work->m->unit),
		            format_percent(number, sizeof(number), work->m->unseen_mode, 0.01, 0));
	if (work->kept.lost > 0)
		result_warn(work->result, "lost", "%s, %s: %zu values were lost and are left out", work->subject->name,
		            work->m->metric.name, work->kept.lost);
}

static int analyse_kept(struct work *work, double level, struct error *err)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	if (values->n == 0) {
		m->n = 0;
		m->ci.why = m->series.n == 0 ? "no values" : m->skip > 0 ? "the warm-up left no values" : "every value was lost";
		return 0;
	}
	if (stats_check_finite(values->values, values->n) != STATS_OK) {
		m->n = 0;
		m->ci.why = "a value is not finite";
		return 0;
	}
	work->unit_level = values->n == 1 ? values->depth - 2 : kept_unit_level(values);
	work->units = kept_means(values, work->unit_level, &work->unit_count);
	if (!work->units)
		return error_memory(err);
	m->unit = m->series.levels[work->unit_level];
	m->units = work->unit_count;
	describe_units(work, level);
	bool one_run = work->unit_level + 1 == values->depth && values->n > 1;
	if (work->options->method && !compares_only(work->options->method)) {
		if (estimate_by_name(work, work->options->method, level, err) != 0)
			return -1;
	} else if (one_run) {
		estimate_one_run(work, level);
	} else {
		estimate_by_units(work, level);
	}
	describe_levels(work);
	describe_dependence(work);
	describe_clock(work);
	warn_of_few(work);
	return describe_modes(work, err);
}

int analyse_measurement(struct result *result, const struct subject *subject, struct measurement *m,
                        const struct analysis_options *options, struct error *err)
{
	struct work work = {.result = result, .subject = subject, .m = m, .options = options};
	if (m->series.n > 0) {
		find_warmup(&work);
		find_steady_state(&work, 0.01);
	}
	int status = kept_init(&work.kept, &m->series, m->skip, err);
	if (status == 0)
		status = analyse_kept(&work, options->confidence_one, err);
	mem_free(work.units);
	kept_release(&work.kept);
	return status;
}
