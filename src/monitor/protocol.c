#include "monitor/protocol.h"

#include "base/format.h"
#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_name(struct buffer *out, const char *name)
{
	buffer_char(out, ' ');
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;
		if (c <= ' ' || c == '%' || c == 0x7f)
			buffer_printf(out, "%%%02X", c);
		else
			buffer_char(out, (char)c);
	}
}

void protocol_head(struct buffer *out)
{
	buffer_text_add(out, "tare-monitor 1\n");
}

void protocol_reading(struct buffer *out, const struct gauge_reading *reading)
{
	char number[FORMAT_MAX];
	if (!isfinite(reading->value))
		return;
	buffer_text_add(out, gauge_kind_name(reading->kind));
	add_name(out, reading->component);
	add_name(out, reading->quantity);
	format_significant(number, sizeof(number), reading->value, 6);
	size_t length = strlen(number);
	while (strchr(number, '.') && strchr("0.", number[length - 1]) && length > 1) {
		bool point = number[length - 1] == '.';
		number[--length] = '\0';
		if (point)
			break;
	}
	buffer_printf(out, " %s", number);
	if (reading->unit[0])
		add_name(out, reading->unit);
	buffer_char(out, '\n');
}

void protocol_unseen(struct buffer *out, const char *text)
{
	buffer_text_add(out, "unseen ");
	for (; *text; text++)
		buffer_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
	buffer_char(out, '\n');
}

void protocol_sample(struct buffer *out, double seconds)
{
	char number[FORMAT_MAX];
	buffer_printf(out, "sample %s\n", format_fixed(number, sizeof(number), seconds, 3));
}

static int hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	                              : -1;
}

/* The next word, decoded; false when there is none or it is too long. */
static bool take_word(const char **at, char *out, size_t size)
{
	const char *text = *at + strspn(*at, " \t\r");
	size_t length = 0;
	for (; *text && !strchr(" \t\r", *text); text++) {
		char c = *text;
		if (c == '%' && hex(text[1]) >= 0 && hex(text[2]) >= 0) {
			c = (char)(hex(text[1]) * 16 + hex(text[2]));
			text += 2;
		}
		/* What cannot be shown does not get in, however it was written. */
		if ((unsigned char)c < ' ' || c == 0x7f || length + 1 == size)
			return false;
		out[length++] = c;
	}
	out[length] = '\0';
	*at = text;
	return length > 0;
}

static bool take_number(const char **at, double *out)
{
	char word[64];
	return take_word(at, word, sizeof(word)) && parse_double(word, out, NULL) == 0;
}

static bool at_end(const char *at)
{
	return at[strspn(at, " \t\r")] == '\0';
}

static bool parse_reading(const char *at, struct protocol_line *out)
{
	if (!take_word(&at, out->component, sizeof(out->component)) ||
	    !take_word(&at, out->quantity, sizeof(out->quantity)) || !take_number(&at, &out->value))
		return false;
	if (!at_end(at) && !take_word(&at, out->unit, sizeof(out->unit)))
		return false;
	/* A use far above 1 is a mistake of its author, not of the machine. */
	bool share = out->gauge == GAUGE_USE || out->gauge == GAUGE_SHARE;
	return at_end(at) && (!share || (out->value >= 0 && out->value <= 1000));
}

static bool parse_capacity(const char *at, struct protocol_line *out)
{
	return take_word(&at, out->component, sizeof(out->component)) &&
	       take_word(&at, out->quantity, sizeof(out->quantity)) && take_number(&at, &out->value) && out->value > 0 &&
	       at_end(at);
}

static bool parse_link(const char *at, struct protocol_line *out)
{
	return take_word(&at, out->component, sizeof(out->component)) && take_word(&at, out->other, sizeof(out->other)) &&
	       at_end(at);
}

void protocol_parse(const char *line, struct protocol_line *out)
{
	char word[GAUGE_WORD];
	const char *at = line;
	*out = (struct protocol_line){.kind = PROTOCOL_NONSENSE};
	if (at_end(line) || line[0] == '#') {
		out->kind = PROTOCOL_NOTHING;
		return;
	}
	if (strlen(line) >= PROTOCOL_LINE || !take_word(&at, word, sizeof(word)))
		return;
	if (strcmp(word, "tare-monitor") == 0) {
		if (take_number(&at, &out->value) && out->value == 1 && at_end(at))
			out->kind = PROTOCOL_HEAD;
	} else if (strcmp(word, "capacity") == 0) {
		out->kind = parse_capacity(at, out) ? PROTOCOL_CAPACITY : PROTOCOL_NONSENSE;
	} else if (strcmp(word, "link") == 0) {
		out->kind = parse_link(at, out) ? PROTOCOL_LINK : PROTOCOL_NONSENSE;
	} else if (strcmp(word, "unseen") == 0) {
		snprintf(out->text, sizeof(out->text), "%.*s", (int)sizeof(out->text) - 1, at + strspn(at, " "));
		out->kind = PROTOCOL_UNSEEN;
	} else if (strcmp(word, "sample") == 0) {
		out->kind = take_number(&at, &out->value) && at_end(at) ? PROTOCOL_SAMPLE : PROTOCOL_NONSENSE;
	} else if (gauge_kind_by_name(word) != GAUGE_KINDS) {
		out->gauge = gauge_kind_by_name(word);
		out->kind = parse_reading(at, out) ? PROTOCOL_READING : PROTOCOL_NONSENSE;
	}
}
