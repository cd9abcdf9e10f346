/* One row of a table: its values. */
#include "exchange/columns_plan.h"
#include "exchange/csv_table.h"
#include "exchange/judged.h"

#include "base/array.h"
#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The numbers of a cell (more than one where they are joined by ';'), missing ones NaN; -1 and err. */
static long read_values(struct csv_table *t, size_t column, double *values)
{
	struct csv_field cell = csv_trimmed(t->records.fields[column]);
	if (csv_number(&t->records, &cell, values)) {
		if (!isfinite(*values))
			*values = NAN;
		return 1;
	}
	*values = NAN;
	if (csv_is_missing(&cell))
		return 1;
	const char *at = cell.text, *end = at + cell.length;
	long n = 0;
	while (n < CELL_VALUES_MAX && memchr(cell.text, ';', cell.length)) {
		const char *stop = memchr(at, ';', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);
		if (length == 0 || parse_number_prefix(at, length, &values[n]) != length || !isfinite(values[n]))
			break;
		n++;
		if (!stop)
			return n;
		at = stop + 1;
	}
	return csv_bad_number(&t->records, column, t->import->err);
}

static bool must_skip(const struct csv_table *t)
{
	static const char *const yes[] = {"1", "true", "yes"};
	for (size_t i = 0; i < columns_of(&t->columns, ROLE_SKIP); i++) {
		struct csv_field cell = csv_cell(t, csv_source(t, ROLE_SKIP, i));
		for (size_t j = 0; j < 3; j++)
			if (cell.length == strlen(yes[j]) && strncasecmp(cell.text, yes[j], cell.length) == 0)
				return true;
	}
	return false;
}

static int divide(const struct csv_table *t, double *values, long n)
{
	for (size_t i = 0; i < columns_of(&t->columns, ROLE_DIVISOR); i++) {
		size_t column = csv_source(t, ROLE_DIVISOR, i)->column;
		struct csv_field cell = csv_trimmed(t->records.fields[column]);
		double by;
		if (cell.length == 0 || parse_number_prefix(cell.text, cell.length, &by) != cell.length || !(by > 0))
			return csv_bad_cell(t, column, "is not a positive number to divide by");
		for (long k = 0; k < n; k++)
			values[k] /= by;
	}
	return 0;
}

static int negative_time(const struct csv_table *t, size_t v)
{
	size_t column = csv_source(t, ROLE_VALUE, v)->column;
	csv_bad_cell(t, column, "is a negative time");
	return error_next(t->import->err, "remove the row, or give the column its unit: --columns unit=COLUMN");
}

/* A unit in a column's own header goes before that of the row, unless the option names the unit column. */
static bool has_row_unit(const struct csv_table *t, size_t v)
{
	return columns_of(&t->columns, ROLE_UNIT) > 0 &&
	       (t->columns.unit_asked || csv_source(t, ROLE_VALUE, v)->unit[0] == '\0');
}

/* The cell may be in any row of the subject. */
static int keep_failures(struct csv_table *t, const struct csv_series *series)
{
	struct csv_subject *subject = &t->subjects[series->subject];
	if (columns_of(&t->columns, ROLE_FAILURES) == 0 || subject->failures)
		return 0;
	struct csv_field cell = csv_cell(t, csv_source(t, ROLE_FAILURES, 0));
	if (cell.length == 0)
		return 0;
	subject->failures = arena_strndup(&t->arena, cell.text, cell.length);
	return subject->failures ? 0 : error_memory(t->import->err);
}

static int keep_failed_row(struct csv_table *t, const char *what, int code)
{
	struct csv_exit row = {.what = arena_strdup(&t->arena, what), .code = code};
	for (size_t v = 0; v < (t->columns.sides[0] ? 2 : 1); v++) {
		row.series = csv_series_at(t, v);
		if (!row.series)
			return -1;
		if (!row.what || array_reserve(&t->exits, &t->exit_room, t->exit_count + 1) != 0)
			return error_memory(t->import->err);
		t->exits[t->exit_count++] = row;
	}
	return 0;
}

