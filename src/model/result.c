#include "model/result.h"

#include "base/array.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const struct disturbance disturbance_none = {
	.load_start = NAN,
	.load_end = NAN,
	.steal = NAN,
	.pressure_cpu = NAN,
	.pressure_io = NAN,
	.pressure_memory = NAN,
	.throttled_periods = NAN,
	.throttled_seconds = NAN,
	.slowed_by_heat = NAN,
	.frequency_start = NAN,
	.frequency_end = NAN,
	.disturbed = NAN,
	.preempted = NAN,
	.migrated = NAN,
	.frequency_changed = NAN,
};

const char *const design_words[DESIGN_WORDS] = {"solo", "shuffled", "duet", "turns", "shared", "imported"};
const char *const stop_reasons[STOP_REASONS] = {"precision", "verdict",     "stable", "budget",
                                                "count",     "interrupted", "failed", "stopped"};

void result_init(struct result *result)
{
	memset(result, 0, sizeof(*result));
	result->elapsed = result->gate.limit = NAN;
	result->gate.worst = SIZE_MAX;
	result->host.load = result->host.steal = NAN;
	result->calibration.change = result->calibration.seconds = NAN;
	monitoring_init(&result->monitoring);
	result->disturbance = disturbance_none;
}

struct result result_empty(void)
{
	struct result result;
	result_init(&result);
	return result;
}

void result_release(struct result *result)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			series_release(&result->subjects[s].metrics[m].series);
	map_release(&result->warning_codes);
	map_release(&result->warning_keys);
	arena_release(&result->arena);
	result_init(result);
}

#define UNKNOWN_CONFIDENCE \
	{ \
		.level = NAN, .low = NAN, .high = NAN \
	}
static const struct confidence unknown_confidence = UNKNOWN_CONFIDENCE;

const struct level_share level_share_unknown = {
	.n = NAN, .variance = NAN, .cost = NAN, .sd_ci = UNKNOWN_CONFIDENCE, .ignored = UNKNOWN_CONFIDENCE};

static const struct description description_none = {.mad = NAN,
                                                    .median_ci = UNKNOWN_CONFIDENCE,
                                                    .pooled_sd = NAN,
                                                    .pooled_ci = UNKNOWN_CONFIDENCE,
                                                    .unseen_mode = NAN,
                                                    .effective_size = NAN,
                                                    .autocorrelation = NAN,
                                                    .ties = NAN};
static const struct index_goal index_none = {.wanted = NAN, .autocorrelation_limit = NAN};
static const struct stated_runs stated_none;
static const struct benchmark_loop loop_none = {.clock_cost = NAN, .loop_cost = NAN};
static const double costs_unknown[LEVEL_COUNT] = {NAN, NAN, NAN, NAN, NAN};
static const struct iteration_slope slope_none = {.value = NAN, .ci = UNKNOWN_CONFIDENCE};
static const struct all_iterations all_none = {.mean = NAN, .ci = UNKNOWN_CONFIDENCE};

const struct pair_findings pair_findings_none = {.share_base = NAN,
                                                 .share_new = NAN,
                                                 .share_difference = NAN,
                                                 .share_ci = UNKNOWN_CONFIDENCE,
                                                 .order_effect = NAN,
                                                 .order_half = NAN,
                                                 .total_over_typical = NAN,
                                                 .shuffle_width_ratio = NAN};
const struct gate_findings gate_findings_none = {.limit = NAN, .ci = UNKNOWN_CONFIDENCE};
const struct interference interference_none = {
	.base = NAN,
	.new_ = NAN,
	.base_ci = UNKNOWN_CONFIDENCE,
	.new_ci = UNKNOWN_CONFIDENCE,
};

void work_result_init(struct work_result *work)
{
	*work = (struct work_result){.unit = "",
	                             .speed_unit = "/s",
	                             .low = NAN,
	                             .high = NAN,
	                             .shortest = NAN,
	                             .from = NAN,
	                             .wanted = NAN,
	                             .speed = NAN,
	                             .speed_ci = unknown_confidence,
	                             .wall_speed = NAN,
	                             .wall_speed_ci = unknown_confidence,
	                             .alpha = NAN,
	                             .alpha_ci = unknown_confidence,
	                             .curvature_p = NAN,
	                             .r_squared = NAN,
	                             .residual_sd = NAN,
	                             .prediction_error = NAN};
}

const char *work_result_metric(const struct work_result *work)
{
	return work->metric ? work->metric : "wall";
}

struct subject *result_add_subject(struct result *result, const char *name)
{
	/* Comparisons have 4 bytes for the number of one. */
	if (result->subject_count >= UINT32_MAX ||
	    array_add_in(&result->arena, &result->subjects, result->subject_count) != 0)
		return NULL;
	struct subject *subject = &result->subjects[result->subject_count];
	memset(subject, 0, sizeof(*subject));
	subject->loop = &loop_none;
	subject->side = NO_SIDE;
	subject->name = arena_strdup(&result->arena, name);
	if (!subject->name)
		return NULL;
	result->subject_count++;
	return subject;
}

