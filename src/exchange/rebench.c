/* ReBench's data files: lines without a header, cells between tabs, '#' before what it notes
 * about the machine. An invocation is a process. (A file with a header is a table.) */
#include "exchange/csv_table.h"

#include "base/parse.h"

#include <string.h>

static const char *const cells[] = {"invocation", "iteration",  "value", "unit",       "criterion",
                                    "benchmark",  "executor",   "suite", "extra_args", "cores",
                                    "input_size", "var_values", "tag"};

/* Two counts, a number, a unit, and at least eight cells. */
static bool is_measurement(const char *line, size_t length)
{
	size_t column = 0;
	for (const char *at = line, *end = line + length; at <= end; column++) {
		const char *tab = memchr(at, '\t', (size_t)(end - at));
		size_t n = (size_t)((tab ? tab : end) - at);
		double value;
		bool number = n > 0 && parse_number_prefix(at, n, &value) == n;
		if (column < 3 ? !number : column < 6 && (number || n == 0))
			return false;
		if (!tab)
			return column >= 7;
		at = tab + 1;
	}
	return false;
}

static bool rebench_matches(const char *head, size_t length, const struct import_options *options)
{
	if (options->columns)
		return false;
	for (const char *at = head, *end = head + length; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);
		if (n > 0 && at[n - 1] == '\r')
			n--;
		if (n > 0 && *at != '#')
			return is_measurement(at, n);
		at = stop ? stop + 1 : end;
	}
	return false;
}

static int rebench_read(struct import *import)
{
	return csv_read_named(import, '\t', cells, sizeof(cells) / sizeof(cells[0]));
}

const struct text_format rebench_format = {"rebench", rebench_matches, rebench_read};
