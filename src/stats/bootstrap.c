/* Hierarchical bootstrap: resample with replacement at every level, from the top.
 *
 * Kalibera and Jones, "Quantifying performance changes with effect size confidence intervals"
 * (2012); Ren et al. (2010). A replicate draws as many outermost groups as there are, for each
 * of them as many children as it has, and so on down to the values; its mean is the mean of
 * means of stats/nested.h. A group drawn twice is resampled twice. The ends of the interval are
 * order statistics of the replicates.
 *
 * Assumed: the outermost groups are independent and many. With R of them the interval has
 * about √((R − 1)/R) of the right width and the normal quantile for Student's: 80 to 90 % at
 * nominal 95 % in the worst cases at R ≤ 10. It is offered, not the default.
 *
 * Memory is that of the replicates: nothing resampled is stored. Large innermost groups are
 * done by their exact moments (stats/resample.c) where the error stays under a tenth of the
 * Monte Carlo error of an end of a 99 % interval, 4.87 sd/√B. Replicates come in chunks with a
 * random stream each, so threads change nothing but the time.
 *
 * Errors of published code that are avoided here: the tool `pa` sorts the replicates of the two
 * systems before it divides them (61 % false alarms of A against A) and draws indices from a
 * folded normal distribution; libkalibera's `confidence95` of a mean uses the one-sided t
 * quantile and is a 90 % interval. */
#include "stats/bootstrap.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "stats/bootstrap_side.h"
#include "stats/quantile.h"
#include "stats/resample.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 };                    /* replicates of one random stream */
static const double thread_draws = 4e6;  /* fewer draws than this are not worth a thread */
static const double error_share = 0.1;   /* of the Monte Carlo error */
static const double end_error_99 = 4.87; /* √(p(1 − p))/φ(z_p) at p = 0.005 */

void bootstrap_side_release(struct bootstrap_side *side)
{
	mem_free(side->groups);
	mem_free(side->extremes);
}

/* Appends the extremes of plan `g` to the pool. */
static bool keep_extremes(struct bootstrap_side *side, size_t *used, size_t *capacity, size_t g, const double *extremes)
{
	size_t count = side->groups[g].extremes;
	if (*used + count > *capacity) {
		size_t larger = 2 * *capacity + RESAMPLE_MAX_EXTREMES;
		double *grown = mem_resize(side->extremes, larger, sizeof(*grown));
		if (!grown)
			return false;
		side->extremes = grown;
		*capacity = larger;
	}
	if (count > 0)
		memcpy(side->extremes + *used, extremes, count * sizeof(*extremes));
	*used += count;
	return true;
}

static bool plan_groups(struct bootstrap_side *side, double tolerance, double *scratch)
{
	const struct nested *data = &side->data;
	size_t used = 0, capacity = 0;
	double extremes[RESAMPLE_MAX_EXTREMES];
	for (size_t g = 0; g < side->group_count; g++) {
		size_t n = data->n, first = data->depth == 1 ? 0 : nested_span(data, data->depth - 2, g, &n);
		resample_plan(&side->groups[g], data->values + first, n, side->centre, tolerance, scratch, extremes);
		if (!keep_extremes(side, &used, &capacity, g, extremes))
			return false;
		const struct resample_plan *plan = &side->groups[g];
		side->draws += plan->by_moments ? 1 + 2 * (double)plan->extremes : (double)n;
	}
	/* The pool has stopped moving. */
	used = 0;
	for (size_t g = 0; g < side->group_count; g++) {
		side->groups[g].extreme_values = side->extremes ? side->extremes + used : NULL;
		used += side->groups[g].extremes;
	}
	return true;
}

size_t bootstrap_largest_group(const struct nested *data, unsigned k)
{
	size_t largest = 0;
	for (size_t g = 0; g < data->groups[k]; g++) {
		size_t n;
		nested_span(data, k, g, &n);
		if (n > largest)
			largest = n;
	}
	return largest;
}

enum stats_status bootstrap_side_init(struct bootstrap_side *side, const struct nested *data, double tolerance)
{
	enum stats_status status = nested_check(data);
	if (status != STATS_OK)
		return status;
	*side = (struct bootstrap_side){.data = *data, .centre = data->values[0]};
	data = &side->data;
	while (data->depth > 1 && data->groups[data->depth - 2] == data->n)
		side->data.depth--;
	bool flat = data->depth == 1;
	side->group_count = flat ? 1 : data->groups[data->depth - 2];
	if (!flat) {
		side->widest[0] = data->groups[0];
		for (unsigned k = 0; k + 2 < data->depth; k++)
			side->widest[k + 1] = bootstrap_largest_group(data, k);
	}
	side->groups = mem_alloc(side->group_count, sizeof(*side->groups));
	double *scratch = mem_alloc(flat ? data->n : bootstrap_largest_group(data, data->depth - 2), sizeof(*scratch));
	bool planned = side->groups && scratch && plan_groups(side, tolerance, scratch);
	mem_free(scratch);
	if (planned)
		return STATS_OK;
	bootstrap_side_release(side);
	return STATS_NO_MEMORY;
}

