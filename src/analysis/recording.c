/* From A/A pairs to spreads and false alarms.
 *
 * The spread of a unit is taken from the interval that the verdict rule gives to the whole recording:
 * half = c·sd/√R in the log ratio, so sd = half·√R/c: typical's for units of many pairs, the total's for single pairs.
 * A prediction with the same rule then needs nothing but R.
 *
 * A recording too short for five units of any size has single pairs still: a unit of k pairs is the mean of two medians
 * of k/2 log ratios each, whose sd is √(π/2)·σ/√k for normal log ratios; σ = 1.4826·MAD about the median of their
 * order. */
#include "analysis/recording.h"

#include "base/array.h"
#include "base/memory.h"
#include "decide/judge.h"
#include "stats/interval.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/quantised.h"
#include "stats/runcorr.h"

#include <math.h>
#include <string.h>

static const double level_of_rate = 0.95;
enum { LEAST_UNITS = 5, LEAST_PAIRS = 10 };

void recording_release(struct recording *recording)
{
	mem_free(recording->base);
	mem_free(recording->new_);
	mem_free(recording->order);
	mem_free(recording->slices);
	memset(recording, 0, sizeof(*recording));
}

int recording_begin_slice(struct recording *recording, struct error *err)
{
	if (array_reserve(&recording->slices, &recording->slice_capacity, recording->slice_count + 1) != 0)
		return error_memory(err);
	recording->slices[recording->slice_count++] = recording->count;
	return 0;
}

static int more_room(struct recording *recording, struct error *err)
{
	size_t larger = array_larger(recording->capacity, recording->count + 1);
	if (array_resize(&recording->base, larger) != 0 || array_resize(&recording->new_, larger) != 0 ||
	    array_resize(&recording->order, larger) != 0)
		return error_memory(err);
	recording->capacity = larger;
	return 0;
}

int recording_add(struct recording *recording, double base, double new_, unsigned char order, struct error *err)
{
	if (recording->count == recording->capacity && more_room(recording, err) != 0)
		return -1;
	recording->base[recording->count] = base;
	recording->new_[recording->count] = new_;
	recording->order[recording->count] = order;
	recording->count++;
	return 0;
}

int recording_find_quantum(struct recording *recording, struct error *err)
{
	const double *sides[] = {recording->base, recording->new_};
	for (size_t s = 0; s < 2 && recording->count > 0; s++) {
		struct quantised found;
		enum stats_status status = quantised_of(sides[s], recording->count, &found);
		if (status == STATS_NO_MEMORY)
			return error_memory(err);
		if (status == STATS_OK)
			recording->quantum = fmax(recording->quantum, found.quantum);
	}
	return 0;
}

static size_t slice_end(const struct recording *recording, size_t slice)
{
	return slice + 1 < recording->slice_count ? recording->slices[slice + 1] : recording->count;
}

static void open_judge(const struct recording *recording, size_t block, double alpha, enum critical_rule rule,
                       struct judge *judge)
{
	struct judge_options options = {
		.verdict = verdict_defaults(alpha), .block = block, .has_order = true, .sides = recording->sides};
	options.verdict.rule = rule;
	options.verdict.quantum = recording->quantum;
	options.verdict.total_alone = block == 1;
	judge_init(judge, &options);
}

static int feed(const struct recording *recording, struct judge *judge, size_t from, size_t to, struct error *err)
{
	for (size_t i = from; i < to; i++)
		if (judge_add(judge, recording->base[i], recording->new_[i], recording->order[i], err) != 0)
			return -1;
	return 0;
}

static void spread_of(const struct judge *judge, struct calibration_spread *out)
{
	struct verdict_numbers numbers;
	struct runcorr correlation;
	bool correlated;
	out->units = judge->units;
	if (judge->units < LEAST_UNITS || judge_look(judge, &numbers, &correlated) != STATS_OK)
		return;
	bool single = judge->options.block == 1;
	const struct verdict_part *part = single ? &numbers.total : &numbers.typical;
	if (!part->used || part->unbounded || !(part->interval.low > 0))
		return;
	/* Without the clock's part and without what correlated neighbours add. */
	double clock = single ? numbers.evidence.total_clock : numbers.evidence.typical.extra;
	double widening = single ? sqrt(numbers.evidence.total.widening) : 1;
	double half = log(part->interval.high / part->interval.low) / 2 - clock, runs = (double)judge->units;
	out->sd = fmax(half, 0) * sqrt(runs) / part->c / widening;
	out->lag1 = 0;
	if (runcorr_of(judge->unit_log, judge->units, &correlation) == STATS_OK)
		out->lag1 = fmin(0.95, fmax(0, correlation.lag1 + (1 + 3 * correlation.lag1) / runs));
}

static bool knows_units(const struct calibration_design *design)
{
	for (int i = 1; i < CALIBRATION_SPREADS; i++)
		if (!isnan(design->spreads[i].sd))
			return true;
	return false;
}

/* The log ratios of one order less their median, behind the `n` that are there; returns how many there are then. */
static size_t centred_logs(const struct recording *recording, unsigned char order, double *logs, size_t n)
{
	size_t count = 0;
	double centre;
	for (size_t i = 0; i < recording->count; i++)
		if (recording->order[i] == order && recording->base[i] > 0 && recording->new_[i] > 0)
			logs[n + count++] = log(recording->new_[i] / recording->base[i]);
	if (count == 0 || median_of(logs + n, count, &centre) != STATS_OK)
		return n;
	for (size_t i = n; i < n + count; i++)
		logs[i] -= centre;
	return n + count;
}

