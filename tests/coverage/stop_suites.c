#include "coverage/stop_suites.h"

#include "analysis/replay.h"
#include "base/parallel.h"
#include "stats/critical.h"
#include "stats/fieller.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double start_cost = 1, fixed_plan = 5 * (100 + 1), level = 0.99;

struct job {
	const struct rates_rule *rules;
	size_t count, each;
	uint64_t seed;
	struct suite_shape shape;
	struct replay_options options;
	struct replay_outcome *outcomes; /* [benchmark][rule][repetition] */
	double *truths;
	bool failed[PARALLEL_MAX_WORKERS];
};

static bool replay_all(struct job *job, size_t benchmark, int repetition)
{
	struct suite_benchmark suite;
	struct error err;
	enum suite_kind kind = (enum suite_kind)(benchmark / job->each);
	if (!suite_make(&suite, kind, job->seed, benchmark % job->each, (size_t)repetition, &job->shape))
		return false;
	job->truths[benchmark] = suite.truth;
	bool fine = true;
	for (size_t k = 0; k < job->count && fine; k++) {
		struct replay_rule rule;
		struct replay_options options = job->options;
		if (repetition > 0 && !job->rules[k].twice)
			continue;
		options.bootstrap = job->rules[k].twice && repetition == 0 && strncmp(job->rules[k].name, "auto", 4) != 0;
		fine = replay_rule_parse(&rule, &options, job->rules[k].name, &err) == 0 &&
		       replay_benchmark(&suite.view, &rule, &options,
		                        &job->outcomes[(benchmark * job->count + k) * 2 + (size_t)repetition], &err) == 0;
	}
	suite_release(&suite);
	return fine;
}

static void task(void *context, unsigned worker, size_t piece)
{
	struct job *job = context;
	for (int repetition = 0; repetition < 2; repetition++)
		if (!replay_all(job, piece, repetition))
			job->failed[worker] = true;
}

/* Half-width of the 99 % interval of one mean, with the constant that the rule's interval has. */
static double half_width(const struct replay_outcome *o, bool own, double runs)
{
	double c = critical_value(own ? CRITICAL_PRECISION : CRITICAL_FIXED, 1 - level, runs, runs - 1);
	return c * sqrt(o->variance / (double)o->runs) + o->allowance * fabs(o->mean);
}

static void compare(const struct replay_outcome *a, const struct replay_outcome *b, bool own, struct rates *out)
{
	struct interval interval;
	double ratio, runs = (double)(a->runs < b->runs ? a->runs : b->runs);
	if (runs < 2)
		return;
	enum stats_status status = fieller_half_widths(a->mean, half_width(a, own, runs), b->mean, half_width(b, own, runs),
	                                               &ratio, &interval);
	out->compared++;
	out->equal += status != STATS_OK || (interval.low <= 1 && interval.high >= 1);
	if (status == STATS_OK)
		out->width += (interval.high - interval.low) / (2 * ratio);
}

static void add(struct rates *out, const struct replay_outcome *o, double truth)
{
	out->errors[out->n++] = fabs(o->mean / truth - 1);
	out->cost += o->cost;
	out->held += o->low <= truth && truth <= o->high;
	out->theirs += o->their_low <= truth && truth <= o->their_high;
	out->warmup += o->warmup;
	out->runs += (double)o->runs;
	out->warm += o->runs ? (double)o->warm_runs / (double)o->runs : 0;
	out->stable += o->stable;
}

bool rates_run(const struct rates_rule *rules, size_t count, size_t each, uint64_t seed,
               const struct suite_shape *shape, struct rates *out)
{
	size_t benchmarks = each * SUITE_KINDS;
	struct job job = {.rules = rules,
	                  .count = count,
	                  .each = each,
	                  .seed = seed,
	                  .shape = *shape,
	                  .outcomes = calloc(benchmarks * count * 2, sizeof(*job.outcomes)),
	                  .truths = calloc(benchmarks, sizeof(double))};
	bool fine = job.outcomes && job.truths;
	replay_options_init(&job.options);
	job.options.start_cost = job.options.auto_.start_cost = start_cost;
	if (fine)
		parallel_run(parallel_workers(), benchmarks, task, &job);
	for (size_t w = 0; w < PARALLEL_MAX_WORKERS; w++)
		fine &= !job.failed[w];
	for (size_t i = 0; i < SUITE_KINDS * count && fine; i++)
		fine = (out[i].errors = calloc(each, sizeof(double))) != NULL;
	for (size_t b = 0; b < benchmarks && fine; b++) {
		for (size_t k = 0; k < count; k++) {
			const struct replay_outcome *pair = &job.outcomes[(b * count + k) * 2];
			struct rates *r = &out[b / each * count + k];
			add(r, &pair[0], job.truths[b]);
			if (rules[k].twice)
				compare(&pair[0], &pair[1], strncmp(rules[k].name, "auto", 4) == 0, r);
		}
	}
	free(job.outcomes);
	free(job.truths);
	return fine;
}

bool rates_join(struct rates *to, const struct rates *from)
{
	double *errors = realloc(to->errors, (to->n + from->n) * sizeof(*errors));
	if (!errors)
		return false;
	memcpy(errors + to->n, from->errors, from->n * sizeof(*errors));
	to->errors = errors;
	to->n += from->n;
	to->compared += from->compared;
	to->cost += from->cost;
	to->held += from->held;
	to->theirs += from->theirs;
	to->equal += from->equal;
	to->width += from->width;
	to->warmup += from->warmup;
	to->runs += from->runs;
	to->warm += from->warm;
	to->stable += from->stable;
	return true;
}

void rates_release(struct rates *rates)
{
	free(rates->errors);
	*rates = (struct rates){.n = 0};
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double rates_median(const struct rates *r)
{
	double *sorted = malloc(r->n * sizeof(*sorted)), median = NAN;
	if (sorted && r->n > 0) {
		memcpy(sorted, r->errors, r->n * sizeof(*sorted));
		qsort(sorted, r->n, sizeof(*sorted), ascending);
		median = 0.5 * (sorted[(r->n - 1) / 2] + sorted[r->n / 2]);
	}
	free(sorted);
	return median;
}

double rates_error(const struct rates *r)
{
	double sum = 0;
	for (size_t i = 0; i < r->n; i++)
		sum += r->errors[i];
	return sum / (double)r->n;
}

double rates_under(const struct rates *r, double limit)
{
	size_t count = 0;
	for (size_t i = 0; i < r->n; i++)
		count += r->errors[i] < limit;
	return (double)count / (double)r->n;
}

double rates_saved(const struct rates *r)
{
	return 1 - r->cost / ((double)r->n * fixed_plan);
}

double rates_held(const struct rates *r)
{
	return r->held / (double)r->n;
}

double rates_theirs(const struct rates *r)
{
	return r->theirs / (double)r->n;
}

double rates_equal(const struct rates *r)
{
	return r->compared ? r->equal / (double)r->compared : NAN;
}

double rates_width(const struct rates *r)
{
	return r->compared ? r->width / (double)r->compared : NAN;
}

double rates_warmup(const struct rates *r)
{
	return r->warmup / (double)r->n;
}

double rates_runs(const struct rates *r)
{
	return r->runs / (double)r->n;
}

double rates_warm(const struct rates *r)
{
	return r->warm / (double)r->n;
}

double rates_stable(const struct rates *r)
{
	return r->stable / (double)r->n;
}
