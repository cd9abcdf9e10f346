/* Replaying: a rule sees the data in the order in which they were measured, iteration by iteration, and no more of them
 * than it asked for. What it would have reported is then held against all of them.
 *
 * Full data: all runs, the first half of each left out (the paper: 50 of 100 iterations). Cost is counted in
 * iterations, which the paper has last 1 s each, plus a fixed cost for starting a run. The paper compares the stopped
 * data with the full ones, of which they are a part, so the two are not independent and "equal" is easier than it
 * should be; where the truth is known (make replay) independent repetitions are compared instead. */
#include "analysis/replay.h"

#include "base/memory.h"
#include "base/parse.h"
#include "stats/bootstrap.h"
#include "stats/critical.h"
#include "stats/fieller.h"
#include "stats/level_mean.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum { BOOTSTRAP_REPLICATES = 10000, THEIR_REPLICATES = 1000 };

void replay_options_init(struct replay_options *options)
{
	*options = (struct replay_options){.confidence = 0.99};
	stable_options_init(&options->stable);
	auto_options_init(&options->auto_);
	options->auto_.min_runs = 3;
}

int replay_rule_parse(struct replay_rule *rule, const struct replay_options *options, const char *text,
                      struct error *err)
{
	struct replay_rule parsed = {.stable = options->stable, .auto_ = options->auto_};
	if (strcmp(text, "auto") == 0 || strncmp(text, "auto@", 5) == 0) {
		parsed.own = true;
		if (text[4] && (parse_percent(text + 5, &parsed.auto_.precision, err) != 0 || !(parsed.auto_.precision > 0))) {
			error_set(err, ERROR_USAGE, "'%.40s' is not a precision", text + 5);
			return error_next(err, "for example auto@2%%");
		}
	} else if (stable_options_parse(&parsed.stable, text, err) != 0) {
		return -1;
	}
	*rule = parsed;
	return 0;
}

/* ---- data ---- */

static unsigned level_of(const struct series *series, enum level level)
{
	unsigned k = 0;
	while (k < series->depth && series->levels[k] != level)
		k++;
	return k;
}

/* Starts of level k's groups in units of level `to`'s groups, or values. */
static uint32_t *composed_starts(const struct series *series, unsigned k, unsigned to)
{
	uint32_t *starts = mem_alloc(series->groups[k] + 1, sizeof(*starts));
	for (size_t g = 0; starts && g <= series->groups[k]; g++) {
		starts[g] = (uint32_t)g;
		for (unsigned below = k; below < to; below++)
			starts[g] = series->starts[below][starts[g]];
	}
	return starts;
}

int replay_data_init(struct replay_data *data, const struct series *series, size_t least, struct error *err)
{
	unsigned run = level_of(series, LEVEL_RUN), iteration = level_of(series, LEVEL_ITERATION);
	*data = (struct replay_data){{0}, NULL, NULL};
	if (run + 1 >= series->depth || iteration != run + 1 || series->n == 0)
		return 1;
	for (size_t i = 0; i < series->n; i++)
		if (!isfinite(series->values[i]))
			return 1;
	bool values_inside = iteration + 1 < series->depth;
	size_t iterations = values_inside ? series->groups[iteration] : series->n;
	data->runs = composed_starts(series, run, iteration);
	data->iterations = mem_alloc(iterations + 1, sizeof(*data->iterations));
	if (!data->runs || !data->iterations) {
		replay_data_release(data);
		return error_memory(err);
	}
	for (size_t i = 0; i <= iterations; i++)
		data->iterations[i] = values_inside ? series->starts[iteration][i] : (uint32_t)i;
	data->view = (struct nested){.depth = 3,
	                             .n = series->n,
	                             .values = series->values,
	                             .groups = {series->groups[run], iterations},
	                             .starts = {data->runs, data->iterations}};
	for (size_t r = 0; r < series->groups[run]; r++) {
		if (data->runs[r + 1] - data->runs[r] < least) {
			replay_data_release(data);
			return 1;
		}
	}
	return 0;
}

void replay_data_release(struct replay_data *data)
{
	mem_free(data->runs);
	mem_free(data->iterations);
	*data = (struct replay_data){{0}, NULL, NULL};
}

/* The values of iteration i of run r. */
static const double *iteration_values(const struct nested *data, size_t r, size_t i, size_t *n)
{
	size_t g = data->starts[0][r] + i, first = data->starts[1][g];
	*n = data->starts[1][g + 1] - first;
	return data->values + first;
}

static double iteration_mean(const struct nested *data, size_t r, size_t i)
{
	struct running sum = {0};
	size_t n;
	const double *values = iteration_values(data, r, i, &n);
	running_add_all(&sum, values, n);
	return running_mean(&sum);
}

/* ---- what is kept of each run ---- */

/* Iterations first … end − 1 of each run, as a view with levels and as means of runs. */
struct kept_part {
	size_t runs, iterations, n;
	uint32_t *run_starts, *iteration_starts;
	double *values, *means;
};

static void part_release(struct kept_part *part)
{
	mem_free(part->run_starts);
	mem_free(part->iteration_starts);
	mem_free(part->values);
	mem_free(part->means);
}

