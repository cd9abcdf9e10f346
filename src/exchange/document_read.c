#include "exchange/document.h"

#include "base/map.h"
#include "base/memory.h"
#include "exchange/document_machines.h"
#include "exchange/document_monitoring.h"
#include "exchange/document_stored.h"
#include "exchange/fields.h"
#include "exchange/input.h"
#include "exchange/words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct reading {
	const char *name;
	struct result *out;
	struct error *err;
	struct map subjects; /* their names: */
	uint32_t *first;     /* the first subject of each */
};

bool document_matches(const struct node *root)
{
	const char *schema = node_get_text(root, "schema");
	return schema && strncmp(schema, "tare/", 5) == 0;
}

static int nonsense(const struct reading *reading, const char *what)
{
	return error_full(reading->err, ERROR_INPUT, reading->name,
	                  "the document was changed by hand or is damaged: make it again", "%s", what);
}

static int read_word(const struct reading *reading, const struct node *object, const char *key, enum word_kind kind,
                     int *out)
{
	if (words_read(object, key, kind, out, reading->err) == 0)
		return 0;
	return error_on(reading->err, "%s", reading->name);
}

static int copy_text(const struct reading *reading, const char *text, const char **out)
{
	*out = text ? arena_strdup(&reading->out->arena, text) : NULL;
	return text && !*out ? error_memory(reading->err) : 0;
}

static int read_texts(const struct reading *reading, const struct node *array, const char ***out, size_t *count)
{
	size_t n = node_length(array);
	const char **texts = arena_alloc(&reading->out->arena, n ? n : 1, sizeof(*texts));
	if (!texts)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(array, i);
		const char *text = node_text(&item);
		if (copy_text(reading, text ? text : "", &texts[i]) != 0)
			return -1;
	}
	*out = texts;
	*count = n;
	return 0;
}

/* 0 levels when the array is absent. */
static int read_levels(const struct reading *reading, const struct node *array, enum level *levels, size_t *count)
{
	size_t n = node_length(array);
	if (n > LEVEL_COUNT)
		return nonsense(reading, "too many levels");
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(array, i);
		const char *name = node_text(&item);
		levels[i] = name ? level_by_name(name) : LEVEL_COUNT;
		if (levels[i] == LEVEL_COUNT || (i > 0 && levels[i] <= levels[i - 1]))
			return nonsense(reading, "a level that is unknown or out of order");
	}
	*count = n;
	return 0;
}

static int read_design(const struct reading *reading, const struct node *object)
{
	struct design_info *design = &reading->out->design;
	struct node levels = node_get(object, "levels"), cpus = node_get(object, "cpus");
	struct node order = node_get(object, "order"), paired = node_get(object, "paired");
	int name = DESIGN_WORDS, order_level = LEVEL_COUNT;
	if (read_word(reading, object, "name", WORD_DESIGN, &name) != 0 ||
	    read_word(reading, object, "order_level", WORD_LEVEL, &order_level) != 0 ||
	    copy_text(reading, node_get_text(object, "why"), &design->why) != 0 ||
	    copy_text(reading, node_get_text(object, "metric_why"), &design->metric_why) != 0 ||
	    copy_text(reading, node_get_text(object, "strata"), &design->strata) != 0 ||
	    read_levels(reading, &levels, design->levels, &design->level_count) != 0)
		return -1;
	size_t n = node_length(&cpus);
	design->cpus = arena_alloc(&reading->out->arena, n ? n : 1, sizeof(*design->cpus));
	if (!design->cpus)
		return error_memory(reading->err);
	design->cpu_count = n;
	for (size_t i = 0; i < n; i++) {
		struct node cpu = node_item(&cpus, i);
		double number = node_number(&cpu);
		design->cpus[i] = number >= 0 && number < 1e6 ? (int)number : 0;
	}
	design->paired = paired.type == NODE_TRUE;
	design->name = name < DESIGN_WORDS ? design_words[name] : NULL;
	design->order_of_runs = order_level == LEVEL_RUN;
	if (document_read_machines(object, &reading->out->arena, design, reading->err) != 0)
		return -1;
	if (node_is_array(&order))
		return read_texts(reading, &order, &design->order, &design->order_count);
	return 0;
}

