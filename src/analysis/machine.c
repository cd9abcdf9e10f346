/* One machine of several: its part of the data, compared as if it were alone, and its estimates with their variances. */
#include "analysis/machines.h"

#include "analysis/comparison.h"
#include "analysis/machine_sizes.h"
#include "analysis/measurement.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>

static const struct machine_part unknown = {NAN, NAN, NAN};
static const struct machine_numbers silent = {.typical = {NAN, NAN, NAN},
                                              .total = {NAN, NAN, NAN},
                                              .share = {NAN, NAN, NAN},
                                              .share_base = NAN,
                                              .share_new = NAN,
                                              .mean_base = NAN,
                                              .mean_new = NAN};

/* Of a total the standard error of the logarithm: half of what its interval spans with c = 1; and the clock's term. */
static struct machine_part total_part(const struct verdict_numbers *numbers)
{
	const struct total *total = &numbers->evidence.total;
	struct machine_part part = {log(numbers->total.estimate), NAN, total->df};
	struct interval interval;
	double ratio;
	if (!numbers->total.used || !isfinite(part.value))
		return unknown;
	if (total_interval(total, 1, &ratio, &interval) == STATS_OK && interval.low > 0) {
		double se = (log(interval.high) - log(interval.low)) / 2;
		part.variance = se * se + numbers->evidence.total_clock * numbers->evidence.total_clock;
	}
	return part;
}

/* Of counts the variance of a difference of two shares, with one slow pair more than were seen. */
static struct machine_part share_part(const struct verdict_numbers *numbers)
{
	const struct verdict_evidence *seen = &numbers->evidence;
	if (!numbers->share.used)
		return unknown;
	if (seen->share_kind == SHARE_OF_RUNS)
		return (struct machine_part){numbers->share.estimate, seen->share.se * seen->share.se, seen->share.df};
	double n = (double)seen->counts.pairs, slow = (double)(seen->counts.only_base + seen->counts.only_new);
	return (struct machine_part){numbers->share.estimate, (slow + 1) / (n * n), n - 1};
}

/* From the verdict's numbers of one machine. */
static void take_numbers(const struct verdict_numbers *numbers, struct machine_numbers *out)
{
	const struct verdict_mean *typical = &numbers->evidence.typical;
	*out = (struct machine_numbers){
		.typical = numbers->typical.used
	                   ? (struct machine_part){log(numbers->typical.estimate),
	                                           typical->se * typical->se + typical->extra * typical->extra, typical->df}
	                   : unknown,
		.total = total_part(numbers),
		.share = share_part(numbers),
		.share_base = numbers->share_base,
		.share_new = numbers->share_new,
		.mean_base = NAN,
		.mean_new = NAN,
		.units = numbers->units,
		.pairs = numbers->pairs,
	};
}

/* Of one machine's comparison: the verdict's numbers, else the ratio alone. */
static void take_comparison(const struct comparison *c, const struct judged *judged, struct machine_numbers *out)
{
	*out = silent;
	if (judged->numbers.runs > 0) {
		take_numbers(&judged->numbers, out);
		return;
	}
	out->pairs = c->pairs;
	if (c->ratio > 0)
		out->total = (struct machine_part){log(c->ratio), NAN, NAN};
}

/* Estimates of n and m units: their weighted mean, with Satterthwaite's degrees of freedom. */
static struct machine_part join(struct machine_part a, double n, struct machine_part b, double m)
{
	if (isnan(a.value) || isnan(b.value))
		return unknown;
	double wa = n / (n + m), wb = m / (n + m);
	double va = wa * wa * a.variance, vb = wb * wb * b.variance;
	struct machine_part both = {wa * a.value + wb * b.value, va + vb, a.df + b.df};
	if (va + vb > 0)
		both.df = (va + vb) * (va + vb) / (va * va / a.df + vb * vb / b.df);
	return both;
}