static int part_init(struct kept_part *part, const struct nested *data, struct error *err)
{
	*part = (struct kept_part){.run_starts = mem_zalloc(data->groups[0] + 1, sizeof(uint32_t)),
	                           .iteration_starts = mem_zalloc(data->groups[1] + 1, sizeof(uint32_t)),
	                           .values = mem_alloc(data->n, sizeof(double)),
	                           .means = mem_alloc(data->groups[0], sizeof(double))};
	if (part->run_starts && part->iteration_starts && part->values && part->means)
		return 0;
	part_release(part);
	return error_memory(err);
}

static void part_add(struct kept_part *part, const struct nested *data, size_t r, size_t first, size_t end)
{
	struct running run = {0};
	for (size_t i = first; i < end; i++) {
		size_t n;
		const double *values = iteration_values(data, r, i, &n);
		memcpy(part->values + part->n, values, n * sizeof(*values));
		part->n += n;
		part->iteration_starts[++part->iterations] = (uint32_t)part->n;
		running_add(&run, iteration_mean(data, r, i));
	}
	part->means[part->runs++] = running_mean(&run);
	part->run_starts[part->runs] = (uint32_t)part->iterations;
}

static struct nested part_view(const struct kept_part *part)
{
	return (struct nested){.depth = 3,
	                       .n = part->n,
	                       .values = part->values,
	                       .groups = {part->runs, part->iterations},
	                       .starts = {part->run_starts, part->iteration_starts}};
}

static size_t length_of(const struct nested *data, size_t r)
{
	return data->starts[0][r + 1] - data->starts[0][r];
}

/* ---- the rules ---- */

/* Warm-up of one run: the first measured iteration; *warm: it was found to be over. -1: no memory. */
static int warm_up(struct stable *stable, const struct nested *data, size_t r, size_t cap, size_t *first, bool *warm,
                   struct error *err)
{
	stable_begin_run(stable);
	*warm = false;
	for (*first = 0; *first < cap && !*warm; (*first)++) {
		size_t n;
		const double *values = iteration_values(data, r, *first, &n);
		if (stable_add_warmup(stable, values, NULL, n, warm, err) != 0)
			return -1;
	}
	return 0;
}

static int replay_stable(const struct nested *data, const struct stable_options *options, struct kept_part *part,
                         struct replay_outcome *out, struct error *err)
{
	struct stable *stable = stable_new(options);
	size_t last = data->groups[0] < options->warmup_runs + options->max_runs ? data->groups[0]
	                                                                         : options->warmup_runs + options->max_runs;
	int status = stable ? 0 : error_memory(err);
	double warmup = 0;
	for (size_t r = 0; r < options->warmup_runs && r < last; r++)
		out->cost += (double)length_of(data, r);
	for (size_t r = options->warmup_runs; r < last && status == 0 && !out->stable; r++) {
		size_t length = length_of(data, r),
			   measured = options->iterations < length / 2 ? options->iterations : length / 2, first;
		size_t cap = options->max_warmup < length - measured ? options->max_warmup : length - measured;
		bool warm;
		status = warm_up(stable, data, r, cap, &first, &warm, err);
		for (size_t i = first; i < first + measured && status == 0; i++) {
			size_t n;
			const double *values = iteration_values(data, r, i, &n);
			status = stable_add_measured(stable, values, NULL, n, err);
		}
		if (status == 0)
			status = stable_end_run(stable, &out->stable, err);
		part_add(part, data, r, first, first + measured);
		out->cost += (double)(first + measured);
		out->warm_runs += warm;
		warmup += (double)first;
	}
	out->runs = part->runs;
	out->warmup = part->runs ? warmup / (double)part->runs : 0;
	stable_free(stable);
	return status;
}

/* Run r as the rule asks for it; *length: what is kept. */
static int play_run(struct auto_rule *rule, const struct nested *data, size_t r, size_t *length, struct error *err)
{
	bool more = true;
	auto_rule_begin_run(rule);
	for (size_t i = 0; more && i < length_of(data, r); i++)
		if (auto_rule_add(rule, 0, iteration_mean(data, r, i), err) != 0 ||
		    auto_rule_goes_on(rule, 0, 1, &more, err) != 0)
			return -1;
	return auto_rule_end_run(rule, length, err);
}

static int replay_own(const struct nested *data, const struct auto_options *options, struct kept_part *part,
                      struct replay_outcome *out, struct error *err)
{
	struct auto_options capped = *options;
	size_t shortest = length_of(data, 0);
	for (size_t r = 1; r < data->groups[0]; r++)
		shortest = length_of(data, r) < shortest ? length_of(data, r) : shortest;
	capped.max_length = shortest;
	if (capped.max_runs == 0 || capped.max_runs > data->groups[0])
		capped.max_runs = data->groups[0];
	struct auto_rule *rule = auto_rule_new(&capped);
	size_t *lengths = mem_zalloc(capped.max_runs + 1, sizeof(*lengths));
	int status = rule && lengths ? 0 : error_memory(err);
	for (size_t r = 0; status == 0 && !auto_rule_is_enough(rule); r++)
		status = play_run(rule, data, r, &lengths[r], err);
	if (status == 0) {
		struct auto_outcome outcome;
		auto_rule_outcome(rule, &outcome);
		for (size_t r = 0; r < outcome.runs; r++)
			if (lengths[r] > outcome.skip)
				part_add(part, data, r, outcome.skip, lengths[r]);
		out->cost += (double)outcome.iterations;
		out->runs = outcome.runs;
		out->warm_runs = outcome.settled ? outcome.runs : 0;
		out->warmup = (double)outcome.skip;
		out->stable = outcome.precise;
		out->allowance = outcome.allowance;
	}
	mem_free(lengths);
	auto_rule_free(rule);
	return status;
}