/* The values below one array of level k; the first of them opens level `open`. */
static int read_samples(const struct reading *reading, const struct node *array, unsigned k, unsigned open,
                        struct series *series)
{
	size_t n = node_length(array);
	if (!node_is_array(array))
		return nonsense(reading, "samples are not nested as deep as the levels");
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(array, i);
		unsigned opens = i == 0 ? open : k;
		if (k + 1 < series->depth) {
			if (read_samples(reading, &item, k + 1, opens, series) != 0)
				return -1;
		} else {
			if (node_is_array(&item) || node_is_object(&item))
				return nonsense(reading, "samples are nested deeper than the levels");
			if (series_append(series, opens, node_number(&item), reading->err) != 0)
				return -1;
		}
	}
	return 0;
}

static int read_level_shares(const struct reading *reading, const struct node *object, struct measurement *metric,
                             struct description *described)
{
	struct node levels = node_get(object, "levels");
	size_t n = node_length(&levels);
	if (n > LEVEL_COUNT)
		return nonsense(reading, "too many levels");
	double *costs = n > 0 ? measurement_own_costs(reading->out, metric) : NULL;
	if (n > 0 && !costs)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&levels, i);
		const char *name = node_get_text(&item, "name");
		struct level_share *share = description_add_level(reading->out, described);
		if (!share)
			return error_memory(reading->err);
		share->level = name ? level_by_name(name) : LEVEL_COUNT;
		if (share->level == LEVEL_COUNT)
			return nonsense(reading, "an unknown level");
		if (fields_read(&item, level_fields, share, &reading->out->arena, reading->err) != 0)
			return -1;
		costs[share->level] = share->cost;
	}
	return 0;
}

static int read_modes(const struct reading *reading, const struct node *object, struct description *described)
{
	struct node modes = node_get(object, "modes");
	size_t n = node_length(&modes);
	if (n == 0)
		return 0;
	described->modes = arena_alloc(&reading->out->arena, n, sizeof(*described->modes));
	if (!described->modes)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&modes, i);
		double count = node_get_number(&item, "count");
		described->modes[i].center = node_get_number(&item, "center");
		described->modes[i].count = count >= 0 && count < 0x1p53 ? (size_t)count : 0;
	}
	described->mode_count = n;
	return 0;
}

/* Of pairs whose order is not that of the design. */
static int read_order(const struct reading *reading, const struct node *object, struct measurement *metric)
{
	struct node order = node_get(object, "order");
	size_t count = 0;
	if (node_is_array(&order) && read_texts(reading, &order, &metric->order, &count) != 0)
		return -1;
	metric->order_count = (uint32_t)count;
	return 0;
}

static size_t whole(double number)
{
	return number >= 0 && number < 0x1p53 ? (size_t)number : 0;
}

static int read_steady(const struct reading *reading, const struct node *object, struct measurement *metric)
{
	struct node steady = node_get(object, "steady");
	const char *why = node_get_text(&steady, "state_why");
	double skip = node_get_number(&steady, "skip");
	int state = metric->steady;
	if (read_word(reading, &steady, "state", WORD_STEADY, &state) != 0)
		return -1;
	metric->steady = (enum steady_state)state;
	metric->skip = whole(skip);
	/* Of a session that came to its end; what was killed, or never looked at, has said nothing yet. */
	metric->skip_set = !isnan(skip) && reading->out->stopped.reason && reading->out->stopped.reason[0];
	struct node skips = node_get(&steady, "skips");
	for (size_t i = 0; node_is_array(&skips) && i < node_length(&skips); i++) {
		struct node item = node_item(&skips, i);
		if (measurement_add_skip(reading->out, metric, i, whole(node_number(&item))) != 0)
			return error_memory(reading->err);
	}
	struct node evidence = node_get(&steady, "evidence");
	struct steady_evidence *seen = arena_alloc(&reading->out->arena, 1, sizeof(*seen));
	if (!seen || !measurement_own_all(reading->out, metric))
		return error_memory(reading->err);
	if (fields_read(&evidence, evidence_fields, seen, &reading->out->arena, reading->err) != 0 ||
	    fields_read(&evidence, steps_fields, seen, &reading->out->arena, reading->err) != 0 ||
	    fields_read(&steady, iteration_fields, metric, &reading->out->arena, reading->err) != 0)
		return -1;
	metric->evidence = seen->runs > 0 ? seen : NULL;
	return why && strcmp(why, "not known") != 0 ? copy_text(reading, why, &metric->steady_why) : 0;
}