static double join_means(double a, double n, double b, double m, enum mean_kind kind)
{
	switch (kind) {
	case MEAN_HARMONIC: return (n + m) / (n / a + m / b);
	case MEAN_GEOMETRIC: return exp((n * log(a) + m * log(b)) / (n + m));
	case MEAN_ARITHMETIC: break;
	}
	return (n * a + m * b) / (n + m);
}

void machine_numbers_join(struct machine_numbers *into, const struct machine_numbers *more, enum mean_kind kind)
{
	double n = (double)into->units, m = (double)more->units;
	into->typical = join(into->typical, n, more->typical, m);
	into->total = join(into->total, n, more->total, m);
	into->share = join(into->share, n, more->share, m);
	into->share_base = (n * into->share_base + m * more->share_base) / (n + m);
	into->share_new = (n * into->share_new + m * more->share_new) / (n + m);
	into->mean_base = join_means(into->mean_base, n, more->mean_base, m, kind);
	into->mean_new = join_means(into->mean_new, n, more->mean_new, m, kind);
	into->units += more->units;
	into->pairs += more->pairs;
}

bool machines_are_level(const struct measurement *base, const struct measurement *new_)
{
	const struct series *a = &base->series, *b = &new_->series;
	return a->depth > 2 && b->depth > 2 && a->levels[0] == LEVEL_MACHINE && b->levels[0] == LEVEL_MACHINE &&
	       a->groups[0] == b->groups[0] && a->groups[0] > 1;
}

size_t machine_runs_before(const struct series *series, size_t machine)
{
	size_t first = machine;
	for (unsigned k = 0; k + 2 < series->depth; k++)
		first = series->starts[k][first];
	return first;
}

static int add_values(struct series *own, const struct series *all, size_t from, size_t to, struct error *err)
{
	int status = 0;
	for (size_t g = from; status == 0 && g < to; g++) {
		struct series group;
		if (series_group(&group, all, g, err) != 0)
			return -1;
		status = series_append_all(own, &group, 0, err);
		series_release(&group);
	}
	return status;
}

int machine_add_side(struct result *part, const struct result *all, size_t subject, const char *metric, size_t from,
                     size_t to, const struct analysis_options *options, struct error *err)
{
	const struct subject *like = &all->subjects[subject];
	const struct measurement *m = subject_find_metric(like, metric);
	struct analysis_options as_set = *options;
	struct subject *side = result_add_subject(part, like->name);
	struct measurement *own = side ? result_add_metric(part, side, metric, m->metric.unit, m->metric.better,
	                                                   m->series.levels + 1, m->series.depth - 1)
	                               : NULL;
	if (!own)
		return error_memory(err);
	side->side = result_side(all, subject);
	own->quantum = m->quantum;
	own->pair_set = m->pair_set;
	own->mean_kind = m->mean_kind;
	own->is_count = m->is_count;
	own->skip = m->skip;
	if (add_values(&own->series, &m->series, from, to, err) != 0)
		return -1;
	size_t first = machine_runs_before(&m->series, from), runs = machine_runs_before(&m->series, to) - first;
	for (size_t r = 0; m->skip_count > 0 && r < runs; r++)
		if (measurement_add_skip(part, own, r, measurement_skip(m, first + r)) != 0)
			return error_memory(err);
	as_set.skip = SKIP_AS_SET;
	return analyse_measurement(part, side, own, &as_set, err);
}

static bool is_lost(const struct result *result, size_t subject, const char *metric)
{
	const struct series *series = &subject_find_metric(&result->subjects[subject], metric)->series;
	for (size_t i = 0; i < series->n; i++)
		if (!isnan(series->values[i]))
			return false;
	return true;
}

