/* What machines say together: the estimates of each with their variances go into stats/fleet.h. α is split and the verdict
 * found as among pairs (stats/verdict.c): half for the total, 3/8 for typical, 1/8 for the slow share. */
#include "analysis/machines.h"

#include "base/format.h"
#include "base/memory.h"
#include "decide/gate.h"
#include "stats/fleet.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LEAST_FOR_POOL = 5 };

static const struct confidence nothing = {.level = NAN, .low = NAN, .high = NAN};

enum { TYPICAL, TOTAL, SHARE, PARTS };

struct machine_pool {
	struct fleet_machine *machines; /* of one part after the other */
	struct fleet fleet[PARTS];
	bool used[PARTS];
	bool pooled; /* this pool; else these machines */
	enum critical_rule rule;
	size_t count;
};

static const struct machine_part *part_at(const struct machine_numbers *numbers, int part)
{
	return part == TYPICAL ? &numbers->typical : part == TOTAL ? &numbers->total : &numbers->share;
}

static const char *cpu_of(const struct result *result, size_t machine)
{
	const struct design_info *design = &result->design;
	const char *cpu = machine < design->machine_count ? design->machines[machine].cpu : NULL;
	return cpu ? cpu : "unknown CPU";
}

/* Numbers of the strata by CPU model, or all in one, in the order of the machines; names[] gets theirs. */
static size_t find_strata(const struct result *result, const struct machine_numbers *numbers, size_t count,
                          size_t *stratum, const char **names)
{
	size_t strata = 0;
	bool grouped = !result->design.strata || strcmp(result->design.strata, "none") != 0;
	for (size_t i = 0; i < count; i++) {
		const char *cpu = grouped ? cpu_of(result, numbers[i].machine) : "all";
		size_t s = 0;
		while (s < strata && strcmp(names[s], cpu) != 0)
			s++;
		if (s == strata)
			names[strata++] = cpu;
		stratum[i] = s;
	}
	return strata;
}

static void add_part(struct machine_pool *pool, int part, const struct machine_numbers *numbers, const size_t *stratum)
{
	struct fleet_machine *machines = pool->machines + (size_t)part * pool->count;
	pool->used[part] = true;
	for (size_t i = 0; i < pool->count; i++) {
		const struct machine_part *one = part_at(&numbers[i], part);
		machines[i] = (struct fleet_machine){one->value, one->variance, one->df, stratum[i]};
		pool->used[part] = pool->used[part] && !isnan(one->value);
	}
	pool->used[part] = pool->used[part] && fleet_of(machines, pool->count, &pool->fleet[part]) == STATS_OK;
}

static enum stats_status interval_of(const struct machine_pool *pool, int part, double alpha, struct interval *out)
{
	return pool->pooled ? fleet_pool(&pool->fleet[part], pool->rule, alpha, out)
	                    : fleet_these(&pool->fleet[part], alpha, out);
}

/* The p at which an estimate lies beyond `limit`, to its far side; at most 1. */
static double p_beyond(const struct machine_pool *pool, int part, double distance)
{
	const struct fleet *fleet = &pool->fleet[part];
	double k = (double)fleet->machines;
	double se = pool->pooled ? fleet->sd / sqrt(k) : sqrt(fleet->within / k);
	double df = pool->pooled ? fleet->df : fleet->within_df;
	if (!(distance > 0) || isnan(se))
		return 1;
	if (!(se > 0))
		return 0;
	return critical_p_value(pool->pooled ? pool->rule : CRITICAL_FIXED, distance / se, k, isinf(df) ? 1e9 : df);
}

static struct confidence as_ratio(enum stats_status status, const struct interval *logs, double level,
                                  const char *method)
{
	struct confidence ci = nothing;
	if (status != STATS_OK && status != STATS_UNBOUNDED) {
		ci.why = stats_status_text(status);
		return ci;
	}
	ci.level = level;
	ci.method = method;
	ci.unbounded = status == STATS_UNBOUNDED;
	if (!ci.unbounded) {
		ci.low = exp(logs->low);
		ci.high = exp(logs->high);
	}
	return ci;
}

