/* criterion.rs: the folders that it leaves below target/criterion, one for each benchmark and in
 * it one for each measurement ("new", "base", or the name of a baseline) with sample.json.
 *
 * All samples come from one process: a run with as many iterations. A sample is the time of
 * several iterations together; its value is time over iterations. Where the number of iterations
 * grows from sample to sample (linear sampling) it is kept as a metric of its own, because
 * criterion's slope needs it. estimates.json and change/ are results, not measurements.
 *
 * criterion ends a run by copying "new" to "base", or to the baseline that it saves. A copy is no
 * measurement to compare with: of folders side by side with the same values one is used. */
#include "exchange/formats.h"

#include "host/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 16, FOLDERS_MAX = 20000 };

static bool sample_matches(const struct node *root)
{
	struct node iters = node_get(root, "iters"), times = node_get(root, "times");
	return node_is_array(&iters) && node_is_array(&times);
}

static int read_sample(struct import *import, struct subject *subject, const struct node *root)
{
	struct node iters = node_get(root, "iters"), times = node_get(root, "times");
	size_t n = node_length(&iters);
	import->warmed = true;
	if (node_length(&times) != n)
		return import_bad(import, "%zu iteration counts and %zu times", n, node_length(&times));
	bool grows = false;
	for (size_t i = 1; i < n; i++) {
		struct node a = node_item(&iters, i - 1), b = node_item(&iters, i);
		grows |= node_number(&a) != node_number(&b);
	}
	struct measurement *metric = import_metric(import, subject, "wall", "s", NULL, 0);
	for (size_t i = 0; metric && i < n; i++) {
		struct node count = node_item(&iters, i), time = node_item(&times, i);
		double k = node_number(&count), ns = node_number(&time);
		if (!(k > 0) || !isfinite(ns))
			return import_bad(import, "sample %zu has no iterations or no time", i + 1);
		if (import_value(import, metric, i == 0 ? 0 : 1, ns / k / 1e9) != 0)
			return -1;
	}
	metric = metric && grows ? import_metric(import, subject, "iterations", "", NULL, 0) : metric;
	for (size_t i = 0; metric && grows && i < n; i++) {
		struct node count = node_item(&iters, i);
		if (import_value(import, metric, i == 0 ? 0 : 1, node_number(&count)) != 0)
			return -1;
	}
	return metric ? 0 : -1;
}

static int sample_read(struct import *import, const struct node *root)
{
	struct subject *subject = result_add_subject(import->out, import->name);
	return subject ? read_sample(import, subject, root) : error_memory(import->err);
}

const struct json_format criterion_format = {"criterion", sample_matches, sample_read};

/* ---- folders ---- */

struct criterion_walk {
	struct import *import;
	size_t folders, copies;
};

static int read_json_file(struct import *import, const char *path, struct json_tree *tree)
{
	struct input input;
	if (input_open_file(&input, path, import->err) != 0)
		return -1;
	int status = json_read(&input, tree, import->err);
	input_release(&input);
	return status;
}

/* The benchmark's name from benchmark.json beside the sample, or from the path. */
static const char *benchmark_name(struct import *import, const char *folder)
{
	struct json_tree tree;
	struct error ignored;
	struct import quiet = *import;
	const char *path = arena_printf(&import->out->arena, "%s/benchmark.json", folder), *name = NULL;
	quiet.err = &ignored;
	if (path && file_kind(&syscalls_libc, path) == FILE_REGULAR && read_json_file(&quiet, path, &tree) == 0) {
		const char *id = node_get_text(&tree.root, "full_id");
		name = id ? arena_strdup(&import->out->arena, id) : NULL;
		json_tree_release(&tree);
	}
	if (name)
		return name;
	const char *slash = strrchr(folder, '/');
	return arena_strndup(&import->out->arena, folder, slash ? (size_t)(slash - folder) : strlen(folder));
}

