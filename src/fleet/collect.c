#include "fleet/collect.h"

#include "analysis/analysis.h"
#include "base/memory.h"
#include "exchange/import.h"
#include "fleet/gather.h"
#include "model/machines.h"
#include "model/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool fleet_knows(const struct fleet_experiment *experiment, const char *name)
{
	for (size_t i = 0; i < experiment->name_count; i++)
		if (strcmp(experiment->names[i], name) == 0)
			return true;
	return experiment->name_count == 0;
}

const char *fleet_metric(const struct fleet_experiment *experiment, const char *metric)
{
	return metric_is_in_turns(metric, experiment->metric) ? experiment->metric : metric;
}

/* The worker has checked it; whoever can write to the folder may have put it there. */
int fleet_check_result(const struct fleet_folder *folder, const struct result *result, struct error *err)
{
	const struct fleet_experiment *experiment = &folder->experiment;
	if (!machines_only(result))
		return error_set(err, ERROR_INPUT, "it does not say on which machine it was measured");
	if (!result->design.name || strcmp(result->design.name, experiment->design) != 0)
		return error_set(err, ERROR_INPUT, "it was measured by another design");
	for (size_t i = 0; i < result->comparison_count; i++)
		if (experiment->metric[0] &&
		    strcmp(fleet_metric(experiment, result->comparisons[i].metric), experiment->metric) != 0)
			return error_set(err, ERROR_INPUT, "it was judged by another metric");
	for (size_t s = 0; s < result->subject_count; s++)
		if (!fleet_knows(experiment, result->subjects[s].name))
			return error_set(err, ERROR_INPUT, "it is of another command");
	return 0;
}

static void drop_turns(const struct fleet_experiment *experiment, struct subject *subject, const char *at_once)
{
	size_t kept = 0;
	for (size_t m = 0; m < subject->metric_count; m++)
		if (metric_is_in_turns(subject->metrics[m].metric.name, experiment->metric))
			series_release(&subject->metrics[m].series);
		else
			subject->metrics[kept++] = subject->metrics[m];
	subject->metric_count = kept;
	if (subject->metric && metric_is_in_turns(subject->metric, experiment->metric))
		subject->metric = at_once;
}

/* Not every machine has measured in turns, and those that did are the ones that saw a difference: all are judged by what
 * each has, the frozen metric at once. The values in turns stay in the slot. */
static int use_frozen(const struct fleet_experiment *experiment, struct result *result, struct error *err)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		if (!metric_is_in_turns(c->metric, experiment->metric))
			continue;
		const struct measurement *base = subject_find_metric(&result->subjects[c->base], experiment->metric);
		const struct measurement *new_ = subject_find_metric(&result->subjects[c->new_], experiment->metric);
		if (!base || !new_)
			return error_set(err, ERROR_INPUT, "it has only the values that were measured in turns");
		c->metric = base->metric.name;
	}
	for (size_t s = 0; s < result->subject_count; s++) {
		struct subject *subject = &result->subjects[s];
		const struct measurement *m = subject_find_metric(subject, experiment->metric);
		if (m)
			drop_turns(experiment, subject, m->metric.name);
	}
	return 0;
}

int fleet_warn_of_sizes(struct result *result, struct error *err)
{
	int status = result_drop_warnings_of(result, "cache-company");
	if (status == 0)
		status = result_drop_warnings_of(result, "size-unconfirmed");
	bool shared = result->design.name && strcmp(result->design.name, "shared") == 0;
	for (size_t i = 0; status == 0 && shared && i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (c->verdict != VERDICT_UNDECIDED && c->verdict != VERDICT_SAME)
			status = result_about_warn(result, "size-unconfirmed", subject_title(&result->subjects[c->new_]),
			                           "the size is that of both on one CPU; what each machine measured in turns is "
			                           "in its slot");
	}
	return status == 0 ? 0 : error_memory(err);
}

