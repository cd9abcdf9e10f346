/* The end of a command that the lane saw late. */
#include "host/lane_internal.h"

#include "support/known.h"

static const struct lane_waits asleep = {.delay = 1000, .slices = 7, .sleeps = 5};

static int64_t ended(int64_t least, struct lane_waits awake)
{
	return lane_end_of_run(900000, least, &asleep, &awake);
}

static void the_wait_after_one_sleep_is_taken_off(void **state)
{
	(void)state;
	assert_int_equal(ended(100, (struct lane_waits){.delay = 51000, .slices = 8, .sleeps = 6}), 850000);
	assert_int_equal(ended(100, (struct lane_waits){.delay = 1000, .slices = 8, .sleeps = 6}), 900000);
}

static void the_command_keeps_what_it_used(void **state)
{
	(void)state;
	struct lane_waits late = {.delay = 801000, .slices = 8, .sleeps = 6};
	assert_int_equal(ended(100, late), 100000);
	assert_int_equal(ended(400000, late), 400000);
	assert_int_equal(ended(950000, late), 900000);
}

static void a_lane_that_was_preempted_takes_nothing_off(void **state)
{
	(void)state;
	/* preempted before it slept or after it woke */
	assert_int_equal(ended(100, (struct lane_waits){.delay = 51000, .slices = 9, .sleeps = 6}), 900000);
	/* preempted, and the command over before it could sleep */
	assert_int_equal(ended(100, (struct lane_waits){.delay = 51000, .slices = 8, .sleeps = 5}), 900000);
	/* slept twice: woken by something else */
	assert_int_equal(ended(100, (struct lane_waits){.delay = 51000, .slices = 9, .sleeps = 7}), 900000);
}

static void without_an_account_nothing_is_taken_off(void **state)
{
	(void)state;
	struct lane_waits unknown = {.delay = -1};
	struct lane_waits known = {.delay = 51000, .slices = 1, .sleeps = 1};
	assert_int_equal(ended(100, unknown), 900000);
	assert_int_equal(lane_end_of_run(900000, 100, &unknown, &known), 900000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wait_after_one_sleep_is_taken_off),
		cmocka_unit_test(the_command_keeps_what_it_used),
		cmocka_unit_test(a_lane_that_was_preempted_takes_nothing_off),
		cmocka_unit_test(without_an_account_nothing_is_taken_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
