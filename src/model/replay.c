#include "model/replay.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = ((const struct replay_outcome *)a)->change, y = ((const struct replay_outcome *)b)->change;
	return (x > y) - (x < y);
}

/* Mean and standard deviation (n − 1) by Welford. */
struct replay_tally {
	double n, mean, squares;
};

static void tally_add(struct replay_tally *tally, double x)
{
	double before = x - tally->mean;
	tally->n++;
	tally->mean += before / tally->n;
	tally->squares += before * (x - tally->mean);
}

static double tally_mean(const struct replay_tally *tally)
{
	return tally->n > 0 ? tally->mean : NAN;
}

static double tally_sd(const struct replay_tally *tally)
{
	return tally->n > 1 ? sqrt(tally->squares / (tally->n - 1)) : NAN;
}

/* Quantile of type 7 of the changes; outcomes are in their order. */
static double change_at(const struct replay_outcome *sorted, size_t n, double p)
{
	double place = p * (double)(n - 1);
	size_t low = (size_t)place, high = low + 1 < n ? low + 1 : low;
	return sorted[low].change + (place - (double)low) * (sorted[high].change - sorted[low].change);
}

static int summarise_changes(const struct replay_outcome *outcomes, size_t count, struct replay_row *row)
{
	static const double limits[REPLAY_LIMITS] = {0.01, 0.02, 0.03};
	struct replay_tally changes = {0};
	struct replay_outcome *sorted = mem_alloc(count, sizeof(*sorted));
	if (!sorted)
		return -1;
	for (size_t i = 0; i < count; i++) {
		tally_add(&changes, outcomes[i].change);
		sorted[i] = outcomes[i];
		for (int k = 0; k < REPLAY_LIMITS; k++)
			row->under[k] += (outcomes[i].change < limits[k]) / (double)count;
	}
	row->change = tally_mean(&changes);
	row->change_sd = tally_sd(&changes);
	qsort(sorted, count, sizeof(*sorted), ascending);
	row->change_median = change_at(sorted, count, 0.5);
	row->change_p90 = change_at(sorted, count, 0.9);
	row->change_most = sorted[count - 1].change;
	mem_free(sorted);
	return 0;
}

int replay_summarise(const struct replay_outcome *outcomes, size_t count, const char *rule, struct replay_row *out)
{
	struct replay_row row = {.rule = rule,
	                         .benchmarks = count,
	                         .change = NAN,
	                         .change_sd = NAN,
	                         .change_median = NAN,
	                         .change_p90 = NAN,
	                         .change_most = NAN};
	struct replay_tally equal = {0}, bootstrap = {0}, width = {0}, stable = {0}, warmup = {0}, runs = {0};
	double cost = 0, full = 0, warm = 0, all_runs = 0;
	for (size_t i = 0; i < count; i++) {
		const struct replay_outcome *one = &outcomes[i];
		cost += one->cost;
		full += one->full_cost;
		warm += (double)one->warm_runs;
		all_runs += (double)one->runs;
		tally_add(&stable, one->stable);
		tally_add(&warmup, one->warmup);
		tally_add(&runs, (double)one->runs);
		if (!one->compared)
			continue;
		tally_add(&equal, one->equal);
		tally_add(&bootstrap, one->equal_bootstrap);
		if (isfinite(one->half_width))
			tally_add(&width, one->half_width);
	}
	if (count > 0 && summarise_changes(outcomes, count, &row) != 0)
		return -1;
	row.saved = full > 0 ? 1 - cost / full : NAN;
	row.compared = (size_t)equal.n;
	row.equal = tally_mean(&equal);
	row.equal_bootstrap = tally_mean(&bootstrap);
	row.half_width = tally_mean(&width);
	row.warm = all_runs > 0 ? warm / all_runs : NAN;
	row.stable = tally_mean(&stable);
	row.warmup = tally_mean(&warmup);
	row.warmup_sd = tally_sd(&warmup);
	row.runs = tally_mean(&runs);
	row.runs_sd = tally_sd(&runs);
	*out = row;
	return 0;
}
