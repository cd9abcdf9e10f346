#include "exchange/document_monitoring.h"

#include "exchange/fields.h"
#include "exchange/words.h"

#include <math.h>

#define FIELD(type, name, kind, member) \
	{ \
		name, kind, offsetof(type, member), FIELD_NO_WHY, 0 \
	}
#define FIELDS_END \
	{ \
		NULL, FIELD_TEXT, 0, 0, 0 \
	}

#define M(name, kind, member) FIELD(struct monitoring, name, kind, member)
static const struct field monitoring_fields[] = {
	M("limiting", FIELD_TEXT, limiting),
	M("text", FIELD_TEXT, text),
	M("cut", FIELD_TEXT, cut),
	M("limit", FIELD_NUMBER, limit),
	M("hold", FIELD_NUMBER, hold),
	M("where", FIELD_TEXT, where),
	M("rate", FIELD_NUMBER, rate),
	{"overhead", FIELD_NUMBER, offsetof(struct monitoring, overhead), offsetof(struct monitoring, overhead_why), 0},
	M("overhead_low", FIELD_NUMBER, overhead_low),
	M("overhead_high", FIELD_NUMBER, overhead_high),
	M("cost", FIELD_NUMBER, cost),
	M("samples_taken", FIELD_COUNT, samples),
	M("slot", FIELD_NUMBER, slot),
	M("traces_left_out", FIELD_COUNT, traces_left_out),
	FIELDS_END,
};
#undef M

static const struct field trace_fields[] = {
	FIELD(struct trace, "component", FIELD_TEXT, component), FIELD(struct trace, "quantity", FIELD_TEXT, quantity),
	FIELD(struct trace, "unit", FIELD_TEXT, unit),           FIELD(struct trace, "mean", FIELD_NUMBER, mean),
	FIELD(struct trace, "peak", FIELD_NUMBER, peak),         FIELDS_END,
};

static const struct field saturation_fields[] = {
	FIELD(struct saturation, "component", FIELD_TEXT, component),
	FIELD(struct saturation, "quantity", FIELD_TEXT, quantity),
	FIELD(struct saturation, "from", FIELD_NUMBER, from),
	FIELD(struct saturation, "seconds", FIELD_NUMBER, seconds),
	FIELD(struct saturation, "mean", FIELD_NUMBER, mean),
	FIELD(struct saturation, "peak", FIELD_NUMBER, peak),
	FIELD(struct saturation, "under_test", FIELD_FLAG, under_test),
	FIELDS_END,
};

static const struct field node_fields[] = {
	FIELD(struct graph_node, "name", FIELD_TEXT, name),
	FIELD(struct graph_node, "kind", FIELD_TEXT, kind),
	FIELD(struct graph_node, "detail", FIELD_TEXT, detail),
	FIELD(struct graph_node, "mean", FIELD_NUMBER, mean),
	FIELD(struct graph_node, "peak", FIELD_NUMBER, peak),
	FIELD(struct graph_node, "limiting", FIELD_FLAG, limiting),
	FIELD(struct graph_node, "under_test", FIELD_FLAG, under_test),
	FIELDS_END,
};

static const struct field link_fields[] = {
	FIELD(struct graph_link, "gauge", FIELD_TEXT, gauge),
	FIELD(struct graph_link, "capacity", FIELD_NUMBER, capacity),
	FIELD(struct graph_link, "capacity_by", FIELD_TEXT, capacity_by),
	FIELD(struct graph_link, "mean", FIELD_NUMBER, mean),
	FIELD(struct graph_link, "peak", FIELD_NUMBER, peak),
	FIELD(struct graph_link, "limiting", FIELD_FLAG, limiting),
	FIELDS_END,
};

static void put_numbers(struct json_writer *writer, const char *key, const double *numbers, size_t count)
{
	json_put_key(writer, key);
	json_put_array_line(writer);
	for (size_t i = 0; i < count; i++)
		json_put_number(writer, numbers[i]);
	json_end_array(writer);
}

