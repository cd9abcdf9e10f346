#include "fleet/gather.h"

#include "analysis/machine_sizes.h"
#include "analysis/numbers.h"
#include "analysis/whole.h"
#include "base/map.h"
#include "base/memory.h"
#include "fleet/summary.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const double large_bytes = 16 << 20; /* packed; merged in memory they are fifteen times as much */

/* All machines, and for each comparison what each of them says; a machine that says nothing of one has no units. */
struct gathering {
	const struct fleet_folder *folder;
	struct result *out;
	struct map machines;             /* by id */
	struct machine_numbers *numbers; /* [machine · comparisons + comparison] */
	size_t capacity, comparisons;
	size_t *runs, *counted;  /* of each subject that is compared: runs that were begun, and the last chunk of which */
	size_t subjects, chunks; /* of the first chunk; so far */
};

bool fleet_is_large(const struct fleet_folder *folder, const struct fleet_look *look)
{
	double bytes = 0;
	for (size_t i = 0; i < look->count; i++)
		for (size_t c = 0; c < folder->experiment.chunks; c++) {
			char path[FLEET_PATH];
			struct stat info;
			struct error none;
			if (fleet_chunk_path(folder, look->slots[i], c, path, &none) == 0 && stat(path, &info) == 0)
				bytes += (double)info.st_size;
		}
	return bytes > large_bytes;
}

/* Subjects, design and comparisons from the first chunk that can be read; its samples are not kept. */
static int begin(struct gathering *g, const struct fleet_look *look, struct error *err)
{
	struct error why;
	char text[200];
	int status = error_set(err, ERROR_NO_DATA, "no slot has a result");
	for (size_t i = 0, refused = 0; status != 0 && i < look->count; i++)
		for (size_t c = 0; status != 0 && c < g->folder->experiment.chunks; c++) {
			status = fleet_read_chunk(g->folder, look->slots[i], c, g->out, &why);
			if (status == 0 || why.kind == ERROR_NO_DATA || refused++ > 0)
				continue;
			error_text(&why, text, sizeof(text));
			text[strcspn(text, "\n")] = '\0';
			error_set(err, ERROR_NO_DATA, "no slot has a result: slot %zu: %s", look->slots[i], text);
		}
	if (status != 0)
		return -1;
	static const enum level levels[] = {LEVEL_MACHINE, LEVEL_RUN, LEVEL_ITERATION};
	struct result *out = g->out;
	for (size_t s = 0; s < out->subject_count; s++) {
		struct subject *subject = &out->subjects[s];
		size_t kept = 0;
		for (size_t m = 0; m < subject->metric_count; m++) {
			bool compared = false;
			for (size_t k = 0; k < out->comparison_count; k++)
				compared |= (out->comparisons[k].base == s || out->comparisons[k].new_ == s) &&
				            strcmp(out->comparisons[k].metric, subject->metrics[m].metric.name) == 0;
			series_release(&subject->metrics[m].series);
			if (!compared)
				continue;
			struct measurement one = subject->metrics[m];
			series_init(&one.series, levels, 3);
			one.skip = one.skip_count = one.iteration = 0;
			one.skips = NULL;
			one.quantum = 0;
			one.lost = 0;
			subject->metrics[kept++] = one;
		}
		subject->metric_count = kept;
		subject->failure_count = 0; /* those of all slots come from the summaries */
		subject->failures = NULL;
	}
	memcpy(out->design.levels, levels, sizeof(levels));
	out->design.level_count = 3;
	out->design.order = NULL;
	out->design.order_count = 0;
	out->design.machines = NULL;
	out->design.machine_count = 0;
	g->comparisons = out->comparison_count;
	g->subjects = out->subject_count;
	g->runs = arena_alloc(&out->arena, out->subject_count, sizeof(*g->runs));
	g->counted = arena_alloc(&out->arena, out->subject_count, sizeof(*g->counted));
	if (!g->runs || !g->counted)
		return error_memory(err);
	memset(g->runs, 0, out->subject_count * sizeof(*g->runs));
	memset(g->counted, 0, out->subject_count * sizeof(*g->counted));
	result_drop_warnings(out, 0);
	return 0;
}

