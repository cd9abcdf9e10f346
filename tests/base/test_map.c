#include "base/map.h"

#include "base/memory.h"
#include "support/known.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 20000 };

static size_t write_name(char *name, size_t size, unsigned i)
{
	return (size_t)snprintf(name, size, "name %u of many", i * 7919);
}

static void test_texts(void **state)
{
	(void)state;
	struct map map = {0};
	char name[64];
	assert_int_equal(map_find_text(&map, "a", 1), MAP_NONE);
	for (unsigned i = 0; i < MANY; i++) {
		size_t length = write_name(name, sizeof(name), i);
		assert_int_equal(map_text(&map, name, length), i);
		assert_int_equal(map_text(&map, name, length), i);
	}
	for (unsigned i = MANY; i-- > 0;) {
		size_t length = write_name(name, sizeof(name), i);
		assert_int_equal(map_find_text(&map, name, length), i);
		assert_int_equal(map_text(&map, name, length), i);
		assert_string_equal(map.text[i], name);
		assert_int_equal(map.length[i], length);
		assert_int_equal(map_find_text(&map, name, length - 1), MAP_NONE);
	}
	assert_int_equal(map.count, MANY);
	map_release(&map);
	map_release(&map);
}

/* Bytes count, not characters up to a NUL; no text is a text of no length. */
static void test_odd_texts(void **state)
{
	(void)state;
	struct map map = {0};
	assert_int_equal(map_text(&map, "a\0b", 3), 0);
	assert_int_equal(map_text(&map, "a\0c", 3), 1);
	assert_int_equal(map_text(&map, "", 0), 2);
	assert_int_equal(map_text(&map, NULL, 0), 2);
	assert_int_equal(map_text(&map, "\0", 1), 3);
	assert_memory_equal(map.text[0], "a\0b", 4);
	map_release(&map);
}

static void test_numbers(void **state)
{
	(void)state;
	struct map map = {0};
	assert_int_equal(map_find_key(&map, 0), MAP_NONE);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(map_key(&map, map_pair(i % 100, i / 100)), i);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(map_key(&map, map_pair(i % 100, i / 100)), i);
		assert_int_equal(map_find_key(&map, map_pair(i / 100 + 1000, i % 100)), MAP_NONE);
	}
	assert_int_equal(map.count, MANY);
	map_release(&map);
}

static void test_truncate(void **state)
{
	(void)state;
	struct map map = {0};
	map_truncate(&map, 0);
	for (uint32_t i = 0; i < 1000; i++)
		map_key(&map, i);
	map_truncate(&map, 1000);
	map_truncate(&map, 10);
	assert_int_equal(map.count, 10);
	assert_int_equal(map_find_key(&map, 999), MAP_NONE); /* the last one that was given */
	assert_int_equal(map_find_key(&map, 9), 9);
	assert_int_equal(map_key(&map, 999), 10);
	map_release(&map);
}

/* Whichever allocation fails: what was there stays, and the next attempt succeeds. */
static void test_failures(void **state)
{
	(void)state;
	for (int texts = 0; texts < 2; texts++) {
		struct map map = {0};
		char name[64];
		for (unsigned i = 0; i < 200; i++)
			for (unsigned n = 1;; n++) {
				size_t length = write_name(name, sizeof(name), i);
				mem_fail_at(n);
				uint32_t number = texts ? map_text(&map, name, length) : map_key(&map, i);
				int failed = mem_failed();
				mem_fail_at(0);
				assert_int_equal(number, failed ? MAP_NONE : i);
				assert_int_equal(map.count, failed ? i : i + 1);
				if (!failed)
					break;
			}
		for (unsigned i = 0; i < 200; i++) {
			size_t length = write_name(name, sizeof(name), i);
			assert_int_equal(texts ? map_find_text(&map, name, length) : map_find_key(&map, i), i);
		}
		map_release(&map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_odd_texts),
	                                   cmocka_unit_test(test_numbers), cmocka_unit_test(test_truncate),
	                                   cmocka_unit_test(test_failures)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
