/* Comparing each subject with the reference: pairs where the data has them, independent runs where not. */
#include "analysis/comparison.h"

#include "analysis/kept.h"
#include "analysis/machines.h"
#include "analysis/match.h"
#include "analysis/measurement.h"
#include "analysis/numbers.h"
#include "analysis/slopes.h"
#include "decide/judge.h"
#include "model/metric.h"
#include "stats/bootstrap.h"
#include "stats/duet_paper.h"
#include "stats/fieller.h"
#include "stats/mann_whitney.h"
#include "stats/quantile.h"
#include "stats/runcorr.h"
#include "stats/proportion.h"
#include "stats/welch.h"

#include <math.h>
#include <string.h>

enum { FEW_FOR_BOOTSTRAP = 10 };

static bool same_shape(const struct nested *a, const struct nested *b)
{
	if (a->depth != b->depth || a->n != b->n)
		return false;
	for (unsigned k = 0; k + 1 < a->depth; k++)
		if (a->groups[k] != b->groups[k] ||
		    memcmp(a->starts[k], b->starts[k], (a->groups[k] + 1) * sizeof(*a->starts[k])) != 0)
			return false;
	return true;
}

/* A subject's own kind of mean, and one that --method does not put another in place of. */
static enum mean_kind own_kind(const struct measurement *m, const struct analysis_options *options)
{
	return m->mean_kind == measurement_kind(m, options) ? m->mean_kind : MEAN_ARITHMETIC;
}

/* Sides that are averaged alike are compared by that mean. */
static enum total_kind total_kind_of(const struct match *match, const struct analysis_options *options)
{
	static const enum total_kind kinds[] = {
		[MEAN_ARITHMETIC] = TOTAL_ARITHMETIC, [MEAN_HARMONIC] = TOTAL_HARMONIC, [MEAN_GEOMETRIC] = TOTAL_GEOMETRIC};
	enum mean_kind kind = own_kind(match->base, options);
	return kind == own_kind(match->new_, options) ? kinds[kind] : TOTAL_ARITHMETIC;
}

int match_note_kind(struct result *result, const struct match *match, const struct analysis_options *options,
                    struct error *err)
{
	enum mean_kind kind = measurement_kind(match->base, options);
	if (kind == MEAN_ARITHMETIC)
		kind = measurement_kind(match->new_, options);
	if (kind != MEAN_ARITHMETIC &&
	    result_about_warn(result, "mean-kind", match->base->metric.name,
	                      "the comparison is of arithmetic means; the means shown are %s", mean_kind_name(kind)) != 0)
		return error_memory(err);
	return 0;
}

struct verdict_options match_rule(const struct match *match, const struct analysis_options *options)
{
	struct verdict_options rule = verdict_defaults(1 - options->confidence);
	rule.weight = options->looking == LOOKED_FOR_VERDICT ? options->weight : 0;
	rule.margin = options->margin;
	rule.share_margin = options->share_margin;
	rule.higher_is_better = match->base->metric.better == BETTER_HIGHER;
	rule.kind = total_kind_of(match, options);
	double quantum = match->base->quantum > match->new_->quantum ? match->base->quantum : match->new_->quantum;
	rule.quantum = options->clock_quantum > 0 ? options->clock_quantum : quantum;
	switch (options->looking) {
	case LOOKED_FOR_VERDICT: rule.rule = CRITICAL_ANYTIME; break;
	case LOOKED_FOR_PRECISION:
		rule.rule = CRITICAL_PRECISION;
		rule.least_pairs = VERDICT_LEAST_PAIRS;
		break;
	case LOOKED_ONCE:
		rule.rule = CRITICAL_FIXED;
		rule.least_pairs = VERDICT_LEAST_PAIRS;
		break;
	}
	return rule;
}

/* One side repeated at a level where the other was not: what that level adds is missing there. */
static int note_levels(struct result *result, const struct comparison *comparison, const struct match *match,
                       struct error *err)
{
	const struct measurement *base = match->base, *new_ = match->new_;
	const struct measurement *fewer = base->unit > new_->unit ? base : new_, *more = fewer == base ? new_ : base;
	size_t subject = fewer == base ? comparison->base : comparison->new_;
	if (base->unit == new_->unit || fewer->units < 2 || more->units < 2)
		return 0;
	if (result_about_warn(
			result, "levels-differ", subject_title(&result->subjects[subject]),
			"the other side has %zu %ss and this one has one or does not say: what %ss differ by is missing here",
			more->units, level_name(more->unit), level_name(more->unit)) != 0)
		return error_memory(err);
	return 0;
}

