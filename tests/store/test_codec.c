#include "store/codec.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 300 };

/* Comes back bit by bit, and says how many bytes it took. */
static size_t round_trip(const double *values, size_t n)
{
	struct buffer blob = {0};
	double back[MOST];
	codec_put_values(&blob, values, n);
	assert_int_equal(codec_get_values(buffer_text(&blob), blob.length, back, n), 0);
	assert_memory_equal(back, values, n * sizeof(*values));
	size_t length = blob.length;
	buffer_release(&blob);
	return length;
}

static void test_values(void **state)
{
	(void)state;
	struct random random;
	double values[MOST];
	random_seed(&random, 1);
	for (size_t i = 0; i < MOST; i++)
		values[i] = random_normal(&random);
	assert_int_equal(round_trip(values, MOST), 1 + 8 * MOST);
	for (size_t i = 0; i < MOST; i++)
		values[i] = (double)(1000000 + (int64_t)random_below(&random, 50000)) / 1e9;
	assert_true(round_trip(values, MOST) < 4 * MOST);
	for (size_t i = 0; i < MOST; i++)
		values[i] = (double)(1000000 + (int64_t)random_below(&random, 50000)) * 1e-9;
	assert_true(round_trip(values, MOST) < 4 * MOST);
	for (size_t i = 0; i < MOST; i++)
		values[i] = 4096.0 * (double)random_below(&random, 3);
	assert_true(round_trip(values, MOST) < 3 * MOST);
	for (size_t i = 0; i < MOST; i++)
		values[i] = 1.5 + 0.1 * random_normal(&random);
	assert_int_equal(round_trip(values, MOST), 2 + 7 * MOST);
	const double odd[] = {NAN,    INFINITY, -INFINITY, -0.0, 0.0, 5e-324, 1.7976931348623157e308,
	                      0x1p53, -0x1p53,  1e-9,      0.1};
	for (size_t n = 0; n <= sizeof(odd) / sizeof(odd[0]); n++)
		round_trip(odd, n);
	round_trip(odd + 3, 1);
	round_trip(odd + 4, 1);
}

/* Every value opens the level that it opened when it was appended. */
static void test_groups(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_MACHINE, LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION, LEVEL_INVOCATION};
	struct random random;
	random_seed(&random, 2);
	for (unsigned depth = 2; depth <= LEVEL_COUNT; depth++) {
		struct series series;
		struct buffer blob = {0};
		struct codec_walk walk;
		unsigned opened[MOST], open;
		series_init(&series, levels, depth);
		for (size_t i = 0; i < MOST; i++) {
			opened[i] = i == 0 ? 0 : (unsigned)random_below(&random, depth);
			assert_int_equal(series_append(&series, opened[i], 1, NULL), 0);
		}
		codec_put_groups(&blob, &series);
		assert_int_equal(codec_walk_init(&walk, buffer_text(&blob), blob.length, depth), 0);
		for (size_t i = 0; i < MOST; i++) {
			assert_int_equal(codec_walk_next(&walk, &open), 0);
			assert_int_equal(open, opened[i]);
		}
		assert_int_equal(codec_walk_next(&walk, &open), -1);
		buffer_release(&blob);
		series_release(&series);
	}
}

/* A million runs of one value are a few bytes. */
static void test_regular_groups(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct series series;
	struct buffer blob = {0};
	series_init(&series, levels, 2);
	for (size_t i = 0; i < 100000; i++)
		assert_int_equal(series_append(&series, 0, 1, NULL), 0);
	codec_put_groups(&blob, &series);
	assert_true(blob.length < 8);
	buffer_release(&blob);
	series_release(&series);
}

struct texts {
	const char *const *expected;
	size_t n;
};

static int compare_text(void *context, const char *text, size_t length)
{
	struct texts *texts = context;
	const char *expected = texts->expected[texts->n++];
	assert_int_equal(length, strlen(expected));
	assert_memory_equal(text, expected, length);
	return 0;
}

static size_t text_trip(const char *const *texts, size_t n)
{
	struct buffer blob = {0};
	struct texts seen = {texts, 0};
	assert_int_equal(codec_put_texts(&blob, texts, n), 0);
	assert_int_equal(codec_get_texts(buffer_text(&blob), blob.length, compare_text, &seen), 0);
	assert_int_equal(seen.n, n);
	size_t length = blob.length;
	buffer_release(&blob);
	return length;
}

static void test_texts(void **state)
{
	(void)state;
	enum { MANY = 5000 };
	static const char *two[MANY], *all[MANY];
	static char made[MANY][16];
	struct random random;
	random_seed(&random, 3);
	for (size_t i = 0; i < MANY; i++) {
		two[i] = random_below(&random, 2) ? "AB" : "BA";
		snprintf(made[i], sizeof(made[i]), "%zu,%zu", i, MANY - i);
		all[i] = made[i];
	}
	assert_true(text_trip(two, MANY) < MANY / 8 + 16);
	text_trip(two, 1);
	text_trip(two, 0);
	text_trip(all, MANY); /* more than a dictionary holds */
}

static void test_times(void **state)
{
	(void)state;
	const int64_t times[] = {0, 3, 3, 90, 100000, INT64_C(10000000000)};
	int64_t back[6];
	struct buffer blob = {0};
	codec_put_times(&blob, times, 6);
	assert_int_equal(codec_get_times(buffer_text(&blob), blob.length, back, 6), 0);
	assert_memory_equal(back, times, sizeof(times));
	assert_int_equal(codec_get_times(buffer_text(&blob), blob.length, back, 5), -1);
	buffer_release(&blob);
}

static int count_text(void *context, const char *text, size_t length)
{
	size_t *count = context;
	(void)text;
	(void)length;
	return ++*count > 1000;
}

/* Whatever a file holds, a reader answers or refuses. */
static void test_damaged(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 4);
	for (int trial = 0; trial < 20000; trial++) {
		unsigned char blob[40];
		double values[MOST];
		int64_t times[MOST];
		struct codec_walk walk;
		unsigned open;
		size_t size = random_below(&random, sizeof(blob) + 1);
		for (size_t i = 0; i < size; i++)
			blob[i] = (unsigned char)(random_below(&random, 4) ? random_below(&random, 6) : random_next(&random));
		codec_get_values(blob, size, values, random_below(&random, MOST));
		codec_get_times(blob, size, times, random_below(&random, MOST));
		if (codec_walk_init(&walk, blob, size, 2 + (unsigned)random_below(&random, 4)) == 0)
			for (int i = 0; i < MOST && codec_walk_next(&walk, &open) == 0; i++)
				assert_true(open < walk.depth);
		size_t count = 0;
		codec_get_texts(blob, size, count_text, &count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_groups), cmocka_unit_test(test_regular_groups),
		cmocka_unit_test(test_texts),  cmocka_unit_test(test_times),  cmocka_unit_test(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
