#include "exchange/hyperfine_table.h"

#include "base/memory.h"
#include "exchange/exporters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct command_time {
	const struct subject *subject;
	struct export_summary time;
	double user, system; /* means; NaN: not measured */
};

struct command_times {
	struct command_time *items;
	size_t count;
	struct command_time reference;
	double unit;
	const char *unit_name;
};

static int mean_of(const struct subject *subject, const char *metric, double *out, struct error *err)
{
	const struct measurement *m = export_metric_in(subject, metric, "s");
	struct export_summary summary = {.mean = NAN};
	if (m && export_summary(&m->series, &summary, err) != 0)
		return -1;
	*out = summary.mean;
	return 0;
}

static int by_mean(const void *a, const void *b)
{
	double x = ((const struct command_time *)a)->time.mean, y = ((const struct command_time *)b)->time.mean;
	return (x > y) - (x < y);
}

/* hyperfine shows seconds from one second on, of the first command. */
static void choose_unit(struct command_times *rows, double asked)
{
	rows->unit = asked > 0 ? asked : rows->count == 0 || rows->items[0].time.mean < 1 ? 1e-3 : 1;
	rows->unit_name = rows->unit >= 1 ? "s" : rows->unit >= 1e-3 ? "ms" : "µs";
}

static int collect(const struct result *result, const struct hyperfine_table_options *options,
                   struct command_times *rows, struct error *err)
{
	rows->items = mem_alloc(result->subject_count + 1, sizeof(*rows->items));
	if (!rows->items)
		return error_memory(err);
	for (size_t i = 0; i < result->subject_count; i++) {
		struct command_time *row = &rows->items[rows->count];
		const struct measurement *wall = export_time_metric(&result->subjects[i]);
		row->subject = &result->subjects[i];
		if (!wall)
			continue;
		if (export_summary(&wall->series, &row->time, err) != 0 ||
		    mean_of(row->subject, "user", &row->user, err) != 0 ||
		    mean_of(row->subject, "system", &row->system, err) != 0)
			return -1;
		if (row->time.n == 0)
			continue;
		if (rows->count == 0 ||
		    (options->reference < 0 ? row->time.mean < rows->reference.time.mean : (size_t)options->reference == i))
			rows->reference = *row;
		rows->count++;
	}
	if (rows->count == 0 && result_has_samples(result))
		return error_set(err, ERROR_NO_DATA, "no command has a time to export");
	choose_unit(rows, options->unit);
	if (options->by_time)
		qsort(rows->items, rows->count, sizeof(*rows->items), by_mean);
	return 0;
}

static void csv_field(struct buffer *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		buffer_text_add(out, text);
		return;
	}
	buffer_char(out, '"');
	for (; *text; text++)
		buffer_printf(out, *text == '"' ? "\"%c" : "%c", *text);
	buffer_char(out, '"');
}

static void csv(const struct command_times *rows, struct buffer *out)
{
	static const struct subject none;
	const struct subject *first = &none; /* a reference has no parameters: look at all */
	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].subject->parameter_count > first->parameter_count)
			first = rows->items[i].subject;
	buffer_text_add(out, "command,mean,stddev,median,user,system,min,max");
	for (size_t p = 0; p < first->parameter_count; p++) {
		buffer_text_add(out, ",parameter_");
		csv_field(out, first->parameters[p].name);
	}
	buffer_char(out, '\n');
	for (size_t i = 0; i < rows->count; i++) {
		const struct command_time *row = &rows->items[i];
		const double values[] = {row->time.mean, row->time.sd,  row->time.median, row->user,
		                         row->system,    row->time.min, row->time.max};
		csv_field(out, row->subject->name);
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
			buffer_printf(out, isfinite(values[v]) ? ",%.17g" : ",", values[v]);
		for (size_t p = 0; p < first->parameter_count; p++) {
			buffer_char(out, ',');
			csv_field(out, p < row->subject->parameter_count ? row->subject->parameters[p].value : "");
		}
		buffer_char(out, '\n');
	}
}

/* What the markup languages differ in. */
struct markup_form {
	const char *head, *row, *first, *cell, *last; /* before a row, after its first cell, between others, at its end */
	const char *quote;                            /* around a command */
	const char *begin, *below_head, *end;
};

static const struct markup_form markups[HYPERFINE_TABLE_FORMS] = {
	[HYPERFINE_MARKDOWN] = {"| ", "| ", " | ", " | ", " |\n", "`", "", "|:---|---:|---:|---:|---:|\n", ""},
	[HYPERFINE_ASCIIDOC] = {"| ", "\n| ", " \n| ", " \n| ", " \n", "`", "[cols=\"<,>,>,>,>\"]\n|===\n", "", "|===\n"},
	[HYPERFINE_ORGMODE] = {"| ", "| ", "  |  ", " |  ", " |\n", "=", "", "|--+--+--+--+--|\n", ""},
};

static void markup_name(const struct markup_form *form, const char *name, struct buffer *out)
{
	buffer_text_add(out, form->quote);
	for (; *name; name++)
		buffer_printf(out, *name == '|' ? "\\%c" : "%c", *name == '\n' ? ' ' : *name);
	buffer_text_add(out, form->quote);
}

static void relative(const struct command_times *rows, const struct command_time *row, struct buffer *out)
{
	const struct export_summary *a = &row->time, *b = &rows->reference.time;
	double ratio = a->mean / b->mean;
	if (row->subject == rows->reference.subject)
		buffer_text_add(out, "1.00");
	else if (isfinite(a->sd) && isfinite(b->sd))
		buffer_printf(out, "%.2f ± %.2f", ratio, ratio * hypot(a->sd / a->mean, b->sd / b->mean));
	else
		buffer_printf(out, "%.2f", ratio);
}

static void markup(const struct command_times *rows, enum hyperfine_table_form which, struct buffer *out)
{
	const struct markup_form *form = &markups[which];
	static const char *const heads[] = {"Mean", "Min", "Max"};
	int digits = rows->unit >= 1 ? 3 : 1;
	buffer_printf(out, "%s%sCommand", form->begin, form->head);
	for (int i = 0; i < 3; i++)
		buffer_printf(out, "%s%s [%s]", i ? form->cell : form->first, heads[i], rows->unit_name);
	buffer_printf(out, "%sRelative%s%s", form->cell, form->last, form->below_head);
	for (size_t i = 0; i < rows->count; i++) {
		const struct command_time *row = &rows->items[i];
		buffer_text_add(out, form->row);
		markup_name(form, row->subject->name, out);
		buffer_printf(out, "%s%.*f", form->first, digits, row->time.mean / rows->unit);
		if (isfinite(row->time.sd))
			buffer_printf(out, " ± %.*f", digits, row->time.sd / rows->unit);
		buffer_printf(out, "%s%.*f%s%.*f%s", form->cell, digits, row->time.min / rows->unit, form->cell, digits,
		              row->time.max / rows->unit, form->cell);
		relative(rows, row, out);
		buffer_text_add(out, form->last);
	}
	buffer_text_add(out, form->end);
}

int hyperfine_table(const struct result *result, enum hyperfine_table_form form,
                    const struct hyperfine_table_options *options, struct buffer *out, struct error *err)
{
	struct command_times rows = {0};
	int status = collect(result, options, &rows, err);
	if (status == 0 && form == HYPERFINE_CSV)
		csv(&rows, out);
	else if (status == 0)
		markup(&rows, form, out);
	mem_free(rows.items);
	return status == 0 ? buffer_error(out, err) : -1;
}
