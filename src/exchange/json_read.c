/* Recursive descent. Elements of open arrays and members of open objects wait on stacks and
 * are kept for good when their container closes. An array is packed as long as it holds
 * only numbers (and nulls), or only arrays of numbers. */
#include "exchange/json_read.h"

#include "base/array.h"
#include "base/memory.h"
#include "exchange/json_scan.h"

#include <string.h>

enum { OWN_BLOCK = 4096 }; /* arrays from this size on are blocks of their own */

struct json_reader {
	struct json_scan scan;
	struct json_tree *tree;
	unsigned depth;
	struct node *items;
	size_t item_count, item_room;
	struct node_member *members;
	size_t member_count, member_room;
	double *numbers;
	size_t number_count, number_room;
	uint32_t *ends;
	size_t end_count, end_room;
};

static int read_value(struct json_reader *reader, struct node *out);

static int push_item(struct json_reader *reader, struct node item)
{
	if (array_reserve(&reader->items, &reader->item_room, reader->item_count + 1) != 0)
		return error_memory(reader->scan.err);
	reader->items[reader->item_count++] = item;
	return 0;
}

static int push_number(struct json_reader *reader, double number)
{
	if (array_reserve(&reader->numbers, &reader->number_room, reader->number_count + 1) != 0)
		return error_memory(reader->scan.err);
	reader->numbers[reader->number_count++] = number;
	return 0;
}

static int push_end(struct json_reader *reader)
{
	if (reader->number_count > UINT32_MAX)
		return json_scan_bad(&reader->scan, "more than 4294967295 numbers in arrays");
	if (array_reserve(&reader->ends, &reader->end_room, reader->end_count + 1) != 0)
		return error_memory(reader->scan.err);
	reader->ends[reader->end_count++] = (uint32_t)reader->number_count;
	return 0;
}

/* The elements from `first` on of a stack, for good; the stack ends at `first` again. A large
 * array that is alone on its stack is taken over, any other copied. */
static void *keep(struct json_reader *reader, void **stack, size_t first, size_t *end, size_t *room, size_t size)
{
	struct json_tree *tree = reader->tree;
	size_t count = *end - first;
	*end = first;
	if (count * size < OWN_BLOCK) {
		void *copy = arena_alloc(&tree->arena, count, size);
		if (copy && count)
			memcpy(copy, (char *)*stack + first * size, count * size);
		return copy;
	}
	void **blocks = mem_resize(tree->blocks, tree->block_count + 1, sizeof(*blocks));
	if (!blocks)
		return NULL;
	tree->blocks = blocks;
	void *kept = first == 0 ? mem_resize(*stack, count, size) : mem_alloc(count, size);
	if (!kept)
		return NULL;
	if (first == 0) {
		*stack = NULL;
		*room = 0;
	} else {
		memcpy(kept, (char *)*stack + first * size, count * size);
	}
	blocks[tree->block_count++] = kept;
	return kept;
}

static int read_text(struct json_reader *reader, struct node *out)
{
	reader->scan.input->at++;
	if (json_scan_characters(&reader->scan) != 0)
		return -1;
	out->type = NODE_TEXT;
	out->count = (uint32_t)reader->scan.text.length;
	out->text = arena_strndup(&reader->tree->arena, buffer_text(&reader->scan.text), reader->scan.text.length);
	return out->text ? 0 : error_memory(reader->scan.err);
}

/* After an element: 1 when another follows, 0 at the closing bracket, -1. */
static int another(struct json_reader *reader, char closing)
{
	int c = json_scan_next(&reader->scan);
	if (c == closing || c == ',')
		reader->scan.input->at++;
	if (c == closing)
		return 0;
	if (c == -2)
		return -1;
	if (c != ',')
		return json_scan_bad(&reader->scan,
		                     closing == ']' ? "',' or ']' was expected here" : "',' or '}' was expected here");
	return 1;
}

/* An array that is being read. Its elements lie on the stacks from these places on. */
struct open_array {
	enum { NOTHING, NUMBERS, ROWS, MIXED } holds;
	size_t first_number, first_end, first_item;
};

static double *keep_numbers(struct json_reader *reader, size_t first)
{
	return keep(reader, (void **)&reader->numbers, first, &reader->number_count, &reader->number_room, sizeof(double));
}

