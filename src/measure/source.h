/* The commands of an experiment as a source of samples: what a session measures with.
 *
 * It turns subjects into processes (words, shell, environment, standard files, CPUs), runs one or two of
 * them at once, and turns what became of them into numbers. All times are read by the spawner. */
#ifndef TARE_MEASURE_SOURCE_H
#define TARE_MEASURE_SOURCE_H

#include "base/error.h"
#include "model/experiment.h"
#include "model/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu_times;
struct host;
struct spawner;
struct source;

enum sample_status { SAMPLE_OK, SAMPLE_FAILED, SAMPLE_TIMED_OUT, SAMPLE_CANCELLED, SAMPLE_NOT_STARTED };

struct sample {
	enum sample_status status;
	char what[160]; /* what happened, where it was not ok: "exit 1", "signal 11 (…)", …; of one that is ok what
	                         is ignored, an exit code or a number that is missing, or "" */
	int exit_code;  /* the status that it ended with, where that is what happened; else 0 */
	char next[160]; /* what the user can do about it, or "" */
	double *values; /* source_metric_count() of them, NaN: not known; valid until the subject is measured again */
	const struct pi_numbers
		*numbers;           /* by performance index; empty but for unit readings; valid until the next measurement */
	bool single_threaded;   /* one thread of one process, as far as can be told */
	char left_behind[64];   /* the name of a process that it left behind, or "": none */
	bool left_alive;        /* one of them could not be killed */
	int64_t started, ended; /* instants, ns */
};

struct source_step {
	size_t subject;
	int cpu; /* -1: any of the allowed ones */
};

/* What the machine offers. */
struct source_machine {
	size_t usable_cpus;
	int cpus[2];        /* the best one and the best two to measure on */
	size_t cpu_count;   /* of them: 1 or 2 */
	double memory_free; /* bytes; NaN: not known */
};

/* Checks the commands: words, quotes, files for standard input. Starts nothing. */
int source_check(const struct experiment *experiment, struct error *err);

/* The file that a command starts, by its first word, in the folder and with the PATH of the subject. */
int source_program(const struct experiment_subject *subject, char *path, size_t size, struct error *err);

/* That file enters the page cache as every other does (host/page_cache.h). */
void source_renew(const struct experiment_subject *subject);

/* `cancel` is a descriptor that becomes readable when the user interrupts. NULL and err on failure. */
struct source *source_new(const struct experiment *experiment, struct spawner *spawner, int cancel, struct error *err);
void source_free(struct source *source);

size_t source_metric_count(const struct source *source);
const struct metric *source_metric(const struct source *source, size_t index);
double source_quantum(const struct source *source, size_t index); /* clock step of its values; 0: negligible */

/* Whether a program's own numbers come through a file, which two at once cannot share. */
bool source_has_side_files(const struct source *source);

/* Whether programs are to report unit readings: TARE_READINGS=1 or 0 in their environment; where not, what they print
 * is thrown away and no number of theirs is known. Wanted at first. */
void source_want_readings(struct source *source, bool wanted);

/* Another command for a subject from now on; the text is copied. */
int source_set_command(struct source *source, size_t subject, const char *command, struct error *err);

/* Runs the steps, of different subjects, all at once when there are two. -1 only when nothing can be measured any more;
 * what became of each step is in its sample. */
int source_measure(struct source *source, const struct source_step *steps, size_t count, struct sample *samples,
                   struct error *err);

/* Runs steps one after the other, at most SOURCE_AHEAD, with nothing between them; source_measure() of the same steps in
 * the same order then takes what became of them. Those after the first that did not end with 0 were not run, and are when
 * they are measured. Only where source_may_run_ahead(): a run has no output, no input and no check of its own. */
enum { SOURCE_AHEAD = 48 };
bool source_may_run_ahead(const struct source *source);
int source_run_ahead(struct source *source, const struct source_step *steps, size_t count, struct error *err);
size_t source_ahead(const struct source *source); /* runs that have not been taken yet */

/* What nobody measures (hooks and checks) ends at this instant, at the latest; one that begins shortly before it or
 * later has `least` ns, or as long as the longest before it took. `late` is called once, when a run goes on at that
 * instant. */
struct source_end {
	int64_t instant, least; /* ns */
	void (*late)(void *context);
	void *context;
};
void source_set_end(struct source *source, const struct source_end *end);
bool source_was_ended(const struct source *source); /* a hook or check was ended by that */

/* Runs a hook by the shell, untimed; -1 and err when it fails (`what` names it in the message). */
int source_hook(struct source *source, const char *command, const char *what, struct error *err);

/* The same in the working directory and with the environment of a subject. */
int source_hook_of(struct source *source, size_t subject, const char *command, const char *what, struct error *err);

int source_machine(const struct source *source, struct source_machine *out, struct error *err);

/* Up to `most` CPUs to measure on, the best ones first; how many there are. */
size_t source_cpus(const struct source *source, size_t most, int *out);

/* Fills the result's record of the machine. `before`: the times of its CPUs when measuring began, or NULL. */
int measure_describe_machine(const struct host *host, const struct cpu_times *before, struct result *result,
                             struct error *err);
int source_describe(const struct source *source, struct result *result, struct error *err);

/* Whether the user has interrupted. */
bool source_cancelled(const struct source *source);

int64_t source_now(const struct source *source); /* ns, monotonic */

/* What the machine cannot measure here, one line each, for the notes; NULL at the end. */
const char *source_note(const struct source *source, size_t index);

#endif
