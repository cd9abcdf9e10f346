/* nanobench's table, as its programs print it between whatever else they print:
 *
 *	|               ns/op |                op/s |    err% |     total | sorting
 *	|--------------------:|--------------------:|--------:|----------:|:--------
 *	|               12.34 |       81,037,277.15 |    0.4% |      0.01 | `insert`
 *
 * The text is a run, and a benchmark has one value: the median of its epochs. The heading of the last column is the title, which
 * comes before the names of its benchmarks unless it is the usual one. Both numbers have two decimals, so that the larger of them
 * is the more precise. */
#include "exchange/formats.h"

#include "base/buffer.h"
#include "base/parse.h"

#include <math.h>
#include <string.h>

struct nanobench_cell {
	const char *text;
	size_t length;
};

/* The cell that begins after the bar at *at, without blanks; *at is then at the next bar or at the end. */
static struct nanobench_cell next_cell(const char **at, const char *end)
{
	const char *from = *at + 1, *to = memchr(from, '|', (size_t)(end - from));
	*at = to = to ? to : end;
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r'))
		to--;
	return (struct nanobench_cell){from, (size_t)(to - from)};
}

static bool is_cell(const struct nanobench_cell *cell, const char *text)
{
	return cell->length == strlen(text) && memcmp(cell->text, text, cell->length) == 0;
}

struct nanobench_table {
	bool known;        /* a heading was seen */
	size_t rate, name; /* the columns of "op/s", which that of "ns/op" comes before, and of names */
	double seconds;    /* that the unit of times has; NaN: not one of ours */
	struct nanobench_cell title;
};

/* What stands before the '/' of "ns/op". */
static double seconds_of(const struct nanobench_cell *cell)
{
	char unit[16] = "";
	const char *slash = memchr(cell->text, '/', cell->length);
	if (slash && (size_t)(slash - cell->text) < sizeof(unit))
		memcpy(unit, cell->text, (size_t)(slash - cell->text));
	struct unit_scale scale = units_meaning(unit);
	return strcmp(scale.name, "s") == 0 ? units_convert(&scale, 1) : NAN;
}

static bool read_heading(const char *line, size_t length, struct nanobench_table *out)
{
	const char *at = line, *end = line + length;
	struct nanobench_cell cell, before = {0};
	struct nanobench_table table = {.seconds = NAN};
	bool has_error = false;
	for (size_t i = 0; at < end && *at == '|'; i++, before = cell) {
		cell = next_cell(&at, end);
		if (table.rate == 0 && i > 0 && cell.length > 2 && memcmp(cell.text + cell.length - 2, "/s", 2) == 0) {
			table.rate = i;
			table.seconds = seconds_of(&before);
		}
		has_error |= is_cell(&cell, "err%");
		if (cell.length > 0) {
			table.name = i;
			table.title = cell;
		}
	}
	table.known = table.rate > 0 && has_error && table.name > table.rate;
	if (table.known)
		*out = table;
	return table.known;
}

static bool nanobench_matches(const char *head, size_t length, const struct import_options *options)
{
	(void)options;
	for (const char *at = head, *end = head + length; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at)), *stops = stop ? stop : end;
		struct nanobench_table table;
		if (*at == '|' && read_heading(at, (size_t)(stops - at), &table))
			return true;
		at = stops + 1;
	}
	return false;
}

/* "81,037,277.15" */
static double number_of(const struct nanobench_cell *cell)
{
	char digits[64];
	size_t n = 0;
	double value;
	for (size_t i = 0; i < cell->length && n < sizeof(digits); i++)
		if (cell->text[i] != ',')
			digits[n++] = cell->text[i];
	return n > 0 && n < sizeof(digits) && parse_number_prefix(digits, n, &value) == n ? value : NAN;
}

struct nanobench {
	struct import *import;
	struct subject_index index;
	struct nanobench_table table;
	struct buffer title, name;
};