int fleet_read_chunk(const struct fleet_folder *folder, size_t slot, size_t chunk, struct result *out,
                     struct error *err)
{
	char path[FLEET_PATH];
	if (fleet_chunk_path(folder, slot, chunk, path, err) != 0)
		return -1;
	result_init(out);
	int status = import_file(path, NULL, out, err);
	if (status != 0 && err->kind == ERROR_NO_DATA)
		err->kind = ERROR_INPUT; /* an empty file is not one that is missing */
	if (status == 0)
		status = fleet_check_result(folder, out, err);
	/* Each chunk was measured with a seed of its own. */
	if (status == 0 && out->seed != fleet_chunk_seed(&folder->experiment, slot, chunk))
		status = error_set(err, ERROR_INPUT, "it is the result of another slot");
	if (status == 0)
		status = use_frozen(&folder->experiment, out, err);
	if (status != 0)
		result_release(out);
	return status;
}

static int tell_unused(struct result *out, size_t slot, const struct error *why, struct error *err)
{
	char text[400];
	error_text(why, text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	return result_warn(out, "fleet", "slot %zu: a result is not used: %s", slot, text) == 0 ? 0 : error_memory(err);
}

/* What the slots that are whole have cost. */
struct slot_costs {
	size_t chunks; /* in the result */
	double beside; /* seconds beside measuring: in the queue, copying, starting */
	size_t slots;  /* of which that is known */
};

/* A slot's own, once all of its chunks are there; `measured` is what these say themselves. */
static void add_cost(const struct fleet_folder *folder, size_t slot, const struct fleet_slot *state, double measured,
                     struct slot_costs *costs)
{
	char name[64];
	snprintf(name, sizeof(name), "slot/%zu.%zu.json.gz", slot, folder->experiment.chunks - 1);
	double beside = fleet_time(folder, name) - state->asked - measured;
	if (state->chunks < folder->experiment.chunks || !isfinite(beside))
		return;
	costs->beside += fmax(beside, 0);
	costs->slots++;
}

/* A plan weighs one machine more against more runs on each. */
static void set_cost(const struct slot_costs *costs, struct result *out)
{
	for (size_t s = 0; costs->slots > 0 && s < out->subject_count; s++)
		for (size_t m = 0; m < out->subjects[s].metric_count; m++) {
			double *own = measurement_own_costs(out, &out->subjects[s].metrics[m]);
			if (own)
				own[LEVEL_MACHINE] = costs->beside / (double)costs->slots;
		}
}

/* Warnings that must outlast the merging into `out` are kept apart. */
static int add_slot(const struct fleet_folder *folder, size_t slot, const struct fleet_slot *state, struct result *out,
                    struct result *notes, struct slot_costs *costs, struct error *err)
{
	double measured = 0;
	for (size_t c = 0; c < folder->experiment.chunks; c++) {
		struct result one;
		struct error why;
		if (fleet_read_chunk(folder, slot, c, &one, &why) != 0) {
			if (why.kind != ERROR_NO_DATA && tell_unused(notes, slot, &why, err) != 0)
				return -1;
			continue;
		}
		measured += one.elapsed;
		if (out->subject_count == 0) {
			result_release(out);
			*out = one;
			if (machines_make_level(out, err) != 0)
				return -1;
		} else if (machines_add(out, &one, &why) != 0) {
			int told = why.kind == ERROR_MEMORY ? error_memory(err) : tell_unused(notes, slot, &why, err);
			result_release(&one);
			if (told != 0)
				return -1;
			continue;
		}
		costs->chunks++;
	}
	add_cost(folder, slot, state, measured, costs);
	return 0;
}

static int compare(const struct fleet_folder *folder, const struct fleet_look *look, struct result *result,
                   struct error *err)
{
	struct analysis_options options;
	fleet_experiment_analysis(&folder->experiment, &options);
	options.skip = SKIP_AS_SET;
	options.looked_at_machines = look->looked;
	size_t count = result->comparison_count;
	/* Where pairs decide, what one side is like alone is beside the point. */
	options.deciding = count > 0 && result->design.paired ? "" : NULL;
	if (analyse_subjects(result, &options, err) != 0)
		return -1;
	options.deciding = NULL;
	struct couple *couples = mem_alloc(count + 1, sizeof(*couples));
	if (!couples)
		return error_memory(err);
	for (size_t i = 0; i < count; i++)
		couples[i] = (struct couple){.base = result->comparisons[i].base,
		                             .new_ = result->comparisons[i].new_,
		                             .metric = result->comparisons[i].metric};
	result->comparison_count = 0;
	int status = analyse_couples(result, couples, count, &options, err);
	mem_free(couples);
	return status;
}

/* Why a slot has less than it should. */
static int tell_failures(const struct fleet_folder *folder, const struct fleet_look *look,
                         const struct fleet_slot *slots, struct result *out, struct error *err)
{
	int status = 0;
	for (size_t i = 0; status == 0 && i < look->count; i++) {
		size_t k = look->slots[i], chunks = folder->experiment.chunks;
		const struct fleet_slot *slot = &slots[k];
		struct buffer why = {0};
		struct error none;
		char name[64];
		snprintf(name, sizeof(name), "failed/%zu.%zu", k, slot->failures > 0 ? slot->failures - 1 : 0);
		if (slot->failures > 0 && fleet_read(folder, name, 4096, &why, &none) == 0 && why.length > 0)
			why.data[strcspn(why.data, "\n")] = '\0';
		if (slot->chunks < chunks &&
		    result_warn(out, "fleet", "slot %zu has %zu of %zu chunks%s%.400s: its machine may be the slow one", k,
		                slot->chunks, chunks, why.length ? "; it failed on " : "", buffer_text(&why)) != 0)
			status = error_memory(err);
		else if (slot->chunks == chunks && slot->failures > 0 &&
		         result_warn(out, "fleet", "slot %zu is done; before, it failed on %.400s", k, buffer_text(&why)) != 0)
			status = error_memory(err);
		else if (slot->chunks == chunks && slot->failures == 0 && slot->tries > 1 &&
		         result_warn(out, "fleet", "slot %zu is done; its job had to be submitted %zu times", k, slot->tries) !=
		             0)
			status = error_memory(err);
		buffer_release(&why);
	}
	return status;
}

void fleet_adopt(struct result *out, struct result *found)
{
	/* What the caller knows better: who asked, when, and under which name. */
	const char *version = out->version, *started = out->started, **argv = out->argv;
	size_t argc = out->argc;
	arena_adopt(&found->arena, &out->arena);
	*out = *found;
	out->version = version;
	out->started = started;
	out->argv = argv;
	out->argc = argc;
}

int fleet_collect(const struct fleet_folder *folder, const struct fleet_look *look, struct result *out,
                  struct error *err)
{
	struct result all, notes;
	struct arena arena = {0};
	struct fleet_slot *slots;
	struct slot_costs costs = {0};
	bool large = fleet_is_large(folder, look);
	result_init(&all);
	result_init(&notes);
	int status = fleet_slots(folder, &arena, &slots, err);
	if (status == 0 && large)
		status = fleet_gather(folder, look, &all, err);
	for (size_t i = 0; status == 0 && !large && i < look->count; i++)
		status = add_slot(folder, look->slots[i], &slots[look->slots[i]], &all, &notes, &costs, err);
	if (status == 0 && !large && costs.chunks == 0) {
		status = error_set(err, ERROR_NO_DATA, "no slot has a result%s%s", notes.warning_count ? ": " : "",
		                   notes.warning_count ? notes.warnings[0].text : "");
		error_next(err, "'tare fleet status' says what happened");
	}
	set_cost(&costs, &all);
	all.design.strata = strcmp(folder->experiment.strata, "none") == 0 ? "none" : NULL;
	if (status == 0 && !large)
		status = compare(folder, look, &all, err);
	if (status == 0)
		status = fleet_warn_of_sizes(&all, err);
	if (status == 0 && result_adopt_warnings(&all, &notes) != 0)
		status = error_memory(err);
	if (status == 0)
		status = tell_failures(folder, look, slots, &all, err);
	result_release(&notes);
	arena_release(&arena);
	if (status == 0)
		fleet_adopt(out, &all);
	else
		result_release(&all);
	return status;
}
