/* Roles by the --columns option. */
#include "exchange/columns_plan.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const role_names[ROLE_COUNT] = {
	"subject", "benchmark", "program", "parameter", "metric", "machine", "build",    "run",  "iteration", "pair",
	"order",   "value",     "unit",    "skip",      "better", "judged",  "failures", "exit", "status",    "divisor"};

/* The neighbouring parts of a joined header that the text names. */
static bool find_parts(const struct planning *p, const char *text, size_t length, size_t *column, unsigned *first,
                       unsigned *count)
{
	for (size_t c = 0; c < p->count; c++) {
		const char *name = p->names[c];
		unsigned part = 0;
		for (const char *at = name;; at = strchr(at, '-') + 1, part++) {
			size_t left = strlen(at);
			if (left >= length && strncmp(at, text, length) == 0 && (at[length] == '-' || at[length] == '\0') &&
			    left < strlen(name) + (at[length] == '-')) {
				*column = c;
				*first = part;
				*count = 1;
				for (size_t i = 0; i < length; i++)
					*count += text[i] == '-';
				return true;
			}
			if (!strchr(at, '-'))
				break;
		}
	}
	return false;
}

static int no_such_column(struct planning *p, const char *text, size_t length)
{
	char list[160] = "";
	for (size_t c = 0; c < p->count && strlen(list) + strlen(p->names[c]) + 4 < sizeof(list); c++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", c ? ", " : "", p->names[c]);
	error_set(p->err, ERROR_USAGE, "--columns: there is no column '%.*s'", (int)(length < 60 ? length : 60), text);
	return error_next(p->err, "the columns are: %s", list);
}

static int find_column(struct planning *p, const char *text, size_t length, struct column_source *out)
{
	char number[16];
	int64_t n;
	for (size_t c = 0; c < p->count && !p->headerless; c++) {
		if (strlen(p->names[c]) == length && strncasecmp(p->names[c], text, length) == 0) {
			out->column = c;
			return 0;
		}
	}
	if (!p->headerless && find_parts(p, text, length, &out->column, &out->first_part, &out->part_count))
		return 0;
	snprintf(number, sizeof(number), "%.*s", (int)(length < 15 ? length : 15), text);
	if (length < 15 && parse_integer(number, 1, (int64_t)p->count, &n, NULL) == 0) {
		out->column = (size_t)n - 1;
		return 0;
	}
	return no_such_column(p, text, length);
}

static enum role role_by_name(const char *text, size_t length)
{
	for (int role = 0; role < ROLE_COUNT; role++)
		if (strlen(role_names[role]) == length && strncmp(role_names[role], text, length) == 0)
			return (enum role)role;
	return length == 4 && strncmp(text, "side", 4) == 0 ? ROLE_PROGRAM : ROLE_COUNT;
}

/* The role of "ROLE=COLUMN", *column behind the '='; ROLE_COUNT and err. */
static enum role mapping_role(const char *text, size_t length, const char **column, struct error *err)
{
	const char *equals = memchr(text, '=', length);
	enum role role = equals ? role_by_name(text, (size_t)(equals - text)) : ROLE_COUNT;
	if (role == ROLE_COUNT) {
		error_set(err, ERROR_USAGE, "--columns: '%.*s' is not ROLE=COLUMN", (int)(length < 60 ? length : 60), text);
		error_next(
			err,
			"write it like subject=version,value=latency; roles are subject, benchmark, program, parameter, metric, machine, build, run, "
			"iteration, pair, order, value, unit, better, skip, exit, status, divisor");
	} else {
		*column = equals + 1;
	}
	return role;
}

int columns_check_option(const char *option, struct error *err)
{
	while (option && *option) {
		size_t length = strcspn(option, ",");
		const char *column;
		if (mapping_role(option, length, &column, err) == ROLE_COUNT)
			return -1;
		option += length + (option[length] == ',');
	}
	return 0;
}

static int apply_mapping(struct planning *p, const char *text, size_t length)
{
	const char *column;
	enum role role = mapping_role(text, length, &column, p->err);
	if (role == ROLE_COUNT)
		return -1;
	struct column_source found = {0};
	p->decided[role] = true;
	size_t name_length = length - (size_t)(column - text);
	if (name_length == 0)
		return 0;
	if (find_column(p, column, name_length, &found) != 0)
		return -1;
	if (role == ROLE_VALUE)
		return planning_add_value(p, found.column, NULL, -1);
	p->pair_asked |= role == ROLE_PAIR;
	p->unit_asked |= role == ROLE_UNIT;
	struct column_source *source = planning_add(p, role, found.column);
	if (!source)
		return error_memory(p->err);
	source->first_part = found.first_part;
	source->part_count = found.part_count;
	return 0;
}

int planning_option(struct planning *p, const char *option)
{
	while (option && *option) {
		size_t length = strcspn(option, ",");
		if (apply_mapping(p, option, length) != 0)
			return -1;
		option += length + (option[length] == ',');
	}
	return 0;
}
