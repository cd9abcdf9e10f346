/* A scripted machine: it plays given times, failures, time-outs, hooks and interrupts on a clock of its own, so that a
 * whole session can be tested without a process. A test that links script.c gets it in place of measure/source.h,
 * measure/bench_source.h, measure/harness.h, measure/disturbance.h, adapters/guest.h and builds/copies.h, and the real
 * clock is gone too.
 *
 * Values come from the seed of the script and from basic arithmetic alone: they are the same on every machine. */
#ifndef TARE_TESTS_SESSION_SCRIPT_H
#define TARE_TESTS_SESSION_SCRIPT_H

#include "base/buffer.h"
#include "model/experiment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_ACTORS = 12, SCRIPT_FAULTS = 3, SCRIPT_BENCHMARKS = 4, SCRIPT_SIDES = 3 };

struct adapter;

enum script_fault_kind {
	FAULT_NONE,
	FAULT_EXIT,        /* exit 1 */
	FAULT_IGNORED,     /* exit 1, which is welcome: the run counts, and is named */
	FAULT_SIGNAL,      /* of a benchmark: it crashes */
	FAULT_TIMEOUT,     /* of a benchmark: it hangs */
	FAULT_NOT_STARTED, /* of a benchmark: its program does not start */
	FAULT_SKIPPED,     /* of a benchmark: it does not want to be measured */
	FAULT_PRINTS,      /* of a benchmark: a note */
	FAULT_LEFTOVER,    /* it leaves processes behind */
	FAULT_UNKILLABLE,  /* so it does, and they cannot be killed */
};

struct script_fault {
	enum script_fault_kind kind;
	size_t from, to; /* runs (of a benchmark: starts of a process), counted from 1, trial runs included */
};

/* A command, or a benchmark on one side. */
struct script_actor {
	double time;             /* seconds of a run, or of an invocation */
	double noise;            /* relative, of each run or iteration */
	double run_noise;        /* of a benchmark: of each process */
	double tail, tail_times; /* share of runs that take so many times longer */
	double drift;            /* relative, with each run */
	double waits;            /* share of its time in which it wants no CPU */
	double crowd;            /* at once with another it takes so many times longer; 0: it does not */
	double shock;            /* share of runs that wait for a CPU for a tenth of their time */
	double grain;            /* times are whole multiples of it, seconds; 0: of a nanosecond */
	double warm, warm_times; /* of a benchmark: iterations of warm-up, and how many times longer they take */
	double start, curve;     /* over work amounts: seconds besides time × work, and of work squared */
	double reading;          /* its own number, if it has one */
	double reading_noise;
	size_t readings; /* unit readings in a run (over work: in a unit of it) */
	bool threads;
	bool untimed; /* of a benchmark: untimed parts beside each invocation, so that the delay of several is not known */
	struct script_fault faults[SCRIPT_FAULTS];
};

struct script {
	uint64_t seed;
	size_t cpus;                               /* 0: two */
	struct script_actor actors[SCRIPT_ACTORS]; /* by subject; of a suite: side × benchmark_count + benchmark */
	const char *benchmarks[SCRIPT_BENCHMARKS];
	const char *defaults[SCRIPT_BENCHMARKS]; /* "name=value" that the benchmark is told, or NULL */
	size_t benchmark_count;
	size_t missing;                /* of a suite: the last so many benchmarks are not on the other sides */
	size_t cancel_after;           /* trials (of a suite: iterations) after which the user interrupts; 0: never */
	bool cancel_within;            /* and the next one is broken off */
	double hook_time;              /* seconds; 0: 5 ms */
	size_t hook_fails;             /* the number of the hook that fails, from 1; 0: none */
	size_t build_fails;            /* the same for builds */
	bool notes;                    /* the machine has something to say */
	const struct adapter *adapter; /* the programs are suites of its framework; NULL: they are harness programs */
	bool doubles;                  /* and the first lists a benchmark twice */
	bool one_guest;                /* and the second program is none of its suites */
};

/* The script that is played from now on, from its beginning; the clock stands at 1000 s. */
void script_begin(const struct script *script);
/* A line for every trial: who ran, where, and the time by the clock. Emptied by script_begin. */
const struct buffer *script_log(void);
double script_now(void);          /* seconds */
void script_pass(double seconds); /* by something other than a trial */
double script_draw(double noise); /* 1, more or less */
void script_end(void);

#endif
