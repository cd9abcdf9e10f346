/* docs/methods.md, "Our own rule, and the frontier", for the runs of one benchmark; decide/auto_warmup.c has the
 * places, this file the order of things.
 *
 * Scouting. The first run has at least 15 + 4.5/√target iterations (60 at 1 %) and at least 50: the later something
 * happens in a run the fewer benchmarks do it, and only a tight target needs to know. Who asks for less than 10 % and
 * takes three runs wants a glance (the same without the 50: 25 at 20 %), and at 100 % anything will do. It goes on, an
 * eighth of its length (five iterations at least) at a time, while the end of the warm-up is not seen, the rest is not
 * steady or its mean is not known.
 *
 * Warm-up. A later run whose measured part steps is lengthened, and what came before the step left out, there and in
 * all runs. After three runs they are asked together whether what is left out matters at all. The same number is left
 * out of every run. Where there is one run only, its first half is: what comes later is nearer to the steady state, and
 * costs nothing more.
 *
 * Lengths. Best counts of Kalibera and Jones (2013), with iterations that may depend on each other: the variance of a
 * run's mean is that of independent iterations times (1 + r₁)/(1 − r₁). Of pairs the variation of the log ratio counts:
 * inside runs (1.4826·MAD)²·π/2, the variance of medians, between runs that of their medians. Best counts ask for the
 * least variance in a given time; a verdict also pays for few runs, by a constant that is 10 for 6 runs and 5 for 20.
 * So of pairs the length is the one with which the interval fits into the margin soonest.
 *
 * Stop. When t·√(1 + 5/R)·s/√R over the means of the runs is at most the target, but not before ⌈3 + 3 %/target⌉
 * runs (ten at most): six at 1 %, five at 2 %, four up to 10 %. Three runs fall into the same of two modes in 29 %
 * of cases when its share is anything from 0.3 to 0.7, four in 17 %, six in 6 %; the fewer the runs the wider the
 * interval, which makes up for a part of it. A glance has three, its scout is too short for late steps and its
 * steadiness test passes shifts of a good part of the target: half of the target is added to its interval for them,
 * and the noise has to stay within the rest. What no rule repairs: with few runs a mode of runs may have been missed, and a
 * step later than the scout. */
#include "decide/auto_rule.h"

#include "base/array.h"
#include "base/memory.h"
#include "decide/auto_warmup.h"
#include "stats/counts.h"
#include "stats/critical.h"
#include "stats/mser.h"
#include "stats/quantile.h"
#include "stats/verdict.h"

#include <math.h>

enum {
	REST = 5, /* measured iterations of a run, until the variation between runs is known */
	LEAST_REST = 4,
	BATCH = MSER_BATCH,
	GROWTH = 8, /* a scout grows by this part of itself */
	LEAST_SCOUT = 50,
	GLANCE = 15, /* the same at targets above 10 % */
	MOST_SCOUT = 100,
	ENOUGH_RUNS = 10,   /* at any target */
	CAREFUL_RUNS = 4,   /* who asks for so many wants no glance */
	LEAST_TO_LEAVE = 4, /* iterations of a run of which the first is left out whatever it says */
};

static const double loosest = 0.1, anything = 1, worth_a_start = 2.5, glance_share = 0.5;

/* What one side has measured, all runs after each other. */
struct rule_side {
	double *values;
	size_t n, capacity;
	size_t skip; /* wanted by the run that is going on */
	bool settled, whole;
	struct warmup_noise noise;
};

struct auto_rule {
	struct auto_options options;
	struct rule_side *sides;
	size_t *starts; /* of runs in the values of every side; one more than runs */
	size_t runs, starts_capacity;
	size_t planned;    /* length of the run that is going on */
	size_t iterations; /* of runs that are over, as they were measured */
	size_t skip, rest;
	size_t scout;
	bool settled, looked;
	struct estimate estimate; /* of the first `estimated` runs, without `estimated_skip` iterations each */
	size_t estimated, estimated_skip;
};

