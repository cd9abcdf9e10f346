/* Widths against the C library's wcwidth(), hostile names, and properties of fitting over random bytes. */
#include "report/text_width.h"

#include "base/random.h"
#include "support/known.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

static const char *clean(struct buffer *out, const char *text, enum text_charset charset)
{
	buffer_clear(out);
	text_clean(out, text, charset);
	return buffer_text(out);
}

static const char *fit(struct buffer *out, const char *text, size_t width, enum text_charset charset)
{
	buffer_clear(out);
	text_fit(out, text, width, charset);
	return buffer_text(out);
}

/* The C library has its own tables, from another version of Unicode; these blocks are stable. */
static void test_widths_agree_with_the_c_library(void **state)
{
	(void)state;
	static const struct {
		uint32_t first, last;
	} blocks[] = {
		{0x20, 0x7e},     {0xa1, 0xac},     {0xae, 0x2ff},    {0x300, 0x36f},     {0x370, 0x377},
		{0x400, 0x482},   {0x5d0, 0x5ea},   {0xe01, 0xe3a},   {0x1100, 0x115f},   {0x1160, 0x11ff},
		{0x2190, 0x21ff}, {0x2500, 0x259f}, {0x2800, 0x28ff}, {0x3041, 0x3096},   {0x30a1, 0x30ff},
		{0x4e00, 0x9fa5}, {0xac00, 0xd7a3}, {0xff01, 0xff60}, {0x1f600, 0x1f64f}, {0x20000, 0x2a6d6},
	};
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	size_t compared = 0;
	for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++) {
		for (uint32_t code = blocks[b].first; code <= blocks[b].last; code++) {
			char text[8] = "a";
			text_encode(code, text + 1);
			int expected = wcwidth((wchar_t)code);
			if (expected < 0)
				continue;
			if (text_width(text, TEXT_UNICODE) != 1 + (size_t)expected)
				fail_msg("U+%04X is %zu columns wide here and %d in the C library", (unsigned)code,
				         text_width(text, TEXT_UNICODE) - 1, expected);
			compared++;
		}
	}
	assert_true(compared > 60000);
	setlocale(LC_CTYPE, "C");
}

static void test_encode_and_decode_are_inverse(void **state)
{
	(void)state;
	for (uint32_t code = 1; code <= 0x10ffff; code++) {
		if (code >= 0xd800 && code <= 0xdfff)
			continue;
		char text[5];
		unsigned bytes = text_encode(code, text), length;
		assert_int_equal(text_decode(text, &length), code);
		assert_int_equal(length, bytes);
	}
}

static void test_bad_bytes_are_refused_one_by_one(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xf0\x80\x80\x80",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xe2\x82",
		"\xf0\x9f\x98",
		"\xc3",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		unsigned length;
		assert_int_equal(text_decode(bad[i], &length), UINT32_MAX);
		assert_int_equal(length, 1);
	}
}

static void test_what_a_terminal_would_act_on_is_shown(void **state)
{
	(void)state;
	static const struct {
		const char *text, *unicode, *ascii;
	} cases[] = {
		{"", "", ""},
		{"plain", "plain", "plain"},
		{"C:\\bin", "C:\\bin", "C:\\bin"},
		{"a\tb\nc\rd", "a\\tb\\nc\\rd", "a\\tb\\nc\\rd"},
		{"\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m", "\\x1b[31mred\\x1b[0m"},
		{"\033]0;title\a", "\\x1b]0;title\\x07", "\\x1b]0;title\\x07"},
		{"\x7f", "\\x7f", "\\x7f"},
		{"\xc2\x9b"
	     "31m",
	     "\\u009b31m", "\\u009b31m"},
		{"\xff\xfe", "\\xff\\xfe", "\\xff\\xfe"},
		{"abc\xe2\x82", "abc\\xe2\\x82", "abc\\xe2\\x82"},
		{"\u202etxt.exe", "\\u202etxt.exe", "\\u202etxt.exe"},
		{"a\u200fb\u2066c\u2069", "a\\u200fb\\u2066c\\u2069", "a\\u200fb\\u2066c\\u2069"},
		{"\ufeffx", "\\ufeffx", "\\ufeffx"},
		{"a\u2028b", "a\\u2028b", "a\\u2028b"},
		{"x\U000e0041", "x\\U000e0041", "x\\U000e0041"},
		{"\u0301x", "\\u0301x", "\\u0301x"},
		{"caf\u00e9", "caf\u00e9", "caf\\u00e9"},
		{"12 \u00b5s \u00b1 3", "12 \u00b5s \u00b1 3", "12 us +- 3"},
		{"\u03c3", "\u03c3", "sd"},
		{"\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05dd", "\\u05e9\\u05dc\\u05d5\\u05dd"},
	};
	struct buffer out = {0};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(clean(&out, cases[i].text, TEXT_UNICODE), cases[i].unicode);
		assert_string_equal(clean(&out, cases[i].text, TEXT_ASCII), cases[i].ascii);
	}
	buffer_release(&out);
}

static void test_a_pile_of_marks_is_cut_down(void **state)
{
	(void)state;
	char text[64] = "e";
	for (int i = 0; i < 6; i++)
		strcat(text, "\u0301");
	/* Four marks on the e, the fifth as an escape, the sixth on that escape. */
	assert_int_equal(text_width(text, TEXT_UNICODE), 1 + 6);
}

