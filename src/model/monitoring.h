/* What was seen of the machine while a measurement ran: traces, what was near its limit, the graph of components.
 *
 * A component is a thing that can limit: "cpu", "cpu3", "memory", "disk:sda", "net:eth0", "cgroup:cpu",
 * "pipe:/tmp/f", "HOST/disk:sda". A gauge is one quantity of it: "disk:sda.write". Shares are fractions. */
#ifndef TARE_MODEL_MONITORING_H
#define TARE_MODEL_MONITORING_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gauge_kind {
	GAUGE_USE,   /* share of what the component can do: what the verdict looks at */
	GAUGE_SHARE, /* another share, e.g. of time; told, never judged */
	GAUGE_RATE,  /* per second */
	GAUGE_LEVEL, /* as it is: bytes, tasks, seconds */
	GAUGE_KINDS
};

enum { GAUGE_NAME = 96, GAUGE_WORD = 24 };

/* "use", "share", "rate", "level". */
const char *gauge_kind_name(enum gauge_kind kind);
enum gauge_kind gauge_kind_by_name(const char *name); /* GAUGE_KINDS: none of them */

/* A gauge as it stands now. */
struct gauge_reading {
	const char *component, *quantity, *unit; /* unit "" for shares and counts */
	enum gauge_kind kind;
	double value; /* NaN: not known now */
	double peak;  /* largest so far; NaN */
};

/* A gauge over the whole measurement, in slots of equal length. */
struct trace {
	const char *component, *quantity, *unit;
	enum gauge_kind kind;
	double mean, peak;      /* while something was measured; NaN: never seen */
	double *values, *peaks; /* mean and largest of each slot; NaN: not seen */
};

/* A stretch of time in which a component was above the limit. */
struct saturation {
	const char *component, *quantity;
	double from, seconds; /* after the beginning of the traces */
	double mean, peak;
	bool under_test; /* it is what was to be measured */
};

/* One direction of a link between two components. */
struct graph_link {
	size_t from, to;         /* indices of nodes */
	const char *gauge;       /* that tells how busy it is: "disk:sda.write"; NULL: none known */
	double capacity;         /* bytes per second; NaN: not known */
	const char *capacity_by; /* who said so, or NULL */
	double mean, peak;       /* share of the capacity in use; NaN: not known */
	bool limiting;
};

struct graph_node {
	const char *name;   /* the component */
	const char *kind;   /* "cpu", "memory", "disk", "net", "files", "pipe", "host", … */
	const char *detail; /* "/srv on nfs", "ext4 at /home", or NULL */
	double mean, peak;  /* of the component itself; NaN */
	bool limiting, under_test;
};

struct graph {
	struct graph_node *nodes;
	size_t node_count;
	struct graph_link *links;
	size_t link_count;
};

enum monitor_verdict {
	MONITOR_NOTHING,  /* nothing was near its limit */
	MONITOR_AS_MEANT, /* the component under test, and nothing else */
	MONITOR_LIMITED,  /* nobody said what is under test; one component was near its limit */
	MONITOR_INVALID,  /* something other than the component under test was near its limit */
	MONITOR_VERDICTS
};

struct monitoring {
	bool recorded;                                /* false: nobody asked for it */
	double rate;                                  /* samples per second; NaN: only between trials */
	const char *where;                            /* "on CPU 1", "between trials", "beside the runs" */
	double overhead, overhead_low, overhead_high; /* share by which the runs were longer; NaN, see why */
	const char *overhead_why;
	double cost;        /* CPU seconds of one sample; NaN */
	const char *cut;    /* the component under test as it was given, or NULL */
	double limit, hold; /* share, seconds */
	enum monitor_verdict verdict;
	const char *limiting; /* component that was nearest to its limit above it, or NULL */
	const char *text;     /* the verdict in a sentence */
	size_t samples;
	double begin; /* seconds after the first trial round's start; 0 */
	double slot;  /* seconds */
	size_t slots;
	struct trace *traces; /* the busiest; a bounded number */
	size_t trace_count, traces_left_out;
	double *runs; /* when each kept round began, seconds after the beginning of the traces */
	size_t run_count;
	struct saturation *saturations; /* the longest of each gauge, longest first */
	size_t saturation_count;
	const char **unseen; /* what could not be seen, and why */
	size_t unseen_count;
	struct graph graph;
};

/* Zeroed, with every unknown number NaN. */
void monitoring_init(struct monitoring *monitoring);

const char *monitor_verdict_name(enum monitor_verdict verdict); /* "nothing", "as meant", "limited", "invalid" */

/* The trace of "component.quantity", or NULL. */
const struct trace *monitoring_find(const struct monitoring *monitoring, const char *component, const char *quantity);

/* Whether a component is what `cut` names: the same name, or for "cpu", "disk", "net" … any of that kind. */
bool component_is(const char *component, const char *cut);

/* The node of a component, made if it is not there; NULL when out of memory. The strings are copied. */
struct graph_node *graph_node(struct graph *graph, struct arena *arena, const char *name, const char *kind);
/* Its index, or SIZE_MAX. */
size_t graph_find(const struct graph *graph, const char *name);
/* One direction from `from` to `to`, made if it is not there; NULL when out of memory. */
struct graph_link *graph_link(struct graph *graph, struct arena *arena, size_t from, size_t to);

#endif