static int read_index(const struct reading *reading, const struct node *object, struct measurement *metric)
{
	struct node index = node_get(object, "index"), phases = node_get(object, "phases");
	int mean = metric->mean_kind;
	if (read_word(reading, &index, "mean", WORD_MEAN, &mean) != 0)
		return -1;
	metric->mean_kind = (enum mean_kind)mean;
	if (node_is_object(&index)) {
		if (!measurement_own_index(reading->out, metric))
			return error_memory(reading->err);
		if (fields_read(&index, index_fields, metric, &reading->out->arena, reading->err) != 0)
			return -1;
	}
	if (!node_is_array(&phases))
		return 0;
	metric->phase_count = node_length(&phases);
	metric->phases = arena_alloc(&reading->out->arena, metric->phase_count + 1, sizeof(*metric->phases));
	if (!metric->phases)
		return error_memory(reading->err);
	for (size_t i = 0; i < metric->phase_count; i++) {
		struct node ends = node_item(&phases, i), from = node_item(&ends, 0), to = node_item(&ends, 1),
					set_up = node_item(&ends, 2);
		struct phase phase = {whole(node_number(&from)), whole(node_number(&to)), whole(node_number(&set_up))};
		if (phase.from > phase.to || phase.set_up > phase.from)
			return nonsense(reading, "a phase that ends before it begins");
		metric->phases[i] = phase;
	}
	return 0;
}

/* Each lies in its run, where the samples are there. */
static int check_phases(const struct reading *reading, const struct measurement *metric)
{
	for (size_t r = 0; r < metric->phase_count && r < metric->series.groups[0]; r++) {
		size_t n;
		series_span(&metric->series, r, &n);
		if (metric->phases[r].to > n)
			return nonsense(reading, "a phase that ends after its run");
	}
	return 0;
}

static int read_metric(const struct reading *reading, size_t subject, const char *name, const struct node *object)
{
	struct result *out = reading->out;
	enum level levels[LEVEL_COUNT] = {LEVEL_RUN, LEVEL_ITERATION};
	size_t depth = out->design.level_count;
	struct node own = node_get(object, "sample_levels"), samples = node_get(object, "samples");
	memcpy(levels, out->design.levels, depth * sizeof(*levels));
	if (node_is_array(&own) && read_levels(reading, &own, levels, &depth) != 0)
		return -1;
	if (depth < 2) {
		levels[0] = LEVEL_RUN;
		levels[1] = LEVEL_ITERATION;
		depth = 2;
	}
	const char *unit = node_get_text(object, "unit");
	int better = BETTER_LOWER, unit_level = LEVEL_COUNT;
	if (read_word(reading, object, "better", WORD_BETTER, &better) != 0 ||
	    read_word(reading, object, "unit_level", WORD_LEVEL, &unit_level) != 0)
		return -1;
	struct measurement *metric = result_add_metric(out, &out->subjects[subject], name, unit ? unit : "",
	                                               (enum better)better, levels, (unsigned)depth);
	struct description *described = metric ? measurement_own_description(out, metric) : NULL;
	bool stated = node_get(object, "stated_runs").type != NODE_ABSENT;
	if (!described || !measurement_own_slope(out, metric) || (stated && !measurement_own_stated(out, metric)))
		return error_memory(reading->err);
	if (fields_read(object, measurement_fields, metric, &out->arena, reading->err) != 0 ||
	    fields_read(object, lost_fields, metric, &out->arena, reading->err) != 0 ||
	    fields_read(object, pair_fields, metric, &out->arena, reading->err) != 0 ||
	    (stated && fields_read(object, stated_fields, metric, &out->arena, reading->err) != 0) ||
	    read_order(reading, object, metric) != 0 || read_level_shares(reading, object, metric, described) != 0 ||
	    read_modes(reading, object, described) != 0 || read_steady(reading, object, metric) != 0 ||
	    read_index(reading, object, metric) != 0)
		return -1;
	if (unit_level != LEVEL_COUNT)
		metric->unit = (enum level)unit_level;
	if (samples.type == NODE_ABSENT || samples.type == NODE_NULL)
		return 0;
	return read_samples(reading, &samples, 0, 0, &metric->series) == 0 ? check_phases(reading, metric) : -1;
}

