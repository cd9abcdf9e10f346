#include "fleet/summary.h"

#include "base/memory.h"
#include "exchange/document.h"
#include "exchange/json_read.h"
#include "exchange/json_write.h"

#include <math.h>
#include <string.h>

enum { ROW_NUMBERS = 15 };

static void put_part(struct json_writer *writer, const struct machine_part *part)
{
	json_put_number(writer, part->value);
	json_put_number(writer, part->variance);
	json_put_number(writer, part->df);
}

static void put_row(struct json_writer *writer, const struct result *result, const struct comparison *c,
                    const struct machine_numbers *numbers)
{
	json_put_object_line(writer);
	json_put_key(writer, "of");
	json_put_array_line(writer);
	json_put_text(writer, result->subjects[c->base].name);
	json_put_text(writer, result->subjects[c->new_].name);
	json_put_text(writer, c->metric);
	json_end_array(writer);
	json_put_key(writer, "n");
	json_put_array_line(writer);
	json_put_count(writer, numbers->units);
	json_put_count(writer, numbers->pairs);
	put_part(writer, &numbers->typical);
	put_part(writer, &numbers->total);
	put_part(writer, &numbers->share);
	json_put_number(writer, numbers->share_base);
	json_put_number(writer, numbers->share_new);
	json_put_number(writer, numbers->mean_base);
	json_put_number(writer, numbers->mean_new);
	json_end_array(writer);
	json_end_object(writer);
}

int fleet_summary_write(struct result *result, const struct fleet_experiment *experiment, struct buffer *out,
                        struct error *err)
{
	struct json_writer writer;
	struct analysis_options options;
	struct machine_numbers *numbers = mem_alloc(result->comparison_count, sizeof(*numbers));
	fleet_experiment_analysis(experiment, &options);
	options.skip = SKIP_AS_SET;
	int status = numbers ? machines_numbers(result, &options, numbers, err) : error_memory(err);
	if (status == 0) {
		json_write_init(&writer, out);
		json_put_object_line(&writer);
		json_add_text(&writer, "schema", "tare-summary/1");
		json_add_text(&writer, "design", result->design.name);
		json_add_text(&writer, "id", result->host.id);
		json_add_text(&writer, "name", result->host.node);
		json_add_text(&writer, "cpu", result->host.cpu);
		json_put_key(&writer, "cpus");
		json_put_integer(&writer, result->host.cpus);
		json_put_key(&writer, "rows");
		json_put_array_line(&writer);
		for (size_t i = 0; i < result->comparison_count; i++)
			put_row(&writer, result, &result->comparisons[i], &numbers[i]);
		json_end_array(&writer);
		json_end_object(&writer);
		status = buffer_error(out, err);
	}
	mem_free(numbers);
	return status;
}

static int nonsense(struct error *err)
{
	return error_set(err, ERROR_INPUT, "its summary is malformed");
}

static int read_row(const struct node *row, struct arena *arena, struct fleet_summary_row *out, struct error *err)
{
	struct node of = node_get(row, "of"), n = node_get(row, "n");
	const char **texts[] = {&out->base, &out->new_, &out->metric};
	double x[ROW_NUMBERS];
	if (node_length(&of) != 3 || node_length(&n) != ROW_NUMBERS)
		return nonsense(err);
	for (size_t i = 0; i < 3; i++) {
		struct node item = node_item(&of, i);
		const char *text = node_text(&item);
		if (!text)
			return nonsense(err);
		*texts[i] = arena_strdup(arena, text);
		if (!*texts[i])
			return error_memory(err);
	}
	for (size_t i = 0; i < ROW_NUMBERS; i++) {
		struct node item = node_item(&n, i);
		x[i] = node_number(&item);
	}
	if (!(x[0] >= 0 && x[0] < 1e12) || !(x[1] >= 0 && x[1] < 1e12))
		return nonsense(err);
	out->numbers = (struct machine_numbers){.units = (size_t)x[0],
	                                        .pairs = (size_t)x[1],
	                                        .typical = {x[2], x[3], x[4]},
	                                        .total = {x[5], x[6], x[7]},
	                                        .share = {x[8], x[9], x[10]},
	                                        .share_base = x[11],
	                                        .share_new = x[12],
	                                        .mean_base = x[13],
	                                        .mean_new = x[14]};
	return 0;
}

static int keep(struct arena *arena, const struct node *root, const char *key, const char **out, struct error *err)
{
	const char *text = node_get_text(root, key);
	*out = text ? arena_strdup(arena, text) : NULL;
	return text && !*out ? error_memory(err) : 0;
}

static int read_all(const struct node *root, struct fleet_summary *out, struct error *err)
{
	struct node rows = node_get(root, "rows");
	const char *schema = node_get_text(root, "schema");
	double cpus = node_get_number(root, "cpus");
	struct arena *arena = &out->arena;
	if (!schema || strcmp(schema, "tare-summary/1") != 0 || !node_is_array(&rows))
		return nonsense(err);
	if (keep(arena, root, "design", &out->design, err) != 0 || keep(arena, root, "id", &out->machine.id, err) != 0 ||
	    keep(arena, root, "name", &out->machine.name, err) != 0 ||
	    keep(arena, root, "cpu", &out->machine.cpu, err) != 0)
		return -1;
	if (!out->machine.id || !out->design)
		return nonsense(err);
	out->machine.cpus = cpus > 0 && cpus < 1e6 ? (long)cpus : 0;
	out->machine.results = 1;
	out->count = node_length(&rows);
	out->rows = arena_alloc(arena, out->count, sizeof(*out->rows));
	if (!out->rows)
		return error_memory(err);
	for (size_t i = 0; i < out->count; i++) {
		struct node row = node_item(&rows, i);
		if (read_row(&row, arena, &out->rows[i], err) != 0)
			return -1;
	}
	return 0;
}

int fleet_summary_read(struct fleet_summary *summary, const char *path, struct error *err)
{
	struct buffer text = {0};
	struct input input;
	struct json_tree tree = {0};
	memset(summary, 0, sizeof(*summary));
	int status = document_comment(path, &text, err);
	if (status == 0 && (status = input_open_memory(&input, buffer_text(&text), text.length, path, err)) == 0) {
		status = json_read(&input, &tree, err);
		if (status == 0)
			status = read_all(&tree.root, summary, err);
		json_tree_release(&tree);
		input_release(&input);
	}
	buffer_release(&text);
	if (status != 0)
		fleet_summary_release(summary);
	return status;
}

void fleet_summary_release(struct fleet_summary *summary)
{
	arena_release(&summary->arena);
	memset(summary, 0, sizeof(*summary));
}
