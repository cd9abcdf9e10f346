#include "decide/judge.h"

#include "base/array.h"
#include "base/memory.h"
#include "stats/runcorr.h"

#include <math.h>
#include <string.h>

enum {
	FIRM_UNITS = 10,
	FEW_PAIRS = 200,    /* of one look, which FIRM_UNITS hold */
	LEAST_ORDERED = 14, /* pairs of a unit whose orders have a median each: of five pairs three slow ones spoil it */
	SHARE_GROUP = 20,   /* units of one pair, whose slow runs are counted together */
	LEAST_ADJUSTED = 60 /* pairs of one look that say what the first place adds */
};

void judge_init(struct judge *judge, const struct judge_options *options)
{
	memset(judge, 0, sizeof(*judge));
	judge->options = *options;
	judge->options.verdict.runs = options->block == 0;
	judge_clear(judge);
}

void judge_release(struct judge *judge)
{
	mem_free(judge->base);
	mem_free(judge->new_);
	mem_free(judge->order);
	mem_free(judge->unit_base);
	mem_free(judge->unit_new);
	mem_free(judge->unit_log);
	memset(judge, 0, sizeof(*judge));
}

void judge_clear(struct judge *judge)
{
	memset(&judge->sum, 0, sizeof(judge->sum));
	memset(&judge->counted, 0, sizeof(judge->counted));
	judge->filled = judge->units = 0;
	judge->next_pairs = VERDICT_FIRST_LOOK;
	judge->next_units = VERDICT_LEAST_UNITS;
	judge->due = false;
	judge->trouble = NULL;
	judge->unfit = false;
}

/* Numbers found by simulation: with them neither power nor "same" falls for any shape of noise when pairs are added
 * (tests/coverage). */
size_t judge_units(size_t pairs)
{
	static const struct {
		size_t pairs, units;
	} few[] = {{10, 5}, {15, 5}, {21, 7}, {60, FIRM_UNITS}};
	size_t last = sizeof(few) / sizeof(few[0]) - 1;
	if (pairs < few[0].pairs)
		return 0;
	for (size_t i = 0; i < last; i++)
		if (pairs < few[i + 1].pairs)
			return few[i].units +
			       (pairs - few[i].pairs) * (few[i + 1].units - few[i].units) / (few[i + 1].pairs - few[i].pairs);
	return pairs <= FEW_PAIRS ? FIRM_UNITS : (size_t)(FIRM_UNITS * pow((double)pairs / FEW_PAIRS, 2.0 / 3));
}

/* One pair each, and two more at a time. */
size_t judge_unit_start(size_t pairs, size_t units, size_t unit)
{
	size_t twos = (pairs - units) / 2;
	return unit + 2 * ((unit * twos + units - 1) / units);
}

size_t judge_pairs(const struct judge *judge)
{
	return judge->sum.total.pairs.n;
}

static int keep_unit(struct judge *judge, double base, double new_, double log_ratio, struct error *err)
{
	if (judge->units == judge->unit_capacity) {
		size_t larger = array_larger(judge->unit_capacity, judge->units + 1);
		if (array_resize(&judge->unit_base, larger) != 0 || array_resize(&judge->unit_new, larger) != 0 ||
		    array_resize(&judge->unit_log, larger) != 0)
			return error_memory(err);
		judge->unit_capacity = larger;
	}
	judge->unit_base[judge->units] = base;
	judge->unit_new[judge->units] = new_;
	judge->unit_log[judge->units] = log_ratio;
	judge->units++;
	return 0;
}

static int side_of(const struct judge *judge, unsigned char order)
{
	return !judge->options.sides ? 0 : order ? -1 : 1;
}

static bool same_side(const struct judge *judge)
{
	for (size_t i = 1; i < judge->filled; i++)
		if (judge->order[i] != judge->order[0])
			return false;
	return true;
}

static double mean(const double *x, size_t n, enum total_kind kind)
{
	struct running sum = {0};
	for (size_t i = 0; i < n; i++)
		running_add(&sum, kind == TOTAL_HARMONIC ? 1 / x[i] : kind == TOTAL_GEOMETRIC ? log(x[i]) : x[i]);
	double m = running_mean(&sum);
	return kind == TOTAL_HARMONIC ? 1 / m : kind == TOTAL_GEOMETRIC ? exp(m) : m;
}