static size_t picks_needed(const struct bootstrap_side *side)
{
	size_t sum = 0;
	for (unsigned k = 0; k + 1 < side->data.depth; k++)
		sum += side->widest[k];
	return sum;
}

/* The `count` children from `first` on are groups of level k: pick as many, then descend. */
static void resample_children(const struct bootstrap_side *side, unsigned k, size_t first, size_t count, double weight,
                              uint32_t *picks, struct index_source *source, struct resample_sum *sum)
{
	const struct nested *data = &side->data;
	double share = weight / (double)count;
	for (size_t i = 0; i < count; i++)
		picks[i] = (uint32_t)(first + (count > 1 ? index_below(source, count) : 0));
	if (k + 2 == data->depth) {
		for (size_t i = 0; i < count; i++)
			resample_group(&side->groups[picks[i]], side->centre, share, source, sum);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t children, child = nested_span(data, k, picks[i], &children);
		resample_children(side, k + 1, child, children, share, picks + side->widest[k], source, sum);
	}
}

static double resample_mean(const struct bootstrap_side *side, uint32_t *picks, struct index_source *source)
{
	struct resample_sum sum = {0};
	if (side->data.depth == 1)
		resample_group(&side->groups[0], side->centre, 1, source, &sum);
	else
		resample_children(side, 0, 0, side->data.groups[0], 1, picks, source, &sum);
	return side->centre + resample_finish(&sum, &source->random);
}

enum sign { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4 };

struct bootstrap_job {
	const struct bootstrap_side *base; /* NULL: the mean of `side`; else side over base */
	const struct bootstrap_side *side;
	size_t replicates;
	double *out;
	struct random *streams; /* one per chunk */
	uint32_t *picks;        /* picks_per_worker for each worker */
	size_t picks_per_worker;
	unsigned base_signs[PARALLEL_MAX_WORKERS];
};

static void run_chunk(void *context, unsigned worker, size_t chunk)
{
	struct bootstrap_job *job = context;
	struct index_source source = {.random = job->streams[chunk]};
	uint32_t *picks = job->picks + worker * job->picks_per_worker;
	size_t end = (chunk + 1) * CHUNK < job->replicates ? (chunk + 1) * CHUNK : job->replicates;
	for (size_t i = chunk * CHUNK; i < end; i++) {
		double base = job->base ? resample_mean(job->base, picks, &source) : 1;
		job->base_signs[worker] |= base > 0 ? SIGN_POSITIVE : base < 0 ? SIGN_NEGATIVE : SIGN_ZERO;
		job->out[i] = resample_mean(job->side, picks, &source) / base;
	}
}

/* Fills out[]; STATS_UNBOUNDED when base touched 0 or changed its sign. */
static enum stats_status run_job(struct bootstrap_job *job, uint64_t seed)
{
	size_t chunks = (job->replicates + CHUNK - 1) / CHUNK;
	double draws = (job->side->draws + (job->base ? job->base->draws : 0)) * (double)job->replicates;
	unsigned workers = draws < thread_draws ? 1 : parallel_workers(), signs = 0;
	size_t base_picks = job->base ? picks_needed(job->base) : 0;
	job->picks_per_worker = picks_needed(job->side);
	if (base_picks > job->picks_per_worker)
		job->picks_per_worker = base_picks;
	job->streams = mem_alloc(chunks, sizeof(*job->streams));
	job->picks = mem_alloc(workers * job->picks_per_worker, sizeof(*job->picks));
	bool ready = job->streams && job->picks;
	if (ready) {
		struct random random;
		random_seed(&random, seed);
		for (size_t i = 0; i < chunks; i++, random_jump(&random))
			job->streams[i] = random;
		parallel_run(workers, chunks, run_chunk, job);
	}
	mem_free(job->streams);
	mem_free(job->picks);
	if (!ready)
		return STATS_NO_MEMORY;
	for (unsigned i = 0; i < workers; i++)
		signs |= job->base_signs[i];
	return signs == SIGN_POSITIVE || signs == SIGN_NEGATIVE ? STATS_OK : STATS_UNBOUNDED;
}

