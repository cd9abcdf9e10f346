#include "exchange/calibration_document.h"

#include "exchange/fields.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char schema[] = "tare-calibration/1";

#define FIELD(type, name, kind, member) \
	{ \
		name, kind, offsetof(struct type, member), FIELD_NO_WHY, 0 \
	}
#define FIELDS_END \
	{ \
		NULL, FIELD_TEXT, 0, 0, 0 \
	}

static const struct field machine_fields[] = {
	FIELD(calibration_machine, "cpu", FIELD_TEXT, cpu),
	FIELD(calibration_machine, "cpus", FIELD_KNOWN_LONG, cpus),
	FIELD(calibration_machine, "kernel", FIELD_TEXT, kernel),
	FIELD(calibration_machine, "virtual", FIELD_TEXT, virtual_),
	FIELDS_END,
};

static const struct field program_fields[] = {
	FIELD(calibration_program, "name", FIELD_TEXT, name),
	FIELD(calibration_program, "command", FIELD_TEXT, command),
	FIELD(calibration_program, "made", FIELD_TEXT, made),
	FIELD(calibration_program, "metric", FIELD_TEXT, metric),
	FIELD(calibration_program, "run_seconds", FIELD_NUMBER, run_seconds),
	FIELD(calibration_program, "best", FIELD_TEXT, best),
	FIELDS_END,
};

static const struct field design_fields[] = {
	FIELD(calibration_design, "name", FIELD_TEXT, name),
	FIELD(calibration_design, "left_out", FIELD_TEXT, left_out),
	FIELD(calibration_design, "pairs", FIELD_COUNT, pairs),
	FIELD(calibration_design, "pair_seconds", FIELD_NUMBER, pair_seconds),
	FIELD(calibration_design, "interference", FIELD_NUMBER, interference),
	FIELDS_END,
};

static const struct field alarm_fields[] = {
	FIELD(calibration_design, "experiments", FIELD_COUNT, experiments),
	FIELD(calibration_design, "alarms", FIELD_COUNT, alarms),
	FIELD(calibration_design, "low", FIELD_NUMBER, alarm_low),
	FIELD(calibration_design, "high", FIELD_NUMBER, alarm_high),
	FIELD(calibration_design, "pairs", FIELD_COUNT, experiment_pairs),
	FIELD(calibration_design, "block", FIELD_COUNT, experiment_block),
	FIELDS_END,
};

static const struct field spread_fields[] = {
	FIELD(calibration_spread, "block", FIELD_COUNT, block),
	FIELD(calibration_spread, "units", FIELD_COUNT, units),
	FIELD(calibration_spread, "sd", FIELD_NUMBER, sd),
	FIELD(calibration_spread, "lag1", FIELD_NUMBER, lag1),
	FIELDS_END,
};

static const struct field cpu_fields[] = {
	FIELD(calibration_cpu, "effect", FIELD_NUMBER, effect),
	FIELD(calibration_cpu, "low", FIELD_NUMBER, low),
	FIELD(calibration_cpu, "high", FIELD_NUMBER, high),
	FIELD(calibration_cpu, "rounds", FIELD_COUNT, rounds),
	FIELDS_END,
};

/* ---- writing ---- */

static void put_number(struct json_writer *json, const char *key, double value, const char *why)
{
	char name[40];
	json_put_key(json, key);
	json_put_number(json, value);
	if (isfinite(value))
		return;
	snprintf(name, sizeof(name), "%s_why", key);
	json_add_text(json, name, why);
}

static void put_machine(struct json_writer *json, const struct calibration_machine *machine)
{
	json_put_key(json, "machine");
	json_put_object(json);
	fields_write(json, machine_fields, machine);
	put_number(json, "quota", machine->quota, "no quota");
	json_end_object(json);
}

static void put_disturbance(struct json_writer *json, const struct disturbance *disturbance)
{
	if (!disturbance->recorded) {
		json_add_text(json, "disturbance", NULL);
		json_add_text(json, "disturbance_why", "not recorded");
		return;
	}
	json_put_key(json, "disturbance");
	json_put_object(json);
	fields_write(json, disturbance_fields, disturbance);
	json_end_object(json);
}

