/* What the values show beside the estimate: spread, median, outliers, levels, dependence, clock, modes, slope.
 *
 * Series may have ten million values, so nothing here copies them: order statistics are found without
 * sorting (stats/order.h), and where a part speaks for the whole (modes, clock, dependence) only a part
 * is looked at. */
#include "analysis/measurement.h"
#include "analysis/work.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/critical.h"
#include "stats/ess.h"
#include "stats/independence.h"
#include "stats/interval.h"
#include "stats/modes.h"
#include "stats/outliers.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/quantised.h"
#include "stats/regression.h"
#include "stats/subsession.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where one metric decides, the others are beside it and keep quiet. */
static bool is_quiet(const struct work *work)
{
	return work->options->deciding && strcmp(work->options->deciding, work->m->metric.name) != 0;
}

/* The metric is named where the subject has several. */
int work_warn(struct work *work, const char *code, const char *format, ...)
{
	char about[400];
	bool alone = true;
	if (is_quiet(work))
		return 0;
	for (size_t i = 0; i < work->subject->metric_count; i++)
		alone &= &work->subject->metrics[i] == work->m || metric_counts_iterations(&work->subject->metrics[i].metric);
	snprintf(about, sizeof(about), alone ? "%.200s" : "%.200s, %.150s", subject_title(work->subject),
	         work->m->metric.name);
	va_list args;
	va_start(args, format);
	int status = result_about_vwarn(work->result, code, about, format, args);
	va_end(args);
	return status;
}