/* A run without an exit code is not known to have ended well; where a row has both sides, neither is. */
static int keep_exit(struct csv_table *t, const struct column_source *source)
{
	struct csv_field cell = csv_trimmed(csv_cell(t, source));
	double code = NAN;
	bool number = cell.length > 0 && parse_number_prefix(cell.text, cell.length, &code) == cell.length;
	if (number && code == 0)
		return 0;
	char what[64] = "no exit code";
	if (cell.length > 0)
		snprintf(what, sizeof(what), "exit %.*s", (int)(cell.length < 40 ? cell.length : 40), cell.text);
	return keep_failed_row(t, what, number && fabs(code) <= INT16_MAX ? (int)code : 0);
}

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(word, *list) != 0)
		list++;
	return *list != NULL;
}

/* A word that we do not know is no success; but columns called state or result may be about something else. */
static int keep_strange(struct csv_table *t, const char *column, uint64_t unsure, const char *word)
{
	char what[64];
	size_t before = t->exit_count;
	if (!t->strange_status) {
		t->strange_column = column;
		t->strange_unsure = unsure;
		t->strange_status = arena_strdup(&t->arena, word);
		if (!t->strange_status)
			return error_memory(t->import->err);
	}
	snprintf(what, sizeof(what), "status %s", word);
	int status = keep_failed_row(t, what, 0);
	for (size_t i = before; i < t->exit_count; i++)
		t->exits[i].unsure = unsure;
	return status;
}

/* The number in a column that is called status is an exit code, or one of HTTP's. */
static bool is_success(double code)
{
	return code == 0 || code == 200 || code == 201 || code == 202 || code == 204;
}

/* Counts if the column says of other rows how they ended. */
static int keep_unsure(struct csv_table *t, const char *what, uint64_t bit)
{
	size_t before = t->exit_count;
	int status = keep_failed_row(t, what, 0);
	for (size_t i = before; i < t->exit_count; i++)
		t->exits[i].unsure = bit;
	return status;
}

static bool is_nothing(const char *normal)
{
	static const char *const nothing[] = {"", "nan", "na", "n/a", "null", "none", "nil", "<na>", NULL};
	return is_one_of(normal, nothing);
}

/* "0.3", "12.5 us" or "\xc2\xb1 3 %": the error of a mean. "404 Not Found" is none. */
static bool is_measured(const struct csv_field *cell)
{
	size_t sign = cell->length > 2 && memcmp(cell->text, "\xc2\xb1", 2) == 0 ? 2 : 0;
	while (sign < cell->length && sign > 0 && cell->text[sign] == ' ')
		sign++;
	double value;
	size_t number = parse_number_prefix(cell->text + sign, cell->length - sign, &value);
	const char *rest = cell->text + sign + number;
	size_t length = cell->length - sign - number;
	return number > 0 && (length < 2 || !memchr(rest + 1, ' ', length - 1));
}

/* Words as planning_normalise leaves them; among them the states of Slurm and of GitHub's jobs. */
static const char *const fine_words[] = {"0",         "ok",         "okay",      "pass",     "passed",
                                         "success",   "successful", "succeeded", "complete", "done",
                                         "completed", "finished",   NULL};
static const char *const failed_words[] = {
	"fail",     "failed",    "failure",     "error",    "errored",     "crash", "crashed",  "timeout",
	"timedout", "kill",      "killed",      "abort",    "aborted",     "oom",   "canceled", "cancelled",
	"nodefail", "preempted", "outofmemory", "segfault", "interrupted", NULL};