/* ---- the comparison ---- */

static enum stats_status report_interval(const struct kept_part *part, const struct replay_rule *rule,
                                         struct replay_outcome *out)
{
	struct nested view = part_view(part);
	struct interval interval;
	enum critical_rule critical = rule->own ? CRITICAL_PRECISION : CRITICAL_FIXED;
	double mean;
	struct running means = {0};
	running_add_all(&means, part->means, part->runs);
	out->variance = running_variance(&means);
	out->low = out->high = NAN;
	if (part->runs < 2)
		return STATS_TOO_FEW;
	enum stats_status status = level_mean_interval(&view, rule->auto_.confidence, critical, &mean, &interval);
	if (status == STATS_OK) {
		out->low = interval.low - out->allowance * fabs(mean);
		out->high = interval.high + out->allowance * fabs(mean);
	}
	return status;
}

static enum stats_status compare(const struct kept_part *part, const struct kept_part *full,
                                 const struct replay_rule *rule, const struct replay_options *options,
                                 struct replay_outcome *out)
{
	struct interval interval;
	double ratio = NAN, runs = (double)(part->runs < full->runs ? part->runs : full->runs);
	out->half_width = out->their_low = out->their_high = NAN;
	out->compared = runs > 1;
	if (!out->compared)
		return STATS_TOO_FEW;
	double c = critical_value(rule->own ? CRITICAL_PRECISION : CRITICAL_FIXED, 1 - options->confidence, runs, runs - 1);
	struct summary all, stopped;
	enum stats_status status = summary_of(full->means, full->runs, &all);
	if (status == STATS_OK)
		status = summary_of(part->means, part->runs, &stopped);
	if (status == STATS_OK)
		status = fieller_half_widths(
			all.mean, c * sqrt(all.variance / (double)full->runs), stopped.mean,
			c * sqrt(stopped.variance / (double)part->runs) + out->allowance * fabs(stopped.mean), &ratio, &interval);
	out->equal = status == STATS_UNBOUNDED || (status == STATS_OK && interval.low <= 1 && interval.high >= 1);
	if (status == STATS_OK)
		out->half_width = (interval.high - interval.low) / (2 * ratio);
	if (!options->bootstrap || status == STATS_NO_MEMORY)
		return status;
	struct nested base = part_view(full), new_ = part_view(part);
	status = bootstrap_mean(&new_, THEIR_REPLICATES, options->confidence, options->seed, &interval);
	if (status == STATS_OK) {
		out->their_low = interval.low;
		out->their_high = interval.high;
	}
	if (status == STATS_NO_MEMORY)
		return status;
	status = bootstrap_ratio(&base, &new_, BOOTSTRAP_REPLICATES, options->confidence, options->seed, &interval);
	out->equal_bootstrap = status != STATS_OK || (interval.low <= 1 && interval.high >= 1);
	return status;
}

static double mean_of_means(const struct kept_part *part)
{
	struct running sum = {0};
	running_add_all(&sum, part->means, part->runs);
	return running_mean(&sum);
}

int replay_benchmark(const struct nested *data, const struct replay_rule *rule, const struct replay_options *options,
                     struct replay_outcome *out, struct error *err)
{
	struct replay_outcome outcome = {0};
	struct kept_part part, full;
	if (part_init(&part, data, err) != 0)
		return -1;
	if (part_init(&full, data, err) != 0) {
		part_release(&part);
		return -1;
	}
	for (size_t r = 0; r < data->groups[0]; r++) {
		part_add(&full, data, r, length_of(data, r) / 2, length_of(data, r));
		outcome.full_cost += (double)length_of(data, r) + options->start_cost;
	}
	int status = rule->own ? replay_own(data, &rule->auto_, &part, &outcome, err)
	                       : replay_stable(data, &rule->stable, &part, &outcome, err);
	if (status == 0) {
		outcome.cost += options->start_cost * (double)(outcome.runs + (rule->own ? 0 : rule->stable.warmup_runs));
		outcome.mean = mean_of_means(&part);
		outcome.full_mean = mean_of_means(&full);
		outcome.change = fabs(outcome.mean / outcome.full_mean - 1);
		if (report_interval(&part, rule, &outcome) == STATS_NO_MEMORY ||
		    compare(&part, &full, rule, options, &outcome) == STATS_NO_MEMORY)
			status = error_memory(err);
	}
	if (status == 0)
		*out = outcome;
	part_release(&part);
	part_release(&full);
	return status;
}
