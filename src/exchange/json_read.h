/* JSON, read into a tree that stays small.
 *
 * jansson takes 48 bytes and more for every number and 150 for every [t]; a file of 500 MB
 * would need several gigabytes, and it refuses the bare NaN and Infinity that Google
 * Benchmark writes and names that are not UTF-8. Here an array of numbers is an array of
 * doubles, an array of such arrays is one array of doubles with row ends, and keys are kept
 * once: a tree is mostly smaller than its text. The text is streamed, never held whole.
 *
 * Beyond the standard: NaN, Infinity and inf as bare words, with sign. Bytes that are not
 * UTF-8, lone surrogates and \u0000 in text become U+FFFD. Of members with equal keys the
 * last counts. Depth is limited to JSON_READ_DEPTH and one text to JSON_TEXT_MAX bytes. */
#ifndef TARE_EXCHANGE_JSON_READ_H
#define TARE_EXCHANGE_JSON_READ_H

#include "exchange/input.h"
#include "base/map.h"

enum { JSON_READ_DEPTH = 200 };
#define JSON_TEXT_MAX ((size_t)16 << 20)

enum node_type {
	NODE_ABSENT, /* no such member or element */
	NODE_NULL,
	NODE_FALSE,
	NODE_TRUE,
	NODE_NUMBER,
	NODE_INTEGER, /* a whole number ≥ 2^53 that a double may not hold */
	NODE_TEXT,
	NODE_ARRAY,
	NODE_NUMBERS, /* an array of numbers; null is NaN */
	NODE_ROWS,    /* an array of arrays of numbers */
	NODE_OBJECT,
};

struct node {
	uint8_t type;
	uint32_t count; /* elements or members; bytes of a text */
	union {
		double number;
		uint64_t integer;
		const char *text; /* NUL-terminated */
		const struct node *items;
		const double *numbers;
		const struct node_rows *rows;
		const struct node_member *members;
	};
};

struct node_rows {
	const double *numbers;
	const uint32_t *ends; /* row i is numbers[ends[i − 1] … ends[i]) */
};

struct node_member {
	const char *key;
	struct node value;
};

struct json_tree {
	struct node root;
	struct map keys;
	struct arena arena;
	void **blocks; /* large arrays */
	size_t block_count;
};

/* Reads the whole input as one value; -1 and err with line and column. */
int json_read(struct input *input, struct json_tree *tree, struct error *err);
void json_tree_release(struct json_tree *tree);

/* Elements of any kind of array, members of an object; 0 of anything else. */
size_t node_length(const struct node *value);
struct node node_item(const struct node *array, size_t i); /* NODE_ABSENT past the end */
struct node node_get(const struct node *object, const char *key);

bool node_is_array(const struct node *value);
bool node_is_object(const struct node *value);
bool node_is_number(const struct node *value);

/* NaN as null. */
struct node node_of_number(double number);

/* A number; also one written as text, as JMH writes "NaN"; NaN of anything else. */
double node_number(const struct node *value);
double node_get_number(const struct node *object, const char *key);
/* The text, or NULL when it is none. */
const char *node_text(const struct node *value);
const char *node_get_text(const struct node *object, const char *key);

#endif
