#include "model/pairing.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/imports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum level two_levels[] = {LEVEL_RUN, LEVEL_ITERATION};
static const enum level three_levels[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};

struct row {
	unsigned open;
	uint32_t pair;
	double value;
};

/* Rows with their keys; `runs` are the keys of the runs, or NULL. */
static void make(struct series *series, const enum level *levels, unsigned depth, const struct row *rows, size_t count,
                 const uint32_t *runs)
{
	struct error err;
	series_init(series, levels, depth);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(series_append(series, rows[i].open, rows[i].value, &err), 0);
	series->pair_key = mem_alloc(count, sizeof(*series->pair_key));
	for (size_t i = 0; i < count; i++)
		series->pair_key[i] = rows[i].pair;
	size_t run_count = series->groups[depth - 2];
	series->run_key = runs ? mem_alloc(run_count, sizeof(*runs)) : NULL;
	if (runs)
		memcpy(series->run_key, runs, run_count * sizeof(*runs));
}

static int align(struct series *a, struct series *b, struct pairing *out, struct error *err)
{
	struct series *both[] = {a, b};
	return pairing_align(both, 2, out, err);
}

static void check(struct series *a, struct series *b, int expected, const char *first, const char *second,
                  size_t dropped)
{
	struct pairing pairing;
	struct error err;
	assert_int_equal(align(a, b, &pairing, &err), expected);
	assert_string_equal(series_text(a), first);
	assert_string_equal(series_text(b), second);
	assert_int_equal(pairing.dropped, dropped);
	assert_int_equal(a->pair_key == NULL, expected == 1);
	pairing_release(&pairing);
	series_release(a);
	series_release(b);
}

/* Equal keys at equal places stay as they are; a lost value is lost on both sides. */
static void test_aligned_already(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 1, 10}, {1, 2, NAN}, {0, 1, 12}}, others[] = {{0, 1, 20}, {1, 2, 21}, {0, 1, 22}};
	const uint32_t runs[] = {3, 4};
	struct series a, b;
	make(&a, two_levels, 2, rows, 3, runs);
	make(&b, two_levels, 2, others, 3, runs);
	check(&a, &b, 1, "[[10,null],[12]]", "[[20,null],[22]]", 0);
}

/* The order of the first; what has no partner goes, and a run that is left without values with it. */
static void test_by_key(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 7, 10}, {1, 8, 11}, {0, 9, 12}, {0, 5, 13}, {1, 6, 14}};
	const struct row others[] = {{0, 6, 24}, {0, 5, 23}, {0, 99, 25}, {0, 8, 21}};
	struct series a, b;
	make(&a, two_levels, 2, rows, 5, NULL);
	make(&b, two_levels, 2, others, 4, NULL);
	check(&a, &b, 1, "[[11],[13,14]]", "[[21],[23,24]]", 3);
}

static void test_levels_of_the_first(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 1, 10}, {2, 2, 11}, {1, 3, 12}, {0, 4, 13}, {1, 5, 14}};
	const struct row others[] = {{0, 5, 24}, {0, 4, 23}, {0, 2, 21}};
	struct series a, b;
	make(&a, three_levels, 3, rows, 5, NULL);
	make(&b, two_levels, 2, others, 3, NULL);
	check(&a, &b, 1, "[[[11]],[[13],[14]]]", "[[[21]],[[23],[24]]]", 2);
}

/* Pairs counted anew in each run are told apart by the run; runs with other names count for nothing. */
static void test_runs(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 1, 10}, {1, 2, 11}, {0, 1, 12}, {1, 2, 13}};
	const uint32_t runs[] = {1, 2}, turned[] = {2, 1}, later[] = {8, 9};
	struct series a, b;
	make(&a, two_levels, 2, rows, 4, runs);
	make(&b, two_levels, 2, rows, 4, turned);
	check(&a, &b, 1, "[[10,11],[12,13]]", "[[12,13],[10,11]]", 0);

	const struct row unlike[] = {{0, 1, 10}, {1, 2, 11}, {0, 3, 12}, {1, 4, 13}};
	make(&a, two_levels, 2, unlike, 4, runs);
	make(&b, two_levels, 2, unlike, 4, later);
	check(&a, &b, 1, "[[10,11],[12,13]]", "[[10,11],[12,13]]", 0);
}

static void test_none_in_common(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 1, 10}, {0, 2, 11}}, others[] = {{0, 3, 20}, {0, 4, 21}};
	struct series a, b;
	make(&a, two_levels, 2, rows, 2, NULL);
	make(&b, two_levels, 2, others, 2, NULL);
	check(&a, &b, 0, "[[10],[11]]", "[[20],[21]]", 0);
}