static bool has_one_run(const struct match *match)
{
	return kept_is_one_run(&match->base->series, &match->base_kept.values) ||
	       kept_is_one_run(&match->new_->series, &match->new_kept.values);
}

/* Two processes of one program differ in most cases: what their iterations show is true of these two. */
static void withhold_verdict(struct comparison *comparison)
{
	comparison->verdict = VERDICT_UNDECIDED;
	comparison->scope = SCOPE_NONE;
	comparison->decided_by = NULL;
	comparison->unresolved = "only one run on a side, and others may differ; measure several of each";
	comparison->p_difference = comparison->p_same_typical = comparison->p_same_total = NAN;
	comparison->units = 1;
	comparison->quick = true;
}

/* The units of one side: of harmonic means their reciprocals, of geometric ones their logarithms. */
static int add_units(const struct nested *values, enum total_kind kind, struct running *sum, double *inflation,
                     struct error *err)
{
	static const enum mean_kind means[] = {
		[TOTAL_ARITHMETIC] = MEAN_ARITHMETIC, [TOTAL_HARMONIC] = MEAN_HARMONIC, [TOTAL_GEOMETRIC] = MEAN_GEOMETRIC};
	struct kept_units units;
	struct runcorr correlation;
	if (kept_units_init(&units, values, kept_unit_level(values), means[kind], err) != 0)
		return -1;
	if (kind == TOTAL_ARITHMETIC)
		running_add_all(sum, units.mean, units.n);
	for (size_t i = 0; i < units.n && kind != TOTAL_ARITHMETIC; i++)
		running_add(sum, kind == TOTAL_HARMONIC ? 1 / units.mean[i] : log(units.mean[i]));
	/* Runs that resemble their neighbours are worth fewer: the worse side's factor serves both. */
	if (runcorr_of(units.mean, units.n, &correlation) == STATS_OK)
		*inflation = fmax(*inflation, correlation.factor);
	kept_units_release(&units);
	return 0;
}

/* The units of one side, or what a tool told of its runs. */
static int add_side(const struct measurement *m, const struct nested *values, enum total_kind kind, struct running *out,
                    double *inflation, struct error *err)
{
	const struct stated_runs *stated = m->stated;
	if (stated->n < 2)
		return add_units(values, kind, out, inflation, err);
	double n = (double)stated->n;
	*out = (struct running){.n = stated->n, .mean = stated->mean, .squares = stated->sem * stated->sem * n * (n - 1)};
	return 0;
}

/* Single values that are all 0 or 1, of a metric without unit: runs that succeed or fail. */
static bool are_successes(const struct measurement *m, const struct nested *values, size_t *ones)
{
	*ones = 0;
	for (size_t i = 0; i < values->n; i++) {
		if (values->values[i] != 0 && values->values[i] != 1)
			return false;
		*ones += values->values[i] == 1;
	}
	return m->metric.unit[0] == '\0' && !m->is_count && m->stated->n < 2 &&
	       values->n == values->groups[values->depth - 2];
}

static bool compare_successes(struct result *result, struct comparison *comparison, const struct match *match,
                              const struct analysis_options *options)
{
	const struct nested *a = &match->base_kept.values, *b = &match->new_kept.values;
	struct interval interval = {NAN, NAN};
	double ratio = NAN;
	size_t base, new_;
	if (!are_successes(match->base, a, &base) || !are_successes(match->new_, b, &new_))
		return false;
	enum stats_status status = proportion_ratio(base, a->n, new_, b->n, options->confidence, &ratio, &interval);
	comparison->units = a->n < b->n ? a->n : b->n;
	if (status == STATS_OK)
		numbers_by_method(result, comparison, "Wilson, ratio of proportions", options->confidence, ratio, interval,
		                  ratio < 1, status, match->base->metric.better);
	else
		numbers_unknown(result, comparison, "the base cannot be distinguished from 0: a ratio is meaningless");
	return true;
}

