/* A session with harness programs: measures their benchmarks until each question is answered or the time is over.
 *
 * The subjects of the experiment are the sides: programs, or one program with different environments. One side: every
 * benchmark is estimated. Several: each benchmark of every other side is compared with that of the first. The run is a
 * fresh process that measures one benchmark; a unit is one run of each side. Benchmarks take their units in random
 * order, and those that are decided leave their time to the others. */
#ifndef TARE_SESSION_BENCH_H
#define TARE_SESSION_BENCH_H

#include "session/session.h"

enum { BENCH_SIDES_MOST = 26 }; /* a letter each */

/* What a benchmark that was there on the first side alone means for a gate. */
struct bench_summary {
	size_t missing; /* benchmarks of the first side that another side does not have or skips */
};

/* ns that one iteration may take, or set-up or tear-down. A user who allows much time in all has slow benchmarks. */
int64_t bench_iteration_limit(const struct experiment *experiment);

/* Checks the commands before anything is started: words, quotes. */
int bench_check(const struct experiment *experiment, struct error *err);

/* Measures. As session_run: `out` holds every finished run also when -1 is returned. ERROR_SUBJECT, or ERROR_TIMEOUT
 * where benchmarks did nothing worse than hang, when some failed: the others have been measured all the same. */
int bench_run(const struct experiment *experiment, int cancel, const struct session_observer *observer,
              struct result *out, struct bench_summary *summary, struct error *err);

/* The names of the benchmarks that would be measured, one a line, and those of one side only. */
int bench_list(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err);

/* What would be done: iterations, runs and times of every benchmark, after trying each once. */
int bench_dry_run(const struct experiment *experiment, int cancel, struct buffer *out, struct error *err);

#endif
