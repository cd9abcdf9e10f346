/* Words and signs carry the meaning; colour only repeats it. */
#include "report/checkup_text.h"

#include <ctype.h>
#include <string.h>

enum { SIGN = 2, TITLE = 4, VALUE = 21, DETAIL = 4, CONTINUED = 10 }; /* columns */

static const char *sign_of(enum finding_state state, enum text_charset charset)
{
	bool ascii = charset == TEXT_ASCII;
	switch (state) {
	case FINDING_OK: return ascii ? "+" : "\u2714";
	case FINDING_COULD_BE_BETTER: return ascii ? "*" : "\u25c6";
	case FINDING_BAD: return ascii ? "!" : "\u2718";
	case FINDING_UNKNOWN: break;
	}
	return "?";
}

static enum emphasis emphasis_of(enum finding_state state)
{
	switch (state) {
	case FINDING_OK: return EMPHASIS_GOOD;
	case FINDING_COULD_BE_BETTER: return EMPHASIS_WARN;
	case FINDING_BAD: return EMPHASIS_BAD;
	case FINDING_UNKNOWN: break;
	}
	return EMPHASIS_FAINT;
}

static void emphasised(const struct look *look, enum emphasis emphasis, const char *text, struct buffer *out)
{
	look_begin(look, emphasis, out);
	buffer_text_add(out, text);
	look_end(look, emphasis, out);
}

/* Bytes of the word at the start of `text`; a number and its per cent sign are one. */
static size_t word_length(const char *text)
{
	size_t bytes = strcspn(text, " ");
	while (text[bytes] == ' ' && text[bytes + 1] == '%')
		bytes += 1 + strcspn(text + bytes + 1, " ");
	return bytes;
}

/* Columns of the first `bytes` of clean text. */
static size_t width_of(const char *text, size_t bytes, enum text_charset charset)
{
	struct text_walk walk = {.at = text, .charset = charset};
	struct text_glyph glyph;
	size_t width = 0;
	while (walk.at < text + bytes && text_next(&walk, &glyph))
		width += glyph.width;
	return width;
}

/* `text` at the cursor's `column`, wrapped at blanks, without a line break at its end. Lines after the first begin
 * at `indent`; `broken` is put at the end of a line that goes on ("" or " \\"). */
static void wrapped(const struct look *look, const char *text, size_t column, size_t indent, const char *broken,
                    struct buffer *out)
{
	struct buffer clean = {0};
	size_t limit = look_width(look) - strlen(broken);
	bool first = true;
	text_clean(&clean, text, look->charset);
	for (const char *word = buffer_text(&clean); *word;) {
		size_t bytes = word_length(word), width = width_of(word, bytes, look->charset);
		if (!first && column + 1 + width > limit) {
			buffer_text_add(out, broken);
			buffer_char(out, '\n');
			buffer_repeat(out, " ", indent);
			column = indent;
		} else if (!first) {
			buffer_char(out, ' ');
			column++;
		}
		buffer_add(out, word, bytes);
		column += width;
		first = false;
		word += bytes;
		word += strspn(word, " ");
	}
	if (clean.out_of_memory)
		out->out_of_memory = true;
	buffer_release(&clean);
}

/* `above`: the advice of the finding before, which is not repeated; or NULL. */
static void details(const struct finding *finding, const char *above, const struct look *look, struct buffer *out)
{
	if (finding->cost) {
		buffer_repeat(out, " ", DETAIL);
		wrapped(look, finding->cost, DETAIL, DETAIL, "", out);
		buffer_char(out, '\n');
	}
	if (finding->advice && !(above && strcmp(above, finding->advice) == 0)) {
		buffer_repeat(out, " ", DETAIL);
		text_clean(out, "→ ", look->charset);
		size_t arrow = text_width("→ ", look->charset);
		wrapped(look, finding->advice, DETAIL + arrow, DETAIL + arrow, "", out);
		buffer_char(out, '\n');
	}
	if (finding->command) {
		buffer_repeat(out, " ", DETAIL + 2);
		buffer_text_add(out, "$ ");
		look_begin(look, EMPHASIS_FIRST, out);
		wrapped(look, finding->command, DETAIL + 4, CONTINUED, " \\", out);
		look_end(look, EMPHASIS_FIRST, out);
		buffer_char(out, '\n');
	}
}

