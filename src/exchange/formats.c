/* Help for readers. */
#include "exchange/formats.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int import_bad(const struct import *import, const char *what, ...)
{
	char text[sizeof(import->err->what)];
	va_list args;
	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	return error_full(import->err, ERROR_INPUT, import->input->name, NULL, "%s", text);
}

enum better import_better(const struct import *import, const char *name, const char *unit)
{
	if (import->options->better == IMPORT_BETTER_BY_UNIT)
		return units_better(name, unit);
	return import->options->better == IMPORT_BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
}

void import_direction_of_names(struct import *import)
{
	struct result *out = import->out;
	if (import->options->better != IMPORT_BETTER_BY_UNIT)
		return;
	for (size_t s = 0; s < out->subject_count; s++)
		if (units_better(out->subjects[s].name, out->subjects[s].metrics[0].metric.unit) != BETTER_HIGHER)
			return;
	for (size_t s = 0; s < out->subject_count; s++)
		out->subjects[s].metrics[0].metric.better = BETTER_HIGHER;
}

struct measurement *import_metric(struct import *import, struct subject *subject, const char *name, const char *unit,
                                  const enum level *levels, unsigned depth)
{
	static const enum level usual[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct measurement *metric = result_add_metric(import->out, subject, name, unit, import_better(import, name, unit),
	                                               levels ? levels : usual, levels ? depth : 2);
	if (!metric)
		error_memory(import->err);
	else
		metric->warmed = import->warmed;
	return metric;
}

struct measurement *import_metric_in(struct import *import, struct subject *subject, const char *name, const char *unit,
                                     struct unit_scale *scale)
{
	*scale = units_meaning(unit ? unit : "");
	struct measurement *metric = subject_find_metric(subject, name);
	return metric ? metric : import_metric(import, subject, name, scale->name, NULL, 0);
}

struct subject *import_subject(struct import *import, struct subject_index *index, const char *key, const char *name)
{
	struct result *out = import->out;
	uint32_t known = index->keys.count, id = map_text(&index->keys, key, strlen(key));
	if (id != MAP_NONE && id < known)
		return &out->subjects[id];
	struct subject *subject = id == MAP_NONE ? NULL : result_add_subject(out, name);
	if (!subject)
		error_memory(import->err);
	return subject;
}

int import_value(struct import *import, struct measurement *metric, unsigned open, double value)
{
	if (!isfinite(value)) {
		metric->lost++;
		import->missing++;
		return 0;
	}
	if (series_append(&metric->series, open, value, import->err) == 0)
		return 0;
	return error_on(import->err, "%s", import->input->name);
}

int import_text_copy(struct import *import, const char *text, const char **out)
{
	*out = text ? arena_strdup(&import->out->arena, text) : NULL;
	return text && !*out ? error_memory(import->err) : 0;
}

int import_warn(struct import *import, const char *code, const char *format, ...)
{
	char text[1000];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return result_warn(import->out, code, "%s", text) == 0 ? 0 : error_memory(import->err);
}

int import_failure(struct import *import, struct subject *subject, const char *what, size_t run)
{
	return result_add_failure(import->out, subject, (struct failure){what, run, 0}) == 0 ? 0
	                                                                                     : error_memory(import->err);
}

int import_missing_runs(struct import *import, struct subject *subject, size_t had, double expected)
{
	enum { MOST = 1 << 16 }; /* a number that a file claims */
	int status = 0;
	for (size_t run = had; status == 0 && (double)run < expected && run - had < MOST; run++)
		status = import_failure(import, subject, "no value", run);
	return status;
}

int import_warn_missing(struct import *import)
{
	size_t count = import->missing;
	if (count == 0)
		return 0;
	return import_warn(import, "missing", "%zu value%s missing or not finite and left out", count,
	                   count == 1 ? " is" : "s are");
}

int import_warn_comma(struct import *import, long line)
{
	if (line == 0)
		return 0;
	return import_warn(
		import, "comma",
		"numbers like the one in line %ld are read as decimals (12,345 is 12.345); if the comma separates "
		"thousands, remove it",
		line);
}

int import_warn_failures(struct import *import)
{
	int status = 0;
	for (size_t i = 0; status == 0 && i < import->out->subject_count; i++) {
		const struct subject *subject = &import->out->subjects[i];
		struct buffer words = {0};
		if (subject->failure_count == 0)
			continue;
		subject_failure_words(subject, &words);
		/* The file is named because two that are compared mostly have the same subjects. */
		if (words.out_of_memory || result_about_warn(import->out, "failures", import->input->name, "'%.200s': %s",
		                                             subject->name, buffer_text(&words)) != 0)
			status = error_memory(import->err);
		buffer_release(&words);
	}
	return status;
}
