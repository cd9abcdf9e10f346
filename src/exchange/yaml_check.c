#include "exchange/yaml_check.h"

#include "base/array.h"

#include "base/text.h"

#include <stdbool.h>
#include <string.h>
#include <yaml.h>

struct yaml_walk {
	const char *file;
	yaml_document_t *document;
	struct arena *arena;
	struct yaml_places *places;
	struct error *err;
};

static int problem_at(struct yaml_walk *walk, const yaml_node_t *node)
{
	return error_at(walk->err, walk->file, (long)node->start_mark.line + 1, (long)node->start_mark.column + 1);
}

static const char *text_of(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* An alias stands for all that its anchor holds: a few lines of them could unfold to more than any machine has room
 * for. */
enum { VALUES_MAX = 10000 };

static int keep_place(struct yaml_walk *walk, const char *path, const yaml_node_t *node)
{
	struct yaml_places *places = walk->places;
	if (places->count == VALUES_MAX) {
		error_set(walk->err, ERROR_USAGE, "more than %d values, those of aliases counted each time", VALUES_MAX);
		return problem_at(walk, node);
	}
	if (array_add_in(walk->arena, &places->items, places->count) != 0)
		return error_memory(walk->err);
	places->items[places->count++] = (struct yaml_place){path, (long)node->start_mark.line + 1,
	                                                     (long)node->start_mark.column + 1};
	return 0;
}

static int unknown_key(struct yaml_walk *walk, const yaml_node_t *key, const cyaml_schema_field_t *fields,
                       const char *path)
{
	const char *nearest = NULL;
	size_t best = 4;
	for (const cyaml_schema_field_t *field = fields; field->key; field++) {
		size_t distance = text_distance(text_of(key), field->key);
		if (distance < best) {
			best = distance;
			nearest = field->key;
		}
	}
	error_set(walk->err, ERROR_USAGE, "there is no key '%.60s' %s%.60s", text_of(key), path[0] ? "in " : "here", path);
	if (nearest)
		error_next(walk->err, "did you mean '%s'? 'man tare.yaml' lists the keys", nearest);
	else
		error_next(walk->err, "'man tare.yaml' lists the keys");
	return problem_at(walk, key);
}

static int wrong_kind(struct yaml_walk *walk, const yaml_node_t *node, const char *path, const char *wanted)
{
	error_set(walk->err, ERROR_USAGE, "%.100s%smust be %s", path, path[0] ? " " : "the file ", wanted);
	return problem_at(walk, node);
}

static int check_value(struct yaml_walk *walk, const yaml_node_t *node, const cyaml_schema_value_t *schema,
                       const char *path);

/* The place of a key among those before it. */
static bool seen_before(const struct yaml_walk *walk, const yaml_node_t *mapping, const yaml_node_pair_t *pair)
{
	const char *key = text_of(yaml_document_get_node(walk->document, pair->key));
	for (const yaml_node_pair_t *other = mapping->data.mapping.pairs.start; other < pair; other++)
		if (strcmp(text_of(yaml_document_get_node(walk->document, other->key)), key) == 0)
			return true;
	return false;
}

static int check_pair(struct yaml_walk *walk, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                      const cyaml_schema_field_t *fields, const char *path)
{
	const yaml_node_t *key = yaml_document_get_node(walk->document, pair->key);
	const yaml_node_t *value = yaml_document_get_node(walk->document, pair->value);
	const cyaml_schema_field_t *field = fields;
	if (key->type != YAML_SCALAR_NODE)
		return wrong_kind(walk, key, "a key", "a word");
	while (field->key && strcmp(field->key, text_of(key)) != 0)
		field++;
	if (!field->key)
		return unknown_key(walk, key, fields, path);
	if (seen_before(walk, mapping, pair)) {
		error_set(walk->err, ERROR_USAGE, "'%.60s' is here for the second time", text_of(key));
		return problem_at(walk, key);
	}
	const char *inner = arena_printf(walk->arena, "%s%s%s", path, path[0] ? "." : "", field->key);
	return inner ? check_value(walk, value, &field->value, inner) : error_memory(walk->err);
}

static int check_mapping(struct yaml_walk *walk, const yaml_node_t *node, const cyaml_schema_field_t *fields,
                         const char *path)
{
	const yaml_node_pair_t *start = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
	for (const yaml_node_pair_t *pair = start; pair < end; pair++)
		if (check_pair(walk, node, pair, fields, path) != 0)
			return -1;
	for (const cyaml_schema_field_t *field = fields; field->key; field++) {
		bool found = field->value.flags & CYAML_FLAG_OPTIONAL;
		for (const yaml_node_pair_t *pair = start; pair < end && !found; pair++)
			found = strcmp(text_of(yaml_document_get_node(walk->document, pair->key)), field->key) == 0;
		if (!found) {
			error_set(walk->err, ERROR_USAGE, "%.100s%shas no '%s'", path, path[0] ? " " : "the file ", field->key);
			return problem_at(walk, node);
		}
	}
	return 0;
}

static int check_sequence(struct yaml_walk *walk, const yaml_node_t *node, const cyaml_schema_value_t *entry,
                          const char *path)
{
	size_t index = 0;
	for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
		const char *inner = arena_printf(walk->arena, "%s[%zu]", path, index++);
		if (!inner)
			return error_memory(walk->err);
		if (check_value(walk, yaml_document_get_node(walk->document, *item), entry, inner) != 0)
			return -1;
	}
	return 0;
}

