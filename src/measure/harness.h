/* One harness program: started, asked what it has, sent through one iteration at a time, stopped.
 *
 * States: none → harness_start → idle ⇄ harness_select/harness_leave → (harness_grant → harness_collect)… →
 * harness_stop. What the program does wrong is an outcome, not an error of tare's: it crashed, ended, hung, answered
 * nonsense or wrote over the shared memory. After any of these it has been killed and reaped, harness_alive() is false,
 * and only harness_free may follow; the caller starts another process and goes on with the next benchmark.
 *
 * The channel is described in docs/protocol.md: lines on two pipes, and a sealed mapping for grants and answers where
 * the program can use one. Times are nanoseconds, raw; harness_wall_per_invocation() takes the overhead off. */
#ifndef TARE_MEASURE_HARNESS_H
#define TARE_MEASURE_HARNESS_H

#include "base/error.h"
#include "host/cpuset.h"
#include "host/host.h"
#include "tare/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness;

enum harness_transport {
	HARNESS_ANY,   /* the mapping where the program can use it */
	HARNESS_PIPES, /* text only */
};

struct harness_request {
	const char *const *argv;   /* of the program; ends with NULL */
	const char *const *env;    /* "NAME=value" besides tare's own; ends with NULL; NULL: none */
	const char *directory;     /* NULL: tare's own */
	const struct cpuset *cpus; /* where it is to run; NULL: anywhere. Changes by the program are noticed and undone */
	enum harness_transport transport;
	int64_t start_limit;      /* ns until the program must have answered; 0: HARNESS_START_LIMIT */
	int64_t slow_start_limit; /* ns for one that is visibly starting a large runtime; 0: HARNESS_SLOW_START_LIMIT */
	int cancel;               /* a descriptor that becomes readable when all waiting is to end; -1: none */
};

/* A program that has said nothing after the first limit is given up, unless it has several threads and has kept at
 * least a tenth of a CPU busy: a virtual machine of a language that is still loading. Such a one gets the second
 * limit. Where nobody set the first, it grows with the threads that want each CPU, up to the second. */
#define HARNESS_START_LIMIT      INT64_C(900000000)
#define HARNESS_SLOW_START_LIMIT INT64_C(10000000000)

/* How a step with the program went. */
#define HARNESS_ENDS(X) \
	X(HARNESS_OK, "ok") \
	X(HARNESS_SKIPPED, "skipped") /* by the benchmark itself; the program lives on */ \
	X(HARNESS_FAILED, "failed")   /* by its own word; the program lives on */ \
	X(HARNESS_EXITED, "exited")   /* code: exit status */ \
	X(HARNESS_CRASHED, "crashed") /* code: signal */ \
	X(HARNESS_HUNG, "hung")       /* no answer within the limit */ \
	X(HARNESS_GARBAGE, "garbage") /* an answer that cannot be believed */ \
	X(HARNESS_CANCELLED, "cancelled") \
	X(HARNESS_LOST, "lost") /* the system refused something; code: errno */

enum harness_end {
#define X(end, name) end,
	HARNESS_ENDS(X)
#undef X
};

struct harness_outcome {
	enum harness_end end;
	int code;
	char text
		[512]; /* what happened, in words, without the benchmark's name: "crashed: Segmentation fault; …"; "" for ok */
};

const char *harness_end_name(enum harness_end end);

/* What was seen beside the answer; none of it is fatal. */
enum {
	HARNESS_PRINTED = 1 << 0,  /* it wrote to standard output */
	HARNESS_MOVED = 1 << 1,    /* it changed the CPUs that it may run on; they were set back */
	HARNESS_LEFTOVER = 1 << 2, /* it has child processes that it left behind (harness_leave) */
};

struct harness_benchmark {
	const char *name;
	const char *key; /* as another framework spells it; NULL: it is one of a harness */
	struct harness_pair {
		const char *name, *value;
	} * parameters, *defaults;
	size_t parameter_count, default_count;
};

