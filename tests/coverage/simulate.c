#include "coverage/simulate.h"

#include "decide/jury.h"
#include "design/fit.h"
#include "stats/multiple.h"
#include "stats/precision.h"

#include <math.h>
#include <stdlib.h>

static const double PAIR_TIME = 0.05; /* seconds, of which the size of units depends */
enum { ITERATIONS = 20, MORE_RUNS = 30, MOST_RUNS = 400, ROWS = 10 };

static const double margin = 0.01;

/* What one experiment ended with. */
struct end {
	double wrong;
	bool decided;
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

static struct end unequal_experiment(struct source *source, const struct cell *cell)
{
	struct running base = {0}, new_ = {0};
	struct verdict_options options = verdict_defaults(cell->alpha);
	struct verdict_numbers numbers;
	options.rule = CRITICAL_FIXED;
	options.least_pairs = VERDICT_LEAST_PAIRS;
	options.quantum = family_clock(cell->family);
	for (size_t r = 0; r < MORE_RUNS; r++) {
		double a, b;
		source_runs(source, &a, &b);
		if (r < cell->runs)
			running_add(&base, a);
		running_add(&new_, b);
	}
	must(verdict_unpaired(&base, &new_, &options, &numbers) == STATS_OK);
	bool decided = numbers.verdict != RATIO_UNDECIDED;
	return (struct end){decided && numbers.verdict != RATIO_SAME, decided, cell->runs};
}

static bool is_live(enum plan plan)
{
	return plan == PLAN_LIVE || plan == PLAN_PHASES || plan == PLAN_RUNS || plan == PLAN_MARGIN_LIVE;
}

static void add_pair(struct source *source, struct judge *judge, bool of_runs)
{
	double base[ITERATIONS], new_[ITERATIONS];
	unsigned char order[ITERATIONS];
	size_t n = of_runs ? ITERATIONS : 1;
	source_unit(source, n, base, new_, order);
	for (size_t i = 0; i < n; i++)
		must(judge_add(judge, base[i], new_[i], order[i], NULL) == 0);
	if (of_runs)
		must(judge_end_unit(judge, NULL) == 0);
}

/* Whether the verdict is one that must not be. */
static bool is_false(const struct verdict_numbers *numbers, enum plan plan)
{
	bool same = numbers->verdict == RATIO_SAME, different = !same && numbers->verdict != RATIO_UNDECIDED;
	switch (plan) {
	case PLAN_MARGIN:
	case PLAN_MARGIN_LIVE: return same;
	case PLAN_TAIL: return same && numbers->same_total;
	case PLAN_POWER: return numbers->verdict == RATIO_LOWER;
	default: return different;
	}
}

static bool is_right(const struct verdict_numbers *numbers, enum plan plan)
{
	if (plan == PLAN_POWER || plan == PLAN_MARGIN || plan == PLAN_MARGIN_LIVE)
		return numbers->verdict == RATIO_HIGHER;
	return numbers->verdict == (plan == PLAN_TAIL ? RATIO_HIGHER : RATIO_SAME);
}

/* `share` of the level. */
static struct end judge_experiment(struct source *source, const struct cell *cell, double share, size_t most)
{
	struct judge_options options = {.verdict = verdict_defaults(cell->alpha * share),
	                                .block = design_block(PAIR_TIME, PAIR_TIME * (double)most),
	                                .has_order = true};
	struct verdict_numbers numbers = {.verdict = RATIO_UNDECIDED};
	struct judge judge;
	bool live = is_live(cell->plan), of_runs = cell->plan == PLAN_RUNS, correlated;
	options.verdict.margin = margin;
	options.verdict.quantum = family_clock(cell->family);
	if (of_runs)
		options.block = 0;
	if (!live) {
		options.once = true;
		options.verdict.rule = CRITICAL_FIXED;
		options.verdict.least_pairs = VERDICT_LEAST_PAIRS;
	}
	judge_init(&judge, &options);
	size_t pairs = 0;
	while (pairs < most && (!live || numbers.verdict == RATIO_UNDECIDED)) {
		add_pair(source, &judge, of_runs);
		pairs++;
		if (live && judge.due)
			must(judge_look(&judge, &numbers, &correlated) == STATS_OK);
	}
	if (!live)
		must(judge_divide(&judge, NULL) == 0 && judge_look(&judge, &numbers, &correlated) == STATS_OK);
	judge_release(&judge);
	return (struct end){is_false(&numbers, cell->plan), is_right(&numbers, cell->plan), pairs};
}

static struct end verdict_experiment(struct source *source, const struct cell *cell)
{
	return judge_experiment(source, cell, 1, cell->runs);
}

static struct end phases_experiment(struct source *source, const struct cell *cell)
{
	struct end first = judge_experiment(source, cell, DESIGN_FIRST_WEIGHT, DESIGN_FIRST_PAIRS);
	if (first.wrong > 0 || first.decided)
		return first;
	struct end rest = judge_experiment(source, cell, 1 - DESIGN_FIRST_WEIGHT, cell->runs - first.runs);
	rest.runs += first.runs;
	return rest;
}

/* ---- suites ---- */

static bool is_changed(enum plan plan, size_t row)
{
	return plan != PLAN_SUITE_EQUAL && row % 3 == 0;
}

static bool is_called(const struct verdict_numbers *n)
{
	return n->verdict != RATIO_UNDECIDED && n->verdict != RATIO_SAME;
}

static bool excludes(const struct verdict_part *part, double none)
{
	return part->used && !part->unbounded && (part->interval.low > none || part->interval.high < none);
}

/* A row is called where its p value is among those of Benjamini and Hochberg, and where its intervals exclude no effect;
 * one that is shown to be within the margin is the same all the same. */
static bool intervals_agree(const struct jury *jury, double alpha)
{
	double p[ROWS];
	size_t called;
	for (size_t i = 0; i < ROWS; i++)
		p[i] = verdict_difference_p(&jury->numbers[i]);
	must(bh_called(p, ROWS, alpha, &called) == STATS_OK);
	for (size_t i = 0; i < ROWS; i++) {
		const struct verdict_numbers *n = &jury->numbers[i];
		bool shown = excludes(&n->typical, 1) || excludes(&n->total, 1) || excludes(&n->share, 0);
		if (n->verdict != RATIO_SAME && (shown != is_called(n) || shown != (p[i] <= alpha * (double)called / ROWS)))
			return false;
	}
	return true;
}

/* All rows get a pair where they are not decided; a look where one is due. */
static void measure_suite(struct source *sources, struct jury *jury, bool live, size_t pairs)
{
	struct jury_look look;
	for (size_t r = 0; r < pairs; r++) {
		for (size_t i = 0; i < ROWS; i++)
			if (!jury->decided[i])
				add_pair(&sources[i], &jury->judges[i], false);
		if (live && jury_is_due(jury))
			must(jury_look(jury, &look, NULL) == 0);
	}
	for (size_t i = 0; i < ROWS && !live; i++)
		must(judge_divide(&jury->judges[i], NULL) == 0);
	must(jury_look(jury, &look, NULL) == 0);
}

static struct end suite_experiment(struct source *source, const struct cell *cell)
{
	struct judge_options options = {.verdict = verdict_defaults(cell->alpha),
	                                .block = design_block(PAIR_TIME, PAIR_TIME * (double)cell->runs),
	                                .has_order = true};
	/* So large that about half of the changed rows are found. */
	double ratio = 1 + 5 * family_pair_sd(cell->family) / sqrt((double)cell->runs);
	bool live = cell->plan != PLAN_SUITE_LOOK;
	size_t called = 0, false_ones = 0;
	struct source sources[ROWS];
	struct jury jury;
	options.verdict.quantum = family_clock(cell->family);
	if (!live) {
		options.once = true;
		options.verdict.rule = CRITICAL_FIXED;
		options.verdict.least_pairs = VERDICT_LEAST_PAIRS;
	}
	must(jury_init(&jury, ROWS, &options, NULL) == 0);
	for (size_t i = 0; i < ROWS; i++)
		source_init(&sources[i], cell->family, is_changed(cell->plan, i) ? ratio : 1, random_next(&source->random), 0);
	measure_suite(sources, &jury, live, cell->runs);
	for (size_t i = 0; i < ROWS; i++) {
		called += is_called(&jury.numbers[i]);
		false_ones += is_called(&jury.numbers[i]) && !is_changed(cell->plan, i);
	}
	struct end end = {called ? (double)false_ones / (double)called : 0, intervals_agree(&jury, cell->alpha),
	                  cell->runs};
	jury_release(&jury);
	return end;
}

static void prepare(struct source *source, const struct cell *cell)
{
	enum plan plan = cell->plan;
	source->ratio = plan == PLAN_MARGIN || plan == PLAN_MARGIN_LIVE ? 1 + margin : plan == PLAN_POWER ? 1.025 : 1;
	if (plan == PLAN_TAIL) {
		source->tail_share = fmax(5 / (double)cell->runs, 0.01);
		source->tail_factor = 1 + 5 * margin / source->tail_share;
	}
}

struct outcome simulate(const struct cell *cell, size_t replications, uint64_t seed)
{
	static struct end (*const experiments[PLAN_COUNT])(struct source *, const struct cell *) = {
		[PLAN_MEAN] = mean_experiment,        [PLAN_UNPAIRED] = ratio_experiment,
		[PLAN_UNEQUAL] = unequal_experiment,  [PLAN_PAIRED] = ratio_experiment,
		[PLAN_LOOK] = verdict_experiment,     [PLAN_PRECISION] = precision_experiment,
		[PLAN_LIVE] = verdict_experiment,     [PLAN_RUNS] = verdict_experiment,
		[PLAN_MARGIN] = verdict_experiment,   [PLAN_MARGIN_LIVE] = verdict_experiment,
		[PLAN_TAIL] = verdict_experiment,     [PLAN_POWER] = verdict_experiment,
		[PLAN_PHASES] = phases_experiment,    [PLAN_SUITE_EQUAL] = suite_experiment,
		[PLAN_SUITE_LOOK] = suite_experiment, [PLAN_SUITE_LIVE] = suite_experiment,
	};
	/* A seed of its own for each cell, mixed from what describes it. */
	uint64_t mixed = seed;
	const uint64_t parts[] = {(uint64_t)cell->plan, (uint64_t)cell->family, cell->runs, (uint64_t)(cell->alpha * 1e6)};
	for (size_t i = 0; i < 4; i++)
		mixed = (mixed ^ parts[i]) * 0x9e3779b97f4a7c15u + 1;
	struct source source;
	source_init(&source, cell->family, 1, mixed, 0);
	prepare(&source, cell);
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

/* Runs of two sides without pairs: what moves over time moves one and not the other. */
static bool moves_over_time(enum family family)
{
	return family == FAMILY_SHARED_DRIFT || family == FAMILY_STATES;
}

double claimed_rate(const struct cell *cell)
{
	if (!family_is_exchangeable(cell->family) || (cell->plan == PLAN_UNEQUAL && moves_over_time(cell->family)))
		return 1;
	switch (cell->plan) {
	case PLAN_MEAN:
	case PLAN_POWER: return 1;
	case PLAN_UNPAIRED:
	case PLAN_PAIRED:
	case PLAN_PRECISION: return cell->alpha + 0.005;
	default: return cell->alpha;
	}
}

static bool is_suite(enum plan plan)
{
	return plan == PLAN_SUITE_EQUAL || plan == PLAN_SUITE_LOOK || plan == PLAN_SUITE_LIVE;
}

double simulation_error(double rate, size_t replications)
{
	return sqrt(rate * (1 - rate) / (double)replications);
}

bool breaks_claim(const struct cell *cell, const struct outcome *outcome)
{
	double claim = claimed_rate(cell), rate = outcome->wrong / (double)outcome->replications;
	if (is_suite(cell->plan) && outcome->decided < outcome->replications)
		return true;
	return rate > claim + 2 * simulation_error(claim, outcome->replications);
}
