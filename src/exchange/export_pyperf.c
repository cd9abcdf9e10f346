/* pyperf's JSON: runs with their values; one metric, in seconds, bytes or a count. */
#include "exchange/exporters.h"

#include <math.h>
#include <string.h>

static const struct measurement *one_metric(const struct subject *subject, const char **unit)
{
	const struct measurement *metric = export_time_metric(subject);
	if (!metric && subject->metric_count > 0)
		metric = &subject->metrics[0];
	const char *own = metric ? metric->metric.unit : "";
	*unit = strcmp(own, "s") == 0 ? "second" : strcmp(own, "bytes") == 0 ? "byte" : *own == '\0' ? "integer" : NULL;
	return metric;
}

static void put_runs(struct json_writer *writer, const struct series *series)
{
	unsigned k = export_run_level(series);
	for (size_t g = 0; g < series->groups[k]; g++) {
		size_t first = g, end = g + 1, kept = 0;
		for (unsigned level = k; level + 1 < series->depth; level++) {
			first = series->starts[level][first];
			end = series->starts[level][end];
		}
		for (size_t i = first; i < end; i++)
			kept += isfinite(series->values[i]);
		if (kept == 0)
			continue;
		json_put_object_line(writer);
		json_put_key(writer, "values");
		json_put_array_line(writer);
		for (size_t i = first; i < end; i++)
			if (isfinite(series->values[i]))
				json_put_number(writer, series->values[i]);
		json_end_array(writer);
		json_end_object(writer);
	}
}

static int put_subject(struct json_writer *writer, struct exporting *exporting, const struct subject *subject)
{
	const char *unit;
	const struct measurement *metric = one_metric(subject, &unit);
	if (!metric || metric->series.n == 0)
		return export_cannot(exporting, subject, "it has no values");
	if (!unit)
		return export_cannot(exporting, subject, "pyperf knows seconds, bytes and counts only");
	for (size_t i = 0; i < subject->metric_count; i++)
		if (&subject->metrics[i] != metric)
			export_note_lost(exporting, subject->metrics[i].metric.name);
	if (metric->series.levels[0] < LEVEL_RUN || metric->series.levels[metric->series.depth - 1] == LEVEL_INVOCATION)
		export_note(exporting, "levels other than run and iteration are not kept");
	export_note_warmup(exporting, metric);
	export_note_better(exporting, &metric->metric, "value", metric->metric.unit);
	struct buffer name = {0};
	if (export_full_name(exporting, subject, &name) != 0) {
		buffer_release(&name);
		return -1;
	}
	json_put_object(writer);
	json_put_key(writer, "metadata");
	json_put_object_line(writer);
	json_put_key(writer, "name");
	json_put_text(writer, buffer_text(&name));
	json_put_key(writer, "unit");
	json_put_text(writer, unit);
	json_put_key(writer, "loops");
	json_put_count(writer, 1);
	if (subject->failure_count > 0) /* pyperf itself knows no failed runs, and shows this */
		json_add_count(writer, "failed_runs", subject->failure_count);
	json_end_object(writer);
	json_put_key(writer, "runs");
	json_put_array(writer);
	put_runs(writer, &metric->series);
	json_end_array(writer);
	json_end_object(writer);
	buffer_release(&name);
	return 0;
}

int export_pyperf(struct exporting *exporting)
{
	const struct result *result = exporting->result;
	struct json_writer writer;
	json_write_init(&writer, exporting->out);
	json_put_object(&writer);
	json_put_key(&writer, "benchmarks");
	json_put_array(&writer);
	for (size_t i = 0; i < result->subject_count; i++)
		if (put_subject(&writer, exporting, &result->subjects[i]) != 0)
			return -1;
	json_end_array(&writer);
	json_put_key(&writer, "metadata");
	json_put_object(&writer);
	if (result->host.cpu) {
		json_put_key(&writer, "cpu_model_name");
		json_put_text(&writer, result->host.cpu);
	}
	if (result->host.cpus > 0) {
		json_put_key(&writer, "cpu_count");
		json_put_integer(&writer, result->host.cpus);
	}
	json_end_object(&writer);
	json_put_key(&writer, "version");
	json_put_text(&writer, "1.0");
	json_end_object(&writer);
	return 0;
}
