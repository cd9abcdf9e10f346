/* The graph of components as a drawing: DOT for Graphviz, and SVG that needs nothing else. */
#ifndef TARE_REPORT_GRAPH_H
#define TARE_REPORT_GRAPH_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/monitoring.h"
#include "report/svg.h"

/* Every node with its use, every direction of a link by itself; what limits is thick and says so, what is under test
 * dashed. */
int graph_dot(const struct graph *graph, struct buffer *out, struct error *err);

/* Columns by distance from the first node; the two directions of a link side by side. */
int svg_graph(const struct graph *graph, const struct svg_options *options, struct buffer *out, struct error *err);

#endif