/* A cell of a column that says yes or no. */
static int keep_flag(struct csv_table *t, const struct column_flag *flag, const struct csv_field *cell,
                     const char *normal, uint64_t bit, bool *known)
{
	char what[96];
	double number = NAN;
	enum yes_or_no said = columns_yes_or_no(normal);
	bool numeric = cell->length > 0 && parse_number_prefix(cell->text, cell->length, &number) == cell->length;
	bool word = is_one_of(normal, fine_words) || is_one_of(normal, failed_words);
	*known = true;
	if (numeric && isfinite(number) && !flag->in_words)
		said = number == 0 ? IS_NO : IS_YES;
	if (said != IS_NEITHER || (word && !numeric))
		t->told_status |= bit;
	if (said != IS_NEITHER) {
		snprintf(what, sizeof(what), "%.40s %s", flag->name, said == IS_YES ? "yes" : "no");
		return (said == IS_YES) == flag->good ? 0 : keep_failed_row(t, what, 0);
	}
	if (is_nothing(normal)) {
		snprintf(what, sizeof(what), "%.40s unknown", flag->name);
		return flag->good ? keep_unsure(t, what, bit) : 0;
	}
	*known = word || numeric;
	if (is_one_of(normal, fine_words) || numeric)
		return 0;
	snprintf(what, sizeof(what), "%.40s %.*s", word ? "status" : flag->name,
	         (int)(cell->length < 47 ? cell->length : 47), cell->text);
	*known |= flag->tells_why;
	return word || (flag->tells_why && !is_measured(cell)) ? keep_failed_row(t, what, 0) : 0;
}

static int keep_status(struct csv_table *t, const struct column_source *source, uint64_t bit)
{
	char word[48], what[64], normal[NORMAL_MAX], name[NORMAL_MAX];
	struct csv_field cell = csv_trimmed(csv_cell(t, source));
	snprintf(word, sizeof(word), "%.*s", (int)(cell.length < sizeof(word) ? cell.length : sizeof(word) - 1), cell.text);
	planning_normalise(word, normal);
	planning_normalise(source->name, name);
	bool known;
	const struct column_flag *flag = columns_flag(name);
	if (flag) {
		int status = keep_flag(t, flag, &cell, normal, bit, &known);
		return known ? status : keep_strange(t, source->name, bit, word);
	}
	double number = NAN;
	bool code = strcmp(name, "status") == 0 && cell.length > 0 &&
	            parse_number_prefix(cell.text, cell.length, &number) == cell.length;
	enum yes_or_no said = columns_yes_or_no(normal);
	bool fine = !normal[0] || is_one_of(normal, fine_words) || said == IS_YES;
	bool failed = is_one_of(normal, failed_words) || said == IS_NO;
	if (code || failed || (fine && normal[0]))
		t->told_status |= bit;
	if (code ? is_success(number) : fine)
		return 0;
	if (!code && !failed)
		return keep_strange(t, source->name, strcmp(name, "status") == 0 || strcmp(name, "outcome") == 0 ? 0 : bit,
		                    word);
	snprintf(what, sizeof(what), "status %s", word);
	return keep_failed_row(t, what, code && fabs(number) <= INT16_MAX ? (int)number : 0);
}

/* A run fails once, whatever columns say so. */
static int keep_outcome(struct csv_table *t)
{
	size_t before = t->exit_count;
	int status = 0;
	for (size_t i = 0; i < columns_of(&t->columns, ROLE_EXIT) && status == 0 && t->exit_count == before; i++)
		status = keep_exit(t, csv_source(t, ROLE_EXIT, i));
	for (size_t i = 0; i < columns_of(&t->columns, ROLE_STATUS) && status == 0 && t->exit_count == before; i++)
		status = keep_status(t, csv_source(t, ROLE_STATUS, i), UINT64_C(1) << (i < 63 ? i : 63));
	return status;
}

static int add_failures(struct csv_table *t, struct subject *subject, long count, const char *what)
{
	enum { MOST = 1 << 20 }; /* a number that a file claims */
	int code = 0;
	if (sscanf(what, "exit %d", &code) != 1)
		code = 0;
	for (long i = 0; i < count && i < MOST; i++)
		if (result_add_failure(t->import->out, subject, (struct failure){what, subject->failure_count, code}) != 0)
			return error_memory(t->import->err);
	return 0;
}

