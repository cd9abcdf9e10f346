/* A guest: a program whose benchmarks are those of another framework, and the adapter that runs it. */
#ifndef TARE_ADAPTERS_GUEST_H
#define TARE_ADAPTERS_GUEST_H

#include "adapters/adapter.h"
#include "base/error.h"
#include "host/spawner.h"
#include "measure/harness.h"
#include "model/outcome.h"

struct guest;

struct guest_request {
	const char *command;    /* of the user */
	const char *const *env; /* "NAME=value" besides tare's own; NULL: none */
	const char *directory;  /* NULL: tare's own */
	const char *adapter;    /* its name; NULL: recognise it */
	const struct host *host;
	const struct cpuset *cpus; /* that it may use */
	int cancel;                /* a descriptor that becomes readable when the user interrupts, or -1 */
	int64_t limit;             /* ns for listing */
};

/* *out is NULL where no adapter recognises the program; err then says whether it was not found. -1 and err: no such adapter,
 * no such program, no memory. */
int guest_open(const struct guest_request *request, struct guest **out, struct error *err);
void guest_free(struct guest *guest);
void guest_use(struct guest *guest, struct spawner *spawner); /* before its first process: starts them */

const struct adapter *guest_adapter(const struct guest *guest);

/* Its benchmarks: names without white space, "/key=value" and "/key:value" in them as parameters. -1 and err where it
 * cannot be listed. Asked once, then remembered. */
int guest_list(struct guest *guest, const struct harness_benchmark **out, size_t *count, struct error *err);

/* Why the list may not be all that there is: what there is shows only when it runs, and it failed then. NULL: it is. */
const char *guest_cut_short(const struct guest *guest);

/* Adds to such a list what the other one has and it lacks: what is not there fails when it is measured. */
int guest_adopt(struct guest *guest, const struct guest *other, struct error *err);

/* Names that it has twice, which are in no list. */
const char *const *guest_doubles(const struct guest *guest, size_t *count);

/* One process that measures some benchmarks. */
struct guest_order {
	const struct harness_benchmark *const *benchmarks;
	size_t count;
	double seconds; /* about so long, each */
	size_t repetitions;
	bool by_cpu_time; /* where the framework has one clock */
	int cpu;          /* -1: any */
	int64_t limit;    /* ns of the process */
};

/* A value for each metric and repetition, of one benchmark of the order. */
struct guest_values {
	struct harness_sample *samples; /* a row each; times in ns of GUEST_INVOCATIONS invocations */
	size_t count;                   /* 0: none, and */
	char why[300];                  /* the reason; */
	bool skipped;                   /* which is its own choice, no failure */
};

/* So many that a fraction of a nanosecond can be told. */
#define GUEST_INVOCATIONS UINT64_C(1000000)

struct guest_run {
	struct outcome outcome;
	struct guest_values *values; /* by benchmark of the order */
	bool one_thread;             /* as far as can be told */
	double busy;                 /* part of its time that it ran or waited for a CPU; NaN: not known */
	struct arena arena;
};

/* Runs one process of each guest, at once where there are several. What became of them is in the runs, to be released
 * also on failure. -1 and err: nothing can be started any more, interrupted, or out of memory. */
int guest_run(struct guest *const *guests, size_t guest_count, const struct guest_order *orders, struct guest_run *runs,
              struct error *err);
void guest_run_release(struct guest_run *run); /* also of a zeroed one */

#endif
