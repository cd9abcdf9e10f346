#include "exchange/json_write.h"

#include "base/format.h"

#include <inttypes.h>
#include <string.h>

enum { FLUSH_AT = 1 << 20 };

void json_write_init(struct json_writer *writer, struct buffer *out)
{
	memset(writer, 0, sizeof(*writer));
	writer->out = out;
}

size_t utf8_length(const char *text, size_t length)
{
	const unsigned char *s = (const unsigned char *)text;
	if (length == 0)
		return 0;
	if (s[0] < 0x80)
		return 1;
	/* The second byte's range leaves out overlong forms, surrogates and what is past U+10FFFF. */
	size_t n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
	if (n == 0 || length < n)
		return 0;
	unsigned char low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static size_t plain_length(const char *text, size_t length)
{
	size_t n = 0;
	while (n < length && (unsigned char)text[n] >= 0x20 && (unsigned char)text[n] < 0x7f && text[n] != '"' &&
	       text[n] != '\\')
		n++;
	return n;
}

static void escape_one(struct buffer *out, unsigned char c)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	for (const char *pair = letters; *pair; pair += 2) {
		if ((unsigned char)*pair == c) {
			buffer_char(out, '\\');
			buffer_char(out, pair[1]);
			return;
		}
	}
	buffer_printf(out, "\\u%04x", c);
}

void json_escape(struct buffer *out, const char *text, size_t length)
{
	while (length > 0) {
		size_t n = plain_length(text, length);
		if (n > 0) {
			buffer_add(out, text, n);
		} else if ((unsigned char)*text < 0x80) {
			escape_one(out, (unsigned char)*text);
			n = 1;
		} else if ((n = utf8_length(text, length)) > 0) {
			buffer_add(out, text, n);
		} else {
			buffer_text_add(out, "\xef\xbf\xbd");
			n = 1;
		}
		text += n;
		length -= n;
	}
}

static void line_break(struct json_writer *writer)
{
	buffer_char(writer->out, '\n');
	buffer_repeat(writer->out, " ", writer->depth);
}

static void flush(struct json_writer *writer)
{
	if (writer->flush && writer->out->length > FLUSH_AT && !writer->failed)
		writer->failed = writer->flush(writer->context, writer->out, writer->err) != 0;
}

/* What stands between the last thing written and the next one. */
static void before(struct json_writer *writer)
{
	if (writer->after_key) {
		writer->after_key = false;
		return;
	}
	flush(writer);
	if (writer->filled[writer->depth])
		buffer_char(writer->out, ',');
	if (writer->depth > 0 && !writer->compact[writer->depth])
		line_break(writer);
	else if (writer->filled[writer->depth] && writer->object[writer->depth])
		buffer_char(writer->out, ' ');
	writer->filled[writer->depth] = true;
}

static void begin(struct json_writer *writer, char bracket, bool compact)
{
	before(writer);
	buffer_char(writer->out, bracket);
	if (writer->depth == JSON_WRITE_DEPTH) { /* our own documents are never so deep */
		writer->failed = true;
		return;
	}
	compact |= writer->compact[writer->depth];
	writer->depth++;
	writer->compact[writer->depth] = compact;
	writer->object[writer->depth] = bracket == '{';
	writer->filled[writer->depth] = false;
}

static void end(struct json_writer *writer, char bracket)
{
	bool broken = writer->filled[writer->depth] && !writer->compact[writer->depth];
	if (writer->depth > 0)
		writer->depth--;
	if (broken)
		line_break(writer);
	buffer_char(writer->out, bracket);
	if (writer->depth == 0)
		buffer_char(writer->out, '\n');
}

void json_put_object(struct json_writer *writer)
{
	begin(writer, '{', false);
}

void json_put_object_line(struct json_writer *writer)
{
	begin(writer, '{', true);
}

void json_end_object(struct json_writer *writer)
{
	end(writer, '}');
}

void json_put_array(struct json_writer *writer)
{
	begin(writer, '[', false);
}

void json_put_array_line(struct json_writer *writer)
{
	begin(writer, '[', true);
}

void json_end_array(struct json_writer *writer)
{
	end(writer, ']');
}

void json_put_key(struct json_writer *writer, const char *key)
{
	json_put_text(writer, key);
	buffer_text_add(writer->out, ": ");
	writer->after_key = true;
}

void json_put_text(struct json_writer *writer, const char *text)
{
	if (!text) {
		json_put_null(writer);
		return;
	}
	before(writer);
	buffer_char(writer->out, '"');
	json_escape(writer->out, text, strlen(text));
	buffer_char(writer->out, '"');
}

void json_put_number(struct json_writer *writer, double value)
{
	char text[FORMAT_MAX];
	before(writer);
	buffer_text_add(writer->out, format_exact(text, sizeof(text), value));
}

void json_put_count(struct json_writer *writer, uint64_t value)
{
	before(writer);
	buffer_printf(writer->out, "%" PRIu64, value);
}

void json_put_integer(struct json_writer *writer, int64_t value)
{
	before(writer);
	buffer_printf(writer->out, "%" PRId64, value);
}

void json_put_bool(struct json_writer *writer, bool value)
{
	before(writer);
	buffer_text_add(writer->out, value ? "true" : "false");
}

void json_put_null(struct json_writer *writer)
{
	before(writer);
	buffer_text_add(writer->out, "null");
}

void json_add_text(struct json_writer *writer, const char *key, const char *text)
{
	json_put_key(writer, key);
	json_put_text(writer, text);
}

void json_add_texts(struct json_writer *writer, const char *key, const char *const *texts, size_t count)
{
	json_put_key(writer, key);
	json_put_array_line(writer);
	for (size_t i = 0; i < count; i++)
		json_put_text(writer, texts[i]);
	json_end_array(writer);
}

void json_add_number(struct json_writer *writer, const char *key, double value)
{
	json_put_key(writer, key);
	json_put_number(writer, value);
}

void json_add_count(struct json_writer *writer, const char *key, uint64_t value)
{
	json_put_key(writer, key);
	json_put_count(writer, value);
}