/* The name between backquotes, where two stand for one; what comes after it. NULL: there is none. */
static const char *read_name(struct nanobench *n, const char *at, const char *end)
{
	at = memchr(at, '`', (size_t)(end - at));
	buffer_clear(&n->name);
	if (strcmp(buffer_text(&n->title), "benchmark") != 0)
		buffer_printf(&n->name, "%s/", buffer_text(&n->title));
	for (at = at ? at + 1 : end; at < end; at++) {
		if (*at == '`' && (at + 1 == end || at[1] != '`'))
			return at + 1;
		at += *at == '`';
		buffer_char(&n->name, *at);
	}
	return NULL;
}

static struct subject *subject_of(struct nanobench *n)
{
	const char *name = buffer_text(&n->name);
	struct subject *subject = import_subject(n->import, &n->index, name, name);
	return subject && import_text_copy(n->import, name, &subject->benchmark) == 0 ? subject : NULL;
}

/* "| :boom: `name` (why)" */
static int take_failure(struct nanobench *n, const char *at, const char *end)
{
	const char *rest = read_name(n, at, end);
	if (!rest)
		return 0;
	while (rest < end && (*rest == ' ' || *rest == '('))
		rest++;
	while (end > rest && (end[-1] == ')' || end[-1] == ' ' || end[-1] == '\r'))
		end--;
	struct subject *subject = subject_of(n);
	const char *why = arena_strndup(&n->import->out->arena, rest, (size_t)(end - rest));
	if (!subject || !why)
		return error_memory(n->import->err);
	return result_add_failure(n->import->out, subject, (struct failure){*why ? why : "failed", 0, 0}) == 0
	           ? 0
	           : error_memory(n->import->err);
}

static int take_row(struct nanobench *n, const char *line, size_t length)
{
	const char *at = line, *end = line + length;
	struct nanobench_cell time = {0}, rate = {0}, cell;
	if (length > 8 && memcmp(line, "| :boom:", 8) == 0)
		return take_failure(n, line, end);
	for (size_t i = 0; i < n->table.name; i++) {
		if (at == end || *at != '|')
			return 0;
		cell = next_cell(&at, end);
		time = i + 1 == n->table.rate ? cell : time;
		rate = i == n->table.rate ? cell : rate;
	}
	double per_second = number_of(&rate), amount = number_of(&time);
	if (isnan(per_second) || isnan(amount) || !read_name(n, at, end))
		return 0;
	double seconds = amount > per_second && !isnan(n->table.seconds) ? amount * n->table.seconds : 1 / per_second;
	struct unit_scale scale;
	struct subject *subject = subject_of(n);
	struct measurement *metric = subject ? import_metric_in(n->import, subject, "wall", "s", &scale) : NULL;
	return metric ? import_value(n->import, metric, 0, seconds) : -1;
}

static int take_line(struct nanobench *n, const char *line, size_t length)
{
	if (length == 0 || *line != '|')
		return 0;
	if (!read_heading(line, length, &n->table))
		return n->table.known ? take_row(n, line, length) : 0;
	buffer_clear(&n->title);
	buffer_add(&n->title, n->table.title.text, n->table.title.length);
	return 0;
}

static int nanobench_read(struct import *import)
{
	struct nanobench reading = {.import = import};
	char *line;
	size_t length;
	int more, status = 0;
	import->warmed = true;
	while (status == 0 && (more = input_line(import->input, &line, &length, import->err)) == 1)
		status = take_line(&reading, line, length);
	if (status == 0 &&
	    (more < 0 || buffer_error(&reading.title, import->err) != 0 || buffer_error(&reading.name, import->err) != 0))
		status = -1;
	map_release(&reading.index.keys);
	buffer_release(&reading.title);
	buffer_release(&reading.name);
	return status;
}

const struct text_format nanobench_format = {"nanobench", nanobench_matches, nanobench_read};
