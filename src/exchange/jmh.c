/* JMH's JSON: forks are runs, and iterations are in them. In sample mode every iteration is a
 * histogram of [value, count]; its values are invocations. "NaN" comes as text. */
#include "exchange/formats.h"

#include "base/buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A histogram with more values than this is taken by the means of its iterations. */
enum { INVOCATIONS_MAX = 1 << 24 };

struct jmh {
	struct import *import;
	struct subject_index index;
	struct map modes; /* subject, metric, mode: of every metric */
	const char *mode; /* of the entry at hand, or NULL */
	bool shortened;
};

static bool jmh_matches(const struct node *root)
{
	struct node first = node_item(root, 0);
	return node_get_text(&first, "benchmark") && node_get(&first, "primaryMetric").type == NODE_OBJECT;
}

/* Whether the metric is of the mode of the entry at hand, as a new one becomes; -1: no memory. */
static int has_mode(struct jmh *jmh, const struct subject *subject, const char *metric, bool is_new)
{
	struct buffer key = {0};
	buffer_printf(&key, "%zu\x1f%s\x1f%s", (size_t)(subject - jmh->import->out->subjects), metric,
	              jmh->mode ? jmh->mode : "");
	int status = key.out_of_memory ? -1 : map_find_text(&jmh->modes, buffer_text(&key), key.length) != MAP_NONE;
	if (status == 0 && is_new)
		status = map_text(&jmh->modes, buffer_text(&key), key.length) == MAP_NONE ? -1 : 1;
	buffer_release(&key);
	return status;
}

/* The metric of that name, unit and mode. Where another mode has taken the name, or this one for another unit or other
 * levels, the mode is appended, and a number if need be. */
static struct measurement *new_metric(struct jmh *jmh, struct subject *subject, const char *name,
                                      const struct node *from, bool invocations, struct unit_scale *scale)
{
	static const enum level deep[] = {LEVEL_RUN, LEVEL_ITERATION, LEVEL_INVOCATION};
	const char *unit = node_get_text(from, "scoreUnit");
	*scale = units_meaning(unit ? unit : "");
	const char *full = name;
	for (unsigned i = 1; full; i++) {
		struct measurement *metric = subject_find_metric(subject, full);
		int same = has_mode(jmh, subject, full, !metric);
		if (same < 0)
			break;
		if (!metric)
			return import_metric(jmh->import, subject, full, scale->name, invocations ? deep : NULL, 3);
		if (same && metric->series.depth == (invocations ? 3u : 2u) && strcmp(metric->metric.unit, scale->name) == 0)
			return metric;
		const char *mode = jmh->mode ? jmh->mode : "score";
		full = i == 1 ? arena_printf(&jmh->import->out->arena, "%s %s", name, mode)
		              : arena_printf(&jmh->import->out->arena, "%s %s %u", name, mode, i);
	}
	error_memory(jmh->import->err);
	return NULL;
}

static int read_raw(struct jmh *jmh, struct subject *subject, const char *name, const struct node *from,
                    const struct node *forks)
{
	struct unit_scale scale;
	struct measurement *metric = NULL;
	for (size_t f = 0; f < node_length(forks); f++) {
		struct node fork = node_item(forks, f);
		bool begun = false;
		for (size_t i = 0; i < node_length(&fork); i++) {
			struct node value = node_item(&fork, i);
			double number = node_number(&value);
			if (!metric && !(metric = new_metric(jmh, subject, name, from, false, &scale)))
				return -1;
			if (import_value(jmh->import, metric, begun ? 1 : 0, units_convert(&scale, number)) != 0)
				return -1;
			begun |= isfinite(number);
		}
	}
	return 0;
}

static double bin_count(const struct node *bin)
{
	struct node count = node_item(bin, 1);
	double n = node_number(&count);
	return n >= 1 && n < 1e15 ? floor(n) : 0;
}

static double total_count(const struct node *forks)
{
	double total = 0;
	for (size_t f = 0; f < node_length(forks); f++) {
		struct node fork = node_item(forks, f);
		for (size_t i = 0; i < node_length(&fork); i++) {
			struct node iteration = node_item(&fork, i);
			for (size_t b = 0; b < node_length(&iteration); b++) {
				struct node bin = node_item(&iteration, b);
				total += bin_count(&bin);
			}
		}
	}
	return total;
}

/* One iteration: its invocations, or their mean. */
static int read_bins(struct jmh *jmh, struct measurement *metric, const struct unit_scale *scale,
                     const struct node *bins, unsigned open, bool expand)
{
	double sum = 0, count = 0;
	for (size_t b = 0; b < node_length(bins); b++) {
		struct node bin = node_item(bins, b), value = node_item(&bin, 0);
		double number = units_convert(scale, node_number(&value)), n = bin_count(&bin);
		if (!isfinite(number)) {
			jmh->import->missing++;
			metric->lost++;
			continue;
		}
		sum += number * n;
		for (double k = 0; expand && k < n; k++) {
			if (import_value(jmh->import, metric, count == 0 && k == 0 ? open : 2, number) != 0)
				return -1;
		}
		count += n;
	}
	return expand || count == 0 ? 0 : import_value(jmh->import, metric, open, sum / count);
}

static int read_histogram(struct jmh *jmh, struct subject *subject, const char *name, const struct node *from,
                          const struct node *forks)
{
	struct unit_scale scale;
	bool expand = total_count(forks) <= INVOCATIONS_MAX;
	struct measurement *metric = new_metric(jmh, subject, name, from, expand, &scale);
	jmh->shortened |= !expand;
	if (!metric)
		return -1;
	for (size_t f = 0; f < node_length(forks); f++) {
		struct node fork = node_item(forks, f);
		size_t before = metric->series.n;
		for (size_t i = 0; i < node_length(&fork); i++) {
			struct node bins = node_item(&fork, i);
			if (read_bins(jmh, metric, &scale, &bins, metric->series.n == before ? 0 : 1, expand) != 0)
				return -1;
		}
	}
	return 0;
}

