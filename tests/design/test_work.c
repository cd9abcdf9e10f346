/* The order of work amounts: doubling, the first estimate, the widest gaps, and programs that are odd. */
#include "design/work.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>

/* A program of so many seconds besides, and so much work per second. */
static double run(double besides, double speed, double work)
{
	return besides + work / speed;
}

static void doubles_until_long_enough(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 1000, .shortest = 1, .first_estimate = 60, .rounds = 50};
	struct work_session session;
	work_session_init(&session, &rule);
	static const double expected[] = {1, 2, 4, 8, 16};
	for (size_t i = 0; i < 5; i++) {
		double work = work_session_next(&session, 600);
		assert_close(work, expected[i], 0);
		assert_int_equal(work_session_add(&session, work, run(0, 10, work), NULL), 0);
	}
	assert_true(session.found && session.from == 16);
	/* 1.6 s the first: 15 rounds of up to four times that in 60 s, k = (120 − 2·1.6·15)/(15² − 15) s, times 10 a second. */
	assert_int_equal(session.growing, 14);
	assert_close(session.step, 10 * (120 - 3.2 * 15) / (15 * 14), 1e-9);
	work_session_release(&session);
}

/* Set-up of 5 s: the first round is long enough at once, and says nothing about the speed. */
static void set_up_is_not_taken_for_work(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 100000, .shortest = 1, .first_estimate = 600, .rounds = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	double work = 0;
	for (int i = 0; i < 40 && !session.found; i++) {
		work = work_session_next(&session, 6000);
		assert_int_equal(work_session_add(&session, work, run(5, 100, work), NULL), 0);
	}
	assert_close(session.from, 512, 0); /* 5 + 5.12 ≥ 2·5.01 */
	assert_true(session.step > 0);
	double next = work_session_next(&session, 6000);
	assert_true(next > work);
	work_session_release(&session);
}

static void amounts_stay_apart_and_in_range(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 1000, .shortest = 0.1, .first_estimate = 5, .rounds = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	double left = 60, largest = 0;
	for (int i = 0; i < 100 && left > 0; i++) {
		double work = work_session_next(&session, left), seconds = run(0.05, 200, work);
		assert_true(work >= 1 && work <= 1000 && work == floor(work));
		assert_true(!session.found || work >= session.from || session.growing > 0);
		assert_true(!session.found || seconds <= fmax(left / 4 * 1.2, 2 * session.from / 200) + 0.1);
		largest = fmax(largest, work);
		left -= seconds;
		assert_int_equal(work_session_add(&session, work, seconds, NULL), 0);
	}
	assert_true(largest > 500);
	work_session_raise(&session, 100);
	assert_close(session.from, 100, 0);
	work_session_raise(&session, 50); /* never down */
	assert_close(session.from, 100, 0);
	work_session_raise(&session, 5000); /* nor so far that nothing is left */
	assert_close(session.from, 100, 0);
	work_session_release(&session);
}

static void odd_programs(void **state)
{
	(void)state;
	/* Ignores its work amount, or is too fast for the range: amounts end at the limit and go on below it. */
	for (int kind = 0; kind < 2; kind++) {
		struct work_rule rule = {.low = 0, .high = 64, .shortest = 1, .first_estimate = 60, .rounds = 10};
		struct work_session session;
		work_session_init(&session, &rule);
		for (int i = 0; i < 30; i++) {
			double work = work_session_next(&session, 60);
			assert_true(work > 0 && work <= 64);
			assert_int_equal(work_session_add(&session, work, kind ? 2 : 0.001 * work, NULL), 0);
		}
		assert_true(session.found && session.too_short == (kind == 0));
		work_session_release(&session);
	}
	/* Fractions where the range has some. */
	struct work_rule rule = {.low = 0.5, .high = 2.5, .shortest = 1, .first_estimate = 60, .rounds = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	assert_close(work_session_next(&session, 60), 0.5, 0);
	mem_fail_at(1);
	assert_int_equal(work_session_add(&session, 0.5, 3, NULL), -1);
	mem_fail_at(0);
	work_session_release(&session);
	work_session_release(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubles_until_long_enough),
		cmocka_unit_test(set_up_is_not_taken_for_work),
		cmocka_unit_test(amounts_stay_apart_and_in_range),
		cmocka_unit_test(odd_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
