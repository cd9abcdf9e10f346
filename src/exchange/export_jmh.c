/* JMH's JSON: runs are forks. The primary metric is wall time (mode avgt) or throughput (mode
 * thrpt), or the first where there is neither; the others are secondary ones. Errors and
 * intervals are tare's business: they are "NaN" here, as JMH writes what it does not know. */
#include "exchange/exporters.h"
#include "exchange/units.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static size_t run_count(const struct series *series)
{
	return series->groups[export_run_level(series)];
}

static bool has_histogram(const struct series *series)
{
	return series->depth >= 3 && series->levels[series->depth - 1] == LEVEL_INVOCATION && series->n > 0;
}

/* Of any fork: one that has less than the file tells was broken off. */
static size_t fewest_iterations(const struct series *series)
{
	unsigned run = has_histogram(series) ? series->depth - 3 : export_run_level(series);
	unsigned inside = has_histogram(series) ? run + 1 : series->depth - 1;
	size_t fewest = SIZE_MAX;
	for (size_t g = 0; g < series->groups[run]; g++) {
		size_t first = g, end = g + 1;
		for (unsigned level = run; level < inside; level++) {
			first = series->starts[level][first];
			end = series->starts[level][end];
		}
		fewest = end - first < fewest ? end - first : fewest;
	}
	return fewest < SIZE_MAX ? fewest : 0;
}

/* Invocations: a histogram of single values for each iteration of each fork. */
static void put_histogram(struct json_writer *writer, const struct series *series)
{
	unsigned run = series->depth - 3;
	json_put_key(writer, "rawDataHistogram");
	json_put_array(writer);
	for (size_t r = 0; r < series->groups[run]; r++) {
		json_put_array(writer);
		for (size_t i = series->starts[run][r]; i < series->starts[run][r + 1]; i++) {
			json_put_array_line(writer);
			for (size_t v = series->starts[run + 1][i]; v < series->starts[run + 1][i + 1]; v++) {
				json_put_array_line(writer);
				json_put_number(writer, series->values[v]);
				json_put_count(writer, 1);
				json_end_array(writer);
			}
			json_end_array(writer);
		}
		json_end_array(writer);
	}
	json_end_array(writer);
}

static int put_metric(struct json_writer *writer, struct exporting *exporting, const char *key,
                      const struct measurement *metric)
{
	const struct series *series = &metric->series;
	struct export_summary summary;
	if (export_summary(series, &summary, exporting->err) != 0)
		return -1;
	json_put_key(writer, key);
	json_put_object(writer);
	json_put_key(writer, "score");
	json_put_number(writer, summary.mean);
	json_add_text(writer, "scoreError", "NaN");
	json_put_key(writer, "scoreConfidence");
	json_put_array_line(writer);
	json_put_text(writer, "NaN");
	json_put_text(writer, "NaN");
	json_end_array(writer);
	json_put_key(writer, "scorePercentiles");
	json_put_object(writer);
	json_put_key(writer, "0.0");
	json_put_number(writer, summary.min);
	json_put_key(writer, "50.0");
	json_put_number(writer, summary.median);
	json_put_key(writer, "100.0");
	json_put_number(writer, summary.max);
	json_end_object(writer);
	json_add_text(writer, "scoreUnit", strcmp(metric->metric.unit, "s") == 0 ? "s/op" : metric->metric.unit);
	if (has_histogram(series)) {
		put_histogram(writer, series);
	} else {
		json_put_key(writer, "rawData");
		export_runs(writer, series);
	}
	json_end_object(writer);
	return 0;
}

static const struct measurement *primary_of(const struct subject *subject, const char **mode)
{
	static const char *const known[][2] = {
		{"wall", "avgt"}, {"throughput", "thrpt"}, {"sample", "sample"}, {"single-shot", "ss"}};
	for (size_t i = 0; i < 4; i++) {
		const struct measurement *metric = subject_find_metric(subject, known[i][0]);
		*mode = known[i][1];
		if (metric)
			return metric;
	}
	*mode = "score";
	return &subject->metrics[0];
}

