/* Comparing pairs: they go to a judge, who makes units of them and says what they show. */
#include "analysis/kept.h"
#include "analysis/match.h"
#include "base/memory.h"
#include "stats/shuffle.h"
#include "stats/typical.h"

#include <math.h>
#include <string.h>

/* By the time of a pair; data in other units than seconds get the middle size. */
static size_t block_for(const struct match *match, const struct analysis_options *options)
{
	if (options->block)
		return options->block;
	double pair = match->base->median + match->new_->median;
	bool time = strcmp(match->base->metric.unit, "s") == 0;
	return !time ? 20 : pair < 0.010 ? 40 : pair > 0.100 ? 10 : 20;
}

static unsigned char order_of(const struct result *result, const struct measurement *m, size_t pair, size_t run,
                              size_t base, size_t new_)
{
	const struct design_info *design = &result->design;
	size_t entry = design->order_of_runs ? run : pair, count = m->order ? m->order_count : design->order_count;
	const char **order = m->order ? m->order : design->order;
	if (entry >= count || !order[entry])
		return 0;
	return order_place(order[entry], result_side(result, base)) > order_place(order[entry], result_side(result, new_));
}

/* Feeds the pairs to the judge, unit by unit. */
static int feed_pairs(struct judge *judge, const struct result *result, const struct match *match, size_t base,
                      size_t new_, struct error *err)
{
	struct nested a = series_view(&match->base->series), b = series_view(&match->new_->series);
	unsigned unit = kept_unit_level(&a), last = a.depth - 2;
	size_t unit_end = 0, unit_number = 0;
	for (size_t run = 0; run < a.groups[last]; run++) {
		size_t from = a.starts[last][run], to = a.starts[last][run + 1];
		size_t left_out = measurement_left_out(match->base, run), other = measurement_left_out(match->new_, run);
		left_out = match->commands ? 0 : other > left_out ? other : left_out;
		for (size_t i = from + left_out; i < to; i++)
			if (judge_add(judge, a.values[i], b.values[i], order_of(result, match->base, i, run, base, new_), err) != 0)
				return -1;
		if (judge->options.block != 0 || unit > last)
			continue;
		/* The unit ends where its last run ends. */
		while (unit_end <= run) {
			size_t end = unit_number + 1;
			for (unsigned k = unit; k < last; k++)
				end = a.starts[k][end];
			unit_end = end;
			unit_number++;
		}
		if (unit_end == run + 1 && judge_end_unit(judge, err) != 0)
			return -1;
	}
	return judge->options.once ? judge_divide(judge, err) : 0;
}

static int note_shuffle(struct result *result, struct comparison *comparison, const struct judge *judge)
{
	struct pair_findings paired = *comparison->paired;
	enum stats_status status = shuffle_width_ratio(judge->unit_base, judge->unit_new, judge->units,
	                                               &paired.shuffle_width_ratio);
	if (status == STATS_EMPTY && comparison->pairs > 0) /* fewer than a unit has */
		status = STATS_TOO_FEW;
	if (status != STATS_OK) {
		paired.shuffle_width_ratio = NAN;
		paired.shuffle_why = stats_status_text(status);
	}
	return comparison_set_paired(result, comparison, &paired);
}

/* The first pair with a value that has no logarithm, from 0; the number of pairs: there is none. */
static size_t first_not_positive(const struct match *match)
{
	const struct series *a = &match->base->series, *b = &match->new_->series;
	for (size_t i = 0; i < a->n; i++)
		if (a->values[i] <= 0 || b->values[i] <= 0)
			return i;
	return a->n;
}

/* Runs of one value, repeated at no level above: blocks of them are the units. */
static bool has_blocks(const struct match *match)
{
	struct nested values = series_view(&match->base->series);
	return match->commands && kept_unit_level(&values) + 2 >= values.depth;
}

