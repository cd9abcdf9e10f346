#include "exchange/history_read.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/parse.h"
#include "exchange/formats.h"
#include "exchange/history_table.h"
#include "exchange/json_read.h"
#include "exchange/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 64 << 10 };

struct script {
	const struct import_options *options;
	history_take take;
	void *context;
	struct error *err;
};

/* "ns/op\t 4.000 more": some tools put more into the unit than a unit. */
static void clean_unit(const char *text, char *unit, size_t size)
{
	snprintf(unit, size, "%.*s", (int)strcspn(text ? text : "", "\t\n"), text ? text : "");
	for (size_t n = strlen(unit); n > 0 && unit[n - 1] == ' ';)
		unit[--n] = '\0';
}

/* One more value of the entry that `of` tells of. */
static int take_bench(struct script *script, const struct history_record *of, const char *suite, const char *tool,
                      const struct node *bench)
{
	char unit[64];
	struct buffer subject = {0};
	struct history_record record = *of;
	const char *name = node_get_text(bench, "name");
	clean_unit(node_get_text(bench, "unit"), unit, sizeof(unit));
	struct unit_scale scale = units_meaning(unit);
	record.value = units_convert(&scale, node_get_number(bench, "value"));
	if (!name || !isfinite(record.value))
		return 0;
	buffer_printf(&subject, "%s%s%s", suite, suite[0] ? "/" : "", name);
	record.subject = buffer_text(&subject);
	record.metric = strcmp(scale.name, "s") == 0 ? "wall" : unit[0] ? unit : "value";
	record.unit = scale.name;
	record.better = better_from_unit(scale.name);
	if (tool && strcmp(tool, "customBiggerIsBetter") == 0)
		record.better = BETTER_HIGHER;
	if (script->options->better != IMPORT_BETTER_BY_UNIT)
		record.better = script->options->better == IMPORT_BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
	int status = buffer_error(&subject, script->err) != 0 ? -1 : script->take(script->context, &record, script->err);
	buffer_release(&subject);
	return status;
}

static int take_entry(struct script *script, const char *suite, const struct node *entry, size_t number)
{
	struct node commit = node_get(entry, "commit"), benches = node_get(entry, "benches");
	double date = node_get_number(entry, "date");
	const char *id = node_get_text(&commit, "id"), *tool = node_get_text(entry, "tool");
	struct history_record record = {.commit = id ? id : "", .machine = "", .low = NAN, .high = NAN};
	record.timed = date >= 0 && date < 1e15;
	record.when = record.timed ? (int64_t)date : (int64_t)number;
	int status = 0;
	for (size_t i = 0; status == 0 && i < node_length(&benches); i++) {
		struct node bench = node_item(&benches, i);
		status = take_bench(script, &record, suite, tool, &bench);
	}
	return status;
}

/* 1: it is another kind of JSON. */
static int read_script(struct script *script, struct input *input)
{
	struct json_tree tree;
	if (json_read(input, &tree, script->err) != 0)
		return -1;
	struct node entries = node_get(&tree.root, "entries");
	int status = node_is_object(&entries) ? 0 : 1;
	for (size_t s = 0; status == 0 && s < entries.count; s++) {
		const struct node *list = &entries.members[s].value;
		for (size_t i = 0; status == 0 && i < node_length(list); i++) {
			struct node entry = node_item(list, i);
			status = take_entry(script, entries.count > 1 ? entries.members[s].key : "", &entry, i);
		}
	}
	json_tree_release(&tree);
	return status;
}

/* Where JSON begins, also behind "window.BENCHMARK_DATA ="; NULL: it is no JSON. */
static const char *json_start(const char *head)
{
	static const char assignment[] = "window.BENCHMARK_DATA";
	const char *start = head + strspn(head, " \t\r\n");
	if (strncmp(start, assignment, sizeof(assignment) - 1) == 0) {
		start += sizeof(assignment) - 1;
		start += strspn(start, " \t\r\n=");
	}
	return *start == '{' || *start == '[' ? start : NULL;
}

