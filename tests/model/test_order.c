#include "model/order.h"
#include "support/known.h"

static void sides_have_letters_as_far_as_these_go(void **state)
{
	(void)state;
	char text[2];
	assert_string_equal(side_letter(0, text), "A");
	assert_string_equal(side_letter(25, text), "Z");
	assert_null(side_letter(26, text));
	assert_null(side_letter(NO_SIDE, text));
	assert_int_equal(side_read("A"), 0);
	assert_int_equal(side_read("Z"), 25);
	static const char *const none[] = {NULL, "", "a", "AB", "[", "0"};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_true(side_read(none[i]) == NO_SIDE);
}

static void an_order_reads_back(void **state)
{
	(void)state;
	enum { MOST = 30 };
	static const size_t counts[] = {1, 2, 3, 26, 27, MOST};
	struct arena arena = {0};
	size_t order[MOST], again[MOST];
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		size_t n = counts[c];
		for (size_t i = 0; i < n; i++)
			order[i] = (i + n / 2) % n;
		const char *text = order_text(&arena, order, n);
		assert_non_null(text);
		assert_true(order_read(text, n, again));
		assert_memory_equal(order, again, n * sizeof(*order));
		for (size_t i = 0; i < n; i++)
			assert_int_equal(order_place(text, order[i]), i);
		assert_true(order_place(text, n) == SIZE_MAX);
	}
	assert_string_equal(order_text(&arena, (size_t[]){2, 0, 1}, 3), "CAB");
	assert_string_equal(order_text(&arena, (size_t[]){1, 0}, 2), "BA");
	arena_release(&arena);
}

static void what_makes_no_sense_is_no_order(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "A", "AA", "AC", "ABC", "ab", "A,B", "1,1", "0,2", "0", "B A"};
	size_t order[2];
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(order_read(wrong[i], 2, order));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_have_letters_as_far_as_these_go),
		cmocka_unit_test(an_order_reads_back),
		cmocka_unit_test(what_makes_no_sense_is_no_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
