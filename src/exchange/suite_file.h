/* A suite file (`tare.yaml`): what to measure and how, as tare.yaml(5) describes it.
 *
 * Most keys are options of the command line under the same or a grouped name: they are handed on as texts with their
 * places, for the option table to read. Reading checks the form: keys, kinds, what must be there. */
#ifndef TARE_EXCHANGE_SUITE_FILE_H
#define TARE_EXCHANGE_SUITE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "host/syscalls.h"

#include <stddef.h>

struct suite_setting {
	const char *option; /* long name of the option that it is: "max-time" */
	const char *key;    /* as it stands in the file: "budget.max-time" */
	const char *value;
	long line, column;
};

struct suite_subject {
	const char *name;               /* or NULL */
	const char *command, *program;  /* exactly one of them */
	const char *prepare, *conclude; /* or NULL */
	const char *build;              /* or NULL: as the file says */
	const char *directory;          /* as in the file; NULL: that of the file */
	const char *const *environment; /* "NAME=value", ends with NULL; never NULL */
	long line, column;
};

struct suite_parameter {
	const char *name;
	const char *const *values;    /* or a range: */
	size_t value_count;           /* 0: a range */
	const char *from, *to, *step; /* step may be NULL */
	long line, column;
};

/* A setting for the benchmarks whose name matches. */
struct suite_special {
	const char *pattern; /* extended regular expression */
	struct suite_setting setting;
};

struct suite_file {
	struct arena arena; /* owns everything below */
	const char *path;
	struct suite_setting *settings; /* lists: one for each entry */
	size_t setting_count;
	struct suite_subject *subjects; /* at least one */
	size_t subject_count;
	struct suite_parameter *parameters;
	size_t parameter_count;
	struct suite_special *specials; /* in the order of the file */
	size_t special_count;
};

enum { SUITE_FILE_MAX = 1 << 20 }; /* bytes */

/* Reads a file; -1 and err with file, line and column. */
int suite_file_read(struct suite_file *file, const struct syscalls *sys, const char *path, struct error *err);

/* The same of a text; `path` is for messages. */
int suite_file_parse(struct suite_file *file, const char *path, const char *text, size_t length, struct error *err);

void suite_file_release(struct suite_file *file); /* also of a zeroed one */

#endif
