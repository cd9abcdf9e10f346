/* SPDX-License-Identifier: MIT */
/* What the files of the harness share. Not installed.
 *
 * The files are also joined into one header that users compile as C11 or C++11 inside a file of theirs. So everything
 * here is written in the language that both share (casts from void *, no designated initialisers), and every name at
 * file scope begins with tare_. */
#ifndef TARE_HARNESS_INTERNAL_H
#define TARE_HARNESS_INTERNAL_H

#include "tare/bench.h"
#include "tare/protocol.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#ifndef TARE_VERSION
#define TARE_VERSION "0.2.0"
#endif

enum { TARE_INSTANCES_MAX = 100000 }; /* a cartesian product beyond this is a mistake */

struct tare_parameter {
	char *name;
	char **values;
	size_t count;
};

struct tare_hooks { /* any may be NULL */
	tare_function set_up, tear_down;
};

struct tare_option_default {
	char *option, *value;
};

struct tare_options {
	struct tare_parameter *parameters;
	size_t parameter_count;
	struct tare_option_default *defaults;
	size_t default_count;
	struct tare_hooks run, iteration, invocation;
	uint64_t batch; /* invocations between the invocation hooks; 0: no hooks */
	char unit_name[TARE_NAME_SIZE], unit_unit[TARE_UNIT_SIZE];
	enum tare_better unit_better;
	char problem[TARE_REASON_SIZE]; /* the first wrong call, or "" */
};

struct tare_benchmark {
	const struct tare_registration *registration;
	struct tare_options options;
};

/* A benchmark with a value for each of its parameters: what is listed, selected and measured. */
struct tare_instance {
	const struct tare_benchmark *benchmark;
	char *name;
	const char **values; /* one per parameter */
	unsigned threads;
	void *data; /* the user's */
};

struct tare_suite {
	struct tare_benchmark *benchmarks;
	size_t benchmark_count;
	struct tare_instance *instances;
	size_t count;
};

/* One state of the clocks and counts of the calling thread. */
struct tare_reading {
	uint64_t cpu, process_cpu, delay;
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	uint32_t cpu_number;
	uint32_t present; /* TARE_HAS_… */
};

enum tare_state {
	TARE_IDLE,
	TARE_READY,  /* the function was called, its loop has not begun */
	TARE_TIMING, /* in the loop, the clock runs */
	TARE_PAUSED, /* in the loop, the clock is stopped */
	TARE_DONE    /* the loop is over */
};

struct tare_pool;

struct tare {
	struct tare_instance *instance;
	struct tare_pool *pool; /* NULL for one thread */
	unsigned thread;
	uint32_t metrics; /* wanted: TARE_HAS_… */
	uint64_t invocations;
	uint64_t left; /* invocations that the loop has not yet been given */
	enum tare_state state;
	uint32_t status; /* enum tare_answer_status */
	char reason[TARE_REASON_SIZE];
	int schedstat;                               /* descriptor of this thread's schedstat, -1: none, -2: not tried */
	int counter_descriptors[TARE_COUNTER_COUNT]; /* -1: not tried, -2: does not exist */
	int counter_leader;                          /* -1: none */
	uint32_t counters_wanted;
	uint32_t counters;                         /* bits that are open and run in this iteration */
	uint64_t counter_enabled, counter_running; /* up to the last iteration */

	struct timespec started; /* the current segment's start */
	struct timespec first_start, last_end;
	uint64_t cpu_started;
	uint64_t wall, cpu, segments;
	struct tare_reading before, after;

	double items, bytes; /* per invocation */
	struct tare_metric reports[TARE_METRICS_MAX];
	uint32_t report_count;
	double *units; /* NULL: no unit metric */
	uint32_t unit_capacity, unit_count, unit_stride;
	uint64_t unit_total;
};

/* The selected benchmark and its threads, which live as long as it is selected. */
struct tare_selected {
	struct tare_instance *instance;
	struct tare *contexts; /* one per thread */
	struct tare_pool *pool;
	int up; /* the set-up of the run succeeded, so its tear-down must be called */
};

/* What a loop of this program costs, in nanoseconds. */
struct tare_overhead {
	double resolution; /* of the wall clock */
	double fixed_wall; /* one start and stop of the clock, by the wall clock */
	double fixed_cpu;  /* the same, by the CPU clock */
	double loop;       /* what one turn adds to a chain of dependent instructions */
	double loop_limit; /* one turn of an empty loop: the most that it can add */
};

/* allocation: ends the program with a message if there is no memory */
void *tare_allocate(size_t count, size_t size); /* cleared */
void *tare_reallocate(void *block, size_t count, size_t size);
char *tare_duplicate(const char *text, size_t length);

