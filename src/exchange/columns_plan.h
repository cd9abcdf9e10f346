/* Planning the columns of a table: what columns.c (names), columns_option.c (--columns) and
 * columns_values.c (where the values are) share. */
#ifndef TARE_EXCHANGE_COLUMNS_PLAN_H
#define TARE_EXCHANGE_COLUMNS_PLAN_H

#include "exchange/columns.h"

enum { NORMAL_MAX = 64 };

struct planning {
	const char *const *names;
	const char *const *cells; /* of the first row of data, or NULL */
	size_t count;
	struct arena *arena;
	struct error *err;
	struct column_source *sources;
	size_t source_count;
	bool *used;               /* by column */
	bool decided[ROLE_COUNT]; /* by the option */
	char (*normal)[NORMAL_MAX];
	const char *sides[2];
	bool one_run, invocations, headerless, pair_asked, unit_asked;
};

enum yes_or_no { IS_NEITHER, IS_NO, IS_YES };
enum yes_or_no
columns_yes_or_no(const char *word); /* "yes" and "true", "no" and "false", or their letter; in any case */

/* Columns that say yes or no of how a row's run ended. */
struct column_flag {
	const char *name; /* as planning_normalise leaves it */
	bool good;        /* yes means that it ended well */
	bool in_words;    /* numbers mean something else, such as the error of a mean, or a limit */
	bool tells_why;   /* other words mean yes: "connection refused", "SIGSEGV" */
};

/* NULL: no column of this name does. */
const struct column_flag *columns_flag(const char *name);

/* Lower case, without blanks, '_' and '-'; at most NORMAL_MAX − 1 bytes. */
void planning_normalise(const char *name, char *normal);

/* Whether a column is a row counter or the like: nothing is lost when it is not used. */
bool planning_idle(const struct planning *p, size_t column);

/* Gives a column a role; NULL when out of memory. */
struct column_source *planning_add(struct planning *p, enum role role, size_t column);

/* Makes a column one of values: its metric is `metric` (NULL: its name) without the unit. */
int planning_add_value(struct planning *p, size_t column, const char *metric, int side);

/* Roles by the text of the option. */
int planning_option(struct planning *p, const char *option);

/* The columns that hold values, where neither the option nor the name "value" says it. */
int planning_values(struct planning *p);

#endif