static void put_traces(struct json_writer *writer, const struct monitoring *m)
{
	json_put_key(writer, "traces");
	json_put_array(writer);
	for (size_t i = 0; i < m->trace_count; i++) {
		json_put_object(writer);
		fields_write(writer, trace_fields, &m->traces[i]);
		json_add_text(writer, "kind", gauge_kind_name(m->traces[i].kind));
		put_numbers(writer, "values", m->traces[i].values, m->slots);
		put_numbers(writer, "peaks", m->traces[i].peaks, m->slots);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void put_graph(struct json_writer *writer, const struct graph *graph)
{
	json_put_key(writer, "graph");
	json_put_object(writer);
	json_put_key(writer, "nodes");
	json_put_array(writer);
	for (size_t i = 0; i < graph->node_count; i++) {
		json_put_object_line(writer);
		fields_write(writer, node_fields, &graph->nodes[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_put_key(writer, "links");
	json_put_array(writer);
	for (size_t i = 0; i < graph->link_count; i++) {
		json_put_object_line(writer);
		json_add_text(writer, "from", graph->nodes[graph->links[i].from].name);
		json_add_text(writer, "to", graph->nodes[graph->links[i].to].name);
		fields_write(writer, link_fields, &graph->links[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

void document_put_monitoring(struct json_writer *writer, const struct monitoring *m)
{
	if (!m->recorded) {
		json_add_text(writer, "monitoring", NULL);
		json_add_text(writer, "monitoring_why", "nothing was watched (--monitor)");
		return;
	}
	json_put_key(writer, "monitoring");
	json_put_object(writer);
	json_add_text(writer, "verdict", monitor_verdict_name(m->verdict));
	fields_write(writer, monitoring_fields, m);
	json_put_key(writer, "saturations");
	json_put_array(writer);
	for (size_t i = 0; i < m->saturation_count; i++) {
		json_put_object_line(writer);
		fields_write(writer, saturation_fields, &m->saturations[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_put_key(writer, "unseen");
	json_put_array(writer);
	for (size_t i = 0; i < m->unseen_count; i++)
		json_put_text(writer, m->unseen[i]);
	json_end_array(writer);
	put_numbers(writer, "runs", m->runs, m->run_count);
	put_traces(writer, m);
	put_graph(writer, &m->graph);
	json_end_object(writer);
}

/* ---- reading ---- */

/* Fills `count` numbers; what the array does not have is NaN. */
static double *read_numbers(const struct node *array, size_t count, struct arena *arena)
{
	double *numbers = arena_alloc(arena, count + 1, sizeof(*numbers));
	for (size_t i = 0; numbers && i < count; i++) {
		struct node item = node_item(array, i);
		numbers[i] = node_number(&item);
	}
	return numbers;
}

static int read_traces(const struct node *array, struct arena *arena, struct monitoring *out, struct error *err)
{
	size_t count = node_length(array);
	out->traces = arena_alloc(arena, count + 1, sizeof(*out->traces));
	if (!out->traces)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		struct node item = node_item(array, i), values = node_get(&item, "values"), peaks = node_get(&item, "peaks");
		const char *kind = node_get_text(&item, "kind");
		struct trace *trace = &out->traces[out->trace_count];
		*trace = (struct trace){.kind = kind ? gauge_kind_by_name(kind) : GAUGE_KINDS, .mean = NAN, .peak = NAN};
		if (i == 0)
			out->slots = node_length(&values);
		if (fields_read(&item, trace_fields, trace, arena, err) != 0)
			return -1;
		trace->values = read_numbers(&values, out->slots, arena);
		trace->peaks = read_numbers(&peaks, out->slots, arena);
		if (!trace->values || !trace->peaks)
			return error_memory(err);
		out->trace_count += trace->component && trace->quantity && trace->unit && trace->kind != GAUGE_KINDS;
	}
	return 0;
}

static int read_saturations(const struct node *array, struct arena *arena, struct monitoring *out, struct error *err)
{
	size_t count = node_length(array);
	out->saturations = arena_alloc(arena, count + 1, sizeof(*out->saturations));
	if (!out->saturations)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		struct node item = node_item(array, i);
		struct saturation *one = &out->saturations[out->saturation_count];
		*one = (struct saturation){.from = NAN, .seconds = NAN, .mean = NAN, .peak = NAN};
		if (fields_read(&item, saturation_fields, one, arena, err) != 0)
			return -1;
		out->saturation_count += one->component && one->quantity;
	}
	return 0;
}

static int read_graph(const struct node *object, struct arena *arena, struct graph *out, struct error *err)
{
	struct node nodes = node_get(object, "nodes"), links = node_get(object, "links");
	for (size_t i = 0; i < node_length(&nodes); i++) {
		struct node item = node_item(&nodes, i);
		const char *name = node_get_text(&item, "name"), *kind = node_get_text(&item, "kind");
		if (!name || !kind)
			continue;
		struct graph_node *node = graph_node(out, arena, name, kind);
		if (!node)
			return error_memory(err);
		if (fields_read(&item, node_fields, node, arena, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < node_length(&links); i++) {
		struct node item = node_item(&links, i);
		const char *from = node_get_text(&item, "from"), *to = node_get_text(&item, "to");
		size_t a = from ? graph_find(out, from) : SIZE_MAX, b = to ? graph_find(out, to) : SIZE_MAX;
		if (a == SIZE_MAX || b == SIZE_MAX)
			continue;
		struct graph_link *link = graph_link(out, arena, a, b);
		if (!link)
			return error_memory(err);
		if (fields_read(&item, link_fields, link, arena, err) != 0)
			return -1;
	}
	return 0;
}

static int read_unseen(const struct node *array, struct arena *arena, struct monitoring *out, struct error *err)
{
	out->unseen = arena_alloc(arena, node_length(array) + 1, sizeof(*out->unseen));
	if (!out->unseen)
		return error_memory(err);
	for (size_t i = 0; i < node_length(array); i++) {
		struct node item = node_item(array, i);
		const char *text = node_text(&item);
		if (!text)
			continue;
		if (!(out->unseen[out->unseen_count] = arena_strdup(arena, text)))
			return error_memory(err);
		out->unseen_count++;
	}
	return 0;
}

int document_read_monitoring(const struct node *object, struct arena *arena, struct monitoring *out, struct error *err)
{
	int verdict = 0;
	struct node traces = node_get(object, "traces"), graph = node_get(object, "graph"), runs = node_get(object, "runs");
	struct node unseen = node_get(object, "unseen"), saturations = node_get(object, "saturations");
	monitoring_init(out);
	if (!node_is_object(object))
		return 0;
	out->recorded = true;
	if (words_read(object, "verdict", WORD_MONITOR, &verdict, err) != 0)
		return -1;
	out->verdict = (enum monitor_verdict)verdict;
	if (fields_read(object, monitoring_fields, out, arena, err) != 0 || read_traces(&traces, arena, out, err) != 0 ||
	    read_saturations(&saturations, arena, out, err) != 0 || read_unseen(&unseen, arena, out, err) != 0 ||
	    read_graph(&graph, arena, &out->graph, err) != 0)
		return -1;
	out->run_count = node_length(&runs);
	out->runs = read_numbers(&runs, out->run_count, arena);
	return out->runs ? 0 : error_memory(err);
}
