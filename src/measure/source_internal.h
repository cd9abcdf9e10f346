/* What the files of the source share. */
#ifndef TARE_MEASURE_SOURCE_INTERNAL_H
#define TARE_MEASURE_SOURCE_INTERNAL_H

#include "base/random.h"
#include "host/cpus.h"
#include "host/info.h"
#include "measure/pi_reader.h"
#include "measure/side_file.h"
#include "measure/source.h"
#include "measure/trial.h"

enum {
	SOURCE_NOTES = 8,
	SOURCE_STEPS = LANES_MAX - 1,
	SOURCE_HOOK_LANE = LANES_MAX - 1,
	SOURCE_OUTPUT_MAX = 16 << 20, /* bytes of output that are kept, for --pi and --check */
	SOURCE_PAD = 4096,
};

/* A command as a process. */
struct source_command {
	const char **argv;
	const char *path;   /* PATH of its environment; NULL: tare's own */
	char program[4096]; /* "": not looked for yet */
	bool numbered;      /* its runs are told their number, as hyperfine does */
	unsigned long runs; /* so far */
	char variable[48];  /* HYPERFINE_ITERATION=… */
};

struct source {
	const struct experiment *experiment;
	struct spawner *spawner;
	const struct host *host;
	int cancel;
	struct arena arena;
	struct source_command *commands; /* by subject */
	struct arena *texts;             /* by subject: the words of a command that was set later */
	struct cpus cpus;
	struct cpuset chosen;         /* CPUs of the experiment, all allowed ones where it names none */
	struct pi_reader *readers;    /* by index */
	struct side_file *side_files; /* by index; zeroed where it comes from the output */
	struct pi_numbers *numbers;   /* step × index: unit readings of the last measurement */
	struct metric *metrics;       /* built-in, indices, counters, energy */
	size_t metric_count;
	int counter_place[OUTCOME_COUNTERS]; /* index of its metric, or -1 */
	int energy_place;
	const char *const **environments; /* subject × readings wanted or not; NULL: nobody gives unit readings */
	bool without_readings;            /* unit readings are not wanted now */
	bool inexact_cpu;                 /* some run had more than one thread */
	double *values;                   /* subject × metric */
	struct random random;
	struct buffer outputs[SOURCE_STEPS], errors[SOURCE_STEPS];
	struct cpu_times times_before;
	bool have_times;
	const char *notes[SOURCE_NOTES + 1];
	size_t note_count;
	struct source_step ahead_steps[SOURCE_AHEAD]; /* runs that nobody has asked for yet */
	struct outcome ahead[SOURCE_AHEAD];
	size_t ahead_next, ahead_count;
	struct source_end end;
	int64_t longest_hook; /* ns */
	bool was_ended, told_late;
	bool noted_sharing, noted_floor, noted_delay;
};

/* source_command.c */
/* The words of a command, by the shell of the experiment if it has one. NULL and err. */
const char **source_words(struct arena *arena, const char *command, const char *shell, struct error *err);
/* The value of a variable among "NAME=value", or NULL. */
const char *source_variable(const char *const *env, const char *name);
/* Finds the program of a command if it has not been found yet. */
int source_find(const struct host *host, struct source_command *command, struct error *err);
/* Where the output of a subject goes: "null", "pipe", "inherit" or a file. */
const char *source_output(const struct experiment *experiment, size_t subject);
/* While something runs that is measured, the end of the time is told. */
void source_watch_clock(struct source *source, bool running);
/* Gives the output of a step to the command of --check; where that refuses it, the sample has failed. */
int source_check_output(struct source *source, size_t step, struct sample *sample, struct error *err);

/* source_ahead.c: what became of a step that was run ahead; false: it was not, and what was is forgotten. */
bool source_take_ahead(struct source *source, const struct source_step *step, struct outcome *out);

/* source_indices.c: the program's own numbers. */
int source_open_indices(struct source *source, struct error *err); /* makes readers, metrics, pipes */
void source_close_indices(struct source *source);
bool source_has_side_files(const struct source *source);
int source_begin_indices(struct source *source, struct error *err); /* before a measurement */
/* After it: reads the numbers of a step that went well; one that is missing fails the sample. */
int source_end_indices(struct source *source, struct error *err);
int source_read_indices(struct source *source, size_t place, struct sample *sample, struct error *err);

/* source.c */
/* A request for a step; -1 when its program is not there: the sample says so. */
int source_request(struct source *source, const struct source_step *step, size_t place, struct cpuset *cpus,
                   struct trial_request *out, struct sample *sample);
void source_fail_sample(struct sample *sample, const char *what);
void source_add_metric(struct source *source, struct metric metric);

#endif
