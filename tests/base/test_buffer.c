#include "base/buffer.h"

#include "base/arena.h"
#include "base/memory.h"
#include "support/known.h"

#include <string.h>

static void test_append(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct error err;
	assert_string_equal(buffer_text(&buffer), "");
	buffer_text_add(&buffer, "ab");
	buffer_char(&buffer, 'c');
	buffer_repeat(&buffer, "-=", 3);
	buffer_printf(&buffer, "%d%%", 42);
	buffer_add(&buffer, "\0z", 2);
	assert_int_equal(buffer.length, 14);
	assert_memory_equal(buffer_text(&buffer), "abc-=-=-=42%\0z", 15);
	assert_int_equal(buffer_error(&buffer, &err), 0);
	buffer_clear(&buffer);
	assert_string_equal(buffer_text(&buffer), "");
	buffer_add(&buffer, NULL, 0);
	buffer_text_add(&buffer, "again");
	assert_string_equal(buffer_text(&buffer), "again");
	buffer_release(&buffer);
	assert_string_equal(buffer_text(&buffer), "");
	buffer_release(&buffer);
}

static void test_growth(void **state)
{
	(void)state;
	struct buffer buffer;
	buffer_init(&buffer, 0);
	for (int i = 0; i < 100000; i++)
		buffer_printf(&buffer, "%d,", i % 10);
	assert_int_equal(buffer.length, 200000);
	assert_true(buffer.capacity < 600000);
	for (int i = 0; i < 100000; i++)
		assert_true(buffer.data[2 * i] == '0' + i % 10 && buffer.data[2 * i + 1] == ',');
	assert_int_equal(strlen(buffer_text(&buffer)), 200000);
	buffer_release(&buffer);
}

static void test_room(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	char *place = buffer_room(&buffer, 10);
	assert_non_null(place);
	memcpy(place, "0123456789", 10);
	buffer_grown(&buffer, 4);
	assert_string_equal(buffer_text(&buffer), "0123");
	buffer_release(&buffer);
}

/* Up to the maximum and not a byte more; what follows a failure is ignored, also what would fit. */
static void test_maximum(void **state)
{
	(void)state;
	struct buffer buffer;
	struct error err = {0};
	buffer_init(&buffer, 5);
	buffer_text_add(&buffer, "12345");
	assert_int_equal(buffer_error(&buffer, &err), 0);
	buffer_text_add(&buffer, "6");
	buffer_text_add(&buffer, "");
	assert_string_equal(buffer_text(&buffer), "12345");
	assert_int_equal(buffer_error(&buffer, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_non_null(strstr(err.what, "5 bytes"));
	assert_int_equal(buffer_error(&buffer, NULL), -1);
	buffer_clear(&buffer);
	assert_int_equal(buffer_error(&buffer, &err), 0);
	buffer_text_add(&buffer, "abcdefgh");
	buffer_text_add(&buffer, "x");
	assert_string_equal(buffer_text(&buffer), "");
	assert_int_equal(buffer_error(&buffer, &err), -1);
	buffer_release(&buffer);
	buffer_text_add(&buffer, "123456");
	assert_int_equal(buffer_error(&buffer, &err), -1); /* the maximum outlives the release */
	buffer_release(&buffer);

	assert_null(buffer_room(&(struct buffer){0}, SIZE_MAX));
}

static void test_no_memory(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct error err = {0};
	mem_fail_at(1);
	buffer_text_add(&buffer, "lost");
	mem_fail_at(0);
	buffer_text_add(&buffer, "ignored");
	assert_string_equal(buffer_text(&buffer), "");
	assert_int_equal(buffer_error(&buffer, &err), -1);
	assert_int_equal(err.kind, ERROR_MEMORY);
	buffer_clear(&buffer);
	buffer_text_add(&buffer, "kept");
	mem_fail_at(1);
	buffer_repeat(&buffer, "0123456789", 20);
	mem_fail_at(0);
	assert_int_equal(strncmp(buffer_text(&buffer), "kept", 4), 0);
	assert_int_equal(buffer_error(&buffer, NULL), -1);
	buffer_release(&buffer);
}

static void test_keep(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct buffer buffer = {0};
	assert_string_equal(buffer_keep(&buffer, &arena), "");
	buffer_text_add(&buffer, "kept");
	assert_string_equal(buffer_keep(&buffer, &arena), "kept");
	assert_null(buffer.data);
	buffer_init(&buffer, 2);
	buffer_text_add(&buffer, "too long");
	assert_null(buffer_keep(&buffer, &arena));
	assert_null(buffer.data);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_append),    cmocka_unit_test(test_growth),
	                                   cmocka_unit_test(test_room),      cmocka_unit_test(test_maximum),
	                                   cmocka_unit_test(test_no_memory), cmocka_unit_test(test_keep)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
