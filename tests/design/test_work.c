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
	struct work_rule rule = {.low = 1, .high = 1000, .shortest = 1, .first_estimate = 60, .rounds = 50, .least = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	static const double expected[] = {1, 2, 4, 8, 16};
	for (size_t i = 0; i < 5; i++) {
		double work = work_session_next(&session, 600);
		assert_close(work, expected[i], 0);
		assert_int_equal(work_session_add(&session, work, run(0, 10, work), NULL), 0);
	}
	/* 1 s would have been reached at 10; a fifth to spare. */
	assert_true(session.found && session.from == 12);
	/* 1.2 s the first: 20 rounds of up to four times that in 60 s, k = (120 − 2·1.2·20)/(20² − 20) s, times 10 a
	 * second. */
	double step = 10 * (120 - 2.4 * 20) / (20 * 19), sum = 0, rises = 0, before = 0;
	assert_int_equal(session.planned_count, 19);
	for (int i = 0; i < 19; i++) {
		double work = work_session_next(&session, 600);
		double at = (work - 12) / step;
		assert_true(fabs(at - round(at)) < 0.5 / step + 1e-9 && at < 19.5);
		sum += run(0, 10, work);
		rises += work > before;
		before = work;
		assert_int_equal(work_session_add(&session, work, run(0, 10, work), NULL), 0);
	}
	assert_true(fabs(sum + 1.2 - 60) < 2);
	assert_true(rises < 16); /* not in order */
	work_session_release(&session);
}

/* Whole numbers in a narrow range: in no order, a third of the rounds at each end, the others between them about
 * equally often. */
static void narrow_ranges_are_used_evenly(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 8, .shortest = 0.1, .first_estimate = 1, .rounds = 10, .least = 10};
	struct work_session session;
	int count[9] = {0}, rises = 0;
	double before = 0;
	work_session_init(&session, &rule);
	for (int i = 0; i < 100; i++) {
		double work = work_session_next(&session, 600);
		assert_true(work >= 1 && work <= 8 && work == floor(work));
		assert_int_equal(work_session_add(&session, work, run(0, 4, work), NULL), 0);
		count[(int)work]++;
		rises += work > before;
		before = work;
	}
	int low = (int)session.from, least = 100, most = 0;
	for (int work = low + 1; work < 8; work++) {
		least = count[work] < least ? count[work] : least;
		most = count[work] > most ? count[work] : most;
	}
	assert_true(low < 4 && most - least <= 2 && least > 0 && rises > 30 && rises < 70);
	assert_true(count[low] >= 28 && count[8] >= 28);
	work_session_release(&session);
}

/* After the first estimate a third of the rounds is in the lowest seventh of the amounts, a third in the highest. */
static void ends_come_most_often(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 100000, .shortest = 10, .first_estimate = 60, .rounds = 50, .least = 10};
	struct work_session session;
	int low = 0, high = 0, all = 0;
	work_session_init(&session, &rule);
	while (all < 30) {
		double work = work_session_next(&session, 6000), from = session.from, to = 4 * from;
		all += session.found;
		low += session.found && work <= from + 0.16 * (to - from);
		high += session.found && work >= to - 0.16 * (to - from);
		assert_int_equal(work_session_add(&session, work, run(0, 10, work), NULL), 0);
	}
	assert_true(low >= 10 && low <= 13 && high >= 10 && high <= 13);
	work_session_release(&session);
}

/* A first round that was slow: later ones of the same work are too short, and amounts begin higher. */
static void slow_beginning(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 1000, .shortest = 1, .first_estimate = 60, .rounds = 10, .least = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	assert_int_equal(work_session_add(&session, 1, 0.1, NULL), 0);
	assert_int_equal(work_session_add(&session, 2, 2, NULL), 0);
	assert_true(session.found && session.first <= 2);
	assert_int_equal(work_session_add(&session, 4, 0.2, NULL), 0);
	assert_close(session.first, 24, 0);
	assert_close(session.from, 24, 0);
	assert_true(work_session_next(&session, 600) >= 24);
	/* Later a fast round is only that: what was measured stays in use. */
	for (int i = 0; i < 10; i++)
		assert_int_equal(work_session_add(&session, 30 + i, 1.5, NULL), 0);
	assert_int_equal(work_session_add(&session, 40, 0.1, NULL), 0);
	assert_close(session.first, 24, 0);
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
	assert_true(session.planned_count > 0);
	double next = work_session_next(&session, 6000);
	assert_true(next > work);
	work_session_release(&session);
}

