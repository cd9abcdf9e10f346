/* The state of a session with harness programs, shared by the files session/bench_*.c. */
#ifndef TARE_SESSION_BENCH_STATE_H
#define TARE_SESSION_BENCH_STATE_H

#include "base/random.h"
#include "decide/auto_rule.h"
#include "decide/jury.h"
#include "decide/stable.h"
#include "design/fit.h"
#include "design/schedule.h"
#include "measure/bench_source.h"
#include "measure/disturbance.h"
#include "model/plan.h"
#include "monitor/watch.h"
#include "session/bench.h"

/* What an iteration gives, as columns of a table with a row for each iteration. Times are seconds of an invocation. */
enum bench_column {
	COLUMN_WALL,
	COLUMN_CPU,
	COLUMN_NET,
	COLUMN_DELAY,
	COLUMN_ITEMS, /* in a second */
	COLUMN_BYTES,
	COLUMN_OWN, /* the first of the program's own; the readings of single units are one of them, as their mean */
	COLUMN_COUNT = COLUMN_OWN + TARE_METRICS_MAX + 1
};

struct bench_columns {
	bool used[COLUMN_COUNT];                      /* seen when the benchmark was tried */
	size_t metric[COLUMN_COUNT];                  /* of the used ones: place among the subject's metrics */
	struct metric own[COLUMN_COUNT - COLUMN_OWN]; /* names in the result's arena */
	size_t own_count;
};

/* A run that is being measured: rows of values. */
struct bench_table {
	double *values; /* row × COLUMN_COUNT */
	size_t rows, capacity;
};

enum bench_stage {
	BENCH_OPEN,
	BENCH_DECIDED, /* its question is answered */
	BENCH_COUNTED, /* it has the runs that were asked for */
	BENCH_LOST,    /* it failed, or does not want to be measured */
};

/* What an iteration that is going on has given so far. */
struct bench_iteration {
	double *values;
	uint64_t *counts;
	size_t n, capacity;
};

/* A benchmark that is stopped when it is stable (bench_stable.c). */
struct bench_stable {
	struct stable_options options;
	struct stable **watches; /* by side */
	size_t batches;          /* grants that make an iteration */
	size_t warmup_runs_left;
	bool *warm;                         /* by side, of the run going on: the criteria hold */
	size_t *measured_from;              /* by side: its first measured iteration; SIZE_MAX: still warming up */
	size_t *never_warm;                 /* by side: runs that reached the cap */
	size_t warmup_sum, warmup_count;    /* iterations, over runs */
	bool *is_stable;                    /* by side: after its last run */
	size_t *runs;                       /* by side: that are kept */
	struct bench_iteration *iterations; /* by side: in a duet two are going on at once */
};

struct benchmark {
	const char *name;
	const struct harness_benchmark **on; /* as each side has it */
	bool has_subjects;                   /* in the result: */
	size_t subject;                      /* that of the first side; those of the others follow */
	struct bench_columns *columns;       /* by side */
	double *alone;                       /* by side: deciding value when tried */
	size_t min_runs, max_runs, iterations, min_warmup, max_warmup; /* options and the benchmark's own defaults */
	int64_t iteration_time;
	struct experiment_stability stability; /* the same */
	struct bench_stable *stable;           /* NULL: it is stopped by another rule, and then */
	struct auto_rule *rule;                /* says what is left out of its runs and how long they are */

	uint64_t invocations; /* of an iteration, the same on all sides */
	bool one_thread;      /* on every side */
	enum bench_column deciding;
	double row_time, start_time; /* seconds of an iteration of every side; of starting and ending their processes */
	double crowd;                /* how many times longer it took than it ran */
	double pace;                 /* how many times longer runs took of late than was foreseen */
	double unit_time;            /* seconds of the next run */
	size_t length;               /* iterations of the next run, at least */
	size_t cpu_offset;

	const struct plan_subject *planned; /* what the plan says of it, or NULL */
	bool length_planned;                /* `iterations` is the plan's */
	enum bench_stage stage;
	size_t runs;          /* kept, of each side on stage */
	size_t skip;          /* iterations left out of each run; not of one that is stopped when stable */
	size_t fed, fed_skip; /* runs that the jury has seen, and what was left out of them */
	size_t quantum_runs;  /* the jury had seen when it was last told the clock's step */
};

struct bench_session {
	const struct experiment *experiment;
	struct bench_source *source;
	struct turns *turns;         /* by benchmark: differences confirmed by turns; NULL: design is not shared */
	struct bench_guests *guests; /* the programs are suites of another framework; NULL: they speak the protocol */
	const struct session_observer *observer;
	struct result *result;
	struct bench_summary *summary;
	int cancel;