void auto_options_init(struct auto_options *options)
{
	*options = (struct auto_options){.sides = 1,
	                                 .precision = 0.01,
	                                 .confidence = 0.95,
	                                 .min_runs = 10,
	                                 .max_length = 100,
	                                 .least_rest = LEAST_REST,
	                                 .most_rest = SIZE_MAX,
	                                 .max_warmup = SIZE_MAX,
	                                 .resize_from = WARMUP_RUNS};
}

static bool is_glance(const struct auto_options *o)
{
	return o->sides == 1 && o->precision > loosest && o->min_runs < CAREFUL_RUNS;
}

/* The target by which the first run is chosen. */
static double scout_target(const struct auto_options *o)
{
	return is_glance(o) ? o->precision : fmin(o->precision, loosest);
}

static size_t clamp(double value, size_t low, size_t high)
{
	return value < (double)low ? low : value > (double)high ? high : (size_t)value;
}

/* Measured iterations before the variation is known: enough to be worth the start. */
static size_t first_rest(const struct auto_options *o)
{
	if (o->iterations || o->first_rest)
		return o->iterations ? o->iterations : o->first_rest;
	double wanted = fmax(fmax(REST, (double)o->least_rest), ceil(worth_a_start * o->start_cost));
	return clamp(wanted, 1, o->most_rest < o->max_length ? o->most_rest : o->max_length);
}

/* What is left out when nothing is known. */
static size_t least_skip(const struct auto_rule *rule, size_t length)
{
	size_t skip = length >= LEAST_TO_LEAVE ? 1 : 0;
	skip = skip < rule->options.min_warmup ? rule->options.min_warmup : skip;
	return skip > rule->options.max_warmup ? rule->options.max_warmup : skip;
}

struct auto_rule *auto_rule_new(const struct auto_options *options)
{
	struct auto_rule *rule = mem_zalloc(1, sizeof(*rule));
	if (!rule)
		return NULL;
	rule->options = *options;
	rule->sides = mem_zalloc(options->sides, sizeof(*rule->sides));
	rule->starts = mem_zalloc(2, sizeof(*rule->starts));
	rule->starts_capacity = 2;
	rule->estimate.allowance = is_glance(options) ? glance_share * options->precision : 0;
	rule->rest = first_rest(options);
	rule->skip = least_skip(rule, rule->rest + 1);
	if (rule->sides && rule->starts)
		return rule;
	auto_rule_free(rule);
	return NULL;
}

void auto_rule_free(struct auto_rule *rule)
{
	if (!rule)
		return;
	for (size_t s = 0; rule->sides && s < rule->options.sides; s++)
		mem_free(rule->sides[s].values);
	mem_free(rule->sides);
	mem_free(rule->starts);
	mem_free(rule);
}

static size_t least_runs(const struct auto_options *o)
{
	size_t least = is_glance(o) ? 0 : clamp(ceil(3 + 0.03 / o->precision - 1e-9), 0, ENOUGH_RUNS);
	return o->min_runs > least ? o->min_runs : least;
}

/* What the steadiness test lets pass is half of it; a target beyond 10 % is no reason to be careless. */
static double tolerance(const struct auto_rule *rule)
{
	double precision = rule->options.precision;
	return is_glance(&rule->options) ? fmax(loosest, precision / 2) : fmin(precision, loosest / 2);
}

/* The half-width of the interval over the fewest runs if nothing but the noise inside them made them differ, for each
 * unit of √within. Of several sides the ratio counts, in which noise that they share is gone. */
static double least_width(const struct auto_rule *rule)
{
	const struct auto_options *o = &rule->options;
	double runs = (double)least_runs(o);
	if (o->sides > 1 || is_glance(o) || runs < 2)
		return INFINITY;
	return critical_precision(1 - o->confidence, runs, runs - 1) / sqrt(runs * (double)rule->rest);
}

/* How much of the mean of runs what is kept of a warm-up may shift, once there are runs. */
static double allowed_shift(const struct auto_rule *rule)
{
	return warmup_allowed(tolerance(rule), least_width(rule), rule->sides[0].noise.within,
	                      running_mean(&rule->estimate.sum));
}