static int read_folder(struct import *import, const char *folder)
{
	struct json_tree tree;
	const char *path = arena_printf(&import->out->arena, "%s/sample.json", folder);
	const char *slash = strrchr(folder, '/'), *which = slash ? slash + 1 : folder,
			   *what = benchmark_name(import, folder);
	char *name = what ? arena_printf(&import->out->arena, "%s (%s)", what, which) : NULL;
	struct subject *subject = name && path ? result_add_subject(import->out, name) : NULL;
	if (!subject || import_text_copy(import, which, &subject->program) != 0)
		return error_memory(import->err);
	subject->benchmark = what;
	if (read_json_file(import, path, &tree) != 0)
		return -1;
	/* Messages name the file, not the folder that was asked for. */
	struct input at = {.name = path, .fd = -1};
	struct import here = *import;
	here.input = &at;
	int status = sample_matches(&tree.root) ? read_sample(&here, subject, &tree.root)
	                                        : import_bad(&here, "no iteration counts and times of criterion in it");
	json_tree_release(&tree);
	return status;
}

static bool same_values(const struct subject *a, const struct subject *b)
{
	if (strcmp(a->benchmark, b->benchmark) != 0 || a->metric_count != b->metric_count)
		return false;
	for (size_t m = 0; m < a->metric_count; m++) {
		const struct series *x = &a->metrics[m].series, *y = &b->metrics[m].series;
		if (x->n != y->n || (x->n > 0 && memcmp(x->values, y->values, x->n * sizeof(*x->values)) != 0))
			return false;
	}
	return true;
}

static void remove_subject(struct result *result, size_t index)
{
	struct subject *subject = &result->subjects[index];
	for (size_t m = 0; m < subject->metric_count; m++)
		series_release(&subject->metrics[m].series);
	result->subject_count--;
	memmove(subject, subject + 1, (result->subject_count - index) * sizeof(*subject));
}

/* Where the last subject equals one of those from `first` on, one of the two goes: not "new". */
static void leave_out_copy(struct criterion_walk *walk, size_t first)
{
	struct result *out = walk->import->out;
	size_t last = out->subject_count - 1;
	for (size_t i = first; i < last; i++) {
		if (!same_values(&out->subjects[i], &out->subjects[last]))
			continue;
		remove_subject(out, strcmp(out->subjects[last].program, "new") == 0 ? i : last);
		walk->copies++;
		return;
	}
}

/* `siblings`: the first subject that was read below the folder's parent. */
static int walk_folder(struct criterion_walk *walk, const char *folder, unsigned depth, size_t siblings)
{
	struct import *import = walk->import;
	const char **names;
	size_t count;
	if (++walk->folders > FOLDERS_MAX) {
		import_bad(import, "more than %d folders", FOLDERS_MAX);
		return error_next(import->err, "give criterion's own folder: target/criterion");
	}
	/* What may not be looked at inside is passed over. */
	if (file_list(&syscalls_libc, folder, &import->out->arena, &names, &count, import->err) != 0)
		return depth == 0 || import->err->kind == ERROR_MEMORY ? -1 : 0;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], "sample.json") != 0)
			continue;
		if (read_folder(import, folder) != 0)
			return -1;
		leave_out_copy(walk, siblings);
	}
	size_t first = import->out->subject_count;
	for (size_t i = 0; i < count && depth < DEPTH_MAX; i++) {
		const char *path = arena_printf(&import->out->arena, "%s/%s", folder, names[i]);
		if (!path)
			return error_memory(import->err);
		if (file_kind(&syscalls_libc, path) == FILE_FOLDER && walk_folder(walk, path, depth + 1, first) != 0)
			return -1;
	}
	return 0;
}

int criterion_read_folder(struct import *import, const char *path)
{
	struct criterion_walk walk = {.import = import};
	char *start = arena_strdup(&import->out->arena, path);
	if (!start)
		return error_memory(import->err);
	for (size_t n = strlen(start); n > 1 && start[n - 1] == '/'; n--)
		start[n - 1] = '\0';
	if (walk_folder(&walk, start, 0, 0) != 0)
		return -1;
	if (walk.copies > 0 && import_warn(import, "copies", "%zu folder%s of another one and left out", walk.copies,
	                                   walk.copies == 1 ? " of criterion is a copy" : "s of criterion are copies") != 0)
		return -1;
	if (import->out->subject_count > 0)
		return 0;
	return error_full(import->err, ERROR_NO_DATA, path, "give a file, or criterion's folder: target/criterion",
	                  "a folder without measurements of criterion (sample.json)");
}