	size_t sides;
	size_t first, last; /* the sides on stage are first … last − 1: all, or one after the other in solo */
	struct benchmark *benchmarks;
	size_t count;
	enum design_kind design;
	size_t comparisons;    /* by pairs; 0: one side, or solo */
	double budget;         /* seconds, for the whole experiment */
	double until;          /* seconds after the start when the sides on stage must have ended */
	bool ran_out, counted; /* solo: a side had an open benchmark when its time was over, or one ended by its count */
	int64_t started;

	struct random random;
	struct schedule schedule;
	size_t *orders; /* sides of each pair (turns) or each run, as far as drawn */
	size_t order_count, order_capacity;
	struct bench_table *tables; /* by side */
	struct jury jury;           /* side s of benchmark b: judge b × (sides − 1) + s − 1 */
	struct allotment *allotments;
	size_t *chosen;
	size_t round_at, round_count; /* the place in chosen of the benchmark that is measured, and how many there are */
	long checks;
	int64_t deciding_time; /* ns spent on stop rules */
	struct disturbance_watch watch;
	bool watched;
	struct watch *monitor; /* NULL: nothing is watched */
	size_t failed, hung;   /* benchmarks */
	struct arena arena;
};

/* bench_suite.c: the benchmarks of all sides, matched; subjects are added once a benchmark was tried or has failed. */
int bench_match(struct bench_session *session, struct error *err);
int bench_add_subjects(struct bench_session *session, struct benchmark *benchmark, struct error *err);

/* bench_values.c */
void bench_see_columns(struct bench_session *session, struct bench_columns *columns,
                       const struct harness_sample *sample);
int bench_table_add(struct bench_table *table, const struct bench_columns *columns,
                    const struct harness_overhead *overhead, enum phases_rule phases,
                    const struct harness_sample *sample, struct error *err);
double bench_table_at(const struct bench_table *table, size_t row, enum bench_column column);
/* Appends the tables of the sides on stage to the series: one run more. */
int bench_keep_run(struct bench_session *session, struct benchmark *benchmark, struct error *err);
struct measurement *bench_measurement(const struct bench_session *session, const struct benchmark *benchmark,
                                      size_t side, enum bench_column column);
const char *bench_column_name(const struct bench_columns *columns, enum bench_column column);

/* bench_trouble.c: what a benchmark did. Both return 0 when the session can go on; the benchmark is then lost if it
 * failed or was skipped. -1 and err: interrupted, or out of memory. */
int bench_take_outcome(struct bench_session *session, struct benchmark *benchmark, size_t side,
                       const struct harness_outcome *outcome, struct error *err);
int bench_take_notes(struct bench_session *session, const struct benchmark *benchmark, size_t side, uint32_t notes,
                     struct error *err);
/* After a start that failed. */
int bench_take_start(struct bench_session *session, struct benchmark *benchmark, size_t side, struct error *err);

/* bench_try.c: every benchmark once on every side: invocations, threads, metrics, times; then lengths and the
 * budget. */
int bench_try(struct bench_session *session, struct error *err);

int bench_set_deciding(struct bench_session *session, struct benchmark *benchmark, double cpu_share, struct error *err);

/* bench_guest.c: suites of other frameworks. */
int bench_guests_open(struct bench_session *session, struct error *err); /* session->guests: NULL where they are none */
void bench_guests_free(struct bench_session *session);
const struct harness_benchmark *bench_list_of(const struct bench_session *session, size_t side, size_t *count);
bool bench_guests_report_cpu(const struct bench_session *session);
int bench_guests_try(struct bench_session *session, struct error *err);
void bench_guests_size(struct bench_session *session, double share); /* seconds of the budget for each benchmark */
bool bench_guests_have_single_values(const struct bench_session *session, const struct benchmark *benchmark);
int bench_guests_play(struct bench_session *session, struct benchmark *benchmark,
                      struct error *err);                                                         /* as bench_play */
double bench_guests_cost(const struct bench_session *session, const struct benchmark *benchmark); /* seconds */
/* A run of the sides one after the other, in the order of run `run`; its rows in the tables. As bench_play. */
int bench_guests_turn(struct bench_session *session, struct benchmark *benchmark, size_t run, struct error *err);
bool bench_guests_are_at_once(const struct bench_session *session, const struct benchmark *benchmark);