static int read_metric(struct jmh *jmh, struct subject *subject, const char *name, const struct node *from)
{
	struct node raw = node_get(from, "rawData"), histogram = node_get(from, "rawDataHistogram");
	if (node_is_array(&histogram))
		return read_histogram(jmh, subject, name, from, &histogram);
	return read_raw(jmh, subject, name, from, &raw);
}

static const char *metric_name(const char *mode)
{
	static const char *const names[][2] = {
		{"thrpt", "throughput"}, {"avgt", "wall"}, {"sample", "sample"}, {"ss", "single-shot"}};
	for (size_t i = 0; mode && i < 4; i++)
		if (strcmp(mode, names[i][0]) == 0)
			return names[i][1];
	return "score";
}

/* The subject of an entry: the benchmark with its parameters and, unless one, its threads. */
static struct subject *entry_subject(struct jmh *jmh, const struct node *entry)
{
	struct import *import = jmh->import;
	struct node parameters = node_get(entry, "params"), threads = node_get(entry, "threads");
	const char *name = node_get_text(entry, "benchmark");
	struct buffer key = {0};
	buffer_text_add(&key, name);
	for (size_t i = 0; node_is_object(&parameters) && i < parameters.count; i++) {
		const char *value = node_text(&parameters.members[i].value);
		buffer_printf(&key, "\x1f%s\x1f%s", parameters.members[i].key, value ? value : "");
	}
	bool many = threads.type == NODE_NUMBER && threads.number > 1;
	if (many)
		buffer_printf(&key, "\x1e%.0f", threads.number);
	size_t before = import->out->subject_count;
	struct subject *subject = key.out_of_memory ? NULL : import_subject(import, &jmh->index, buffer_text(&key), name);
	buffer_release(&key);
	if (!subject)
		error_memory(import->err);
	if (!subject || import->out->subject_count == before)
		return subject;
	int status = import_text_copy(import, name, &subject->benchmark);
	for (size_t i = 0; status == 0 && node_is_object(&parameters) && i < parameters.count; i++) {
		const char *value = node_text(&parameters.members[i].value);
		status = result_add_parameter(import->out, subject, parameters.members[i].key, value ? value : "");
	}
	if (status == 0 && many) {
		char text[400];
		snprintf(text, sizeof(text), "%.0f", threads.number);
		status = result_add_parameter(import->out, subject, "threads", text);
	}
	if (status == 0)
		return subject;
	error_memory(import->err);
	return NULL;
}

/* A fork that died is not in the data; one that was broken off has fewer iterations. Without forks (0) there is one
 * run. */
static int check_runs(struct jmh *jmh, struct subject *subject, const struct node *entry, const struct node *primary)
{
	struct node raw = node_get(primary, "rawData"), histogram = node_get(primary, "rawDataHistogram");
	const struct node *forks = node_is_array(&histogram) ? &histogram : &raw;
	double iterations = node_get_number(entry, "measurementIterations");
	if (node_length(forks) == 0)
		return 0;
	for (size_t f = 0; f < node_length(forks); f++) {
		struct node fork = node_item(forks, f);
		if ((double)node_length(&fork) < iterations &&
		    import_failure(jmh->import, subject, "fewer iterations than requested", f) != 0)
			return -1;
	}
	return import_missing_runs(jmh->import, subject, node_length(forks), node_get_number(entry, "forks"));
}

static int read_entry(struct jmh *jmh, const struct node *entry, size_t number)
{
	struct node primary = node_get(entry, "primaryMetric"), secondary = node_get(entry, "secondaryMetrics");
	if (!node_get_text(entry, "benchmark") || !node_is_object(&primary))
		return import_bad(jmh->import, "entry %zu has no benchmark or no primaryMetric", number);
	struct subject *subject = entry_subject(jmh, entry);
	jmh->mode = node_get_text(entry, "mode");
	double warmups = node_get_number(entry, "warmupIterations");
	jmh->import->warmed = !(warmups == 0);
	if (!subject || read_metric(jmh, subject, metric_name(jmh->mode), &primary) != 0 ||
	    check_runs(jmh, subject, entry, &primary) != 0)
		return -1;
	for (size_t i = 0; node_is_object(&secondary) && i < secondary.count; i++) {
		const char *name = secondary.members[i].key;
		/* JMH marks metrics of its profilers with a middle dot. */
		if (strncmp(name, "\xc2\xb7", 2) == 0)
			name += 2;
		if (read_metric(jmh, subject, name, &secondary.members[i].value) != 0)
			return -1;
	}
	return 0;
}

static int jmh_read(struct import *import, const struct node *root)
{
	struct jmh jmh = {.import = import};
	int status = 0;
	for (size_t i = 0; status == 0 && i < node_length(root); i++) {
		struct node entry = node_item(root, i);
		status = read_entry(&jmh, &entry, i + 1);
	}
	map_release(&jmh.index.keys);
	map_release(&jmh.modes);
	if (status == 0 && jmh.shortened)
		status = import_warn(import, "unmapped",
		                     "histograms of more than %d invocations are taken by the means of iterations",
		                     INVOCATIONS_MAX);
	return status;
}

const struct json_format jmh_format = {"jmh", jmh_matches, jmh_read};