static size_t scout_length(const struct auto_rule *rule)
{
	const struct auto_options *o = &rule->options;
	size_t usual = rule->skip + rule->rest, wanted = o->min_scout;
	double target = scout_target(o),
		   by_target = fmax(15 + 4.5 / sqrt(target), fmin(LEAST_SCOUT * loosest / target, LEAST_SCOUT));
	if (!wanted)
		wanted = o->iterations || o->first_rest ? usual : clamp(by_target, GLANCE, MOST_SCOUT);
	wanted = wanted < usual ? usual : wanted;
	return wanted < o->max_length ? wanted : o->max_length;
}

/* Two pairs are a group with both orders. */
static size_t even(const struct auto_rule *rule, size_t length)
{
	return rule->options.sides > 1 && length > 1 ? length + length % 2 : length;
}

size_t auto_rule_later_length(const struct auto_rule *rule)
{
	const struct auto_options *o = &rule->options;
	size_t length = rule->skip + rule->rest;
	bool asked_for = o->iterations || o->first_rest;
	return even(rule, asked_for || length < o->max_length ? length : o->max_length);
}

size_t auto_rule_next_length(const struct auto_rule *rule)
{
	return rule->runs == 0 ? even(rule, scout_length(rule)) : auto_rule_later_length(rule);
}

void auto_rule_begin_run(struct auto_rule *rule)
{
	rule->planned = auto_rule_next_length(rule);
	for (size_t s = 0; s < rule->options.sides; s++) {
		struct rule_side *side = &rule->sides[s];
		side->n = rule->starts[rule->runs];
		side->whole = true;
		side->settled = false;
		side->skip = rule->skip;
	}
}

int auto_rule_add(struct auto_rule *rule, size_t side, double value, struct error *err)
{
	struct rule_side *to = &rule->sides[side];
	if (array_reserve(&to->values, &to->capacity, to->n + 1) != 0)
		return error_memory(err);
	to->whole &= isfinite(value) != 0;
	to->values[to->n++] = value;
	return 0;
}

/* The run that is going on, as far as it is measured. */
static const double *current(const struct auto_rule *rule, const struct rule_side *side, size_t *n)
{
	size_t from = rule->starts[rule->runs];
	*n = side->n - from;
	return side->values + from;
}

/* ---- inside a run ---- */

static size_t limit_skip(const struct auto_rule *rule, size_t skip)
{
	skip = skip < rule->options.min_warmup ? rule->options.min_warmup : skip;
	return skip > rule->options.max_warmup ? rule->options.max_warmup : skip;
}

/* The scout: *wanted iterations in all. */
static int look_at_scout(struct auto_rule *rule, struct rule_side *side, size_t *wanted, struct error *err)
{
	struct warmup_look look;
	size_t n, most = rule->options.max_length;
	const double *x = current(rule, side, &n);
	*wanted = n;
	side->settled = rule->options.min_warmup == rule->options.max_warmup; /* nobody asks */
	if (side->settled || !side->whole || n < WARMUP_LEAST)
		return 0;
	const struct warmup_wanted asked = {.tolerance = tolerance(rule),
	                                    .own = rule->options.sides == 1 ? rule->options.precision : INFINITY,
	                                    .width = least_width(rule),
	                                    .rest = REST};
	if (warmup_look(x, n, &asked, &look, err) != 0)
		return -1;
	side->settled = !look.more;
	side->skip = limit_skip(rule, look.skip);
	if (!look.more || scout_target(&rule->options) >= anything || n >= most || look.skip >= rule->options.max_warmup) {
		/* What was asked for is measured in the first run too. */
		*wanted = side->skip + rule->options.iterations;
		return 0;
	}
	size_t grown = n + (n / GROWTH / BATCH * BATCH > BATCH ? n / GROWTH / BATCH * BATCH : BATCH);
	*wanted = grown < most ? grown : most;
	return 0;
}

/* What may be left out at most once there are runs: half of the shortest stays, or a run that something else disturbed
 * would use the earlier ones up. */
static size_t most_skip(const struct auto_rule *rule)
{
	size_t shortest = SIZE_MAX;
	for (size_t r = 0; r < rule->runs; r++) {
		size_t length = rule->starts[r + 1] - rule->starts[r];
		shortest = length < shortest ? length : shortest;
	}
	return shortest / 2 > rule->skip ? shortest / 2 : rule->skip;
}