static int check_value(struct yaml_walk *walk, const yaml_node_t *node, const cyaml_schema_value_t *schema,
                       const char *path)
{
	if (keep_place(walk, path, node) != 0)
		return -1;
	switch (schema->type) {
	case CYAML_MAPPING:
		if (node->type != YAML_MAPPING_NODE)
			return wrong_kind(walk, node, path, "keys with values ('key: value')");
		return check_mapping(walk, node, schema->mapping.fields, path);
	case CYAML_SEQUENCE:
		if (node->type != YAML_SEQUENCE_NODE)
			return wrong_kind(walk, node, path, "a list ('[a, b]', or lines that begin with '- ')");
		return check_sequence(walk, node, schema->sequence.entry, path);
	default:
		if (node->type != YAML_SCALAR_NODE)
			return wrong_kind(walk, node, path, "one word or text");
		if (node->data.scalar.length == 0 && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
			return wrong_kind(walk, node, path, "given a value, or left out");
		if (strlen(text_of(node)) != node->data.scalar.length)
			return wrong_kind(walk, node, path, "a text without NUL bytes");
		return 0;
	}
}

static int bad_syntax(const char *file, const yaml_parser_t *parser, struct error *err)
{
	/* libyaml does not always name the want of memory; a mistake in the text it always names. */
	if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
		return error_memory(err);
	error_set(err, ERROR_USAGE, "this is not YAML: %s", parser->problem);
	return error_at(err, file, (long)parser->problem_mark.line + 1, (long)parser->problem_mark.column + 1);
}

/* libyaml's time to load a document grows with the square of its depth: a look at the events, which come one by one,
 * ends before that. The schema is four levels deep. What is no YAML is left for the loader to explain. */
enum { DEPTH_MAX = 50 };

static int check_depth(const char *file, const char *text, size_t length, struct error *err)
{
	yaml_parser_t parser;
	yaml_event_t event;
	int depth = 0, status = 0;
	bool more = true;
	if (!yaml_parser_initialize(&parser))
		return error_memory(err);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	while (more && yaml_parser_parse(&parser, &event)) {
		depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
		depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
		more = event.type != YAML_STREAM_END_EVENT && depth <= DEPTH_MAX;
		if (depth > DEPTH_MAX) {
			error_set(err, ERROR_USAGE, "nested too deep");
			status = error_at(err, file, (long)event.start_mark.line + 1, (long)event.start_mark.column + 1);
		}
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return status;
}

/* A second document would be passed over in silence. */
static int check_end(const char *file, yaml_parser_t *parser, struct error *err)
{
	yaml_document_t next;
	if (!yaml_parser_load(parser, &next))
		return bad_syntax(file, parser, err);
	const yaml_node_t *root = yaml_document_get_root_node(&next);
	int status = root ? error_set(err, ERROR_USAGE, "a second document begins here; one file is one experiment") : 0;
	if (root)
		error_at(err, file, (long)next.start_mark.line + 1, 1);
	yaml_document_delete(&next);
	return status;
}

int yaml_check(const char *file, const char *text, size_t length, const cyaml_schema_value_t *schema,
               struct arena *arena, struct yaml_places *places, struct error *err)
{
	yaml_parser_t parser;
	yaml_document_t document;
	int status = check_depth(file, text, length, err);
	if (status != 0)
		return -1;
	if (!yaml_parser_initialize(&parser))
		return error_memory(err);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	if (!yaml_parser_load(&parser, &document)) {
		status = bad_syntax(file, &parser, err);
	} else {
		struct yaml_walk walk = {file, &document, arena, places, err};
		const yaml_node_t *root = yaml_document_get_root_node(&document);
		if (root) {
			status = check_value(&walk, root, schema, "");
		} else {
			error_set(err, ERROR_USAGE, "the file is empty");
			status = error_at(err, file, 0, 0);
		}
		if (status == 0)
			status = check_end(file, &parser, err);
		yaml_document_delete(&document);
	}
	yaml_parser_delete(&parser);
	return status;
}

const struct yaml_place *yaml_place(const struct yaml_places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++)
		if (strcmp(places->items[i].path, path) == 0)
			return &places->items[i];
	return NULL;
}