static int more_room(struct gathering *g, struct error *err)
{
	size_t capacity = g->capacity ? 2 * g->capacity : 64;
	struct machine_numbers *numbers = mem_resize(g->numbers, capacity * g->comparisons, sizeof(*numbers));
	if (!numbers)
		return error_memory(err);
	g->numbers = numbers;
	struct machine_info *machines = arena_alloc(&g->out->arena, capacity, sizeof(*machines));
	if (!machines)
		return error_memory(err);
	memset(numbers + g->capacity * g->comparisons, 0, (capacity - g->capacity) * g->comparisons * sizeof(*numbers));
	if (g->capacity)
		memcpy(machines, g->out->design.machines, g->capacity * sizeof(*machines));
	g->out->design.machines = machines;
	g->capacity = capacity;
	return 0;
}

static int place(struct gathering *g, const struct machine_info *machine, size_t *at, struct error *err)
{
	struct design_info *design = &g->out->design;
	uint32_t id = map_text(&g->machines, machine->id, strlen(machine->id));
	if (id == MAP_NONE)
		return error_memory(err);
	*at = id;
	if (id < design->machine_count) {
		design->machines[id].results++;
		return 0;
	}
	if (design->machine_count == g->capacity && more_room(g, err) != 0)
		return -1;
	struct arena *arena = &g->out->arena;
	struct machine_info *own = &design->machines[design->machine_count++];
	*own = *machine;
	own->id = arena_strdup(arena, machine->id);
	own->name = machine->name ? arena_strdup(arena, machine->name) : NULL;
	/* Machines of a kind share the text. */
	const char *before = design->machine_count > 1 ? own[-1].cpu : NULL;
	own->cpu = !machine->cpu                                 ? NULL
	           : before && strcmp(before, machine->cpu) == 0 ? before
	                                                         : arena_strdup(arena, machine->cpu);
	return own->id && (own->name || !machine->name) && (own->cpu || !machine->cpu) ? 0 : error_memory(err);
}

static size_t find_row(const struct gathering *g, const struct fleet_summary_row *row, size_t hint)
{
	const struct result *out = g->out;
	for (size_t n = 0; n < g->comparisons; n++) {
		size_t i = (hint + n) % g->comparisons;
		const struct comparison *c = &out->comparisons[i];
		if (strcmp(out->subjects[c->base].name, row->base) == 0 &&
		    strcmp(out->subjects[c->new_].name, row->new_) == 0 && strcmp(c->metric, row->metric) == 0)
			return i;
	}
	return SIZE_MAX;
}

static enum mean_kind kind_of(const struct result *result, const struct comparison *c)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	return m ? m->mean_kind : MEAN_ARITHMETIC;
}

/* As a result is checked that is read whole: what is not known from the first chunk may still be of this fleet. */
static int check(const struct gathering *g, const struct fleet_summary *summary, size_t slot, size_t chunk,
                 struct error *err)
{
	const struct fleet_experiment *experiment = &g->folder->experiment;
	size_t known = 0;
	if (strcmp(summary->design, experiment->design) != 0)
		return error_set(err, ERROR_INPUT, "it was measured by another design");
	if (summary->complete && summary->seed != fleet_chunk_seed(experiment, slot, chunk))
		return error_set(err, ERROR_INPUT, "it is the result of another slot");
	for (size_t i = 0; i < summary->count; i++) {
		const struct fleet_summary_row *row = &summary->rows[i];
		if (experiment->metric[0] && strcmp(row->metric, experiment->metric) != 0)
			return error_set(err, ERROR_INPUT, "it was judged by another metric");
		if (find_row(g, row, i) < SIZE_MAX)
			known++;
		else if (!fleet_knows(experiment, row->base) || !fleet_knows(experiment, row->new_))
			return error_set(err, ERROR_INPUT, "it is of another command");
	}
	for (size_t i = 0; i < summary->failure_count; i++)
		if (!fleet_knows(experiment, summary->failures[i].subject))
			return error_set(err, ERROR_INPUT, "it is of another command");
	return known > 0 ? 0 : error_set(err, ERROR_INPUT, "it is of other commands");
}

