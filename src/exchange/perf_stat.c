/* The text of perf stat, one or many of them in a file: each is a run of its command.
 *
 * Numbers are written as the locale of the measurement says; the elapsed time, which always has
 * decimals, tells which mark is the decimal one. On hybrid CPUs the events of the two kinds of
 * core stay metrics of their own (perf scales each by the time it was counted; their sum would
 * add an extrapolation), and so do those of each CPU, core, die, socket or node. With -r N perf
 * prints means, which are one value here; with --table the elapsed times of the runs are there
 * too and are used. What -x and -j write has neither the command nor its times: it is recognised
 * to say so. */
#include "exchange/csv_records.h"
#include "exchange/formats.h"

#include "base/buffer.h"
#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "Performance counter stats for";

struct perf {
	struct import *import;
	struct subject_index index;
	struct buffer block; /* the lines of one report */
	char name[512];
	bool open; /* a report has begun */
	bool any, means, scaled;
	size_t runs;     /* of the report at hand: 0, or what -r says */
	struct map lost; /* events that were not counted */
};

/* The heading stands alone at the beginning of a line. */
static bool is_heading(const char *line, size_t length)
{
	size_t blanks = 0;
	while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	return length - blanks >= sizeof(heading) - 1 && memcmp(line + blanks, heading, sizeof(heading) - 1) == 0;
}

static bool is_unit(const char *word, size_t length)
{
	static const char *const units[] = {"msec", "sec", "nsec", "usec", "ns", "Joules", "MiB",
	                                    "KiB",  "GiB", "%",    "C",    "J",  "Watts"};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i]) == length && strncmp(units[i], word, length) == 0)
			return true;
	return false;
}

static bool is_number(const struct csv_field *cell, const char *unit)
{
	double number;
	size_t used = parse_number_prefix(cell->text, cell->length, &number), n = strlen(unit);
	return used > 0 && used + n == cell->length && memcmp(cell->text + used, unit, n) == 0;
}

/* A line of -x: value, unit, event and a number or its variance, at the start or behind a time and a place. */
static bool is_separated(const char *line, size_t length)
{
	enum { CELLS = 7 };
	const char delimiter = csv_delimiter(line, length), *end = line + length;
	struct csv_field cells[CELLS];
	size_t count = 0;
	for (const char *at = line; delimiter && at && count < CELLS;) {
		const char *stop = memchr(at, delimiter, (size_t)(end - at));
		cells[count++] = (struct csv_field){at, (size_t)((stop ? stop : end) - at)};
		at = stop ? stop + 1 : NULL;
	}
	for (const struct csv_field *cell = cells; cell + 3 < cells + count; cell++)
		if ((is_number(&cell[0], "") || strncmp(cell[0].text, "<not ", 5) == 0) &&
		    (cell[1].length == 0 || is_unit(cell[1].text, cell[1].length)) && cell[2].length > 0 &&
		    !is_number(&cell[2], "") && (is_number(&cell[3], "") || is_number(&cell[3], "%")))
			return true;
	return false;
}

bool perf_is_json(const char *text)
{
	const char *key = strstr(text, "\"counter-value\"");
	return key && key < text + strcspn(text, "\n");
}

static bool perf_matches(const char *head, size_t length, const struct import_options *options)
{
	bool first = true, other = perf_is_json(head);
	for (const char *at = head, *end = head + length; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);
		if (is_heading(at, n))
			return true;
		if (first && n > 0 && *at != '#') {
			other |= !options->columns && is_separated(at, n);
			first = false;
		}
		at = stop ? stop + 1 : end;
	}
	return other;
}

/* The mark of decimals: the last '.' or ',' of the elapsed time; 0 when there is none. */
static char decimal_mark(const char *block)
{
	const char *elapsed = strstr(block, " seconds time elapsed");
	if (!elapsed)
		return '.';
	const char *start = elapsed;
	while (start > block && start[-1] != '\n')
		start--;
	start += strspn(start, " \t");
	char mark = '.';
	for (; start < elapsed && *start != ' '; start++)
		if (*start == '.' || *start == ',')
			mark = *start;
	return mark;
}