/* How pairs become units: blocks of single runs; runs with iterations, builds and machines are units of their own. */
static int paired_rule(struct result *result, const struct comparison *comparison, const struct match *match,
                       const struct analysis_options *options, struct judge_options *out, struct error *err)
{
	bool ordered = result->design.order_count > 0;
	*out = (struct judge_options){.verdict = match_rule(match, options),
	                              .has_order = ordered,
	                              .sides = ordered && result->design.name && strcmp(result->design.name, "duet") == 0};
	out->block = has_blocks(match) ? block_for(match, options) : 0;
	/* A size that was fixed before the first pair stays. */
	out->once = out->block && options->looking == LOOKED_ONCE && !options->block;
	/* The few runs of a build have no tail to tell apart: its mean speaks for it. */
	out->verdict.total_alone = match->commands && !has_blocks(match);
	size_t strange = first_not_positive(match);
	if (strange == match->pairs || out->verdict.total_alone || out->verdict.kind != TOTAL_ARITHMETIC)
		return 0;
	out->verdict.total_alone = true;
	if (result_about_warn(
			result, "not-positive", subject_title(&result->subjects[comparison->new_]),
			"values that are zero or below, the first in pair %zu, have no ratio: only the total is judged",
			strange + 1) != 0)
		return error_memory(err);
	return 0;
}

/* Whether skew alone could be what typical was called for: the spread of single pairs about their unit's median. */
static enum stats_status note_skew(const struct judge *judge, const struct match *match, struct judged *judged)
{
	double spread;
	size_t block = judge->options.block, pairs = judge_pairs(judge);
	judged->skewed = false;
	if (!(judged->numbers.decided_by & VERDICT_TYPICAL) || block == 0)
		return STATS_OK;
	size_t *starts = mem_alloc(judge->units + 1, sizeof(*starts));
	if (!starts)
		return STATS_NO_MEMORY;
	for (size_t u = 0; u <= judge->units; u++)
		starts[u] = judge->options.once ? judge_unit_start(pairs, judge->units, u) : u * block;
	enum stats_status status = typical_private_sd(match->base_kept.values.values, match->new_kept.values.values, starts,
	                                              judge->unit_log, judge->units, &spread);
	if (status == STATS_OK)
		judged->skewed = verdict_skew_note(&judged->numbers, spread);
	mem_free(starts);
	return status == STATS_NO_MEMORY ? status : STATS_OK;
}

int match_compare_pairs(struct result *result, struct comparison *comparison, const struct match *match,
                        const struct analysis_options *options, struct judged *judged, struct error *err)
{
	struct judge own;
	const struct judge *judge = match->judge ? match->judge : &own;
	int failed = 0;
	if (!match->judge) {
		if (paired_rule(result, comparison, match, options, &judged->rule, err) != 0)
			return -1;
		judge_init(&own, &judged->rule);
		failed = feed_pairs(&own, result, match, comparison->base, comparison->new_, err);
	}
	if (!failed) {
		enum stats_status status = options->looking == LOOKED_ONCE
		                               ? judge_look(judge, &judged->numbers, &judged->correlated)
		                               : judge_last_look(judge, &judged->numbers, &judged->correlated);
		/* What the judge was looked at with holds for what is computed of it later. */
		judged->rule = judge->options;
		judged->rule.verdict.least_pairs = options->looking == LOOKED_ONCE ? judge->options.verdict.least_pairs
		                                                                   : VERDICT_LEAST_PAIRS;
		if (status == STATS_OK)
			status = note_skew(judge, match, judged);
		if (status == STATS_NO_MEMORY)
			failed = error_memory(err);
		else if (status == STATS_OK)
			failed = numbers_fill(result, comparison, judged, err);
		else
			numbers_unknown(result, comparison, judge->trouble ? judge->trouble : stats_status_text(status));
		if (status == STATS_OK)
			numbers_warn(result, comparison, judged);
	}
	comparison->units = judge->units;
	comparison->pairs = judge->sum.pairs;
	comparison->block = judged->rule.block;
	if (!failed && note_shuffle(result, comparison, judge) != 0)
		failed = error_memory(err);
	if (!match->judge)
		judge_release(&own);
	bool arithmetic = judged->rule.verdict.kind == TOTAL_ARITHMETIC;
	return failed || !arithmetic ? failed : match_note_kind(result, match, options, err);
}
