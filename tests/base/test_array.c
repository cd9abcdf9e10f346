#include "base/array.h"

#include "base/memory.h"
#include "support/known.h"

#include <stdint.h>

struct list {
	double *items;
	size_t count, capacity;
};

static void add(struct list *list, double item)
{
	assert_int_equal(array_reserve(&list->items, &list->capacity, list->count + 1), 0);
	list->items[list->count++] = item;
}

static void test_one_by_one(void **state)
{
	(void)state;
	struct list list = {0};
	mem_fail_at(40); /* a million items take fewer allocations than that */
	for (size_t i = 0; i < 1000000; i++)
		add(&list, (double)i);
	assert_false(mem_failed());
	mem_fail_at(0);
	for (size_t i = 0; i < 1000000; i++)
		assert_true(list.items[i] == (double)i);
	assert_true(list.capacity < 1500001);
	mem_free(list.items);
}

static void test_many_at_once(void **state)
{
	(void)state;
	struct list list = {0};
	assert_int_equal(array_reserve(&list.items, &list.capacity, 0), 0);
	assert_null(list.items);
	assert_int_equal(array_reserve(&list.items, &list.capacity, 1000), 0);
	assert_int_equal(list.capacity, 1000);
	double *kept = list.items;
	assert_int_equal(array_reserve(&list.items, &list.capacity, 1000), 0);
	assert_ptr_equal(list.items, kept);
	mem_free(list.items);
}

static void test_failure_changes_nothing(void **state)
{
	(void)state;
	struct list list = {0};
	add(&list, 1);
	struct list before = list;
	mem_fail_at(1);
	assert_int_equal(array_reserve(&list.items, &list.capacity, list.capacity + 1), -1);
	mem_fail_at(0);
	assert_int_equal(array_reserve(&list.items, &list.capacity, SIZE_MAX / 4), -1); /* its size overflows */
	assert_memory_equal(&list, &before, sizeof(list));
	assert_true(list.items[0] == 1);
	mem_free(list.items);
}

static void test_in_arena(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct list list = {0};
	for (size_t i = 0; i < 10000; i++) {
		assert_int_equal(array_add_in(&arena, &list.items, list.count), 0);
		list.items[list.count++] = (double)i;
	}
	for (size_t i = 0; i < 10000; i++)
		assert_true(list.items[i] == (double)i);
	/* Some are dropped; those that follow take their places. */
	for (list.count = 7; list.count < 20; list.count++) {
		assert_int_equal(array_add_in(&arena, &list.items, list.count), 0);
		list.items[list.count] = -(double)list.count;
	}
	for (size_t i = 0; i < 20; i++)
		assert_true(list.items[i] == (i < 7 ? (double)i : -(double)i));
	struct list before = list;
	mem_fail_at(1);
	assert_int_equal(array_add_in(&arena, &list.items, 1 << 20), -1);
	mem_fail_at(0);
	assert_memory_equal(&list, &before, sizeof(list));
	arena_release(&arena);
}

static void test_together(void **state)
{
	(void)state;
	size_t capacity = 0;
	char *names = NULL;
	uint32_t *numbers = NULL;
	for (size_t i = 0; i < 1000; i++) {
		if (i == capacity) {
			size_t larger = array_larger(capacity, i + 1);
			assert_true(larger > i);
			assert_int_equal(array_resize(&names, larger), 0);
			assert_int_equal(array_resize(&numbers, larger), 0);
			capacity = larger;
		}
		names[i] = (char)('a' + i % 26);
		numbers[i] = (uint32_t)i;
	}
	for (size_t i = 0; i < 1000; i++)
		assert_true(names[i] == (char)('a' + i % 26) && numbers[i] == i);
	assert_true(array_larger(SIZE_MAX - 1, SIZE_MAX) == SIZE_MAX);
	mem_free(names);
	mem_free(numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_by_one), cmocka_unit_test(test_many_at_once),
	                                   cmocka_unit_test(test_failure_changes_nothing), cmocka_unit_test(test_in_arena),
	                                   cmocka_unit_test(test_together)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