struct measurement *result_add_metric(struct result *result, struct subject *subject, const char *name,
                                      const char *unit, enum better better, const enum level *levels, unsigned depth)
{
	if (array_add_in(&result->arena, &subject->metrics, subject->metric_count) != 0)
		return NULL;
	struct measurement *metric = &subject->metrics[subject->metric_count];
	memset(metric, 0, sizeof(*metric));
	metric->metric.name = arena_strdup(&result->arena, name);
	metric->metric.unit = arena_strdup(&result->arena, unit);
	metric->metric.better = better;
	metric->mean = metric->median = metric->sd = metric->min = metric->max = NAN;
	metric->described = &description_none;
	metric->costs = costs_unknown;
	metric->slope = &slope_none;
	metric->all = &all_none;
	metric->index = &index_none;
	metric->stated = &stated_none;
	metric->ci = unknown_confidence;
	if (!metric->metric.name || !metric->metric.unit)
		return NULL;
	series_init(&metric->series, levels, depth);
	subject->metric_count++;
	return metric;
}

static void *own_part(struct result *result, const void *shared, size_t size)
{
	void *own = arena_alloc(&result->arena, 1, size);
	return own ? memcpy(own, shared, size) : NULL;
}

struct iteration_slope *measurement_own_slope(struct result *result, struct measurement *measurement)
{
	struct iteration_slope *own = own_part(result, measurement->slope, sizeof(*own));
	measurement->slope = own ? own : measurement->slope;
	return own;
}

struct index_goal *measurement_own_index(struct result *result, struct measurement *measurement)
{
	struct index_goal *own = own_part(result, measurement->index, sizeof(*own));
	measurement->index = own ? own : measurement->index;
	return own;
}

struct stated_runs *measurement_own_stated(struct result *result, struct measurement *measurement)
{
	struct stated_runs *own = own_part(result, measurement->stated, sizeof(*own));
	measurement->stated = own ? own : measurement->stated;
	return own;
}

double *measurement_own_costs(struct result *result, struct measurement *measurement)
{
	double *own = own_part(result, measurement->costs, sizeof(costs_unknown));
	measurement->costs = own ? own : measurement->costs;
	return own;
}

struct all_iterations *measurement_own_all(struct result *result, struct measurement *measurement)
{
	struct all_iterations *own = own_part(result, measurement->all, sizeof(*own));
	measurement->all = own ? own : measurement->all;
	return own;
}

struct gate_findings *comparison_own_gate(struct result *result, struct comparison *comparison)
{
	struct gate_findings *own = own_part(result, comparison->gated, sizeof(*own));
	comparison->gated = own ? own : comparison->gated;
	return own;
}

struct ratio_estimate *comparison_own_total(struct result *result, struct comparison *comparison)
{
	if (!comparison->total)
		comparison->total = own_part(result, &comparison->shown, sizeof(comparison->shown));
	return comparison->total;
}

const struct ratio_estimate *comparison_total(const struct comparison *comparison)
{
	return comparison->total ? comparison->total : &comparison->shown;
}

int comparison_set_paired(struct result *result, struct comparison *comparison, const struct pair_findings *paired)
{
	if (!result->paired || memcmp(result->paired, paired, sizeof(*paired)) != 0) {
		const struct pair_findings *own = own_part(result, paired, sizeof(*own));
		if (!own)
			return -1;
		result->paired = own;
	}
	comparison->paired = result->paired;
	return 0;
}

struct interference *comparison_own_interference(struct result *result, struct comparison *comparison)
{
	struct interference *own = own_part(result, comparison->interference, sizeof(*own));
	comparison->interference = own ? own : comparison->interference;
	return own;
}

static struct level_share *copy_levels(struct result *result, const struct description *from, size_t room)
{
	struct level_share *levels = arena_alloc(&result->arena, room, sizeof(*levels));
	for (size_t i = 0; levels && i < from->level_count; i++)
		levels[i] = from->levels[i];
	return levels;
}

struct description *measurement_own_description(struct result *result, struct measurement *measurement)
{
	struct description *own = own_part(result, measurement->described, sizeof(*own));
	if (own && own->level_count > 0 && !(own->levels = copy_levels(result, own, own->level_count)))
		return NULL;
	measurement->described = own ? own : measurement->described;
	return own;
}

struct level_share *description_add_level(struct result *result, struct description *described)
{
	struct level_share *levels = copy_levels(result, described, described->level_count + 1);
	if (!levels)
		return NULL;
	described->levels = levels;
	levels[described->level_count] = level_share_unknown;
	return &levels[described->level_count++];
}

