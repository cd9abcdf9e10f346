/* Layout: a node's column is its distance from the first node, its row the order in which it was found; graphs of
 * components are small and almost trees, so that nothing cleverer is needed. */
#include "report/graph.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/svg_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOX_WIDTH = 230, BOX_HEIGHT = 50, ACROSS = 120, DOWN = 26, TOP = 28, APART = 7 };

struct node_place {
	size_t column, row;
};

/* Distances by breadth; what is not reached stands in the last column. */
static void find_columns(const struct graph *graph, struct node_place *places)
{
	size_t last = 0;
	for (size_t i = 0; i < graph->node_count; i++)
		places[i].column = i == 0 ? 0 : SIZE_MAX;
	for (size_t step = 0; step < graph->node_count; step++)
		for (size_t i = 0; i < graph->link_count; i++) {
			const struct graph_link *link = &graph->links[i];
			if (places[link->from].column == step && places[link->to].column == SIZE_MAX) {
				places[link->to].column = step + 1;
				last = step + 1;
			}
		}
	for (size_t i = 0; i < graph->node_count; i++)
		if (places[i].column == SIZE_MAX)
			places[i].column = last + 1;
}

static size_t find_rows(const struct graph *graph, struct node_place *places, size_t *columns)
{
	size_t most = 0;
	*columns = 1;
	for (size_t i = 0; i < graph->node_count; i++) {
		places[i].row = 0;
		for (size_t k = 0; k < i; k++)
			places[i].row += places[k].column == places[i].column;
		most = places[i].row + 1 > most ? places[i].row + 1 : most;
		*columns = places[i].column + 1 > *columns ? places[i].column + 1 : *columns;
	}
	return most;
}

static struct svg_box box_of(const struct node_place *place)
{
	return (struct svg_box){SVG_MARGIN + (double)place->column * (BOX_WIDTH + ACROSS),
	                        TOP + SVG_MARGIN + (double)place->row * (BOX_HEIGHT + DOWN), BOX_WIDTH, BOX_HEIGHT};
}

static void draw_node(const struct graph_node *node, struct svg_box box, struct buffer *out)
{
	const char *class_ = node->limiting && node->under_test ? "tested limit"
	                     : node->limiting                   ? "limit"
	                     : node->under_test                 ? "tested"
	                                                        : "soft";
	char use[96];
	double right = box.x + box.width, bottom = box.y + box.height;
	svg_line(out, class_, box.x, box.y, right, box.y);
	svg_line(out, class_, right, box.y, right, bottom);
	svg_line(out, class_, right, bottom, box.x, bottom);
	svg_line(out, class_, box.x, bottom, box.x, box.y);
	svg_text_fit(out, node->limiting ? "bad" : "name", box.x + 6, box.y + 16, SVG_START, node->name, box.width - 12);
	if (node->detail)
		svg_text_fit(out, "soft", box.x + 6, box.y + 30, SVG_START, node->detail, box.width - 12);
	if (isnan(node->mean))
		return;
	snprintf(use, sizeof(use), "%.0f %%, up to %.0f %%%s", node->mean * 100, node->peak * 100,
	         node->limiting ? ": limits" : "");
	svg_text_fit(out, node->limiting ? "bad" : "soft", box.x + 6, box.y + 44, SVG_START, use, box.width - 12);
}

static void draw_link(const struct graph_link *link, struct svg_box from, struct svg_box to, struct buffer *out)
{
	bool right = to.x > from.x;
	double shift = right ? -APART : APART; /* there above, back below */
	double x1 = right ? from.x + from.width : from.x, x2 = right ? to.x : to.x + to.width;
	double y1 = from.y + from.height / 2 + shift, y2 = to.y + to.height / 2 + shift;
	char label[160], capacity[FORMAT_MAX];
	if (from.x == to.x)
		return; /* side by side: told by the tables */
	const char *class_ = link->limiting ? "limit" : "axis";
	svg_line(out, class_, x1, y1, x2, y2);
	/* The head of the arrow, two strokes. */
	double back = right ? -7 : 7;
	svg_line(out, class_, x2, y2, x2 + back, y2 - 4);
	svg_line(out, class_, x2, y2, x2 + back, y2 + 4);
	snprintf(label, sizeof(label), "%s", link->limiting ? "limits" : "");
	if (!isnan(link->mean))
		snprintf(label, sizeof(label), "%s%.0f %%", link->limiting ? "limits: " : "", link->mean * 100);
	if (!isnan(link->capacity)) {
		size_t used = strlen(label);
		snprintf(label + used, sizeof(label) - used, "%sof %s/s", used ? " " : "",
		         format_quantity(capacity, sizeof(capacity), link->capacity, link->capacity / 50, "bytes"));
	}
	if (label[0])
		svg_text_fit(out, link->limiting ? "bad" : "soft", (x1 + x2) / 2, (y1 + y2) / 2 + (right ? -4 : 13), SVG_MIDDLE,
		             label, ACROSS - 10);
}

int svg_graph(const struct graph *graph, const struct svg_options *options, struct buffer *out, struct error *err)
{
	struct node_place *places = mem_zalloc(graph->node_count + 1, sizeof(*places));
	const char *title = options->title ? options->title : "components on the path of the data";
	size_t columns = 1;
	if (!places)
		return error_memory(err);
	find_columns(graph, places);
	size_t rows = find_rows(graph, places, &columns);
	double width = 2 * SVG_MARGIN + (double)columns * BOX_WIDTH + (double)(columns - 1) * ACROSS;
	double height = TOP + 2 * SVG_MARGIN + (double)rows * (BOX_HEIGHT + DOWN);
	const char *limiting = NULL;
	for (size_t i = 0; i < graph->node_count; i++)
		limiting = graph->nodes[i].limiting ? graph->nodes[i].name : limiting;
	struct buffer description = {0};
	buffer_printf(&description, "%zu components and the links between them; %s%s", graph->node_count,
	              limiting ? "what limits: " : "nothing is near its limit", limiting ? limiting : "");
	svg_open(out, options, width, height, title, buffer_text(&description));
	out->out_of_memory |= description.out_of_memory;
	buffer_release(&description);
	svg_text_fit(out, "head", SVG_MARGIN, SVG_MARGIN + 14, SVG_START, title, width - 2 * SVG_MARGIN);
	for (size_t i = 0; i < graph->link_count; i++)
		draw_link(&graph->links[i], box_of(&places[graph->links[i].from]), box_of(&places[graph->links[i].to]), out);
	for (size_t i = 0; i < graph->node_count; i++)
		draw_node(&graph->nodes[i], box_of(&places[i]), out);
	svg_close(out);
	mem_free(places);
	return buffer_error(out, err);
}
