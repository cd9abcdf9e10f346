#include "exchange/json_scan.h"

#include "base/parse.h"
#include "exchange/json_write.h"

#include <math.h>
#include <string.h>

enum { LOOK_AHEAD = 2048 }; /* no number is longer */

static long column(const struct json_scan *scan)
{
	return (long)(scan->slid + scan->input->at - scan->line_start) + 1;
}

int json_scan_bad(struct json_scan *scan, const char *what)
{
	bool cut = scan->input->ended && scan->input->at >= scan->input->end;
	input_problem(scan->input, scan->line, column(scan), scan->err, "%s%s", cut ? "the JSON ends too early: " : "",
	              what);
	return error_next(scan->err, cut ? "the file is cut off or still being written: make it again"
	                                 : "check the file with a JSON tool such as jq");
}

/* At least `want` bytes in the window, or the end of the text. */
static int need(struct json_scan *scan, size_t want)
{
	struct input *input = scan->input;
	if (input->end - input->at >= want || input->ended)
		return 0;
	scan->slid += input->at; /* the window slides to its front */
	uint64_t before = scan->slid;
	if (input_need(input, want, scan->err) != 0)
		return -1;
	scan->slid = before - input->at;
	return 0;
}

/* The next byte that is not white space, or -1 at the end, -2 on failure. */
int json_scan_next(struct json_scan *scan)
{
	struct input *input = scan->input;
	for (;;) {
		while (input->at < input->end) {
			char c = input->block[input->at];
			if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
				return (unsigned char)c;
			input->at++;
			if (c == '\n') {
				scan->line++;
				scan->line_start = scan->slid + input->at;
			}
		}
		if (input->ended)
			return -1;
		if (need(scan, 1) != 0)
			return -2;
	}
}

static void add_code_point(struct buffer *out, unsigned code)
{
	if (code == 0 || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd;
	if (code < 0x80) {
		buffer_char(out, (char)code);
	} else if (code < 0x800) {
		buffer_char(out, (char)(0xc0 | code >> 6));
		buffer_char(out, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		buffer_char(out, (char)(0xe0 | code >> 12));
		buffer_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_char(out, (char)(0x80 | (code & 0x3f)));
	} else {
		buffer_char(out, (char)(0xf0 | code >> 18));
		buffer_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
		buffer_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_char(out, (char)(0x80 | (code & 0x3f)));
	}
}

static int hex4(const char *text, size_t length, unsigned *code)
{
	*code = 0;
	for (size_t i = 0; i < 4; i++) {
		char c = i < length ? text[i] : '\0';
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
		                 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
		                                        : 16;
		if (digit == 16)
			return -1;
		*code = *code * 16 + digit;
	}
	return 0;
}

/* The escape at the window's start, which is a backslash. */
static int read_escape(struct json_scan *scan)
{
	static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
	struct input *input = scan->input;
	if (need(scan, 12) != 0)
		return -1;
	const char *at = input->block + input->at;
	size_t left = input->end - input->at;
	if (left < 2) {
		input->at = input->end;
		return json_scan_bad(scan, "text without its closing quote");
	}
	if (at[1] != 'u') {
		for (const char *pair = letters; *pair; pair += 2) {
			if (*pair == at[1]) {
				buffer_char(&scan->text, pair[1]);
				input->at += 2;
				return 0;
			}
		}
		return json_scan_bad(scan, "an unknown escape in a text");
	}
	unsigned code, low;
	if (hex4(at + 2, left - 2, &code) != 0)
		return json_scan_bad(scan, "\\u without four hexadecimal digits");
	input->at += 6;
	if (code >= 0xd800 && code < 0xdc00 && left >= 12 && at[6] == '\\' && at[7] == 'u' &&
	    hex4(at + 8, left - 8, &low) == 0 && low >= 0xdc00 && low < 0xe000) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		input->at += 6;
	}
	add_code_point(&scan->text, code);
	return 0;
}

/* The text after its opening quote, into scan->text. */
int json_scan_characters(struct json_scan *scan)
{
	struct input *input = scan->input;
	buffer_clear(&scan->text);
	for (;;) {
		if (need(scan, 8) != 0)
			return -1;
		if (input->at >= input->end)
			return json_scan_bad(scan, "text without its closing quote");
		const char *at = input->block + input->at;
		size_t left = input->end - input->at, n = 0;
		while (n < left && (unsigned char)at[n] >= 0x20 && (unsigned char)at[n] < 0x80 && at[n] != '"' && at[n] != '\\')
			n++;
		if (n > 0) {
			buffer_add(&scan->text, at, n);
		} else if (*at == '"') {
			input->at++;
			break;
		} else if (*at == '\\') {
			if (read_escape(scan) != 0)
				return -1;
		} else if ((unsigned char)*at < 0x20) {
			return json_scan_bad(scan, "a control character or line break in a text");
		} else if ((n = utf8_length(at, left)) > 0) {
			buffer_add(&scan->text, at, n);
		} else {
			buffer_text_add(&scan->text, "\xef\xbf\xbd");
			n = 1;
		}
		input->at += n;
		if (scan->text.too_long)
			return json_scan_bad(scan, "a text of more than 16 MB");
	}
	return buffer_error(&scan->text, scan->err);
}

/* A whole number from 2^53 up, exactly. */
static bool large_integer(const char *text, size_t length, uint64_t *value)
{
	uint64_t number = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(number, 10u, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(text[i] - '0'), &number))
			return false;
	}
	*value = number;
	return number > 1ull << 53;
}

static bool ends_word(const char *at, size_t left)
{
	return left == 0 || *at == ',' || *at == ']' || *at == '}' || *at == ' ' || *at == '\n' || *at == '\r' ||
	       *at == '\t';
}

int json_scan_scalar(struct json_scan *scan, struct node *out)
{
	static const struct {
		const char *word;
		enum node_type type;
	} words[] = {{"null", NODE_NULL}, {"true", NODE_TRUE}, {"false", NODE_FALSE}};
	struct input *input = scan->input;
	if (need(scan, LOOK_AHEAD) != 0)
		return -1;
	const char *at = input->block + input->at;
	size_t left = input->end - input->at;
	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(words[i].word);
		if (left >= n && memcmp(at, words[i].word, n) == 0 && ends_word(at + n, left - n)) {
			out->type = (uint8_t)words[i].type;
			input->at += n;
			return 0;
		}
	}
	double value;
	size_t used = parse_number_prefix(at, left, &value);
	if (used >= LOOK_AHEAD)
		return json_scan_bad(scan, "a number of more than 2000 digits");
	if (used == 0 || !ends_word(at + used, left - used))
		return json_scan_bad(scan, "a value was expected here");
	out->type = NODE_NUMBER;
	out->number = value;
	if (fabs(value) >= 0x1p53 && large_integer(at, used, &out->integer))
		out->type = NODE_INTEGER;
	input->at += used;
	return 0;
}
