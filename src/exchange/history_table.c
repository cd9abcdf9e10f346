#include "exchange/history_table.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/moment.h"
#include "base/parse.h"
#include "exchange/csv_records.h"
#include "base/map.h"
#include "exchange/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum history_role { TIME, COMMIT, SUBJECT, METRIC, UNIT, BETTER, LOW, HIGH, MACHINE, VALUE, IGNORED, ROLE_COUNT };

/* Names by which a column is known, without case and signs. */
static const struct {
	const char *role; /* in --columns */
	const char *names;
} roles[ROLE_COUNT] = {
	[TIME] = {"time",
              " time timestamp date datetime timestamputc pushtimestamp pushtimestamputc when created createdat "},
	[COMMIT] = {"commit", " commit revision rev sha hash commitid commithash rubyrev gitcommit "},
	[SUBJECT] = {"subject", " subject benchmark name test testname type bench case command "},
	[METRIC] = {"metric", " metric metricname "},
	[UNIT] = {"unit", " unit units "},
	[BETTER] = {"better", " better "},
	[LOW] = {"low", " low lower cilow "},
	[HIGH] = {"high", " high upper cihigh "},
	[MACHINE] = {"machine", " machine host hostname runner "},
	[VALUE] = {"value", " value mean median score result "},
	[IGNORED] = {"", " index number n branch run id executions iterations warmupiterations "},
};

struct history_rows {
	struct csv_records records;
	const struct import_options *options;
	enum history_role *role;  /* of each column */
	size_t place[ROLE_COUNT]; /* the first column of each role; SIZE_MAX: none */
	size_t time_unit;         /* the column of Google Benchmark's unit; SIZE_MAX: none */
	char **header;
	size_t columns;
	bool has_value;    /* a column is known to be one by its name or by the option */
	bool *numeric;     /* columns of values that have had a number */
	struct map series; /* subject, metric: */
	int64_t *counts;   /* rows of each so far */
	size_t count_capacity;
};

static void normalise(const char *name, char *out, size_t size)
{
	size_t n = 0;
	for (; *name && n + 1 < size; name++)
		if (isalnum((unsigned char)*name))
			out[n++] = (char)tolower((unsigned char)*name);
	out[n] = '\0';
}

static enum history_role role_by_name(const char *header)
{
	char word[64], wrapped[68];
	normalise(header, word, sizeof(word));
	if (!word[0])
		return IGNORED;
	snprintf(wrapped, sizeof(wrapped), " %s ", word);
	for (int r = 0; r < ROLE_COUNT; r++)
		if (strstr(roles[r].names, wrapped))
			return (enum history_role)r;
	return ROLE_COUNT;
}

static int bad_option(struct error *err, const char *text, const char *why)
{
	return error_full(err, ERROR_USAGE, "--columns",
	                  "write it like time=date,commit=rev,subject=benchmark,value=mean_ms", "'%.60s' %s", text, why);
}

static size_t find_column(const struct history_rows *table, const char *name)
{
	int64_t number;
	for (size_t i = 0; i < table->columns; i++)
		if (strcmp(table->header[i], name) == 0)
			return i;
	if (parse_integer(name, 1, (int64_t)table->columns, &number, NULL) == 0)
		return (size_t)number - 1;
	return SIZE_MAX;
}

/* One "role=column"; earlier columns of that role lose it, but for further values. */
static int apply_choice(struct history_rows *table, char *choice, bool *values_given, struct error *err)
{
	char *equals = strchr(choice, '=');
	int r = 0;
	if (!equals)
		return bad_option(err, choice, "is not ROLE=COLUMN");
	*equals = '\0';
	while (r < IGNORED && strcmp(roles[r].role, choice) != 0)
		r++;
	if (r == IGNORED)
		return bad_option(err, choice,
		                  "is not a role: time, commit, subject, metric, unit, better, value, low, high, machine");
	size_t column = equals[1] ? find_column(table, equals + 1) : SIZE_MAX;
	if (equals[1] && column == SIZE_MAX)
		return bad_option(err, equals + 1, "is not a column of the table");
	if (r != VALUE || !*values_given)
		for (size_t i = 0; i < table->columns; i++)
			if (table->role[i] == (enum history_role)r || (r == VALUE && table->role[i] == ROLE_COUNT))
				table->role[i] = IGNORED;
	*values_given |= r == VALUE;
	if (column != SIZE_MAX)
		table->role[column] = (enum history_role)r;
	return 0;
}