/* Options of a look: neighbouring units that resemble each other widen typical; where one could not be made there is
 * none. */
static struct verdict_options options_now(const struct judge *judge, const struct verdict_options *rule)
{
	struct verdict_options options = *rule;
	struct runcorr correlation;
	options.total_alone |= judge->trouble != NULL;
	if (runcorr_of(judge->unit_log, judge->units, &correlation) == STATS_OK)
		options.inflation = fmax(options.inflation, correlation.factor);
	return options;
}

/* A look of the judge's own, where the numbers of pairs or units ask for one. */
static void look_by_itself(struct judge *judge)
{
	size_t pairs = judge_pairs(judge);
	judge->due = pairs >= judge->next_pairs || judge->units >= judge->next_units;
	if (!judge->due)
		return;
	while (judge->next_pairs <= pairs)
		judge->next_pairs = verdict_next_look(judge->next_pairs);
	while (judge->next_units <= judge->units)
		judge->next_units = verdict_next_look(judge->next_units);
	struct verdict_options options = options_now(judge, &judge->options.verdict);
	if (!judge->unfit)
		verdict_mark(&judge->sum, &options);
}

/* Arithmetic means need no logarithm, so values of any sign will do; only positive ones have a side. Of harmonic means
 * H_new/H_base is the mean of 1/base over that of 1/new. */
static void add_pair(struct judge *judge, double base, double new_, int side, size_t values)
{
	bool turned = judge->options.verdict.kind == TOTAL_HARMONIC;
	verdict_add_pair(&judge->sum, turned ? 1 / new_ : base, turned ? 1 / base : new_, base > 0 && new_ > 0 ? side : 0,
	                 values);
}

/* In a pair alone neither side can be slow beside a median: runs are held against those of their group. */
static enum stats_status count_single(struct judge *judge)
{
	size_t from = (judge->units - 1) / SHARE_GROUP * SHARE_GROUP, n = judge->units - from;
	const double *base = judge->unit_base + from, *new_ = judge->unit_new + from;
	struct share_counts counts = judge->counted;
	struct typical typical;
	enum stats_status status = typical_of(base, new_, NULL, n, &typical);
	if (status == STATS_OK)
		status = share_count(&counts, base, new_, n, typical.log_ratio, judge->options.verdict.higher_is_better);
	if (status != STATS_OK)
		return status;
	judge->sum.counts = counts;
	if (n == SHARE_GROUP)
		judge->counted = counts;
	return STATS_OK;
}

static int make_unit(struct judge *judge, struct error *err)
{
	struct unit unit;
	bool ordered = judge->options.has_order &&
	               (judge->options.block == 0 || judge->options.once || judge->filled >= LEAST_ORDERED);
	enum stats_status status = unit_of(judge->base, judge->new_, ordered ? judge->order : NULL, judge->filled,
	                                   judge->options.once ? judge->order_effect : NAN,
	                                   judge->options.verdict.higher_is_better, &unit);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK) {
		judge->trouble = stats_status_text(status);
		return 0;
	}
	unit.side = same_side(judge) ? side_of(judge, judge->order[0]) : 0;
	enum total_kind kind = judge->options.verdict.kind;
	double base = mean(judge->base, judge->filled, kind), new_ = mean(judge->new_, judge->filled, kind);
	if (keep_unit(judge, base, new_, unit.typical.log_ratio, err) != 0)
		return -1;
	unit.base = kind == TOTAL_HARMONIC ? 1 / new_ : base; /* as in the total, which typical is held against */
	unit.new_ = kind == TOTAL_HARMONIC ? 1 / base : new_;
	verdict_add_unit(&judge->sum, &unit);
	bool single = judge->options.block == 1 && !judge->options.once;
	return single && count_single(judge) == STATS_NO_MEMORY ? error_memory(err) : 0;
}

/* Without typical a unit is its means, for what is asked of units besides the verdict. */
static int make_means(struct judge *judge, struct error *err)
{
	enum total_kind kind = judge->options.verdict.kind;
	double base = mean(judge->base, judge->filled, kind), new_ = mean(judge->new_, judge->filled, kind);
	return keep_unit(judge, base, new_, base > 0 && new_ > 0 ? log(new_ / base) : new_ - base, err);
}