static void put_parameters(struct json_writer *writer, const struct subject *subject, const char **threads)
{
	bool open = false;
	*threads = NULL;
	for (size_t i = 0; i < subject->parameter_count; i++) {
		if (strcmp(subject->parameters[i].name, "threads") == 0) {
			*threads = subject->parameters[i].value;
			continue;
		}
		if (!open) {
			json_put_key(writer, "params");
			json_put_object(writer);
		}
		open = true;
		json_add_text(writer, subject->parameters[i].name, subject->parameters[i].value);
	}
	if (open)
		json_end_object(writer);
}

static size_t whole_number(const char *text)
{
	size_t n = 0;
	for (; text && *text >= '0' && *text <= '9' && n < 1000000; text++)
		n = n * 10 + (size_t)(*text - '0');
	return n;
}

/* JMH tells benchmarks apart by name, parameters and threads. */
static int make_name(struct exporting *exporting, const struct subject *subject, struct buffer *out)
{
	struct buffer others = {0};
	size_t threads = 1;
	for (size_t i = 0; i < subject->parameter_count; i++) {
		const struct parameter *p = &subject->parameters[i];
		if (strcmp(p->name, "threads") == 0)
			threads = whole_number(p->value) > 1 ? whole_number(p->value) : 1;
		else
			buffer_printf(&others, "%s\x1f%s\x1f", p->name, p->value);
	}
	buffer_printf(&others, "%zu", threads);
	int status = buffer_error(&others, exporting->err);
	if (status == 0)
		status = export_unique_name(exporting, buffer_text(&others), subject->name, " #", "", out);
	buffer_release(&others);
	return status;
}

static int put_subject(struct json_writer *writer, struct exporting *exporting, const struct subject *subject,
                       const char *name)
{
	const char *mode, *threads;
	const struct measurement *primary = primary_of(subject, &mode);
	if (strcmp(mode, "score") == 0 && strcmp(primary->metric.name, "score") != 0)
		export_note(exporting, "metric '%s' is written as JMH's score", primary->metric.name);
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct metric *metric = &subject->metrics[i].metric;
		bool score = &subject->metrics[i] == primary && strcmp(mode, "score") == 0;
		export_note_better(exporting, metric, score ? "score" : metric->name, units_meaning(metric->unit).name);
	}
	if (primary->series.levels[0] < LEVEL_RUN)
		export_note(exporting, "machines and builds are not kept: their runs are forks");
	export_note_warmup(exporting, primary);
	json_put_object(writer);
	json_add_text(writer, "jmhVersion", "1.37");
	json_add_text(writer, "benchmark", name);
	json_add_text(writer, "mode", mode);
	/* A fork that died is not in the data. */
	json_add_count(writer, "forks", run_count(&primary->series) + subject->failure_count);
	put_parameters(writer, subject, &threads);
	json_add_count(writer, "threads", whole_number(threads) ? whole_number(threads) : 1);
	json_add_count(writer, "measurementIterations", fewest_iterations(&primary->series));
	if (put_metric(writer, exporting, "primaryMetric", primary) != 0)
		return -1;
	json_put_key(writer, "secondaryMetrics");
	json_put_object(writer);
	for (size_t i = 0; i < subject->metric_count; i++)
		if (&subject->metrics[i] != primary &&
		    put_metric(writer, exporting, subject->metrics[i].metric.name, &subject->metrics[i]) != 0)
			return -1;
	json_end_object(writer);
	json_end_object(writer);
	return 0;
}

int export_jmh(struct exporting *exporting)
{
	struct json_writer writer;
	struct buffer name = {0};
	int status = 0;
	json_write_init(&writer, exporting->out);
	json_put_array(&writer);
	for (size_t i = 0; status == 0 && i < exporting->result->subject_count; i++) {
		const struct subject *subject = &exporting->result->subjects[i];
		status = make_name(exporting, subject, &name);
		if (status == 0)
			status = put_subject(&writer, exporting, subject, buffer_text(&name));
	}
	json_end_array(&writer);
	buffer_release(&name);
	return status;
}