int measurement_describe(struct result *result, struct measurement *measurement, const struct description *described)
{
	const struct description *last = result->described;
	struct description own = *described;
	if (own.level_count == 0)
		own.levels = NULL;
	else if (last && last->level_count == own.level_count &&
	         memcmp(last->levels, own.levels, own.level_count * sizeof(*own.levels)) == 0)
		own.levels = last->levels;
	else if (!(own.levels = copy_levels(result, &own, own.level_count)))
		return -1;
	if (!last || memcmp(last, &own, sizeof(own)) != 0)
		last = own_part(result, &own, sizeof(own));
	if (!last)
		return -1;
	measurement->described = result->described = last;
	return 0;
}

struct benchmark_loop *subject_own_loop(struct result *result, struct subject *subject)
{
	struct benchmark_loop *own = own_part(result, subject->loop, sizeof(*own));
	subject->loop = own ? own : subject->loop;
	return own;
}

struct comparison *result_add_comparison(struct result *result)
{
	if (array_add_in(&result->arena, &result->comparisons, result->comparison_count) != 0)
		return NULL;
	struct comparison *comparison = &result->comparisons[result->comparison_count++];
	memset(comparison, 0, sizeof(*comparison));
	comparison->ratio = NAN;
	comparison->paired = &pair_findings_none;
	comparison->gated = &gate_findings_none;
	comparison->more_time = comparison->confidence = NAN;
	comparison->p_difference = comparison->p_same_typical = comparison->p_same_total = NAN;
	comparison->p_value = NAN;
	comparison->interference = &interference_none;
	comparison->ci = unknown_confidence;
	return comparison;
}

int result_add_parameter(struct result *result, struct subject *subject, const char *name, const char *value)
{
	if (array_add_in(&result->arena, &subject->parameters, subject->parameter_count) != 0)
		return -1;
	struct parameter added = {arena_strdup(&result->arena, name), arena_strdup(&result->arena, value)};
	if (!added.name || !added.value)
		return -1;
	subject->parameters[subject->parameter_count++] = added;
	return 0;
}

int result_add_build(struct result *result, struct subject *subject, const struct build_made *build)
{
	if (array_add_in(&result->arena, &subject->builds, subject->build_count) != 0)
		return -1;
	struct build_made added = *build;
	added.build_id = arena_strdup(&result->arena, build->build_id ? build->build_id : "");
	added.hash = arena_strdup(&result->arena, build->hash ? build->hash : "");
	if (!added.build_id || !added.hash)
		return -1;
	subject->builds[subject->build_count++] = added;
	return 0;
}

int result_add_failure(struct result *result, struct subject *subject, struct failure failure)
{
	if (array_add_in(&result->arena, &subject->failures, subject->failure_count) != 0)
		return -1;
	failure.what = arena_strdup(&result->arena, failure.what);
	if (!failure.what)
		return -1;
	subject->failures[subject->failure_count++] = failure;
	return 0;
}

int result_adopt(struct result *to, struct result *from)
{
	for (size_t i = 0; i < from->subject_count; i++) {
		struct subject *place = result_add_subject(to, "");
		if (!place)
			return -1;
		*place = from->subjects[i];
		/* Moved: its series are no longer released with `from`. */
		from->subjects[i].metric_count = 0;
	}
	if (result_adopt_warnings(to, from) != 0)
		return -1;
	arena_give_back(&from->arena, from->subjects, from->subject_count * sizeof(*from->subjects));
	from->subject_count = 0;
	arena_adopt(&to->arena, &from->arena);
	to->design.paired = false;
	to->design.order = NULL;
	to->design.order_count = 0;
	to->disturbance = disturbance_none;
	result_release(from);
	return 0;
}

size_t result_side(const struct result *result, size_t subject)
{
	size_t side = result->subjects[subject].side;
	return side == NO_SIDE ? subject : side;
}

size_t result_sides(const struct result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->subjects[i].side != NO_SIDE && result->subjects[i].side >= count)
			count = result->subjects[i].side + 1;
	return count;
}

bool result_has_samples(const struct result *result)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->subjects[i].metric_count > 0 && result->subjects[i].metrics[0].series.n > 0)
			return true;
	return false;
}

struct subject *result_find_subject(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (strcmp(result->subjects[i].name, name) == 0)
			return &result->subjects[i];
	return NULL;
}

struct measurement *subject_find_metric(const struct subject *subject, const char *name)
{
	for (size_t i = 0; i < subject->metric_count; i++)
		if (strcmp(subject->metrics[i].metric.name, name) == 0)
			return &subject->metrics[i];
	return NULL;
}

bool subject_is_over_work(const struct subject *subject, const struct measurement *m)
{
	return subject->work && isnan(m->index->autocorrelation_limit) && !m->phases;
}

