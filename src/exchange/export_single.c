/* Formats with one number for each benchmark: Bencher Metric Format and github-action-benchmark.
 * The number is the mean; its interval goes along where it is known. */
#include "exchange/exporters.h"
#include "exchange/units.h"

#include "base/format.h"

#include <math.h>
#include <string.h>

static int mean_of(struct exporting *exporting, const struct measurement *metric, double *mean)
{
	struct export_summary summary;
	if (export_summary(&metric->series, &summary, exporting->err) != 0)
		return -1;
	*mean = isfinite(metric->mean) ? metric->mean : summary.mean;
	if (summary.n > 1)
		export_note(exporting, "samples are not kept: one number, the mean, for each metric");
	return 0;
}

/* The number of nanoseconds that reads back to these seconds. */
static double nanoseconds(double seconds)
{
	double ns = seconds * 1e9;
	const double candidates[] = {ns, nextafter(ns, INFINITY), nextafter(ns, -INFINITY)};
	for (size_t i = 0; i < 3; i++)
		if (candidates[i] / 1e9 == seconds)
			return candidates[i];
	return ns;
}

/* Bencher's own measures have a unit that is not written: latency is in nanoseconds, throughput in operations per
 * second. */
enum measure { MEASURE_OTHER, MEASURE_LATENCY, MEASURE_THROUGHPUT };

/* *rate: what brings a throughput to operations per second; "ops/us" by 1e6. */
static enum measure measure_of(const struct metric *metric, double *rate)
{
	*rate = 1;
	if (strcmp(metric->name, "wall") == 0 && strcmp(metric->unit, "s") == 0)
		return MEASURE_LATENCY;
	if (strcmp(metric->name, "throughput") != 0 || strncmp(metric->unit, "ops/", 4) != 0)
		return MEASURE_OTHER;
	struct unit_scale time = units_meaning(metric->unit + 4);
	if (strcmp(time.name, "s") != 0)
		return MEASURE_OTHER;
	*rate = time.divide / time.multiply;
	return MEASURE_THROUGHPUT;
}

static void put_measure(struct json_writer *writer, const char *key, enum measure measure, double rate, double value)
{
	json_put_key(writer, key);
	json_put_number(writer, measure == MEASURE_LATENCY ? nanoseconds(value) : value * rate);
}

static int put_measures(struct json_writer *writer, struct exporting *exporting, const struct subject *subject)
{
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *metric = &subject->metrics[i];
		double mean, rate;
		enum measure measure = measure_of(&metric->metric, &rate);
		if (mean_of(exporting, metric, &mean) != 0)
			return -1;
		if (!isfinite(mean))
			continue;
		if (measure == MEASURE_OTHER && metric->metric.unit[0])
			export_note_unit(exporting, metric->metric.name);
		bool throughput = strcmp(metric->metric.name, "throughput") == 0;
		export_note_better(exporting, &metric->metric, metric->metric.name,
		                   measure == MEASURE_LATENCY ? "s"
		                   : throughput               ? "ops/s"
		                                              : "");
		json_put_key(writer, measure == MEASURE_LATENCY ? "latency" : metric->metric.name);
		json_put_object_line(writer);
		put_measure(writer, "value", measure, rate, mean);
		if (isfinite(metric->ci.low) && isfinite(metric->ci.high) && !metric->ci.unbounded) {
			put_measure(writer, "lower_value", measure, rate, metric->ci.low);
			put_measure(writer, "upper_value", measure, rate, metric->ci.high);
		}
		json_end_object(writer);
	}
	return 0;
}

int export_bmf(struct exporting *exporting)
{
	struct json_writer writer;
	struct buffer name = {0};
	int status = 0;
	json_write_init(&writer, exporting->out);
	json_put_object(&writer);
	for (size_t i = 0; status == 0 && i < exporting->result->subject_count; i++) {
		const struct subject *subject = &exporting->result->subjects[i];
		status = export_full_name(exporting, subject, &name);
		json_put_key(&writer, buffer_text(&name));
		json_put_object(&writer);
		if (status == 0)
			status = put_measures(&writer, exporting, subject);
		json_end_object(&writer);
	}
	json_end_object(&writer);
	buffer_release(&name);
	return status;
}

static int put_bench(struct json_writer *writer, struct exporting *exporting, const char *name,
                     const struct measurement *metric)
{
	double mean;
	if (mean_of(exporting, metric, &mean) != 0)
		return -1;
	if (!isfinite(mean))
		return 0;
	const char *unit = metric->metric.unit;
	export_note_better(exporting, &metric->metric, unit[0] ? unit : "value", units_meaning(unit).name);
	json_put_object(writer);
	json_put_key(writer, "name");
	json_put_text(writer, name);
	json_put_key(writer, "unit");
	json_put_text(writer, unit);
	json_put_key(writer, "value");
	json_put_number(writer, mean);
	if (isfinite(metric->ci.low) && isfinite(metric->ci.high) && !metric->ci.unbounded) {
		char range[FORMAT_MAX + 8] = "\xc2\xb1 ";
		format_significant(range + strlen(range), FORMAT_MAX, (metric->ci.high - metric->ci.low) / 2, 3);
		json_put_key(writer, "range");
		json_put_text(writer, range);
	}
	json_end_object(writer);
	return 0;
}

/* A name holds one number: metrics beside the time say which they are. */
static int put_benches(struct json_writer *writer, struct exporting *exporting, const struct subject *subject)
{
	struct buffer own = {0}, other = {0}, rest = {0};
	int status = export_full_name(exporting, subject, &own);
	for (size_t m = 0; status == 0 && m < subject->metric_count; m++) {
		const struct measurement *metric = &subject->metrics[m];
		bool time = strcmp(metric->metric.name, "wall") == 0;
		buffer_clear(&rest);
		buffer_printf(&rest, " - %s", metric->metric.name);
		status = buffer_error(&rest, exporting->err);
		if (status == 0 && !time)
			status = export_unique_name(exporting, "", buffer_text(&own), " #", buffer_text(&rest), &other);
		if (status == 0)
			status = put_bench(writer, exporting, buffer_text(time ? &own : &other), metric);
	}
	buffer_release(&own);
	buffer_release(&other);
	buffer_release(&rest);
	return status;
}

int export_gha(struct exporting *exporting)
{
	struct json_writer writer;
	int status = 0;
	json_write_init(&writer, exporting->out);
	json_put_array(&writer);
	for (size_t i = 0; status == 0 && i < exporting->result->subject_count; i++)
		status = put_benches(&writer, exporting, &exporting->result->subjects[i]);
	json_end_array(&writer);
	return status;
}
