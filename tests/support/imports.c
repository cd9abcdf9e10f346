#include "support/imports.h"

#include "base/format.h"
#include "base/buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void import_text(struct result *out, const char *text, const char *columns)
{
	struct import_options options = {.columns = columns};
	struct error err;
	char message[2048];
	if (import_memory(text, strlen(text), "test", &options, out, &err) == 0)
		return;
	error_text(&err, message, sizeof(message));
	fail_msg("import failed: %s", message);
}

void imports_assert_refused(const char *text, size_t length, const char *columns, enum error_kind kind, long line,
                            long column, const char *words, const char *file, int at)
{
	struct import_options options = {.columns = columns};
	struct result result;
	struct error err = {0};
	char message[2048];
	result_init(&result);
	int status = import_memory(text, length, "test", &options, &result, &err);
	size_t subjects = result.subject_count;
	result_release(&result);
	error_text(&err, message, sizeof(message));
	if (status == -1 && subjects == 0 && err.kind == kind && err.line == line && err.column == column &&
	    strstr(message, words))
		return;
	print_error("status %d, %zu subjects, kind %d (expected %d), %ld:%ld (expected %ld:%ld), message: %s\n", status,
	            subjects, (int)err.kind, (int)kind, err.line, err.column, line, column, message);
	_fail(file, at);
}

const struct series *series_of(const struct result *result, const char *subject, const char *metric)
{
	const struct subject *found = result_find_subject(result, subject);
	if (!found)
		fail_msg("no subject '%s'", subject);
	const struct measurement *measurement = metric ? subject_find_metric(found, metric) : found->metrics;
	if (!measurement)
		fail_msg("no metric '%s'", metric);
	return &measurement->series;
}

static void add_group(struct buffer *out, const struct series *series, unsigned k, size_t from, size_t to)
{
	char number[FORMAT_MAX];
	buffer_char(out, '[');
	for (size_t i = from; i < to; i++) {
		if (i > from)
			buffer_char(out, ',');
		if (k + 1 == series->depth)
			buffer_text_add(out, format_exact(number, sizeof(number), series->values[i]));
		else
			add_group(out, series, k + 1, series->starts[k][i], series->starts[k][i + 1]);
	}
	buffer_char(out, ']');
}

const char *series_text(const struct series *series)
{
	static struct buffer text;
	buffer_clear(&text);
	add_group(&text, series, 0, 0, series->n ? series->groups[0] : 0);
	return buffer_text(&text);
}

int has_warning(const struct result *result, const char *code, const char *words)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0 && strstr(result->warnings[i].text, words))
			return 1;
	return 0;
}

const char *shared_data(void)
{
	static char path[4096];
	struct stat status;
	const char *root = getenv("SOURCE_ROOT");
	const char *elsewhere = getenv("TARE_SHARED");
	if (elsewhere)
		snprintf(path, sizeof(path), "%s/data", elsewhere);
	else
		snprintf(path, sizeof(path), "%s/../shared/data", root ? root : ".");
	return stat(path, &status) == 0 ? path : NULL;
}
