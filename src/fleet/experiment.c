#include "fleet/experiment.h"

#include "base/random.h"
#include "base/sha256.h"
#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "stats/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void fleet_experiment_release(struct fleet_experiment *experiment)
{
	arena_release(&experiment->arena);
	memset(experiment, 0, sizeof(*experiment));
}

void fleet_experiment_analysis(const struct fleet_experiment *experiment, struct analysis_options *out)
{
	analysis_options_init(out);
	out->confidence = experiment->confidence;
	out->margin = experiment->margin;
	out->share_margin = experiment->share_margin;
	out->gate = experiment->gate;
	out->block = experiment->block;
	out->seed = experiment->seed;
}

static void put_subjects(struct json_writer *writer, const struct fleet_experiment *experiment)
{
	json_put_key(writer, "subjects");
	json_put_array(writer);
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct fleet_subject *subject = &experiment->subjects[i];
		json_put_object_line(writer);
		json_add_text(writer, "name", subject->name);
		json_add_text(writer, "text", subject->text);
		json_add_text(writer, "rest", subject->rest);
		if (subject->program < experiment->program_count)
			json_add_count(writer, "program", subject->program);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_put_key(writer, "programs");
	json_put_array(writer);
	for (size_t i = 0; i < experiment->program_count; i++) {
		json_put_object_line(writer);
		json_add_text(writer, "sha256", experiment->programs[i].hash);
		json_add_text(writer, "file", experiment->programs[i].file);
		json_add_text(writer, "path", experiment->programs[i].path);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_add_texts(writer, "names", experiment->names, experiment->name_count);
	json_add_texts(writer, "folders", experiment->folders, experiment->folder_count);
	json_put_key(writer, "placed");
	json_put_array_line(writer);
	for (size_t i = 0; i < experiment->placed_count; i++)
		if (experiment->placed[i] < experiment->program_count)
			json_put_count(writer, experiment->placed[i]);
		else
			json_put_null(writer);
	json_end_array(writer);
}

static void set_id(struct fleet_experiment *experiment, const char *text, size_t length)
{
	struct sha256 sha;
	char hex[SHA256_TEXT];
	sha256_init(&sha);
	sha256_add(&sha, text, length);
	sha256_end(&sha, hex);
	snprintf(experiment->id, sizeof(experiment->id), "%.12s", hex);
}

int fleet_experiment_write(struct fleet_experiment *experiment, struct buffer *out, struct error *err)
{
	struct json_writer writer;
	json_write_init(&writer, out);
	json_put_object(&writer);
	json_add_text(&writer, "schema", "tare-fleet/1");
	json_add_text(&writer, "made", experiment->made);
	json_add_text(&writer, "command", experiment->command);
	json_add_texts(&writer, "given", experiment->given, experiment->given_count);
	json_add_texts(&writer, "arguments", experiment->arguments, experiment->argument_count);
	put_subjects(&writer, experiment);
	json_add_text(&writer, "directory", experiment->directory);
	json_add_text(&writer, "engine", experiment->engine);
	json_add_text(&writer, "partition", experiment->partition);
	json_add_texts(&writer, "options", experiment->options, experiment->option_count);
	json_add_text(&writer, "design", experiment->design);
	json_add_text(&writer, "metric", experiment->metric);
	json_add_count(&writer, "block", experiment->block);
	json_add_count(&writer, "runs", experiment->runs);
	json_add_count(&writer, "chunks", experiment->chunks);
	json_add_number(&writer, "seconds", experiment->seconds);
	json_add_count(&writer, "machines", experiment->machines);
	json_add_count(&writer, "machines_max", experiment->machines_max);
	json_put_key(&writer, "order");
	json_put_array_line(&writer);
	for (size_t i = 0; i < experiment->machines_max; i++)
		json_put_count(&writer, experiment->order[i]);
	json_end_array(&writer);
	json_add_number(&writer, "confidence", experiment->confidence);
	json_add_number(&writer, "margin", experiment->margin);
	json_add_number(&writer, "share_margin", verdict_share_margin(experiment->share_margin, experiment->margin));
	json_add_text(&writer, "strata", experiment->strata);
	/* As text: a double does not hold every seed. */
	char seed[32];
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)experiment->seed);
	json_add_text(&writer, "seed", seed);
	json_end_object(&writer);
	if (buffer_error(out, err) != 0)
		return -1;
	set_id(experiment, buffer_text(out), out->length);
	return 0;
}

/* ---- reading ---- */

struct experiment_reading {
	struct fleet_experiment *out;
	const char *name;
	struct error *err;
};

static int nonsense(const struct experiment_reading *reading, const char *what)
{
	return error_full(reading->err, ERROR_INPUT, reading->name, NULL, "no fleet that this tare can work on: %s", what);
}