static void amounts_stay_apart_and_in_range(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 1, .high = 1000, .shortest = 0.1, .first_estimate = 5, .rounds = 10, .least = 10};
	struct work_session session;
	work_session_init(&session, &rule);
	double left = 60, largest = 0;
	for (int i = 0; i < 100 && left > 0; i++) {
		double work = work_session_next(&session, left), seconds = run(0.05, 200, work);
		assert_true(work >= 1 && work <= 1000 && work == floor(work));
		assert_true(!session.found || work >= session.from);
		/* The largest takes four times as long as the smallest, less where the least number of rounds would not fit; in
		 * the first estimate a little more. */
		assert_true(!session.found || seconds <= 4.1 * run(0.05, 200, session.from));
		assert_true(!session.found || seconds <= fmax(1.6 * left / 3, 3.1 * run(0.05, 200, session.from)));
		largest = fmax(largest, work);
		left -= seconds;
		assert_int_equal(work_session_add(&session, work, seconds, NULL), 0);
	}
	assert_true(largest > 3 * session.from);
	work_session_raise(&session, 100);
	assert_close(session.from, 100, 0);
	work_session_raise(&session, 50); /* never down */
	assert_close(session.from, 100, 0);
	work_session_raise(&session, 5000); /* nor so far that nothing is left */
	assert_close(session.from, 100, 0);
	work_session_release(&session);
}

/* Seconds that vary, and with them the largest amount that is asked for: still every amount differs from the others. */
static void noise_does_not_repeat_amounts(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 200, .high = 20000, .shortest = 1, .first_estimate = 5, .rounds = 10, .least = 10};
	struct work_session session;
	struct random random;
	random_seed(&random, 3);
	work_session_init(&session, &rule);
	for (int i = 0; i < 40; i++) {
		double work = work_session_next(&session, 600),
			   seconds = run(0.5, 100, work) * (1 + 0.02 * random_normal(&random));
		assert_int_equal(work_session_add(&session, work, seconds, NULL), 0);
	}
	for (size_t i = 0; i < session.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(session.work[i] != session.work[k]);
	work_session_release(&session);
}

/* Below 1 amounts are doubled as elsewhere, and grow by their readings as elsewhere. */
static void fractions_grow_from_where_they_are(void **state)
{
	(void)state;
	struct work_rule rule = {.low = 0.01, .high = 0.5, .shortest = 1, .first_estimate = 60, .rounds = 10, .least = 10};
	struct work_session session;
	static const double expected[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.5};
	work_session_init(&session, &rule);
	for (size_t i = 0; i < 7; i++) {
		double work = work_session_next(&session, 600);
		assert_close(work, expected[i], 1e-12);
		assert_int_equal(work_session_add(&session, work, run(0, 1000, work), NULL), 0);
	}
	work_session_release(&session);
	rule.shortest = 1e-6;
	work_session_init(&session, &rule);
	assert_close(work_session_next_for_units(&session, 1000, 0), 0.01, 0);
	assert_int_equal(work_session_add(&session, 0.01, run(0, 1000, 0.01), NULL), 0);
	assert_close(work_session_next_for_units(&session, 1000, 1), 0.05, 1e-12);
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
		cmocka_unit_test(narrow_ranges_are_used_evenly),
		cmocka_unit_test(ends_come_most_often),
		cmocka_unit_test(slow_beginning),
		cmocka_unit_test(amounts_stay_apart_and_in_range),
		cmocka_unit_test(noise_does_not_repeat_amounts),
		cmocka_unit_test(fractions_grow_from_where_they_are),
		cmocka_unit_test(odd_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