/* bench_guest_turns.c: with both sides on one CPU: measure, and confirm by turns what is called. */
int bench_measure_shared(struct bench_session *session, int (*measure)(struct bench_session *, struct error *),
                         struct error *err);
const char *bench_told_metric(const struct bench_session *session, const struct benchmark *benchmark);
int bench_note_turns(struct bench_session *session, struct error *err);
void bench_turns_free(struct bench_session *session);

/* bench_unit.c: a run of every side on stage, its rows in the tables. 0; 1: the benchmark was lost; -1 */
int bench_play(struct bench_session *session, struct benchmark *benchmark, struct error *err);
/* The same, kept. 0: kept; 1: the benchmark was lost; 2: a run of warm-up; -1 */
int bench_unit(struct bench_session *session, struct benchmark *benchmark, struct error *err);
/* The sides in the order of pair (or run) `index`. NULL: out of memory. */
const size_t *bench_order(struct bench_session *session, size_t index, struct error *err);
int64_t bench_limit(const struct bench_session *session); /* ns for one iteration */
double bench_run_time(const struct benchmark *benchmark); /* seconds of a run of benchmark->length iterations */

/* bench_stop.c: what the runs so far mean: warm-up, verdicts, who is next. */
int bench_take_run(struct bench_session *session, struct benchmark *benchmark, struct error *err);
size_t bench_next(struct bench_session *session); /* fills session->chosen */
bool bench_is_time_over(const struct bench_session *session, const struct benchmark *benchmark);
bool bench_is_bound_by_time(const struct bench_session *session); /* a count may take as long as it takes */
double bench_alpha(const struct bench_session *session);
size_t bench_least_runs(const struct bench_session *session, const struct benchmark *benchmark);

/* bench_auto.c: tare's own rule in a session. */
/* For the sides on stage, once it was tried; `share`: seconds of the budget that are the benchmark's. */
int bench_auto_init(struct bench_session *session, struct benchmark *benchmark, double share, struct error *err);
int bench_auto_take(struct bench_session *session, struct benchmark *benchmark, size_t side, struct error *err);
/* The run is over: its tables get the same length on all sides, and what is left out of every run is known. */
int bench_auto_end_run(struct bench_session *session, struct benchmark *benchmark, struct error *err);
/* Seconds that the runs before the first look take. */
double bench_auto_least_time(const struct bench_session *session, const struct benchmark *benchmark);
int bench_auto_note(struct bench_session *session, struct error *err);

/* bench_stable.c: stopping when stable. */
int bench_stable_init(struct bench_session *session, struct benchmark *benchmark, struct error *err);
void bench_stable_free(struct bench_stable *stable, size_t sides);
double bench_stable_batch(const struct benchmark *benchmark, double shortest); /* ns that a batch is to take */
void bench_stable_set_batches(struct benchmark *benchmark, double batch_time); /* ns that it takes */
size_t bench_stable_length(const struct benchmark *benchmark);                 /* iterations of the shortest run */
double bench_stable_most_time(const struct benchmark *benchmark);              /* seconds, when every cap is reached */
void bench_stable_begin(const struct bench_session *session, struct benchmark *benchmark);
/* One batch of an iteration, the last row of the side's table; then, after all its batches, the iteration. */
int bench_stable_take(struct bench_session *session, struct benchmark *benchmark, size_t side,
                      const struct harness_sample *sample, struct error *err);
int bench_stable_row(struct bench_session *session, struct benchmark *benchmark, size_t side, struct error *err);
/* Whether another iteration follows on the sides first … last − 1. */
bool bench_stable_goes_on(const struct bench_session *session, struct benchmark *benchmark, size_t first, size_t last);
/* After a run: *keep is false where all of it was warm-up; otherwise its warm-up is marked as that. */
int bench_stable_keep(struct bench_session *session, struct benchmark *benchmark, bool *keep, struct error *err);
int bench_stable_end_run(struct bench_session *session, struct benchmark *benchmark, bool *enough, struct error *err);
int bench_stable_note(struct bench_session *session, struct error *err);

/* bench_conclude.c: analysis, comparisons, notes. */
int bench_conclude(struct bench_session *session, struct error *err);

double bench_elapsed(const struct bench_session *session);
void bench_tell(struct bench_session *session, const char *phase, const struct benchmark *benchmark);
void bench_say(struct bench_session *session, const char *text);

/* bench_indices.c: numbers of the program's own that must be precise too. */
bool bench_indices_are_precise(const struct bench_session *session, const struct benchmark *b);
int bench_warn_indices(struct bench_session *session, const struct benchmark *b,
                       struct error *err); /* those that are not */

#endif