/* A later run: where its measured part steps, all runs skip as much, and this one goes on. */
static int look_at_run(struct auto_rule *rule, struct rule_side *side, size_t *wanted, struct error *err)
{
	size_t n, step = 0, skip = side->skip;
	const double *x = current(rule, side, &n);
	*wanted = n;
	if (rule->options.min_warmup == rule->options.max_warmup || !side->whole || n <= skip ||
	    n >= rule->options.max_length)
		return 0;
	if (warmup_step(x + skip, n - skip, &side->noise, allowed_shift(rule), &step, err) != 0)
		return -1;
	if (step == 0)
		return 0;
	size_t most = most_skip(rule);
	side->skip = limit_skip(rule, skip + step < most ? skip + step : most);
	size_t needed = side->skip + rule->rest;
	*wanted = needed < rule->options.max_length ? needed : rule->options.max_length;
	return 0;
}

int auto_rule_goes_on(struct auto_rule *rule, size_t first, size_t last, bool *more, struct error *err)
{
	size_t n = rule->sides[first].n - rule->starts[rule->runs];
	for (size_t s = first; s < last && n >= rule->planned; s++) {
		size_t wanted;
		struct rule_side *side = &rule->sides[s];
		int status = rule->runs == 0 ? look_at_scout(rule, side, &wanted, err) : look_at_run(rule, side, &wanted, err);
		if (status != 0)
			return -1;
		wanted = even(rule, wanted);
		rule->planned = wanted > rule->planned ? wanted : rule->planned;
	}
	*more = n < rule->planned;
	return 0;
}

/* ---- between runs ---- */

size_t auto_best_length(double within, double between, double measured, double overhead)
{
	struct count_level levels[] = {
		{.t2 = between - within / measured, .s2 = between, .cost = fmax(overhead, 1e-3)},
		{.t2 = within, .cost = 1, .pilot = measured},
	};
	size_t counts[2];
	return counts_best(levels, 2, counts, NULL) == STATS_OK ? counts[1] : 1;
}

static double mean_of(const double *x, size_t n)
{
	struct running sum = {0};
	running_add_all(&sum, x, n);
	return running_mean(&sum);
}

/* The part of run r that counts; n is 0 where the warm-up is longer than the run. */
static const double *counted(const struct auto_rule *rule, const struct rule_side *side, size_t r, size_t *n)
{
	size_t from = rule->starts[r], length = rule->starts[r + 1] - from;
	*n = length > rule->skip ? length - rule->skip : 0;
	return side->values + from + (length > rule->skip ? rule->skip : length);
}

static void estimate_runs(struct auto_rule *rule)
{
	if (rule->skip != rule->estimated_skip) {
		rule->estimate = (struct estimate){.allowance = rule->estimate.allowance};
		rule->estimated = 0;
		rule->estimated_skip = rule->skip;
	}
	for (; rule->estimated < rule->runs; rule->estimated++) {
		size_t n;
		const double *x = counted(rule, &rule->sides[0], rule->estimated, &n);
		if (n > 0)
			estimate_add(&rule->estimate, mean_of(x, n));
	}
}

/* Whether what is left out matters on any side, once there are runs to hold against each other. */
static int review(struct auto_rule *rule, struct error *err)
{
	struct warmup_run runs[WARMUP_RUNS];
	size_t least = least_skip(rule, rule->rest + 1);
	int needed = 0;
	if (rule->skip <= least)
		return 0;
	for (size_t s = 0; s < rule->options.sides && needed == 0; s++) {
		for (size_t r = 0; r < WARMUP_RUNS; r++)
			runs[r] = (struct warmup_run){rule->sides[s].values + rule->starts[r],
			                              rule->starts[r + 1] - rule->starts[r]};
		needed = warmup_matters(runs, WARMUP_RUNS, rule->skip, rule->rest, allowed_shift(rule), err);
	}
	if (needed == 0)
		rule->skip = least;
	return needed < 0 ? -1 : 0;
}