static const char *method_of(const struct machine_pool *pool, struct arena *arena)
{
	return arena_printf(arena, "%s over %zu machines%s", !pool->pooled ? "Satterthwaite" : "t", pool->count,
	                    pool->pooled && pool->rule == CRITICAL_ANYTIME ? ", any number of looks" : "");
}

/* The leading part: typical where every machine has one. */
static int leading(const struct machine_pool *pool)
{
	return pool->used[TYPICAL] ? TYPICAL : TOTAL;
}

/* A total without typical has all of it. */
static double share_of_alpha(const struct machine_pool *pool, int part)
{
	static const double shares[PARTS] = {0.375, 0.5, 0.125};
	return pool->used[TYPICAL] ? shares[part] : 1;
}

/* By the leading part, as the result of all: a machine that has a typical of its own is told by its total beside one that
 * has none. */
static int describe_each(struct result *result, struct machines_result *machines, const struct machine_pool *pool,
                         const struct machine_numbers *numbers, double level, struct error *err)
{
	machines->each = arena_alloc(&result->arena, pool->count, sizeof(*machines->each));
	if (!machines->each)
		return error_memory(err);
	machines->count = pool->count;
	for (size_t i = 0; i < pool->count; i++) {
		const struct machine_numbers *one = &numbers[i];
		const struct machine_part *part = part_at(one, leading(pool));
		struct machine_ratio *each = &machines->each[i];
		*each = (struct machine_ratio){.machine = one->machine,
		                               .ratio = exp(part->value),
		                               .ci = nothing,
		                               .total = exp(one->total.value),
		                               .share = one->share.value,
		                               .units = one->units};
		if (part->variance >= 0 && part->df > 0) {
			double half = critical_t(1 - level, part->df) * sqrt(part->variance);
			each->ci = as_ratio(STATS_OK, &(struct interval){part->value - half, part->value + half}, level, "t");
		} else {
			each->ci.why = "one unit";
		}
	}
	return 0;
}

static int describe_strata(struct result *result, struct machines_result *machines, const struct machine_pool *pool,
                           const char *const *names, double level, struct error *err)
{
	const struct fleet *fleet = &pool->fleet[leading(pool)];
	const struct fleet_machine *all = pool->machines + (size_t)leading(pool) * pool->count;
	machines->strata = arena_alloc(&result->arena, fleet->strata, sizeof(*machines->strata));
	if (!machines->strata)
		return error_memory(err);
	machines->stratum_count = fleet->strata;
	for (size_t s = 0; s < fleet->strata; s++) {
		struct fleet_stratum found;
		enum stats_status status = fleet_stratum(fleet, all, s, 1 - level, &found);
		if (status == STATS_OK && isnan(fleet->sd))
			status = STATS_TOO_FEW;
		machines->strata[s] = (struct machine_stratum){
			names[s], found.machines, exp(found.mean),
			as_ratio(status, &found.interval, level, "t, pooled inside kinds")};
	}
	return 0;
}

/* The result without the odd one. */
static int describe_odd(struct machines_result *machines, const struct machine_pool *pool, double level,
                        const char *method, struct error *err)
{
	const struct fleet *fleet = &pool->fleet[leading(pool)];
	const struct fleet_machine *all = pool->machines + (size_t)leading(pool) * pool->count;
	struct fleet_odd odd;
	machines->odd = SIZE_MAX;
	machines->odd_p = machines->without = NAN;
	machines->without_ci = nothing;
	if (fleet_odd(fleet, all, &odd) != STATS_OK)
		return 0;
	machines->odd_p = odd.p;
	if (!(odd.p < FLEET_ODD_ALPHA))
		return 0;
	struct fleet_machine *others = mem_alloc(pool->count, sizeof(*others));
	struct fleet rest;
	struct interval interval;
	if (!others)
		return error_memory(err);
	size_t n = 0;
	for (size_t i = 0; i < pool->count; i++)
		if (i != odd.machine)
			others[n++] = all[i];
	machines->odd = odd.machine;
	/* It has others of its kind, or it could not be odd: no stratum is lost. */
	if (fleet_of(others, n, &rest) == STATS_OK) {
		enum stats_status status = pool->pooled ? fleet_pool(&rest, pool->rule, 1 - level, &interval)
		                                        : fleet_these(&rest, 1 - level, &interval);
		machines->without = exp(rest.mean);
		machines->without_ci = as_ratio(status, &interval, level, method);
	}
	mem_free(others);
	return 0;
}

