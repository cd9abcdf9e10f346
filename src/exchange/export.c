#include "exchange/export.h"

#include "base/memory.h"
#include "exchange/document.h"
#include "exchange/exporters.h"
#include "exchange/formats.h"
#include "exchange/identity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int export_json(struct exporting *exporting)
{
	return document_write(exporting->result, exporting->out, exporting->err);
}

struct format {
	const char *name;
	int (*write)(struct exporting *exporting);
	bool whole;    /* has a place for subjects without a value, and for how the session ended */
	bool failures; /* and for runs that failed */
};

static const struct format formats[] = {
	{"bmf", export_bmf, false, false}, {"csv", export_csv, true, true},   {"gbench", export_gbench, false, true},
	{"gha", export_gha, false, false}, {"go", export_go, false, false},   {"hyperfine", export_hyperfine, false, true},
	{"jmh", export_jmh, false, false}, {"json", export_json, true, true}, {"pyperf", export_pyperf, false, false},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

const char *const *export_format_names(void)
{
	static const char *const names[] = {"bmf",       "csv", "gbench", "gha",    "go",
	                                    "hyperfine", "jmh", "json",   "pyperf", NULL};
	_Static_assert(sizeof(names) / sizeof(names[0]) == FORMATS + 1, "a format is missing in the list");
	return names;
}

static bool has_value(const struct subject *subject)
{
	for (size_t m = 0; m < subject->metric_count; m++)
		for (size_t i = 0; i < subject->metrics[m].series.n; i++)
			if (isfinite(subject->metrics[m].series.values[i]))
				return true;
	return false;
}

/* What failed always or was never reached. */
static int leave_out_empty(struct exporting *exporting, struct result *result)
{
	size_t kept = 0;
	for (size_t i = 0; i < result->subject_count; i++) {
		if (has_value(&result->subjects[i]))
			result->subjects[kept++] = result->subjects[i];
		else
			export_note(exporting, "subject '%.100s' has no values and is left out", result->subjects[i].name);
	}
	result->subject_count = kept;
	if (kept > 0)
		return 0;
	return error_full(exporting->err, ERROR_NO_DATA, NULL, "json holds what else there is", "no subject has a value");
}

/* Subjects of one name are told apart: most formats have nothing else to tell them by. */
static int write_unique(struct exporting *exporting, const struct format *format)
{
	const struct result *given = exporting->result;
	struct result copy = *given;
	struct arena arena = {0};
	size_t renamed = 0;
	copy.subjects = arena_alloc(&arena, given->subject_count + 1, sizeof(*copy.subjects));
	int status = copy.subjects ? 0 : error_memory(exporting->err);
	if (status == 0 && given->subject_count > 0)
		memcpy(copy.subjects, given->subjects, given->subject_count * sizeof(*copy.subjects));
	if (status == 0)
		status = identity_make_unique(copy.subjects, copy.subject_count, &arena, &renamed, exporting->err);
	if (status == 0 && renamed > 0)
		export_note(exporting, "subjects of the same name get #2 and so on");
	if (status == 0 && !format->whole)
		status = leave_out_empty(exporting, &copy);
	exporting->result = &copy;
	if (status == 0)
		status = format->write(exporting);
	exporting->result = given;
	arena_release(&arena);
	return status;
}

static void add_name(struct export_names *names, const char *name)
{
	uint32_t known = names->known.count;
	if (map_text(&names->known, name, strlen(name)) == known)
		buffer_printf(&names->text, "%s%s", names->text.length ? ", " : "", name);
}

static void end_names(struct export_names *names, const char *head, struct buffer *notes)
{
	if (notes && names->text.length > 0)
		buffer_printf(notes, "%s%s\n", head, buffer_text(&names->text));
	buffer_release(&names->text);
	map_release(&names->known);
}

/* A gate over what is written would take it for whole. */
static void note_not_whole(struct exporting *exporting, const struct format *format)
{
	const struct result *result = exporting->result;
	bool unfinished = result_unfinished(result) != NULL, failures = false;
	for (size_t i = 0; i < result->subject_count; i++)
		failures |= result->subjects[i].failure_count > 0;
	if (failures && !format->failures)
		export_note(exporting, "this format has no place for failed runs: their values look like all others");
	if (unfinished && !format->whole)
		export_note(exporting, "this format cannot say that the session did not end as planned: no gate can heed it");
}

int export_result(const struct result *result, const char *format, struct buffer *out, struct buffer *notes,
                  struct error *err)
{
	struct error ignored = {0};
	struct exporting exporting = {.result = result, .out = out, .notes = notes, .err = err ? err : &ignored};
	for (size_t i = 0; i < FORMATS; i++) {
		if (strcmp(formats[i].name, format) != 0)
			continue;
		int status = formats[i].write == export_json ? export_json(&exporting) : write_unique(&exporting, &formats[i]);
		note_not_whole(&exporting, &formats[i]);
		end_names(&exporting.unitless, "units are not kept, of: ", notes);
		end_names(&exporting.lost, "this format has no place for: ", notes);
		map_release(&exporting.said);
		map_release(&exporting.written);
		return status == 0 ? buffer_error(out, err) : -1;
	}
	return error_full(err, ERROR_USAGE, NULL, "formats are bmf, csv, gbench, gha, go, hyperfine, jmh, json, pyperf",
	                  "there is no export format '%.40s'", format);
}

void export_note(struct exporting *exporting, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	uint32_t known = exporting->said.count;
	if (!exporting->notes || map_text(&exporting->said, text, strlen(text)) < known)
		return;
	buffer_text_add(exporting->notes, text);
	buffer_char(exporting->notes, '\n');
}

void export_note_lost(struct exporting *exporting, const char *metric)
{
	add_name(&exporting->lost, metric);
}

void export_note_unit(struct exporting *exporting, const char *metric)
{
	add_name(&exporting->unitless, metric);
}

int export_cannot(struct exporting *exporting, const struct subject *subject, const char *why)
{
	return error_full(exporting->err, ERROR_USAGE, NULL, "choose a format that holds everything: json or csv",
	                  "subject '%.100s' cannot be written: %s", subject->name, why);
}

const struct measurement *export_metric_in(const struct subject *subject, const char *name, const char *unit)
{
	const struct measurement *metric = subject_find_metric(subject, name);
	return metric && strcmp(metric->metric.unit, unit) == 0 ? metric : NULL;
}

const struct measurement *export_time_metric(const struct subject *subject)
{
	if (subject_find_metric(subject, "wall"))
		return export_metric_in(subject, "wall", "s");
	for (size_t i = 0; i < subject->metric_count; i++)
		if (strcmp(subject->metrics[i].metric.unit, "s") == 0)
			return &subject->metrics[i];
	return NULL;
}

int export_no_time(struct exporting *exporting, const struct subject *subject, const char *format)
{
	const struct measurement *wall = subject_find_metric(subject, "wall");
	const char *unit = wall ? wall->metric.unit : "";
	char why[200];
	if (!wall || strcmp(unit, "s") == 0)
		snprintf(why, sizeof(why), "%s needs a time, and it has none", format);
	else if (!unit[0])
		snprintf(why, sizeof(why), "%s needs a time in seconds, and its metric 'wall' has no unit", format);
	else
		snprintf(why, sizeof(why), "%s needs a time in seconds, and its metric 'wall' is in '%.40s'", format, unit);
	return export_cannot(exporting, subject, why);
}

int export_unique_name(struct exporting *exporting, const char *scope, const char *stem, const char *mark,
                       const char *rest, struct buffer *out)
{
	struct buffer key = {0};
	uint32_t before = exporting->written.count, id = MAP_NONE;
	for (size_t nth = 1; nth == 1 || (id != MAP_NONE && id < before); nth++) {
		buffer_clear(out);
		buffer_text_add(out, stem);
		if (nth > 1) {
			export_note(exporting, "subjects of the same name get #2 and so on");
			buffer_printf(out, "%s%zu", mark, nth);
		}
		buffer_text_add(out, rest);
		buffer_clear(&key);
		buffer_printf(&key, "%s\x1f%s", scope, buffer_text(out));
		bool failed = out->out_of_memory || key.out_of_memory;
		id = failed ? MAP_NONE : map_text(&exporting->written, buffer_text(&key), key.length);
	}
	buffer_release(&key);
	return id != MAP_NONE ? 0 : error_memory(exporting->err);
}

int export_full_name(struct exporting *exporting, const struct subject *subject, struct buffer *out)
{
	struct buffer name = {0};
	subject_written_name(subject, !subject->title, &name);
	if (strcmp(buffer_text(&name), subject->name) != 0)
		export_note(exporting, "parameters are written as part of the name");
	int status = buffer_error(&name, exporting->err);
	if (status == 0)
		status = export_unique_name(exporting, "", buffer_text(&name), " #", "", out);
	buffer_release(&name);
	return status;
}

void export_note_warmup(struct exporting *exporting, const struct measurement *m)
{
	if (m->skip > 0)
		export_note(exporting, "iterations of the warm-up are written like the others");
}

void export_note_levels(struct exporting *exporting, const struct measurement *m)
{
	if (m->series.n > 0 && m->series.groups[0] < m->series.n)
		export_note(exporting, "levels are not kept: every value is written as a run");
	export_note_warmup(exporting, m);
}

void export_note_better(struct exporting *exporting, const struct metric *metric, const char *name, const char *unit)
{
	static const struct import_options defaults;
	const struct import reading = {.options = &defaults};
	if (metric->better != import_better(&reading, name, unit))
		export_note(exporting, "that %s values of metric '%s' are better is not kept",
		            metric->better == BETTER_HIGHER ? "higher" : "lower", metric->name);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int export_summary(const struct series *series, struct export_summary *out, struct error *err)
{
	*out = (struct export_summary){0, NAN, NAN, NAN, NAN, NAN};
	double *sorted = mem_alloc(series->n, sizeof(*sorted));
	if (!sorted)
		return error_memory(err);
	double mean = 0, squares = 0;
	for (size_t i = 0; i < series->n; i++) {
		if (!isfinite(series->values[i]))
			continue;
		sorted[out->n++] = series->values[i];
		double step = series->values[i] - mean; /* Welford */
		mean += step / (double)out->n;
		squares += step * (series->values[i] - mean);
	}
	if (out->n > 0) {
		qsort(sorted, out->n, sizeof(*sorted), by_value);
		out->mean = mean;
		out->sd = out->n > 1 ? sqrt(squares / (double)(out->n - 1)) : NAN;
		out->min = sorted[0];
		out->max = sorted[out->n - 1];
		out->median = (sorted[(out->n - 1) / 2] + sorted[out->n / 2]) / 2;
	}
	mem_free(sorted);
	return 0;
}

unsigned export_run_level(const struct series *series)
{
	unsigned k = 0;
	while (k + 2 < series->depth && series->levels[k] != LEVEL_RUN)
		k++;
	return k;
}

void export_runs(struct json_writer *writer, const struct series *series)
{
	unsigned k = export_run_level(series);
	json_put_array(writer);
	for (size_t g = 0; series->n > 0 && g < series->groups[k]; g++) {
		size_t first = g, end = g + 1;
		for (unsigned level = k; level + 1 < series->depth; level++) {
			first = series->starts[level][first];
			end = series->starts[level][end];
		}
		json_put_array_line(writer);
		for (size_t i = first; i < end; i++)
			json_put_number(writer, series->values[i]);
		json_end_array(writer);
	}
	json_end_array(writer);
}
