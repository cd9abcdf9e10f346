#include "builds/layout.h"
#include "builds/objects.h"
#include "builds/pad_object.h"
#include "host/file.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const names[] = {".bss.room", ".data.one", ".data.two",   ".rodata.table",      ".text.a",
                                    ".text.b",   ".text.c",   ".text.hot.h", ".text.startup.main", ".text.unlikely.u"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static void plan(struct layout *layout, struct arena *arena, unsigned vary, uint64_t seed)
{
	struct random random;
	struct error err;
	random_seed(&random, seed);
	assert_int_equal(layout_plan(layout, arena, names, NAMES, vary, &random, &err), 0);
}

static void list(const struct layout *layout, struct buffer *out)
{
	buffer_clear(out);
	layout_list(layout, out);
}

static void groups(void **state)
{
	(void)state;
	assert_int_equal(layout_group_of(".text.unlikely.x"), LAYOUT_UNLIKELY);
	assert_int_equal(layout_group_of(".text.unlikelyhood"), LAYOUT_TEXT);
	assert_int_equal(layout_group_of(".text.startup.main"), LAYOUT_STARTUP);
	assert_int_equal(layout_group_of(".text.main"), LAYOUT_TEXT);
	assert_int_equal(layout_group_of(".rodata.str1.1"), LAYOUT_RODATA);
	assert_int_equal(layout_group_of(".data.rel.local.x"), LAYOUT_DATA);
	assert_int_equal(layout_group_of(".bss.x"), LAYOUT_BSS);
}

/* Every name once, in its group; the same for a seed; all orders of three equally often. */
static void orders(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct layout layout;
	struct buffer one = {0}, two = {0};
	size_t first[3] = {0};
	plan(&layout, &arena, VARY_ALL, 1);
	list(&layout, &one);
	plan(&layout, &arena, VARY_ALL, 1);
	list(&layout, &two);
	assert_string_equal(buffer_text(&one), buffer_text(&two));
	for (int i = 0; i < NAMES; i++)
		assert_non_null(strstr(buffer_text(&one), names[i]));
	for (uint64_t seed = 0; seed < 3000; seed++) {
		plan(&layout, &arena, VARY_FUNCTIONS | VARY_DATA, seed);
		assert_int_equal(layout.counts[LAYOUT_TEXT], 3);
		first[layout.parts[LAYOUT_TEXT][0].name[6] - 'a']++;
		assert_int_equal(layout.parts[LAYOUT_TEXT][0].padding, 0);
		arena_release(&arena);
	}
	/* 1000 each, sd 26. */
	for (int i = 0; i < 3; i++)
		assert_in_range(first[i], 890, 1110);
	plan(&layout, &arena, 0, 5);
	list(&layout, &one);
	assert_string_equal(buffer_text(&one),
	                    ".text.unlikely.u\n.text.startup.main\n.text.hot.h\n.text.a\n.text.b\n.text.c\n"
	                    ".rodata.table\n.data.one\n.data.two\n.bss.room\n");
	buffer_release(&one);
	buffer_release(&two);
	arena_release(&arena);
}

static void padding(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct layout layout;
	size_t with_front = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		plan(&layout, &arena, VARY_PADDING, seed);
		for (size_t g = 0; g < LAYOUT_GROUPS; g++)
			for (size_t i = 0; i < layout.counts[g]; i++) {
				assert_true(layout.parts[g][i].padding % 16 == 0 && layout.parts[g][i].padding < 4096);
				with_front += i == 0 && g == LAYOUT_BSS && layout.parts[g][i].padding > 0;
			}
		arena_release(&arena);
	}
	assert_true(with_front > 180);
}

