#include "base/arena.h"

#include "base/memory.h"
#include "support/known.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

static void test_blocks(void **state)
{
	(void)state;
	struct arena arena = {0};
	unsigned char *blocks[3000];
	/* Sizes around and above a chunk: cleared, aligned, apart from each other. */
	for (size_t i = 0; i < 3000; i++) {
		size_t size = i % 100 == 99 ? 5000 + i : i % 67;
		blocks[i] = arena_alloc(&arena, 1, size);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
		for (size_t b = 0; b < size; b++)
			assert_int_equal(blocks[i][b], 0);
		memset(blocks[i], (int)(i % 251) + 1, size);
	}
	for (size_t i = 0; i < 3000; i++) {
		size_t size = i % 100 == 99 ? 5000 + i : i % 67;
		for (size_t b = 0; b < size; b++)
			assert_int_equal(blocks[i][b], i % 251 + 1);
	}
	arena_release(&arena);
	assert_null(arena.chunks);
	assert_string_equal(arena_strdup(&arena, "used again"), "used again");
	arena_release(&arena);
	arena_release(&arena);
}

static void test_strings(void **state)
{
	(void)state;
	struct arena arena = {0};
	char longer[10000];
	memset(longer, 'y', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_string_equal(arena_strdup(&arena, ""), "");
	assert_string_equal(arena_strdup(&arena, longer), longer);
	assert_string_equal(arena_strndup(&arena, "first,second", 5), "first");
	assert_string_equal(arena_strndup(&arena, "x", 0), "");
	assert_string_equal(arena_printf(&arena, "%s=%d", "runs", 12), "runs=12");
	char *text = arena_printf(&arena, "%s!", longer);
	assert_int_equal(strlen(text), sizeof(longer));
	assert_true(text[sizeof(longer) - 1] == '!');
	arena_release(&arena);
}

static void test_failures(void **state)
{
	(void)state;
	struct arena arena = {0};
	assert_null(arena_alloc(&arena, SIZE_MAX, 2));
	assert_null(arena_alloc(&arena, SIZE_MAX / 2 + 2, 2));
	assert_null(arena_alloc(&arena, 1, SIZE_MAX));
	mem_fail_at(1);
	assert_null(arena_strdup(&arena, "x"));
	mem_fail_at(0);
	assert_string_equal(arena_strdup(&arena, "x"), "x");
	mem_fail_at(1);
	assert_null(arena_alloc(&arena, 1, 10000));
	assert_non_null(arena_alloc(&arena, 1, 8)); /* the open chunk still serves */
	mem_fail_at(1);
	assert_null(arena_printf(&arena, "%9000d", 1));
	mem_fail_at(0);
	arena_release(&arena);
}

/* A megabyte of small blocks in a dozen allocations; a large block between them costs one, and no rest. */
static void test_few_allocations(void **state)
{
	(void)state;
	struct arena arena = {0}, other = {0};
	mem_fail_at(13);
	for (size_t i = 0; i < 1024 * 1024 / 16; i++)
		assert_non_null(arena_alloc(&arena, 1, 16));
	mem_fail_at(2);
	assert_non_null(arena_alloc(&arena, 1, 1000000));
	assert_non_null(arena_alloc(&arena, 1, 16));
	mem_fail_at(0);
	arena_adopt(&other, &arena);
	assert_null(arena.chunks);
	assert_int_equal(arena.next_size, 0);
	arena_release(&other);
}

static void test_growing(void **state)
{
	(void)state;
	struct arena arena = {0};
	size_t old = 100 * 1000, bytes = old;
	char *block = arena_alloc(&arena, old, 1), *beside = arena_strdup(&arena, "beside");
	for (size_t i = 0; i < old; i++)
		block[i] = (char)(i % 7);
	for (; bytes < 50 * old; bytes *= 2)
		assert_non_null(block = arena_grow(&arena, block, bytes, 2 * bytes));
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(block[i], i < old ? (char)(i % 7) : 0);
	assert_string_equal(beside, "beside");
	/* A small one, and none at all. */
	char *small = arena_grow(&arena, NULL, 0, 4);
	memcpy(small, "four", 4);
	small = arena_grow(&arena, small, 4, 8);
	assert_memory_equal(small, "four\0\0\0\0", 8);
	assert_null(arena_grow(&arena, block, bytes, SIZE_MAX - 8));
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_strings),
	                                   cmocka_unit_test(test_failures), cmocka_unit_test(test_few_allocations),
	                                   cmocka_unit_test(test_growing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