int judge_end_unit(struct judge *judge, struct error *err)
{
	if (judge->filled == 0)
		return 0;
	enum total_kind kind = judge->options.verdict.kind;
	if (judge->options.block == 0)
		add_pair(judge, mean(judge->base, judge->filled, kind), mean(judge->new_, judge->filled, kind),
		         same_side(judge) ? side_of(judge, judge->order[0]) : 0, judge->filled);
	bool means = judge->options.verdict.total_alone || judge->trouble;
	int status = means ? make_means(judge, err) : make_unit(judge, err);
	judge->filled = 0;
	if (status == 0)
		look_by_itself(judge);
	return status;
}

/* What the first place adds to all pairs of one look; of few it is not known, and left out of account. */
static int find_order_effect(struct judge *judge, struct error *err)
{
	struct typical all;
	judge->order_effect = 0;
	if (!judge->options.has_order || judge->filled < LEAST_ADJUSTED)
		return 0;
	enum stats_status status = typical_of(judge->base, judge->new_, judge->order, judge->filled, &all);
	if (status == STATS_OK && !isnan(all.order_effect))
		judge->order_effect = all.order_effect;
	return status == STATS_NO_MEMORY ? error_memory(err) : 0;
}

int judge_divide(struct judge *judge, struct error *err)
{
	size_t pairs = judge->filled, units = judge_units(pairs);
	double *base = judge->base, *new_ = judge->new_;
	unsigned char *order = judge->order;
	int status = find_order_effect(judge, err);
	for (size_t i = 0; i < units && status == 0; i++) {
		size_t from = judge_unit_start(pairs, units, i);
		judge->base = base + from;
		judge->new_ = new_ + from;
		judge->order = order + from;
		judge->filled = judge_unit_start(pairs, units, i + 1) - from;
		status = judge_end_unit(judge, err);
	}
	judge->base = base;
	judge->new_ = new_;
	judge->order = order;
	judge->filled = 0;
	return status;
}

int judge_add(struct judge *judge, double base, double new_, unsigned char order, struct error *err)
{
	if (isnan(base) || isnan(new_))
		return 0;
	judge->unfit |= judge->options.verdict.kind != TOTAL_ARITHMETIC && !(base > 0 && new_ > 0);
	if (judge->filled == judge->capacity) {
		size_t larger = array_larger(judge->capacity, judge->filled + 1);
		if (array_resize(&judge->base, larger) != 0 || array_resize(&judge->new_, larger) != 0 ||
		    array_resize(&judge->order, larger) != 0)
			return error_memory(err);
		judge->capacity = larger;
	}
	judge->base[judge->filled] = base;
	judge->new_[judge->filled] = new_;
	judge->order[judge->filled] = order;
	judge->filled++;
	judge->due = false;
	if (judge->options.block == 0)
		return 0;
	add_pair(judge, base, new_, side_of(judge, order), 1);
	if (!judge->options.once && judge->filled == judge->options.block)
		return judge_end_unit(judge, err);
	look_by_itself(judge);
	return 0;
}

/* Independent pairs have r₁ above this in one experiment of a hundred. */
static bool is_correlated(const struct verdict_numbers *numbers)
{
	const struct total *total = &numbers->evidence.total;
	return total->lag1 > 2.33 / sqrt(total->runs);
}

static enum stats_status look(const struct judge *judge, const struct verdict_options *rule,
                              struct verdict_numbers *out, bool *correlated)
{
	struct verdict_options options = options_now(judge, rule);
	*correlated = false;
	if (judge->unfit)
		return STATS_NOT_POSITIVE;
	enum stats_status status = verdict_look(&judge->sum, &options, out);
	*correlated = status == STATS_OK && (is_correlated(out) || (out->typical.used && options.inflation > 1));
	return status;
}

enum stats_status judge_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated)
{
	return look(judge, &judge->options.verdict, out, correlated);
}

enum stats_status judge_last_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated)
{
	struct verdict_options last = verdict_last_look(&judge->options.verdict, judge_pairs(judge));
	return look(judge, &last, out, correlated);
}
