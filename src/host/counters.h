/* Hardware counters of the commands that a process starts, through perf_event_open.
 *
 * The counters are opened on the process that starts a command, switched off, to be inherited and to be switched
 * on by execve. So they cost the starter nothing, a command counts from its first instruction, all its threads and
 * children count too, and what a process counted is added here when it ends.
 *
 * They are opened anew for every command. When the kernel switches from the starter to the command it may exchange
 * the two sets instead of saving and loading them, since they are equal; the starter's set then ends with the command,
 * its count intact, and the next command would inherit nothing. */
#ifndef TARE_HOST_COUNTERS_H
#define TARE_HOST_COUNTERS_H

#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>

enum { COUNTERS_MAX = 8, COUNTER_KINDS_MAX = 2 };

struct counter_event {
	const char *name; /* also the name of the metric */
	uint32_t type;    /* PERF_TYPE_… */
	uint64_t config;
};

/* cycles, instructions, branches, branch-misses, cache-references, cache-misses. */
enum { COUNTER_HARDWARE_EVENTS = 6 };
extern const struct counter_event counter_hardware_events[COUNTER_HARDWARE_EVENTS];

struct counters {
	size_t count;
	struct counter_event events[COUNTERS_MAX];
	int64_t kinds[COUNTER_KINDS_MAX];         /* of core, as the kernel numbers them; 0: all are of one kind */
	int fds[COUNTERS_MAX][COUNTER_KINDS_MAX]; /* one for each kind of core; -1: not counted */
	bool user_only;                           /* the kernel's part is not counted, for want of permission */
};

/* One reading. Time as in perf: enabled while the command ran, running while a real counter was there. */
struct counter_value {
	uint64_t count;
	uint64_t enabled, running; /* ns */
};

/* Opens what can be opened of `count` (at most COUNTERS_MAX) events for the command that the
 * calling process starts next. -1 when none can be: `err` says in one line why not. */
int counters_open(const struct host *host, const struct counter_event *events, size_t count, struct counters *out,
                  struct error *err);
/* The same events from zero, for the next command. An event that cannot be opened again is not counted. */
void counters_renew(const struct host *host, struct counters *counters);
void counters_release(const struct host *host, struct counters *counters); /* a zeroed one is empty */

/* Reads all; out[i] is zero where event i is not counted. */
void counters_read(const struct host *host, const struct counters *counters, struct counter_value *out);

/* What was counted between two readings. Where the events were more than the counters of the CPU,
 * the kernel gives each a part of the time: the count is then scaled up and *share, the part of the
 * time that was really counted, is below 1. -1 when nothing was counted at all. */
int counter_difference(const struct counter_value *before, const struct counter_value *after, int64_t *count,
                       double *share);

#endif