static void test_the_middle_is_lost_first(void **state)
{
	(void)state;
	struct buffer out = {0};
	assert_string_equal(fit(&out, "benchmark", 9, TEXT_UNICODE), "benchmark");
	assert_string_equal(fit(&out, "benchmark", 8, TEXT_UNICODE), "benc\u2026ark");
	assert_string_equal(fit(&out, "benchmark", 8, TEXT_ASCII), "ben...rk");
	assert_string_equal(fit(&out, "benchmark", 2, TEXT_UNICODE), "b\u2026");
	assert_string_equal(fit(&out, "benchmark", 1, TEXT_UNICODE), "\u2026");
	assert_string_equal(fit(&out, "benchmark", 2, TEXT_ASCII), "..");
	assert_string_equal(fit(&out, "benchmark", 0, TEXT_UNICODE), "");
	/* A wide character is never halved, a mark never leaves its base, an escape is never cut. */
	assert_string_equal(fit(&out, "\u6f22\u5b57\u6f22\u5b57", 5, TEXT_UNICODE), "\u6f22\u2026\u5b57");
	assert_string_equal(fit(&out, "\u6f22\u5b57\u6f22\u5b57", 4, TEXT_UNICODE), "\u6f22\u2026");
	assert_string_equal(fit(&out, "abcde\u0301", 4, TEXT_UNICODE), "ab\u2026e\u0301");
	assert_string_equal(fit(&out, "abcdde\u0301fg", 5, TEXT_UNICODE), "ab\u2026fg");
	assert_string_equal(fit(&out, "abc\033defgh", 9, TEXT_UNICODE), "abc\u2026efgh");
	buffer_release(&out);
}

static void test_fields_are_exactly_as_wide_as_asked(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "abc", "\u6f22\u5b57\u6f22", "long enough to be cut", "e\u0301", "\033"};
	struct buffer out = {0};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t width = 0; width < 30; width++)
			for (int align = TEXT_LEFT; align <= TEXT_CENTER; align++)
				for (int charset = TEXT_UNICODE; charset <= TEXT_ASCII; charset++) {
					buffer_clear(&out);
					text_field(&out, texts[i], width, (enum text_align)align, (enum text_charset)charset);
					assert_int_equal(text_width(buffer_text(&out), TEXT_UNICODE), width);
				}
	buffer_clear(&out);
	text_field(&out, "ab", 5, TEXT_RIGHT, TEXT_UNICODE);
	assert_string_equal(buffer_text(&out), "   ab");
	buffer_clear(&out);
	text_field(&out, "ab", 5, TEXT_CENTER, TEXT_UNICODE);
	assert_string_equal(buffer_text(&out), " ab  ");
	buffer_release(&out);
}

/* Bytes that are likely to be interesting, rather than uniform ones. */
static void random_text(struct random *random, char *text, size_t most)
{
	static const char *const pieces[] = {"\u0301", "\u6f22", "\u202e", "\033[", "\xf0\x9f\x98\x80",
	                                     "e",      "\xc2",   "\xff",   " "};
	size_t length = random_below(random, most), at = 0;
	while (at < length) {
		if (random_below(random, 2)) {
			const char *piece = pieces[random_below(random, sizeof(pieces) / sizeof(pieces[0]))];
			memcpy(text + at, piece, strlen(piece));
			at += strlen(piece);
		} else {
			text[at++] = (char)(1 + random_below(random, 255));
		}
	}
	text[at] = '\0';
}

static void test_random_bytes_become_harmless(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 20240611);
	struct buffer once = {0}, twice = {0};
	for (int round = 0; round < 20000; round++) {
		char text[96];
		random_text(&random, text, 80);
		enum text_charset charset = round % 2 ? TEXT_ASCII : TEXT_UNICODE;
		clean(&once, text, charset);
		clean(&twice, buffer_text(&once), charset);
		assert_string_equal(buffer_text(&once), buffer_text(&twice));
		assert_int_equal(text_width(text, charset), text_width(buffer_text(&once), charset));
		for (const char *at = buffer_text(&once); *at;) {
			unsigned length;
			uint32_t code = text_decode(at, &length);
			assert_true(code >= 0x20 && code != 0x7f && code != UINT32_MAX && (code < 0x80 || code > 0x9f));
			assert_true(charset == TEXT_UNICODE || code < 0x7f);
			assert_false(code >= 0x202a && code <= 0x202e);
			at += length;
		}
		size_t width = random_below(&random, 60);
		fit(&twice, text, width, charset);
		assert_true(text_width(buffer_text(&twice), charset) <= width);
	}
	buffer_release(&once);
	buffer_release(&twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths_agree_with_the_c_library),
		cmocka_unit_test(test_encode_and_decode_are_inverse),
		cmocka_unit_test(test_bad_bytes_are_refused_one_by_one),
		cmocka_unit_test(test_what_a_terminal_would_act_on_is_shown),
		cmocka_unit_test(test_a_pile_of_marks_is_cut_down),
		cmocka_unit_test(test_the_middle_is_lost_first),
		cmocka_unit_test(test_fields_are_exactly_as_wide_as_asked),
		cmocka_unit_test(test_random_bytes_become_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
