/* JSON, written as it is produced.
 *
 * The caller says what comes next; commas, line breaks and indentation are put in here.
 * Text is escaped, and bytes that are not UTF-8 become U+FFFD; a number that is not finite
 * becomes null. Nothing fails at the call: check the buffer (and `failed`) at the end. */
#ifndef TARE_EXCHANGE_JSON_WRITE_H
#define TARE_EXCHANGE_JSON_WRITE_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_WRITE_DEPTH = 32 };

struct json_writer {
	struct buffer *out;
	unsigned depth;
	bool compact[JSON_WRITE_DEPTH + 1]; /* this container is written on one line */
	bool object[JSON_WRITE_DEPTH + 1];  /* it is an object */
	bool filled[JSON_WRITE_DEPTH + 1];  /* it has an element already */
	bool after_key;
	/* Where not NULL, called whenever a good deal of text has gathered; empties the buffer.
	 * A failure is kept in `failed` and ends the writing. */
	int (*flush)(void *context, struct buffer *out, struct error *err);
	void *context;
	struct error *err;
	bool failed;
};

void json_write_init(struct json_writer *writer, struct buffer *out);

void json_put_object(struct json_writer *writer);
void json_end_object(struct json_writer *writer);
void json_put_array(struct json_writer *writer);
void json_end_array(struct json_writer *writer);

/* As above, on one line with all that is inside; closed by the same ends. */
void json_put_object_line(struct json_writer *writer);
void json_put_array_line(struct json_writer *writer);

void json_put_key(struct json_writer *writer, const char *key);

/* A key and its value. */
void json_add_text(struct json_writer *writer, const char *key, const char *text); /* NULL gives null */
void json_add_texts(struct json_writer *writer, const char *key, const char *const *texts, size_t count);
void json_add_number(struct json_writer *writer, const char *key, double value);
void json_add_count(struct json_writer *writer, const char *key, uint64_t value);

void json_put_text(struct json_writer *writer, const char *text); /* NULL gives null */
void json_put_number(struct json_writer *writer, double value);
void json_put_count(struct json_writer *writer, uint64_t value);
void json_put_integer(struct json_writer *writer, int64_t value);
void json_put_bool(struct json_writer *writer, bool value);
void json_put_null(struct json_writer *writer);

/* Text as the inside of a JSON string, without the quotes. */
void json_escape(struct buffer *out, const char *text, size_t length);

/* Bytes of the well-formed UTF-8 character at text[0 … length), 0 when there is none. */
size_t utf8_length(const char *text, size_t length);

#endif
