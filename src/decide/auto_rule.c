/* METHODS 4 to 6 for the runs of one benchmark.
 *
 * Scouting. The first run has at least 15 + 4.5/√target iterations (60 at 1 %, 35 at 5 %): the later something happens in
 * a run the fewer benchmarks do it, and only a tight target needs to know. It goes on, five iterations at a time, while
 * MSER-5 wants to drop all that it may (half), or while the rest still steps or drifts (stats/steady.h) by more than
 * half of the target.
 *
 * Warm-up. Of what MSER drops, as few iterations are left out as keep the rest from shifting the mean of a short run by
 * more than an eighth of the target; the first always is. Other runs may take longer to warm up than the scout: a quarter
 * is added. A later run whose measured part steps (t > 4 by the scout's noise, single values held back) is lengthened and
 * what came before the step left out, there and in the runs to come.
 *
 * Lengths. Best counts of paper 004, with iterations that may depend on each other: the variance of a run's mean is
 * that of independent iterations times (1 + r₁)/(1 − r₁).
 *
 * Stop. When t·√(1 + 5/R)·s/√R over the means of the runs is at most the target; at a target of 1 % or less not
 * before five runs. What no rule repairs: with few runs a mode of runs may be unseen, and a step later than the scout. */
#include "decide/auto_rule.h"

#include "base/memory.h"
#include "decide/estimate.h"
#include "stats/autocorrelation.h"
#include "stats/counts.h"
#include "stats/mser.h"
#include "stats/quantile.h"
#include "stats/steady.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum {
	REST = 5,       /* measured iterations of a run, until the variation between runs is known */
	LEAST_REST = 4,
	BATCH = MSER_BATCH,
	LEAST_SCOUT = 20,
	MOST_SCOUT = 100,
	TIGHT_RUNS = 5,
};

static const double tight = 0.01, loosest = 0.1, step_limit = 4, reach = 4;

struct auto_rule {
	struct auto_options options;
	double *values;       /* of the run that is going on */
	size_t n, capacity;
	size_t planned;       /* its length */
	double *means;        /* of runs that are over */
	size_t *firsts;       /* iterations from which on they count */
	size_t runs, means_capacity;
	size_t iterations;    /* of these */
	size_t skip;
	bool running, settled;
	double within;        /* variance of the mean of k iterations, times k */
	double spread;        /* 1.4826·MAD of the scout's steady part */
	struct estimate estimate;
};

void auto_options_init(struct auto_options *options)
{
	*options = (struct auto_options){.precision = 0.01, .confidence = 0.95, .min_runs = 10, .max_length = 100};
}

struct auto_rule *auto_rule_new(const struct auto_options *options)
{
	struct auto_rule *rule = mem_zalloc(1, sizeof(*rule));
	if (rule)
		*rule = (struct auto_rule){.options = *options, .skip = 1, .within = NAN};
	return rule;
}

void auto_rule_free(struct auto_rule *rule)
{
	if (!rule)
		return;
	mem_free(rule->values);
	mem_free(rule->means);
	mem_free(rule->firsts);
	mem_free(rule);
}

static size_t clamp(double value, size_t low, size_t high)
{
	return value < (double)low ? low : value > (double)high ? high : (size_t)value;
}

/* A target beyond 10 % is no reason to be careless with the warm-up. */
static double tolerance(const struct auto_rule *rule)
{
	return fmin(rule->options.precision, loosest);
}

static size_t scout_length(const struct auto_options *options)
{
	size_t wanted = options->min_scout ? options->min_scout : clamp(15 + 4.5 / sqrt(options->precision), LEAST_SCOUT, MOST_SCOUT);
	return wanted < options->max_length ? wanted : options->max_length;
}

static double mean_of(const double *x, size_t n)
{
	struct running sum = {0};
	running_add_all(&sum, x, n);
	return running_mean(&sum);
}

size_t auto_best_length(double within, double between, double measured, double overhead)
{
	struct count_level levels[] = {
		{.t2 = between - within / measured, .s2 = between, .cost = fmax(overhead, 1e-3)},
		{.t2 = within, .cost = 1, .pilot = measured},
	};
	size_t counts[2];
	return counts_best(levels, 2, counts, NULL) == STATS_OK ? counts[1] : 1;
}