static void describe_dependence(struct machines_result *machines, const struct machine_pool *pool)
{
	struct fleet_interaction interaction;
	enum stats_status status = fleet_interaction(&pool->fleet[leading(pool)], 0.95, &interaction);
	machines->sd = machines->depends_p = NAN;
	machines->sd_ci = nothing;
	if (status != STATS_OK) {
		machines->sd_why = machines->sd_ci.why = stats_status_text(status);
		return;
	}
	machines->sd = interaction.sd;
	machines->depends_p = interaction.p;
	machines->sd_ci = (struct confidence){
		.level = 0.95, .low = interaction.interval.low, .high = interaction.interval.high, .method = "Ting et al."};
}

/* What the machines say of one part: its interval, where that lies beside "no effect" and beside its margin. */
struct part_judged {
	struct interval interval, same; /* at its share of alpha; at alpha, for "same" */
	enum stats_status status, same_status;
	int direction; /* in which it excludes "no effect" */
	bool inside;   /* at alpha it lies within the margin */
	bool beyond;   /* it lies wholly outside */
};

static int direction_of(struct interval interval)
{
	return interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0;
}

static struct part_judged judge_part(const struct machine_pool *pool, int part, double alpha, double limit)
{
	struct part_judged found = {.status = STATS_TOO_FEW, .same_status = STATS_TOO_FEW};
	if (!pool->used[part])
		return found;
	found.status = interval_of(pool, part, share_of_alpha(pool, part) * alpha, &found.interval);
	found.same_status = interval_of(pool, part, alpha, &found.same);
	found.inside = found.same_status == STATS_OK && found.same.low >= -limit && found.same.high <= limit;
	if (found.status == STATS_OK) {
		found.direction = direction_of(found.interval);
		found.beyond = found.interval.low > limit || found.interval.high < -limit;
	}
	return found;
}

/* As among pairs (stats/verdict.c): a share that excludes 0, and is not shown to be small, may be a tail that typical does
 * not see. */
static bool share_permits_same(const struct part_judged *share)
{
	bool known = share->same_status == STATS_OK;
	return share->direction == 0 && (!known || share->inside || direction_of(share->same) == 0);
}

/* What is the same was judged by the intervals for "same", and these are shown. */
static void show_same(struct part_judged *part)
{
	part->interval = part->same;
	part->status = part->same_status;
}

static int fill_parts(struct result *result, struct comparison *c, const struct machine_pool *pool,
                      const struct part_judged *parts, double level, const char *method)
{
	const struct part_judged *lead = &parts[leading(pool)], *share = &parts[SHARE];
	bool known = share->status == STATS_OK;
	if (leading(pool) != TOTAL) {
		struct ratio_estimate *total = comparison_own_total(result, c);
		if (!total)
			return -1;
		total->ratio = exp(pool->fleet[TOTAL].mean);
		total->ci = as_ratio(parts[TOTAL].status, &parts[TOTAL].interval, level, method);
	}
	c->ratio = exp(pool->fleet[leading(pool)].mean);
	c->ci = as_ratio(lead->status, &lead->interval, level, method);
	/* What the verdict is about is told once, with one interval. */
	*(pool->pooled ? &c->machines->pool : &c->machines->these) = c->ci;
	struct pair_findings paired = *c->paired;
	if (pool->used[SHARE]) {
		paired.share_difference = pool->fleet[SHARE].mean;
		paired.share_ci = nothing;
		paired.share_ci.level = known ? level : NAN;
		paired.share_ci.low = known ? share->interval.low : NAN;
		paired.share_ci.high = known ? share->interval.high : NAN;
		paired.share_ci.method = known ? method : NULL;
		paired.share_ci.why = known ? NULL : stats_status_text(share->status);
	} else {
		paired.share_why = paired.share_ci.why = "too few pairs on a machine";
	}
	return comparison_set_paired(result, c, &paired);
}

