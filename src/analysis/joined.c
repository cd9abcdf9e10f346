/* Each build was a whole session with an analysis of its own, which says nothing about other builds and is dropped; the
 * samples stay. Pairs stay pairs: what was measured together was measured together in each build. */
#include "analysis/joined.h"

#include "analysis/measurement.h"

#include <math.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static struct subject *find_subject(const struct result *result, const struct subject *like)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		struct subject *subject = &result->subjects[i];
		if (same_text(subject->name, like->name) && subject->side == like->side &&
		    same_text(subject->benchmark, like->benchmark) && same_text(subject->program, like->program) &&
		    subject_same_parameters(subject, like))
			return subject;
	}
	return NULL;
}

static struct subject *add_subject(struct result *result, const struct subject *like)
{
	struct subject *subject = result_add_subject(result, like->name);
	if (!subject)
		return NULL;
	*subject = *like;
	subject->metrics = NULL;
	subject->failures = NULL;
	subject->builds = NULL;
	subject->metric_count = subject->failure_count = subject->build_count = 0;
	subject->work = NULL;
	subject->overhead = NULL;
	return subject;
}

static struct measurement *add_metric(struct result *result, struct subject *subject, const struct measurement *like)
{
	enum level levels[LEVEL_COUNT] = {LEVEL_BUILD};
	const struct series *series = &like->series;
	memcpy(levels + 1, series->levels, series->depth * sizeof(*levels));
	struct measurement *m = result_add_metric(result, subject, like->metric.name, like->metric.unit,
	                                          like->metric.better, levels, series->depth + 1);
	struct index_goal *index = m ? measurement_own_index(result, m) : NULL;
	if (!index)
		return NULL;
	index->wanted = like->index->wanted;
	m->mean_kind = like->mean_kind;
	m->pair_set = like->pair_set;
	return m;
}

/* What a repetition of each level has cost, as the mean over the builds; kept in the levels until the analysis fills
 * them. */
static int add_costs(struct result *result, struct measurement *m, const struct description *from)
{
	struct description *to = measurement_own_description(result, m);
	if (!to)
		return -1;
	for (size_t i = 0; i < from->level_count; i++) {
		size_t k = 0;
		while (k < to->level_count && to->levels[k].level != from->levels[i].level)
			k++;
		if (!isfinite(from->levels[i].cost) || k == LEVEL_COUNT)
			continue;
		if (k == to->level_count) {
			struct level_share *added = description_add_level(result, to);
			if (!added)
				return -1;
			*added = (struct level_share){.level = from->levels[i].level};
		}
		to->levels[k].n++;
		to->levels[k].cost += (from->levels[i].cost - to->levels[k].cost) / to->levels[k].n;
	}
	return 0;
}

static int add_samples(struct joined *joined, const struct subject *one, struct error *err)
{
	struct result *result = joined->result;
	struct subject *subject = find_subject(result, one);
	if (!subject && !(subject = add_subject(result, one)))
		return error_memory(err);
	for (size_t i = 0; i < one->failure_count; i++)
		if (result_add_failure(result, subject, one->failures[i]) != 0)
			return error_memory(err);
	for (size_t i = 0; i < one->build_count; i++)
		if (result_add_build(result, subject, &one->builds[i]) != 0)
			return error_memory(err);
	for (size_t i = 0; i < one->metric_count; i++) {
		const struct measurement *from = &one->metrics[i];
		struct measurement *m = subject_find_metric(subject, from->metric.name);
		/* Phases are of the runs of one build. */
		if (from->series.n == 0 || from->phases)
			continue;
		if (!m && !(m = add_metric(result, subject, from)))
			return error_memory(err);
		m->quantum = fmax(m->quantum, from->quantum);
		if (add_costs(result, m, from->described) != 0 || measurement_join_skips(result, m, from) != 0)
			return error_memory(err);
		if (series_append_all(&m->series, &from->series, 0, err) != 0)
			return -1;
	}
	return 0;
}

static int add_order(struct joined *joined, const struct design_info *from, struct error *err)
{
	struct design_info *design = &joined->result->design;
	size_t count = design->order_count + from->order_count;
	const char **order = arena_alloc(&joined->result->arena, count + 1, sizeof(*order));
	if (!order)
		return error_memory(err);
	if (design->order_count)
		memcpy(order, design->order, design->order_count * sizeof(*order));
	if (from->order_count)
		memcpy(order + design->order_count, from->order, from->order_count * sizeof(*order));
	design->order = order;
	design->order_count = count;
	return 0;
}

/* What the first build says holds for all: machine, design, what is compared. */
static int begin(struct joined *joined, const struct result *one, struct error *err)
{
	struct result *result = joined->result;
	result->host = one->host;
	result->seed = one->seed;
	result->name = one->name;
	result->calibration = one->calibration;
	result->monitoring = one->monitoring;
	result->stopped.rule = one->stopped.rule;
	result->design = one->design;
	result->design.order = NULL;
	result->design.order_count = 0;
	result->design.levels[0] = LEVEL_BUILD;
	memcpy(result->design.levels + 1, one->design.levels, one->design.level_count * sizeof(*one->design.levels));
	result->design.level_count = one->design.level_count + 1;
	joined->couples = arena_alloc(&result->arena, one->comparison_count + 1, sizeof(*joined->couples));
	if (!joined->couples)
		return error_memory(err);
	for (size_t i = 0; i < one->comparison_count; i++)
		joined->couples[i] = (struct couple){
			.base = one->comparisons[i].base, .new_ = one->comparisons[i].new_, .metric = one->comparisons[i].metric};
	joined->couple_count = one->comparison_count;
	return 0;
}

