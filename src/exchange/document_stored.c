#include "exchange/document_stored.h"

#include <math.h>

static void add_known(struct json_writer *writer, const char *key, const char *text)
{
	json_add_text(writer, key, text[0] ? text : NULL);
}

static void put_programs(struct json_writer *writer, const struct provenance *stored)
{
	json_put_key(writer, "programs");
	json_put_array(writer);
	for (size_t i = 0; i < stored->program_count; i++) {
		const struct program_file *program = &stored->programs[i];
		json_put_object_line(writer);
		add_known(writer, "path", program->path);
		add_known(writer, "build_id", program->build_id);
		add_known(writer, "hash", program->hash);
		json_end_object(writer);
	}
	json_end_array(writer);
}

void document_put_stored(struct json_writer *writer, const struct provenance *stored)
{
	if (!stored)
		return;
	json_put_key(writer, "stored");
	json_put_object(writer);
	json_add_text(writer, "key", stored->key);
	json_put_key(writer, "started");
	json_put_integer(writer, stored->started);
	add_known(writer, "metric", stored->metric);
	json_add_text(writer, "machine", stored->machine);
	add_known(writer, "commit", stored->commit);
	add_known(writer, "branch", stored->branch);
	json_put_key(writer, "dirty");
	if (stored->dirty < 0)
		json_put_null(writer);
	else
		json_put_bool(writer, stored->dirty);
	json_add_texts(writer, "tags", stored->tags, stored->tag_count);
	put_programs(writer, stored);
	json_put_key(writer, "rounds");
	json_put_array_line(writer);
	for (size_t i = 0; i < stored->rounds; i++)
		json_put_integer(writer, stored->times[i]);
	json_end_array(writer);
	json_end_object(writer);
}

/* ---- reading ---- */

static int copy(struct arena *arena, const char *text, const char **out, struct error *err)
{
	*out = arena_strdup(arena, text ? text : "");
	return *out ? 0 : error_memory(err);
}

static int read_tags(const struct node *list, struct arena *arena, struct provenance *out, struct error *err)
{
	out->tag_count = node_length(list);
	out->tags = arena_alloc(arena, out->tag_count + 1, sizeof(*out->tags));
	if (!out->tags)
		return error_memory(err);
	for (size_t i = 0; i < out->tag_count; i++) {
		struct node item = node_item(list, i);
		if (copy(arena, node_text(&item), &out->tags[i], err) != 0)
			return -1;
	}
	return 0;
}

static int read_programs(const struct node *list, struct arena *arena, struct provenance *out, struct error *err)
{
	out->program_count = node_length(list);
	out->programs = arena_alloc(arena, out->program_count + 1, sizeof(*out->programs));
	if (!out->programs)
		return error_memory(err);
	for (size_t i = 0; i < out->program_count; i++) {
		struct node item = node_item(list, i);
		struct program_file *program = &out->programs[i];
		if (copy(arena, node_get_text(&item, "path"), &program->path, err) != 0 ||
		    copy(arena, node_get_text(&item, "build_id"), &program->build_id, err) != 0 ||
		    copy(arena, node_get_text(&item, "hash"), &program->hash, err) != 0)
			return -1;
	}
	return 0;
}

/* Milliseconds that never go back. */
static int read_rounds(const struct node *list, struct arena *arena, struct provenance *out, struct error *err)
{
	double before = 0;
	out->rounds = node_length(list);
	out->times = arena_alloc(arena, out->rounds + 1, sizeof(*out->times));
	if (!out->times)
		return error_memory(err);
	for (size_t i = 0; i < out->rounds; i++) {
		struct node item = node_item(list, i);
		double time = node_number(&item);
		if (!(time >= before) || time >= 0x1p53)
			return error_set(err, ERROR_INPUT, "rounds of a stored result that are not in order");
		out->times[i] = (int64_t)time;
		before = time;
	}
	return 0;
}

int document_read_stored(const struct node *document, struct arena *arena, const struct provenance **out,
                         struct error *err)
{
	struct node stored = node_get(document, "stored");
	*out = NULL;
	if (!node_is_object(&stored))
		return 0;
	struct provenance *read = arena_alloc(arena, 1, sizeof(*read));
	struct node dirty = node_get(&stored, "dirty"), tags = node_get(&stored, "tags"),
				programs = node_get(&stored, "programs"), rounds = node_get(&stored, "rounds");
	if (!read)
		return error_memory(err);
	double started = node_get_number(&stored, "started");
	if (!(fabs(started) < 0x1p53))
		return error_set(err, ERROR_INPUT, "a stored result that does not say when it was made");
	*read = (struct provenance){.started = (int64_t)started,
	                            .dirty = dirty.type == NODE_TRUE    ? 1
	                                     : dirty.type == NODE_FALSE ? 0
	                                                                : -1};
	if (copy(arena, node_get_text(&stored, "key"), &read->key, err) != 0 ||
	    copy(arena, node_get_text(&stored, "metric"), &read->metric, err) != 0 ||
	    copy(arena, node_get_text(&stored, "machine"), &read->machine, err) != 0 ||
	    copy(arena, node_get_text(&stored, "commit"), &read->commit, err) != 0 ||
	    copy(arena, node_get_text(&stored, "branch"), &read->branch, err) != 0 ||
	    read_tags(&tags, arena, read, err) != 0 || read_programs(&programs, arena, read, err) != 0 ||
	    read_rounds(&rounds, arena, read, err) != 0)
		return -1;
	*out = read;
	return 0;
}