static int close_rows(struct json_reader *reader, const struct open_array *open, struct node *out)
{
	struct node_rows *rows = arena_alloc(&reader->tree->arena, 1, sizeof(*rows));
	out->type = NODE_ROWS;
	out->count = (uint32_t)(reader->end_count - open->first_end);
	uint32_t *ends = keep(reader, (void **)&reader->ends, open->first_end, &reader->end_count, &reader->end_room,
	                      sizeof(*ends));
	double *numbers = keep_numbers(reader, open->first_number);
	if (!rows || !ends || !numbers)
		return error_memory(reader->scan.err);
	for (size_t i = 0; i < out->count && open->first_number > 0; i++)
		ends[i] -= (uint32_t)open->first_number;
	rows->numbers = numbers;
	rows->ends = ends;
	out->rows = rows;
	return 0;
}

/* The array as a value; its elements leave the stacks. */
static int close_array(struct json_reader *reader, const struct open_array *open, struct node *out)
{
	if (open->holds == ROWS)
		return close_rows(reader, open, out);
	if (open->holds == NUMBERS) {
		out->type = NODE_NUMBERS;
		out->count = (uint32_t)(reader->number_count - open->first_number);
		out->numbers = keep_numbers(reader, open->first_number);
		return out->numbers ? 0 : error_memory(reader->scan.err);
	}
	out->type = NODE_ARRAY;
	out->count = (uint32_t)(reader->item_count - open->first_item);
	out->items = keep(reader, (void **)&reader->items, open->first_item, &reader->item_count, &reader->item_room,
	                  sizeof(*out));
	return out->items ? 0 : error_memory(reader->scan.err);
}

/* What was packed becomes elements like others, because one that does not fit comes next. */
static int unpack(struct json_reader *reader, struct open_array *open)
{
	size_t start = open->first_number;
	for (size_t i = start; open->holds == NUMBERS && i < reader->number_count; i++)
		if (push_item(reader, node_of_number(reader->numbers[i])) != 0)
			return -1;
	for (size_t i = open->first_end; open->holds == ROWS && i < reader->end_count; i++) {
		struct node row = {.type = NODE_NUMBERS, .count = reader->ends[i] - (uint32_t)start};
		double *copy = arena_alloc(&reader->tree->arena, row.count, sizeof(*copy));
		if (!copy)
			return error_memory(reader->scan.err);
		memcpy(copy, reader->numbers + start, row.count * sizeof(*copy));
		row.numbers = copy;
		if (push_item(reader, row) != 0)
			return -1;
		start = reader->ends[i];
	}
	reader->number_count = open->first_number;
	reader->end_count = open->first_end;
	open->holds = MIXED;
	return 0;
}

static int read_elements(struct json_reader *reader, struct open_array *open);

static int read_inner_array(struct json_reader *reader, struct open_array *open)
{
	struct open_array inner;
	struct node value = {0};
	if (open->holds == NUMBERS && unpack(reader, open) != 0)
		return -1;
	if (read_elements(reader, &inner) != 0)
		return -1;
	if (inner.holds == NUMBERS && open->holds != MIXED) {
		open->holds = ROWS;
		return push_end(reader);
	}
	if (close_array(reader, &inner, &value) != 0 || (open->holds != MIXED && unpack(reader, open) != 0))
		return -1;
	return push_item(reader, value);
}

static int read_element(struct json_reader *reader, struct open_array *open, int c)
{
	struct node value = {0};
	if (c == '[')
		return read_inner_array(reader, open);
	if (read_value(reader, &value) != 0)
		return -1;
	bool fits = open->holds == NOTHING || open->holds == NUMBERS;
	if (fits && (value.type == NODE_NUMBER || value.type == NODE_INTEGER || value.type == NODE_NULL)) {
		open->holds = NUMBERS;
		return push_number(reader, node_number(&value));
	}
	if (open->holds != MIXED && unpack(reader, open) != 0)
		return -1;
	return push_item(reader, value);
}

static int deeper(struct json_reader *reader)
{
	if (reader->depth == JSON_READ_DEPTH)
		return json_scan_bad(&reader->scan, "nested too deep");
	reader->depth++;
	reader->scan.input->at++;
	return 0;
}