static int apply_option(struct history_rows *table, struct error *err)
{
	char *copy = mem_strdup(table->options->columns), *rest = copy;
	bool values_given = false;
	int status = copy ? 0 : error_memory(err);
	for (char *choice; status == 0 && (choice = strsep(&rest, ",")) != NULL;)
		status = apply_choice(table, choice, &values_given, err);
	mem_free(copy);
	return status;
}

static bool is_value(const struct history_rows *table, size_t column)
{
	return table->role[column] == VALUE || (!table->has_value && table->role[column] == ROLE_COUNT);
}

/* A table without a header would lose its first row. */
static int no_header(const struct history_rows *table, size_t column, struct error *err)
{
	input_problem(table->records.input, table->records.line, 0, err, "'%.60s' is not the name of a column",
	              table->header[column]);
	return error_next(err, "put the names of the columns into the first line, like time,commit,value");
}

static bool is_called(const struct history_rows *table, size_t column, const char *normal)
{
	char word[64];
	normalise(table->header[column], word, sizeof(word));
	return strcmp(word, normal) == 0;
}

static bool has_column(const struct history_rows *table, const char *normal)
{
	for (size_t i = 0; i < table->columns; i++)
		if (is_called(table, i, normal))
			return true;
	return false;
}

/* Commands are the subjects only where no other column is. */
static void demote_command(struct history_rows *table)
{
	bool other = false;
	for (size_t i = 0; i < table->columns; i++)
		other |= table->role[i] == SUBJECT && !is_called(table, i, "command");
	for (size_t i = 0; other && i < table->columns; i++)
		if (table->role[i] == SUBJECT && is_called(table, i, "command"))
			table->role[i] = IGNORED;
}

/* The samples of one result, not a history: criterion's raw.csv, or a table of another tool or that tare exported, to
 * which nobody has added times or commits. */
static bool is_single_result(const struct history_rows *table, bool of_a_tool)
{
	static const char *const own[] = {"subject", "metric", "unit", "run", "iteration", "value"};
	if (has_column(table, "group") && has_column(table, "iterationcount") &&
	    (has_column(table, "samplemeasuredvalue") || has_column(table, "sampletimenanos")))
		return true;
	/* A counter of a benchmark may have any other name of a role. */
	if (of_a_tool)
		return !has_column(table, "date") && !has_column(table, "timestamp") && !has_column(table, "commit");
	for (size_t i = 0; i < table->columns; i++)
		if (table->role[i] == TIME || table->role[i] == COMMIT)
			return false;
	if (has_column(table, "run") && has_column(table, "iteration"))
		return true;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!has_column(table, own[i]))
			return false;
	return true;
}

/* Looked up once: a table may have tens of thousands of columns. */
static void find_places(struct history_rows *table)
{
	for (int r = 0; r < ROLE_COUNT; r++)
		table->place[r] = SIZE_MAX;
	table->time_unit = SIZE_MAX;
	for (size_t i = table->columns; i > 0; i--) {
		if (table->role[i - 1] != ROLE_COUNT)
			table->place[table->role[i - 1]] = i - 1;
		if (table->time_unit == SIZE_MAX && is_called(table, i - 1, "timeunit"))
			table->time_unit = i - 1;
	}
}

/* Roles from the header. */
static int read_header(struct history_rows *table, struct error *err)
{
	size_t n = table->records.count;
	bool named = false;
	double number;
	table->role = mem_zalloc(n, sizeof(*table->role));
	table->header = mem_zalloc(n, sizeof(*table->header));
	table->numeric = mem_zalloc(n, sizeof(*table->numeric));
	if (!table->role || !table->header || !table->numeric)
		return error_memory(err);
	table->columns = n;
	for (size_t i = 0; i < n; i++) {
		struct csv_field field = csv_trimmed(table->records.fields[i]);
		table->header[i] = mem_alloc(field.length + 1, 1);
		if (!table->header[i])
			return error_memory(err);
		memcpy(table->header[i], field.text, field.length);
		table->header[i][field.length] = '\0';
		table->role[i] = role_by_name(table->header[i]);
		named |= table->role[i] != ROLE_COUNT && field.length > 0;
	}
	if (table->options->columns && apply_option(table, err) != 0)
		return -1;
	demote_command(table);
	find_places(table);
	for (size_t i = 0; i < n; i++)
		table->has_value |= table->role[i] == VALUE;
	for (size_t i = 0; !named && i < n; i++)
		if (is_value(table, i) && table->header[i][0] &&
		    parse_number_prefix(table->header[i], strlen(table->header[i]), &number) == strlen(table->header[i]))
			return no_header(table, i, err);
	return 0;
}

