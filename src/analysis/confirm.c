/* Two passes. The first looks at all comparisons with Holm at the level asked for; its suspects are measured again and
 * judged by the fresh runs alone, with Holm over the suspects. Something that did not change is called only when it is
 * unlucky twice. */
#include "analysis/confirm.h"

#include "base/buffer.h"
#include "base/scoped.h"
#include "model/metric.h"

#include <math.h>
#include <string.h>

static bool is_suspect(const struct comparison *c)
{
	return c->gate == GATE_BROKEN;
}

bool confirm_is_needed(const struct result *result)
{
	bool broken = false;
	for (size_t i = 0; i < result->comparison_count; i++)
		broken |= is_suspect(&result->comparisons[i]);
	return broken && result->comparison_count > 1;
}

/* What was confirmed in turns is measured at once first. */
static const char *metric_at_once(struct experiment *experiment, const char *metric)
{
	char *name = arena_strdup(&experiment->arena, metric);
	size_t length = name ? strlen(name) : 0, turns = strlen(METRIC_IN_TURNS);
	if (length > turns && strcmp(name + length - turns, METRIC_IN_TURNS) == 0)
		name[length - turns] = '\0';
	return name;
}

/* Without the others another metric and another design might be chosen, and what they say would be no second word. */
static int keep_manner(struct experiment *experiment, const struct result *result, struct experiment *out,
                       struct error *err)
{
	const char **metric = arena_alloc(&experiment->arena, 1, sizeof(*metric));
	if (!metric || !(*metric = metric_at_once(experiment, result->comparisons[0].metric)))
		return error_memory(err);
	if (experiment->metric_count == 0) {
		out->metrics = metric;
		out->metric_count = 1;
	}
	out->design = result->design.name ? result->design.name : experiment->design;
	return 0;
}

/* The same for benchmarks, each of which has its own. */
static int keep_metrics(struct experiment *experiment, const struct result *result, struct experiment *out,
                        struct error *err)
{
	struct parameter *deciding = arena_alloc(&experiment->arena, result->comparison_count, sizeof(*deciding));
	if (!deciding)
		return error_memory(err);
	out->bench.deciding = deciding;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		const char *name = result->subjects[c->new_].benchmark;
		if (!is_suspect(c) || !name)
			continue;
		const char *metric = metric_at_once(experiment, c->metric);
		if (!metric)
			return error_memory(err);
		deciding[out->bench.deciding_count++] = (struct parameter){.name = name, .value = metric};
	}
	return 0;
}

/* The reference and the suspects. */
static int choose_commands(struct experiment *experiment, const struct result *result, struct experiment *out,
                           struct error *err)
{
	struct experiment_subject *subjects = arena_alloc(&experiment->arena, experiment->subject_count, sizeof(*subjects));
	if (!subjects)
		return error_memory(err);
	subjects[0] = experiment->subjects[experiment->reference];
	out->subject_count = 1;
	for (size_t i = 0; i < result->comparison_count; i++)
		if (is_suspect(&result->comparisons[i]) && result->comparisons[i].new_ < experiment->subject_count)
			subjects[out->subject_count++] = experiment->subjects[result->comparisons[i].new_];
	out->subjects = subjects;
	out->reference = 0;
	return 0;
}

static void add_escaped(struct buffer *out, const char *name)
{
	for (; *name; name++) {
		if (strchr("\\^$.[]|()*+?{}", *name))
			buffer_char(out, '\\');
		buffer_char(out, *name);
	}
}

/* A filter that only the suspects match. */
static int choose_benchmarks(struct experiment *experiment, const struct result *result, struct experiment *out,
                             struct error *err)
{
	SCOPED(buffer) struct buffer filter = {0};
	/* Names are without the parameter that the sides differ in: all are measured again then. */
	if (experiment->bench.vary)
		return 0;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		const char *name = result->subjects[c->new_].benchmark;
		if (!is_suspect(c) || !name)
			continue;
		buffer_text_add(&filter, filter.length ? "|^" : "^");
		add_escaped(&filter, name);
		buffer_char(&filter, '$');
	}
	out->bench.filter = buffer_error(&filter, NULL) == 0 ? arena_strdup(&experiment->arena, buffer_text(&filter))
	                                                     : NULL;
	return out->bench.filter ? 0 : error_memory(err);
}

int confirm_experiment(struct experiment *experiment, const struct result *result, bool commands_are_subjects,
                       struct experiment *out, struct error *err)
{
	*out = *experiment;
	out->earlier = NULL;
	out->seed = experiment->seed + 1;
	int status = commands_are_subjects ? keep_manner(experiment, result, out, err)
	                                   : keep_metrics(experiment, result, out, err);
	if (status != 0)
		return -1;
	return commands_are_subjects ? choose_commands(experiment, result, out, err)
	                             : choose_benchmarks(experiment, result, out, err);
}

/* In fresh runs the size may be confirmed in turns, or there was no time for it. */
static const struct comparison *find(const struct result *second, const char *name, const char *metric)
{
	for (size_t i = 0; i < second->comparison_count; i++)
		if (strcmp(second->subjects[second->comparisons[i].new_].name, name) == 0 &&
		    metric_is_same(second->comparisons[i].metric, metric))
			return &second->comparisons[i];
	return NULL;
}

int confirm_apply(struct result *result, const struct result *second, struct error *err)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		if (!is_suspect(c))
			continue;
		const char *name = result->subjects[c->new_].name;
		const struct comparison *again = find(second, name, c->metric);
		int status;
		c->gate = again && again->gate != GATE_NONE ? again->gate : GATE_OPEN;
		c->gate_why = again && again->gate_why ? arena_strdup(&result->arena, again->gate_why) : NULL;
		if (!again || isnan(again->ratio))
			status = result_warn(result, "unconfirmed",
			                     "%s broke the gate and could not be measured again: it is left open", name);
		else if (c->gate == GATE_BROKEN)
			status = result_warn(result, "confirmed", "%s broke the gate, and again in fresh runs (%+.1f %% there)",
			                     name, (again->ratio - 1) * 100);
		else
			status = result_warn(result, "unconfirmed",
			                     "%s broke the gate, but not in fresh runs (%+.1f %% there): it is not called", name,
			                     (again->ratio - 1) * 100);
		if (status != 0)
			return error_memory(err);
	}
	return 0;
}
