#include "base/memory.h"

#include "support/known.h"

#include <string.h>

static void test_allocate(void **state)
{
	(void)state;
	unsigned char *block = mem_zalloc(10, 10);
	assert_non_null(block);
	for (int i = 0; i < 100; i++)
		assert_int_equal(block[i], 0);
	memset(block, 7, 100);
	block = mem_resize(block, 200, 1);
	assert_non_null(block);
	assert_true(block[0] == 7 && block[99] == 7);
	mem_free(block);
	char *copy = mem_strdup("a text");
	assert_string_equal(copy, "a text");
	mem_free(copy);
	mem_free(NULL);
}

/* Nothing asked for is not a failure. */
static void test_zero(void **state)
{
	(void)state;
	void *block = mem_alloc(0, 8), *cleared = mem_zalloc(8, 0), *grown = mem_resize(NULL, 0, 0);
	assert_true(block && cleared && grown);
	mem_free(block);
	mem_free(cleared);
	mem_free(grown);
}

static void test_overflow(void **state)
{
	(void)state;
	assert_null(mem_alloc(SIZE_MAX, 2));
	assert_null(mem_alloc(SIZE_MAX / 2 + 1, 2)); /* the product is 0 modulo 2^64 */
	assert_null(mem_zalloc(SIZE_MAX / 8 + 2, 8));
	assert_null(mem_alloc(1, SIZE_MAX));
	char *block = mem_strdup("kept");
	assert_null(mem_resize(block, SIZE_MAX / 2, 4));
	assert_string_equal(block, "kept");
	mem_free(block);
}

static void test_fail_at(void **state)
{
	(void)state;
	for (long nth = 1; nth <= 4; nth++) {
		mem_fail_at(nth);
		assert_false(mem_failed());
		void *blocks[4] = {mem_alloc(1, 1), mem_zalloc(1, 1), mem_resize(NULL, 1, 1), mem_strdup("x")};
		for (long i = 0; i < 4; i++) {
			assert_true((blocks[i] == NULL) == (i + 1 == nth));
			mem_free(blocks[i]);
		}
		assert_true(mem_failed());
		/* Once only. */
		void *after = mem_alloc(1, 1);
		assert_non_null(after);
		mem_free(after);
	}
	mem_fail_at(3);
	mem_fail_at(0);
	for (int i = 0; i < 5; i++) {
		void *block = mem_alloc(1, 1);
		assert_non_null(block);
		mem_free(block);
	}
	assert_false(mem_failed());
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocate), cmocka_unit_test(test_zero),
	                                   cmocka_unit_test(test_overflow), cmocka_unit_test(test_fail_at)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