static void put_design(struct json_writer *json, const struct calibration_design *design)
{
	json_put_object(json);
	fields_write(json, design_fields, design);
	json_put_key(json, "false_alarms");
	json_put_object_line(json);
	fields_write(json, alarm_fields, design);
	json_end_object(json);
	json_put_key(json, "sees");
	json_put_array(json);
	for (int i = 0; i < CALIBRATION_TIME_COUNT; i++) {
		json_put_object_line(json);
		json_put_key(json, "seconds");
		json_put_number(json, calibration_times[i]);
		put_number(json, "change", design->visible[i], "too little time");
		put_number(json, "half_width", design->half_width[i], "too little time");
		json_end_object(json);
	}
	json_end_array(json);
	json_put_key(json, "spreads");
	json_put_array(json);
	for (int i = 0; i < CALIBRATION_SPREADS; i++) {
		json_put_object_line(json);
		fields_write(json, spread_fields, &design->spreads[i]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void put_program(struct json_writer *json, const struct calibration_program *program)
{
	json_put_object(json);
	fields_write(json, program_fields, program);
	json_put_key(json, "designs");
	json_put_array(json);
	for (size_t i = 0; i < program->design_count; i++)
		put_design(json, &program->designs[i]);
	json_end_array(json);
	json_end_object(json);
}

int calibration_document_write(const struct calibration *calibration, struct buffer *out, struct error *err)
{
	struct json_writer json;
	json_write_init(&json, out);
	json_put_object(&json);
	json_add_text(&json, "schema", schema);
	json_add_text(&json, "version", calibration->version ? calibration->version : TARE_VERSION);
	put_number(&json, "elapsed", calibration->elapsed, "not known");
	put_machine(&json, &calibration->machine);
	json_add_text(&json, "best", calibration->best);
	put_disturbance(&json, &calibration->disturbance);
	json_put_key(&json, "programs");
	json_put_array(&json);
	for (size_t i = 0; i < calibration->program_count; i++)
		put_program(&json, &calibration->programs[i]);
	json_end_array(&json);
	json_put_key(&json, "cpus");
	json_put_array(&json);
	for (size_t i = 0; i < calibration->cpu_count; i++) {
		json_put_object_line(&json);
		json_put_key(&json, "cpu");
		json_put_integer(&json, calibration->cpus[i].cpu);
		fields_write(&json, cpu_fields, &calibration->cpus[i]);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
	return buffer_error(out, err);
}

/* ---- reading ---- */

static int nonsense(const char *path, struct error *err)
{
	return error_full(err, ERROR_INPUT, path, "make it again with 'tare calibrate'", "is not a calibration");
}

/* The element for a time that this version knows; others are left out. */
static void read_outlook(const struct node *array, struct calibration_design *out)
{
	for (size_t i = 0; i < node_length(array); i++) {
		struct node item = node_item(array, i);
		double seconds = node_get_number(&item, "seconds");
		size_t t = calibration_time(seconds);
		if (calibration_times[t] != seconds)
			continue;
		out->visible[t] = node_get_number(&item, "change");
		out->half_width[t] = node_get_number(&item, "half_width");
	}
}

static int read_design(const struct node *object, struct calibration_design *out, struct arena *arena,
                       struct error *err)
{
	struct node alarms = node_get(object, "false_alarms"), sees = node_get(object, "sees");
	struct node spreads = node_get(object, "spreads");
	calibration_design_init(out, NULL);
	if (fields_read(object, design_fields, out, arena, err) != 0 ||
	    fields_read(&alarms, alarm_fields, out, arena, err) != 0)
		return -1;
	read_outlook(&sees, out);
	for (size_t i = 0; i < node_length(&spreads) && i < CALIBRATION_SPREADS; i++) {
		struct node item = node_item(&spreads, i);
		if (fields_read(&item, spread_fields, &out->spreads[i], arena, err) != 0)
			return -1;
		out->spreads[i].block = calibration_blocks[i];
	}
	return 0;
}

static int read_program(const struct node *object, struct calibration *out, struct error *err)
{
	struct node designs = node_get(object, "designs");
	struct calibration_program *program = calibration_add_program(out);
	size_t count = node_length(&designs);
	if (!program)
		return error_memory(err);
	if (fields_read(object, program_fields, program, &out->arena, err) != 0)
		return -1;
	program->designs = arena_alloc(&out->arena, count, sizeof(*program->designs));
	if (!program->designs)
		return error_memory(err);
	program->design_count = count;
	for (size_t i = 0; i < count; i++) {
		struct node item = node_item(&designs, i);
		if (read_design(&item, &program->designs[i], &out->arena, err) != 0)
			return -1;
	}
	return 0;
}

static int read_cpus(const struct node *array, struct calibration *out, struct error *err)
{
	out->cpus = arena_alloc(&out->arena, node_length(array), sizeof(*out->cpus));
	if (!out->cpus)
		return error_memory(err);
	out->cpu_count = node_length(array);
	for (size_t i = 0; i < out->cpu_count; i++) {
		struct node item = node_item(array, i);
		double cpu = node_get_number(&item, "cpu");
		out->cpus[i].cpu = cpu >= 0 && cpu < 1e6 ? (int)cpu : 0;
		if (fields_read(&item, cpu_fields, &out->cpus[i], &out->arena, err) != 0)
			return -1;
	}
	return 0;
}

/* Every name that later code compares must be there. */
static bool is_whole(const struct calibration *c)
{
	bool whole = c->machine.cpu && c->machine.kernel && c->machine.virtual_;
	for (size_t i = 0; i < c->program_count; i++) {
		whole = whole && c->programs[i].name;
		for (size_t d = 0; d < c->programs[i].design_count; d++)
			whole = whole && c->programs[i].designs[d].name;
	}
	return whole;
}

static int read_root(const struct node *root, const char *path, struct calibration *out, struct error *err)
{
	struct node machine = node_get(root, "machine"), programs = node_get(root, "programs"),
				cpus = node_get(root, "cpus");
	struct node disturbance = node_get(root, "disturbance");
	const char *name = node_get_text(root, "schema"), *best = node_get_text(root, "best");
	const char *version = node_get_text(root, "version");
	if (!name || strcmp(name, schema) != 0 || !node_is_object(&machine) || !node_is_array(&programs))
		return nonsense(path, err);
	out->elapsed = node_get_number(root, "elapsed");
	out->best = best ? arena_strdup(&out->arena, best) : NULL;
	out->version = version ? arena_strdup(&out->arena, version) : NULL;
	if ((best && !out->best) || (version && !out->version))
		return error_memory(err);
	if (fields_read(&machine, machine_fields, &out->machine, &out->arena, err) != 0 ||
	    read_cpus(&cpus, out, err) != 0 ||
	    fields_read(&disturbance, disturbance_fields, &out->disturbance, &out->arena, err) != 0)
		return -1;
	out->disturbance.recorded = node_is_object(&disturbance);
	double quota = node_get_number(&machine, "quota");
	out->machine.quota = isnan(quota) ? INFINITY : quota;
	for (size_t i = 0; i < node_length(&programs); i++) {
		struct node item = node_item(&programs, i);
		if (read_program(&item, out, err) != 0)
			return -1;
	}
	return is_whole(out) ? 0 : nonsense(path, err);
}

int calibration_document_read(const char *path, struct calibration *out, struct error *err)
{
	struct input input;
	struct json_tree tree;
	if (input_open_file(&input, path, err) != 0)
		return -1;
	int status = json_read(&input, &tree, err);
	if (status == 0) {
		status = read_root(&tree.root, path, out, err);
		json_tree_release(&tree);
	}
	input_release(&input);
	if (status != 0)
		calibration_release(out);
	return status;
}
