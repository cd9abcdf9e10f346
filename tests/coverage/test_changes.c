/* A small part of the change-point table of `make rates`, with a fixed seed. */
#include "coverage/changes.h"
#include "coverage/patterns.h"

#include "support/known.h"

static void check(const struct change_case *change, size_t series)
{
	struct change_rates rates = changes_simulate(change, series, 1);
	if (changes_broken(change, &rates))
		fail_msg("%s, n = %zu, shift %g of %zu: any %zu, found %zu of %zu series; published %.1f %%",
		         noise_name(change->noise), change->n, change->shift, change->at, rates.any, rates.found, series,
		         change->published);
}

static void check_alarms(enum finder finder, size_t n, size_t series)
{
	static const enum noise noises[] = {NOISE_NORMAL, NOISE_AR_05};
	for (size_t k = 0; k < 2; k++)
		check(&(struct change_case){.finder = finder, .noise = noises[k], .n = n, .published = -1}, series);
}

/* alpha is 1 % and two simulation errors are 0.63 points. */
static void test_alarms_of_edivisive(void **state)
{
	(void)state;
	check_alarms(FINDER_EDIVISIVE, 50, 1000);
	check_alarms(FINDER_EDIVISIVE, 200, 1000);
}

static void test_alarms_of_edm(void **state)
{
	(void)state;
	check_alarms(FINDER_EDM, 100, 1000);
	check_alarms(FINDER_EDM, 200, 1000);
}

/* All kinds of noise together, 150 series each: two simulation errors are 0.4 points. 1000 series of every kind by
 * itself are in `make rates`. */
static void test_alarms_of_other_noise(void **state)
{
	(void)state;
	for (int finder = FINDER_EDM; finder <= FINDER_EDIVISIVE; finder++) {
		struct change_rates all = {0};
		for (int noise = 0; noise < NOISE_COUNT; noise++) {
			struct change_case change = {.finder = (enum finder)finder, .noise = (enum noise)noise, .n = 100};
			if (finder == FINDER_EDIVISIVE && noise == NOISE_PERIODIC)
				continue; /* two and a half periods are levels to a search with short segments */
			struct change_rates rates = changes_simulate(&change, 150, 1);
			all.series += rates.series;
			all.any += rates.any;
		}
		assert_false(changes_broken(&(struct change_case){.published = -1}, &all));
	}
}

/* Every published detection rate; two simulation errors are at most 13 points. */
static void test_detection(void **state)
{
	(void)state;
	static struct change_case cases[200];
	size_t count = changes_published(TESTS_KNOWN "/changepoint_rates.json", FINDER_EDM, cases, 200), checked = 0;
	for (size_t k = 0; k < count; k++) {
		if (cases[k].at == 0)
			continue;
		check(&cases[k], cases[k].n > 1000 ? 20 : 60);
		checked++;
	}
	assert_int_equal(checked, 2 * 20 + 18 + 4);
}

static void test_two_deviations(void **state)
{
	(void)state;
	struct change_case change = {.n = 200, .at = 100, .shift = 2, .tolerance = 5, .published = 95};
	for (int finder = FINDER_EDM; finder <= FINDER_EDIVISIVE; finder++) {
		change.finder = (enum finder)finder;
		check(&change, 500);
	}
}

/* Intervals of place and size, 95 %: two simulation errors of 500 series are 1.9 points. */
static void test_intervals(void **state)
{
	(void)state;
	static const enum noise noises[] = {NOISE_NORMAL, NOISE_T3, NOISE_AR_05};
	for (size_t k = 0; k < 3; k++) {
		struct change_case change = {FINDER_EDIVISIVE, noises[k], 200, 100, 2, 0, 0, 0, 100, -1};
		struct change_rates rates = changes_simulate(&change, 500, 2);
		double found = (double)rates.found, error = changes_error(0.95, rates.found);
		assert_true(found > 480);
		assert_true((double)rates.place_covered / found > 0.95 - 2 * error);
		assert_true((double)rates.size_covered / found > 0.95 - 2 * error);
		assert_true((double)rates.size_covered / found < 0.99);
	}
}

/* Where few changes are found those are the ones that noise made large: told sizes hold their level all the same. */
static void test_sizes_of_few(void **state)
{
	(void)state;
	static const double shifts[] = {0.75, 1};
	for (size_t k = 0; k < 2; k++) {
		struct change_case change = {FINDER_EDIVISIVE, NOISE_AR_05, 200, 100, shifts[k], 0, 0, 0, 100, -1};
		struct change_rates rates = changes_simulate(&change, 700, 2);
		double found = (double)rates.found;
		assert_true(found > 100 && found < 0.7 * 700);
		assert_true((double)rates.size_covered / found > 0.95 - 2 * changes_error(0.95, rates.found));
	}
}

/* The check itself can tell: a walk of a hundred coins is full of levels. */
static void test_check_can_fail(void **state)
{
	(void)state;
	struct change_case change = {.noise = NOISE_NORMAL, .n = 100, .published = -1};
	assert_true(changes_broken(&change, &(struct change_rates){.series = 1000, .any = 17}));
	assert_false(changes_broken(&change, &(struct change_rates){.series = 1000, .any = 16}));
	change.at = 50;
	change.published = 80;
	assert_true(changes_broken(&change, &(struct change_rates){.series = 1000, .found = 760}));
	assert_false(changes_broken(&change, &(struct change_rates){.series = 1000, .found = 780}));
}

static double marked(enum pattern_kind kind, double rho, uint64_t seed)
{
	enum { SERIES = 100, LENGTH = 300 };
	struct pattern_rates rates = patterns_simulate(&(struct pattern_case){kind, rho, LENGTH}, SERIES, seed);
	assert_true(rates.found > SERIES / 2);
	return 100 * (double)rates.marked / (double)rates.found;
}

/* A walk or one and a half periods of a cycle is cut into levels, too; the levels then move between the cuts. The rates
 * of changepoint-rates -p are 1.3, 92 and 94 %; of 100 series three simulation errors are 4, 8 and 7 points. */
static void test_patterns(void **state)
{
	(void)state;
	assert_true(marked(MADE_STEP, 0.5, 4) <= 5);
	assert_true(marked(MADE_WALK, 0, 5) >= 84);
	assert_true(marked(MADE_PART_CYCLE, 0, 6) >= 87);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alarms_of_edivisive),
		cmocka_unit_test(test_alarms_of_edm),
		cmocka_unit_test(test_alarms_of_other_noise),
		cmocka_unit_test(test_detection),
		cmocka_unit_test(test_two_deviations),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_sizes_of_few),
		cmocka_unit_test(test_check_can_fail),
		cmocka_unit_test(test_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
