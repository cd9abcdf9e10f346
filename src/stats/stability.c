/* What is kept between checks:
 *
 *	CV    mean and sum of squares so far (stats/summary.h)
 *	RCIW  how each iteration is resampled (stats/resample.h): its moments and extremes never change afterwards, so a
 *	      check draws iterations and a normal number per replicate, not values. The same random numbers as in
 *	      criteria_rciw(): the same width, to rounding of the mean.
 *	KLD   all values in order, this check's and the one's before; new ones are merged in. The densities come from
 *	      sums over cells (kde_cells.c), within 1e-10.
 *
 * A decision by these is that of the direct way unless it hangs on less than 1e-8; then the direct way is asked. */
#include "stats/stability.h"

#include "base/memory.h"
#include "stats/bootstrap_side.h"
#include "stats/criteria.h"
#include "stats/kld.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

static const double undecided_by_rounding = 1e-8;

struct list {
	double *values;
	size_t n, capacity;
};

struct starts {
	uint32_t *at; /* count + 1 entries */
	size_t count, capacity;
};

struct stability {
	enum stop_criterion criterion;
	uint64_t seed;
	bool direct;
	struct list values;                /* as they came */
	struct starts members, iterations; /* members in iterations, iterations in values */
	struct list history;               /* the criterion after each member */
	struct running running;            /* of values */
	struct list sorted, sorted_before; /* KLD */
	double sd_before;
	bool single_values;          /* every iteration is one value */
	struct resample_plan *plans; /* RCIW; of each iteration */
	size_t plan_capacity;
	struct list extremes;
};

struct stability *stability_new(enum stop_criterion criterion, uint64_t seed, bool direct)
{
	struct stability *s = mem_zalloc(1, sizeof(*s));
	if (s)
		*s = (struct stability){
			.criterion = criterion, .seed = seed, .direct = direct, .sd_before = NAN, .single_values = true};
	return s;
}

void stability_free(struct stability *s)
{
	if (!s)
		return;
	struct list *lists[] = {&s->values, &s->history, &s->sorted, &s->sorted_before, &s->extremes};
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		mem_free(lists[i]->values);
	mem_free(s->members.at);
	mem_free(s->iterations.at);
	mem_free(s->plans);
	mem_free(s);
}

void stability_clear(struct stability *s)
{
	s->values.n = s->history.n = s->sorted.n = s->sorted_before.n = s->extremes.n = 0;
	s->members.count = s->iterations.count = 0;
	s->running = (struct running){0};
	s->sd_before = NAN;
	s->single_values = true;
}

static bool list_reserve(struct list *list, size_t more)
{
	if (list->n + more <= list->capacity)
		return true;
	size_t capacity = 2 * list->capacity > list->n + more ? 2 * list->capacity : list->n + more;
	double *larger = mem_resize(list->values, capacity, sizeof(*larger));
	if (!larger)
		return false;
	list->values = larger;
	list->capacity = capacity;
	return true;
}

static bool starts_reserve(struct starts *starts, size_t more)
{
	if (starts->count + more + 1 <= starts->capacity)
		return true;
	size_t capacity = 2 * (starts->count + more + 1);
	uint32_t *larger = mem_resize(starts->at, capacity, sizeof(*larger));
	if (!larger)
		return false;
	starts->at = larger;
	starts->capacity = capacity;
	starts->at[0] = 0;
	return true;
}

/* The first `members` as members > iterations > values. */
static struct nested view_of(const struct stability *s, size_t members)
{
	size_t iterations = s->members.at[members];
	return (struct nested){.depth = 3,
	                       .n = s->iterations.at[iterations],
	                       .values = s->values.values,
	                       .groups = {members, iterations},
	                       .starts = {s->members.at, s->iterations.at}};
}

static uint64_t seed_of(const struct stability *s, size_t members)
{
	return s->seed + members;
}

/* ---- the direct way ---- */