/* Log ratios of run r of a side to the first side: noise inside the run as of a median, and their middle. *n: how
 * many. */
static int ratios_of(const struct auto_rule *rule, const struct rule_side *side, size_t r, double *room, double *within,
                     double *middle, size_t *n, struct error *err)
{
	const double *y = counted(rule, side, r, n), *x = counted(rule, &rule->sides[0], r, n);
	struct warmup_noise noise;
	for (size_t i = 0; i < *n; i++) {
		if (!(x[i] > 0 && y[i] > 0 && isfinite(x[i]) && isfinite(y[i]))) {
			*n = 0;
			return 0;
		}
		room[i] = log(y[i] / x[i]);
	}
	if (*n < 3)
		return 0;
	if (warmup_noise_of(room, *n, &noise, err) != 0 || median_of(room, *n, middle) == STATS_NO_MEMORY)
		return error_memory(err);
	*within = noise.spread * noise.spread * M_PI / 2;
	return 0;
}

size_t auto_soonest_length(const struct auto_options *o, double within, double between, double measured,
                           double overhead)
{
	static const double fits = 0.8, step = 1.4, most_growth = 10,
						floor_share = 0.1; /* the last two as in counts_best */
	double added = fmax(between - within / measured, floor_share * between), least_time = INFINITY;
	double most = fmin(most_growth * measured, (double)(o->most_rest < o->max_length ? o->most_rest : o->max_length));
	size_t best = 0;
	for (double k = fmax((double)o->least_rest, 1); k <= fmax(most, (double)o->least_rest); k = ceil(step * k)) {
		size_t runs;
		if (counts_for_mean(added + within / k, fits * o->precision, 1 - o->confidence, CRITICAL_ANYTIME, &runs) !=
		    STATS_OK)
			continue;
		double time = fmax((double)runs, VERDICT_FIRST_LOOK) * (overhead + k);
		if (time < least_time) {
			least_time = time;
			best = (size_t)k;
		}
	}
	return best;
}

/* Iterations that are best for the ratio of one side to the first; 0: not known. */
static int best_of_ratio(const struct auto_rule *rule, const struct rule_side *side, double overhead, double *room,
                         size_t *best, struct error *err)
{
	struct running middles = {0}, withins = {0}, lengths = {0};
	for (size_t r = 0; r < rule->runs; r++) {
		double within, middle;
		size_t n;
		if (ratios_of(rule, side, r, room, &within, &middle, &n, err) != 0)
			return -1;
		if (n < 3)
			continue;
		running_add(&middles, middle);
		running_add(&withins, within);
		running_add(&lengths, (double)n);
	}
	*best = 0;
	if (running_count(&middles) >= WARMUP_RUNS && running_mean(&withins) > 0)
		*best = auto_soonest_length(&rule->options, running_mean(&withins), running_variance(&middles),
		                            running_mean(&lengths), overhead);
	return 0;
}

/* Measured iterations of the next runs. */
static int set_rest(struct auto_rule *rule, struct error *err)
{
	const struct auto_options *o = &rule->options;
	double overhead = (double)rule->skip + o->start_cost;
	size_t best = 0;
	if (o->sides == 1 && rule->sides[0].noise.within > 0) {
		best = auto_best_length(rule->sides[0].noise.within, estimate_variance(&rule->estimate), (double)first_rest(o),
		                        overhead);
	} else if (o->sides > 1) {
		double *room = mem_alloc(rule->sides[0].n + 1, sizeof(*room));
		int status = room ? 0 : error_memory(err);
		for (size_t s = 1; s < o->sides && status == 0; s++) {
			size_t one;
			status = best_of_ratio(rule, &rule->sides[s], overhead, room, &one, err);
			best = status == 0 && one > best ? one : best;
		}
		mem_free(room);
		if (status != 0)
			return -1;
	}
	size_t most = o->max_length > rule->skip ? o->max_length - rule->skip : 1;
	most = most < o->most_rest ? most : o->most_rest;
	if (best > 0)
		rule->rest = clamp((double)best, o->least_rest < most ? o->least_rest : most, most);
	return 0;
}