/* A number with marks between thousands: '.', ',', an apostrophe or a thin blank. */
static bool read_number(const char *text, size_t length, char mark, double *value)
{
	char plain[64];
	size_t n = 0;
	bool digits = false;
	for (size_t i = 0; i < length && n + 1 < sizeof(plain); i++) {
		unsigned char c = (unsigned char)text[i];
		if (c >= '0' && c <= '9') {
			plain[n++] = (char)c;
			digits = true;
		} else if (c == (unsigned char)mark) {
			plain[n++] = '.';
		} else if (c == '-' && n == 0) {
			plain[n++] = '-';
		} else if (c != '.' && c != ',' && c != '\'' && c < 0x80) {
			return false;
		}
	}
	return digits && parse_number_prefix(plain, n, value) == n;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t\n");
}

/* The next word of a line, which ends at '#', at "(" of perf's notes, or at the line's end. */
static const char *next_word(const char *text, size_t *length)
{
	text += strspn(text, " \t");
	*length = *text == '#' || *text == '\n' ? 0 : word_length(text);
	return text;
}

/* The share that "+- 0.52%" at the end of a line says; NaN where there is none. */
static double read_error(const char *line, char mark)
{
	const char *sign = NULL, *percent;
	double share;
	for (const char *at = strstr(line, "+-"); at; at = strstr(at + 2, "+-"))
		sign = at;
	if (!sign)
		return NAN;
	sign += 2 + strspn(sign + 2, " \t");
	percent = strchr(sign, '%');
	return percent && read_number(sign, (size_t)(percent - sign), mark, &share) ? share / 100 : NAN;
}

static int add_value(struct perf *perf, const char *name, const char *unit, double value)
{
	struct unit_scale scale;
	struct subject *subject = import_subject(perf->import, &perf->index, perf->name, perf->name);
	if (!subject || (!subject->command && import_text_copy(perf->import, perf->name, &subject->command) != 0))
		return -1;
	struct measurement *metric = import_metric_in(perf->import, subject, name, unit, &scale);
	return metric ? import_value(perf->import, metric, 0, units_convert(&scale, value)) : -1;
}

/* Of several runs perf prints the mean and, as "+-", the standard error of it. */
static int add_stated(struct perf *perf, const char *name, const char *unit, double value, double error)
{
	if (add_value(perf, name, unit, value) != 0)
		return -1;
	struct unit_scale scale;
	struct subject *subject = import_subject(perf->import, &perf->index, perf->name, perf->name);
	struct measurement *metric = subject ? import_metric_in(perf->import, subject, name, unit, &scale) : NULL;
	if (!metric)
		return -1;
	/* A second report of the same command is one value more. */
	bool stated = perf->runs > 1 && isfinite(error) && metric->series.n == 1;
	if (stated || metric->stated->n > 0) {
		double mean = metric->series.values[0];
		struct stated_runs *own = measurement_own_stated(perf->import->out, metric);
		if (!own)
			return error_memory(perf->import->err);
		*own = stated ? (struct stated_runs){perf->runs, mean, error * fabs(mean)} : (struct stated_runs){0};
	}
	perf->means |= perf->runs > 1 && !stated;
	return 0;
}

/* "0.0008 +- 0.00006 seconds time elapsed", "0.0 seconds user"; true when it was such a line. */
static int read_seconds(struct perf *perf, const char *line, char mark, bool *was)
{
	static const struct {
		const char *words, *metric;
	} kinds[] = {{"seconds time elapsed", "wall"}, {"seconds user", "user"}, {"seconds sys", "system"}};
	size_t length, end = strcspn(line, "\n");
	const char *number = next_word(line, &length);
	double value;
	*was = false;
	for (size_t i = 0; i < 3; i++) {
		const char *words = strstr(line, kinds[i].words);
		if (!words || words >= line + end)
			continue;
		*was = true;
		if (!read_number(number, length, mark, &value))
			return 0;
		return add_stated(perf, kinds[i].metric, "s", value, read_error(line, mark));
	}
	return 0;
}

