/* Google Benchmark's JSON: an entry for each run, other metrics as counters. */
#include "base/memory.h"
#include "exchange/exporters.h"

#include <math.h>
#include <string.h>

static const char *counter_unit(const char *name)
{
	return strcmp(name, "bytes_per_second") == 0 ? "bytes/s" : strcmp(name, "items_per_second") == 0 ? "items/s" : "";
}

/* The first rate of each kind is a counter of Google Benchmark's own, unless one has that name already. */
static const char *counter_name(const struct subject *subject, const struct measurement *metric)
{
	static const char *const own[] = {"bytes_per_second", "items_per_second"};
	for (size_t i = 0; i < 2; i++) {
		if (strcmp(metric->metric.unit, counter_unit(own[i])) != 0 || subject_find_metric(subject, own[i]))
			continue;
		const struct measurement *first = subject->metrics;
		while (strcmp(first->metric.unit, metric->metric.unit) != 0)
			first++;
		if (first == metric)
			return own[i];
	}
	return metric->metric.name;
}

static const struct measurement *cpu_metric(const struct subject *subject)
{
	const struct measurement *cpu = export_metric_in(subject, "cpu", "s");
	return cpu ? cpu : export_metric_in(subject, "cpu_time", "s");
}

/* Keys of an entry that are no counters. */
static bool is_reserved(const char *name)
{
	static const char *const keys[] = {
		"name",
		"run_name",
		"run_type",
		"family_index",
		"per_family_instance_index",
		"repetitions",
		"repetition_index",
		"threads",
		"iterations",
		"real_time",
		"cpu_time",
		"time_unit",
		"label",
		"error_occurred",
		"error_message",
		"skipped",
		"skip_message",
		"aggregate_name",
		"aggregate_unit",
		"cpu_coefficient",
		"real_coefficient",
		"big_o",
		"rms",
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(name, keys[i]) == 0)
			return true;
	return false;
}

/* How many iterations a time is the mean of. */
static size_t iterations_of(const struct subject *subject, size_t run)
{
	const struct measurement *metric = subject_find_metric(subject, METRIC_ITERATIONS);
	if (!metric || !metric_counts_iterations(&metric->metric) || run >= metric->series.n)
		return 1;
	double count = metric->series.values[run];
	return count >= 1 && count < 1e15 ? (size_t)count : 1;
}

static void begin_entry(struct json_writer *writer, const char *name, size_t repetitions, size_t run)
{
	json_put_object(writer);
	json_add_text(writer, "name", name);
	json_add_text(writer, "run_name", name);
	json_add_text(writer, "run_type", "iteration");
	json_add_count(writer, "repetitions", repetitions);
	json_add_count(writer, "repetition_index", run);
	json_add_count(writer, "threads", 1);
}

static void put_error(struct json_writer *writer, const char *what)
{
	json_put_key(writer, "error_occurred");
	json_put_bool(writer, true);
	json_add_text(writer, "error_message", what);
}

/* `error`: how the run failed, or NULL. */
static void put_entry(struct json_writer *writer, const char *name, const struct subject *subject,
                      const struct measurement *wall, size_t run, const char *error)
{
	const struct measurement *cpu = cpu_metric(subject);
	begin_entry(writer, name, wall->series.n, run);
	if (error)
		put_error(writer, error);
	json_add_count(writer, "iterations", iterations_of(subject, run));
	json_put_key(writer, "real_time");
	json_put_number(writer, wall->series.values[run]);
	if (cpu && cpu != wall && run < cpu->series.n) {
		json_put_key(writer, "cpu_time");
		json_put_number(writer, cpu->series.values[run]);
	}
	json_add_text(writer, "time_unit", "s");
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *metric = &subject->metrics[i];
		if (metric == wall || metric == cpu || is_reserved(metric->metric.name) || run >= metric->series.n ||
		    !isfinite(metric->series.values[run]))
			continue;
		json_put_key(writer, counter_name(subject, metric));
		json_put_number(writer, metric->series.values[run]);
	}
	json_end_object(writer);
}

static void put_failed(struct json_writer *writer, const char *name, size_t repetitions, size_t run, const char *what)
{
	begin_entry(writer, name, repetitions, run);
	put_error(writer, what);
	json_end_object(writer);
}

/* Runs that failed have an error, also those whose values -i kept; those that have no place among the values come last. */
static int put_runs(struct json_writer *writer, const char *name, const struct subject *subject,
                    const struct measurement *wall, struct error *err)
{
	size_t n = wall->series.n;
	bool kept = subject_runs(subject) == n; /* every run has a value */
	const char **errors = mem_zalloc(n, sizeof(*errors));
	if (!errors)
		return error_memory(err);
	for (size_t i = 0; kept && i < subject->failure_count; i++)
		errors[subject->failures[i].run] = subject->failures[i].what;
	for (size_t run = 0; run < n; run++)
		if (isfinite(wall->series.values[run]))
			put_entry(writer, name, subject, wall, run, errors[run]);
		else if (errors[run])
			put_failed(writer, name, n, run, errors[run]);
	for (size_t i = 0; !kept && i < subject->failure_count; i++)
		put_failed(writer, name, n, n + i, subject->failures[i].what);
	mem_free(errors);
	return 0;
}

static int put_subject(struct json_writer *writer, struct exporting *exporting, const struct subject *subject)
{
	const struct measurement *wall = export_time_metric(subject), *cpu = cpu_metric(subject);
	if (!wall || wall->series.n == 0)
		return export_no_time(exporting, subject, "Google Benchmark's format");
	export_note_levels(exporting, wall);
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *metric = &subject->metrics[i];
		const char *name = metric->metric.name, *written = counter_name(subject, metric);
		bool time = metric == wall || metric == cpu;
		if (!time && is_reserved(name)) {
			if (!metric_counts_iterations(&metric->metric))
				export_note_lost(exporting, name);
			continue;
		}
		if (strcmp(written, name) != 0)
			export_note(exporting, "metric '%s' is written as '%s'", name, written);
		export_note_better(exporting, &metric->metric, written, time ? "s" : counter_unit(written));
		if (metric != wall && metric->series.n != wall->series.n)
			export_note(exporting, "metric '%s' has another number of values than the times: kept as far as they go",
			            name);
		if (!time && strcmp(metric->metric.unit, counter_unit(written)) != 0)
			export_note_unit(exporting, name);
	}
	struct buffer full = {0};
	int status = export_full_name(exporting, subject, &full);
	if (status == 0)
		status = put_runs(writer, buffer_text(&full), subject, wall, exporting->err);
	buffer_release(&full);
	return status;
}

int export_gbench(struct exporting *exporting)
{
	const struct result *result = exporting->result;
	struct json_writer writer;
	json_write_init(&writer, exporting->out);
	json_put_object(&writer);
	json_put_key(&writer, "context");
	json_put_object(&writer);
	json_add_text(&writer, "date", result->started ? result->started : "");
	json_add_text(&writer, "executable", "tare");
	json_add_count(&writer, "num_cpus", (size_t)result->host.cpus);
	json_add_text(&writer, "library_build_type", "release");
	json_end_object(&writer);
	json_put_key(&writer, "benchmarks");
	json_put_array(&writer);
	for (size_t i = 0; i < result->subject_count; i++)
		if (put_subject(&writer, exporting, &result->subjects[i]) != 0)
			return -1;
	json_end_array(&writer);
	json_end_object(&writer);
	return 0;
}