static void script(void **state)
{
	(void)state;
	static const char verbose[] =
		"GNU ld (GNU Binutils) 2.40\nusing internal linker script:\n==================================================\n"
		"SECTIONS {\n .text : {\n *(.text.unlikely .text.*_unlikely)\n *(.text.startup .text.startup.*)\n *(.text .stub .text.*)\n }\n"
		" .data : { *(.data .data.* ) }\n}\n==================================================\n";
	struct arena arena = {0};
	struct layout layout;
	struct buffer out = {0};
	plan(&layout, &arena, 0, 1);
	assert_true(layout_script(&layout, verbose, &out));
	assert_string_equal(
		buffer_text(&out),
		"\nSECTIONS {\n .text : {\n *(.text.unlikely.u)\n    *(.text.unlikely .text.*_unlikely)\n *(.text.startup.main)\n    "
		"*(.text.startup .text.startup.*)\n *(.text.a)\n    *(.text.b)\n    *(.text.c)\n    *(.text .stub .text.*)\n }\n"
		" .data : { *crt1.o(.data)\n    *(.data.one)\n    *(.data.two)\n    *(.data .data.* ) }\n}\n");
	buffer_clear(&out);
	assert_false(layout_script(&layout, "not a script", &out));
	assert_false(layout_script(&layout,
	                           "\n==================================================\nno text\n"
	                           "==================================================\n",
	                           &out));
	buffer_release(&out);
	arena_release(&arena);
}

/* The object that is written is read back by the reader of objects: every padding is there, for either width. */
static void object(void **state)
{
	(void)state;
	static const char property[] = "0123456789abcdef";
	struct host host = host_real();
	struct arena arena = {0};
	struct layout layout;
	struct buffer out = {0};
	struct error err;
	plan(&layout, &arena, VARY_ALL, 3);
	for (int wide = 0; wide < 2; wide++) {
		struct objects like = {.arena = &arena,
		                       .known = true,
		                       .wide = wide,
		                       .machine = EM_386,
		                       .flags = 5,
		                       .version = EV_CURRENT,
		                       .property = property,
		                       .property_size = 16,
		                       .property_align = 8};
		struct objects found = {.arena = &arena};
		enum object_kind kind;
		size_t pads = 0;
		pad_object_write(&layout, &like, false, &out);
		assert_int_equal(file_write_whole(host.sys, "pad.o", out.data, out.length, &err), 0);
		assert_int_equal(objects_look(&host, "pad.o", &found, &kind, &err), 0);
		assert_int_equal(kind, OBJECT_CODE);
		assert_int_equal(found.wide, wide);
		assert_int_equal(found.machine, EM_386);
		assert_int_equal(found.flags, 5);
		assert_int_equal(found.property_size, 16);
		assert_memory_equal(found.property, property, 16);
		for (size_t g = 0; g < LAYOUT_GROUPS; g++)
			for (size_t i = 0; i < layout.counts[g]; i++)
				if (layout.parts[g][i].padding)
					assert_string_equal(found.names[pads++], layout.parts[g][i].name);
		assert_int_equal(found.count, pads);
		/* Cut anywhere, it is no reason to fail. */
		for (size_t length = 0; length < out.length; length += 7) {
			struct objects cut = {.arena = &arena};
			assert_int_equal(file_write_whole(host.sys, "pad.o", out.data, length, &err), 0);
			assert_int_equal(objects_look(&host, "pad.o", &cut, &kind, &err), 0);
		}
	}
	unlink("pad.o");
	buffer_release(&out);
	arena_release(&arena);
}

static void sorted_once(void **state)
{
	(void)state;
	const char *given[] = {".text.b", ".text.a", ".text.b", ".text.a", ".bss.z"};
	struct objects objects = {.names = given, .count = 5};
	objects_sort(&objects);
	assert_int_equal(objects.count, 3);
	assert_string_equal(objects.names[0], ".bss.z");
	assert_string_equal(objects.names[2], ".text.b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups), cmocka_unit_test(orders), cmocka_unit_test(padding),
		cmocka_unit_test(script), cmocka_unit_test(object), cmocka_unit_test(sorted_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
