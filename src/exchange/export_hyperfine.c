/* hyperfine's JSON, one result for each subject. */
#include "exchange/exporters.h"

#include <math.h>

/* Of the runs that have a time, as all arrays of hyperfine are. */
static void put_numbers(struct json_writer *writer, const char *key, const struct series *series,
                        const struct series *times)
{
	json_put_key(writer, key);
	json_put_array(writer);
	for (size_t i = 0; i < series->n && i < times->n; i++)
		if (isfinite(times->values[i]) && isfinite(series->values[i]))
			json_put_number(writer, series->values[i]);
	json_end_array(writer);
}

static int put_mean(struct json_writer *writer, struct exporting *exporting, const struct subject *subject,
                    const char *key, const char *name)
{
	struct export_summary summary = {.mean = NAN};
	const struct measurement *metric = export_metric_in(subject, name, "s");
	if (metric && export_summary(&metric->series, &summary, exporting->err) != 0)
		return -1;
	json_put_key(writer, key);
	json_put_number(writer, summary.mean);
	return 0;
}

static void put_exit_codes(struct json_writer *writer, const struct subject *subject, const struct series *times)
{
	json_put_key(writer, "exit_codes");
	json_put_array_line(writer);
	for (size_t i = 0; i < times->n; i++) {
		const struct failure *failed = NULL;
		if (!isfinite(times->values[i]))
			continue;
		for (size_t f = 0; f < subject->failure_count; f++)
			if (subject->failures[f].run == i && (!failed || failed->exit_code != 0))
				failed = &subject->failures[f];
		if (failed && failed->exit_code == 0)
			json_put_null(writer);
		else
			json_put_integer(writer, failed ? failed->exit_code : 0);
	}
	json_end_array(writer);
}

static int put_subject(struct json_writer *writer, struct exporting *exporting, const struct subject *subject)
{
	const struct measurement *wall = export_time_metric(subject), *rss = export_metric_in(subject, "rss", "bytes");
	struct export_summary summary;
	if (!wall || wall->series.n == 0)
		return export_no_time(exporting, subject, "hyperfine's format");
	if (export_summary(&wall->series, &summary, exporting->err) != 0)
		return -1;
	export_note_levels(exporting, wall);
	export_note_better(exporting, &wall->metric, "wall", "s");
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *metric = &subject->metrics[i];
		const char *name = metric->metric.name;
		if (metric == export_metric_in(subject, "user", "s") || metric == export_metric_in(subject, "system", "s"))
			export_note(exporting, "of metric '%s' only the mean is kept", name);
		else if (metric != wall && metric != rss)
			export_note_lost(exporting, name);
	}
	json_put_object(writer);
	json_put_key(writer, "command");
	json_put_text(writer, subject->name);
	const char *keys[] = {"mean", "stddev", "median", "min", "max"};
	const double values[] = {summary.mean, summary.sd, summary.median, summary.min, summary.max};
	for (size_t i = 0; i < 5; i++) {
		json_put_key(writer, keys[i]);
		json_put_number(writer, values[i]);
	}
	if (put_mean(writer, exporting, subject, "user", "user") != 0 ||
	    put_mean(writer, exporting, subject, "system", "system") != 0)
		return -1;
	put_numbers(writer, "times", &wall->series, &wall->series);
	if (rss)
		put_numbers(writer, "memory_usage_byte", &rss->series, &wall->series);
	put_exit_codes(writer, subject, &wall->series);
	if (subject->parameter_count > 0) {
		json_put_key(writer, "parameters");
		json_put_object_line(writer);
		for (size_t i = 0; i < subject->parameter_count; i++) {
			json_put_key(writer, subject->parameters[i].name);
			json_put_text(writer, subject->parameters[i].value);
		}
		json_end_object(writer);
	}
	json_end_object(writer);
	return 0;
}

int export_hyperfine(struct exporting *exporting)
{
	struct json_writer writer;
	json_write_init(&writer, exporting->out);
	json_put_object(&writer);
	json_put_key(&writer, "results");
	json_put_array(&writer);
	for (size_t i = 0; i < exporting->result->subject_count; i++)
		if (put_subject(&writer, exporting, &exporting->result->subjects[i]) != 0)
			return -1;
	json_end_array(&writer);
	json_end_object(&writer);
	return 0;
}
