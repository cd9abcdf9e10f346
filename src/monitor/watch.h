/* Watching the machine for a session: which way to sample, when trials run, what to store in the end.
 *
 * The trial rounds, which are never kept, are watched by a thread beside them: that is where the files that a command
 * has open and what it waits for are seen. The kept runs are watched by a thread on a CPU that nothing is measured on;
 * where there is none, samples are taken between trials, and that is told. All functions accept NULL: nothing is
 * watched. */
#ifndef TARE_MONITOR_WATCH_H
#define TARE_MONITOR_WATCH_H

#include "base/error.h"
#include "model/experiment.h"
#include "model/result.h"

struct watch;

/* *out is NULL where the experiment wants no monitor. `generations`: measured commands are children of this process
 * (1), or of its grandchildren (3). */
int watch_open(const struct experiment *experiment, int generations, struct watch **out, struct error *err);
void watch_close(struct watch *watch);

/* Around the trial rounds; after them the components that matter are known. */
int watch_learn(struct watch *watch, struct error *err);
int watch_learnt(struct watch *watch, struct error *err);

/* The kept runs begin: `cpus` is what they run on, `bound` whether each is bound to these alone. `rate` is in samples
 * per second, 0 for the default. */
int watch_begin(struct watch *watch, const int *cpus, size_t count, bool bound, double rate, struct error *err);

/* "on CPU 1 at 10 Hz", "between trials": how the kept runs are watched. Valid after watch_begin(). */
bool watch_beside(const struct watch *watch); /* by a thread while trials run */
bool watch_apart(const struct watch *watch);  /* and on CPUs that nothing is measured on */

/* Around each trial. `used` and `waited`: the share of its time in which it used a CPU and waited for one; NaN: not
 * known. What the trial rounds showed stands in for waiting that is not known. */
void watch_trial_begins(struct watch *watch);
void watch_trial_ends(struct watch *watch, double used, double waited);

/* A kept round begins. */
int watch_round(struct watch *watch, struct error *err);

/* Pauses and resumes, for rounds without a monitor. */
void watch_pause(struct watch *watch);
int watch_resume(struct watch *watch, double rate, struct error *err);

/* Begins the kept runs again after pauses, at this rate. */
int watch_again(struct watch *watch, double rate, struct error *err);

/* CPU seconds of a sample so far; NaN: not known. */
double watch_cost(const struct watch *watch);

/* The end: everything into result->monitoring, and warnings. */
int watch_end(struct watch *watch, struct result *result, struct error *err);

#endif