/* Below 2^53 it is a number like others. 0: none. */
static uint64_t read_seed(const struct node *object)
{
	struct node seed = node_get(object, "seed");
	double number = node_number(&seed);
	return seed.type == NODE_INTEGER ? seed.integer : number >= 0 && number < 0x1p63 ? (uint64_t)number : 0;
}

static int read_builds(const struct reading *reading, const struct node *list, struct subject *subject)
{
	for (size_t i = 0; i < node_length(list); i++) {
		struct node item = node_item(list, i);
		struct build_made build = {.seed = read_seed(&item),
		                           .seconds = node_get_number(&item, "seconds"),
		                           .build_id = node_get_text(&item, "build_id"),
		                           .hash = node_get_text(&item, "hash")};
		if (result_add_build(reading->out, subject, &build) != 0)
			return error_memory(reading->err);
	}
	return 0;
}

static int read_subject(const struct reading *reading, const struct node *object)
{
	struct result *out = reading->out;
	const char *name = node_get_text(object, "name");
	struct subject *subject = result_add_subject(out, name ? name : "");
	if (!subject)
		return error_memory(reading->err);
	size_t index = out->subject_count - 1;
	struct benchmark_loop loop = *subject->loop, *own_loop;
	const char *hash = node_get_text(object, "hash");
	if (hash && !(loop.hash = arena_strdup(&out->arena, hash)))
		return error_memory(reading->err);
	if (fields_read(object, subject_fields, subject, &out->arena, reading->err) != 0 ||
	    fields_read(object, benchmark_fields, subject, &out->arena, reading->err) != 0 ||
	    fields_read(object, loop_fields, &loop, &out->arena, reading->err) != 0)
		return -1;
	if (loop.invocations > 0 || hash) {
		if (!(own_loop = subject_own_loop(out, subject)))
			return error_memory(reading->err);
		*own_loop = loop;
	}
	struct node parameters = node_get(object, "parameters"), failures = node_get(object, "failures");
	struct node metrics = node_get(object, "metrics"), work = node_get(object, "work");
	for (size_t i = 0; node_is_object(&parameters) && i < parameters.count; i++) {
		const char *value = node_text(&parameters.members[i].value);
		if (result_add_parameter(out, subject, parameters.members[i].key, value ? value : "") != 0)
			return error_memory(reading->err);
	}
	if (failures.type != NODE_ABSENT && failures.type != NODE_NULL && !node_is_array(&failures))
		return nonsense(reading, "failures that are not a list");
	for (size_t i = 0; i < node_length(&failures); i++) {
		struct node item = node_item(&failures, i);
		const char *what = node_get_text(&item, "what");
		double run = node_get_number(&item, "run"), code = node_get_number(&item, "exit");
		struct failure failure = {what ? what : "", run >= 0 && run < 0x1p53 ? (size_t)run : 0,
		                          code >= 0 && code <= 255 ? (int)code : 0};
		/* Early documents have the exit code in words alone. */
		if (isnan(code) && what)
			sscanf(what, "exit %3d", &failure.exit_code);
		if (result_add_failure(out, subject, failure) != 0)
			return error_memory(reading->err);
	}
	struct node builds = node_get(object, "builds");
	if (read_builds(reading, &builds, subject) != 0)
		return -1;
	struct node overhead = node_get(object, "overhead");
	if (node_is_object(&overhead)) {
		subject->overhead = arena_alloc(&out->arena, 1, sizeof(*subject->overhead));
		if (!subject->overhead)
			return error_memory(reading->err);
		*subject->overhead = (struct overhead_result){.ratio = NAN, .ci = {.level = NAN, .low = NAN, .high = NAN}};
		if (fields_read(&overhead, overhead_fields, subject->overhead, &out->arena, reading->err) != 0)
			return -1;
	}
	if (node_is_object(&work)) {
		subject->work = arena_alloc(&out->arena, 1, sizeof(*subject->work));
		if (!subject->work)
			return error_memory(reading->err);
		work_result_init(subject->work);
		if (fields_read(&work, work_fields, subject->work, &out->arena, reading->err) != 0)
			return -1;
		subject->work->unit = subject->work->unit ? subject->work->unit : "";
		subject->work->speed_unit = subject->work->speed_unit ? subject->work->speed_unit : "/s";
	}
	for (size_t i = 0; node_is_object(&metrics) && i < metrics.count; i++)
		if (read_metric(reading, index, metrics.members[i].key, &metrics.members[i].value) != 0)
			return -1;
	return 0;
}

