#include "builds/words.h"
#include "host/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
	struct error err;
	assert_int_equal(file_write_whole(&syscalls_libc, path, text, strlen(text), &err), 0);
}

/* "a|b|c" */
static void join(const struct words *words, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < words->count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? "|" : "", words->items[i]);
}

static void files_of_words(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct words words = {.arena = &arena};
	struct host host = host_real();
	struct error err;
	char text[400];
	bool expanded;
	write_text("inner.words", "-lm\n");
	write_text("outer.words", "a.o  'b c.o'\t\"d\\\"e.o\"\n@inner.words f\\ g.o \"\"\n");
	const char *given[] = {"-o", "out", "@outer.words", "@missing", "@"};
	assert_int_equal(words_expand(&words, &host, given, 5, &expanded, &err), 0);
	join(&words, text, sizeof(text));
	assert_string_equal(text, "-o|out|a.o|b c.o|d\"e.o|-lm|f g.o||@missing|@");
	assert_true(expanded);
	assert_null(words.items[words.count]);
	unlink("inner.words");
	unlink("outer.words");
	arena_release(&arena);
}

/* A file that names itself ends some time. */
static void a_circle(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct words words = {.arena = &arena};
	struct host host = host_real();
	struct error err;
	const char *given[] = {"@circle.words"};
	write_text("circle.words", "x @circle.words");
	assert_int_equal(words_expand(&words, &host, given, 1, NULL, &err), 0);
	assert_string_equal(words.items[words.count - 1], "@circle.words");
	unlink("circle.words");
	arena_release(&arena);
}

static void written_and_read_again(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct words words = {.arena = &arena};
	struct host host = host_real();
	struct buffer text = {0};
	struct error err;
	const char *items[] = {"plain", "with space", "quote\"s'", "back\\slash", "", "new\nline"},
			   *given[] = {"@again.words"};
	words_write(items, 6, &text);
	write_text("again.words", buffer_text(&text));
	assert_int_equal(words_expand(&words, &host, given, 1, NULL, &err), 0);
	assert_int_equal(words.count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(words.items[i], items[i]);
	unlink("again.words");
	buffer_release(&text);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_words),
		cmocka_unit_test(a_circle),
		cmocka_unit_test(written_and_read_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