int csv_failures(struct csv_table *t, struct subject *subject, char *cell)
{
	static const char *const ends[] = {"session interrupted", "session killed", "session running", "session failed"};
	char *rest = NULL;
	for (char *part = strtok_r(cell, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
		char *what;
		part += strspn(part, " ");
		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
			if (strcmp(part, ends[i]) == 0)
				result_adopt_end(t->import->out, ends[i] + strlen("session "));
		long count = strtol(part, &what, 10);
		what += strspn(what, " ");
		if (count > 0 && add_failures(t, subject, count, *what ? what : "failed") != 0)
			return -1;
	}
	return 0;
}

static int add_values(struct csv_table *t, size_t v, const double *values, long n, struct gather_key key)
{
	struct csv_series *series = csv_series_at(t, v);
	if (!series || (has_row_unit(t, v) && csv_row_unit(t, series) != 0))
		return -1;
	if (columns_of(&t->columns, ROLE_BETTER) > 0 && csv_row_better(t, series) != 0)
		return -1;
	if (keep_failures(t, series) != 0)
		return -1;
	for (long i = 0; i < n; i++) {
		double value = units_convert(&series->unit, values[i]);
		if (!isfinite(value)) {
			t->import->missing++;
			series->lost++;
			if (!t->plan.pair)
				continue;
			value = NAN;
		}
		if (value <= 0 && strcmp(series->unit.name, "s") == 0) {
			if (value < 0)
				return negative_time(t, v);
			t->zero_line = t->zero_times++ ? t->zero_line : t->records.line;
		}
		key.more = i > 0;
		if (gather_add(&series->gathered, &t->plan, &key, value, t->import->err) != 0)
			return error_at(t->import->err, t->import->input->name, t->records.line, 0);
		key.pair += t->columns.sides[0] != NULL;
	}
	return 0;
}

/* A row with a column for each side: a value without its partner is left out. */
static int add_sides(struct csv_table *t, size_t v, struct gather_key key, uint32_t *longest)
{
	const struct column_source *a = csv_source(t, ROLE_VALUE, v), *b = csv_source(t, ROLE_VALUE, v + 1);
	long n = read_values(t, a->column, t->cell[0]);
	long m = n < 0 ? -1 : read_values(t, b->column, t->cell[1]);
	if (m < 0)
		return -1;
	bool lost_a = n == 1 && isnan(t->cell[0][0]), lost_b = m == 1 && isnan(t->cell[1][0]);
	if (lost_a || lost_b || n != m) {
		t->partnerless += (size_t)((lost_a ? 0 : n) + (lost_b ? 0 : m));
		return 0;
	}
	if (add_values(t, v, t->cell[0], n, key) != 0 || add_values(t, v + 1, t->cell[1], m, key) != 0)
		return -1;
	if ((uint32_t)n > *longest)
		*longest = (uint32_t)n;
	return 0;
}

/* How the values were judged, from the row that says it. */
static int read_judged(struct csv_table *t)
{
	if (columns_of(&t->columns, ROLE_JUDGED) == 0)
		return 0;
	const struct column_source *source = csv_source(t, ROLE_JUDGED, 0);
	struct csv_field cell = csv_cell(t, source);
	if (cell.length == 0)
		return 0;
	char *text = arena_strndup(&t->import->out->arena, cell.text, cell.length);
	if (!text)
		return error_memory(t->import->err);
	t->judged = true;
	return judged_read(text, t->import->out) == 0 ? 0 : csv_bad_cell(t, source->column, "does not say how tare judged");
}

int csv_add_row(struct csv_table *t)
{
	struct gather_key key = {0};
	if (csv_check_width(&t->records, t->header_count, t->import->err) != 0)
		return -1;
	if (must_skip(t)) {
		t->skipped++;
		return 0;
	}
	if (csv_find_key(t) != 0 || csv_level_keys(t, &key) != 0 || read_judged(t) != 0 || keep_outcome(t) != 0)
		return -1;
	if (t->columns.sides[0]) {
		uint32_t longest = 0;
		key.pair = t->next_pair;
		for (size_t v = 0; v + 1 < t->value_count; v += 2)
			if (add_sides(t, v, key, &longest) != 0)
				return -1;
		t->next_pair += longest;
		return 0;
	}
	for (size_t v = 0; v < t->value_count; v++) {
		size_t column = csv_source(t, ROLE_VALUE, v)->column;
		long n = read_values(t, column, t->cell[0]);
		if (n < 0 || divide(t, t->cell[0], n) != 0 || add_values(t, v, t->cell[0], n, key) != 0)
			return -1;
	}
	return 0;
}