static int index_subjects(struct reading *reading)
{
	const struct result *out = reading->out;
	reading->first = mem_alloc(out->subject_count + 1, sizeof(*reading->first));
	if (!reading->first)
		return error_memory(reading->err);
	for (size_t i = 0; i < out->subject_count; i++) {
		uint32_t known = reading->subjects.count;
		uint32_t name = map_text(&reading->subjects, out->subjects[i].name, strlen(out->subjects[i].name));
		if (name == MAP_NONE)
			return error_memory(reading->err);
		if (name == known)
			reading->first[name] = (uint32_t)i;
	}
	return 0;
}

/* Its place; the number of subjects where there is none of that name. */
static size_t subject_named(const struct reading *reading, const char *name)
{
	uint32_t place = name ? map_find_text(&reading->subjects, name, strlen(name)) : MAP_NONE;
	return place == MAP_NONE ? reading->out->subject_count : reading->first[place];
}

/* By its place, which an early document does not tell, or by the first of its name. */
static int read_side(const struct reading *reading, const struct node *object, const char *key, uint32_t *place)
{
	const struct result *out = reading->out;
	const char *name = node_get_text(object, key);
	if (*place == UINT32_MAX)
		*place = (uint32_t)subject_named(reading, name);
	if (*place >= out->subject_count || (name && strcmp(out->subjects[*place].name, name) != 0))
		return nonsense(reading, "a comparison of a subject that is not there");
	return 0;
}

static int read_comparison_words(const struct reading *reading, const struct node *object, struct comparison *c)
{
	int verdict = c->verdict, scope = c->scope, gate = c->gate, design = 0;
	if (read_word(reading, object, "verdict", WORD_VERDICT, &verdict) != 0 ||
	    read_word(reading, object, "scope", WORD_SCOPE, &scope) != 0 ||
	    read_word(reading, object, "gate", WORD_GATE, &gate) != 0 ||
	    read_word(reading, object, "design", WORD_DESIGN, &design) != 0)
		return -1;
	c->verdict = (enum verdict)verdict;
	c->scope = (enum scope)scope;
	c->gate = (enum gate)gate;
	return copy_text(reading, node_get_text(object, "gate_why"), &c->gate_why);
}

