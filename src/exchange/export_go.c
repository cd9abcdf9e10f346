/* Go's benchmark text, a line for each run. Times are sec/op, which benchstat reads as well as
 * ns/op and which needs no rounding. */
#include "exchange/exporters.h"
#include "exchange/units.h"

#include "base/format.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The text that reads back to the value in the unit's own scale. */
static void put_scaled(struct buffer *out, const struct unit_scale *scale, double value)
{
	char number[FORMAT_MAX];
	double shown = value / scale->multiply * scale->divide;
	double candidates[] = {shown, nextafter(shown, INFINITY), nextafter(shown, -INFINITY)};
	for (size_t i = 0; i < 3; i++) {
		if (units_convert(scale, candidates[i]) == value) {
			shown = candidates[i];
			break;
		}
	}
	buffer_text_add(out, format_exact(number, sizeof(number), shown));
}

/* The unit that names a metric: its name where that is a unit of the right kind. */
static const char *unit_name(struct exporting *exporting, const struct metric *metric, char *made, size_t size,
                             struct unit_scale *scale)
{
	char own[32];
	*scale = units_meaning(units_of_go(metric->name, own, sizeof(own)));
	if (strcmp(metric->name, "wall") == 0 && strcmp(metric->unit, "s") == 0) {
		*scale = units_meaning("sec/op");
		return "sec/op";
	}
	bool same = strcmp(scale->name, metric->unit) == 0;
	scale->name = metric->unit; /* of which `own` was no lasting copy */
	if (same && !strpbrk(metric->name, " \t"))
		return metric->name;
	*scale = (struct unit_scale){metric->unit, 1, 1};
	if (metric->unit[0])
		snprintf(made, size, "%s-%s", metric->name, metric->unit);
	else
		snprintf(made, size, "%s", metric->name);
	for (char *c = made; *c; c++)
		if (isspace((unsigned char)*c))
			*c = '-';
	if (strcmp(made, metric->name) != 0)
		export_note(exporting, "metric '%s' is written as '%s'", metric->name, made);
	return made;
}

static const char *parameter_of(const struct subject *subject, const char *name)
{
	for (size_t i = 0; i < subject->parameter_count; i++)
		if (strcmp(subject->parameters[i].name, name) == 0)
			return subject->parameters[i].value;
	return NULL;
}

/* Names without blanks, after a "Benchmark" that no small letter may follow, without the number of CPUs at the end. */
static void put_stem(struct exporting *exporting, const struct subject *subject, struct buffer *out)
{
	buffer_text_add(out, "Benchmark");
	if (islower((unsigned char)subject->name[0]))
		buffer_char(out, '/');
	for (const char *c = subject->name; *c; c++) {
		if (isspace((unsigned char)*c))
			export_note(exporting, "blanks in names are written as '_'");
		buffer_char(out, isspace((unsigned char)*c) ? '_' : *c);
	}
	bool told = subject->command && !subject->title; /* as for subject_written_name() */
	for (size_t i = 0; i < subject->parameter_count && !told; i++) {
		const struct parameter *p = &subject->parameters[i];
		char part[512];
		snprintf(part, sizeof(part), "/%s=%s", p->name, p->value);
		if (strcmp(p->name, "cpus") == 0 || strcmp(p->name, "pkg") == 0 || name_has_part(subject->name, part))
			continue;
		export_note(exporting, "parameters are written as part of the name");
		for (const char *c = part; *c; c++)
			buffer_char(out, isspace((unsigned char)*c) ? '_' : *c);
	}
}

/* A name that no other subject of the package is written by: "a b" and "a_b" are the same without blanks. */
static int make_name(struct exporting *exporting, const struct subject *subject, struct buffer *out)
{
	const char *package = parameter_of(subject, "pkg"), *cpus = parameter_of(subject, "cpus");
	struct buffer stem = {0}, rest = {0};
	put_stem(exporting, subject, &stem);
	if (cpus)
		buffer_printf(&rest, "-%s", cpus);
	int status = stem.out_of_memory || rest.out_of_memory
	                 ? error_memory(exporting->err)
	                 : export_unique_name(exporting, package ? package : "", buffer_text(&stem), "#",
	                                      buffer_text(&rest), out);
	buffer_release(&stem);
	buffer_release(&rest);
	return status;
}

