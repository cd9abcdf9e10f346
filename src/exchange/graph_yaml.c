#include "exchange/graph_yaml.h"

#include "base/buffer.h"
#include "base/parse.h"
#include "host/file.h"

#include <cyaml/cyaml.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

struct yaml_component {
	char *name, *kind, *detail;
};

struct yaml_link {
	char *from, *to, *gauge, *capacity, *back, *back_capacity;
};

struct yaml_graph {
	bool replace;
	struct yaml_component *components;
	unsigned components_count;
	struct yaml_link *links;
	unsigned links_count;
};

#define TEXT(key, type, member) CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER, type, member, 1, 400)
#define TEXT_OPTIONAL(key, type, member) \
	CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, member, 0, 400)

static const cyaml_schema_field_t component_fields[] = {
	TEXT("name", struct yaml_component, name),
	TEXT_OPTIONAL("kind", struct yaml_component, kind),
	TEXT_OPTIONAL("detail", struct yaml_component, detail),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t link_fields[] = {
	TEXT("from", struct yaml_link, from),
	TEXT("to", struct yaml_link, to),
	TEXT_OPTIONAL("gauge", struct yaml_link, gauge),
	TEXT_OPTIONAL("capacity", struct yaml_link, capacity),
	TEXT_OPTIONAL("back", struct yaml_link, back),
	TEXT_OPTIONAL("back-capacity", struct yaml_link, back_capacity),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t component_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_component, component_fields)};
static const cyaml_schema_value_t link_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_link, link_fields)};

static const cyaml_schema_field_t graph_fields[] = {
	CYAML_FIELD_BOOL("replace", CYAML_FLAG_OPTIONAL, struct yaml_graph, replace),
	CYAML_FIELD_SEQUENCE("components", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yaml_graph, components,
                         &component_schema, 0, 10000),
	CYAML_FIELD_SEQUENCE("links", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yaml_graph, links, &link_schema, 0,
                         10000),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t graph_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yaml_graph, graph_fields)};

/* The last words of the parser, without printing them. */
static void listen_to_parser(cyaml_log_t level, void *context, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void listen_to_parser(cyaml_log_t level, void *context, const char *format, va_list args)
{
	char *text = context;
	char line[160];
	if (level < CYAML_LOG_ERROR)
		return;
	vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\n")] = '\0';
	/* The first line is the cause; then it tells where it was on the way up. */
	if (!text[0])
		snprintf(text, sizeof(line), "%s", line);
	else if (strstr(line, "line:") && !strstr(text, "line:")) {
		size_t used = strlen(text);
		const char *where = strstr(line, "line:");
		snprintf(text + used, sizeof(line) - used, " (%.*s)", (int)strcspn(where, ")"), where);
	}
}

static int parse_capacity(const char *text, double *out, struct error *err)
{
	int64_t bytes;
	char size[64];
	if (!text || !text[0])
		return 0;
	/* "200MB/s" is as good as "200MB". */
	size_t length = strlen(text);
	bool per_second = length > 2 && strcmp(text + length - 2, "/s") == 0;
	snprintf(size, sizeof(size), "%.*s", (int)(length - (per_second ? 2 : 0)), text);
	if (parse_size(size, &bytes, err) != 0 || bytes <= 0)
		return error_set(err, ERROR_INPUT, "'%.60s' is not a capacity: a size per second like 200MB is one", text);
	*out = (double)bytes;
	return 0;
}

static size_t node_of(struct graph *graph, struct arena *arena, const char *name)
{
	const char *colon = strchr(name, ':');
	char kind[GAUGE_WORD];
	snprintf(kind, sizeof(kind), "%.*s", colon ? (int)(colon - name) : 20, name);
	struct graph_node *node = graph_node(graph, arena, name, kind);
	return node ? (size_t)(node - graph->nodes) : SIZE_MAX;
}

static int add_direction(struct graph *graph, struct arena *arena, size_t from, size_t to, const char *gauge,
                         const char *capacity, struct error *err)
{
	struct graph_link *link = graph_link(graph, arena, from, to);
	if (!link || (gauge && !(link->gauge = arena_strdup(arena, gauge))))
		return error_memory(err);
	link->capacity_by = capacity ? "the user's file" : NULL;
	return parse_capacity(capacity, &link->capacity, err);
}

static int convert(const struct yaml_graph *yaml, struct arena *arena, struct graph *out, struct error *err)
{
	for (unsigned i = 0; i < yaml->components_count; i++) {
		const struct yaml_component *one = &yaml->components[i];
		struct graph_node *node;
		size_t index = one->kind ? SIZE_MAX : node_of(out, arena, one->name);
		node = one->kind ? graph_node(out, arena, one->name, one->kind) : index == SIZE_MAX ? NULL : &out->nodes[index];
		if (!node || (one->detail && !(node->detail = arena_strdup(arena, one->detail))))
			return error_memory(err);
	}
	for (unsigned i = 0; i < yaml->links_count; i++) {
		const struct yaml_link *one = &yaml->links[i];
		size_t from = node_of(out, arena, one->from), to = node_of(out, arena, one->to);
		if (from == SIZE_MAX || to == SIZE_MAX)
			return error_memory(err);
		if (add_direction(out, arena, from, to, one->gauge, one->capacity, err) != 0 ||
		    add_direction(out, arena, to, from, one->back, one->back_capacity, err) != 0)
			return -1;
	}
	return 0;
}

/* The whole of a small file. */
static int read_whole(const char *path, struct buffer *out, struct error *err)
{
	int fd = file_open(&syscalls_libc, path, err);
	if (fd < 0)
		return -1;
	long got = 1;
	while (got > 0) {
		char *room = buffer_room(out, 4096);
		got = room ? file_read(&syscalls_libc, fd, room, 4096, err) : 0;
		if (got > 0)
			buffer_grown(out, (size_t)got);
	}
	syscalls_libc.close(fd);
	if (got < 0)
		return error_on(err, "%s", path);
	if (out->too_long)
		return error_full(err, ERROR_INPUT, path, NULL, "more than 1 MB of components");
	return buffer_error(out, err);
}

int graph_yaml_read(const char *path, struct arena *arena, struct graph *out, bool *replace, struct error *err)
{
	char why[160] = "";
	cyaml_config_t config = {.log_fn = listen_to_parser,
	                         .log_ctx = why,
	                         .log_level = CYAML_LOG_ERROR,
	                         .mem_fn = cyaml_mem,
	                         .flags = CYAML_CFG_NO_ALIAS};
	struct buffer text;
	struct yaml_graph *yaml = NULL;
	buffer_init(&text, FILE_MAX);
	int status = read_whole(path, &text, err);
	if (status == 0) {
		cyaml_err_t result = cyaml_load_data((const uint8_t *)buffer_text(&text), text.length, &config, &graph_schema,
		                                     (void **)&yaml, NULL);
		if (result != CYAML_OK) {
			error_set(err, ERROR_INPUT, "%s%s%s", cyaml_strerror(result), why[0] ? ": " : "", why);
			error_on(err, "%s", path);
			status = error_next(err, "'man tare-monitor' shows what such a file holds");
		}
	}
	buffer_release(&text);
	if (status == 0 && yaml) {
		status = convert(yaml, arena, out, err);
		if (status != 0 && err && err->kind == ERROR_INPUT)
			error_on(err, "%s", path);
		*replace = yaml->replace;
	}
	cyaml_free(&config, &graph_schema, yaml, 0);
	return status;
}