/* registry.c. Returns 0, or -1 with `problem` filled: two benchmarks have the same name, or a configuration is wrong. */
int tare_suite_build(struct tare_suite *suite, char *problem, size_t size);
void tare_suite_release(struct tare_suite *suite);
struct tare_instance *tare_suite_find(const struct tare_suite *suite, const char *name);      /* or NULL */
const char *tare_instance_value(const struct tare_instance *instance, const char *parameter); /* or NULL */

/* filter.c: drops the instances that do not match. `pattern`: an extended regular expression that must match a part of
 * the name; with a '-' in front, it must not match. `condition`: "name=value,value". Returns -1 with `problem` filled if
 * it is malformed or there is no memory. */
int tare_filter_pattern(struct tare_suite *suite, const char *pattern, char *problem, size_t size);
int tare_filter_parameter(struct tare_suite *suite, const char *condition, char *problem, size_t size);

/* options.c */
void tare_options_release(struct tare_options *options);
char **tare_split(const char *comma_separated, size_t *count); /* NULL and 0 if it is empty */
void tare_split_release(char **words, size_t count);
int tare_word_is_plain(const char *text); /* not empty, no white space or control character */

/* clock.c */
uint64_t tare_nanoseconds(const struct timespec *from, const struct timespec *to);
uint64_t tare_thread_cpu(void);
int tare_schedstat_open(void); /* of the calling thread; -1 if there is none */
/* Reads the requested clocks and counts. Nearest to the loop is the CPU clock: last before it, first after it. */
void tare_reading_before(struct tare *t);
void tare_reading_after(struct tare *t);
double tare_clock_resolution(void);

/* numbers.c: reals as text and back, with a dot in every locale; parse: 1 when the whole text is a number */
enum { TARE_REAL_SIZE = 32 };
const char *tare_real_text(char text[TARE_REAL_SIZE], double value); /* 17 digits; returns text */
int tare_real_parse(const char *text, double *value);

/* counters.c: opens the requested counters that exist, for the calling thread */
void tare_counters_init(struct tare *t);
void tare_counters_start(struct tare *t);
void tare_counters_stop(struct tare *t);
void tare_counters_collect(struct tare *t, struct tare_answer *answer);
void tare_counters_close(struct tare *t);

/* threads.c */
struct tare_pool *tare_pool_start(struct tare *contexts, unsigned count); /* NULL: the system gives no threads */
void tare_pool_run(struct tare_pool *pool); /* calls tare_call in every thread, with contexts[0] in this one */
void tare_pool_stop(struct tare_pool *pool);
void tare_pool_meet(struct tare_pool *pool,
                    int wait); /* the start: returns when all threads have met (wait = 0: at once) */

/* context.c */
void tare_say(struct tare *t, uint32_t status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void tare_units_thin(struct tare *t);

/* iteration.c */
void tare_select(struct tare_selected *selected, struct tare_instance *instance, struct tare_reply *reply);
void tare_iterate(struct tare_selected *selected, const struct tare_grant *grant, struct tare_reply *reply);
void tare_deselect(struct tare_selected *selected);
void tare_call(struct tare *t); /* the benchmark function once, in the calling thread */

/* calibrate.c */
void tare_calibrate(const struct tare_loops *loops, struct tare_overhead *overhead);
/* Nanoseconds of one invocation less the overhead, not below 0. */
double tare_corrected(const struct tare_answer *answer, const struct tare_overhead *overhead);

/* channel.c: lines on two descriptors */
struct tare_channel {
	int in, out;
	struct tare_map *map; /* NULL: text only */
	size_t used, start;   /* of the input: end and start of the bytes not yet returned as lines */
	char input[TARE_LINE_MAX];
	size_t output_used;
	char output[2 * TARE_LINE_MAX];
};
int tare_channel_open(struct tare_channel *channel, char *problem,
                      size_t size);                    /* 1: open, 0: no channel requested, -1: problem */
char *tare_channel_line(struct tare_channel *channel); /* without newline; NULL at the end or for a line too long */
void tare_channel_put(struct tare_channel *channel, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tare_channel_flush(struct tare_channel *channel);

/* session.c: executes the controller's commands until `quit`; returns the exit code */
int tare_session(struct tare_suite *suite, struct tare_channel *channel, const struct tare_loops *loops);

/* table.c: what `./suite` does when started by hand; returns the exit code */
int tare_table(struct tare_suite *suite, const struct tare_loops *loops, const char *program);
int tare_test(struct tare_suite *suite);

#endif