static const char *cell(const struct history_rows *table, enum history_role role, char *text, size_t size)
{
	text[0] = '\0';
	if (table->place[role] < table->records.count) {
		struct csv_field field = table->records.fields[table->place[role]];
		if (role != SUBJECT && role != METRIC)
			field = csv_trimmed(field);
		snprintf(text, size, "%.*s", (int)field.length, field.text);
	}
	return text;
}

/* The number of a cell, NaN where it is missing; -1 and err when it is something else. */
static int number_in(const struct history_rows *table, size_t column, double *out, struct error *err)
{
	struct csv_field field = csv_trimmed(table->records.fields[column]);
	*out = NAN;
	if (csv_is_missing(&field))
		return 0;
	return parse_number_prefix(field.text, field.length, out) == field.length
	           ? 0
	           : csv_bad_number(&table->records, column, err);
}

/* That of the column with this role, NaN where there is none. */
static int number_of(const struct history_rows *table, enum history_role role, double *out, struct error *err)
{
	*out = NAN;
	return table->place[role] == SIZE_MAX ? 0 : number_in(table, table->place[role], out, err);
}

/* A column that nobody named and that begins with words is no column of values. */
static bool is_of_words(struct history_rows *table, size_t column)
{
	struct csv_field field = csv_trimmed(table->records.fields[column]);
	double number;
	if (table->role[column] == VALUE || table->numeric[column] || csv_is_missing(&field))
		return false;
	table->numeric[column] = parse_number_prefix(field.text, field.length, &number) == field.length;
	if (table->numeric[column] || csv_has_decimal_comma(&field))
		return false;
	table->role[column] = IGNORED;
	return true;
}

/* How many rows this series had before; -1: no memory. */
static int64_t count_row(struct history_rows *table, const char *subject, const char *metric)
{
	struct buffer key = {0};
	buffer_printf(&key, "%s\x1f%s", subject, metric);
	uint32_t index = buffer_error(&key, NULL) == 0 ? map_text(&table->series, buffer_text(&key), key.length) : MAP_NONE;
	buffer_release(&key);
	if (index == MAP_NONE)
		return -1;
	size_t before = table->count_capacity;
	if (array_reserve(&table->counts, &table->count_capacity, (size_t)index + 1) != 0)
		return -1;
	if (table->count_capacity > before)
		memset(table->counts + before, 0, (table->count_capacity - before) * sizeof(*table->counts));
	return table->counts[index]++;
}

/* What is asked for, else what the row says, else what the unit says. */
static int direction(const struct history_rows *table, const char *unit, const char *name, enum better *out,
                     struct error *err)
{
	char said[16];
	cell(table, BETTER, said, sizeof(said));
	bool higher = strcasecmp(said, "higher") == 0;
	if (said[0] && !higher && strcasecmp(said, "lower") != 0) {
		input_problem(table->records.input, table->records.line, csv_column(&table->records, table->place[BETTER]), err,
		              "'%s' is neither 'higher' nor 'lower'", said);
		return error_next(err, "write which values are better, or leave the column out: --columns better=");
	}
	*out = said[0] ? (higher ? BETTER_HIGHER : BETTER_LOWER) : units_better(name, unit);
	if (table->options->better != IMPORT_BETTER_BY_UNIT)
		*out = table->options->better == IMPORT_BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
	return 0;
}

/* Google Benchmark has the unit of its two times in a column; a coefficient of variation stands there without one. */
static void time_unit_of(const struct history_rows *table, size_t column, char *unit, size_t size)
{
	char subject[1024];
	unit[0] = '\0';
	if (!is_called(table, column, "realtime") && !is_called(table, column, "cputime"))
		return;
	size_t length = strlen(cell(table, SUBJECT, subject, sizeof(subject)));
	if (length > 3 && strcmp(subject + length - 3, "_cv") == 0)
		return;
	if (table->time_unit != SIZE_MAX) {
		struct csv_field field = csv_trimmed(table->records.fields[table->time_unit]);
		snprintf(unit, size, "%.*s", (int)field.length, field.text);
	}
}

