#include "fleet/summary.h"

#include "base/array.h"
#include "base/memory.h"
#include "exchange/document.h"
#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "fleet/collect.h"

#include <math.h>
#include <string.h>

enum { ROW_NUMBERS = 15 };
static const double count_most = 1e6; /* failures of a subject that are believed */

/* Of the session, and heeded by whole_settle(). */
static const char *const heeded[] = {"left-behind", "only-old"};

/* ---- what a gate heeds ---- */

static bool is_alike(const struct failure *a, const struct failure *b)
{
	return a->exit_code == b->exit_code && strcmp(a->what, b->what) == 0;
}

static int add_failures(struct fleet_summary *summary, const struct subject *subject)
{
	for (size_t i = 0; i < subject->failure_count; i++) {
		const struct failure *one = &subject->failures[i];
		size_t first = 0, count = 0;
		while (!is_alike(&subject->failures[first], one))
			first++;
		if (first < i)
			continue;
		for (size_t k = i; k < subject->failure_count; k++)
			count += is_alike(&subject->failures[k], one);
		if (array_add_in(&summary->arena, &summary->failures, summary->failure_count) != 0)
			return -1;
		summary->failures[summary->failure_count++] = (struct fleet_failures){subject->name, one->what, one->exit_code,
		                                                                      count};
	}
	return 0;
}

/* Its texts are the result's, and are copied. */
static int add_warning(struct fleet_summary *summary, const struct warning *warning)
{
	struct arena *arena = &summary->arena;
	struct warning own = {arena_strdup(arena, warning->code), arena_strdup(arena, warning_rest(warning)),
	                      warning->about ? arena_strdup(arena, warning->about) : NULL};
	if (!own.code || !own.text || (warning->about && !own.about) ||
	    array_add_in(arena, &summary->warnings, summary->warning_count) != 0)
		return -1;
	summary->warnings[summary->warning_count++] = own;
	return 0;
}

static size_t count_strange(const struct measurement *m)
{
	bool time = m && strcmp(m->metric.unit, "s") == 0;
	size_t count = m ? m->lost : 0;
	for (size_t i = 0; m && i < m->series.n; i++)
		count += !isfinite(m->series.values[i]) || (time && m->series.values[i] <= 0);
	return count;
}

/* The rows are of the result's comparisons, in their order. */
static void complete_row(struct fleet_summary_row *row, const struct result *result, size_t i)
{
	const struct comparison *c = i < result->comparison_count ? &result->comparisons[i] : NULL;
	if (!c)
		return;
	row->runs[0] = subject_runs(&result->subjects[c->base]);
	row->runs[1] = subject_runs(&result->subjects[c->new_]);
	row->strange = count_strange(subject_find_metric(&result->subjects[c->new_], c->metric));
}

int fleet_summary_complete(struct fleet_summary *summary, const struct result *result, struct error *err)
{
	for (size_t i = 0; i < summary->count; i++)
		complete_row(&summary->rows[i], result, i);
	for (size_t s = 0; s < result->subject_count; s++)
		if (add_failures(summary, &result->subjects[s]) != 0)
			return error_memory(err);
	for (size_t i = 0; i < result->warning_count; i++)
		for (size_t k = 0; k < sizeof(heeded) / sizeof(heeded[0]); k++)
			if (strcmp(result->warnings[i].code, heeded[k]) == 0 && add_warning(summary, &result->warnings[i]) != 0)
				return error_memory(err);
	summary->seed = result->seed;
	summary->complete = true;
	return 0;
}

/* ---- writing ---- */

static void put_part(struct json_writer *writer, const struct machine_part *part)
{
	json_put_number(writer, part->value);
	json_put_number(writer, part->variance);
	json_put_number(writer, part->df);
}

static void put_row(struct json_writer *writer, const struct fleet_summary_row *row)
{
	const struct machine_numbers *numbers = &row->numbers;
	json_put_object_line(writer);
	json_put_key(writer, "of");
	json_put_array_line(writer);
	json_put_text(writer, row->base);
	json_put_text(writer, row->new_);
	json_put_text(writer, row->metric);
	json_end_array(writer);
	json_put_key(writer, "n");
	json_put_array_line(writer);
	json_put_count(writer, numbers->units);
	json_put_count(writer, numbers->pairs);
	put_part(writer, &numbers->typical);
	put_part(writer, &numbers->total);
	put_part(writer, &numbers->share);
	json_put_number(writer, numbers->share_base);
	json_put_number(writer, numbers->share_new);
	json_put_number(writer, numbers->mean_base);
	json_put_number(writer, numbers->mean_new);
	json_end_array(writer);
	json_put_key(writer, "runs");
	json_put_array_line(writer);
	json_put_count(writer, row->runs[0]);
	json_put_count(writer, row->runs[1]);
	json_put_count(writer, row->strange);
	json_end_array(writer);
	json_end_object(writer);
}