static int compare_unpaired(struct result *result, struct comparison *comparison, const struct match *match,
                            const struct analysis_options *options, struct judged *judged, struct error *err)
{
	if (compare_successes(result, comparison, match, options))
		return 0;
	struct running base = {0}, new_ = {0};
	const struct nested *a = &match->base_kept.values, *b = &match->new_kept.values;
	struct verdict_options rule = match_rule(match, options);
	if (rule.kind != TOTAL_ARITHMETIC && !(kept_is_positive(a) && kept_is_positive(b))) {
		numbers_unknown(result, comparison, stats_status_text(STATS_NOT_POSITIVE));
		return 0;
	}
	if (add_side(match->base, a, rule.kind, &base, &rule.inflation, err) != 0 ||
	    add_side(match->new_, b, rule.kind, &new_, &rule.inflation, err) != 0)
		return -1;
	size_t fewer = base.n < new_.n ? base.n : new_.n;
	if (options->looking != LOOKED_ONCE)
		rule = verdict_last_look(&rule, fewer);
	/* H_new/H_base is the mean of 1/base over that of 1/new: the sides change places. */
	bool turned = rule.kind == TOTAL_HARMONIC;
	enum stats_status status = verdict_unpaired(turned ? &new_ : &base, turned ? &base : &new_, &rule,
	                                            &judged->numbers);
	judged->rule = (struct judge_options){.verdict = rule};
	comparison->units = fewer;
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK) {
		numbers_unknown(result, comparison, stats_status_text(status));
		return 0;
	}
	int failed = numbers_fill(result, comparison, judged, err);
	if (failed == 0)
		failed = note_levels(result, comparison, match, err);
	if (failed == 0 && rule.kind == TOTAL_ARITHMETIC)
		failed = match_note_kind(result, match, options, err);
	if (failed == 0 && has_one_run(match)) {
		judged->numbers = (struct verdict_numbers){0};
		withhold_verdict(comparison);
		comparison->ci.method = "Fieller, t, these runs only";
	}
	return failed;
}

static double mean_of(const struct kept_units *units)
{
	struct running sum = {0};
	running_add_all(&sum, units->mean, units->n);
	return running_mean(&sum);
}

