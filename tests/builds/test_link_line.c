#include "builds/link_line.h"
#include "host/file.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const objects_made[] = {"a.o",    "b.o",     "c.o",         "d.o",        "crt1.o",
                                           "crtn.o", "Scrt1.o", "crtbeginS.o", "ccrtXf1a.o", "mycrt1.o"};
enum { MADE = sizeof(objects_made) / sizeof(objects_made[0]) };

static int make_objects(void **state)
{
	(void)state;
	struct error err;
	Elf64_Ehdr head = {.e_type = ET_REL, .e_machine = EM_X86_64};
	mkdir("link-line", 0777);
	if (chdir("link-line") != 0)
		return -1;
	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	for (int i = 0; i < MADE; i++)
		if (file_write_whole(&syscalls_libc, objects_made[i], &head, sizeof(head), &err) != 0)
			return -1;
	return file_write_whole(&syscalls_libc, "lib.a", "!<arch>\n", 8, &err);
}

static int remove_objects(void **state)
{
	(void)state;
	for (int i = 0; i < MADE; i++)
		unlink(objects_made[i]);
	unlink("lib.a");
	return chdir("..") == 0 ? rmdir("link-line") : -1;
}

struct fixture {
	struct arena arena;
	struct objects objects;
	struct link_line line;
};

static void read_line(struct fixture *f, const char *text)
{
	const char *words[40];
	size_t count = 0;
	struct host host = host_real();
	struct error err;
	char *copy = arena_strdup(&f->arena, text);
	f->objects = (struct objects){.arena = &f->arena};
	for (char *word; (word = strsep(&copy, " ")) != NULL;)
		words[count++] = word;
	assert_int_equal(link_line_read(&f->line, &f->arena, &host, words, count, &f->objects, &err), 0);
}

static void joined(const struct words *words, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < words->count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? " " : "", words->items[i]);
}

/* m: movable */
static void places(struct fixture *f, char *text)
{
	for (size_t i = 0; i < f->line.words.count; i++)
		text[i] = f->line.movable[i] ? 'm' : '.';
	text[f->line.words.count] = '\0';
}

static void what_moves(void **state)
{
	(void)state;
	static const struct {
		const char *line, *movable;
	} known[] = {
		{"-o a.o crt1.o b.o c.o -lc d.o crtn.o", "...mm.m."},
		{"Scrt1.o crtbeginS.o a.o", "..m"},
		/* what a compiler may call its temporary file, or a user a file */
		{"ccrtXf1a.o mycrt1.o", "mm"},
		{"a.o lib.a b.o", "m.m"},
		{"-T a.o b.o", "..m"},
		{"-soname a.o --wrap b.o c.o", "....m"},
		{"-z now -m elf_x86_64 a.o missing.o b.o", "....m.m"},
		{"-plugin a.o -plugin-opt=b.o c.o", "...m"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct fixture f = {0};
		char text[60];
		read_line(&f, known[i].line);
		places(&f, text);
		assert_string_equal(text, known[i].movable);
		arena_release(&f.arena);
	}
}

/* Whatever the seed, nothing crosses a library, a group, an option or a start file. */
static void neighbours_only(void **state)
{
	(void)state;
	bool changed = false;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct fixture f = {0};
		struct random random;
		char text[200];
		random_seed(&random, seed);
		read_line(&f, "crt1.o a.o b.o --start-group lib.a c.o --end-group d.o crtn.o");
		link_line_shuffle(&f.line, &random);
		joined(&f.line.words, text, sizeof(text));
		bool same = strcmp(text, "crt1.o a.o b.o --start-group lib.a c.o --end-group d.o crtn.o") == 0;
		assert_true(same || strcmp(text, "crt1.o b.o a.o --start-group lib.a c.o --end-group d.o crtn.o") == 0);
		changed |= !same;
		arena_release(&f.arena);
	}
	assert_true(changed);
}

static void what_it_is(void **state)
{
	(void)state;
	struct fixture f = {0};
	read_line(&f, "-r -o x/y.o a.o");
	assert_true(f.line.relocatable && !f.line.scripted);
	assert_string_equal(f.line.output, "x/y.o");
	read_line(&f, "-Tmy.ld a.o");
	assert_true(f.line.scripted);
	assert_string_equal(f.line.output, "a.out");
	read_line(&f, "-Ttext=0x1000 --output=p a.o");
	assert_false(f.line.scripted);
	assert_string_equal(f.line.output, "p");
	read_line(&f, "-Ttext 0x1000 -oq a.o");
	assert_false(f.line.scripted);
	assert_string_equal(f.line.output, "q");
	read_line(&f, "--symbol-ordering-file=f a.o");
	assert_true(f.line.scripted);
	arena_release(&f.arena);
}

static void options_alone(void **state)
{
	(void)state;
	struct fixture f = {0};
	struct words out = {.arena = &f.arena};
	struct error err;
	char text[200];
	read_line(
		&f,
		"-plugin p.so -plugin-opt=x -m elf_x86_64 -pie -z now -o out crt1.o a.o -L/lib -lc -l m --start-group lib.a --end-group -Map=m");
	assert_int_equal(link_line_options(&f.line, &out, &err), 0);
	joined(&out, text, sizeof(text));
	assert_string_equal(text, "-m elf_x86_64 -pie -z now -L/lib --start-group --end-group");
	arena_release(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves),
		cmocka_unit_test(neighbours_only),
		cmocka_unit_test(what_it_is),
		cmocka_unit_test(options_alone),
	};
	return cmocka_run_group_tests(tests, make_objects, remove_objects);
}