static void one_finding(const struct finding *finding, const char *above, const struct look *look, struct buffer *out)
{
	bool attention = finding->state >= FINDING_COULD_BE_BETTER;
	buffer_repeat(out, " ", SIGN);
	emphasised(look, emphasis_of(finding->state), sign_of(finding->state, look->charset), out);
	buffer_char(out, ' ');
	look_begin(look, attention ? EMPHASIS_STRONG : EMPHASIS_NONE, out);
	text_field(out, finding->title, VALUE - TITLE - 1, TEXT_LEFT, look->charset);
	look_end(look, attention ? EMPHASIS_STRONG : EMPHASIS_NONE, out);
	buffer_char(out, ' ');
	const char *value = finding->value ? finding->value : finding->why;
	wrapped(look, value ? value : "", VALUE, VALUE, "", out);
	buffer_char(out, '\n');
	if (attention)
		details(finding, above, look, out);
}

/* "CPU, system, kernel", broken between them where it is too wide. */
static void heading(const struct checkup *checkup, const struct look *look, struct buffer *out)
{
	const char *parts[] = {checkup->cpu, checkup->os, checkup->kernel};
	size_t column = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t width = parts[i] ? text_width(parts[i], look->charset) : 0;
		if (!parts[i])
			continue;
		if (column > 0) {
			bool fits = column + 2 + width <= look_width(look);
			buffer_text_add(out, fits ? ", " : ",\n");
			column = fits ? column + 2 : 0;
		}
		text_fit(out, parts[i], look_width(look), look->charset);
		column += width;
	}
	buffer_text_add(out, column ? "\n" : "");
}

static void counts(const struct checkup *checkup, const struct look *look, struct buffer *out)
{
	struct buffer text = {0};
	static const enum finding_state order[] = {FINDING_BAD, FINDING_COULD_BE_BETTER, FINDING_OK, FINDING_UNKNOWN};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		size_t count = checkup_count(checkup, order[i]);
		if (count == 0)
			continue;
		buffer_printf(&text, "%s%zu %s", text.length ? ", " : "", count, finding_state_name(order[i]));
	}
	buffer_char(&text, '.');
	wrapped(look, buffer_text(&text), 0, 0, "", out);
	buffer_char(out, '\n');
	if (text.out_of_memory)
		out->out_of_memory = true;
	buffer_release(&text);
}

void checkup_verdict(const struct checkup *checkup, struct buffer *out)
{
	const struct finding *first = checkup_first(checkup);
	if (!first) {
		buffer_text_add(out, "Fit to measure.");
		return;
	}
	bool bad = first->state == FINDING_BAD;
	buffer_text_add(out, bad ? "Not fit to measure yet. First, " : "Fit to measure. Better still, ");
	/* "Switch it off." becomes part of the sentence. */
	const char *advice = first->advice ? first->advice : first->cost ? first->cost : "see above.";
	buffer_printf(out, "%s: %c%s", first->title, tolower((unsigned char)advice[0]), advice + 1);
}

void checkup_text(const struct checkup *checkup, const struct look *look, struct buffer *out)
{
	static const char *const headings[] = {
		[FINDING_UNKNOWN] = "Not known",
		[FINDING_OK] = "Ok",
		[FINDING_COULD_BE_BETTER] = "Could be better",
		[FINDING_BAD] = "Bad",
	};
	struct buffer verdict = {0};
	heading(checkup, look, out);
	for (size_t i = 0; i < checkup->count; i++) {
		const struct finding *finding = &checkup->findings[i];
		bool begins = i == 0 || finding[-1].state != finding->state;
		if (begins) {
			buffer_char(out, '\n');
			emphasised(look, EMPHASIS_STRONG, headings[finding->state], out);
			buffer_char(out, '\n');
		}
		one_finding(finding, begins ? NULL : finding[-1].advice, look, out);
	}
	buffer_char(out, '\n');
	counts(checkup, look, out);
	checkup_verdict(checkup, &verdict);
	const struct finding *first = checkup_first(checkup);
	enum emphasis emphasis = emphasis_of(first ? first->state : FINDING_OK);
	look_begin(look, emphasis, out);
	wrapped(look, buffer_text(&verdict), 0, 0, "", out);
	look_end(look, emphasis, out);
	buffer_char(out, '\n');
	if (verdict.out_of_memory)
		out->out_of_memory = true;
	buffer_release(&verdict);
}