/* The spread of the smallest unit, from single pairs. */
static int spread_of_pairs(const struct recording *recording, struct calibration_spread *out, struct error *err)
{
	double mad, *logs = mem_alloc(recording->count, sizeof(*logs));
	if (!logs)
		return error_memory(err);
	size_t n = centred_logs(recording, 1, logs, centred_logs(recording, 0, logs, 0));
	if (n >= LEAST_PAIRS && mad_of(logs, n, &mad) == STATS_OK) {
		out->sd = sqrt(M_PI_2) * 1.4826 * mad / sqrt((double)out->block);
		out->lag1 = 0;
	}
	mem_free(logs);
	return 0;
}

int recording_spreads(const struct recording *recording, struct calibration_design *out, struct error *err)
{
	out->pairs = recording->count;
	out->pair_seconds = recording->count ? recording->seconds / (double)recording->count : NAN;
	for (int i = 0; i < CALIBRATION_SPREADS; i++) {
		size_t block = calibration_blocks[i];
		struct judge judge;
		int status = 0;
		open_judge(recording, block, 0.01, CRITICAL_FIXED, &judge);
		for (size_t s = 0; s < recording->slice_count && status == 0; s++) {
			size_t from = recording->slices[s], whole = (slice_end(recording, s) - from) / block * block;
			status = feed(recording, &judge, from, from + whole, err);
		}
		if (status == 0)
			spread_of(&judge, &out->spreads[i]);
		judge_release(&judge);
		if (status != 0)
			return -1;
	}
	return knows_units(out) || recording->count < LEAST_PAIRS ? 0 : spread_of_pairs(recording, &out->spreads[1], err);
}

static bool is_alarm(const struct verdict_numbers *numbers)
{
	/* Also a difference that is small enough to be told as "the same". */
	return numbers->decided_by != 0;
}

/* One experiment: does any look call a difference? */
static int experiment(const struct recording *recording, size_t from, size_t block, size_t pairs, double alpha,
                      bool *alarm, struct error *err)
{
	struct judge judge;
	struct verdict_numbers numbers;
	bool correlated;
	int status = 0;
	*alarm = false;
	open_judge(recording, block, alpha, CRITICAL_ANYTIME, &judge);
	for (size_t i = from; i < from + pairs && status == 0 && !*alarm; i++) {
		status = feed(recording, &judge, i, i + 1, err);
		if (status == 0 && judge.due && judge_look(&judge, &numbers, &correlated) == STATS_OK)
			*alarm = is_alarm(&numbers);
	}
	if (status == 0 && !*alarm && judge_last_look(&judge, &numbers, &correlated) == STATS_OK)
		*alarm = is_alarm(&numbers);
	judge_release(&judge);
	return status;
}

size_t recording_experiments(const struct recording *recording, size_t pairs)
{
	size_t count = 0;
	for (size_t s = 0; s < recording->slice_count; s++)
		count += (slice_end(recording, s) - recording->slices[s]) / pairs;
	return count;
}

int recording_alarms(const struct recording *recording, size_t block, size_t pairs, double alpha,
                     struct calibration_design *out, struct error *err)
{
	struct interval rate;
	size_t experiments = 0, alarms = 0;
	for (size_t s = 0; s < recording->slice_count; s++) {
		for (size_t from = recording->slices[s]; from + pairs <= slice_end(recording, s); from += pairs) {
			bool alarm;
			if (experiment(recording, from, block, pairs, alpha, &alarm, err) != 0)
				return -1;
			experiments++;
			alarms += alarm;
		}
	}
	out->experiments = experiments;
	out->alarms = alarms;
	out->experiment_block = block;
	out->experiment_pairs = pairs;
	out->alarm_low = out->alarm_high = NAN;
	if (proportion_clopper_pearson(alarms, experiments, level_of_rate, &rate) == STATS_OK) {
		out->alarm_low = rate.low;
		out->alarm_high = rate.high;
	}
	return 0;
}

double recording_median(const struct recording *recording)
{
	double *all = recording->count ? mem_alloc(2 * recording->count, sizeof(*all)) : NULL;
	size_t n = 0;
	for (size_t i = 0; all && i < recording->count; i++) {
		if (isnan(recording->base[i]) || isnan(recording->new_[i]))
			continue;
		all[n++] = recording->base[i];
		all[n++] = recording->new_[i];
	}
	double median = n ? median_in_place(all, n) : NAN;
	mem_free(all);
	return median;
}

int recording_cpu_effect(const double *logs, size_t rounds, struct calibration_cpu *out, struct error *err)
{
	struct interval interval;
	double median;
	out->rounds = rounds;
	out->effect = out->low = out->high = NAN;
	enum stats_status status = interval_median(logs, rounds, 0.99, &median, &interval);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status == STATS_OK) {
		out->low = expm1(interval.low);
		out->high = expm1(interval.high);
	}
	if (rounds > 0 && median_of(logs, rounds, &median) == STATS_OK)
		out->effect = expm1(median);
	return 0;
}
