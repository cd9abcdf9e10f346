#include "exchange/plan_document.h"

#include "exchange/fields.h"
#include "exchange/input.h"
#include "exchange/words.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char schema[] = "tare-plan/1";

#define FIELD(type, name, kind, member) \
	{ \
		name, kind, offsetof(struct type, member), FIELD_NO_WHY, 0 \
	}
#define FIELDS_END \
	{ \
		NULL, FIELD_TEXT, 0, 0, 0 \
	}

static const struct field plan_fields[] = {
	FIELD(repeat_plan, "version", FIELD_TEXT, version),
	FIELD(repeat_plan, "made", FIELD_TEXT, made),
	FIELD(repeat_plan, "confidence", FIELD_NUMBER, confidence),
	FIELD(repeat_plan, "precision", FIELD_NUMBER, precision),
	FIELD(repeat_plan, "budget", FIELD_NUMBER, budget),
	FIELD(repeat_plan, "elapsed", FIELD_NUMBER, elapsed),
	FIELDS_END,
};

static const struct field machine_fields[] = {
	FIELD(calibration_machine, "cpu", FIELD_TEXT, cpu),
	FIELD(calibration_machine, "cpus", FIELD_KNOWN_LONG, cpus),
	FIELD(calibration_machine, "kernel", FIELD_TEXT, kernel),
	FIELD(calibration_machine, "virtual", FIELD_TEXT, virtual_),
	FIELD(calibration_machine, "quota", FIELD_NUMBER, quota),
	FIELDS_END,
};

static const struct field subject_fields_of_plan[] = {
	FIELD(plan_subject, "name", FIELD_TEXT, name),
	FIELD(plan_subject, "command", FIELD_TEXT, command),
	FIELD(plan_subject, "benchmark", FIELD_TEXT, benchmark),
	FIELD(plan_subject, "metric", FIELD_TEXT, metric),
	FIELD(plan_subject, "unit", FIELD_TEXT, unit),
	FIELD(plan_subject, "mean", FIELD_NUMBER, mean),
	FIELD(plan_subject, "skip", FIELD_COUNT, skip),
	FIELD(plan_subject, "unit_variance", FIELD_NUMBER, unit_variance),
	FIELD(plan_subject, "unit_cost", FIELD_NUMBER, unit_cost),
	FIELD(plan_subject, "units", FIELD_COUNT, units),
	FIELD(plan_subject, "half_width", FIELD_NUMBER, half_width),
	FIELD(plan_subject, "pairing", FIELD_NUMBER, pairing),
	FIELDS_END,
};

static const struct field plan_level_fields[] = {
	FIELD(plan_level, "members", FIELD_NUMBER, members),
	FIELD(plan_level, "variance", FIELD_NUMBER, variance),
	FIELD(plan_level, "sd_low", FIELD_NUMBER, sd_low),
	FIELD(plan_level, "sd_high", FIELD_NUMBER, sd_high),
	FIELD(plan_level, "cost", FIELD_NUMBER, cost),
	FIELD(plan_level, "count", FIELD_COUNT, count),
	FIELD(plan_level, "ratio_count", FIELD_COUNT, ratio_count),
	FIELDS_END,
};

/* ---- writing ---- */