static void put_failures(struct json_writer *writer, const struct fleet_failures *failures)
{
	json_put_object_line(writer);
	json_add_text(writer, "of", failures->subject);
	json_add_text(writer, "what", failures->what);
	json_put_key(writer, "exit");
	json_put_integer(writer, failures->exit_code);
	json_put_key(writer, "count");
	json_put_count(writer, failures->count);
	json_end_object(writer);
}

static void put_warning(struct json_writer *writer, const struct warning *warning)
{
	json_put_object_line(writer);
	json_add_text(writer, "code", warning->code);
	json_add_text(writer, "about", warning->about);
	json_add_text(writer, "text", warning->text);
	json_end_object(writer);
}

static void put_all(struct json_writer *writer, const struct result *result, const struct fleet_summary *summary)
{
	json_put_object_line(writer);
	json_add_text(writer, "schema", "tare-summary/1");
	json_add_text(writer, "design", result->design.name);
	json_add_text(writer, "id", result->host.id);
	json_add_text(writer, "name", result->host.node);
	json_add_text(writer, "cpu", result->host.cpu);
	json_put_key(writer, "cpus");
	json_put_integer(writer, result->host.cpus);
	json_put_key(writer, "seed");
	json_put_count(writer, summary->seed);
	json_put_key(writer, "failures");
	json_put_array_line(writer);
	for (size_t i = 0; i < summary->failure_count; i++)
		put_failures(writer, &summary->failures[i]);
	json_end_array(writer);
	json_put_key(writer, "warnings");
	json_put_array_line(writer);
	for (size_t i = 0; i < summary->warning_count; i++)
		put_warning(writer, &summary->warnings[i]);
	json_end_array(writer);
	json_put_key(writer, "rows");
	json_put_array_line(writer);
	for (size_t i = 0; i < summary->count; i++)
		put_row(writer, &summary->rows[i]);
	json_end_array(writer);
	json_end_object(writer);
}

/* The document keeps what the comparisons were judged by, the summary has the frozen metric, which all machines have. */
static void swap_metrics(struct result *result, const char **metrics)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		const char *own = result->comparisons[i].metric;
		result->comparisons[i].metric = metrics[i];
		metrics[i] = own;
	}
}

int fleet_summary_write(struct result *result, const struct fleet_experiment *experiment, struct buffer *out,
                        struct error *err)
{
	struct json_writer writer;
	struct analysis_options options;
	struct fleet_summary summary = {.count = result->comparison_count};
	struct machine_numbers *numbers = mem_alloc(summary.count, sizeof(*numbers));
	summary.rows = arena_alloc(&summary.arena, summary.count, sizeof(*summary.rows));
	const char **metrics = arena_alloc(&summary.arena, summary.count, sizeof(*metrics));
	fleet_experiment_analysis(experiment, &options);
	options.skip = SKIP_AS_SET;
	for (size_t i = 0; metrics && i < summary.count; i++)
		metrics[i] = fleet_metric(experiment, result->comparisons[i].metric);
	if (metrics)
		swap_metrics(result, metrics);
	int status = numbers && summary.rows && metrics ? machines_numbers(result, &options, numbers, err)
	                                                : error_memory(err);
	for (size_t i = 0; status == 0 && i < summary.count; i++) {
		const struct comparison *c = &result->comparisons[i];
		summary.rows[i] = (struct fleet_summary_row){.base = result->subjects[c->base].name,
		                                             .new_ = result->subjects[c->new_].name,
		                                             .metric = c->metric,
		                                             .numbers = numbers[i]};
	}
	if (status == 0)
		status = fleet_summary_complete(&summary, result, err);
	if (metrics)
		swap_metrics(result, metrics);
	if (status == 0) {
		json_write_init(&writer, out);
		put_all(&writer, result, &summary);
		status = buffer_error(out, err);
	}
	mem_free(numbers);
	fleet_summary_release(&summary);
	return status;
}

/* ---- reading ---- */

static int nonsense(struct error *err)
{
	return error_set(err, ERROR_INPUT, "its summary is malformed");
}

static size_t count_of(double number, double most)
{
	return number >= 0 && number <= most ? (size_t)number : 0;
}

static int keep(struct arena *arena, const struct node *object, const char *key, const char **out, struct error *err)
{
	const char *text = node_get_text(object, key);
	*out = text ? arena_strdup(arena, text) : NULL;
	return text && !*out ? error_memory(err) : 0;
}

static int read_failures(const struct node *root, struct fleet_summary *out, struct error *err)
{
	struct node all = node_get(root, "failures");
	size_t n = node_length(&all);
	out->failures = arena_alloc(&out->arena, n, sizeof(*out->failures));
	if (!out->failures)
		return error_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&all, i);
		struct fleet_failures *one = &out->failures[i];
		double code = node_get_number(&item, "exit"), count = node_get_number(&item, "count");
		if (keep(&out->arena, &item, "of", &one->subject, err) != 0 ||
		    keep(&out->arena, &item, "what", &one->what, err) != 0)
			return -1;
		if (!one->subject || !one->what || !(code >= 0 && code <= 255) || !(count >= 1 && count <= count_most))
			return nonsense(err);
		one->exit_code = (int)code;
		one->count = (size_t)count;
	}
	out->failure_count = n;
	return 0;
}

