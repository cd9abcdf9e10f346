#include "monitor/graph.h"

#include "monitor/internal.h"
#include "monitor/paths.h"
#include "host/proc.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct discovery {
	const struct host *host;
	struct mounts mounts;
	struct graph *graph;
	struct arena *arena;
	struct error *err;
	char folder[PATH_MAX]; /* the working directory, "" where not known */
};

enum { COMMAND = 0 }; /* node */

static int both(struct discovery *d, size_t a, const char *name, const char *kind)
{
	struct graph_node *node = graph_node(d->graph, d->arena, name, kind);
	if (!node)
		return error_memory(d->err);
	size_t b = (size_t)(node - d->graph->nodes);
	return graph_link(d->graph, d->arena, a, b) && graph_link(d->graph, d->arena, b, a) ? 0 : error_memory(d->err);
}

/* A path that exists, or whose folder does (an output). */
static bool is_path(const struct discovery *d, const char *path)
{
	struct stat stat;
	char full[2 * PATH_MAX];
	snprintf(full, sizeof(full), "%.4000s%.4000s", d->host->root, path);
	if (d->host->sys->stat(full, &stat) == 0)
		return true;
	char *slash = strrchr(full, '/');
	if (!slash || slash == full)
		return false;
	*slash = '\0';
	return d->host->sys->stat(full, &stat) == 0 && S_ISDIR(stat.st_mode);
}

static int take_path(struct discovery *d, const char *word)
{
	char path[PATH_MAX], real[PATH_MAX];
	if (word[0] == '/')
		snprintf(path, sizeof(path), "%s", word);
	else if (d->folder[0])
		snprintf(path, sizeof(path), "%.2000s/%.2000s", d->folder, word);
	else
		return 0;
	if (!is_path(d, path))
		return 0;
	/* Links are followed where the paths are those of this machine. */
	const char *target = !d->host->root[0] && realpath(path, real) ? real : path;
	if (strncmp(target, "/proc/", 6) == 0 || strncmp(target, "/sys/", 5) == 0 || strcmp(target, "/dev/null") == 0)
		return 0;
	return paths_add(d->host, &d->mounts, target, COMMAND, d->graph, d->arena, d->err);
}

/* A word of a command: a path, or something with a path behind '='. A bare name counts only where such a file is. */
static int take_word(struct discovery *d, const char *word)
{
	const char *equals = strchr(word, '=');
	struct stat stat;
	char full[2 * PATH_MAX];
	if (equals && equals[1] && take_word(d, equals + 1) != 0)
		return -1;
	if (word[0] == '-' || equals || !word[0])
		return 0;
	if (strchr(word, '/'))
		return take_path(d, word);
	snprintf(full, sizeof(full), "%.2000s%.2000s/%.2000s", d->host->root, d->folder, word);
	return d->folder[0] && d->host->sys->stat(full, &stat) == 0 ? take_path(d, word) : 0;
}

static int take_command(struct discovery *d, const char *command)
{
	char word[PATH_MAX];
	size_t length = 0;
	/* Quotes and what shells act on separate words: what is no path then is no path. */
	for (const char *at = command;; at++) {
		bool separates = *at == '\0' || strchr(" \t\n'\"<>|;&()", *at);
		if (!separates && length + 1 < sizeof(word)) {
			word[length++] = *at;
			continue;
		}
		word[length] = '\0';
		if (separates && length > 0 && take_word(d, word) != 0)
			return -1;
		length = 0;
		if (*at == '\0')
			return 0;
	}
}

static int take_open(struct discovery *d, const char *file)
{
	char address[64];
	if (strncmp(file, "socket:", 7) != 0)
		return take_path(d, file);
	if (!socket_peer(d->host, file, address, sizeof(address)))
		return 0;
	return paths_add_host(d->host, address, address, COMMAND, d->graph, d->arena, d->err);
}