static void put_subject(struct json_writer *json, const struct plan_subject *subject)
{
	json_put_object(json);
	fields_write(json, subject_fields_of_plan, subject);
	json_add_text(json, "state", steady_name(subject->state));
	json_put_key(json, "levels");
	json_put_array(json);
	for (size_t k = 0; k < subject->level_count; k++) {
		json_put_object_line(json);
		json_add_text(json, "name", level_name(subject->levels[k].level));
		fields_write(json, plan_level_fields, &subject->levels[k]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

int plan_document_write(const struct repeat_plan *plan, struct buffer *out, struct error *err)
{
	struct json_writer json;
	struct calibration_machine machine = plan->machine;
	machine.quota = isfinite(machine.quota) ? machine.quota : NAN;
	json_write_init(&json, out);
	json_put_object(&json);
	json_add_text(&json, "schema", schema);
	fields_write(&json, plan_fields, plan);
	json_put_key(&json, "machine");
	json_put_object_line(&json);
	fields_write(&json, machine_fields, &machine);
	json_end_object(&json);
	json_put_key(&json, "subjects");
	json_put_array(&json);
	for (size_t i = 0; i < plan->subject_count; i++)
		put_subject(&json, &plan->subjects[i]);
	json_end_array(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
	return buffer_error(out, err);
}

/* ---- reading ---- */

static int nonsense(const char *path, const char *what, struct error *err)
{
	return error_full(err, ERROR_INPUT, path, "make one with 'tare plan'", "is not a plan: %s", what);
}

static int read_subject(const struct node *object, const char *path, struct plan_subject *out, struct arena *arena,
                        struct error *err)
{
	struct node levels = node_get(object, "levels");
	int state = STEADY_UNKNOWN;
	*out = (struct plan_subject){
		.mean = NAN, .unit_variance = NAN, .unit_cost = NAN, .half_width = NAN, .pairing = NAN};
	if (fields_read(object, subject_fields_of_plan, out, arena, err) != 0)
		return -1;
	if (words_read(object, "state", WORD_STEADY, &state, err) != 0)
		return error_on(err, "%s", path);
	out->state = (enum steady_state)state;
	out->level_count = node_length(&levels);
	if (out->level_count == 0 || out->level_count > LEVEL_COUNT)
		return nonsense(path, "a subject has no levels, or too many", err);
	for (size_t k = 0; k < out->level_count; k++) {
		struct node item = node_item(&levels, k);
		const char *name = node_get_text(&item, "name");
		struct plan_level *level = &out->levels[k];
		*level = (struct plan_level){.level = name ? level_by_name(name) : LEVEL_COUNT,
		                             .members = NAN,
		                             .variance = NAN,
		                             .sd_low = NAN,
		                             .sd_high = NAN,
		                             .cost = NAN};
		if (level->level == LEVEL_COUNT || (k > 0 && level->level <= level[-1].level))
			return nonsense(path, "its levels are not known, or not outermost first", err);
		if (fields_read(&item, plan_level_fields, level, arena, err) != 0)
			return -1;
		if (k > 0 && (level->count < 1 || level->count > 1000000000))
			return nonsense(path, "a level has no count", err);
	}
	if (!out->name || !out->metric || !out->unit || (!out->command && !out->benchmark))
		return nonsense(path, "a subject has no name, metric or command", err);
	return 0;
}

static int read_root(const struct node *root, const char *path, struct repeat_plan *out, struct error *err)
{
	struct node machine = node_get(root, "machine"), subjects = node_get(root, "subjects");
	const char *name = node_get_text(root, "schema");
	if (!name || strcmp(name, schema) != 0)
		return nonsense(path, name ? "another schema" : "no schema", err);
	if (fields_read(root, plan_fields, out, &out->arena, err) != 0 ||
	    fields_read(&machine, machine_fields, &out->machine, &out->arena, err) != 0)
		return -1;
	double quota = node_get_number(&machine, "quota");
	out->machine.quota = isnan(quota) ? INFINITY : quota;
	if (!(out->precision > 0) && !(out->budget > 0))
		return nonsense(path, "neither a precision nor a budget", err);
	if (!(out->confidence > 0 && out->confidence < 1))
		return nonsense(path, "its confidence is not between 0 and 1", err);
	size_t count = node_length(&subjects);
	out->subjects = arena_alloc(&out->arena, count + 1, sizeof(*out->subjects));
	if (!out->subjects)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		struct node item = node_item(&subjects, i);
		if (read_subject(&item, path, &out->subjects[i], &out->arena, err) != 0)
			return -1;
	}
	out->subject_count = count;
	return count > 0 ? 0 : nonsense(path, "it has no subjects", err);
}

int plan_document_read(const char *path, struct repeat_plan *out, struct error *err)
{
	struct input input;
	struct json_tree tree;
	if (input_open_file(&input, path, err) != 0)
		return error_next(err, "give the file that 'tare plan' wrote");
	int status = json_read(&input, &tree, err);
	if (status == 0) {
		status = read_root(&tree.root, path, out, err);
		json_tree_release(&tree);
	}
	input_release(&input);
	if (status != 0)
		repeat_plan_release(out);
	return status;
}