bool metric_counts_iterations(const struct metric *metric)
{
	return strcmp(metric->name, METRIC_ITERATIONS) == 0 && metric->unit[0] == '\0';
}

size_t measurement_skip(const struct measurement *measurement, size_t run)
{
	return run < measurement->skip_count ? measurement->skips[run] : measurement->skip;
}

size_t measurement_left_out(const struct measurement *measurement, size_t g)
{
	const struct series *series = &measurement->series;
	unsigned last = series->depth - 2;
	if (series->levels[series->depth - 1] <= LEVEL_ITERATION)
		return measurement_skip(measurement, g);
	size_t low = 0, high = last > 0 ? series->groups[last - 1] : 1;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (series->starts[last - 1][middle] <= g)
			low = middle;
		else
			high = middle;
	}
	size_t first = last > 0 ? series->starts[last - 1][low] : 0;
	bool out = g - first < measurement_skip(measurement, low);
	return out ? series->starts[last][g + 1] - series->starts[last][g] : 0;
}

double measurement_scale(const struct measurement *measurement)
{
	const struct series *series = &measurement->series;
	unsigned last = series->depth - 2;
	double sum = 0;
	size_t n = 0;
	for (size_t run = 0; measurement->mean_kind != MEAN_ARITHMETIC && run < series->groups[last]; run++)
		for (size_t i = series->starts[last][run] + measurement_left_out(measurement, run);
		     i < series->starts[last][run + 1]; i++)
			if (isfinite(series->values[i])) {
				sum += series->values[i];
				n++;
			}
	return fabs(n > 0 ? sum / (double)n : measurement->mean);
}

size_t measurement_runs(const struct measurement *measurement)
{
	const struct series *series = &measurement->series;
	if (measurement->unit < LEVEL_ITERATION)
		return measurement->units;
	for (unsigned k = series->depth - 1; series->n > 0 && k-- > 0;)
		if (series->levels[k] <= LEVEL_RUN)
			return series->groups[k];
	return series->n > 0;
}

int measurement_add_skip(struct result *result, struct measurement *measurement, size_t run, size_t skip)
{
	if (array_add_in(&result->arena, &measurement->skips, run) != 0)
		return -1;
	measurement->skips[run] = skip;
	measurement->skip_count = run + 1;
	measurement->skip = skip > measurement->skip ? skip : measurement->skip;
	return 0;
}

int measurement_join_skips(struct result *result, struct measurement *measurement, const struct measurement *more)
{
	const struct series *have = &measurement->series, *others = &more->series;
	size_t runs = have->groups[have->depth - 2], added = others->groups[others->depth - 2], skip = measurement->skip;
	bool own = measurement->skip_count > 0 || more->skip_count > 0 || (runs > 0 && skip != more->skip);
	for (size_t r = measurement->skip_count; own && r < runs; r++)
		if (measurement_add_skip(result, measurement, r, skip) != 0)
			return -1;
	for (size_t r = 0; own && r < added; r++)
		if (measurement_add_skip(result, measurement, runs + r, measurement_skip(more, r)) != 0)
			return -1;
	measurement->skip = more->skip > skip ? more->skip : skip;
	return 0;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {"undecided", "faster", "slower", "mixed", "same"};
	return names[verdict];
}

const char *gate_name(enum gate gate)
{
	static const char *const names[] = {NULL, "open", "broken", "held", "failed"};
	return names[gate];
}

const char *scope_name(enum scope scope)
{
	static const char *const names[] = {NULL, "typical", "total"};
	return names[scope];
}

const char *mean_kind_name(enum mean_kind kind)
{
	static const char *const names[] = {"arithmetic", "harmonic", "geometric"};
	return names[kind];
}

const char *steady_name(enum steady_state state)
{
	static const char *const names[] = {NULL, "independent", "initialised", "never"};
	return names[state];
}

enum better better_from_unit(const char *unit)
{
	static const char *const per_second[] = {"/s",   "/sec",    "/second", "/ms",   "/us",  "/ns",
	                                         "/min", "/minute", "/h",      "/hour", "hz",   "bps",
	                                         "qps",  "rps",     "tps",     "fps",   "iops", "flops"};
	size_t length = strlen(unit);
	for (size_t i = 0; i < sizeof(per_second) / sizeof(per_second[0]); i++) {
		size_t n = strlen(per_second[i]);
		if (length >= n && strcasecmp(unit + length - n, per_second[i]) == 0)
			return BETTER_HIGHER;
	}
	return BETTER_LOWER;
}

bool metric_is_speed(const struct metric *metric)
{
	if (metric->better == BETTER_HIGHER && better_from_unit(metric->unit) == BETTER_HIGHER)
		return true;
	return strcmp(metric->unit, "s") == 0 || (metric->unit[0] == '\0' && strcmp(metric->name, "value") == 0);
}