static int read_summary(const struct gathering *g, size_t slot, size_t chunk, struct fleet_summary *out,
                        struct error *err)
{
	char path[FLEET_PATH];
	struct result whole;
	memset(out, 0, sizeof(*out));
	if (fleet_chunk_path(g->folder, slot, chunk, path, err) != 0 || fleet_summary_read(out, path, err) != 0 ||
	    check(g, out, slot, chunk, err) != 0)
		return -1;
	if (out->complete)
		return 0;
	if (fleet_read_chunk(g->folder, slot, chunk, &whole, err) != 0)
		return -1;
	int status = fleet_summary_complete(out, &whole, err);
	arena_adopt(&out->arena, &whole.arena);
	result_release(&whole);
	return status;
}

static struct subject *find_subject(struct result *out, const char *name)
{
	for (size_t s = 0; s < out->subject_count; s++)
		if (strcmp(out->subjects[s].name, name) == 0)
			return &out->subjects[s];
	return result_add_subject(out, name);
}

/* What a gate heeds beside the numbers. */
static int add_flaws(struct gathering *g, const struct fleet_summary *summary)
{
	struct result *out = g->out;
	int status = 0;
	for (size_t i = 0; status == 0 && i < summary->failure_count; i++) {
		const struct fleet_failures *failures = &summary->failures[i];
		struct subject *subject = find_subject(out, failures->subject);
		status = subject ? 0 : -1;
		for (size_t n = 0; status == 0 && n < failures->count; n++)
			status = result_add_failure(out, subject, (struct failure){failures->what, 0, failures->exit_code});
	}
	for (size_t i = 0; status == 0 && i < summary->warning_count; i++) {
		const struct warning *warning = &summary->warnings[i];
		status = warning->about ? result_about_warn(out, warning->code, warning->about, "%s", warning->text)
		                        : result_warn(out, warning->code, "%s", warning->text);
	}
	return status;
}

/* A subject may be in several rows. */
static void add_runs(struct gathering *g, size_t subject, size_t runs)
{
	if (g->counted[subject] == g->chunks)
		return;
	g->counted[subject] = g->chunks;
	g->runs[subject] += runs;
}

static int add(struct gathering *g, size_t slot, size_t chunk, bool *used, struct error *err)
{
	struct fleet_summary summary;
	struct error why;
	char text[300];
	size_t machine;
	*used = false;
	int status = read_summary(g, slot, chunk, &summary, &why);
	if (status != 0) {
		fleet_summary_release(&summary);
		if (why.kind == ERROR_NO_DATA)
			return 0;
		error_text(&why, text, sizeof(text));
		text[strcspn(text, "\n")] = '\0';
		return result_warn(g->out, "fleet", "slot %zu: a result is not used: %s", slot, text) == 0 ? 0
		                                                                                           : error_memory(err);
	}
	g->chunks++;
	status = place(g, &summary.machine, &machine, err);
	if (status == 0 && add_flaws(g, &summary) != 0)
		status = error_memory(err);
	for (size_t i = 0; status == 0 && i < summary.count; i++) {
		size_t at = find_row(g, &summary.rows[i], i);
		if (at == SIZE_MAX)
			continue;
		const struct comparison *c = &g->out->comparisons[at];
		struct measurement *m = subject_find_metric(&g->out->subjects[c->new_], c->metric);
		add_runs(g, c->base, summary.rows[i].runs[0]);
		add_runs(g, c->new_, summary.rows[i].runs[1]);
		if (m)
			m->lost += summary.rows[i].strange;
		struct machine_numbers *have = &g->numbers[machine * g->comparisons + at];
		if (have->units > 0 && summary.rows[i].numbers.units > 0)
			machine_numbers_join(have, &summary.rows[i].numbers, kind_of(g->out, c));
		else if (have->units == 0)
			*have = summary.rows[i].numbers;
		have->machine = machine;
	}
	fleet_summary_release(&summary);
	*used = true;
	return status;
}

static size_t most_pairs(const struct gathering *g, size_t at)
{
	size_t most = 0;
	for (size_t m = 0; m < g->out->design.machine_count; m++) {
		size_t pairs = g->numbers[m * g->comparisons + at].pairs;
		most = pairs > most ? pairs : most;
	}
	return most;
}