static int read_text(const struct experiment_reading *reading, const struct node *object, const char *key, bool needed,
                     const char **out)
{
	const char *text = node_get_text(object, key);
	if (!text)
		return needed ? nonsense(reading, key) : 0;
	*out = arena_strdup(&reading->out->arena, text);
	return *out ? 0 : error_memory(reading->err);
}

static int read_texts(const struct experiment_reading *reading, const struct node *object, const char *key,
                      const char ***out, size_t *count)
{
	struct node array = node_get(object, key);
	size_t n = node_length(&array);
	if (!node_is_array(&array) || n > 100000)
		return nonsense(reading, key);
	const char **texts = arena_alloc(&reading->out->arena, n + 1, sizeof(*texts));
	if (!texts)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&array, i);
		const char *text = node_text(&item);
		if (!text)
			return nonsense(reading, key);
		texts[i] = arena_strdup(&reading->out->arena, text);
		if (!texts[i])
			return error_memory(reading->err);
	}
	*out = texts;
	*count = n;
	return 0;
}

static int read_count(const struct experiment_reading *reading, const struct node *object, const char *key, double low,
                      double high, size_t *out)
{
	double number = node_get_number(object, key);
	if (!(number >= low && number <= high) || number != floor(number))
		return nonsense(reading, key);
	*out = (size_t)number;
	return 0;
}

static int read_number(const struct experiment_reading *reading, const struct node *object, const char *key, double low,
                       double high, double *out)
{
	*out = node_get_number(object, key);
	return *out >= low && *out <= high ? 0 : nonsense(reading, key);
}

static bool is_hash(const char *text)
{
	size_t n = 0;
	for (; text[n]; n++)
		if (!isdigit((unsigned char)text[n]) && !(text[n] >= 'a' && text[n] <= 'f'))
			return false;
	return n == SHA256_TEXT - 1;
}

/* A name in a folder: nothing that leads out of it. */
static bool is_name(const char *text)
{
	return text[0] && text[0] != '.' && text[0] != '-' && !strchr(text, '/') && strlen(text) < 200;
}

static int read_programs(const struct experiment_reading *reading, const struct node *root)
{
	struct node programs = node_get(root, "programs");
	struct fleet_experiment *out = reading->out;
	size_t n = node_length(&programs);
	if (n > 1000)
		return nonsense(reading, "programs");
	out->programs = arena_alloc(&out->arena, n + 1, sizeof(*out->programs));
	if (!out->programs)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&programs, i);
		struct fleet_program *program = &out->programs[i];
		if (read_text(reading, &item, "sha256", true, &program->hash) != 0 ||
		    read_text(reading, &item, "file", true, &program->file) != 0 ||
		    read_text(reading, &item, "path", true, &program->path) != 0)
			return -1;
		if (!is_hash(program->hash) || !is_name(program->file))
			return nonsense(reading, "programs");
	}
	out->program_count = n;
	return 0;
}

static int read_subjects(const struct experiment_reading *reading, const struct node *root)
{
	struct node subjects = node_get(root, "subjects");
	struct fleet_experiment *out = reading->out;
	size_t n = node_length(&subjects);
	if (n == 0 || n > 1000)
		return nonsense(reading, "subjects");
	out->subjects = arena_alloc(&out->arena, n, sizeof(*out->subjects));
	if (!out->subjects)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&subjects, i), program = node_get(&item, "program");
		struct fleet_subject *subject = &out->subjects[i];
		subject->program = SIZE_MAX;
		if (read_text(reading, &item, "name", true, &subject->name) != 0 ||
		    read_text(reading, &item, "text", true, &subject->text) != 0 ||
		    read_text(reading, &item, "rest", true, &subject->rest) != 0)
			return -1;
		if (node_is_number(&program) &&
		    read_count(reading, &item, "program", 0, (double)out->program_count - 1, &subject->program) != 0)
			return -1;
	}
	out->subject_count = n;
	return 0;
}

/* Of suite files: their folders, and the programs that are copied. */
static int read_placed(const struct experiment_reading *reading, const struct node *root)
{
	struct node placed = node_get(root, "placed");
	struct fleet_experiment *out = reading->out;
	size_t n = node_length(&placed);
	if (read_texts(reading, root, "folders", &out->folders, &out->folder_count) != 0)
		return -1;
	if (n > 1000 || (out->folder_count > 0 && out->folder_count != out->subject_count))
		return nonsense(reading, "placed");
	out->placed = arena_alloc(&out->arena, n, sizeof(*out->placed));
	if (!out->placed)
		return error_memory(reading->err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&placed, i);
		double program = node_number(&item);
		if (node_is_number(&item) && !(program >= 0 && program < (double)out->program_count))
			return nonsense(reading, "placed");
		out->placed[i] = node_is_number(&item) ? (size_t)program : SIZE_MAX;
	}
	out->placed_count = n;
	return 0;
}

