#include "base/cell.h"

#include "base/parse.h"

#include <string.h>

static const char begins_formula[] = "=+-@\t\r";

/* Apostrophes that a text has of its own are counted too: taking one off again must give the same text. */
static bool must_be_guarded(const char *text)
{
	double number;
	char first = text[strspn(text, "'")];
	if (!first || !strchr(begins_formula, first))
		return false;
	size_t used = parse_number_prefix(text, strlen(text), &number);
	return used == 0 || strpbrk(text + used, "=+-*/^&|<>!@('\"");
}

bool cell_is_guarded(const char *text, size_t length)
{
	size_t quotes = 0;
	while (quotes < length && text[quotes] == '\'')
		quotes++;
	return quotes > 0 && quotes < length && memchr(begins_formula, text[quotes], sizeof(begins_formula) - 1);
}

/* What is no text: tables with such bytes are taken for binary files, and terminals obey them. */
static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && !strchr("\t\r\n", c)) || c == 0x7f;
}

void cell_put(struct buffer *out, const char *text)
{
	bool guarded = must_be_guarded(text), blank = text[0] == ' ' || (text[0] && text[strlen(text) - 1] == ' ');
	bool quoted = blank || strpbrk(text, ",;|\t\"\r\n#");
	buffer_text_add(out, quoted ? "\"" : "");
	buffer_text_add(out, guarded ? "'" : "");
	for (; *text; text++) {
		if (*text == '"')
			buffer_char(out, '"');
		if (is_control(*text))
			buffer_printf(out, "\\x%02x", (unsigned char)*text);
		else
			buffer_char(out, *text);
	}
	buffer_text_add(out, quoted ? "\"" : "");
}
