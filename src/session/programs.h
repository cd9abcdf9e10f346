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

/* A side of a benchmark that is stopped when it is stable. */
struct bench_watched {
	struct stable *watch;
	bool warm;            /* of the run going on: the criteria hold */
	size_t measured_from; /* its first measured iteration; SIZE_MAX: still warming up */
	size_t never_warm;    /* runs that reached the cap */
	bool is_stable;       /* after its last run */
	size_t runs;          /* that are kept */
	/* What the iteration that is going on has given so far; in a duet there are two at once. */
	double *values;
	uint64_t *counts;
	size_t n, capacity;
};

/* A benchmark that is stopped when it is stable (rule_stable.c). */
struct bench_stable {
	struct stable_options options;
	struct bench_watched *sides;
	size_t batches; /* grants that make an iteration */
	size_t warmup_runs_left;
	size_t warmup_sum, warmup_count; /* iterations, over runs */
};

/* Judged by pairs, or one side at a time. */
static inline bool programs_paired(const struct session *session)
{
	return session->result->design.paired;
}

/* programs_suite.c: the benchmarks of all sides, matched; subjects are added once a benchmark was tried or has failed. */
int bench_match(struct session *session, struct error *err);
int bench_add_subjects(struct session *session, struct question *question, struct error *err);

/* programs_values.c */
void bench_see_columns(struct session *session, struct bench_columns *columns, const struct harness_sample *sample);
int bench_table_add(const struct session *session, struct bench_table *table, const struct bench_columns *columns,
                    const struct harness_sample *sample, struct error *err);
double bench_table_at(const struct bench_table *table, size_t row, int column);
/* Appends the tables of the sides on stage to the series: one run more. */
int bench_keep_run(struct session *session, struct question *question, struct error *err);
struct metric bench_column(const struct bench_columns *columns, int column);

/* programs_run.c: what a benchmark did. 1: it is lost, as it failed or was skipped. -1 and err: interrupted, or out of
 * memory. */
int bench_take_outcome(struct session *session, struct question *question, size_t side, struct harness_outcome outcome,
                       struct error *err);
/* After a start that failed. */
int bench_take_start(struct session *session, struct question *question, size_t side, struct error *err);

/* programs_try.c: every benchmark once on every side: invocations, threads, metrics, times; then lengths and the
 * budget. */
int bench_try(struct session *session, struct error *err);
/* After the last round: what was tried and never measured has its trial as its run, as far as the design allows;
 * without it, it is left out by name. */
int bench_keep_tried(struct session *session, struct error *err);

/* Where the time may be over before anything else was measured, room for so many rows of each side's trial. */
int bench_remember_trial(struct session *session, struct question *question, size_t rows, struct error *err);

void bench_set_deciding(struct session *session, struct question *question, double cpu_share);

/* programs.c: the benchmarks of a side. */
const struct harness_benchmark *programs_list(const struct session *session, size_t side, size_t *count);

/* guests.c: suites of other frameworks. */
int guests_open(struct session *session, struct error *err); /* session->guests stays NULL where they are none */
void guests_free(struct session *session);
int guests_choose_design(struct session *session, const char **why, struct error *err);
int guests_try(struct session *session, struct error *err);
/* The time was over before the benchmark was tried or measured: a gate cannot hold without it. */
void bench_leave_out(struct session *session, struct question *question, const char *what, const char *time);
/* Seconds that are left for trying; INFINITY: nobody set a time. */
double bench_trial_time(const struct session *session);
void guests_size(struct session *session, double share); /* seconds of the budget for each benchmark */
void guests_costs(const struct session *session, const struct question *question, double *run,
                  double *iteration); /* seconds of one more, of a side */
/* A run of the sides on stage, which may have been in an earlier process: as bench_play. */
int guests_play(struct session *session, struct question *question, double *seconds, struct error *err);
int guests_turn(struct session *session, struct question *question, struct error *err); /* of sides in turns */

/* programs_run.c: a run of every side on stage, its rows in the tables, and the seconds that it took. 0; 1: the benchmark was
 * lost; -1 */
int bench_play(struct session *session, struct question *question, double *seconds, struct error *err);
/* The same, kept: ROUND_KEPT, or ROUND_NOTHING when the benchmark was lost or the run was warm-up; -1 */
int bench_unit(struct session *session, struct question *question, struct error *err);
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
void bench_auto_note(struct session *session, const struct question *question);

/* rule_stable.c: stopping when stable. */
int bench_stable_init(struct session *session, struct question *question, struct error *err);
void bench_stable_free(struct bench_stable *stable, size_t sides);
double bench_stable_batch(const struct question *question, double shortest); /* ns that a batch is to take */
void bench_stable_set_batches(struct question *question, double batch_time); /* ns that it takes */
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

#endif
