/* Columns: which column of a table plays which role.
 *
 * Roles come from the names in the header and from the --columns option, which wins:
 * "subject=name,value=time_ms,machine=" (an empty name: nobody plays this role). A column is
 * named by its header or by its number from 1. Where a header joins names by '-' and the cells
 * do too (R-S-I), a name may be some of the neighbouring parts: run=R-S, iteration=I. */
#ifndef TARE_EXCHANGE_COLUMNS_H
#define TARE_EXCHANGE_COLUMNS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum role {
	ROLE_SUBJECT,   /* the name */
	ROLE_BENCHMARK, /* with ROLE_PROGRAM: what is run, and by which of the programs compared */
	ROLE_PROGRAM,
	ROLE_PARAMETER,
	ROLE_METRIC,
	ROLE_MACHINE,
	ROLE_BUILD,
	ROLE_RUN,
	ROLE_ITERATION,
	ROLE_PAIR,
	ROLE_ORDER,
	ROLE_VALUE,
	ROLE_UNIT,
	ROLE_SKIP,     /* rows where it is 1, true or yes are left out */
	ROLE_BETTER,   /* "lower" or "higher": the direction of the metric */
	ROLE_JUDGED,   /* how tare judged what the table holds (exchange/judged.h), in one of the rows */
	ROLE_FAILURES, /* runs of the subject that failed: "12 exit 1; 1 signal 11", in one of its rows */
	ROLE_EXIT,     /* the exit code of the row's run: other than 0, it failed */
	ROLE_STATUS,   /* how the row's run ended, in a word: "ok", "failed", "timeout" */
	ROLE_DIVISOR,  /* the value is divided by it: criterion's iteration counts */
	ROLE_COUNT
};

enum { COLUMN_UNIT_MAX = 32 };

struct column_source {
	enum role role;
	size_t column;
	unsigned first_part, part_count; /* part_count 0: the whole cell */
	const char *name;                /* of a parameter; of the metric of a value column */
	char unit[COLUMN_UNIT_MAX];      /* a value column's own, or "" */
	int side;                        /* of a value in a table with a column for each side, or -1 */
};

struct columns {
	struct column_source *sources; /* by role, then by column */
	size_t count;
	size_t first[ROLE_COUNT + 1]; /* sources of role r: first[r] … first[r + 1] */
	const char *sides[2];         /* names of the two sides, or NULL */
	bool one_run;                 /* all rows of a subject are one process */
	bool invocations;             /* ROLE_BUILD, ROLE_RUN and ROLE_ITERATION are runs, iterations and invocations */
	const char **unused;          /* headers that say something and play no role */
	size_t unused_count;
	bool pair_asked; /* the option names the pair column */
	bool unit_asked; /* and the unit column */
	bool headerless; /* `names` is data: the first row already */
};

/* Roles for a header of `count` names; `cells` are those of the first row of data, or NULL. All memory is the arena's.
 * -1 and err: ERROR_USAGE for the option, ERROR_INPUT where no column holds values (without file name or line: the
 * caller adds them). */
int columns_plan(const char *const *names, size_t count, const char *const *cells, const char *option,
                 struct arena *arena, struct columns *out, struct error *err);

/* Whether the option's form is right, before any table is read; NULL is. -1 and ERROR_USAGE. */
int columns_check_option(const char *option, struct error *err);

static inline size_t columns_of(const struct columns *columns, enum role role)
{
	return columns->first[role + 1] - columns->first[role];
}

#endif
