#include "analysis/kept.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>

static const enum level three[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};

/* 2 builds × 2 runs × 3 iterations, values 0 … 11. */
static void fill(struct series *series)
{
	series_init(series, three, 3);
	for (int i = 0; i < 12; i++)
		assert_int_equal(series_append(series, i % 6 == 0 ? 0 : i % 3 == 0 ? 1 : 2, i, NULL), 0);
}

static void nothing_left_out_is_not_copied(void **state)
{
	(void)state;
	struct series series;
	struct kept kept;
	fill(&series);
	assert_int_equal(kept_init(&kept, &series, 0, NULL), 0);
	assert_ptr_equal(kept.values.values, series.values);
	assert_int_equal(kept_unit_level(&kept.values), 0);
	struct kept_units units;
	assert_int_equal(kept_units_init(&units, &kept.values, 0, MEAN_ARITHMETIC, NULL), 0);
	assert_int_equal(units.n, 2);
	assert_close(units.mean[0], 2.5, 1e-15);
	assert_close(units.mean[1], 8.5, 1e-15);
	kept_units_release(&units);
	assert_int_equal(kept_units_init(&units, &kept.values, 2, MEAN_ARITHMETIC, NULL), 0);
	assert_ptr_equal(units.mean, series.values);
	assert_int_equal(units.n, 12);
	kept_units_release(&units);
	kept_release(&kept);
	series_release(&series);
}

static void warmup_and_lost_values_are_left_out(void **state)
{
	(void)state;
	struct series series;
	struct kept kept;
	fill(&series);
	series.values[4] = series.values[5] = NAN; /* the rest of run 1 of build 0 after its first */
	assert_int_equal(kept_init(&kept, &series, 1, NULL), 0);
	assert_int_equal(kept.lost, 2);
	assert_int_equal(kept.values.n, 6);
	assert_int_equal(kept.values.groups[0], 2);
	assert_int_equal(kept.values.groups[1], 3); /* the run that became empty is gone */
	const double expected[] = {1, 2, 7, 8, 10, 11};
	for (int i = 0; i < 6; i++)
		assert_close(kept.values.values[i], expected[i], 0);
	assert_int_equal(kept.values.starts[0][1], 1);
	assert_int_equal(kept.values.starts[0][2], 3);
	kept_release(&kept);
	series_release(&series);
}

static void the_unit_is_the_outermost_level_that_repeats(void **state)
{
	(void)state;
	struct series series;
	struct kept kept;
	series_init(&series, three, 3);
	for (int i = 0; i < 6; i++)
		assert_int_equal(series_append(&series, i % 3 == 0 ? 1 : 2, i, NULL), 0);
	assert_int_equal(kept_init(&kept, &series, 0, NULL), 0);
	assert_int_equal(kept_unit_level(&kept.values), 1); /* one build, two runs */
	kept_release(&kept);
	series_release(&series);
}

static void levels_with_one_member_each_are_left_out(void **state)
{
	(void)state;
	struct series series;
	struct kept kept;
	unsigned level_of[NESTED_MAX_DEPTH];
	/* 2 builds × 3 runs of one value: runs are the values. */
	series_init(&series, three, 3);
	for (int i = 0; i < 6; i++)
		assert_int_equal(series_append(&series, i % 3 == 0 ? 0 : 1, i, NULL), 0);
	assert_int_equal(kept_init(&kept, &series, 0, NULL), 0);
	struct nested slim = kept_slim(&kept.values, level_of);
	assert_int_equal(slim.depth, 2);
	assert_int_equal(slim.groups[0], 2);
	assert_int_equal(slim.starts[0][1], 3);
	assert_int_equal(slim.starts[0][2], 6);
	assert_int_equal(level_of[0], 0);
	assert_int_equal(level_of[1], 1);
	struct kept_units units;
	assert_int_equal(kept_units_init(&units, &kept.values, 1, MEAN_ARITHMETIC, NULL), 0);
	assert_ptr_equal(units.mean, series.values); /* nothing to average */
	kept_units_release(&units);
	kept_release(&kept);
	series_release(&series);
	/* 6 builds of one run of two values. */
	series_init(&series, three, 3);
	for (int i = 0; i < 12; i++)
		assert_int_equal(series_append(&series, i % 2 == 0 ? 0 : 2, i, NULL), 0);
	assert_int_equal(kept_init(&kept, &series, 0, NULL), 0);
	slim = kept_slim(&kept.values, level_of);
	assert_int_equal(slim.depth, 2);
	assert_int_equal(slim.groups[0], 6);
	assert_int_equal(slim.starts[0][1], 2);
	assert_int_equal(level_of[0], 0);
	assert_int_equal(level_of[1], 2);
	kept_release(&kept);
	series_release(&series);
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	struct series series;
	fill(&series);
	for (long nth = 1;; nth++) {
		struct kept kept;
		struct error err;
		mem_fail_at(nth);
		int status = kept_init(&kept, &series, 1, &err);
		bool failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? -1 : 0);
		kept_release(&kept);
		if (!failed)
			break;
	}
	series_release(&series);
}

/* Means of means need one array after the other; whatever has failed may be released. */
static void units_without_memory_may_be_released(void **state)
{
	(void)state;
	struct series series;
	struct kept kept;
	fill(&series);
	assert_int_equal(kept_init(&kept, &series, 0, NULL), 0);
	for (long nth = 1; nth <= 3; nth++) {
		struct kept_units units;
		struct error err;
		mem_fail_at(nth);
		assert_int_equal(kept_units_init(&units, &kept.values, 0, MEAN_ARITHMETIC, &err), nth <= 2 ? -1 : 0);
		mem_fail_at(0);
		assert_int_equal(units.own == NULL, nth <= 2);
		kept_units_release(&units);
	}
	kept_release(&kept);
	series_release(&series);
}

/* Each run may have a warm-up of its own, counted over all runs. */
static void runs_leave_out_their_own(void **state)
{
	(void)state;
	struct result result;
	struct measurement m = {.skip = 0};
	struct kept kept;
	result_init(&result);
	fill(&m.series);
	const size_t skips[] = {0, 2, 1, 3};
	for (size_t run = 0; run < 4; run++)
		assert_int_equal(measurement_add_skip(&result, &m, run, skips[run]), 0);
	assert_int_equal(m.skip, 3);
	assert_int_equal(measurement_skip(&m, 2), 1);
	assert_int_equal(kept_init_as(&kept, &m.series, &m, NULL), 0);
	const double expected[] = {0, 1, 2, 5, 7, 8};
	assert_int_equal(kept.values.n, 6);
	for (int i = 0; i < 6; i++)
		assert_close(kept.values.values[i], expected[i], 0);
	assert_int_equal(kept.values.groups[1], 3); /* the last run was nothing but warm-up */
	kept_release(&kept);
	series_release(&m.series);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_left_out_is_not_copied),
		cmocka_unit_test(warmup_and_lost_values_are_left_out),
		cmocka_unit_test(the_unit_is_the_outermost_level_that_repeats),
		cmocka_unit_test(levels_with_one_member_each_are_left_out),
		cmocka_unit_test(every_failed_allocation_is_reported),
		cmocka_unit_test(units_without_memory_may_be_released),
		cmocka_unit_test(runs_leave_out_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
