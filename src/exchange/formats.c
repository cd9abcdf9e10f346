/* Help for readers. */
#include "exchange/formats.h"

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
	error_set(import->err, ERROR_INPUT, "%s", text);
	return error_on(import->err, "%s", import->input->name);
}

enum better import_better(const struct import *import, const char *name, const char *unit)
{
	if (import->options->better == IMPORT_BETTER_BY_UNIT)
		return !*unit && (strcasestr(name, "throughput") || strcasestr(name, "bandwidth")) ? BETTER_HIGHER
		                                                                                   : better_from_unit(unit);
	return import->options->better == IMPORT_BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
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

int import_warn_missing(struct import *import, size_t count)
{
	if (count == 0)
		return 0;
	return import_warn(import, "missing", "%zu value%s missing or not finite and left out", count,
	                   count == 1 ? " is" : "s are");
}

int import_warn_failures(struct import *import, const struct subject *subject, size_t runs)
{
	if (subject->failure_count == 0)
		return 0;
	const char *first = subject->failures[0].what;
	bool others = false;
	for (size_t i = 1; i < subject->failure_count; i++)
		others |= strcmp(subject->failures[i].what, first) != 0;
	/* The file is named because two that are compared mostly have the same subjects. */
	int status = result_about_warn(import->out, "failures", import->input->name,
	                               "%zu of %zu run%s of '%.200s' failed (%.100s%s)", subject->failure_count, runs,
	                               runs == 1 ? "" : "s", subject->name, first, others ? " and others" : "");
	return status == 0 ? 0 : error_memory(import->err);
}
