/* One trial of a command, or of several at once: start, wait, and what became of it in numbers.
 *
 * What the command does is an outcome (model/outcome.h), not an error: a function here fails only when nothing can be
 * started any more. Wall time runs from just before execve to the moment that the end was seen; CPU time from execve
 * on, of the command and all descendants that have ended, also those that it left behind.
 *
 * A command counts as one thread of one process when the scheduler's account of its first thread, read from the zombie,
 * is all the CPU time that wait4 reports for it and its children: they agree to the 2 µs that wait4 cuts off, and the
 * least thread or child costs ten times that. Only then is `net` known, and `cpu` exact to the nanosecond. */
#ifndef TARE_MEASURE_TRIAL_H
#define TARE_MEASURE_TRIAL_H

#include "base/buffer.h"
#include "host/cpuset.h"
#include "host/spawner.h"
#include "model/outcome.h"

enum trial_output {
	TRIAL_NULL,    /* thrown away */
	TRIAL_CAPTURE, /* into the buffer given */
	TRIAL_INHERIT, /* where tare's own goes */
	TRIAL_FILE,    /* into a file, which each trial begins anew */
	TRIAL_OPEN,    /* standard output only: into a shared_file() of the caller, which keeps its end; below 3: nowhere */
	TRIAL_SAME,    /* standard error only: where standard output goes */
};

struct trial_request {
	const char *const *argv; /* ends with NULL */
	const char *program;     /* file of argv[0] (search_program()); NULL: argv[0] is a path */
	const char *const *env;  /* "NAME=value" to set, "NAME" to remove; ends with NULL; NULL: none */
	const char *variable;    /* one more of them, of this run alone; NULL: none */
	const char *directory;   /* NULL: tare's own */
	const char *input;       /* file for standard input; NULL: /dev/null */
	const char *output_file; /* of TRIAL_FILE */
	int input_fd;            /* used where `input` is NULL and this is above 2; stays the caller's */
	int output_fd;           /* of TRIAL_OPEN */
	enum trial_output output, error;
	struct buffer *output_text, *error_text; /* of TRIAL_CAPTURE; emptied first; their maximum is kept */
	const struct cpuset *cpus;               /* NULL: all that tare may use */
	int64_t timeout;                         /* ns; 0: none */
	const int *expected_exits;               /* statuses that are ok; none: 0 */
	size_t expected_exit_count;
	uint32_t pad;        /* bytes of environment that nobody reads */
	unsigned lane;       /* trials at once need a lane each; those that keep something, one of their own */
	bool any_exit;       /* every exit status is ok; one that is not expected is told in the outcome's text */
	bool keep_leftovers; /* what it leaves behind runs on until the spawner closes */
};

/* Runs `count` commands, from one instant on if there are several; with `refill` each is started again until all have
 * ended once. A trial whose partner failed before the start is OUTCOME_DISTURBED. `cancel`: a descriptor that becomes
 * readable when all is to be killed, or -1. */
int trial_run(struct spawner *spawner, const struct trial_request *requests, size_t count, bool refill, int cancel,
              struct outcome *outcomes, struct error *err);

/* Runs commands of one lane one after the other, with nothing between them (spawner_run_series); *ran of them, which end
 * with the first that did not end with 0, have outcomes. They read and print nothing, or what tare reads and prints. */
int trial_run_series(struct spawner *spawner, const struct trial_request *requests, size_t count, int cancel,
                     struct outcome *outcomes, size_t *ran, struct error *err);

#endif
