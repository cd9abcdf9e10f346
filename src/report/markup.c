/* Clean first, then five entities: nothing else has a meaning inside text or a quoted attribute. */
#include "report/markup.h"

#include "report/text_width.h"

#include <ctype.h>
#include <string.h>

static void add_entities(struct buffer *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case '&': buffer_text_add(out, "&amp;"); break;
		case '<': buffer_text_add(out, "&lt;"); break;
		case '>': buffer_text_add(out, "&gt;"); break;
		case '"': buffer_text_add(out, "&quot;"); break;
		case '\'': buffer_text_add(out, "&#39;"); break;
		default: buffer_char(out, text[i]);
		}
	}
}

void markup_escape(struct buffer *out, const char *text)
{
	struct text_walk walk = {.at = text};
	struct text_glyph glyph;
	while (text_next(&walk, &glyph))
		add_entities(out, glyph.text, glyph.length);
}

void markup_escape_fit(struct buffer *out, const char *text, size_t width)
{
	struct buffer fitted = {0};
	text_fit(&fitted, text, width, TEXT_UNICODE);
	add_entities(out, buffer_text(&fitted), fitted.length);
	out->out_of_memory |= fitted.out_of_memory;
	buffer_release(&fitted);
}

void markup_label(struct buffer *out, const char *text)
{
	struct text_walk walk = {.at = text};
	struct text_glyph glyph;
	while (text_next(&walk, &glyph))
		for (unsigned i = 0; i < glyph.length; i++) {
			if (glyph.text[i] == '"' || glyph.text[i] == '\\')
				buffer_char(out, '\\');
			buffer_char(out, glyph.text[i]);
		}
}

void markup_identifier(struct buffer *out, const char *text)
{
	for (; *text; text++)
		buffer_char(out, (unsigned char)*text < 0x80 && isalnum((unsigned char)*text) ? *text : '-');
}

void markup_json(struct buffer *out, const char *json)
{
	for (size_t plain; *json; json++) {
		plain = strcspn(json, "<>&");
		buffer_add(out, json, plain);
		json += plain;
		if (!*json)
			break;
		buffer_printf(out, "\\u%04x", (unsigned)*json);
	}
}