/* The unit of a value column: its own column's, that in its name, or --unit. */
static void unit_of(const struct history_rows *table, size_t column, char *unit, size_t size, size_t *stem)
{
	char own[64];
	const char *name = table->header[column];
	*stem = strlen(name);
	if (!cell(table, UNIT, own, sizeof(own))[0])
		time_unit_of(table, column, own, sizeof(own));
	if (own[0]) {
		snprintf(unit, size, "%s", own);
	} else if (!units_in_name(name, unit, size, stem)) {
		*stem = strlen(name);
		snprintf(unit, size, "%s", table->options->unit ? table->options->unit : "");
	}
}

static int take_value(struct history_rows *table, size_t column, struct history_record record, history_take take,
                      void *context, struct error *err)
{
	char unit[64], metric[256], subject[1024];
	size_t stem;
	if (number_in(table, column, &record.value, err) != 0 || number_of(table, LOW, &record.low, err) != 0 ||
	    number_of(table, HIGH, &record.high, err) != 0)
		return -1;
	if (!isfinite(record.value))
		return 0;
	unit_of(table, column, unit, sizeof(unit), &stem);
	struct unit_scale scale = units_meaning(unit);
	record.value = units_convert(&scale, record.value);
	record.low = units_convert(&scale, record.low);
	record.high = units_convert(&scale, record.high);
	record.unit = scale.name;
	if (!cell(table, METRIC, metric, sizeof(metric))[0])
		snprintf(metric, sizeof(metric), "%.*s", stem ? (int)stem : 200, table->header[column]);
	record.metric = metric;
	record.subject = cell(table, SUBJECT, subject, sizeof(subject))[0] ? subject : metric;
	if (direction(table, scale.name, metric, &record.better, err) != 0)
		return -1;
	if (!record.timed) {
		record.when = count_row(table, record.subject, metric);
		if (record.when < 0)
			return error_memory(err);
	}
	return take(context, &record, err);
}

static int read_row(struct history_rows *table, history_take take, void *context, struct error *err)
{
	char when[128], commit[256], machine[512];
	struct history_record record = {.commit = cell(table, COMMIT, commit, sizeof(commit)),
	                                .machine = cell(table, MACHINE, machine, sizeof(machine))};
	if (csv_check_width(&table->records, table->columns, err) != 0)
		return -1;
	if (cell(table, TIME, when, sizeof(when))[0]) {
		if (moment_parse(when, &record.when, err) != 0)
			return error_at(err, table->records.input->name, table->records.line, 1);
		record.timed = true;
	}
	for (size_t i = 0; i < table->columns; i++)
		if (is_value(table, i) && !is_of_words(table, i) && take_value(table, i, record, take, context, err) != 0)
			return -1;
	return 0;
}

static int no_values(const struct history_rows *table, struct error *err)
{
	bool any = false;
	for (size_t i = 0; i < table->columns; i++)
		any |= is_value(table, i);
	if (any)
		return 0;
	return error_full(err, ERROR_INPUT, table->records.input->name, "name it: --columns value=NAME",
	                  "no column holds values");
}

int history_table_read(struct input *input, bool of_a_tool, const struct import_options *options, history_take take,
                       void *context, struct error *err)
{
	struct history_rows table = {.options = options};
	const char *at = input->block + input->at, *line;
	size_t length;
	char delimiter = csv_head_line(&at, input->block + input->end, &line, &length) ? csv_delimiter(line, length) : ',';
	csv_records_init(&table.records, input, delimiter ? delimiter : ',');
	int row = csv_next(&table.records, err), status = row < 0 ? -1 : 0;
	if (row == 0) {
		error_set(err, ERROR_NO_DATA, "the file is empty");
		status = error_on(err, "%s", input->name);
	}
	if (status == 0)
		status = read_header(&table, err);
	if (status == 0 && !options->columns && is_single_result(&table, of_a_tool))
		status = 1;
	if (status == 0)
		status = no_values(&table, err);
	while (status == 0 && (row = csv_next(&table.records, err)) == 1)
		status = read_row(&table, take, context, err);
	for (size_t i = 0; i < table.columns; i++)
		mem_free(table.header[i]);
	mem_free(table.header);
	mem_free(table.role);
	mem_free(table.numeric);
	mem_free(table.counts);
	map_release(&table.series);
	csv_records_release(&table.records);
	return row < 0 ? -1 : status;
}
