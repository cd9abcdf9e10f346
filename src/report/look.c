/* ANSI colours from the first eight, which every terminal's theme makes readable. */
#include "report/look.h"

size_t look_width(const struct look *look)
{
	return look->width ? look->width : 80;
}

static const char *sequence(enum emphasis emphasis)
{
	switch (emphasis) {
	case EMPHASIS_STRONG: return "\033[1m";
	case EMPHASIS_FAINT: return "\033[2m";
	case EMPHASIS_GOOD: return "\033[32m";
	case EMPHASIS_BAD: return "\033[31m";
	case EMPHASIS_WARN: return "\033[33m";
	case EMPHASIS_FIRST: return "\033[36m";
	case EMPHASIS_SECOND: return "\033[35m";
	case EMPHASIS_NONE:
	case EMPHASIS_COUNT: break;
	}
	return "";
}

void look_begin(const struct look *look, enum emphasis emphasis, struct buffer *out)
{
	if (look->colour)
		buffer_text_add(out, sequence(emphasis));
}

void look_end(const struct look *look, enum emphasis emphasis, struct buffer *out)
{
	if (look->colour && *sequence(emphasis))
		buffer_text_add(out, "\033[0m");
}

enum emphasis verdict_emphasis(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_FASTER: return EMPHASIS_GOOD;
	case VERDICT_SLOWER: return EMPHASIS_BAD;
	case VERDICT_MIXED: return EMPHASIS_WARN;
	case VERDICT_SAME: return EMPHASIS_NONE;
	case VERDICT_UNDECIDED: break;
	}
	return EMPHASIS_FAINT;
}

const char *verdict_sign(enum verdict verdict, enum text_charset charset)
{
	bool ascii = charset == TEXT_ASCII;
	switch (verdict) {
	case VERDICT_FASTER: return ascii ? "+" : "\u2714";
	case VERDICT_SLOWER: return ascii ? "!" : "\u2718";
	case VERDICT_MIXED: return ascii ? "*" : "\u25c6";
	case VERDICT_SAME: return "=";
	case VERDICT_UNDECIDED: break;
	}
	return "?";
}