/* --method: another interval instead of ours; the verdict is then whether it excludes 1. */
static int compare_by_name(struct result *result, struct comparison *comparison, const struct match *match,
                           const struct analysis_options *options, struct error *err)
{
	const char *method = options->method;
	const struct nested *a = &match->base_kept.values, *b = &match->new_kept.values;
	double level = options->confidence, by_ranks = NAN;
	struct interval interval = {NAN, NAN};
	enum stats_status status = STATS_OK;
	struct kept_units base, new_;
	bool winsorised = strcmp(method, "duet-paper") == 0, paper = winsorised || strcmp(method, "duet-paper-plain") == 0;
	if (paper && (!match->paired || a->depth != 2)) {
		numbers_unknown(result, comparison,
		                match->paired ? "duet-paper is for runs with iterations, and the data has more levels"
		                              : "duet-paper needs pairs, and the data has none");
		return 0;
	}
	if (kept_units_init(&base, a, kept_unit_level(a), MEAN_ARITHMETIC, err) != 0)
		return -1;
	if (kept_units_init(&new_, b, kept_unit_level(b), MEAN_ARITHMETIC, err) != 0) {
		kept_units_release(&base);
		return -1;
	}
	const double *x = base.mean, *y = new_.mean;
	size_t na = base.n, nb = new_.n;
	/* All methods here are about arithmetic means, whatever kind the measurements report. */
	double base_mean = mean_of(&base), ratio = mean_of(&new_) / base_mean;
	if (strcmp(method, "bootstrap") == 0) {
		status = bootstrap_ratio(a, b, 10000, level, options->seed, &interval);
	} else if (strcmp(method, "fieller") == 0 && match->paired) {
		status = fieller_paired(x, y, na, critical_t(1 - level, (double)na - 1), &ratio, &interval);
	} else if (strcmp(method, "fieller") == 0 || strcmp(method, "t") == 0) {
		double df = (double)(na < nb ? na : nb) - 1;
		status = fieller_unpaired(x, na, y, nb, critical_t(1 - level, df), &ratio, &interval);
	} else if (paper) {
		struct duet_paper found;
		status = duet_paper_of(a, b, winsorised, DUET_PAPER_REPLICATES, level, options->seed, NULL, &found);
		if (status == STATS_OK) {
			ratio = found.ratio;
			interval = found.interval;
		}
	} else if (strcmp(method, "welch") == 0) {
		struct welch test;
		status = welch_test(y, nb, x, na, level, &test);
		if (status == STATS_OK) {
			comparison->p_value = test.p;
			interval = (struct interval){1 + test.interval.low / base_mean, 1 + test.interval.high / base_mean};
		}
	} else if (strcmp(method, "mann-whitney") == 0) {
		struct mann_whitney test;
		double median_x, median_y;
		status = mann_whitney(x, na, y, nb, &test);
		if (status == STATS_OK && median_of(x, na, &median_x) == STATS_OK && median_of(y, nb, &median_y) == STATS_OK) {
			comparison->p_value = test.p;
			ratio = median_y / median_x;
			by_ranks = test.u - (double)na * (double)nb / 2;
		}
	}
	kept_units_release(&base);
	kept_units_release(&new_);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	comparison->units = na < nb ? na : nb;
	comparison->pairs = match->paired ? a->n : 0;
	/* Medians may be the same, or lie the other way round, where the ranks show a difference. */
	bool lower = isnan(by_ranks) ? ratio < 1 : by_ranks > 0;
	numbers_by_method(result, comparison, method, level, ratio, interval, lower, status, match->base->metric.better);
	if (!match->paired && has_one_run(match))
		withhold_verdict(comparison);
	if ((strcmp(method, "fieller") == 0 || strcmp(method, "welch") == 0) &&
	    match_note_kind(result, match, options, err) != 0)
		return -1;
	if (paper && result_warn(result, "method",
	                         "%s is for comparison with published results: of 10 runs it calls 4 to 7 %% "
	                         "of equal programs different at 99 %%%s",
	                         method, winsorised ? ", and winsorising removes a real tail" : "") != 0)
		return error_memory(err);
	if (strcmp(method, "bootstrap") == 0 && comparison->units <= FEW_FOR_BOOTSTRAP &&
	    result_warn(result, "method", "of %d runs or fewer a bootstrap interval of 95 %% covers 80 to 90 %% at worst",
	                FEW_FOR_BOOTSTRAP) != 0)
		return error_memory(err);
	return 0;
}

/* A comparison is by arithmetic means or of positive values: the sign of the arithmetic mean is what matters. */
static int find_negative(const struct kept *kept, bool *negative, struct error *err)
{
	struct kept_units units;
	if (kept_units_init(&units, &kept->values, kept_unit_level(&kept->values), MEAN_ARITHMETIC, err) != 0)
		return -1;
	*negative |= mean_of(&units) < 0;
	kept_units_release(&units);
	return 0;
}

/* Methods for one subject leave the comparison to the verdict rule. */
static bool compares_two(const char *method)
{
	static const char *const names[] = {"t",     "bootstrap",   "fieller", "duet-paper", "duet-paper-plain",
	                                    "welch", "mann-whitney"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], method) == 0)
			return true;
	return false;
}