/* Text of a tool: not a history, but one result. */
static bool is_of_a_tool(const char *head, size_t length, const struct import_options *options)
{
	static const struct text_format *const formats[] = {&perf_format, &go_format, &rebench_format};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i]->matches(head, length, options))
			return true;
	return false;
}

/* Whether the header of Google Benchmark's table is the first line, but for empty ones and comments; others tell of the
 * machine and make it text of a tool. */
static bool starts_with_names(const char *head)
{
	while (*head == '#' || *head == '\r' || *head == '\n') {
		head += strcspn(head, "\n");
		head += *head == '\n';
	}
	return strncmp(head, "name,", 5) == 0;
}

static int read_input(struct input *input, const struct import_options *options, history_take take, void *context,
                      struct error *err)
{
	struct script script = {options, take, context, err};
	char head[HEAD + 1];
	if (input_need(input, HEAD, err) != 0)
		return -1;
	size_t length = input->end - input->at < HEAD ? input->end - input->at : HEAD;
	memcpy(head, input->block + input->at, length);
	head[length] = '\0';
	const char *json = json_start(head);
	bool gbench = !json && gbench_csv_format.matches(head, length, options);
	if (!json && !options->columns && (is_of_a_tool(head, length, options) || (gbench && !starts_with_names(head))))
		return 1;
	if (!json)
		return history_table_read(input, gbench, options, take, context, err);
	input->at += (size_t)(json - head);
	return read_script(&script, input);
}

int history_read(const char *path, const struct import_options *options, history_take take, void *context,
                 struct error *err)
{
	struct input input;
	if (input_open_file(&input, path, err) != 0)
		return -1;
	int status = read_input(&input, options, take, context, err);
	input_release(&input);
	return status;
}

int history_read_memory(const void *bytes, size_t length, const char *name, const struct import_options *options,
                        history_take take, void *context, struct error *err)
{
	struct input input;
	if (input_open_memory(&input, bytes, length, name, err) != 0)
		return -1;
	int status = read_input(&input, options, take, context, err);
	input_release(&input);
	return status;
}

static bool is_of_numbers(const char *at, size_t length)
{
	static const char between[] = " \t\r,;";
	const char *end = at + length;
	bool any = false;
	for (double value; at < end && *at != '#' && *at != '\n'; any = true) {
		size_t n = parse_number_prefix(at, (size_t)(end - at), &value);
		if (n == 0)
			return false;
		at += n;
		if (at < end && *at != '\n' && !strchr(between, *at))
			return false;
		while (at < end && *at && strchr(between, *at))
			at++;
	}
	return any;
}

bool history_is_of_numbers(const char *path)
{
	struct error err;
	struct input input;
	if (input_open_file(&input, path, &err) != 0)
		return false;
	bool found = false;
	if (input_need(&input, HEAD, &err) == 0) {
		const char *at = input.block + input.at, *end = input.block + input.end;
		while (at < end && (*at == '#' || *at == '\r' || *at == '\n')) {
			const char *line = memchr(at, '\n', (size_t)(end - at));
			at = line ? line + 1 : end;
		}
		found = is_of_numbers(at, (size_t)(end - at));
	}
	input_release(&input);
	return found;
}

int history_keep(void *context, const struct history_record *record, struct error *err)
{
	struct history_records *records = context;
	if (array_reserve(&records->items, &records->capacity, records->count + 1) != 0)
		return error_memory(err);
	struct history_kept *kept = &records->items[records->count];
	*kept = (struct history_kept){*record, records->count};
	const char **texts[] = {&kept->what.commit, &kept->what.machine, &kept->what.subject, &kept->what.metric,
	                        &kept->what.unit};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!(*texts[i] = arena_strdup(&records->arena, *texts[i])))
			return error_memory(err);
	records->count++;
	return 0;
}

void history_records_release(struct history_records *records)
{
	mem_free(records->items);
	arena_release(&records->arena);
}