/* All elements of the array that begins here, onto the stacks. */
static int read_elements(struct json_reader *reader, struct open_array *open)
{
	*open = (struct open_array){NOTHING, reader->number_count, reader->end_count, reader->item_count};
	if (deeper(reader) != 0)
		return -1;
	int c = json_scan_next(&reader->scan), more = c == ']' ? 0 : 1;
	if (more == 0)
		reader->scan.input->at++;
	while (more == 1) {
		if (c == -2 || read_element(reader, open, c) != 0)
			return -1;
		more = another(reader, ']');
		if (more == 1)
			c = json_scan_next(&reader->scan);
	}
	if (reader->item_count - open->first_item > UINT32_MAX || reader->number_count - open->first_number > UINT32_MAX)
		return json_scan_bad(&reader->scan, "more than 4294967295 elements in one array");
	reader->depth--;
	return more;
}

static int read_member(struct json_reader *reader)
{
	int c = json_scan_next(&reader->scan);
	if (c == -2)
		return -1;
	if (c != '"')
		return json_scan_bad(&reader->scan, "a key in quotes was expected here");
	reader->scan.input->at++;
	if (json_scan_characters(&reader->scan) != 0)
		return -1;
	uint32_t id = map_text(&reader->tree->keys, buffer_text(&reader->scan.text), reader->scan.text.length);
	if (id == MAP_NONE)
		return error_memory(reader->scan.err);
	struct node_member member = {.key = reader->tree->keys.text[id]};
	c = json_scan_next(&reader->scan);
	if (c == -2)
		return -1;
	if (c != ':')
		return json_scan_bad(&reader->scan, "':' was expected here");
	reader->scan.input->at++;
	if (read_value(reader, &member.value) != 0)
		return -1;
	if (array_reserve(&reader->members, &reader->member_room, reader->member_count + 1) != 0)
		return error_memory(reader->scan.err);
	reader->members[reader->member_count++] = member;
	return 0;
}

static int read_object(struct json_reader *reader, struct node *out)
{
	size_t first = reader->member_count;
	if (deeper(reader) != 0)
		return -1;
	int more = json_scan_next(&reader->scan) == '}' ? 0 : 1;
	if (more == 0)
		reader->scan.input->at++;
	while (more == 1) {
		if (read_member(reader) != 0)
			return -1;
		more = another(reader, '}');
	}
	if (more < 0)
		return -1;
	if (reader->member_count - first > UINT32_MAX)
		return json_scan_bad(&reader->scan, "more than 4294967295 members in one object");
	reader->depth--;
	out->type = NODE_OBJECT;
	out->count = (uint32_t)(reader->member_count - first);
	out->members = keep(reader, (void **)&reader->members, first, &reader->member_count, &reader->member_room,
	                    sizeof(*reader->members));
	return out->members ? 0 : error_memory(reader->scan.err);
}

static int read_value(struct json_reader *reader, struct node *out)
{
	struct open_array open;
	switch (json_scan_next(&reader->scan)) {
	case -2: return -1;
	case -1: return json_scan_bad(&reader->scan, "a value was expected here");
	case '{': return read_object(reader, out);
	case '[': return read_elements(reader, &open) != 0 ? -1 : close_array(reader, &open, out);
	case '"': return read_text(reader, out);
	default: return json_scan_scalar(&reader->scan, out);
	}
}

int json_read(struct input *input, struct json_tree *tree, struct error *err)
{
	struct json_reader reader = {.scan = {.input = input, .err = err, .line = input->line + 1}, .tree = tree};
	memset(tree, 0, sizeof(*tree));
	buffer_init(&reader.scan.text, JSON_TEXT_MAX);
	int status = read_value(&reader, &tree->root);
	if (status == 0) {
		int c = json_scan_next(&reader.scan);
		if (c == -2)
			status = -1;
		else if (c != -1 && c != ';') /* data.js ends its value with a semicolon */
			status = json_scan_bad(&reader.scan, "something follows the end of the JSON");
	}
	mem_free(reader.items);
	mem_free(reader.members);
	mem_free(reader.numbers);
	mem_free(reader.ends);
	buffer_release(&reader.scan.text);
	if (status != 0)
		json_tree_release(tree);
	return status;
}