static int keep_start(struct auto_rule *rule, size_t end, struct error *err)
{
	if (array_reserve(&rule->starts, &rule->starts_capacity, rule->runs + 2) != 0)
		return error_memory(err);
	rule->starts[++rule->runs] = end;
	return 0;
}

/* The common length, and what all sides leave out from now on. */
static size_t join_sides(struct auto_rule *rule)
{
	size_t shortest = SIZE_MAX, longest = 0, skip = 0;
	bool settled = true, looked = true;
	for (size_t s = 0; s < rule->options.sides; s++) {
		size_t n;
		current(rule, &rule->sides[s], &n);
		shortest = n < shortest ? n : shortest;
		longest = n > longest ? n : longest;
		skip = rule->sides[s].skip > skip ? rule->sides[s].skip : skip;
		settled &= rule->sides[s].settled;
		looked &= rule->sides[s].whole && n >= WARMUP_LEAST;
	}
	rule->iterations += longest;
	if (rule->runs == 0) {
		rule->settled = settled;
		rule->looked = looked;
		rule->scout = longest;
	}
	bool only_run = rule->options.max_runs == 1 && !rule->options.iterations && skip < shortest / 2;
	if (rule->runs == 0 && rule->options.sides == 1 && (skip >= shortest || only_run))
		skip = limit_skip(rule, shortest / 2);
	rule->skip = skip > rule->skip || rule->runs == 0 ? skip : rule->skip;
	size_t wanted = rule->skip + rule->options.iterations;
	return rule->options.iterations && shortest > wanted ? even(rule, wanted) : shortest;
}

int auto_rule_end_run(struct auto_rule *rule, size_t *length, struct error *err)
{
	size_t kept = join_sides(rule), from = rule->starts[rule->runs];
	if (keep_start(rule, from + kept, err) != 0)
		return -1;
	for (size_t s = 0; s < rule->options.sides && rule->runs == 1; s++) {
		size_t n;
		const double *x = counted(rule, &rule->sides[s], 0, &n);
		if (rule->sides[s].whole && warmup_noise_of(x, n, &rule->sides[s].noise, err) != 0)
			return -1;
	}
	if (rule->runs == WARMUP_RUNS && review(rule, err) != 0)
		return -1;
	estimate_runs(rule);
	bool known = !rule->options.iterations && rule->runs >= rule->options.resize_from;
	bool round = rule->runs == WARMUP_RUNS || rule->runs == 5 || rule->runs % 10 == 0;
	if (known && (rule->options.sides == 1 || round) && set_rest(rule, err) != 0)
		return -1;
	*length = kept;
	return 0;
}

/* ---- enough ---- */

static bool is_precise(const struct auto_rule *rule, size_t least)
{
	return estimate_is_precise(&rule->estimate, 1 - rule->options.confidence, rule->options.precision, least);
}

bool auto_rule_is_enough(const struct auto_rule *rule)
{
	if (rule->runs > 0 && rule->options.max_runs && rule->runs >= rule->options.max_runs)
		return true;
	return is_precise(rule, least_runs(&rule->options));
}

size_t auto_rule_usable_runs(const struct auto_rule *rule)
{
	size_t count = 0;
	for (size_t r = 0; r < rule->runs; r++)
		count += rule->starts[r + 1] - rule->starts[r] > rule->skip;
	return count;
}

size_t auto_rule_skip(const struct auto_rule *rule)
{
	return rule->skip;
}

const struct estimate *auto_rule_estimate(const struct auto_rule *rule)
{
	return &rule->estimate;
}

void auto_rule_outcome(const struct auto_rule *rule, struct auto_outcome *out)
{
	*out = (struct auto_outcome){.runs = rule->runs,
	                             .iterations = rule->iterations,
	                             .skip = rule->skip,
	                             .settled = rule->settled,
	                             .looked = rule->looked,
	                             .scout = rule->scout,
	                             .allowance = rule->estimate.allowance};
	estimate_now(&rule->estimate, 1 - rule->options.confidence, &out->mean, &out->low, &out->high);
	out->precise = is_precise(rule, least_runs(&rule->options));
}