/* "sort-4": who reads it takes the 4 for the CPUs, but where the name alone stands before it, as with -v. */
static bool seems_to_have_cpus(const struct subject *subject, const char *name)
{
	size_t end = strlen(name), digits = 0;
	while (digits < end && isdigit((unsigned char)name[end - digits - 1]))
		digits++;
	return digits > 0 && digits < end && name[end - digits - 1] == '-' && !parameter_of(subject, "cpus");
}

static void put_subject(struct exporting *exporting, const struct subject *subject, const char *name)
{
	size_t runs = 0;
	if (seems_to_have_cpus(subject, name))
		buffer_printf(exporting->out, "%s\n", name);
	for (size_t m = 0; m < subject->metric_count; m++) {
		size_t n = subject->metrics[m].series.n;
		runs = n > runs ? n : runs;
		export_note_levels(exporting, &subject->metrics[m]);
	}
	for (size_t run = 0; run < runs; run++) {
		buffer_printf(exporting->out, "%s\t1", name);
		for (size_t m = 0; m < subject->metric_count; m++) {
			const struct measurement *metric = &subject->metrics[m];
			char made[256];
			struct unit_scale scale;
			if (run >= metric->series.n || !isfinite(metric->series.values[run]))
				continue;
			const char *unit = unit_name(exporting, &metric->metric, made, sizeof(made), &scale);
			buffer_char(exporting->out, '\t');
			put_scaled(exporting->out, &scale, metric->series.values[run]);
			buffer_printf(exporting->out, " %s", unit);
		}
		buffer_char(exporting->out, '\n');
	}
}

/* Directions that who reads a unit does not take from it. */
static void put_units(struct exporting *exporting)
{
	struct map told = {0};
	for (size_t s = 0; s < exporting->result->subject_count; s++) {
		const struct subject *subject = &exporting->result->subjects[s];
		for (size_t m = 0; m < subject->metric_count; m++) {
			const struct metric *metric = &subject->metrics[m].metric;
			char made[256], own[32];
			struct unit_scale scale;
			const char *unit = unit_name(exporting, metric, made, sizeof(made), &scale);
			const char *read_as = units_meaning(units_of_go(unit, own, sizeof(own))).name;
			uint32_t known = told.count;
			if (metric->better != units_better(unit, read_as) && map_text(&told, unit, strlen(unit)) == known)
				buffer_printf(exporting->out, "Unit %s better=%s\n", unit,
				              metric->better == BETTER_HIGHER ? "higher" : "lower");
		}
	}
	map_release(&told);
}

/* A test that failed says so once, behind all of its benchmarks. */
static void put_end(struct exporting *exporting)
{
	const struct result *result = exporting->result;
	bool failed = false;
	for (size_t i = 0; i < result->subject_count; i++)
		failed |= result->subjects[i].failure_count > 0;
	if (!failed)
		return;
	buffer_text_add(exporting->out, "FAIL\n");
	if (result->subject_count > 1)
		export_note(exporting, "runs failed: FAIL at the end of the file is for all of its benchmarks");
}

int export_go(struct exporting *exporting)
{
	const struct result *result = exporting->result;
	const char *package = NULL;
	struct buffer name = {0};
	int status = 0;
	if (result->host.cpu)
		buffer_printf(exporting->out, "cpu: %s\n", result->host.cpu);
	put_units(exporting);
	for (size_t i = 0; status == 0 && i < result->subject_count; i++) {
		const char *own = parameter_of(&result->subjects[i], "pkg");
		if (own ? !package || strcmp(own, package) != 0 : package != NULL)
			buffer_printf(exporting->out, "pkg:%s%s\n", own ? " " : "", own ? own : "");
		package = own;
		status = make_name(exporting, &result->subjects[i], &name);
		if (status == 0)
			put_subject(exporting, &result->subjects[i], buffer_text(&name));
	}
	put_end(exporting);
	buffer_release(&name);
	return status;
}