/* The fewest iterations to leave out of the `cut` that MSER drops: those kept must not shift the mean of a run much. */
static size_t needed_skip(const struct auto_rule *rule, size_t cut)
{
	double level = mean_of(rule->values + cut, rule->n - cut), allowed = tolerance(rule) / 8, excess = 0;
	size_t skip = cut, kept = 0;
	for (size_t i = cut; i-- > 1;) {
		excess += rule->values[i] / level - 1;
		kept++;
		if (fabs(excess) / (double)(kept + REST) <= allowed)
			skip = i;
	}
	return skip > 1 ? skip : 1;
}

/* The scout's MSER cut; *more: it says nothing firm yet. -1: no memory. */
static int look_at_scout(struct auto_rule *rule, size_t *skip, bool *more, struct error *err)
{
	struct steady steady;
	size_t n = rule->n, cut = 0;
	*skip = 1;
	*more = true;
	enum stats_status status = mser_skip(rule->values, n, &cut);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK)
		return 0;
	*skip = needed_skip(rule, cut);
	if (*skip > 1 && cut == n / BATCH / 2 * BATCH)
		return 0;
	status = steady_test(rule->values, n, *skip, tolerance(rule), &steady);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	*more = status != STATS_OK || steady.unsteady;
	return 0;
}

double auto_within(const double *x, size_t n)
{
	struct summary summary;
	double r = 0;
	if (n < 3 || summary_of(x, n, &summary) != STATS_OK)
		return 0;
	if (autocorrelation_lag1(x, n, &r) != STATS_OK)
		r = 0;
	r = fmin(fmax(r + (1 + 3 * r) / (double)n, 0), 0.95);
	return summary.variance * (1 + r) / (1 - r);
}

/* 0; *over: this run is over. */
static int scout(struct auto_rule *rule, bool *over, struct error *err)
{
	bool more;
	size_t skip;
	*over = false;
	if (look_at_scout(rule, &skip, &more, err) != 0)
		return -1;
	if (more && rule->n < rule->options.max_length) {
		rule->planned = rule->n + BATCH < rule->options.max_length ? rule->n + BATCH : rule->options.max_length;
		return 0;
	}
	rule->settled = !more;
	if (mad_of(rule->values + skip, rule->n - skip, &rule->spread) != STATS_OK)
		return error_memory(err);
	rule->spread *= 1.4826;
	rule->within = auto_within(rule->values + skip, rule->n - skip);
	rule->skip = skip > 1 ? skip + (skip + 3) / 4 : skip;
	*over = true;
	return 0;
}

/* Measured iterations of the next run. */
static size_t rest_of_next(const struct auto_rule *rule)
{
	size_t most = rule->options.max_length > rule->skip ? rule->options.max_length - rule->skip : 1;
	size_t rest = REST;
	if (rule->runs >= 3 && rule->within > 0)
		rest = auto_best_length(rule->within, estimate_variance(&rule->estimate), REST,
		                        (double)rule->skip + rule->options.start_cost);
	return clamp((double)rest, LEAST_REST < most ? LEAST_REST : most, most);
}

/* Where the measured part of a later run steps: iterations of it to leave out too; 0: nowhere. Single values do not
 * make a step: each is moved to within 4 spreads of the middle one. */
