/* The text is walked, not parsed into a tree: a value that is not on the path is passed over by its brackets and
 * quotes. So the output of a program may be large, and text before and after the JSON does no harm. */
#include "measure/json_path.h"

#include "base/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct path_cursor {
	const char *at, *end;
};

/* One step of a path: a key or a place. */
struct path_step {
	const char *key; /* NULL: place */
	size_t length;
	long place;
	bool all; /* of an array */
};

/* Reads the step at *path and moves behind it; false when there is none that makes sense. */
static bool next_step(const char **path, struct path_step *step)
{
	const char *at = *path;
	*step = (struct path_step){.key = NULL};
	if (*at == '[' && (at[1] == '"' || at[1] == '\'')) {
		const char *close = strchr(at + 2, at[1]);
		if (!close || close[1] != ']')
			return false;
		step->key = at + 2;
		step->length = (size_t)(close - step->key);
		*path = close + 2;
		return true;
	}
	if (at[0] == '[' && (at[1] == ']' || (at[1] == '*' && at[2] == ']'))) {
		step->all = true;
		*path = strchr(at, ']') + 1;
		return true;
	}
	if (*at == '[') {
		char *end;
		step->place = strtol(at + 1, &end, 10);
		if (end == at + 1 || *end != ']')
			return false;
		*path = end + 1;
		return true;
	}
	at += *at == '.';
	step->key = at;
	step->length = strcspn(at, ".[");
	*path = at + step->length;
	return step->length > 0;
}

static const char *path_start(const char *path)
{
	return path + (path[0] == '$');
}