static int read_comparison(const struct reading *reading, const struct node *object)
{
	struct result *out = reading->out;
	struct comparison *c = result_add_comparison(out);
	struct pair_findings *paired = c ? arena_alloc(&out->arena, 1, sizeof(*paired)) : NULL;
	if (!paired || !comparison_own_interference(out, c) || !comparison_own_gate(out, c) ||
	    !comparison_own_total(out, c))
		return error_memory(reading->err);
	struct node total = node_get(object, "total"), share = node_get(object, "share");
	struct node shuffle = node_get(object, "shuffle");
	*paired = *c->paired;
	c->paired = paired;
	c->base = c->new_ = UINT32_MAX;
	if (fields_read(object, comparison_fields, c, &out->arena, reading->err) != 0 ||
	    fields_read(object, comparison_gate_fields, c, &out->arena, reading->err) != 0 ||
	    fields_read(&total, total_fields, c->total, &out->arena, reading->err) != 0 ||
	    fields_read(&share, share_fields, c, &out->arena, reading->err) != 0 ||
	    fields_read(&shuffle, shuffle_fields, c, &out->arena, reading->err) != 0)
		return -1;
	c->metric = c->metric ? c->metric : "";
	if (read_side(reading, object, "base", &c->base) != 0 || read_side(reading, object, "new", &c->new_) != 0 ||
	    document_read_machines_result(object, out, c, reading->err) != 0)
		return -1;
	return read_comparison_words(reading, object, c);
}

static int read_head(const struct reading *reading, const struct node *root)
{
	struct result *out = reading->out;
	struct node argv = node_get(root, "argv"), host = node_get(root, "host");
	struct node stopped = node_get(root, "stopped"), design = node_get(root, "design");
	struct node disturbance = node_get(root, "disturbance"), calibration = node_get(root, "calibration");
	struct node monitoring = node_get(root, "monitoring"), gate = node_get(root, "gate");
	const char *no_calibration = node_get_text(root, "calibration_why");
	int reason = STOP_REASONS, state = GATE_NONE;
	out->seed = read_seed(root);
	out->elapsed = node_get_number(root, "elapsed");
	if (copy_text(reading, node_get_text(root, "version"), &out->version) != 0 ||
	    copy_text(reading, node_get_text(root, "name"), &out->name) != 0 ||
	    copy_text(reading, node_get_text(root, "started"), &out->started) != 0 ||
	    fields_read(&host, host_fields, &out->host, &out->arena, reading->err) != 0 ||
	    fields_read(&calibration, calibration_fields, &out->calibration, &out->arena, reading->err) != 0 ||
	    fields_read(&disturbance, disturbance_fields, &out->disturbance, &out->arena, reading->err) != 0 ||
	    document_read_monitoring(&monitoring, &out->arena, &out->monitoring, reading->err) != 0 ||
	    fields_read(&gate, gate_fields, &out->gate, &out->arena, reading->err) != 0 ||
	    fields_read(&stopped, stopped_fields, &out->stopped, &out->arena, reading->err) != 0 ||
	    read_word(reading, &stopped, "reason", WORD_REASON, &reason) != 0 ||
	    read_word(reading, &gate, "state", WORD_GATE, &state) != 0)
		return -1;
	out->gate.state = (enum gate)state;
	if (no_calibration && strcmp(no_calibration, "not recorded") != 0 &&
	    copy_text(reading, no_calibration, &out->calibration.why) != 0)
		return -1;
	out->disturbance.recorded = node_is_object(&disturbance);
	if (node_is_array(&argv) && read_texts(reading, &argv, &out->argv, &out->argc) != 0)
		return -1;
	return read_design(reading, &design);
}