/* Also where the two are alike place by place. */
static void test_twice(void **state)
{
	(void)state;
	const struct row once[] = {{0, 1, 10}, {0, 2, 11}, {0, 3, 12}}, twice[] = {{0, 1, 20}, {0, 2, 21}, {0, 2, 22}};
	const struct row *sides[][2] = {{once, twice}, {twice, once}, {twice, twice}};
	for (size_t i = 0; i < 3; i++) {
		struct series a, b;
		struct pairing pairing;
		struct error err;
		make(&a, two_levels, 2, sides[i][0], 3, NULL);
		make(&b, two_levels, 2, sides[i][1], 3, NULL);
		assert_int_equal(align(&a, &b, &pairing, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_int_equal(pairing.twice, 2);
		assert_true(a.n == 3 && b.n == 3 && a.pair_key && b.pair_key);
		series_release(&a);
		series_release(&b);
	}
}

static void test_three_series(void **state)
{
	(void)state;
	const struct row rows[][2] = {{{0, 1, 1}, {0, 2, 2}}, {{0, 2, 12}, {0, 1, 11}}, {{0, 2, 22}, {0, 3, 23}}};
	static const char *const expected[] = {"[[2]]", "[[12]]", "[[22]]"};
	struct series series[3], *all[3];
	struct pairing pairing;
	struct error err;
	for (int i = 0; i < 3; i++) {
		make(&series[i], two_levels, 2, rows[i], 2, NULL);
		all[i] = &series[i];
	}
	assert_int_equal(pairing_align(all, 3, &pairing, &err), 1);
	assert_int_equal(pairing.dropped, 3);
	assert_true(pairing.kept_count == 1 && pairing.kept[0] == 1);
	pairing_release(&pairing);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(series_text(&series[i]), expected[i]);
		series_release(&series[i]);
	}
}

/* Against looking for every partner one by one. */
static void test_many(void **state)
{
	(void)state;
	enum { N = 500 };
	struct random random;
	random_seed(&random, 5);
	for (int round = 0; round < 20; round++) {
		struct row rows[2][N];
		struct series series[2];
		size_t partners = 0;
		for (int side = 0; side < 2; side++) {
			for (uint32_t i = 0; i < N; i++)
				rows[side][i] = (struct row){(unsigned)random_below(&random, 2), 3 * i * (side + 1), 0};
			random_shuffle(&random, rows[side], N, sizeof(rows[side][0]));
			for (uint32_t i = 0; i < N; i++)
				rows[side][i].value = side * 1e6 + rows[side][i].pair;
			make(&series[side], two_levels, 2, rows[side], N, NULL);
		}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				partners += rows[0][i].pair == rows[1][j].pair;
		struct pairing pairing;
		struct error err;
		assert_int_equal(align(&series[0], &series[1], &pairing, &err), 1);
		assert_true(series[0].n == partners && series[1].n == partners && series[0].groups[0] == series[1].groups[0]);
		for (size_t i = 0; i < partners; i++)
			assert_true(series[1].values[i] - series[0].values[i] == 1e6);
		pairing_release(&pairing);
		series_release(&series[0]);
		series_release(&series[1]);
	}
}

static void test_no_memory(void **state)
{
	(void)state;
	const struct row rows[] = {{0, 1, 10}, {0, 2, 11}}, others[] = {{0, 2, 21}, {0, 3, 22}};
	const uint32_t runs[] = {1, 2}, other_runs[] = {2, 3};
	for (long failed = 0;; failed++) {
		struct series a, b;
		struct pairing pairing;
		struct error err;
		make(&a, two_levels, 2, rows, 2, runs);
		make(&b, two_levels, 2, others, 2, other_runs);
		mem_fail_at(failed + 1);
		int status = align(&a, &b, &pairing, &err);
		int starved = mem_failed();
		mem_fail_at(0);
		if (starved) {
			assert_int_equal(status, -1);
			assert_int_equal(err.kind, ERROR_MEMORY);
			assert_true(a.n == 2 && b.n == 2);
		} else {
			assert_int_equal(status, 1);
			assert_true(failed > 5);
		}
		pairing_release(&pairing);
		series_release(&a);
		series_release(&b);
		if (!starved)
			return;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned_already),     cmocka_unit_test(test_by_key),
		cmocka_unit_test(test_levels_of_the_first), cmocka_unit_test(test_runs),
		cmocka_unit_test(test_none_in_common),      cmocka_unit_test(test_twice),
		cmocka_unit_test(test_three_series),        cmocka_unit_test(test_many),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests_name("model/pairing", tests, NULL, NULL);
}