static int note_lost(struct perf *perf, const char *line)
{
	const char *event = strchr(line, '>');
	size_t length = 0;
	event = event ? next_word(event + 1, &length) : NULL;
	if (!event || length == 0)
		return 0;
	return map_text(&perf->lost, event, length) == MAP_NONE ? error_memory(perf->import->err) : 0;
}

/* What -A (CPU0), --per-core (S0-D0-C0), --per-node (N0) and the like put in front. */
static bool is_place(const char *word, size_t length)
{
	size_t letters = strncmp(word, "CPU", 3) == 0 ? 3 : *word == 'S' || *word == 'N' ? 1 : 0;
	return letters > 0 && length > letters && word[letters] >= '0' && word[letters] <= '9';
}

/* The first word behind the place. All but -A count the CPUs there, before the number. */
static const char *behind_place(const char *place, char mark, size_t *length)
{
	size_t next_length;
	double value;
	const char *word = next_word(place, length), *next = next_word(word + *length, &next_length);
	if (*next != '<' && !read_number(next, next_length, mark, &value))
		return word;
	*length = next_length;
	return next;
}

static int read_event(struct perf *perf, const char *line, char mark)
{
	size_t number_length, length, unit_length = 0, next_length, place_length = 0;
	const char *number = next_word(line, &number_length), *place = number, *unit = NULL, *event;
	double value;
	if (is_place(place, number_length)) {
		place_length = number_length;
		number = behind_place(place + place_length, mark, &number_length);
	}
	if (strncmp(number, "<not", 4) == 0)
		return note_lost(perf, number);
	if (number_length == 0 || !read_number(number, number_length, mark, &value))
		return 0;
	event = next_word(number + number_length, &length);
	const char *after = next_word(event + length, &next_length);
	if (is_unit(event, length) && next_length > 0 && *after != '(') {
		unit = event;
		unit_length = length;
		event = after;
		length = next_length;
	} else if (next_length > 2 && *after == '(' && is_unit(after + 1, next_length - 2)) {
		unit = after + 1; /* cpu-clock (msec), as old versions write it */
		unit_length = next_length - 2;
	}
	if (length == 0 || *event == '(' || *event == '+')
		return 0;
	char unit_text[16] = "", name[256];
	snprintf(unit_text, sizeof(unit_text), "%.*s", (int)unit_length, unit ? unit : "");
	snprintf(name, sizeof(name), "%.*s%s%.*s", (int)place_length, place, place_length ? " " : "", (int)length, event);
	size_t end = strcspn(line, "\n");
	/* "(97.00%)" at the end: counted that part of the time, and scaled. */
	perf->scaled |= end > 2 && line[end - 1] == ')' && line[end - 2] == '%' &&
	                !strstr(line + (end > 40 ? end - 12 : 0), "+-");
	return add_stated(perf, name, unit_text, value, read_error(line, mark));
}

/* "    0.51 (-0.02) ##" lines below "Table of individual measurements". */
static int read_table(struct perf *perf, const char *table, char mark, size_t *runs)
{
	for (const char *line = strchr(table, '\n'); line; line = strchr(line + 1, '\n')) {
		size_t length;
		const char *number = next_word(line + 1, &length);
		double value;
		if (length == 0 && number[0] == '#')
			break;
		if (length == 0 && *runs == 0 && *number)
			continue;
		if (length == 0 || !read_number(number, length, mark, &value))
			break;
		if (add_value(perf, "wall", "s", value) != 0)
			return -1;
		++*runs;
	}
	return 0;
}