static const char *words_unresolved(struct arena *arena, const struct comparison *c, double margin)
{
	char m[FORMAT_MAX], a[FORMAT_MAX], b[FORMAT_MAX];
	format_percent(m, sizeof(m), margin, NAN, 0);
	if (isnan(c->ci.low))
		return arena_printf(arena, "%zu machines say too little", c->units);
	return arena_printf(arena, "%s to %s over %zu machines includes both 0 %% and changes above %s",
	                    format_percent(a, sizeof(a), c->ci.low - 1, NAN, 1),
	                    format_percent(b, sizeof(b), c->ci.high - 1, NAN, 1), c->units, m);
}

/* For the procedures of a suite: how surely a part differs, and how surely typical and total do not. */
static void fill_p_values(struct comparison *c, const struct machine_pool *pool, const double *limits)
{
	c->p_difference = 1;
	c->p_same_typical = c->p_same_total = 1;
	for (int part = 0; part < PARTS; part++) {
		if (!pool->used[part])
			continue;
		double mean = fabs(pool->fleet[part].mean);
		double p_same = p_beyond(pool, part, limits[part] - mean);
		c->p_difference = fmin(c->p_difference, p_beyond(pool, part, mean) / share_of_alpha(pool, part));
		if (part == TOTAL)
			c->p_same_total = p_same;
		if (part == leading(pool))
			c->p_same_typical = p_same;
	}
}

static int judge_all(struct result *result, struct comparison *c, const struct machine_pool *pool,
                     const struct analysis_options *options, const char *method, struct error *err)
{
	static const char *const names[] = {"typical", "total", "share"};
	double alpha = 1 - options->confidence, limits[] = {log1p(options->margin), log1p(options->margin),
	                                                    verdict_share_margin(options->share_margin, options->margin)};
	bool lower = subject_find_metric(&result->subjects[c->base], c->metric)->metric.better == BETTER_LOWER;
	bool up = false, down = false, beyond = false;
	struct part_judged parts[PARTS];
	char decided[64] = "";
	for (int part = 0; part < PARTS; part++) {
		parts[part] = judge_part(pool, part, alpha, limits[part]);
		int direction = parts[part].direction;
		if (part == SHARE && !lower)
			direction = -direction; /* more slow runs are a lower rate */
		up |= direction > 0;
		down |= direction < 0;
		beyond |= parts[part].beyond;
		if (direction != 0) {
			strcat(decided, decided[0] ? "+" : "");
			strcat(decided, names[part]);
		}
	}
	bool same = (parts[TYPICAL].inside || parts[TOTAL].inside) && !beyond && share_permits_same(&parts[SHARE]);
	for (int part = 0; same && part < PARTS; part++)
		show_same(&parts[part]);
	fill_p_values(c, pool, limits);
	if (fill_parts(result, c, pool, parts, options->confidence, method) != 0)
		return error_memory(err);
	c->verdict = VERDICT_UNDECIDED;
	c->scope = SCOPE_NONE;
	c->unresolved = c->decided_by = NULL;
	if (same) {
		c->verdict = VERDICT_SAME;
		c->scope = parts[TOTAL].inside ? SCOPE_TOTAL : SCOPE_TYPICAL;
	} else if (up || down) {
		c->verdict = up && down ? VERDICT_MIXED : (down == lower) ? VERDICT_FASTER : VERDICT_SLOWER;
		c->decided_by = arena_strdup(&result->arena, decided);
	} else {
		c->unresolved = words_unresolved(&result->arena, c, options->margin);
	}
	return c->unresolved || c->decided_by || same ? 0 : error_memory(err);
}

/* ---- the gate ---- */

/* Above 0 is worse. */
static struct interval turned(struct interval logs, enum better better)
{
	return better == BETTER_LOWER ? logs : (struct interval){-logs.high, -logs.low};
}

static bool is_under(const struct machine_pool *pool, int part, double alpha, double limit, enum better better)
{
	struct interval interval;
	if (interval_of(pool, part, alpha, &interval) != STATS_OK)
		return false;
	return turned(interval, part == SHARE ? BETTER_LOWER : better).high < limit;
}