int comparison_again(struct result *result, struct comparison *comparison, const struct judge *judge,
                     const struct analysis_options *options, struct judged *judged, struct error *err)
{
	const struct subject *base = &result->subjects[comparison->base], *new_ = &result->subjects[comparison->new_];
	struct match match = {.base = subject_find_metric(base, comparison->metric),
	                      .new_ = subject_find_metric(new_, comparison->metric),
	                      .judge = judge};
	bool own_method = options->method && compares_two(options->method);
	if (!own_method && machines_are_level(match.base, match.new_))
		return machines_compare(result, comparison, options, comparison_of_couple, judged, err);
	if (subject_is_over_work(base, match.base) || subject_is_over_work(new_, match.new_)) {
		if (!own_method)
			return slopes_compare(result, comparison, options, judged, err);
		numbers_unknown(result, comparison, "rounds of different work are compared by their lines, not by this method");
		return 0;
	}
	if (match.base->n == 0 || match.new_->n == 0) {
		numbers_unknown(result, comparison, match.base->n == 0 ? match.base->ci.why : match.new_->ci.why);
		return 0;
	}
	struct nested a = series_view(&match.base->series), b = series_view(&match.new_->series);
	match.commands = a.n == a.groups[a.depth - 2];
	if (options->method && (match.base->stated->n > 1 || match.new_->stated->n > 1)) {
		numbers_unknown(result, comparison, "this method needs the values, and the tool kept none");
		return 0;
	}
	match.paired = result->design.paired && match.base->pair_set == match.new_->pair_set && same_shape(&a, &b);
	match.pairs = match.paired ? a.n : 0;
	bool negative = false;
	int status = match.paired ? kept_init_pair(&match.base_kept, match.base, match.new_, err)
	                          : kept_init_of(&match.base_kept, match.base, err);
	if (status == 0)
		status = match.paired ? kept_init_pair(&match.new_kept, match.new_, match.base, err)
		                      : kept_init_of(&match.new_kept, match.new_, err);
	if (status == 0)
		status = find_negative(&match.base_kept, &negative, err);
	if (status == 0)
		status = find_negative(&match.new_kept, &negative, err);
	if (status == 0 && match.paired && match.base_kept.values.n == 0)
		numbers_unknown(result, comparison, "no pair has both values");
	else if (status == 0 && negative)
		numbers_unknown(result, comparison, "a ratio with a negative mean is meaningless");
	else if (status == 0 && own_method)
		status = compare_by_name(result, comparison, &match, options, err);
	else if (status == 0 && match.paired)
		status = match_compare_pairs(result, comparison, &match, options, judged, err);
	else if (status == 0)
		status = compare_unpaired(result, comparison, &match, options, judged, err);
	kept_release(&match.base_kept);
	kept_release(&match.new_kept);
	return status;
}

const char *comparison_metric(const struct subject *base, const struct subject *new_, const char *wanted)
{
	/* Rounds of different work are compared by the time of their lines. */
	if (!wanted && base->work && new_->work && subject_find_metric(base, work_result_metric(base->work)) &&
	    strcmp(work_result_metric(base->work), work_result_metric(new_->work)) == 0)
		wanted = work_result_metric(base->work);
	for (size_t i = 0; i < base->metric_count; i++) {
		const struct metric *metric = &base->metrics[i].metric;
		const struct measurement *other = subject_find_metric(new_, metric->name);
		if (other && strcmp(other->metric.unit, metric->unit) == 0 && other->metric.better == metric->better &&
		    (!wanted || strcmp(wanted, metric->name) == 0))
			return metric->name;
	}
	return NULL;
}

/* Of a session that measures both at once on one CPU, what was confirmed was measured in turns, and benchmarks that are not
 * judged by CPU time run by run in random order. */
static const char *design_of(const struct result *result, const struct subject *base, const char *metric)
{
	const char *design = result->design.name, *deciding = base->metric;
	if (!design || strcmp(design, "shared") != 0)
		return design;
	if (metric_is_in_turns(metric, "cpu"))
		return "turns";
	return base->benchmark && deciding && !metric_is_same(deciding, "cpu") ? "shuffled" : design;
}

int comparison_of_couple(struct result *result, struct couple couple, const struct analysis_options *options,
                         struct judged *judged, struct error *err)
{
	const struct subject *base = &result->subjects[couple.base], *new_ = &result->subjects[couple.new_];
	const char *metric = comparison_metric(base, new_, couple.metric ? couple.metric : options->deciding);
	struct comparison *comparison = result_add_comparison(result);
	if (!comparison)
		return error_memory(err);
	comparison->base = (uint32_t)couple.base;
	comparison->new_ = (uint32_t)couple.new_;
	comparison->metric = metric ? metric : "";
	comparison->margin = options->margin;
	comparison->confidence = options->confidence;
	comparison->design = design_of(result, base, comparison->metric);
	if (!metric) {
		numbers_unknown(result, comparison, "they have no metric in common");
		return 0;
	}
	return comparison_again(result, comparison, couple.judge, options, judged, err);
}