static int find_step(const struct auto_rule *rule, size_t *step, struct error *err)
{
	size_t n = rule->n - rule->skip;
	double most = step_limit, middle, *x = mem_alloc(n, sizeof(*x));
	if (!x || median_of(rule->values + rule->skip, n, &middle) != STATS_OK) {
		mem_free(x);
		return error_memory(err);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = fmin(fmax(rule->values[rule->skip + i], middle - reach * rule->spread), middle + reach * rule->spread);
	*step = 0;
	for (size_t i = 1; i < n; i++) {
		double change = fabs(mean_of(x, i) - mean_of(x + i, n - i));
		double t = change / sqrt(rule->within * (1 / (double)i + 1 / (double)(n - i)));
		if (t > most && change * (double)i / (double)n > tolerance(rule) / 8 * fabs(middle)) {
			most = t;
			*step = i;
		}
	}
	mem_free(x);
	return 0;
}

/* A later run: *over, unless its measured part steps; then later runs skip as much, and this one goes on. */
static int look_at_run(struct auto_rule *rule, bool *over, struct error *err)
{
	size_t step = 0;
	if (rule->within > 0 && rule->spread > 0 && find_step(rule, &step, err) != 0)
		return -1;
	*over = step == 0;
	if (step == 0)
		return 0;
	rule->skip += step;
	size_t rest = rule->n - rule->skip, wanted = rest_of_next(rule);
	if (rest < wanted)
		rule->planned = rule->skip + wanted;
	*over = rest >= wanted || rule->n >= rule->options.max_length;
	return 0;
}

static int end_run(struct auto_rule *rule, struct error *err)
{
	if (rule->runs == rule->means_capacity) {
		size_t capacity = rule->runs ? 2 * rule->runs : 8;
		double *means = mem_resize(rule->means, capacity, sizeof(*means));
		rule->means = means ? means : rule->means;
		size_t *firsts = mem_resize(rule->firsts, capacity, sizeof(*firsts));
		rule->firsts = firsts ? firsts : rule->firsts;
		if (!means || !firsts)
			return error_memory(err);
		rule->means_capacity = capacity;
	}
	size_t skip = rule->runs == 0 && rule->skip >= rule->n ? rule->n / 2 : rule->skip;
	rule->firsts[rule->runs] = skip;
	rule->means[rule->runs] = mean_of(rule->values + skip, rule->n - skip);
	estimate_add(&rule->estimate, rule->means[rule->runs++]);
	rule->iterations += rule->n;
	rule->running = false;
	return 0;
}

static size_t least_runs(const struct auto_options *options)
{
	return options->precision <= tight && options->min_runs < TIGHT_RUNS ? TIGHT_RUNS : options->min_runs;
}

static bool is_enough(const struct auto_rule *rule)
{
	if (rule->runs == 0)
		return false;
	if (rule->options.max_runs && rule->runs >= rule->options.max_runs)
		return true;
	return estimate_is_precise(&rule->estimate, 1 - rule->options.confidence, rule->options.precision, least_runs(&rule->options));
}

int auto_rule_next(struct auto_rule *rule, enum auto_step *step, struct error *err)
{
	bool over = rule->running && rule->n >= rule->planned;
	if (over && rule->runs == 0) {
		if (scout(rule, &over, err) != 0)
			return -1;
	} else if (over && look_at_run(rule, &over, err) != 0) {
		return -1;
	}
	if (over && end_run(rule, err) != 0)
		return -1;
	if (rule->running) {
		*step = AUTO_ITERATION;
		return 0;
	}
	if (is_enough(rule)) {
		*step = AUTO_STOP;
		return 0;
	}
	rule->planned = rule->runs == 0 ? scout_length(&rule->options) : rule->skip + rest_of_next(rule);
	rule->n = 0;
	rule->running = true;
	*step = AUTO_RUN;
	return 0;
}

int auto_rule_add(struct auto_rule *rule, double value, struct error *err)
{
	if (rule->n == rule->capacity) {
		size_t capacity = rule->capacity ? 2 * rule->capacity : 64;
		double *larger = mem_resize(rule->values, capacity, sizeof(*larger));
		if (!larger)
			return error_memory(err);
		rule->values = larger;
		rule->capacity = capacity;
	}
	rule->values[rule->n++] = value;
	return 0;
}

void auto_rule_outcome(const struct auto_rule *rule, struct auto_outcome *out)
{
	double alpha = 1 - rule->options.confidence;
	*out = (struct auto_outcome){.runs = rule->runs, .iterations = rule->iterations, .skip = rule->skip, .settled = rule->settled};
	estimate_now(&rule->estimate, alpha, &out->mean, &out->low, &out->high);
	out->precise = estimate_is_precise(&rule->estimate, alpha, rule->options.precision, least_runs(&rule->options));
}

const double *auto_rule_means(const struct auto_rule *rule)
{
	return rule->means;
}

size_t auto_rule_first(const struct auto_rule *rule, size_t r)
{
	return rule->firsts[r];
}