static struct confidence gate_ci(const struct machine_pool *pool, int part, double alpha)
{
	struct interval interval;
	enum stats_status status = interval_of(pool, part, alpha, &interval);
	return as_ratio(status, &interval, 1 - alpha, part == TYPICAL ? "typical" : "total");
}

/* As among pairs (decide/gate.h), from what the machines say together. */
static void judge_gate(struct machines_result *machines, const struct machine_pool *pool,
                       const struct analysis_options *options, enum better better)
{
	double alpha = 1 - options->confidence,
		   limits[PARTS] = {log1p(options->gate), log1p(options->gate), gate_share_limit(options->gate)};
	double alpha_of_total = pool->used[TYPICAL] ? alpha : 2 * alpha;
	machines->broken_p = isnan(options->gate) ? NAN : 1;
	machines->broken_ci = machines->open_ci = nothing;
	if (isnan(options->gate))
		return;
	for (int part = 0; part < PARTS; part++) {
		if (!pool->used[part])
			continue;
		bool turn = better == BETTER_HIGHER && part != SHARE;
		double worse = turn ? -pool->fleet[part].mean : pool->fleet[part].mean, weight = share_of_alpha(pool, part);
		double p = p_beyond(pool, part, worse - limits[part]) / weight;
		machines->broken_p = fmin(machines->broken_p, p);
		if (p < alpha && part != SHARE && isnan(machines->broken_ci.low))
			machines->broken_ci = gate_ci(pool, part, weight * alpha);
	}
	bool typical = pool->used[TYPICAL] && is_under(pool, TYPICAL, 2 * alpha, limits[TYPICAL], better);
	bool by_typical = typical && (!pool->used[SHARE] || is_under(pool, SHARE, 2 * alpha, limits[SHARE], better));
	bool by_total = is_under(pool, TOTAL, alpha_of_total, limits[TOTAL], better);
	machines->holds = by_typical || by_total;
	/* Where the share keeps it open, typical lies within the limit. */
	bool show_typical = pool->used[TYPICAL] && (by_typical || (!by_total && !typical));
	machines->open_ci = show_typical ? gate_ci(pool, TYPICAL, 2 * alpha) : gate_ci(pool, TOTAL, alpha_of_total);
}

static int warn(struct result *result, const struct comparison *c)
{
	const struct machines_result *machines = c->machines;
	const char *about = subject_title(&result->subjects[c->new_]);
	int status = 0;
	if (machines->odd != SIZE_MAX) {
		char room[24];
		status |= result_about_warn(
			result, "odd-machine", about,
			"machine %s differs from the others; it is kept, and the result without it is shown too",
			machine_name(result, machines->each[machines->odd].machine, room, sizeof(room)));
	}
	if (strcmp(machines->statement, "these") == 0)
		status |= result_warn(
			result, "few-machines",
			"the comparison holds for these %zu machines only; measure %d or more of a kind to generalise",
			machines->count, LEAST_FOR_POOL);
	return status;
}

/* Whether more machines or more runs on each would decide: by what each of them costs, where that is known. Of suites
 * not: there all benchmarks share a machine's cost. */
static void plan(const struct result *result, struct comparison *c, const struct machine_pool *pool,
                 const struct analysis_options *options)
{
	const struct measurement *base = subject_find_metric(&result->subjects[c->base], c->metric);
	const struct measurement *new_ = subject_find_metric(&result->subjects[c->new_], c->metric);
	const struct fleet *fleet = &pool->fleet[leading(pool)];
	double pairs = (double)c->pairs / (double)pool->count;
	const struct fleet_needs needs = {.machine_sd = c->machines->sd,
	                                  .run_sd = sqrt(fleet->within * pairs),
	                                  .machine_cost = base->costs[LEVEL_MACHINE],
	                                  .run_cost = base->costs[LEVEL_RUN] + new_->costs[LEVEL_RUN],
	                                  .runs = (size_t)pairs,
	                                  .machines_least = LEAST_FOR_POOL,
	                                  .strata = fleet->strata,
	                                  .rule = pool->rule,
	                                  .alpha = 1 - options->confidence,
	                                  .half_width = log1p(options->margin)};
	const struct series *series = &base->series;
	bool of_runs = series->depth >= 2 && series->groups[series->depth - 2] == series->n;
	struct fleet_counts counts;
	if (c->verdict != VERDICT_UNDECIDED || !of_runs || fleet_plan(&needs, &counts) != STATS_OK)
		return;
	c->machines->plan_machines = counts.machines;
	c->machines->plan_runs = counts.runs;
}

