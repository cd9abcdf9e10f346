#include "exchange/document.h"

#include "base/memory.h"
#include "exchange/document_machines.h"
#include "exchange/document_monitoring.h"
#include "exchange/document_stored.h"
#include "exchange/fields.h"
#include "exchange/json_write.h"
#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void put_levels(struct json_writer *writer, const char *key, const enum level *levels, size_t count)
{
	json_put_key(writer, key);
	json_put_array_line(writer);
	for (size_t i = 0; i < count; i++)
		json_put_text(writer, level_name(levels[i]));
	json_end_array(writer);
}

static void put_part(struct json_writer *writer, const char *key, const struct field *fields, const void *record)
{
	json_put_key(writer, key);
	json_put_object(writer);
	fields_write(writer, fields, record);
	json_end_object(writer);
}

static void put_design(struct json_writer *writer, const struct result *result, bool whole)
{
	const struct design_info *design = &result->design;
	json_put_key(writer, "design");
	json_put_object(writer);
	json_add_text(writer, "name", design->name);
	json_add_text(writer, "why", design->why);
	json_add_text(writer, "metric_why", design->metric_why);
	if (design->strata)
		json_add_text(writer, "strata", design->strata);
	put_levels(writer, "levels", design->levels, design->level_count);
	json_put_key(writer, "cpus");
	json_put_array_line(writer);
	for (size_t i = 0; i < design->cpu_count; i++)
		json_put_integer(writer, design->cpus[i]);
	json_end_array(writer);
	json_put_key(writer, "paired");
	json_put_bool(writer, design->paired);
	if (design->order && whole) {
		json_add_texts(writer, "order", design->order, design->order_count);
	} else {
		json_add_text(writer, "order", NULL);
		json_add_text(writer, "order_why", design->paired ? "not recorded" : "no pairs");
	}
	if ((design->order || design->machine_count > 1) && design->order_of_runs)
		json_add_text(writer, "order_level", level_name(LEVEL_RUN));
	document_put_machines(writer, result);
	json_end_object(writer);
}

/* Group g of level k with all that is in it. */
static void put_group(struct json_writer *writer, const struct series *series, unsigned k, size_t g)
{
	json_put_array_line(writer);
	for (size_t i = series->starts[k][g]; i < series->starts[k][g + 1]; i++) {
		if (k + 2 == series->depth)
			json_put_number(writer, series->values[i]);
		else
			put_group(writer, series, k + 1, i);
	}
	json_end_array(writer);
}

/* Runs of one value stand together on a line, longer ones on a line each. */
static void put_samples(struct json_writer *writer, const struct series *series)
{
	json_put_key(writer, "samples");
	size_t groups = series->depth >= 2 ? series->groups[0] : 0;
	if (groups == series->n)
		json_put_array_line(writer);
	else
		json_put_array(writer);
	for (size_t g = 0; g < groups; g++)
		put_group(writer, series, 0, g);
	json_end_array(writer);
}

