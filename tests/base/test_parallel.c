#include "base/parallel.h"

#include "support/known.h"

#include <string.h>

enum { PIECES = 1000 };

struct seen {
	int times[PIECES];
	unsigned workers;
	int bad_worker;
};

static void mark(void *context, unsigned worker, size_t piece)
{
	struct seen *seen = context;
	__atomic_add_fetch(&seen->times[piece], 1, __ATOMIC_RELAXED);
	if (worker >= seen->workers)
		__atomic_store_n(&seen->bad_worker, 1, __ATOMIC_RELAXED);
}

static void test_every_piece_once(void **state)
{
	(void)state;
	unsigned counts[] = {1, 2, 7, PARALLEL_MAX_WORKERS};
	assert_true(parallel_workers() >= 1 && parallel_workers() <= PARALLEL_MAX_WORKERS);
	for (int i = 0; i < 4; i++) {
		struct seen seen = {.workers = counts[i]};
		parallel_run(counts[i], PIECES, mark, &seen);
		for (int piece = 0; piece < PIECES; piece++)
			assert_int_equal(seen.times[piece], 1);
		assert_int_equal(seen.bad_worker, 0);
	}
}

static void test_few_pieces(void **state)
{
	(void)state;
	struct seen seen = {.workers = 3};
	parallel_run(8, 0, mark, &seen);
	assert_int_equal(seen.times[0], 0);
	parallel_run(8, 3, mark, &seen); /* no more workers than pieces */
	assert_int_equal(seen.times[0] + seen.times[1] + seen.times[2], 3);
	assert_int_equal(seen.bad_worker, 0);
	seen.workers = PARALLEL_MAX_WORKERS;
	parallel_run(1000, PIECES, mark, &seen);
	assert_int_equal(seen.times[PIECES - 1], 1);
	assert_int_equal(seen.bad_worker, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_piece_once),
		cmocka_unit_test(test_few_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