int graph_discover(const struct host *host, const struct monitor *monitor, const char *const *commands, size_t count,
                   struct graph *out, struct arena *arena, struct error *err)
{
	struct discovery d = {.host = host, .graph = out, .arena = arena, .err = err};
	if (proc_read_link(host, "/proc/self/cwd", d.folder, sizeof(d.folder)) <= 0)
		d.folder[0] = '\0';
	if (mounts_read(host, &d.mounts, err) != 0)
		return -1;
	int status = graph_node(out, arena, "command", "command") ? 0 : error_memory(err);
	if (status == 0)
		status = both(&d, COMMAND, "cpu", "cpu");
	if (status == 0)
		status = both(&d, COMMAND, "memory", "memory");
	for (size_t i = 0; i < count && status == 0; i++)
		status = take_command(&d, commands[i]);
	for (size_t i = 0; status == 0 && monitor && monitor_open_file(monitor, i); i++)
		status = take_open(&d, monitor_open_file(monitor, i));
	mounts_release(&d.mounts);
	return status;
}

int graph_extend(struct graph *graph, const struct graph *more, struct arena *arena, struct error *err)
{
	for (size_t i = 0; i < more->node_count; i++) {
		const struct graph_node *from = &more->nodes[i];
		struct graph_node *node = graph_node(graph, arena, from->name, from->kind);
		if (!node)
			return error_memory(err);
		node->detail = from->detail ? from->detail : node->detail;
	}
	for (size_t i = 0; i < more->link_count; i++) {
		const struct graph_link *from = &more->links[i];
		struct graph_link *link = graph_link(graph, arena, graph_find(graph, more->nodes[from->from].name),
		                                     graph_find(graph, more->nodes[from->to].name));
		if (!link)
			return error_memory(err);
		link->gauge = from->gauge ? from->gauge : link->gauge;
		if (!isnan(from->capacity)) {
			link->capacity = from->capacity;
			link->capacity_by = from->capacity_by;
		}
	}
	return 0;
}

/* The gauge of "disk:sda.write": its use where that is known, and else how busy its component is. */
static const struct gauge *gauge_named(const struct monitor *monitor, const char *name, bool use)
{
	char component[GAUGE_NAME], quantity[GAUGE_WORD + 8];
	const char *dot = name ? strrchr(name, '.') : NULL;
	if (!dot)
		return NULL;
	snprintf(component, sizeof(component), "%.*s", (int)(dot - name), name);
	snprintf(quantity, sizeof(quantity), use ? "%.18s-use" : "%.23s", dot + 1);
	int index = gauges_find(&monitor->gauges, component, quantity);
	return index == GAUGES_NONE ? NULL : &monitor->gauges.gauges[index];
}

/* The use of a component: the largest mean of its gauges of that kind. */
static const struct gauge *busiest(const struct monitor *monitor, const char *component)
{
	const struct gauge *best = NULL;
	for (int i = 0; i < monitor->gauges.count; i++) {
		const struct gauge *gauge = &monitor->gauges.gauges[i];
		if (gauge->kind != GAUGE_USE || strcmp(gauge->component, component) != 0 || isnan(gauge_any_mean(gauge)))
			continue;
		if (!best || gauge_any_mean(gauge) > gauge_any_mean(best))
			best = gauge;
	}
	return best;
}

static int fill_link(const struct monitor *monitor, struct graph_link *link, struct arena *arena, struct error *err)
{
	const struct gauge *use = gauge_named(monitor, link->gauge, true),
					   *plain = gauge_named(monitor, link->gauge, false);
	if (use && use->weight > 0) {
		link->mean = gauge_mean(use);
		link->peak = use->peak;
	} else if (plain && plain->weight > 0 && plain->kind == GAUGE_USE) {
		link->mean = gauge_mean(plain);
		link->peak = plain->peak;
	} else if (plain && plain->weight > 0 && link->capacity > 0) {
		link->mean = gauge_mean(plain) / link->capacity;
		link->peak = plain->peak / link->capacity;
	}
	const char *dot = link->gauge ? strrchr(link->gauge, '.') : NULL;
	if (!dot || !isnan(link->capacity))
		return 0;
	for (int i = 0; i < monitor->capacity_count; i++) {
		const struct capacity *one = &monitor->capacities[i];
		if (strlen(one->component) != (size_t)(dot - link->gauge) ||
		    strncmp(one->component, link->gauge, (size_t)(dot - link->gauge)) != 0 ||
		    strcmp(one->quantity, dot + 1) != 0)
			continue;
		link->capacity = one->value;
		if (!(link->capacity_by = arena_strdup(arena, one->by)))
			return error_memory(err);
	}
	/* An interface knows its own speed. */
	for (size_t i = 0; i < monitor->net.count && isnan(link->capacity); i++) {
		const struct interface *net = &monitor->net.interfaces[i];
		if (strncmp(net->component, link->gauge, (size_t)(dot - link->gauge)) != 0 || net->component[dot - link->gauge])
			continue;
		link->capacity = net->capacity[strcmp(dot + 1, "send") == 0];
		link->capacity_by = isnan(link->capacity) ? NULL : "link speed or shaper";
	}
	return 0;
}