static int read_warnings(const struct node *root, struct fleet_summary *out, struct error *err)
{
	struct node all = node_get(root, "warnings");
	size_t n = node_length(&all);
	out->warnings = arena_alloc(&out->arena, n, sizeof(*out->warnings));
	if (!out->warnings)
		return error_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct node item = node_item(&all, i);
		struct warning *one = &out->warnings[i];
		if (keep(&out->arena, &item, "code", &one->code, err) != 0 ||
		    keep(&out->arena, &item, "about", &one->about, err) != 0 ||
		    keep(&out->arena, &item, "text", &one->text, err) != 0)
			return -1;
		if (!one->code || !one->text)
			return nonsense(err);
	}
	out->warning_count = n;
	return 0;
}

static int read_row(const struct node *row, struct arena *arena, struct fleet_summary_row *out, struct error *err)
{
	struct node of = node_get(row, "of"), n = node_get(row, "n"), runs = node_get(row, "runs");
	const char **texts[] = {&out->base, &out->new_, &out->metric};
	double x[ROW_NUMBERS];
	if (node_length(&of) != 3 || node_length(&n) != ROW_NUMBERS)
		return nonsense(err);
	for (size_t i = 0; i < 3; i++) {
		struct node item = node_item(&of, i);
		const char *text = node_text(&item);
		if (!text)
			return nonsense(err);
		*texts[i] = arena_strdup(arena, text);
		if (!*texts[i])
			return error_memory(err);
	}
	for (size_t i = 0; i < ROW_NUMBERS; i++) {
		struct node item = node_item(&n, i);
		x[i] = node_number(&item);
	}
	if (!(x[0] >= 0 && x[0] < 1e12) || !(x[1] >= 0 && x[1] < 1e12))
		return nonsense(err);
	out->numbers = (struct machine_numbers){.units = (size_t)x[0],
	                                        .pairs = (size_t)x[1],
	                                        .typical = {x[2], x[3], x[4]},
	                                        .total = {x[5], x[6], x[7]},
	                                        .share = {x[8], x[9], x[10]},
	                                        .share_base = x[11],
	                                        .share_new = x[12],
	                                        .mean_base = x[13],
	                                        .mean_new = x[14]};
	size_t *const counts[] = {&out->runs[0], &out->runs[1], &out->strange};
	for (size_t i = 0; i < 3; i++) {
		struct node item = node_item(&runs, i);
		*counts[i] = count_of(node_number(&item), 1e12);
	}
	return 0;
}

static int read_all(const struct node *root, struct fleet_summary *out, struct error *err)
{
	struct node rows = node_get(root, "rows"), seed = node_get(root, "seed");
	const char *schema = node_get_text(root, "schema");
	double cpus = node_get_number(root, "cpus");
	struct arena *arena = &out->arena;
	if (!schema || strcmp(schema, "tare-summary/1") != 0 || !node_is_array(&rows))
		return nonsense(err);
	if (keep(arena, root, "design", &out->design, err) != 0 || keep(arena, root, "id", &out->machine.id, err) != 0 ||
	    keep(arena, root, "name", &out->machine.name, err) != 0 ||
	    keep(arena, root, "cpu", &out->machine.cpu, err) != 0)
		return -1;
	if (!out->machine.id || !out->design)
		return nonsense(err);
	out->machine.cpus = cpus > 0 && cpus < 1e6 ? (long)cpus : 0;
	out->machine.results = 1;
	out->complete = seed.type != NODE_ABSENT;
	out->seed = seed.type == NODE_INTEGER ? seed.integer : count_of(node_number(&seed), 0x1p53);
	if (read_failures(root, out, err) != 0 || read_warnings(root, out, err) != 0)
		return -1;
	out->count = node_length(&rows);
	out->rows = arena_alloc(arena, out->count, sizeof(*out->rows));
	if (!out->rows)
		return error_memory(err);
	for (size_t i = 0; i < out->count; i++) {
		struct node row = node_item(&rows, i);
		if (read_row(&row, arena, &out->rows[i], err) != 0)
			return -1;
	}
	return 0;
}

int fleet_summary_read(struct fleet_summary *summary, const char *path, struct error *err)
{
	struct buffer text = {0};
	struct input input;
	struct json_tree tree = {0};
	memset(summary, 0, sizeof(*summary));
	int status = document_comment(path, &text, err);
	if (status == 0 && (status = input_open_memory(&input, buffer_text(&text), text.length, path, err)) == 0) {
		status = json_read(&input, &tree, err);
		if (status == 0)
			status = read_all(&tree.root, summary, err);
		json_tree_release(&tree);
		input_release(&input);
	}
	buffer_release(&text);
	if (status != 0)
		fleet_summary_release(summary);
	return status;
}

void fleet_summary_release(struct fleet_summary *summary)
{
	arena_release(&summary->arena);
	memset(summary, 0, sizeof(*summary));
}