/* Each share as it was in the worst build; what was not known in one is not known. */
static void add_disturbance(struct disturbance *to, const struct disturbance *from, bool first)
{
	struct disturbance before = *to;
	*to = *from;
	if (first)
		return;
	to->load_start = before.load_start;
	to->frequency_start = before.frequency_start;
	double *mine[] = {&to->steal,           &to->pressure_cpu,      &to->pressure_io,
	                  &to->pressure_memory, &to->throttled_periods, &to->throttled_seconds,
	                  &to->slowed_by_heat,  &to->disturbed,         &to->preempted,
	                  &to->migrated,        &to->frequency_changed};
	const double earlier[] = {before.steal,           before.pressure_cpu,      before.pressure_io,
	                          before.pressure_memory, before.throttled_periods, before.throttled_seconds,
	                          before.slowed_by_heat,  before.disturbed,         before.preempted,
	                          before.migrated,        before.frequency_changed};
	for (size_t i = 0; i < sizeof(mine) / sizeof(mine[0]); i++)
		if (isnan(earlier[i]) || *mine[i] < earlier[i])
			*mine[i] = earlier[i];
	if (!to->changed)
		to->changed = before.changed;
}

int joined_add(struct joined *joined, struct result *one, struct error *err)
{
	int status = joined->builds == 0 ? begin(joined, one, err) : 0;
	for (size_t i = 0; i < one->subject_count && status == 0; i++)
		status = add_samples(joined, &one->subjects[i], err);
	if (status == 0 && joined->ordered)
		status = add_order(joined, &one->design, err);
	if (status == 0 && result_adopt_session_warnings(joined->result, one) != 0)
		status = error_memory(err);
	add_disturbance(&joined->result->disturbance, &one->disturbance, joined->builds == 0);
	joined->builds++;
	/* Names and texts are shared from now on. */
	arena_adopt(&joined->result->arena, &one->arena);
	for (size_t i = 0; i < one->subject_count; i++)
		for (size_t m = 0; m < one->subjects[i].metric_count; m++)
			series_release(&one->subjects[i].metrics[m].series);
	map_release(&one->warning_codes);
	map_release(&one->warning_keys);
	one->subject_count = 0;
	return status;
}

/* Subjects and samples of what is joined. */
static int copy_samples(struct result *out, const struct result *from, struct error *err)
{
	for (size_t s = 0; s < from->subject_count; s++) {
		struct subject *subject = add_subject(out, &from->subjects[s]);
		if (!subject)
			return error_memory(err);
		for (size_t i = 0; i < from->subjects[s].metric_count; i++) {
			const struct measurement *like = &from->subjects[s].metrics[i];
			struct measurement *m = result_add_metric(out, subject, like->metric.name, like->metric.unit,
			                                          like->metric.better, like->series.levels, like->series.depth);
			if (!m)
				return error_memory(err);
			if (series_append_all(&m->series, &like->series, 0, err) != 0)
				return -1;
		}
	}
	return 0;
}

int joined_preview(const struct joined *joined, const struct result *one, struct result *out, struct error *err)
{
	const struct result *so_far = joined->result;
	struct joined both = {.result = out, .ordered = joined->ordered};
	result_init(out);
	out->version = so_far->version;
	out->started = so_far->started;
	out->argv = so_far->argv;
	out->argc = so_far->argc;
	int status = begin(&both, one, err);
	out->name = so_far->name ? so_far->name : one->name;
	if (status == 0)
		status = copy_samples(out, so_far, err);
	if (status == 0 && joined->ordered)
		status = add_order(&both, &so_far->design, err);
	for (size_t i = 0; i < one->subject_count && status == 0; i++)
		status = add_samples(&both, &one->subjects[i], err);
	if (status == 0 && joined->ordered)
		status = add_order(&both, &one->design, err);
	if (status != 0)
		result_release(out);
	return status;
}

/* The analysis knows no times: what each level costs comes from the builds. */
static void set_costs(const struct subject *subject, struct description *described, const struct description *known)
{
	double builds = 0;
	for (size_t i = 0; i < subject->build_count; i++)
		builds += subject->builds[i].seconds;
	for (size_t i = 0; i < described->level_count; i++) {
		struct level_share *level = &described->levels[i];
		if (level->level == LEVEL_BUILD && subject->build_count > 0)
			level->cost = builds / (double)subject->build_count;
		for (size_t k = 0; k < known->level_count; k++)
			if (known->levels[k].level == level->level)
				level->cost = known->levels[k].cost;
	}
}

static int analyse(struct result *result, struct subject *subject, struct measurement *m,
                   const struct analysis_options *options, struct error *err)
{
	const struct description *known = m->described;
	struct description *described = measurement_own_description(result, m);
	if (!described)
		return error_memory(err);
	described->levels = NULL;
	described->level_count = 0;
	if (analyse_measurement(result, subject, m, options, err) != 0)
		return -1;
	if (!(described = measurement_own_description(result, m)))
		return error_memory(err);
	set_costs(subject, described, known);
	return 0;
}

int joined_conclude(struct joined *joined, const struct analysis_options *options, struct error *err)
{
	struct result *result = joined->result;
	struct analysis_options own = *options;
	for (size_t s = 0; s < result->subject_count; s++) {
		struct subject *subject = &result->subjects[s];
		/* Where pairs decide, what the runs of one side alone are like is beside the point. */
		own.deciding = joined->couple_count > 0 ? "" : subject->metric ? subject->metric : options->deciding;
		for (size_t m = 0; m < subject->metric_count; m++)
			if (analyse(result, subject, &subject->metrics[m], &own, err) != 0)
				return -1;
	}
	return joined->couple_count > 0 ? analyse_couples(result, joined->couples, joined->couple_count, options, err) : 0;
}
