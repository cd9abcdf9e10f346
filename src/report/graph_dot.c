#include "report/graph.h"

#include "base/format.h"

#include <math.h>

/* Text between quotes of DOT: quotes and backslashes are escaped, control characters are shown as blanks. */
static void quoted(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buffer_char(out, '\\');
		buffer_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
	}
}

static void add_use(struct buffer *out, double mean, double peak)
{
	if (!isnan(mean))
		buffer_printf(out, "%.0f %% (up to %.0f %%)", mean * 100, peak * 100);
}

static void add_node(const struct graph_node *node, size_t index, struct buffer *out)
{
	buffer_printf(out, "  n%zu [label=\"", index);
	quoted(out, node->name);
	if (node->detail) {
		buffer_text_add(out, "\\n");
		quoted(out, node->detail);
	}
	if (!isnan(node->mean)) {
		buffer_text_add(out, "\\n");
		add_use(out, node->mean, node->peak);
	}
	buffer_text_add(out, node->limiting ? "\\nlimits\"" : "\"");
	if (node->limiting)
		buffer_text_add(out, ", color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2");
	if (node->under_test)
		buffer_text_add(out, ", style=dashed");
	buffer_text_add(out, "];\n");
}

static void add_link(const struct graph_link *link, struct buffer *out)
{
	char capacity[FORMAT_MAX];
	buffer_printf(out, "  n%zu -> n%zu [label=\"", link->from, link->to);
	add_use(out, link->mean, link->peak);
	if (!isnan(link->capacity))
		buffer_printf(out, "%sof %s/s", isnan(link->mean) ? "" : "\\n",
		              format_quantity(capacity, sizeof(capacity), link->capacity, link->capacity / 50, "bytes"));
	buffer_text_add(out, link->limiting ? "\\nlimits\"" : "\"");
	if (link->limiting)
		buffer_text_add(out, ", color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2.5");
	buffer_text_add(out, "];\n");
}

int graph_dot(const struct graph *graph, struct buffer *out, struct error *err)
{
	buffer_text_add(out, "digraph components {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
	                     "  edge [fontname=\"sans-serif\", fontsize=10];\n");
	for (size_t i = 0; i < graph->node_count; i++)
		add_node(&graph->nodes[i], i, out);
	for (size_t i = 0; i < graph->link_count; i++)
		add_link(&graph->links[i], out);
	buffer_text_add(out, "}\n");
	return buffer_error(out, err);
}
