/* Looking into a tree, whatever way its arrays are kept. */
#include "exchange/json_read.h"

#include "base/memory.h"
#include "base/parse.h"

#include <math.h>
#include <string.h>

void json_tree_release(struct json_tree *tree)
{
	for (size_t i = 0; i < tree->block_count; i++)
		mem_free(tree->blocks[i]);
	mem_free(tree->blocks);
	map_release(&tree->keys);
	arena_release(&tree->arena);
	memset(tree, 0, sizeof(*tree));
}

struct node node_of_number(double number)
{
	struct node node = {.type = NODE_NULL};
	if (!isnan(number)) {
		node.type = NODE_NUMBER;
		node.number = number;
	}
	return node;
}

size_t node_length(const struct node *value)
{
	return value->type >= NODE_ARRAY ? value->count : 0;
}

struct node node_item(const struct node *array, size_t i)
{
	if (!node_is_array(array) || i >= array->count)
		return (struct node){.type = NODE_ABSENT};
	if (array->type == NODE_NUMBERS)
		return node_of_number(array->numbers[i]);
	if (array->type == NODE_ROWS) {
		uint32_t start = i ? array->rows->ends[i - 1] : 0;
		return (struct node){
			.type = NODE_NUMBERS, .count = array->rows->ends[i] - start, .numbers = array->rows->numbers + start};
	}
	return array->items[i];
}

struct node node_get(const struct node *object, const char *key)
{
	for (size_t i = object->type == NODE_OBJECT ? object->count : 0; i > 0; i--)
		if (strcmp(object->members[i - 1].key, key) == 0)
			return object->members[i - 1].value;
	return (struct node){.type = NODE_ABSENT};
}

bool node_is_array(const struct node *value)
{
	return value->type == NODE_ARRAY || value->type == NODE_NUMBERS || value->type == NODE_ROWS;
}

bool node_is_object(const struct node *value)
{
	return value->type == NODE_OBJECT;
}

bool node_is_number(const struct node *value)
{
	return value->type == NODE_NUMBER || value->type == NODE_INTEGER;
}

double node_number(const struct node *value)
{
	double number;
	if (value->type == NODE_NUMBER)
		return value->number;
	if (value->type == NODE_INTEGER)
		return (double)value->integer;
	if (value->type == NODE_TEXT && value->count > 0 &&
	    parse_number_prefix(value->text, value->count, &number) == value->count)
		return number;
	return NAN;
}

double node_get_number(const struct node *object, const char *key)
{
	struct node value = node_get(object, key);
	return node_number(&value);
}

const char *node_text(const struct node *value)
{
	return value->type == NODE_TEXT ? value->text : NULL;
}

const char *node_get_text(const struct node *object, const char *key)
{
	struct node value = node_get(object, key);
	return node_text(&value);
}
