/* A session: measures an experiment until its question is answered or its budget is spent.
 *
 * The loop: next round from the schedule, measure, append, and after each unit decide. All
 * arithmetic, progress and signals are handled between trials; nothing of ours runs while
 * something is timed. */
#ifndef TARE_SESSION_SESSION_H
#define TARE_SESSION_SESSION_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/experiment.h"
#include "model/result.h"

struct spawner;

struct session_progress {
	const char *phase;   /* "warm-up", "trying turns", "measuring" */
	size_t runs;         /* of every subject, so far */
	size_t pairs;        /* 0: no pairs */
	size_t done, asked;  /* benchmarks of a suite that are decided, and all of them; 0: no suite */
	const char *subject; /* what the estimate speaks of, or NULL: nothing known yet */
	bool is_ratio;       /* estimate is a ratio to the reference, else a value of `unit` */
	const char *unit;
	double estimate, low, high; /* NaN: not known yet */
	double elapsed, budget;     /* seconds */
	double target; /* relative half-width that the estimate is to reach; NaN: something else is waited for */
	double left;   /* seconds until the end as far as known, at most the budget's rest */
};

struct session_observer {
	void *context;
	void (*progress)(void *context, const struct session_progress *progress);
	void (*note)(void *context, const char *text); /* said once, at once: "the budget was stretched …" */
	void *round_context;
	void (*round)(void *round_context, const struct result *result); /* a round was kept, and nothing is timed now */
};

/* Checks the commands before anything is measured: words, quotes, files. */
int session_check(const struct experiment *experiment, struct error *err);

/* The file that a command starts, by its first word, in the folder and with the PATH of the subject. */
int session_find_program(const struct experiment_subject *subject, char *path, size_t size, struct error *err);

/* Measures. `cancel` is a descriptor that becomes readable when the user interrupts. `out` (initialised by the caller)
 * holds every finished run also when -1 is returned: ERROR_SUBJECT or ERROR_TIMEOUT when a subject failed,
 * ERROR_INTERRUPTED when the user interrupted, else what the system refused. The subjects are analysed and compared in
 * either case. */
int session_run(const struct experiment *experiment, struct spawner *spawner, int cancel,
                const struct session_observer *observer, struct result *out, struct error *err);

/* What would be done: design candidates, order of the first rounds, estimated times. Measures each
 * subject once. */
int session_dry_run(const struct experiment *experiment, struct spawner *spawner, int cancel, struct buffer *out,
                    struct error *err);

#endif