/* *out: NaN where the criterion is not defined. STATS_OK or STATS_NO_MEMORY. */
static enum stats_status direct_value(const struct stability *s, size_t members, double *out)
{
	struct nested all = view_of(s, members);
	enum stats_status status = STATS_TOO_FEW;
	double value = NAN;
	struct kld kld;
	switch (s->criterion) {
	case CRITERION_CV: status = criteria_cv(all.values, all.n, &value); break;
	case CRITERION_RCIW: status = criteria_rciw(&all, seed_of(s, members), &value); break;
	case CRITERION_KLD:
		if (members > 1)
			status = kld_similarity(all.values, view_of(s, members - 1).n, all.values, all.n, &kld);
		if (status == STATS_OK)
			value = kld.probability;
		break;
	case CRITERION_COUNT: break;
	}
	*out = status == STATS_OK ? value : NAN;
	return status == STATS_NO_MEMORY ? STATS_NO_MEMORY : STATS_OK;
}

/* ---- RCIW ---- */

static enum stats_status plan_iterations(struct stability *s, size_t from)
{
	size_t count = s->iterations.count;
	if (count > s->plan_capacity) {
		struct resample_plan *larger = mem_resize(s->plans, 2 * count, sizeof(*larger));
		if (!larger)
			return STATS_NO_MEMORY;
		s->plans = larger;
		s->plan_capacity = 2 * count;
	}
	for (size_t i = from; i < count; i++) {
		size_t first = s->iterations.at[i], n = s->iterations.at[i + 1] - first;
		double *scratch = mem_alloc(n, sizeof(*scratch));
		if (!scratch || !list_reserve(&s->extremes, RESAMPLE_MAX_EXTREMES)) {
			mem_free(scratch);
			return STATS_NO_MEMORY;
		}
		resample_plan(&s->plans[i], s->values.values + first, n, s->values.values[0],
		              bootstrap_tolerance(CRITERIA_REPLICATES), scratch, s->extremes.values + s->extremes.n);
		s->extremes.n += s->plans[i].extremes;
		mem_free(scratch);
	}
	return STATS_OK;
}

/* The arrays may have moved since the plans were made. */
static void point_plans(struct stability *s, struct bootstrap_side *side)
{
	size_t used = 0;
	for (size_t i = 0; i < s->iterations.count; i++) {
		struct resample_plan *plan = &s->plans[i];
		plan->values = s->values.values + s->iterations.at[i];
		plan->extreme_values = plan->extremes ? s->extremes.values + used : NULL;
		used += plan->extremes;
		side->draws += plan->by_moments ? 1 + 2 * (double)plan->extremes : (double)plan->n;
	}
}

static enum stats_status kept_width(struct stability *s, double *out)
{
	struct nested all = view_of(s, s->members.count);
	struct bootstrap_side side = {
		.data = criteria_inside(&all), .centre = all.values[0], .group_count = s->iterations.count, .groups = s->plans};
	struct interval limits;
	double mean;
	*out = NAN;
	enum stats_status status = nested_mean(&all, &mean);
	if (status != STATS_OK || !(mean > 0))
		return status;
	if (side.data.depth > 1)
		side.widest[0] = side.data.groups[0];
	for (unsigned k = 0; k + 2 < side.data.depth; k++)
		side.widest[k + 1] = bootstrap_largest_group(&side.data, k);
	point_plans(s, &side);
	status = bootstrap_side_interval(NULL, &side, CRITERIA_REPLICATES, CRITERIA_RCIW_LEVEL,
	                                 seed_of(s, s->members.count), &limits);
	if (status == STATS_OK)
		*out = (limits.high - limits.low) / mean;
	return status;
}

/* ---- KLD ---- */

/* sorted_before takes what sorted was; sorted gets the values from `from` on merged into it. */
static enum stats_status merge_in(struct stability *s, size_t from)
{
	size_t more = s->values.n - from;
	struct list *now = &s->sorted_before, *before = &s->sorted; /* they change places */
	double *fresh = mem_alloc(more, sizeof(*fresh));
	now->n = 0;
	if (!fresh || !list_reserve(now, before->n + more)) {
		mem_free(fresh);
		return STATS_NO_MEMORY;
	}
	memcpy(fresh, s->values.values + from, more * sizeof(*fresh));
	sort_doubles(fresh, more);
	size_t i = 0, j = 0;
	while (i < before->n || j < more) {
		bool old = j == more || (i < before->n && before->values[i] <= fresh[j]);
		now->values[now->n++] = old ? before->values[i++] : fresh[j++];
	}
	mem_free(fresh);
	struct list swap = s->sorted;
	s->sorted = s->sorted_before;
	s->sorted_before = swap;
	return STATS_OK;
}

