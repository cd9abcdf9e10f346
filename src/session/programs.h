/* The instrument of harness programs, shared by the files session/programs*.c and the rules for their benchmarks. */
#ifndef TARE_SESSION_PROGRAMS_H
#define TARE_SESSION_PROGRAMS_H

#include "decide/auto_rule.h"
#include "decide/stable.h"
#include "measure/bench_source.h"
#include "model/plan.h"
#include "session/state.h"

/* What an iteration gives, as columns of a table with a row for each iteration. Times are seconds of an invocation. */
enum bench_column {
	/* METRIC_WALL, METRIC_CPU, METRIC_NET, METRIC_DELAY, and then */
	COLUMN_ITEMS = METRICS_OF_ITERATIONS, /* in a second */
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
	double *values;        /* row × COLUMN_COUNT */
	size_t rows, capacity; /* the latter in values */
};

/* What an iteration that is going on has given so far. */
struct bench_iteration {
	double *values;
	uint64_t *counts;
	size_t n, capacity;
};

/* A benchmark that is stopped when it is stable (rule_stable.c). */
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

/* Judged by pairs, or one side at a time. */
static inline bool programs_paired(const struct session *session)
{
	return session->result->design.paired;
}

static inline double programs_alpha(const struct session *session)
{
	return programs_paired(session) ? session_alpha(session) : session_alpha_one(session);
}

/* programs_suite.c: the benchmarks of all sides, matched; subjects are added once a benchmark was tried or has failed. */
int bench_match(struct session *session, struct error *err);
int bench_add_subjects(struct session *session, struct question *question, struct error *err);

/* programs_values.c */
void bench_see_columns(struct session *session, struct bench_columns *columns, const struct harness_sample *sample);
int bench_table_add(struct bench_table *table, const struct bench_columns *columns,
                    const struct harness_overhead *overhead, enum phases_rule phases,
                    const struct harness_sample *sample, struct error *err);
double bench_table_at(const struct bench_table *table, size_t row, int column);
/* Appends the tables of the sides on stage to the series: one run more. */
int bench_keep_run(struct session *session, struct question *question, struct error *err);
struct metric bench_column(const struct bench_columns *columns, int column);
const char *bench_column_name(const struct bench_columns *columns, int column);

/* programs_trouble.c: what a benchmark did. Both return 0 when the session can go on; the benchmark is then lost if it
 * failed or was skipped. -1 and err: interrupted, or out of memory. */
int bench_take_outcome(struct session *session, struct question *question, size_t side,
                       const struct harness_outcome *outcome, struct error *err);
int bench_take_notes(struct session *session, const struct question *question, size_t side, uint32_t notes,
                     struct error *err);
/* After a start that failed. */
int bench_take_start(struct session *session, struct question *question, size_t side, struct error *err);

/* programs_try.c: every benchmark once on every side: invocations, threads, metrics, times; then lengths and the
 * budget. */
int bench_try(struct session *session, struct error *err);
/* After the last round: what was tried and never measured has its trial as its run, as far as the design allows;
 * without it, it is left out by name. */
int bench_keep_tried(struct session *session, struct error *err);

int bench_set_deciding(struct session *session, struct question *question, double cpu_share, struct error *err);

/* programs.c: the benchmarks of a side. */
const struct harness_benchmark *programs_list(const struct session *session, size_t side, size_t *count);
/* Benchmarks below their least number of runs first, then those that can still be decided, in random order. */
size_t programs_next(struct session *session, size_t *chosen);

/* guests.c: suites of other frameworks. */
/* A whole run goes to the series, unless it was warm-up: ROUND_KEPT, ROUND_NOTHING or -1. */
int bench_take_whole(struct session *session, struct question *question, struct error *err);

int guests_open(struct session *session, struct error *err); /* session->guests stays NULL where they are none */
void guests_free(struct session *session);
const struct harness_benchmark *guests_list(const struct session *session, size_t side, size_t *count);
int guests_choose_design(struct session *session, const char **why, struct error *err);
int guests_try(struct session *session, struct error *err);
/* The time was over before the benchmark was tried: a gate cannot hold without it. */
int bench_leave_out(struct session *session, struct question *question, struct error *err);
/* Seconds that are left for trying; INFINITY: nobody set a time. */
double bench_trial_time(const struct session *session);
void guests_size(struct session *session, double share); /* seconds of the budget for each benchmark */
size_t guests_next(struct session *session, size_t *chosen);
void guests_costs(const struct session *session, const struct question *question, double *run,
                  double *iteration); /* seconds of one more, of all sides */
int guests_round(struct session *session, struct question *question, struct error *err);
int guests_unkept(struct session *session, struct question *question, double *seconds, struct error *err);

/* Whether its two sides are measured at once on one CPU. */
bool guests_are_at_once(const struct session *session, const struct question *question);

/* programs_run.c: a run of every side on stage, its rows in the tables. 0; 1: the benchmark was lost; -1 */
int bench_play(struct session *session, struct question *question, struct error *err);
/* The same, kept: ROUND_KEPT, or ROUND_NOTHING when the benchmark was lost or the run was warm-up; -1 */
int bench_unit(struct session *session, struct question *question, struct error *err);
int64_t bench_limit(const struct session *session);     /* ns for one iteration */
double bench_run_time(const struct question *question); /* seconds of a run of question->length iterations */

/* rule_auto.c: tare's own rule in a session. */
size_t bench_least_runs(const struct session *session, const struct question *question);
/* For the sides on stage, once it was tried; `share`: seconds of the budget that are the benchmark's. */
int bench_auto_init(struct session *session, struct question *question, double share, struct error *err);
int bench_auto_take(struct session *session, struct question *question, size_t side, struct error *err);
/* The run is over: its tables get the same length on all sides, and what is left out of every run is known. */
int bench_auto_end_run(struct session *session, struct question *question, struct error *err);
/* Seconds that the runs before the first look take. */
double bench_auto_least_time(const struct session *session, const struct question *question);
int bench_auto_note(struct session *session, struct question *question, struct error *err);

/* rule_stable.c: stopping when stable. */
int bench_stable_init(struct session *session, struct question *question, struct error *err);
void bench_stable_free(struct bench_stable *stable, size_t sides);
double bench_stable_batch(const struct question *question, double shortest); /* ns that a batch is to take */
void bench_stable_set_batches(struct question *question, double batch_time); /* ns that it takes */
size_t bench_stable_length(const struct question *question);                 /* iterations of the shortest run */
double bench_stable_most_time(const struct question *question);              /* seconds, when every cap is reached */
void bench_stable_begin(const struct session *session, struct question *question);
/* One batch of an iteration, the last row of the side's table; then, after all its batches, the iteration. */
int bench_stable_take(struct session *session, struct question *question, size_t side,
                      const struct harness_sample *sample, struct error *err);
int bench_stable_row(struct session *session, struct question *question, size_t side, struct error *err);
/* Whether another iteration follows on the sides first … last − 1. */
bool bench_stable_goes_on(const struct session *session, struct question *question, size_t first, size_t last);
/* After a run: *keep is false where all of it was warm-up; otherwise its warm-up is marked as that. */
int bench_stable_keep(struct session *session, struct question *question, bool *keep, struct error *err);

/* programs_indices.c: numbers of the program's own that must be precise too. */
bool bench_indices_are_precise(const struct session *session, const struct question *question);
int bench_warn_indices(struct session *session, const struct question *question,
                       struct error *err); /* those that are not */

#endif
