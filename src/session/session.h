/* A session: measures an experiment until its question is answered or its budget is spent.
 *
 * The loop: next round from the schedule, measure, append, and decide. All arithmetic, progress and signals are handled
 * between trials; nothing of ours runs while something is timed. */
#ifndef TARE_SESSION_SESSION_H
#define TARE_SESSION_SESSION_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/experiment.h"
#include "model/progress.h"
#include "model/result.h"

struct spawner;

/* What measures (session/state.h). Programs are harness programs with their benchmarks: the subjects of the experiment
 * are then programs, or one program with different environments. One: every benchmark is estimated. Several: each
 * benchmark of every other one is compared with that of the first. A run is a fresh process that measures one
 * benchmark. Benchmarks take their runs in random order, and those that are decided leave their time to the others. */
struct instrument;
extern const struct instrument instrument_commands, instrument_programs;
enum { BENCH_SIDES_MOST = 26 };                                     /* programs: a letter each */
bool instrument_needs_spawner(const struct instrument *instrument); /* else the one passed on may be NULL */

/* Of a suite: the benchmarks beside the one in hand that have runs, those first that are open. Fills at most `room`
 * places of `out`, and returns how many there are. */
size_t session_others(const struct session_progress *now, struct session_estimate *out, size_t room);

struct session_observer {
	void *context;
	void (*progress)(void *context, const struct session_progress *progress);
	void (*note)(void *context, const char *text); /* said once, at once: "the budget was stretched …" */
	/* The user wants no more: asked after each round, when nothing is timed. The session ends as by itself. May be
	 * NULL. */
	bool (*enough)(void *context);
	void *round_context;
	/* A round was kept, and nothing is timed now; `more`: others that have been measured follow at once. */
	void (*round)(void *round_context, const struct result *result, bool more);
};

/* Checks the experiment before anything is measured: words, quotes, files. */
int session_check(const struct instrument *instrument, const struct experiment *experiment, struct error *err);

/* ns that one iteration of a benchmark may take, or set-up or tear-down. A user who allows much time in all has slow
 * benchmarks. */
int64_t session_iteration_limit(const struct experiment *experiment);

/* Measures. `cancel` is a descriptor that becomes readable when the user interrupts. `out` (initialised by the caller)
 * holds every finished run also when -1 is returned: ERROR_SUBJECT or ERROR_TIMEOUT when a subject failed (benchmarks:
 * the others have been measured all the same), ERROR_INTERRUPTED when the user interrupted, else what the system
 * refused. The subjects are analysed and compared in either case. *missing becomes true when a benchmark of the first
 * program is not on another: a gate cannot hold then. */
int session_run(const struct instrument *instrument, const struct experiment *experiment, struct spawner *spawner,
                int cancel, const struct session_observer *observer, struct result *out, bool *missing,
                struct error *err);

/* What would be done: order and times, after trying each subject once. */
int session_dry_run(const struct instrument *instrument, const struct experiment *experiment, struct spawner *spawner,
                    int cancel, struct buffer *out, struct error *err);

/* The names of the benchmarks that would be measured, one a line, and those of one side only. */
int session_list(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err);

/* Whether the command is a suite of a framework that there is an adapter for. */
bool session_recognises(const char *command);

#endif