/* What 'tare compare' wrote has both sides under one name: the benchmark is told by its name, its times by the side. */
static int name_sides(struct result *out)
{
	static const char *const names[] = {"old", "new"};
	for (size_t i = 0; i < out->comparison_count && out->design.order_count == 0; i++) {
		const struct comparison *c = &out->comparisons[i];
		struct subject *sides[] = {&out->subjects[c->base], &out->subjects[c->new_]};
		if (strcmp(sides[0]->name, sides[1]->name) != 0 || sides[0]->title || sides[1]->title ||
		    sides[0]->side != NO_SIDE || sides[1]->side != NO_SIDE)
			continue;
		for (size_t k = 0; k < 2; k++) {
			sides[k]->side = k;
			sides[k]->title = arena_printf(&out->arena, "%s (%s)", sides[k]->name, names[k]);
			if (!sides[k]->title)
				return -1;
		}
	}
	return 0;
}

static int read_document(struct reading *reading, const struct node *root)
{
	struct node subjects = node_get(root, "subjects"), comparisons = node_get(root, "comparisons");
	struct node warnings = node_get(root, "warnings");
	if (strcmp(node_get_text(root, "schema"), "tare/1") != 0)
		return error_full(reading->err, ERROR_INPUT, reading->name, "this tare knows tare/1: use a newer one",
		                  "a result document of schema '%.40s'", node_get_text(root, "schema"));
	if (!node_is_array(&subjects))
		return nonsense(reading, "a result document without subjects");
	if (read_head(reading, root) != 0)
		return -1;
	if (document_read_stored(root, &reading->out->arena, &reading->out->stored, reading->err) != 0)
		return error_on(reading->err, "%s", reading->name);
	for (size_t i = 0; i < node_length(&subjects); i++) {
		struct node item = node_item(&subjects, i);
		if (read_subject(reading, &item) != 0)
			return -1;
	}
	if (index_subjects(reading) != 0)
		return -1;
	struct node ranking = node_get(root, "ranking");
	size_t ranked = node_length(&ranking);
	if (ranked > 0 && ranked == reading->out->subject_count) {
		reading->out->ranking = arena_alloc(&reading->out->arena, ranked, sizeof(*reading->out->ranking));
		if (!reading->out->ranking)
			return error_memory(reading->err);
		for (size_t i = 0; i < ranked; i++) {
			struct node name = node_item(&ranking, i);
			reading->out->ranking[i] = subject_named(reading, node_text(&name));
			if (reading->out->ranking[i] >= ranked)
				return nonsense(reading, "a ranking of a subject that is not there");
		}
		reading->out->ranking_count = ranked;
	}
	for (size_t i = 0; i < node_length(&comparisons); i++) {
		struct node item = node_item(&comparisons, i);
		if (read_comparison(reading, &item) != 0)
			return -1;
	}
	for (size_t i = 0; i < node_length(&warnings); i++) {
		struct node item = node_item(&warnings, i);
		const char *code = node_get_text(&item, "code"), *text = node_get_text(&item, "text");
		if (result_warn(reading->out, code ? code : "", "%s", text ? text : "") != 0)
			return error_memory(reading->err);
	}
	return result_make_titles(reading->out) == 0 && name_sides(reading->out) == 0 ? 0 : error_memory(reading->err);
}

int document_read(const struct node *root, const char *name, struct result *out, struct error *err)
{
	struct reading reading = {.name = name, .out = out, .err = err};
	int status = read_document(&reading, root);
	map_release(&reading.subjects);
	mem_free(reading.first);
	if (status != 0)
		result_release(out);
	return status;
}

int document_read_text(const char *text, size_t length, const char *name, struct result *out, struct error *err)
{
	struct input input;
	struct json_tree tree = {0};
	if (input_open_memory(&input, text, length, name, err) != 0)
		return -1;
	int status = json_read(&input, &tree, err);
	if (status == 0 && !document_matches(&tree.root)) {
		error_set(err, ERROR_INPUT, "this is not a result document of tare");
		status = error_on(err, "%s", name);
	}
	if (status == 0)
		status = document_read(&tree.root, name, out, err);
	json_tree_release(&tree);
	input_release(&input);
	return status;
}
