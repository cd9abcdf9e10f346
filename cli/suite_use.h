/* A suite file as the argument of a command that measures: its settings under those of the command line, its subjects
 * and parameters in place of the command line's. */
#ifndef TARE_CLI_SUITE_USE_H
#define TARE_CLI_SUITE_USE_H

#include "cli/options.h"
#include "design/subjects.h"
#include "exchange/suite_file.h"
#include "model/experiment.h"

enum { SUITE_FILES_MOST = 8 };

struct suite_use {
	struct suite_file file;
	char folder[4096]; /* of the file, absolute; "": the folder that tare was started in */
	bool open;
	struct suite_use *more; /* further files, whose subjects are compared with those of this one */
	size_t more_count;
	const struct command *command;  /* whose options these are: */
	bool given[OPTIONS_MOST];       /* on the command line, by place in the table */
	const struct text_list *placed; /* where workers of a fleet have parts of it; NULL: nowhere else */
};

/* Reads the suite files among the words: those that end in .yaml or .yml and have no space. suite->open says whether
 * there is one. What is set is set by the first; others may say the same, and how their own subjects are built. -1 and
 * err when one is wrong, or there are other words beside them. */
int suite_use_open(struct suite_use *suite, const struct text_list *words, struct error *err);
void suite_use_release(struct suite_use *suite); /* also of a zeroed one */

/* Reads the command line into `options`, which holds the defaults; with a suite file its settings come first and what
 * the command line says wins. `options` is then ready, `words` holds the arguments. Texts of the file live as long as
 * it. */
int suite_use_parse_options(struct suite_use *suite, const struct command *command, int argc, char **argv,
                            void *options, struct text_list *words, bool *help, struct error *err);

/* Whether the command line, not the file, has set the option. */
bool suite_use_is_given(const struct suite_use *suite, const char *option);

/* The subjects with a command (or with a program), in the arena. */
int suite_use_sides(const struct suite_use *suite, bool programs, struct arena *arena, struct side **out, size_t *count,
                    struct error *err);

/* The parameters, in the arena. */
int suite_use_axes(const struct suite_use *suite, struct arena *arena, struct parameter_axis **out, size_t *count,
                   struct error *err);

/* What the file sets for single benchmarks and the command line does not, in the experiment's arena. -1 and err with
 * the place of a value that is wrong. */
int suite_use_specials(const struct suite_use *suite, struct experiment *experiment, struct error *err);

/* Where an error names an option that the file has set, or a command of its subjects, it gets the place in the file.
 * NULL and files that are not open change nothing. */
void suite_use_blame(const struct suite_use *suite, struct error *err);

#endif