static int conclude(struct result *result, struct comparison *c, struct machine_pool *pool,
                    const struct machine_numbers *numbers, const char *const *names,
                    const struct analysis_options *options, struct error *err)
{
	double level = options->confidence;
	const struct fleet *fleet = &pool->fleet[leading(pool)];
	struct machines_result *machines = arena_alloc(&result->arena, 1, sizeof(*machines));
	const char *method = method_of(pool, &result->arena);
	struct interval interval;
	if (!machines || !method)
		return error_memory(err);
	c->machines = machines;
	machines->statement = pool->pooled ? "pool" : "these";
	machines->pool = machines->next = nothing;
	machines->pool.why = machines->next.why = "fewer than 5 machines";
	machines->these = as_ratio(fleet_these(fleet, 1 - level, &interval), &interval, level, "Satterthwaite");
	if (pool->pooled) {
		machines->next = as_ratio(fleet_next(fleet, 1 - level, &interval), &interval, level, "t");
	}
	describe_dependence(machines, pool);
	if (describe_each(result, machines, pool, numbers, level, err) != 0 ||
	    describe_strata(result, machines, pool, names, level, err) != 0 ||
	    describe_odd(machines, pool, level, method, err) != 0 || judge_all(result, c, pool, options, method, err) != 0)
		return -1;
	judge_gate(machines, pool, options, subject_find_metric(&result->subjects[c->base], c->metric)->metric.better);
	plan(result, c, pool, options);
	return warn(result, c) == 0 ? 0 : error_memory(err);
}

int machines_conclude(struct result *result, struct comparison *comparison, const struct machine_numbers *numbers,
                      size_t count, const struct analysis_options *options, struct error *err)
{
	struct machine_pool pool = {.count = count,
	                            .rule = options->looked_at_machines ? CRITICAL_ANYTIME : CRITICAL_FIXED};
	comparison->units = count;
	comparison->pairs = 0;
	struct pair_findings paired = *comparison->paired;
	paired.order_effect_why = paired.shuffle_why = "of single machines only";
	paired.share_base = paired.share_new = 0;
	for (size_t i = 0; i < count; i++) {
		comparison->pairs += numbers[i].pairs;
		paired.share_base += numbers[i].share_base / (double)count;
		paired.share_new += numbers[i].share_new / (double)count;
	}
	if (comparison_set_paired(result, comparison, &paired) != 0)
		return error_memory(err);
	if (count < 2) {
		numbers_unknown(result, comparison, "fewer than two machines have results of both sides");
		return 0;
	}
	size_t *stratum = mem_alloc(count, sizeof(*stratum));
	const char **names = mem_alloc(count, sizeof(const char *));
	pool.machines = mem_alloc(PARTS * count, sizeof(*pool.machines));
	int status = stratum && names && pool.machines ? 0 : error_memory(err);
	if (status == 0) {
		find_strata(result, numbers, count, stratum, names);
		for (int part = 0; part < PARTS; part++)
			add_part(&pool, part, numbers, stratum);
		pool.used[SHARE] = pool.used[SHARE] && pool.used[TYPICAL];
		/* Machines that saw no slow run all have a share of 0; of all pairs one more may have been slow. */
		pool.fleet[SHARE].sd = fmax(pool.fleet[SHARE].sd, sqrt(pool.fleet[SHARE].within / (double)count));
		pool.pooled = count >= LEAST_FOR_POOL && pool.fleet[TOTAL].df > 0;
		if (!pool.used[TOTAL])
			numbers_unknown(result, comparison, "a machine has no ratio");
		else
			status = conclude(result, comparison, &pool, numbers, names, options, err);
	}
	mem_free(stratum);
	mem_free(names);
	mem_free(pool.machines);
	return status;
}