static enum stats_status kept_similarity(const struct stability *s, double *out)
{
	struct kld kld;
	*out = NAN;
	if (s->sorted_before.n < 2)
		return STATS_OK;
	const struct kld_sample before = {s->sorted_before.values, s->sorted_before.n, s->sd_before};
	const struct kld_sample now = {s->sorted.values, s->sorted.n, sqrt(running_variance(&s->running))};
	enum stats_status status = kld_of_sorted(&before, &now, &kld);
	if (status == STATS_OK)
		*out = kld.probability;
	return status;
}

/* ---- both ---- */

static enum stats_status kept_value(struct stability *s, size_t first_iteration, size_t first_value, double *out)
{
	enum stats_status status = STATS_OK;
	switch (s->criterion) {
	case CRITERION_CV:
		*out = NAN;
		status = criteria_cv_so_far(&s->running, out);
		break;
	case CRITERION_RCIW:
		status = plan_iterations(s, first_iteration);
		if (status == STATS_OK)
			status = s->single_values ? direct_value(s, s->members.count, out) : kept_width(s, out);
		break;
	case CRITERION_KLD:
		status = merge_in(s, first_value);
		if (status == STATS_OK)
			status = kept_similarity(s, out);
		break;
	case CRITERION_COUNT: break;
	}
	if (status != STATS_OK)
		*out = NAN;
	return status == STATS_NO_MEMORY ? STATS_NO_MEMORY : STATS_OK;
}

static void append(struct stability *s, const double *values, const uint32_t *starts, size_t iterations)
{
	size_t n = starts[iterations], base = s->values.n;
	memcpy(s->values.values + base, values, n * sizeof(*values));
	s->values.n += n;
	for (size_t i = 0; i < iterations; i++) {
		s->iterations.at[++s->iterations.count] = (uint32_t)(base + starts[i + 1]);
		s->single_values &= starts[i + 1] - starts[i] == 1;
	}
	s->members.at[++s->members.count] = (uint32_t)s->iterations.count;
	s->sd_before = sqrt(running_variance(&s->running));
	for (size_t i = 0; i < n; i++)
		running_add(&s->running, values[i]);
}

enum stats_status stability_add(struct stability *s, const double *values, const uint32_t *starts, size_t iterations)
{
	size_t n = iterations ? starts[iterations] : 0, base = s->values.n, before = s->iterations.count;
	enum stats_status status = stats_check_finite(values, n);
	if (status != STATS_OK)
		return status;
	if (!list_reserve(&s->values, n) || !list_reserve(&s->history, 1) || !starts_reserve(&s->iterations, iterations) ||
	    !starts_reserve(&s->members, 1))
		return STATS_NO_MEMORY;
	append(s, values, starts, iterations);
	double value = NAN;
	status = s->direct ? direct_value(s, s->members.count, &value) : kept_value(s, before, base, &value);
	s->history.values[s->history.n++] = status == STATS_OK ? value : NAN;
	return status;
}

size_t stability_count(const struct stability *s)
{
	return s->members.count;
}

double stability_value(const struct stability *s)
{
	return s->history.n ? s->history.values[s->history.n - 1] : NAN;
}

static bool decide(const struct stability *s, const struct stability_rule *rule, double threshold)
{
	if (rule->between_runs)
		return stop_runs(s->criterion, rule->variant, threshold, s->history.values, s->history.n);
	return stop_warmup(s->criterion, rule->variant, threshold, rule->window, s->history.values, s->history.n);
}

enum stats_status stability_holds(struct stability *s, const struct stability_rule *rule, bool *holds)
{
	bool decision = decide(s, rule, rule->threshold);
	if (s->direct || (decide(s, rule, rule->threshold - undecided_by_rounding) == decision &&
	                  decide(s, rule, rule->threshold + undecided_by_rounding) == decision)) {
		*holds = decision;
		return STATS_OK;
	}
	for (size_t i = 0; i < s->history.n; i++) {
		enum stats_status status = direct_value(s, i + 1, &s->history.values[i]);
		if (status != STATS_OK)
			return status;
	}
	*holds = decide(s, rule, rule->threshold);
	return STATS_OK;
}
