/* Adapters: how the suites of other frameworks are run as they are. One row of a table for each framework: how to
 * recognise a program, how to list its benchmarks, how to measure some of them for about a given time in one process,
 * and which importer reads what comes out. */
#ifndef TARE_ADAPTERS_ADAPTER_H
#define TARE_ADAPTERS_ADAPTER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A program as the user names it. */
struct adapter_program {
	const char *const *words; /* ends with NULL */
	const char *text;         /* the file of the first word, as far as it was read; */
	size_t length;            /* 0: not found */
	const char *script;       /* the file of the last word that is one, NULL: none */
	size_t script_length;
};

/* One process. */
struct adapter_request {
	const char *const *words; /* the program */
	bool only_list;           /* say what there is, else measure: */
	bool of_none;             /* with only_list: of none of them, which leaves what the program prints itself */
	const char *const *keys;  /* these benchmarks, as the list has them */
	size_t count;
	double seconds;         /* about so long, each */
	size_t repetitions;     /* so many values of each, where the framework can */
	bool by_cpu_time;       /* where it must choose one clock */
	const char *folder;     /* of ours alone, for what it writes */
	const char *const *env; /* "NAME=value" of the user besides tare's own; NULL: none */
};

/* What is to be started. */
struct adapter_command {
	struct arena *arena;
	const char **argv, **env; /* end with NULL; env is what is set besides the user's, and wins over these */
	size_t argc, envc;
	const char *results; /* where it writes them; NULL: standard output */
	bool out_of_memory;
};

enum adapter_list {
	ADAPTER_LINES,  /* the results of the listing are names, one a line */
	ADAPTER_RESULTS /* it is a short measurement: the list is what has results */
};

struct adapter {
	const char *name, *framework;
	const char *format; /* of the importer */
	enum adapter_list list;
	bool list_is_mixed; /* with what the program itself prints: `of_none` tells that apart */
	size_t repetitions; /* values of a benchmark that a process is asked for */
	bool reports_cpu;   /* CPU time beside wall time */
	bool has_cpu_clock; /* CPU time instead of wall time, when asked for */
	bool runs_all;      /* a process runs all that the program has, whatever is asked for */
	/* How lines of its output begin that say why a benchmark failed, the plainest first; none: its last line does. */
	const char *why[2];
	const char *skipped; /* and how one begins that says why it was not to be measured; NULL: none does */
	bool ends_with_fail; /* a benchmark that fails makes the process end with a status that is not 0; others are fine */
	bool (*recognises)(const struct adapter_program *program);
	/* Fills the command; arena and results are the caller's. */
	void (*command)(const struct adapter_request *request, struct adapter_command *out);
	/* The names in its list, one a line, where it has them in another way; in the arena, NULL: no memory. */
	char *(*names)(struct arena *arena, char *list);
	bool has_parameters; /* which are no part of names in its results: "/NAME=VALUE" is added, by name */
	/* Whether its author wants wall time, or a time of his own, by its name. NULL function: no way to say so. */
	bool (*wants_wall)(const char *key);
	/* Seconds that a repetition takes whatever is asked for, by its name; 0: not known. NULL function: of none. */
	double (*own_time)(const char *key);
	/* The name in a line of the list, which may be changed; NULL: not a benchmark. NULL function: the whole line. */
	char *(*name_in_line)(char *line);
};

/* Ends with NULL. */
extern const struct adapter *const adapter_table[];

const struct adapter *adapter_by_name(const char *name); /* NULL: there is none */
const struct adapter *adapter_of(const struct adapter_program *program);

/* ---- help for adapters ---- */

void adapter_word(struct adapter_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void adapter_words(struct adapter_command *command, const char *const *words); /* all of the user's */
void adapter_set(struct adapter_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *adapter_path(struct adapter_command *command, const struct adapter_request *request, const char *name);

/* "^(a|b)$" that only these names match; characters of regular expressions in them are escaped. */
const char *adapter_pattern(struct adapter_command *command, const char *const *keys, size_t count);

bool adapter_has_text(const char *bytes, size_t length, const char *text);
const char *adapter_base_name(const char *word);
/* The words after "env NAME=value", if it begins so. */
const char *const *adapter_without_env(const char *const *words);
/* What the program would find in a variable: of its "env NAME=value", the user's or tare's own; NULL: it is not set. */
const char *adapter_variable(const struct adapter_request *request, const char *name);
/* A file beside the results with this text, for a framework that is to load it; NULL when it cannot be written. */
const char *adapter_write(struct adapter_command *command, const struct adapter_request *request, const char *name,
                          const char *text);

#endif