void work_interval(struct confidence *ci, double level, const struct interval *interval, enum stats_status status,
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

void work_withhold_median(struct work *work, const char *why)
{
	work->described.median_ci = (struct confidence){.level = NAN, .low = NAN, .high = NAN, .why = why};
}

/* All values as if they had no levels. */
static void describe_pool(struct work *work, double level)
{
	struct measurement *m = work->m;
	const struct nested *values = &work->kept.values;
	struct summary all = work->summary;
	struct interval interval;
	if (work->units.mean != values->values && summary_of(values->values, values->n, &all) != STATS_OK)
		return;
	m->n = all.n;
	m->min = all.min;
	m->max = all.max;
	work->described.pooled_sd = all.sd;
	bool one_run = work->unit_level + 1 == values->depth && all.n > 1;
	if (all.n > work->units.n || one_run) {
		enum stats_status status = interval_of_summary(&all, critical_t(1 - level, (double)all.n - 1), &interval);
		work_interval(&work->described.pooled_ci, level, &interval, status, "t over all values");
	}
}

void work_describe_units(struct work *work, double level)
{
	struct measurement *m = work->m;
	struct description *described = &work->described;
	const struct kept_units *units = &work->units;
	struct interval interval;
	struct outliers outliers;
	if (summary_of(units->mean, units->n, &work->summary) == STATS_OK) {
		m->mean = work->summary.mean;
		m->sd = work->summary.sd;
		m->sd_why = isnan(m->sd) ? "one value" : NULL;
		describe_pool(work, level);
	}
	enum stats_status status = interval_median(units->mean, units->n, level, &m->median, &interval);
	if (status != STATS_OK)
		median_of(units->mean, units->n, &m->median);
	work_interval(&described->median_ci, level, &interval, status, "order statistics");
	if (units->n < 2 || mad_about(units->mean, units->n, m->median, &described->mad) != STATS_OK)
		described->mad = NAN;
	/* A document that was read may have counted those of other units. */
	described->far_outliers = described->outliers = 0;
	if (outliers_of(units->mean, units->n, NULL, &outliers) == STATS_OK) {
		described->far_outliers = outliers.low_severe + outliers.high_severe;
		described->outliers = described->far_outliers + outliers.low_mild + outliers.high_mild;
	}
	described->unseen_mode = proportion_unseen(units->n, 0.95);
}

/* The values that follow one another: iterations of the first run where they are enough, else runs. Invocations are
 * not looked at (histograms have them sorted): an iteration counts by its mean. */
static void describe_order(struct work *work, const double *iterations, size_t first)
{
	struct description *described = &work->described;
	const struct kept_units *units = &work->units;
	bool inside = first >= INDEPENDENCE_LEAST;
	const double *x = inside ? iterations : units->mean;
	size_t n = inside ? first : units->n;
	/* Machines have no order in time. */
	if (!inside && work->m->unit == LEVEL_MACHINE) {
		described->autocorrelation = NAN;
		described->autocorrelation_why = "machines have no order in time";
		return;
	}
	enum stats_status status = autocorrelation_lag1(x, n, &described->autocorrelation);
	if (status != STATS_OK) {
		described->autocorrelation = NAN;
		described->autocorrelation_why = stats_status_text(status);
	}
	struct subsession found;
	if (subsession_find(x, n < MOST_FOR_DEPENDENCE ? n : MOST_FOR_DEPENDENCE, 0.1, &found) == STATS_OK)
		described->subsession = found.size;
	if (inside && effective_sample_size(x, n, &described->effective_size) != STATS_OK)
		described->effective_size = NAN;
}

static int describe_dependence(struct work *work, struct error *err)
{
	const struct nested *values = &work->kept.values;
	bool invocations = work->m->series.levels[values->depth - 1] == LEVEL_INVOCATION && values->depth > 2;
	unsigned iteration = values->depth - (invocations ? 2 : 1);
	struct kept_units iterations;
	size_t first;
	if (kept_units_init(&iterations, values, iteration, MEAN_ARITHMETIC, err) != 0)
		return -1;
	nested_span(values, iteration - 1, 0, &first);
	describe_order(work, iterations.mean, first);
	kept_units_release(&iterations);
	return 0;
}

enum { MOST_NAMED = 100, MOST_LISTED = 8 }; /* units whose groups are named, and those that are listed */

/* "runs 2, 5 and 7 of 10 are 1.42 x the others" of the members of a group, or "3 of 10 runs are …" where they are many.
 */
static void add_group(const struct work *work, const uint8_t *member, uint8_t group, struct buffer *out)
{
	struct running inside = {0}, outside = {0};
	const struct kept_units *units = &work->units;
	const char *name = level_name(work->m->unit);
	size_t told = 0, count = 0;
	char number[FORMAT_MAX];
	for (size_t i = 0; i < units->n; i++) {
		running_add(member[i] == group ? &inside : &outside, units->mean[i]);
		count += member[i] == group;
	}
	if (count <= MOST_LISTED) {
		buffer_printf(out, "%s%s ", name, count == 1 ? "" : "s");
		for (size_t i = 0; i < units->n; i++)
			if (member[i] == group) {
				const char *joint = told == 0 ? "" : told + 1 == count ? " and " : ", ";
				buffer_printf(out, "%s%zu", joint, i + 1);
				told++;
			}
		buffer_printf(out, " of %zu", units->n);
	} else {
		buffer_printf(out, "%zu of %zu %ss", count, units->n, name);
	}
	buffer_printf(out, " %s %s \xc3\x97 the others", count == 1 ? "is" : "are",
	              format_significant(number, sizeof(number), running_mean(&inside) / running_mean(&outside), 3));
}

/* The units that stand apart: the smaller of two groups, or the values beyond three quartile ranges. */
static void warn_of_groups(struct work *work, const struct modes *modes, const uint8_t *member)
{
	struct buffer text = {0};
	uint8_t largest = 0;
	for (uint8_t k = 1; k < modes->count; k++)
		if (modes->mode[k].count > modes->mode[largest].count)
			largest = k;
	for (uint8_t k = 0; k < modes->count && work->units.n <= MOST_NAMED && work->summary.min > 0; k++) {
		if (k == largest)
			continue;
		buffer_text_add(&text, text.length ? ", " : "");
		add_group(work, member, k, &text);
	}
	work_warn(work, "modes", "%s%sthe %ss fall into groups of different speed; the mean describes none of them",
	          buffer_text(&text), text.length ? ": " : "", level_name(work->m->unit));
	buffer_release(&text);
}

static int warn_of_far_units(struct work *work, struct error *err)
{
	enum { LEAST_UNITS = 5, MOST_FAR = 3, HIGH = 1, LOW = 2 };
	static const double least_ratio = 1.02;
	const struct kept_units *units = &work->units;
	struct outliers fences;
	size_t far[LOW + 1] = {0};
	/* Of single values outliers are counted; means of many iterations that stand apart are another matter. */
	if (work->kept.values.n == units->n || units->n < LEAST_UNITS || units->n > MOST_NAMED ||
	    !(work->summary.min > 0) || work->described.far_outliers == 0)
		return 0;
	signed char *marks = mem_alloc(units->n, sizeof(*marks));
	uint8_t *member = mem_zalloc(units->n, sizeof(*member));
	int status = marks && member ? 0 : error_memory(err);
	if (status == 0 && outliers_of(units->mean, units->n, marks, &fences) == STATS_OK) {
		for (size_t i = 0; i < units->n; i++) {
			double ratio = units->mean[i] / work->m->median;
			bool apart = abs(marks[i]) == OUTLIER_HIGH_SEVERE && fmax(ratio, 1 / ratio) >= least_ratio;
			member[i] = !apart ? 0 : ratio > 1 ? HIGH : LOW;
			far[member[i]]++;
		}
		struct buffer text = {0};
		if (far[HIGH] + far[LOW] <= MOST_FAR)
			for (uint8_t side = HIGH; side <= LOW; side++) {
				buffer_text_add(&text, text.length && far[side] ? ", " : "");
				if (far[side] > 0)
					add_group(work, member, side, &text);
			}
		if (text.length > 0)
			work_warn(work, "far-runs", "%s; look at what was different there", buffer_text(&text));
		buffer_release(&text);
	}
	mem_free(marks);
	mem_free(member);
	return status;
}

/* A few values at the end of a tail can look like a group, and the mean still describes the others: the second group
 * must have so many of the values. Of normal values, 100, 400 or 1000, at most 1 in 300 samples has two such groups. */
static bool has_two_groups(const struct modes *modes, size_t n)
{
	static const double least_share = 0.05;
	size_t first = 0, second = 0;
	for (size_t k = 0; k < modes->count; k++) {
		size_t count = modes->mode[k].count;
		second = count > first ? first : count > second ? count : second;
		first = count > first ? count : first;
	}
	return (double)second >= least_share * (double)n;
}

static int describe_modes(struct work *work, struct error *err)
{
	struct measurement *m = work->m;
	struct description *described = &work->described;
	const struct nested *values = &work->kept.values;
	struct modes modes;
	uint8_t *member = work->units.n <= MOST_FOR_MODES ? mem_alloc(work->units.n, sizeof(*member)) : NULL;
	bool runs = m->unit < LEVEL_ITERATION && work->options->looking == LOOKED_ONCE;
	int status = 0;
	if (member && modes_find(work->units.mean, work->units.n, m->quantum, &modes, member) == STATS_OK) {
		bool several = modes.count > 1;
		described->modes = several ? arena_alloc(&work->result->arena, modes.count, sizeof(*described->modes)) : NULL;
		if (several && !described->modes)
			status = error_memory(err);
		for (size_t i = 0; described->modes && i < modes.count; i++)
			described->modes[i] = (struct mode){modes.mode[i].median, modes.mode[i].count};
		described->mode_count = several && !described->modes ? 0 : modes.count;
		if (has_two_groups(&modes, work->units.n) && work->options->looking == LOOKED_ONCE)
			warn_of_groups(work, &modes, member);
		else if (runs && status == 0)
			status = warn_of_far_units(work, err);
	}
	mem_free(member);
	size_t first = values->starts[values->depth - 2][1];
	if (first >= FIRM_RUNS && first <= MOST_FOR_MODES &&
	    modes_find(values->values, first, m->quantum, &modes, NULL) == STATS_OK)
		described->inner_modes = modes.count;
	return status;
}

/* The clock's step and the ties; of many values so many, evenly spread. */
static enum stats_status find_clock(const struct nested *values, struct quantised *out)
{
	if (values->n <= MOST_FOR_MODES)
		return quantised_of(values->values, values->n, out);
	double *some = mem_alloc(MOST_FOR_MODES, sizeof(*some)), every = (double)values->n / MOST_FOR_MODES;
	if (!some)
		return STATS_NO_MEMORY;
	for (size_t i = 0; i < MOST_FOR_MODES; i++)
		some[i] = values->values[(size_t)((double)i * every)];
	enum stats_status status = quantised_of(some, MOST_FOR_MODES, out);
	mem_free(some);
	return status;
}

double measurement_quantum(const struct measurement *m)
{
	struct quantised found = {.quantum = 0};
	struct kept kept;
	if (m->quantum > 0 || kept_init_of(&kept, m, NULL) != 0)
		return m->quantum;
	enum stats_status status = find_clock(&kept.values, &found);
	kept_release(&kept);
	return status == STATS_OK ? found.quantum : 0;
}

static void describe_clock(struct work *work)
{
	struct quantised quantised;
	struct measurement *m = work->m;
	if (find_clock(&work->kept.values, &quantised) != STATS_OK)
		return;
	work->described.ties = quantised.ties;
	if (m->quantum == 0)
		m->quantum = quantised.quantum;
	/* Counts and sizes are whole by nature; a bare value may be a time. */
	bool time = strcmp(m->metric.unit, "s") == 0,
		 bare = m->metric.unit[0] == '\0' && strcmp(m->metric.name, "value") == 0;
	if ((!time && !bare) || work->proportion)
		return;
	if (quantised.quantum > 0 && m->median > 0 && quantised.quantum > 0.001 * m->median && quantised.ties > 0.1) {
		char step[FORMAT_MAX];
		work_warn(work, "quantised", "%s %s; medians of such values are misleading",
		          time ? "the clock behind these values steps by" : "these values are whole multiples of",
		          format_quantity(step, sizeof(step), quantised.quantum, quantised.quantum, m->metric.unit));
		/* Readings that the clock cannot tell apart are known to within a step, never exactly. */
		if (work->described.median_ci.low == work->described.median_ci.high)
			work_withhold_median(work, "equal within a step of the clock");
	}
}

static void warn_of_few(struct work *work)
{
	/* From five machines on they speak for their pool. */
	size_t least = work->m->unit == LEVEL_MACHINE ? 5 : FIRM_RUNS;
	if (work->kept.values.n == 1)
		work_warn(work, "few-runs", "one value does not show the spread; measure %d or more", FIRM_RUNS);
	if (work->units.n >= 2 && work->units.n < least && work->m->unit != LEVEL_ITERATION)
		work_warn(work, "few-runs", "only %zu %ss; use %d or more", work->units.n, level_name(work->m->unit),
		          (int)least);
	if (work->kept.lost > 0)
		work_warn(work, "lost", "%zu value%s lost and left out", work->kept.lost,
		          work->kept.lost == 1 ? " was" : "s were");
}

/* Fits the sums of samples, value times count, to the counts. */
static int fit_slope(struct work *work, const struct nested *counts, double level, struct error *err)
{
	const struct nested *values = &work->kept.values;
	struct iteration_slope *slope = measurement_own_slope(work->result, work->m);
	double *sums = slope ? mem_alloc(values->n, sizeof(*sums)) : NULL, fitted, se;
	if (!sums)
		return error_memory(err);
	for (size_t i = 0; i < values->n; i++)
		sums[i] = values->values[i] * counts->values[i];
	enum stats_status status = line_through_origin(counts->values, sums, values->n, &fitted, &se);
	mem_free(sums);
	if (status != STATS_OK) {
		slope->why = slope->ci.why = stats_status_text(status);
		return 0;
	}
	double half = critical_t(1 - level, (double)values->n - 1) * se;
	slope->value = fitted;
	work_interval(&slope->ci, level, &(struct interval){fitted - half, fitted + half}, STATS_OK, "t, this run only");
	return 0;
}

static int describe_slope(struct work *work, double level, struct error *err)
{
	static const char no_counts[] = "the samples have no iteration counts";
	static const struct iteration_slope none = {
		.value = NAN, .why = no_counts, .ci = {.level = NAN, .low = NAN, .high = NAN, .why = no_counts}};
	struct measurement *m = work->m;
	bool wall = strcmp(m->metric.name, "wall") == 0;
	const struct measurement *counts = wall ? subject_find_metric(work->subject, METRIC_ITERATIONS) : NULL;
	if (!counts || !metric_counts_iterations(&counts->metric) || counts->series.n != m->series.n ||
	    work->kept.lost > 0) {
		m->slope = &none;
		return 0;
	}
	struct kept kept;
	if (kept_init_as(&kept, &counts->series, m, err) != 0)
		return -1;
	int status = kept.values.n == work->kept.values.n ? fit_slope(work, &kept.values, level, err) : 0;
	kept_release(&kept);
	return status;
}

int work_describe(struct work *work, double level, struct error *err)
{
	if (work_describe_levels(work, level, err) != 0)
		return -1;
	if (describe_dependence(work, err) != 0)
		return -1;
	describe_clock(work);
	warn_of_few(work);
	if (describe_slope(work, level, err) != 0)
		return -1;
	return describe_modes(work, err);
}