static int read_order(const struct experiment_reading *reading, const struct node *root)
{
	struct node order = node_get(root, "order");
	struct fleet_experiment *out = reading->out;
	size_t n = out->machines_max;
	bool *seen = arena_alloc(&out->arena, n, sizeof(*seen));
	out->order = arena_alloc(&out->arena, n, sizeof(*out->order));
	if (!seen || !out->order)
		return error_memory(reading->err);
	if (node_length(&order) != n)
		return nonsense(reading, "order");
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&order, i);
		double slot = node_number(&item);
		if (!(slot >= 0 && slot < (double)n) || seen[(size_t)slot])
			return nonsense(reading, "order");
		seen[(size_t)slot] = true;
		out->order[i] = (size_t)slot;
	}
	return 0;
}

static int read_seed(const struct experiment_reading *reading, const struct node *root)
{
	const char *text = node_get_text(root, "seed");
	unsigned long long seed;
	if (!text || sscanf(text, "%llu", &seed) != 1)
		return nonsense(reading, "seed");
	reading->out->seed = seed;
	return 0;
}

static int read_all(const struct experiment_reading *reading, const struct node *root)
{
	struct fleet_experiment *out = reading->out;
	const char *schema = node_get_text(root, "schema");
	if (!schema || strcmp(schema, "tare-fleet/1") != 0)
		return nonsense(reading, "its schema is not tare-fleet/1");
	if (read_text(reading, root, "command", true, &out->command) != 0 ||
	    read_text(reading, root, "made", false, &out->made) != 0 ||
	    read_texts(reading, root, "given", &out->given, &out->given_count) != 0 ||
	    read_texts(reading, root, "arguments", &out->arguments, &out->argument_count) != 0 ||
	    read_programs(reading, root) != 0 || read_subjects(reading, root) != 0 || read_placed(reading, root) != 0 ||
	    read_texts(reading, root, "names", &out->names, &out->name_count) != 0 ||
	    read_text(reading, root, "strata", true, &out->strata) != 0 ||
	    read_text(reading, root, "directory", true, &out->directory) != 0 ||
	    read_text(reading, root, "engine", true, &out->engine) != 0 ||
	    read_text(reading, root, "partition", false, &out->partition) != 0 ||
	    read_texts(reading, root, "options", &out->options, &out->option_count) != 0 ||
	    read_text(reading, root, "design", true, &out->design) != 0 ||
	    read_text(reading, root, "metric", true, &out->metric) != 0 ||
	    read_count(reading, root, "block", 0, 1e6, &out->block) != 0 ||
	    read_count(reading, root, "runs", 1, 1e9, &out->runs) != 0 ||
	    read_count(reading, root, "chunks", 1, FLEET_CHUNKS_MOST, &out->chunks) != 0 ||
	    read_number(reading, root, "seconds", 0, 1e9, &out->seconds) != 0 ||
	    read_count(reading, root, "machines_max", 1, FLEET_SLOTS_MOST, &out->machines_max) != 0 ||
	    read_count(reading, root, "machines", 1, (double)out->machines_max, &out->machines) != 0 ||
	    read_order(reading, root) != 0 || read_number(reading, root, "confidence", 0.5, 1, &out->confidence) != 0 ||
	    read_number(reading, root, "margin", 0, 1e6, &out->margin) != 0 ||
	    read_number(reading, root, "share_margin", 0, 1, &out->share_margin) != 0)
		return -1;
	out->gate = NAN;
	if (strcmp(out->command, "run") != 0 && strcmp(out->command, "bench") != 0)
		return nonsense(reading, "command");
	if (strcmp(out->strata, "cpu") != 0 && strcmp(out->strata, "none") != 0)
		return nonsense(reading, "strata");
	return read_seed(reading, root);
}

int fleet_experiment_read(struct fleet_experiment *experiment, const char *text, size_t length, const char *name,
                          struct error *err)
{
	struct experiment_reading reading = {experiment, name, err};
	struct input input;
	struct json_tree tree = {0};
	memset(experiment, 0, sizeof(*experiment));
	if (input_open_memory(&input, text, length, name, err) != 0)
		return -1;
	int status = json_read(&input, &tree, err);
	if (status == 0)
		status = node_is_object(&tree.root) ? read_all(&reading, &tree.root) : nonsense(&reading, "no object");
	json_tree_release(&tree);
	input_release(&input);
	if (status == 0)
		set_id(experiment, text, length);
	else
		fleet_experiment_release(experiment);
	return status;
}

uint64_t fleet_chunk_seed(const struct fleet_experiment *experiment, size_t slot, size_t chunk)
{
	struct random random;
	random_seed(&random, experiment->seed + slot * FLEET_CHUNKS_MOST + chunk);
	return random_next(&random) >> 2; /* --seed takes no more */
}