double bootstrap_tolerance(size_t replicates)
{
	return error_share * end_error_99 / sqrt((double)replicates);
}

enum stats_status bootstrap_means(const struct nested *data, size_t replicates, uint64_t seed, double *means)
{
	struct bootstrap_side side;
	enum stats_status status = bootstrap_side_init(&side, data, bootstrap_tolerance(replicates));
	if (status != STATS_OK)
		return status;
	struct bootstrap_job job = {.side = &side, .replicates = replicates, .out = means};
	status = run_job(&job, seed);
	bootstrap_side_release(&side);
	return status;
}

enum stats_status percentile_positions(size_t replicates, double level, size_t *low, size_t *high)
{
	const uint64_t unit = 1000000000;
	if (!(level > 0 && level < 1))
		return STATS_BAD_ARGUMENT;
	uint64_t alpha = (uint64_t)llround((1 - level) * (double)unit); /* in units of 1e-9 */
	__uint128_t twice = 2 * unit, below = (__uint128_t)replicates * alpha / twice;
	__uint128_t up_to = ((__uint128_t)replicates * (twice - alpha) + twice - 1) / twice;
	if (below < 1 || up_to <= below + 1)
		return STATS_TOO_FEW;
	*low = (size_t)below;
	*high = (size_t)(up_to - 1);
	return STATS_OK;
}

enum stats_status bootstrap_side_interval(const struct bootstrap_side *base, const struct bootstrap_side *side,
                                          size_t replicates, double level, uint64_t seed, struct interval *out)
{
	size_t low, high;
	enum stats_status status = percentile_positions(replicates, level, &low, &high);
	if (status != STATS_OK)
		return status;
	if (nested_top(&side->data) < 2 || (base && nested_top(&base->data) < 2))
		return STATS_TOO_FEW;
	double *values = mem_alloc(replicates, sizeof(*values));
	if (!values)
		return STATS_NO_MEMORY;
	struct bootstrap_job job = {.base = base, .side = side, .replicates = replicates, .out = values};
	status = run_job(&job, seed);
	if (status == STATS_OK)
		status = stats_check_finite(values, replicates) == STATS_OK ? STATS_OK : STATS_NOT_DEFINED;
	if (status == STATS_OK) {
		sort_doubles(values, replicates);
		*out = (struct interval){values[low], values[high]};
	} else if (status == STATS_UNBOUNDED) {
		*out = (struct interval){-INFINITY, INFINITY};
	}
	mem_free(values);
	return status;
}

enum stats_status bootstrap_mean(const struct nested *data, size_t replicates, double level, uint64_t seed,
                                 struct interval *out)
{
	struct bootstrap_side side;
	enum stats_status status = bootstrap_side_init(&side, data, bootstrap_tolerance(replicates));
	if (status != STATS_OK)
		return status;
	status = bootstrap_side_interval(NULL, &side, replicates, level, seed, out);
	bootstrap_side_release(&side);
	return status;
}

enum stats_status bootstrap_ratio(const struct nested *base, const struct nested *new_, size_t replicates, double level,
                                  uint64_t seed, struct interval *out)
{
	struct bootstrap_side old_side, new_side;
	enum stats_status status = bootstrap_side_init(&old_side, base, bootstrap_tolerance(replicates));
	if (status != STATS_OK)
		return status;
	status = bootstrap_side_init(&new_side, new_, bootstrap_tolerance(replicates));
	if (status == STATS_OK) {
		status = bootstrap_side_interval(&old_side, &new_side, replicates, level, seed, out);
		bootstrap_side_release(&new_side);
	}
	bootstrap_side_release(&old_side);
	return status;
}

enum stats_status bootstrap_given(const struct nested *data, const uint32_t *indices, size_t count, double *mean)
{
	struct bootstrap_side side;
	enum stats_status status = bootstrap_side_init(&side, data, 0);
	if (status != STATS_OK)
		return status;
	struct index_source source = {.given = indices, .given_left = count};
	uint32_t *picks = mem_alloc(picks_needed(&side), sizeof(*picks));
	if (picks) {
		double resampled = resample_mean(&side, picks, &source);
		if (source.given_wrong)
			status = STATS_BAD_ARGUMENT;
		else
			*mean = resampled;
		mem_free(picks);
	} else {
		status = STATS_NO_MEMORY;
	}
	bootstrap_side_release(&side);
	return status;
}
