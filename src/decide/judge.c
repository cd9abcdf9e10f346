#include "decide/judge.h"

#include "base/memory.h"
#include "stats/runcorr.h"

#include <math.h>
#include <string.h>

void judge_init(struct judge *judge, const struct judge_options *options)
{
	memset(judge, 0, sizeof(*judge));
	judge->options = *options;
	if (options->block == 1)
		judge->options.verdict.total_alone = true;
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
	judge->filled = judge->units = 0;
	judge->trouble = NULL;
}

/* Room for one more in two arrays of double and one of any other size. */
static int more_room(double **a, double **b, void **c, size_t c_size, size_t *capacity, struct error *err)
{
	size_t larger = *capacity ? 2 * *capacity : 64;
	double *grown = mem_resize(*a, larger, sizeof(double));
	if (!grown)
		return error_memory(err);
	*a = grown;
	grown = mem_resize(*b, larger, sizeof(double));
	if (!grown)
		return error_memory(err);
	*b = grown;
	void *other = mem_resize(*c, larger, c_size);
	if (!other)
		return error_memory(err);
	*c = other;
	*capacity = larger;
	return 0;
}

static int keep_unit(struct judge *judge, double base, double new_, double log_ratio, struct error *err)
{
	if (judge->units == judge->unit_capacity) {
		void *logs = judge->unit_log;
		if (more_room(&judge->unit_base, &judge->unit_new, &logs, sizeof(double), &judge->unit_capacity, err) != 0)
			return -1;
		judge->unit_log = logs;
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

static double mean(const double *x, size_t n)
{
	struct running sum = {0};
	for (size_t i = 0; i < n; i++)
		running_add(&sum, x[i]);
	return running_mean(&sum);
}

/* The total alone needs no logarithm, so values of any sign will do. */
static int end_unit_total(struct judge *judge, int side, struct error *err)
{
	double base = mean(judge->base, judge->filled), new_ = mean(judge->new_, judge->filled);
	if (keep_unit(judge, base, new_, base > 0 && new_ > 0 ? log(new_ / base) : new_ - base, err) != 0)
		return -1;
	verdict_add_pair(&judge->sum, base, new_, side);
	judge->sum.pairs += judge->filled - 1;
	return 0;
}

static int end_unit_full(struct judge *judge, int side, struct error *err)
{
	struct unit unit;
	enum stats_status status = unit_of(judge->base, judge->new_, judge->options.has_order ? judge->order : NULL,
	                                   judge->filled, judge->options.verdict.higher_is_better, &unit);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK) {
		judge->trouble = stats_status_text(status);
		return 0;
	}
	unit.side = side;
	if (keep_unit(judge, unit.base, unit.new_, unit.typical.log_ratio, err) != 0)
		return -1;
	verdict_add(&judge->sum, &unit);
	return 0;
}

int judge_end_unit(struct judge *judge, struct error *err)
{
	if (judge->filled == 0)
		return 0;
	int side = same_side(judge) ? side_of(judge, judge->order[0]) : 0;
	int status = judge->options.verdict.total_alone ? end_unit_total(judge, side, err)
	                                                : end_unit_full(judge, side, err);
	judge->filled = 0;
	return status;
}

int judge_add(struct judge *judge, double base, double new_, unsigned char order, struct error *err)
{
	if (isnan(base) || isnan(new_))
		return 0;
	if (judge->filled == judge->capacity) {
		void *orders = judge->order;
		if (more_room(&judge->base, &judge->new_, &orders, 1, &judge->capacity, err) != 0)
			return -1;
		judge->order = orders;
	}
	judge->base[judge->filled] = base;
	judge->new_[judge->filled] = new_;
	judge->order[judge->filled] = order;
	judge->filled++;
	if (judge->options.block == 0 || judge->filled < judge->options.block)
		return 0;
	return judge_end_unit(judge, err);
}

static enum stats_status look(const struct judge *judge, const struct verdict_options *rule,
                              struct verdict_numbers *out, bool *correlated)
{
	struct verdict_options options = *rule;
	struct runcorr correlation;
	*correlated = false;
	if (runcorr_of(judge->unit_log, judge->units, &correlation) == STATS_OK && correlation.factor > 1) {
		options.inflation = correlation.factor;
		*correlated = true;
	}
	return verdict_look(&judge->sum, &options, out);
}

enum stats_status judge_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated)
{
	return look(judge, &judge->options.verdict, out, correlated);
}

enum stats_status judge_last_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated)
{
	struct verdict_options last = verdict_last_look(&judge->options.verdict, judge->units);
	return look(judge, &last, out, correlated);
}
