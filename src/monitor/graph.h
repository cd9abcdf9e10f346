/* The graph of components that matter for some commands: found, extended by a file, filled with what was seen. */
#ifndef TARE_MONITOR_GRAPH_H
#define TARE_MONITOR_GRAPH_H

#include "monitor/monitor.h"

/* The node "command", CPUs and memory, and what lies below the files that the arguments name and that a monitor saw
 * open (NULL: none), in both directions. */
int graph_discover(const struct host *host, const struct monitor *monitor, const char *const *commands, size_t count,
                   struct graph *out, struct arena *arena, struct error *err);

/* Adds the nodes and links of `more`; what both have is kept from `more` where it says something. */
int graph_extend(struct graph *graph, const struct graph *more, struct arena *arena, struct error *err);

/* Use of every node and link from the gauges, capacities where they are known, and what limits; after monitor_end(). */
int graph_fill(struct monitor *monitor, struct monitoring *monitoring, struct arena *arena, struct error *err);

/* Whether two components lie above each other on the way to one device: a volume and its disk. */
bool graph_same_way(const struct graph *graph, const char *a, const char *b);

#endif