struct harness_overhead { /* ns */
	double resolution;    /* of the program's clock */
	double fixed_wall;    /* one start and stop of the clock */
	double fixed_cpu;     /* the same, by the CPU clock */
	double loop;          /* what one turn of the loop adds */
	double loop_limit;    /* one turn of an empty loop */
};

struct harness_grant {
	uint64_t invocations;
	uint32_t metrics;  /* TARE_HAS_… beside the wall time */
	uint32_t counters; /* bits 1 << TARE_COUNTER_… */
	int64_t limit;     /* ns from the grant until the program counts as hung */
};

/* One iteration. Numbers that are not known are -1. Pointers are good until the next grant. */
struct harness_sample {
	uint64_t invocations, segments;
	int64_t wall, cpu, delay, process_cpu;
	int64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	int cpu_first, cpu_last;
	int64_t counters[TARE_COUNTER_COUNT];
	double counter_share; /* part of the time that the counters ran; NaN without counters */
	double items, bytes;  /* in this iteration; 0: not said */
	int64_t elapsed;      /* from grant to answer by this side's clock: wall and the hand-over */
	const struct tare_thread_times *threads;
	size_t thread_count;
	const struct tare_metric *metrics;
	size_t metric_count;
	const char *unit_name, *unit_unit; /* NULL: no unit readings */
	bool unit_higher_is_better;
	uint64_t unit_total;
	uint32_t unit_stride;
	const double *units;
	size_t unit_count;
	uint32_t notes;      /* HARNESS_… that were seen in this iteration */
	const char *printed; /* the beginning of it, or "" */
};

/* Starts the program and shakes hands. -1: cannot be started, or does not speak the protocol; err says which and what
 * to do. */
int harness_start(const struct host *host, const struct harness_request *request, struct harness **out,
                  struct error *err);

/* Kills it if it still runs. NULL is fine. */
void harness_free(struct harness *harness);

/* Asks it to end, waits a little, kills it. HARNESS_OK, or how it ended instead. */
struct harness_outcome harness_stop(struct harness *harness);

bool harness_alive(const struct harness *harness);
pid_t harness_pid(const struct harness *harness);
int64_t harness_threads(const struct harness *harness); /* that it has at this moment; -1: not known */
bool harness_has_map(const struct harness *harness);
const char *harness_language(const struct harness *harness); /* "c", "python", … as it says */

/* Its benchmarks; owned by the harness. Asked once, then remembered. */
int harness_list(struct harness *harness, const struct harness_benchmark **out, size_t *count, struct error *err);

/* What its loop and clock cost, measured by itself just now. */
int harness_calibrate(struct harness *harness, struct harness_overhead *out, struct error *err);

/* Chooses a benchmark (ending the one before) and runs its set-up; `limit` in ns. */
struct harness_outcome harness_select(struct harness *harness, const char *benchmark, int64_t limit);

/* Grants an iteration and returns at once; harness_collect waits for it. */
struct harness_outcome harness_grant(struct harness *harness, const struct harness_grant *grant);
struct harness_outcome harness_collect(struct harness *harness, struct harness_sample *out);

/* Waits until one of the two has answered its grant, has ended, or is too late, or all waiting is to end; which one, the
 * first if both. harness_collect then says what it is. */
size_t harness_first_done(struct harness *const pair[2]);

/* Both in one. The sample is written only for HARNESS_OK. */
struct harness_outcome harness_iterate(struct harness *harness, const struct harness_grant *grant,
                                       struct harness_sample *out);

/* Ends the benchmark (its tear-down). *notes: every HARNESS_… since it was selected; may be NULL. */
struct harness_outcome harness_leave(struct harness *harness, int64_t limit, uint32_t *notes);

/* ns of one invocation with clock and loop taken off, not below 0; NaN when not known or without invocations. */
double harness_wall_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead);
double harness_cpu_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead);

#endif
