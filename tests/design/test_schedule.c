#include "design/schedule.h"
#include "support/known.h"

/* Over many groups of two rounds every two subjects stand in both orders equally often. */
static void orders_are_balanced(void **state)
{
	(void)state;
	for (size_t subjects = 2; subjects <= 5; subjects++) {
		struct schedule schedule;
		assert_int_equal(schedule_init(&schedule, subjects, 7, NULL), 0);
		for (int group = 0; group < 50; group++) {
			long before[5][5] = {{0}};
			for (int round = 0; round < 2; round++) {
				schedule_next(&schedule);
				for (size_t a = 0; a < subjects; a++)
					for (size_t b = 0; b < subjects; b++)
						before[a][b] += a != b && schedule_before(&schedule, a, b);
			}
			for (size_t a = 0; a < subjects; a++)
				for (size_t b = 0; b < subjects; b++)
					assert_int_equal(before[a][b], a == b ? 0 : 1);
		}
		schedule_release(&schedule);
	}
}

/* The first order of a group is a fair coin: 4 standard errors of 2000 tosses. */
static void first_order_is_a_coin(void **state)
{
	(void)state;
	struct schedule schedule;
	assert_int_equal(schedule_init(&schedule, 2, 11, NULL), 0);
	long first = 0;
	for (int group = 0; group < 2000; group++) {
		first += schedule_next(&schedule)[0] == 0;
		schedule_next(&schedule);
	}
	assert_in_range(first, 1000 - 90, 1000 + 90);
	schedule_release(&schedule);
}

static void same_seed_gives_the_same_order(void **state)
{
	(void)state;
	struct schedule a, b;
	assert_int_equal(schedule_init(&a, 4, 3, NULL), 0);
	assert_int_equal(schedule_init(&b, 4, 3, NULL), 0);
	for (int round = 0; round < 100; round++)
		assert_memory_equal(schedule_next(&a), schedule_next(&b), 4 * sizeof(size_t));
	/* Also after a restart, whatever came before. */
	schedule_next(&b);
	schedule_restart(&a);
	schedule_restart(&b);
	for (int round = 0; round < 100; round++)
		assert_memory_equal(schedule_next(&a), schedule_next(&b), 4 * sizeof(size_t));
	schedule_release(&a);
	schedule_release(&b);
}

static void orders_ahead_are_those_that_come(void **state)
{
	(void)state;
	for (size_t before = 0; before < 3; before++) {
		struct schedule schedule;
		size_t ahead[5 * 3];
		assert_int_equal(schedule_init(&schedule, 3, 5, NULL), 0);
		for (size_t i = 0; i < before; i++)
			schedule_next(&schedule);
		schedule_ahead(&schedule, 5, ahead);
		for (size_t i = 0; i < 5; i++)
			assert_memory_equal(schedule_next(&schedule), ahead + 3 * i, 3 * sizeof(size_t));
		schedule_release(&schedule);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_balanced),
		cmocka_unit_test(first_order_is_a_coin),
		cmocka_unit_test(same_seed_gives_the_same_order),
		cmocka_unit_test(orders_ahead_are_those_that_come),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
