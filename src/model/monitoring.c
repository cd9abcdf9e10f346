#include "model/monitoring.h"

#include "base/array.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const kinds[GAUGE_KINDS] = {"use", "share", "rate", "level"};

const char *gauge_kind_name(enum gauge_kind kind)
{
	return kinds[kind];
}

enum gauge_kind gauge_kind_by_name(const char *name)
{
	int kind = 0;
	while (kind < GAUGE_KINDS && strcmp(kinds[kind], name) != 0)
		kind++;
	return (enum gauge_kind)kind;
}

void monitoring_init(struct monitoring *monitoring)
{
	*monitoring = (struct monitoring){.rate = NAN,
	                                  .overhead = NAN,
	                                  .overhead_low = NAN,
	                                  .overhead_high = NAN,
	                                  .cost = NAN,
	                                  .limit = NAN,
	                                  .hold = NAN,
	                                  .slot = NAN};
}

const char *monitor_verdict_name(enum monitor_verdict verdict)
{
	static const char *const names[MONITOR_VERDICTS] = {"nothing", "as meant", "limited", "invalid"};
	return names[verdict];
}

const struct trace *monitoring_find(const struct monitoring *monitoring, const char *component, const char *quantity)
{
	for (size_t i = 0; i < monitoring->trace_count; i++) {
		const struct trace *trace = &monitoring->traces[i];
		if (strcmp(trace->component, component) == 0 && strcmp(trace->quantity, quantity) == 0)
			return trace;
	}
	return NULL;
}

bool component_is(const char *component, const char *cut)
{
	size_t length = strlen(cut);
	if (strncmp(component, cut, length) != 0)
		return false;
	const char *rest = component + length;
	/* "cpu" is every CPU, "disk" every disk; "disk:sd" is not "disk:sda". */
	if (*rest == '\0')
		return true;
	if (strchr(cut, ':'))
		return false;
	return *rest == ':' || isdigit((unsigned char)*rest);
}

size_t graph_find(const struct graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->node_count; i++)
		if (strcmp(graph->nodes[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

struct graph_node *graph_node(struct graph *graph, struct arena *arena, const char *name, const char *kind)
{
	size_t found = graph_find(graph, name);
	if (found != SIZE_MAX)
		return &graph->nodes[found];
	if (array_add_in(arena, &graph->nodes, graph->node_count) != 0)
		return NULL;
	struct graph_node *node = &graph->nodes[graph->node_count];
	*node = (struct graph_node){
		.name = arena_strdup(arena, name), .kind = arena_strdup(arena, kind), .mean = NAN, .peak = NAN};
	if (!node->name || !node->kind)
		return NULL;
	graph->node_count++;
	return node;
}

struct graph_link *graph_link(struct graph *graph, struct arena *arena, size_t from, size_t to)
{
	for (size_t i = 0; i < graph->link_count; i++)
		if (graph->links[i].from == from && graph->links[i].to == to)
			return &graph->links[i];
	if (array_add_in(arena, &graph->links, graph->link_count) != 0)
		return NULL;
	graph->links[graph->link_count] = (struct graph_link){
		.from = from, .to = to, .capacity = NAN, .mean = NAN, .peak = NAN};
	return &graph->links[graph->link_count++];
}