/* Machine g alone; *lost: it has no values of one side. */
static int compare_on(const struct result *result, const struct comparison *comparison, size_t g,
                      const struct analysis_options *options, machines_compare_one *compare,
                      struct machine_numbers *out, bool *lost, struct error *err)
{
	const struct design_info *design = &result->design;
	struct analysis_options own = *options;
	struct judged judged = {0};
	struct result one;
	result_init(&one);
	one.design = *design;
	one.design.order = g < design->machine_count ? design->machines[g].order : NULL;
	one.design.order_count = one.design.order ? design->machines[g].order_count : 0;
	own.looking = LOOKED_ONCE;
	own.gate = NAN;
	int status = machine_add_side(&one, result, comparison->base, comparison->metric, g, g + 1, &own, err);
	if (status == 0)
		status = machine_add_side(&one, result, comparison->new_, comparison->metric, g, g + 1, &own, err);
	*lost = status == 0 && (is_lost(&one, 0, comparison->metric) || is_lost(&one, 1, comparison->metric));
	if (status == 0 && !*lost)
		status = compare(&one, (struct couple){.base = 0, .new_ = 1, .metric = comparison->metric}, &own, &judged, err);
	if (status == 0) {
		*out = silent;
		if (!*lost && one.comparison_count > 0)
			take_comparison(&one.comparisons[0], &judged, out);
		out->machine = g;
	}
	result_release(&one);
	return status;
}

const char *machine_name(const struct result *result, size_t g, char *room, size_t size)
{
	const struct machine_info *machine = g < result->design.machine_count ? &result->design.machines[g] : NULL;
	if (machine)
		return machine->name ? machine->name : machine->id;
	snprintf(room, size, "%zu", g + 1);
	return room;
}

int machine_warn_of_silent(struct result *result, size_t g, struct error *err)
{
	char room[24];
	return result_warn(result, "machine", "machine %s has too few runs for a ratio and is left out",
	                   machine_name(result, g, room, sizeof(room))) == 0
	           ? 0
	           : error_memory(err);
}

int machines_compare(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                     machines_compare_one *one, struct judged *judged, struct error *err)
{
	const struct measurement *base = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	size_t machines = base->series.groups[0], count = 0;
	struct machine_numbers *numbers = mem_alloc(machines, sizeof(*numbers));
	int status = numbers ? 0 : error_memory(err);
	if (result->design.paired && machines_count_by_pairs(&base->series)) {
		mem_free(numbers);
		return status == 0 ? machines_compare_pairs(result, comparison, options, one, judged, err) : -1;
	}
	for (size_t g = 0; status == 0 && g < machines; g++) {
		bool lost = false;
		if (result->design.paired && machine_is_small(&base->series, g)) {
			status = machine_warn_of_silent(result, g, err);
			continue;
		}
		status = compare_on(result, comparison, g, options, one, &numbers[count], &lost, err);
		if (status != 0 || lost)
			continue;
		if (!isnan(numbers[count].total.value))
			count++;
		else
			status = machine_warn_of_silent(result, g, err);
	}
	if (status == 0)
		status = machines_conclude(result, comparison, numbers, count, options, err);
	mem_free(numbers);
	return status;
}

static double mean_of(const struct result *result, size_t subject, const char *metric)
{
	const struct measurement *m = subject_find_metric(&result->subjects[subject], metric);
	return m ? m->mean : NAN;
}

int machines_numbers(struct result *result, const struct analysis_options *options, struct machine_numbers *out,
                     struct error *err)
{
	size_t count = result->comparison_count, warnings = result->warning_count;
	int status = 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		struct judged judged = {0};
		struct couple couple = {.base = result->comparisons[i].base,
		                        .new_ = result->comparisons[i].new_,
		                        .metric = result->comparisons[i].metric};
		out[i] = silent;
		status = comparison_of_couple(result, couple, options, &judged, err);
		if (status == 0)
			take_comparison(&result->comparisons[count], &judged, &out[i]);
		out[i].mean_base = mean_of(result, couple.base, couple.metric);
		out[i].mean_new = mean_of(result, couple.new_, couple.metric);
		result->comparison_count = count; /* only the numbers are wanted */
	}
	result_drop_warnings(result, warnings);
	return status;
}
