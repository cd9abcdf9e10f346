/* From what is to be measured to the subjects of an experiment: one for each combination of parameter values. */
#ifndef TARE_DESIGN_SUBJECTS_H
#define TARE_DESIGN_SUBJECTS_H

#include "base/text_list.h"
#include "design/parameters.h"
#include "model/experiment.h"

/* One command or program, before parameters multiply it; from the command line, a suite file or a commit. */
struct side {
	const char *name; /* NULL: the command itself */
	const char *command;
	const char *prepare, *conclude, *setup, *cleanup; /* or NULL */
	const char *output;                               /* or NULL */
	const char *directory;                            /* NULL: tare's own */
	const char *const *env;                           /* "NAME=value", ends with NULL; NULL: none */
	const char *build;                                /* how it is built, or NULL */
	size_t origin;                                    /* number of the suite file */
};

/* The length of the word of a command that is its program; 0: it is quoted. */
size_t command_program_length(const char *command);

/* The commands of the command line, `names` for the first ones; in the arena. NULL: out of memory. */
struct side *sides_of_words(struct arena *arena, const struct text_list *words, const struct text_list *names);

/* -1 and err where there are more -n than commands, or whatever they are called here. */
int sides_check_names(const struct text_list *names, size_t count, const char *what, struct error *err);

/* What is given once for all sides, or once for each: the hooks around each run, and where the output goes. */
struct side_lists {
	struct text_list prepare, conclude, outputs;
};
int sides_set(struct side *sides, size_t count, const struct side_lists *lists, struct error *err);

/* Adds a subject for every combination and side; {name} is replaced in commands, names, hooks, directories and
 * environments; a name ends with the parameters that it does not hold. Subjects of one name get a number. The side `once` comes first, without parameters; NULL: none. */
int subjects_add(struct experiment *experiment, const struct side *once, const struct side *sides, size_t count,
                 const struct parameter_axis *axes, size_t axis_count, struct error *err);

/* Two subjects of one name would be one in every table: the later ones get a number. */
int subjects_tell_apart(struct experiment *experiment, struct error *err);

#endif