/* One report: its lines are in the block. */
static int end_report(struct perf *perf)
{
	const char *block = buffer_text(&perf->block), *table = strstr(block, "Table of individual measurements");
	char mark = decimal_mark(block);
	size_t runs = 0;
	if (!perf->open)
		return 0;
	perf->open = false;
	if (perf->block.out_of_memory)
		return error_memory(perf->import->err);
	if (table && read_table(perf, table, mark, &runs) != 0)
		return -1;
	for (const char *line = block; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		bool seconds;
		if (table && line > table)
			break;
		/* Lines are cut out of the block so that nothing is read across them. */
		char copy[1024];
		snprintf(copy, sizeof(copy), "%.*s\n", (int)(strcspn(line, "\n") < 1000 ? strcspn(line, "\n") : 1000), line);
		if (read_seconds(perf, runs ? "" : copy, mark, &seconds) != 0)
			return -1;
		if (!seconds && !strstr(copy, "seconds ") && read_event(perf, copy, mark) != 0)
			return -1;
	}
	return 0;
}

/* "Performance counter stats for 'sleep 1' (3 runs):" */
static void begin_report(struct perf *perf, const char *line, size_t length)
{
	const char *end = line + length, *first = memchr(line, '\'', length), *last = NULL;
	for (const char *at = first ? first + 1 : end; at < end; at++)
		if (*at == '\'')
			last = at;
	if (first && last)
		snprintf(perf->name, sizeof(perf->name), "%.*s", (int)(last - first - 1 < 500 ? last - first - 1 : 500),
		         first + 1);
	else
		snprintf(perf->name, sizeof(perf->name), "%s", perf->import->name);
	static const char runs[] = " runs)";
	perf->runs = 0;
	for (size_t i = 0; i + sizeof(runs) - 1 <= length; i++) {
		if (memcmp(line + i, runs, sizeof(runs) - 1) != 0)
			continue;
		size_t digits = i;
		while (digits > 0 && line[digits - 1] >= '0' && line[digits - 1] <= '9')
			digits--;
		perf->runs = strtoul(line + digits, NULL, 10);
	}
	buffer_clear(&perf->block);
	perf->open = perf->any = true;
}

static int warn(struct perf *perf)
{
	struct import *import = perf->import;
	if (perf->means && import_warn(import, "means",
	                               "several reports of perf stat -r: each mean counts as one value here; "
	                               "for single values run perf stat again and again with --append") != 0)
		return -1;
	if (perf->scaled &&
	    import_warn(import, "scaled", "some events were counted part of the time and scaled by perf") != 0)
		return -1;
	struct buffer list = {0};
	for (uint32_t i = 0; i < perf->lost.count && list.length < 300; i++)
		buffer_printf(&list, "%s%s", i ? ", " : "", perf->lost.text[i]);
	int status = list.length == 0
	                 ? 0
	                 : import_warn(import, "unmapped", "events not supported or not counted: %s", buffer_text(&list));
	buffer_release(&list);
	return status;
}

static int perf_read(struct import *import)
{
	struct perf perf = {.import = import};
	char *line;
	size_t length;
	int more = 0, status = 0;
	buffer_init(&perf.block, 4 << 20);
	while (status == 0 && (more = input_line(import->input, &line, &length, import->err)) == 1) {
		if (is_heading(line, length)) {
			status = end_report(&perf);
			begin_report(&perf, line, length);
		} else if (perf.open && !memchr(line, '\0', length)) {
			buffer_add(&perf.block, line, length);
			buffer_char(&perf.block, '\n');
		}
	}
	if (status == 0)
		status = more < 0 ? -1 : end_report(&perf);
	if (status == 0 && !perf.any) {
		import_bad(import, "no report of perf stat in it");
		status = error_next(import->err, "give the text of perf stat without -x and -j");
	}
	if (status == 0)
		status = warn(&perf);
	map_release(&perf.index.keys);
	buffer_release(&perf.block);
	map_release(&perf.lost);
	return status;
}

const struct text_format perf_format = {"perf", perf_matches, perf_read};