bool json_path_valid(const char *path)
{
	struct path_step step;
	const char *at = path_start(path);
	if (!*at)
		return false;
	while (*at)
		if (!next_step(&at, &step))
			return false;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int peek(struct path_cursor *cursor)
{
	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
	return cursor->at < cursor->end ? (unsigned char)*cursor->at : -1;
}

static bool take(struct path_cursor *cursor, char c)
{
	if (peek(cursor) != c)
		return false;
	cursor->at++;
	return true;
}

/* Passes a text over; *inside is what stands between the quotes. */
static bool pass_text(struct path_cursor *cursor, struct path_cursor *inside)
{
	if (!take(cursor, '"'))
		return false;
	inside->at = cursor->at;
	for (; cursor->at < cursor->end && *cursor->at != '"'; cursor->at++)
		if (*cursor->at == '\\')
			cursor->at++;
	if (cursor->at >= cursor->end)
		return false;
	inside->end = cursor->at++;
	return true;
}

static bool is_mark(char c)
{
	return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':';
}

/* Passes any value over. */
static bool pass_value(struct path_cursor *cursor)
{
	size_t depth = 0;
	do {
		struct path_cursor ignored;
		int c = peek(cursor);
		if (c < 0)
			return false;
		if (c == '"') {
			if (!pass_text(cursor, &ignored))
				return false;
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		if ((c == '}' || c == ']') && depth-- == 0)
			return false;
		if (is_mark((char)c)) {
			cursor->at++;
			if (depth == 0 && (c == ',' || c == ':'))
				return false;
			continue;
		}
		while (cursor->at < cursor->end && !is_blank(*cursor->at) && !is_mark(*cursor->at) && *cursor->at != '"')
			cursor->at++;
	} while (depth > 0);
	return true;
}

static bool same_key(const struct path_cursor *key, const struct path_step *step)
{
	/* An escaped key is compared as it is written: \" in the path for a quote. */
	return (size_t)(key->end - key->at) == step->length && memcmp(key->at, step->key, step->length) == 0;
}

/* From an object to the value of its member. */
static bool enter_member(struct path_cursor *cursor, const struct path_step *step)
{
	if (!take(cursor, '{'))
		return false;
	do {
		struct path_cursor key;
		if (!pass_text(cursor, &key) || !take(cursor, ':'))
			return false;
		if (same_key(&key, step))
			return true;
		if (!pass_value(cursor))
			return false;
	} while (take(cursor, ','));
	return false;
}

static long count_elements(struct path_cursor cursor)
{
	long n = 0;
	if (!take(&cursor, '[') || peek(&cursor) == ']')
		return 0;
	do {
		if (!pass_value(&cursor))
			return 0;
		n++;
	} while (take(&cursor, ','));
	return n;
}

static bool enter_element(struct path_cursor *cursor, long place)
{
	if (place < 0)
		place += count_elements(*cursor);
	if (place < 0 || !take(cursor, '[') || peek(cursor) == ']')
		return false;
	for (; place > 0; place--)
		if (!pass_value(cursor) || !take(cursor, ','))
			return false;
	return true;
}

static bool number_here(struct path_cursor *cursor, double *out)
{
	struct path_cursor text = *cursor, inside;
	if (peek(&text) == '"') {
		if (!pass_text(&text, &inside))
			return false;
	} else {
		inside = text;
		pass_value(&text);
		inside.end = text.at;
	}
	size_t length = (size_t)(inside.end - inside.at);
	double value;
	if (length == 0 || parse_number_prefix(inside.at, length, &value) != length || !isfinite(value))
		return false;
	*out = value;
	return true;
}

/* What to do with each number; false: no more of them. */
struct visitor {
	bool (*visit)(struct visitor *visitor, double value);
	void (*each)(void *context, double value);
	void *context;
	double first;
	bool arrays; /* an array at the end of the path gives its numbers */
};

static bool follow(struct path_cursor cursor, const char *path, struct visitor *visitor);

/* Every element of the array here; false when the visitor has enough. */
static bool follow_elements(struct path_cursor cursor, const char *path, struct visitor *visitor)
{
	if (!take(&cursor, '[') || peek(&cursor) == ']')
		return true;
	do {
		if (!follow(cursor, path, visitor))
			return false;
	} while (pass_value(&cursor) && take(&cursor, ','));
	return true;
}

/* Goes down the path from the value here; false when the visitor has enough. */
static bool follow(struct path_cursor cursor, const char *path, struct visitor *visitor)
{
	struct path_step step;
	double value;
	while (*path) {
		if (!next_step(&path, &step))
			return true;
		if (step.all)
			return follow_elements(cursor, path, visitor);
		if (!(step.key ? enter_member(&cursor, &step) : enter_element(&cursor, step.place)))
			return true;
	}
	if (number_here(&cursor, &value))
		return visitor->visit(visitor, value);
	if (visitor->arrays && peek(&cursor) == '[')
		return follow_elements(cursor, path, visitor);
	return true;
}

static void walk(const char *text, size_t length, const char *path, struct visitor *visitor)
{
	struct path_cursor cursor = {text, text + length};
	path = path_start(path);
	while (cursor.at < cursor.end) {
		if (*cursor.at != '{' && *cursor.at != '[') {
			cursor.at++;
			continue;
		}
		if (!follow(cursor, path, visitor))
			return;
		/* On behind this value, or inside it where it is not one. */
		struct path_cursor after = cursor;
		cursor.at = pass_value(&after) ? after.at : cursor.at + 1;
	}
}

static bool keep_first(struct visitor *visitor, double value)
{
	visitor->first = value;
	return false;
}

bool json_path_number(const char *text, size_t length, const char *path, double *out)
{
	struct visitor visitor = {.visit = keep_first, .first = NAN};
	walk(text, length, path, &visitor);
	if (isnan(visitor.first))
		return false;
	*out = visitor.first;
	return true;
}

static bool pass_on(struct visitor *visitor, double value)
{
	visitor->each(visitor->context, value);
	return true;
}

void json_path_each(const char *text, size_t length, const char *path, void (*visit)(void *context, double value),
                    void *context)
{
	struct visitor visitor = {.visit = pass_on, .each = visit, .context = context, .arrays = true};
	walk(text, length, path, &visitor);
}
