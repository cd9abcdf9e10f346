#include "builds/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct arena arena;
	struct compiler compiler;
};

static void read_line(struct fixture *f, const char *line)
{
	const char *words[32];
	size_t count = 0;
	struct host host = host_real();
	struct error err;
	char *copy = arena_strdup(&f->arena, line);
	for (char *word; (word = strsep(&copy, " ")) != NULL;)
		words[count++] = word;
	assert_int_equal(compiler_read(&f->compiler, &f->arena, &host, words, count, &err), 0);
}

static void what_it_makes(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		bool compiles, links;
	} known[] = {
		{"gcc a.c", true, true},
		{"gcc -c a.c", true, false},
		{"gcc -S a.c", true, false},
		{"gcc -c -MD -MF a.d a.c", true, false},
		{"gcc -E a.c", false, false},
		{"gcc -MM a.c", false, false},
		{"gcc --version", false, false},
		{"gcc -v", false, false},
		{"gcc -print-prog-name=ld a.c", false, false},
		{"gcc -o prog -L. -lall", true, true},
		{"gcc -o nothing", false, false},
		{"gcc -shared -o x.so a.o", true, true},
		{"ccache gcc -c a.c", true, false},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct fixture f = {0};
		read_line(&f, known[i].line);
		assert_int_equal(f.compiler.compiles, known[i].compiles);
		assert_int_equal(f.compiler.links, known[i].links);
		arena_release(&f.arena);
	}
}

static void words_for(struct fixture *f, uint64_t seed, const char *folder, char *text, size_t size)
{
	struct words words = {.arena = &f->arena};
	struct error err;
	assert_int_equal(compiler_words(&f->compiler, seed, folder, &words, &err), 0);
	text[0] = '\0';
	for (size_t i = 0; i < words.count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? " " : "", words.items[i]);
}

/* Ours stand before the user's, which win. */
static void words_of_a_seed(void **state)
{
	(void)state;
	struct fixture f = {0};
	char one[400], two[400];
	read_line(&f, "ccache gcc -O2 -fno-data-sections a.c -o a");
	words_for(&f, 1, "/t", one, sizeof(one));
	assert_memory_equal(one, "ccache gcc -ffunction-sections -fdata-sections -frandom-seed=", 60);
	assert_non_null(strstr(one, " -B/t/ -O2 -fno-data-sections a.c -o a"));
	words_for(&f, 1, "/t", two, sizeof(two));
	assert_string_equal(one, two);
	words_for(&f, 2, "/t", two, sizeof(two));
	assert_string_not_equal(one, two);
	read_line(&f, "gcc -frandom-seed=me -c a.c");
	words_for(&f, 1, NULL, one, sizeof(one));
	assert_string_equal(one, "gcc -ffunction-sections -fdata-sections -frandom-seed=me -c a.c");
	read_line(&f, "clang-17 --ld-path=/opt/ld.lld a.o");
	words_for(&f, 1, "/t", one, sizeof(one));
	assert_string_equal(one, "clang-17 -ffunction-sections -fdata-sections -B/t/ --ld-path=/t/ld a.o");
	assert_string_equal(f.compiler.linker_path, "/opt/ld.lld");
	read_line(&f, "gcc -fuse-ld=gold a.o");
	assert_string_equal(f.compiler.linker, "ld.gold");
	arena_release(&f.arena);
}

static void seeds(void **state)
{
	(void)state;
	struct error err;
	uint64_t seed = 7;
	assert_int_equal(compiler_seed(NULL, &seed, &err), 1);
	assert_int_equal(compiler_seed("", &seed, &err), 1);
	assert_int_equal(compiler_seed("12", &seed, &err), 0);
	assert_int_equal(seed, 12);
	assert_int_equal(compiler_seed("-1", &seed, &err), -1);
	assert_int_equal(compiler_seed("x", &seed, &err), -1);
	assert_string_equal(err.on, "TARE_BUILD_SEED");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_makes),
		cmocka_unit_test(words_of_a_seed),
		cmocka_unit_test(seeds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
