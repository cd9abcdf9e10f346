#include "coverage/simulate.h"

#include "stats/precision.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS = 20, MOST_UNITS = 100, MOST_RUNS = 400 };

static const double margin = 0.01;

/* What one experiment ended with. */
struct end {
	bool wrong, decided;
	size_t runs;
};

static bool misses(struct interval interval, double truth)
{
	return !(interval.low <= truth && truth <= interval.high);
}

static void must(bool condition)
{
	if (!condition)
		abort();
}

static struct end mean_experiment(struct source *source, const struct cell *cell)
{
	struct running base = {0};
	for (size_t r = 0; r < cell->runs; r++) {
		double x, y;
		source_runs(source, &x, &y);
		running_add(&base, x);
	}
	double runs = (double)cell->runs, half = critical_t(cell->alpha, runs - 1) * sqrt(running_variance(&base) / runs);
	return (struct end){fabs(running_mean(&base) - family_mean(cell->family)) > half, true, cell->runs};
}

static struct end ratio_experiment(struct source *source, const struct cell *cell)
{
	double a[MOST_RUNS], b[MOST_RUNS], ratio, c = critical_t(cell->alpha, (double)cell->runs - 1);
	struct interval interval;
	for (size_t r = 0; r < cell->runs; r++)
		source_runs(source, &a[r], &b[r]);
	enum stats_status status = cell->plan == PLAN_PAIRED
	                               ? fieller_paired(a, b, cell->runs, c, &ratio, &interval)
	                               : fieller_unpaired(a, cell->runs, b, cell->runs, c, &ratio, &interval);
	must(status == STATS_OK || status == STATS_UNBOUNDED);
	return (struct end){misses(interval, source->ratio), true, cell->runs};
}

/* A target that needs about 20 runs where the noise is as expected. */
static struct end precision_experiment(struct source *source, const struct cell *cell)
{
	double target = 2.3 * family_pair_sd(cell->family) / sqrt(20);
	struct precision rule = precision_rule(cell->alpha, target);
	struct comoment moments = {0};
	while (moments.n < MOST_RUNS) {
		double pair[2];
		source_runs(source, &pair[0], &pair[1]);
		comoment_add(&moments, pair, 2);
		if (moments.n < cell->runs)
			continue;
		struct fieller means = fieller_of(&moments, 0, 1);
		double runs = (double)moments.n, ratio = means.new_ / means.base;
		/* The se of new − ratio·base over base; the interval itself is Fieller's. */
		double se = sqrt(fmax(0, means.new_variance + ratio * (ratio * means.base_variance - 2 * means.covariance))) /
		            means.base;
		if (precision_reached(&rule, ratio, se, runs, runs - 1) || moments.n == MOST_RUNS) {
			struct interval interval;
			double c = critical_precision(cell->alpha, runs, runs - 1);
			enum stats_status status = fieller_interval(&means, c, &ratio, &interval);
			must(status == STATS_OK || status == STATS_UNBOUNDED);
			return (struct end){misses(interval, source->ratio), moments.n < MOST_RUNS, moments.n};
		}
	}
	abort();
}

static void measure_unit(struct source *source, struct verdict_sum *sum)
{
	double base[PAIRS], new_[PAIRS];
	unsigned char order[PAIRS];
	struct unit unit;
	source_unit(source, PAIRS, base, new_, order);
	must(unit_of(base, new_, order, PAIRS, false, &unit) == STATS_OK);
	verdict_add(sum, &unit);
}

static struct end verdict_experiment(struct source *source, const struct cell *cell)
{
	struct verdict_options options = verdict_defaults(cell->alpha);
	struct verdict_sum sum = {0};
	struct verdict_numbers numbers;
	bool single = cell->plan == PLAN_VERDICT_PAIR, one_look = cell->plan == PLAN_LOOK;
	options.margin = margin;
	options.least_units = cell->runs;
	options.total_alone = single;
	if (one_look)
		options.rule = CRITICAL_FIXED;
	size_t units = 0, most = one_look ? cell->runs : MOST_UNITS;
	do {
		if (single) {
			double base, new_;
			source_runs(source, &base, &new_);
			verdict_add_pair(&sum, base, new_, 0);
		} else {
			measure_unit(source, &sum);
		}
		units++;
		if (units < cell->runs)
			continue;
		must(verdict_look(&sum, &options, &numbers) == STATS_OK);
	} while (units < cell->runs || (units < most && numbers.verdict == RATIO_UNDECIDED));
	bool same = numbers.verdict == RATIO_SAME, decided = numbers.verdict != RATIO_UNDECIDED;
	bool wrong = cell->plan == PLAN_MARGIN ? same : decided && !same;
	return (struct end){wrong, decided, units};
}

struct outcome simulate(const struct cell *cell, size_t replications, uint64_t seed)
{
	static struct end (*const experiments[PLAN_COUNT])(struct source *, const struct cell *) = {
		[PLAN_MEAN] = mean_experiment,
		[PLAN_UNPAIRED] = ratio_experiment,
		[PLAN_PAIRED] = ratio_experiment,
		[PLAN_LOOK] = verdict_experiment,
		[PLAN_PRECISION] = precision_experiment,
		[PLAN_VERDICT] = verdict_experiment,
		[PLAN_VERDICT_PAIR] = verdict_experiment,
		[PLAN_MARGIN] = verdict_experiment,
	};
	/* A seed of its own for each cell, mixed from what describes it. */
	uint64_t mixed = seed;
	const uint64_t parts[] = {(uint64_t)cell->plan, (uint64_t)cell->family, cell->runs, (uint64_t)(cell->alpha * 1e6)};
	for (size_t i = 0; i < 4; i++)
		mixed = (mixed ^ parts[i]) * 0x9e3779b97f4a7c15u + 1;
	struct source source;
	source_init(&source, cell->family, cell->plan == PLAN_MARGIN ? 1 + margin : 1, mixed, 0);
	struct outcome outcome = {.replications = replications};
	double runs = 0;
	for (size_t i = 0; i < replications; i++) {
		source_restart(&source);
		struct end end = experiments[cell->plan](&source, cell);
		outcome.wrong += end.wrong;
		outcome.decided += end.decided;
		runs += (double)end.runs;
	}
	outcome.runs = runs / (double)replications;
	return outcome;
}

double claimed_rate(const struct cell *cell)
{
	switch (cell->plan) {
	case PLAN_MEAN: return 1;
	case PLAN_UNPAIRED:
	case PLAN_PAIRED:
	case PLAN_PRECISION: return cell->alpha + 0.005;
	default: return cell->alpha;
	}
}

double simulation_error(double rate, size_t replications)
{
	return sqrt(rate * (1 - rate) / (double)replications);
}

bool breaks_claim(const struct cell *cell, const struct outcome *outcome)
{
	double claim = claimed_rate(cell), rate = (double)outcome->wrong / (double)outcome->replications;
	return rate > claim + 2 * simulation_error(claim, outcome->replications);
}