static void put_level_shares(struct json_writer *writer, const struct measurement *metric)
{
	json_put_key(writer, "levels");
	json_put_array(writer);
	for (size_t i = 0; i < metric->described->level_count; i++) {
		json_put_object_line(writer);
		json_add_text(writer, "name", level_name(metric->described->levels[i].level));
		fields_write(writer, level_fields, &metric->described->levels[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void put_modes(struct json_writer *writer, const struct measurement *metric)
{
	json_put_key(writer, "modes");
	json_put_array(writer);
	const struct mode one = {metric->median, metric->units};
	for (size_t i = 0; i < metric->described->mode_count; i++) {
		const struct mode *mode = metric->described->modes ? &metric->described->modes[i] : &one;
		json_put_object_line(writer);
		json_put_key(writer, "center");
		json_put_number(writer, mode->center);
		json_put_key(writer, "count");
		json_put_count(writer, mode->count);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void put_steady(struct json_writer *writer, const struct measurement *metric)
{
	json_put_key(writer, "steady");
	json_put_object_line(writer);
	json_add_text(writer, "state", steady_name(metric->steady));
	if (metric->steady_why || !steady_name(metric->steady))
		json_add_text(writer, "state_why", metric->steady_why ? metric->steady_why : "not known");
	json_put_key(writer, "skip");
	json_put_count(writer, metric->skip);
	if (metric->evidence) {
		json_put_key(writer, "evidence");
		json_put_object_line(writer);
		fields_write(writer, evidence_fields, metric->evidence);
		if (metric->evidence->warmup.steps)
			fields_write(writer, steps_fields, metric->evidence);
		json_end_object(writer);
	}
	if (metric->iteration > 0)
		fields_write(writer, iteration_fields, metric);
	if (metric->skip_count > 0) {
		json_put_key(writer, "skips");
		json_put_array_line(writer);
		for (size_t i = 0; i < metric->skip_count; i++)
			json_put_count(writer, metric->skips[i]);
		json_end_array(writer);
	}
	json_end_object(writer);
}

/* Of a performance index: its kind of mean and what the session was to reach; of unit readings the kind, where it is
 * not the usual one, and their phases. */
static void put_index(struct json_writer *writer, const struct measurement *metric)
{
	bool index = !isnan(metric->index->autocorrelation_limit);
	if (index || metric->mean_kind != MEAN_ARITHMETIC) {
		json_put_key(writer, "index");
		json_put_object_line(writer);
		json_add_text(writer, "mean", mean_kind_name(metric->mean_kind));
		if (index)
			fields_write(writer, index_fields, metric);
		json_end_object(writer);
	}
	if (!metric->phases)
		return;
	json_put_key(writer, "phases");
	json_put_array(writer);
	for (size_t i = 0; i < metric->phase_count; i++) {
		json_put_array_line(writer);
		json_put_count(writer, metric->phases[i].from);
		json_put_count(writer, metric->phases[i].to);
		if (metric->phases[i].set_up > 0)
			json_put_count(writer, metric->phases[i].set_up);
		json_end_array(writer);
	}
	json_end_array(writer);
}

static void put_metric(struct json_writer *writer, const struct measurement *metric, const struct design_info *design,
                       bool whole)
{
	const struct series *series = &metric->series;
	json_put_key(writer, metric->metric.name);
	json_put_object(writer);
	json_add_text(writer, "unit", metric->metric.unit);
	json_add_text(writer, "better", metric->metric.better == BETTER_HIGHER ? "higher" : "lower");
	fields_write(writer, measurement_fields, metric);
	if (metric->stated->n > 1)
		fields_write(writer, stated_fields, metric);
	if (metric->lost > 0)
		fields_write(writer, lost_fields, metric);
	if (design->paired && metric->pair_set > 0)
		fields_write(writer, pair_fields, metric);
	if (metric->order && (metric->order != design->order || metric->order_count != design->order_count))
		json_add_texts(writer, "order", metric->order, metric->order_count);
	json_add_text(writer, "unit_level", metric->units ? level_name(metric->unit) : NULL);
	if (!metric->units)
		json_add_text(writer, "unit_level_why", "not known");
	put_level_shares(writer, metric);
	put_modes(writer, metric);
	put_steady(writer, metric);
	put_index(writer, metric);
	if (series->depth != design->level_count ||
	    memcmp(series->levels, design->levels, series->depth * sizeof(*series->levels)) != 0)
		put_levels(writer, "sample_levels", series->levels, series->depth);
	if (whole)
		put_samples(writer, series);
	json_end_object(writer);
}

/* Only where the build is a level. */
static void put_builds(struct json_writer *writer, const struct subject *subject)
{
	if (subject->build_count == 0)
		return;
	json_put_key(writer, "builds");
	json_put_array(writer);
	for (size_t i = 0; i < subject->build_count; i++) {
		const struct build_made *build = &subject->builds[i];
		json_put_object_line(writer);
		json_put_key(writer, "seed");
		json_put_count(writer, build->seed);
		json_put_key(writer, "seconds");
		json_put_number(writer, build->seconds);
		json_add_text(writer, "build_id", build->build_id[0] ? build->build_id : NULL);
		json_add_text(writer, "hash", build->hash[0] ? build->hash : NULL);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void put_subject(struct json_writer *writer, const struct subject *subject, const struct design_info *design,
                        bool whole)
{
	json_put_object(writer);
	json_add_text(writer, "name", subject->name);
	fields_write(writer, subject_fields, subject);
	if (subject->loop->hash)
		json_add_text(writer, "hash", subject->loop->hash);
	if (subject->loop->invocations > 0) {
		fields_write(writer, benchmark_fields, subject);
		fields_write(writer, loop_fields, subject->loop);
	} else if (subject->metric) {
		json_add_text(writer, "metric", subject->metric);
	}
	json_put_key(writer, "parameters");
	json_put_object_line(writer);
	for (size_t i = 0; i < subject->parameter_count; i++)
		json_add_text(writer, subject->parameters[i].name, subject->parameters[i].value);
	json_end_object(writer);
	json_put_key(writer, "failures");
	json_put_array(writer);
	for (size_t i = 0; i < subject->failure_count; i++) {
		json_put_object_line(writer);
		json_add_text(writer, "what", subject->failures[i].what);
		json_put_key(writer, "run");
		json_put_count(writer, subject->failures[i].run);
		if (subject->failures[i].exit_code) {
			json_put_key(writer, "exit");
			json_put_integer(writer, subject->failures[i].exit_code);
		}
		json_end_object(writer);
	}
	json_end_array(writer);
	put_builds(writer, subject);
	if (subject->work)
		put_part(writer, "work", work_fields, subject->work);
	if (subject->overhead)
		put_part(writer, "overhead", overhead_fields, subject->overhead);
	json_put_key(writer, "metrics");
	json_put_object(writer);
	for (size_t i = 0; i < subject->metric_count; i++)
		put_metric(writer, &subject->metrics[i], design, whole);
	json_end_object(writer);
	json_end_object(writer);
}

static void put_comparison(struct json_writer *writer, const struct result *result, const struct comparison *c)
{
	json_put_object(writer);
	json_add_text(writer, "base", c->base < result->subject_count ? result->subjects[c->base].name : NULL);
	json_add_text(writer, "new", c->new_ < result->subject_count ? result->subjects[c->new_].name : NULL);
	fields_write(writer, comparison_fields, c);
	put_part(writer, "total", total_fields, comparison_total(c));
	put_part(writer, "share", share_fields, c);
	json_add_text(writer, "verdict", verdict_name(c->verdict));
	json_add_text(writer, "scope", scope_name(c->scope));
	json_add_text(writer, "gate", gate_name(c->gate));
	if (c->gate != GATE_NONE)
		fields_write(writer, comparison_gate_fields, c);
	if (c->gate_why)
		json_add_text(writer, "gate_why", c->gate_why);
	put_part(writer, "shuffle", shuffle_fields, c);
	document_put_machines_result(writer, result, c);
	json_end_object(writer);
}

/* Only where a gate was asked for. */
static void put_gate(struct json_writer *writer, const struct gate_result *gate)
{
	if (isnan(gate->limit))
		return;
	json_put_key(writer, "gate");
	json_put_object(writer);
	json_add_text(writer, "state", gate_name(gate->state));
	fields_write(writer, gate_fields, gate);
	json_end_object(writer);
}

/* Names of the subjects, best first; only where that was asked for. */
static void put_ranking(struct json_writer *writer, const struct result *result)
{
	if (result->ranking_count == 0)
		return;
	json_put_key(writer, "ranking");
	json_put_array_line(writer);
	for (size_t i = 0; i < result->ranking_count; i++)
		json_put_text(writer, result->subjects[result->ranking[i]].name);
	json_end_array(writer);
}

static void put_head(struct json_writer *writer, const struct result *result)
{
	json_add_text(writer, "schema", "tare/1");
	json_add_text(writer, "version", result->version ? result->version : TARE_VERSION);
	json_add_text(writer, "name", result->name);
	json_add_text(writer, "started", result->started);
	if (!result->started)
		json_add_text(writer, "started_why", "not known");
	json_put_key(writer, "elapsed");
	json_put_number(writer, result->elapsed);
	if (!isfinite(result->elapsed))
		json_add_text(writer, "elapsed_why", "not known");
	json_put_key(writer, "seed");
	json_put_count(writer, result->seed);
	json_add_texts(writer, "argv", result->argv, result->argc);
}

static void put_disturbance(struct json_writer *writer, const struct disturbance *disturbance)
{
	if (disturbance->recorded) {
		put_part(writer, "disturbance", disturbance_fields, disturbance);
	} else {
		json_add_text(writer, "disturbance", NULL);
		json_add_text(writer, "disturbance_why", "not recorded");
	}
}

static void put_calibration(struct json_writer *writer, const struct calibration_quote *quote)
{
	if (isfinite(quote->change)) {
		put_part(writer, "calibration", calibration_fields, quote);
	} else {
		json_add_text(writer, "calibration", NULL);
		json_add_text(writer, "calibration_why", quote->why ? quote->why : "not recorded");
	}
}

/* `whole`: with the samples and the order of the design's pairs. */
static void put_document(struct json_writer *writer, const struct result *result, bool whole,
                         const struct provenance *stored)
{
	json_put_object(writer);
	put_head(writer, result);
	put_part(writer, "host", host_fields, &result->host);
	put_disturbance(writer, &result->disturbance);
	put_calibration(writer, &result->calibration);
	document_put_monitoring(writer, &result->monitoring);
	put_design(writer, result, whole);
	json_put_key(writer, "subjects");
	json_put_array(writer);
	for (size_t i = 0; i < result->subject_count; i++)
		put_subject(writer, &result->subjects[i], &result->design, whole);
	json_end_array(writer);
	json_put_key(writer, "comparisons");
	json_put_array(writer);
	for (size_t i = 0; i < result->comparison_count; i++)
		put_comparison(writer, result, &result->comparisons[i]);
	json_end_array(writer);
	put_ranking(writer, result);
	put_gate(writer, &result->gate);
	struct stopped stopped = result->stopped;
	stopped.reason = result_stop_reason(result);
	put_part(writer, "stopped", stopped_fields, &stopped);
	json_put_key(writer, "warnings");
	json_put_array(writer);
	for (size_t i = 0; i < result->warning_count; i++) {
		json_put_object_line(writer);
		json_add_text(writer, "code", result->warnings[i].code);
		json_add_text(writer, "text", result->warnings[i].text);
		json_end_object(writer);
	}
	json_end_array(writer);
	document_put_stored(writer, stored);
	json_end_object(writer);
}

int document_write(const struct result *result, struct buffer *out, struct error *err)
{
	struct json_writer writer;
	json_write_init(&writer, out);
	put_document(&writer, result, true, NULL);
	return buffer_error(out, err);
}

/* gzip, which every reader here unpacks by itself; the frame's many equal keys shrink to a tenth. */
static int pack(const struct buffer *text, const char *comment, struct buffer *out, struct error *err)
{
	z_stream stream = {0};
	gz_header header = {.os = 3, .comment = (Bytef *)(uintptr_t)comment};
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return error_memory(err);
	if (comment)
		deflateSetHeader(&stream, &header);
	uLong most = deflateBound(&stream, text->length);
	char *room = buffer_room(out, most);
	stream.next_in = (Bytef *)(uintptr_t)buffer_text(text);
	stream.avail_in = (uInt)text->length;
	stream.next_out = (Bytef *)room;
	stream.avail_out = room ? (uInt)most : 0;
	int code = room && text->length < UINT32_MAX ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
	if (code == Z_STREAM_END)
		buffer_grown(out, stream.total_out);
	deflateEnd(&stream);
	return code == Z_STREAM_END ? 0 : error_memory(err);
}

int document_write_frame(const struct result *result, struct buffer *out, struct error *err)
{
	struct json_writer writer;
	struct buffer text = {0};
	json_write_init(&writer, &text);
	put_document(&writer, result, false, NULL);
	int status = buffer_error(&text, err);
	if (status == 0)
		status = pack(&text, NULL, out, err);
	buffer_release(&text);
	return status;
}

/* By hand, and nothing that is not known: a history has hundreds of thousands of them. */
int document_write_outline(const struct result *result, struct buffer *out, struct error *err)
{
	struct json_writer writer;
	json_write_init(&writer, out);
	json_put_object_line(&writer);
	json_add_text(&writer, "schema", "tare/1");
	json_add_text(&writer, "version", result->version);
	if (result->name)
		json_add_text(&writer, "name", result->name);
	json_add_text(&writer, "started", result->started);
	json_put_key(&writer, "design");
	json_put_object_line(&writer);
	json_add_text(&writer, "name", result->design.name);
	json_add_text(&writer, "why", result->design.why);
	json_end_object(&writer);
	json_put_key(&writer, "subjects");
	json_put_array_line(&writer);
	json_end_array(&writer);
	json_put_key(&writer, "stopped");
	json_put_object_line(&writer);
	json_add_text(&writer, "reason", result->stopped.reason);
	json_end_object(&writer);
	json_end_object(&writer);
	return buffer_error(out, err);
}

static int flush_to_file(void *context, struct buffer *out, struct error *err)
{
	int status = buffer_error(out, err);
	if (status == 0)
		status = file_writer_add(context, buffer_text(out), out->length, err);
	buffer_clear(out);
	return status;
}

static int flush_to_output(void *context, struct buffer *out, struct error *err)
{
	(void)context;
	int status = buffer_error(out, err);
	if (status == 0 && file_write(&syscalls_libc, 1, buffer_text(out), out->length, err) != 0)
		status = error_on(err, "standard output");
	buffer_clear(out);
	return status;
}

/* To the file, or without one to standard output. */
static int save(const struct result *result, const struct provenance *stored, struct file_writer *file,
                struct error *err)
{
	struct buffer out = {0};
	struct json_writer writer;
	json_write_init(&writer, &out);
	writer.flush = file ? flush_to_file : flush_to_output;
	writer.context = file;
	writer.err = err;
	put_document(&writer, result, true, stored);
	int status = writer.failed ? -1 : mem_ran_out() ? error_memory(err) : writer.flush(writer.context, &out, err);
	if (file && file_writer_close(file, status == 0, status == 0 ? err : NULL) != 0)
		status = -1;
	buffer_release(&out);
	return status;
}

static int save_as(const struct result *result, const struct provenance *stored, const char *path, struct error *err)
{
	struct file_writer file;
	if (strcmp(path, "-") == 0)
		return save(result, stored, NULL, err);
	return file_writer_open(&file, &syscalls_libc, path, err) == 0 ? save(result, stored, &file, err) : -1;
}

int document_save(const struct result *result, const char *path, struct error *err)
{
	return save_as(result, NULL, path, err);
}

int document_save_stored(const struct result *result, const char *path, struct error *err)
{
	return save_as(result, result->stored, path, err);
}

int document_save_private(const struct result *result, const char *path, struct error *err)
{
	struct file_writer file;
	return file_writer_open_private(&file, &syscalls_libc, path, err) == 0 ? save(result, NULL, &file, err) : -1;
}

int document_save_packed(const struct result *result, const char *comment, const char *path, struct error *err)
{
	struct buffer text = {0}, packed = {0};
	int status = document_write(result, &text, err);
	if (status == 0)
		status = pack(&text, comment, &packed, err);
	buffer_release(&text);
	int fd = status == 0 ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	if (status == 0 && fd < 0) {
		error_system(err, errno, "cannot be written");
		status = error_on(err, "%s", path);
	}
	if (status == 0 && file_write(&syscalls_libc, fd, buffer_text(&packed), packed.length, err) != 0)
		status = error_on(err, "%s", path);
	if (fd >= 0 && close(fd) != 0 && status == 0) {
		error_system(err, errno, "cannot be written");
		status = error_on(err, "%s", path);
	}
	buffer_release(&packed);
	return status;
}

/* RFC 1952: ten bytes, then by flags an extra field, a name and a comment, texts that end with NUL. */
int document_comment(const char *path, struct buffer *out, struct error *err)
{
	enum { EXTRA = 4, NAME = 8, COMMENT = 16, MOST = 64 << 20 };
	unsigned char head[10];
	size_t length = 0;
	FILE *file = fopen(path, "re");
	if (!file)
		return error_full(err, ERROR_NO_DATA, path, NULL, "there is no such file");
	bool fine = fread(head, 1, sizeof(head), file) == sizeof(head) && head[0] == 0x1f && head[1] == 0x8b &&
	            (head[3] & (EXTRA | NAME | COMMENT)) == COMMENT;
	int c = 0;
	while (fine && length++ < MOST && (c = getc_unlocked(file)) != EOF && c != 0)
		buffer_char(out, (char)c);
	fclose(file);
	if (fine && c == 0 && length > 0)
		return buffer_error(out, err);
	return error_full(err, ERROR_INPUT, path, NULL, "it has no summary");
}