/* One comparison: the numbers of the machines that have some, and their means as samples. A machine with far fewer pairs
 * than another has no ratio of its own; that all pairs together have one instead, however few machines are left, the
 * numbers do not tell. */
static int conclude(struct gathering *g, size_t at, const struct analysis_options *options, struct error *err)
{
	struct result *out = g->out;
	struct comparison *c = &out->comparisons[at];
	size_t machines = out->design.machine_count, count = 0, largest = out->design.paired ? most_pairs(g, at) : 0;
	struct machine_numbers *numbers = mem_alloc(machines, sizeof(*numbers));
	struct measurement *base = subject_find_metric(&out->subjects[c->base], c->metric);
	struct measurement *new_ = subject_find_metric(&out->subjects[c->new_], c->metric);
	int status = numbers && base && new_ ? 0 : error_memory(err);
	bool base_full = base && base->series.n > 0; /* compared with several */
	for (size_t m = 0; status == 0 && m < machines; m++) {
		const struct machine_numbers *one = &g->numbers[m * g->comparisons + at];
		bool some = one->units > 0 || one->pairs > 0, small = machine_size_is_small(one->pairs, largest);
		if (some && (small || isnan(one->total.value)))
			status = machine_warn_of_silent(out, m, err);
		else if (some)
			numbers[count++] = *one;
		if (status == 0 && !base_full)
			status = series_append(&base->series, 0, some ? one->mean_base : NAN, err);
		if (status == 0)
			status = series_append(&new_->series, 0, some ? one->mean_new : NAN, err);
	}
	struct comparison kept = {.base = c->base,
	                          .new_ = c->new_,
	                          .metric = c->metric,
	                          .block = c->block,
	                          .design = c->design,
	                          .margin = options->margin,
	                          .confidence = options->confidence};
	if (status == 0) {
		kept.p_value = kept.more_time = NAN;
		kept.interference = &interference_none;
		kept.paired = &pair_findings_none;
		kept.gated = &gate_findings_none;
		*c = kept;
		status = machines_conclude(out, c, numbers, count, options, err);
	}
	mem_free(numbers);
	return status;
}

int fleet_gather(const struct fleet_folder *folder, const struct fleet_look *look, struct result *out,
                 struct error *err)
{
	const struct fleet_experiment *experiment = &folder->experiment;
	struct gathering g = {.folder = folder, .out = out};
	struct analysis_options options;
	bool used, any = false;
	fleet_experiment_analysis(experiment, &options);
	options.looked_at_machines = look->looked;
	int status = begin(&g, look, err);
	out->design.strata = strcmp(experiment->strata, "none") == 0 ? "none" : NULL;
	for (size_t i = 0; status == 0 && i < look->count; i++)
		for (size_t c = 0; status == 0 && c < experiment->chunks; c++) {
			status = add(&g, look->slots[i], c, &used, err);
			any |= used;
		}
	if (status == 0 && !any)
		status = error_set(err, ERROR_INPUT, "no result has a summary%s%s", out->warning_count ? ": " : "",
		                   out->warning_count ? out->warnings[0].text : "");
	for (size_t i = 0; status == 0 && i < g.comparisons; i++)
		status = conclude(&g, i, &options, err);
	if (status == 0)
		status = analyse_subjects(out, &options, err);
	if (status == 0)
		status = numbers_select(out, 0, out->comparison_count, NULL, NULL, &options, err);
	if (status == 0)
		status = analyse_machine_gates(out, &options, err);
	if (status == 0)
		status = fleet_warn_of_sizes(out, err);
	for (size_t s = 0; status == 0 && s < g.subjects; s++)
		if (out->subjects[s].failure_count > 0)
			out->subjects[s].runs = g.runs[s];
	if (status == 0)
		status = whole_warn_failures(out, err);
	if (status == 0 &&
	    result_warn(out, "fleet", "a large fleet: the result has the mean of each machine; samples are in the slots") !=
	        0)
		status = error_memory(err);
	map_release(&g.machines);
	mem_free(g.numbers);
	return status;
}