int graph_fill(struct monitor *monitor, struct monitoring *monitoring, struct arena *arena, struct error *err)
{
	struct graph *graph = &monitoring->graph;
	/* What limits is in the graph, also when nobody knew the way to it. */
	if (monitoring->limiting && graph->node_count && graph_find(graph, monitoring->limiting) == SIZE_MAX) {
		const char *colon = strchr(monitoring->limiting, ':');
		char kind[GAUGE_WORD];
		snprintf(kind, sizeof(kind), "%.*s", colon ? (int)(colon - monitoring->limiting) : 3, monitoring->limiting);
		struct graph_node *node = graph_node(graph, arena, monitoring->limiting, kind);
		size_t index = node ? (size_t)(node - graph->nodes) : 0;
		if (!node || !graph_link(graph, arena, COMMAND, index) || !graph_link(graph, arena, index, COMMAND))
			return error_memory(err);
	}
	for (size_t i = 0; i < graph->node_count; i++) {
		struct graph_node *node = &graph->nodes[i];
		const struct gauge *use = busiest(monitor, node->name);
		node->mean = use ? gauge_any_mean(use) : NAN;
		node->peak = use ? use->weight > 0 ? use->peak : use->earlier_peak : NAN;
		node->limiting = monitoring->limiting && strcmp(node->name, monitoring->limiting) == 0;
		node->under_test = monitoring->cut && component_is(node->name, monitoring->cut);
	}
	for (size_t i = 0; i < graph->link_count; i++)
		if (fill_link(monitor, &graph->links[i], arena, err) != 0)
			return -1;
	/* Of the links to what limits the busiest one is marked; where none is known, those that lead there. */
	double most = -1;
	for (size_t i = 0; i < graph->link_count; i++) {
		const struct graph_link *link = &graph->links[i];
		bool touches = graph->nodes[link->to].limiting || graph->nodes[link->from].limiting;
		if (touches && link->mean > most)
			most = link->mean;
	}
	for (size_t i = 0; i < graph->link_count; i++) {
		struct graph_link *link = &graph->links[i];
		bool touches = graph->nodes[link->to].limiting || graph->nodes[link->from].limiting;
		link->limiting = most >= 0 ? touches && link->mean == most : graph->nodes[link->to].limiting;
	}
	return 0;
}

/* Whether a link leads down: of the two directions that one was made first. */
static bool leads_down(const struct graph *graph, size_t index)
{
	const struct graph_link *link = &graph->links[index];
	for (size_t i = 0; i < index; i++)
		if (graph->links[i].from == link->to && graph->links[i].to == link->from)
			return false;
	return true;
}

static bool leads_to(const struct graph *graph, size_t from, size_t to, int depth)
{
	if (from == to)
		return true;
	for (size_t i = 0; depth > 0 && i < graph->link_count; i++) {
		const struct graph_link *link = &graph->links[i];
		bool below = strcmp(graph->nodes[link->to].kind, "disk") == 0 ||
		             strcmp(graph->nodes[link->to].kind, "files") == 0;
		if (link->from == from && below && leads_down(graph, i) && leads_to(graph, link->to, to, depth - 1))
			return true;
	}
	return false;
}

bool graph_same_way(const struct graph *graph, const char *a, const char *b)
{
	size_t x = graph_find(graph, a), y = graph_find(graph, b);
	return x != SIZE_MAX && y != SIZE_MAX && (leads_to(graph, x, y, 4) || leads_to(graph, y, x, 4));
}
