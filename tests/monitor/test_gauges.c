/* Gauges: means and peaks by slots, merging, stretches above the limit; against a naive recomputation. */
#include "monitor/gauges.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

enum { MS = 1000000 };

static void test_names(void **state)
{
	(void)state;
	struct gauges gauges;
	char name[2 * GAUGE_NAME];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(gauges_init(&gauges, 3, 0.8, NULL), 0);
	assert_int_equal(gauges_add(&gauges, "disk:sda", "busy", "", GAUGE_USE), 0);
	assert_int_equal(gauges_add(&gauges, "disk:sda", "read", "B/s", GAUGE_RATE), 1);
	assert_int_equal(gauges_add(&gauges, "disk:sda", "busy", "", GAUGE_USE), 0);
	assert_int_equal(gauges_add(&gauges, name, "busy", "", GAUGE_USE), 2);
	/* A name that was cut is found again. */
	assert_int_equal(gauges_add(&gauges, name, "busy", "", GAUGE_USE), 2);
	assert_int_equal(gauges_add(&gauges, "one too many", "busy", "", GAUGE_USE), GAUGES_NONE);
	assert_int_equal(gauges.refused, 1);
	gauges_set(&gauges, GAUGES_NONE, 1);
	gauges_release(&gauges);
}

static void test_stretches(void **state)
{
	(void)state;
	struct gauges gauges;
	/* 100 ms each: above for 0.3 s, below, above for 0.4 s, unmeasured, above for 0.2 s more, gone, above. */
	const double values[] = {0.9, 0.95, 0.85, 0.5, 1, 0.9, 0.9, 1, 0.1, 0.9, 0.9, NAN, 0.9};
	const bool counts[] = {true, true, true, true, true, true, true, true, false, true, true, true, true};
	assert_int_equal(gauges_init(&gauges, 1, 0.8, NULL), 0);
	int g = gauges_add(&gauges, "disk:sda", "busy", "", GAUGE_USE);
	int64_t now = 1000 * MS;
	gauges_begin(&gauges, now, 100 * MS);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		gauges_set(&gauges, g, values[i]);
		gauges_commit(&gauges, now += 100 * MS, counts[i]);
	}
	gauges_finish(&gauges);
	const struct gauge *gauge = &gauges.gauges[g];
	/* Time between trials does not end a stretch. */
	assert_int_equal(gauge->longest_from, 1400 * MS);
	assert_int_equal(gauge->longest, 700 * MS);
	assert_true(fabs(gauge->longest_peak - 1) < 1e-12);
	assert_true(fabs(gauge->longest_sum / gauge->longest_weight - (1 + 0.9 + 0.9 + 1 + 0.9 + 0.9) / 6) < 1e-12);
	assert_true(fabs(gauge->above_total - 1.0) < 1e-9);
	assert_true(fabs(gauge_mean(gauge) - (0.9 + 0.95 + 0.85 + 0.5 + 1 + 0.9 + 0.9 + 1 + 0.9 + 0.9 + 0.9) / 11) < 1e-12);
	gauges_release(&gauges);
}

/* Long traces are merged: the mean over all slots stays, the peak is never lost, the memory does not grow. */
static void test_merging(void **state)
{
	(void)state;
	struct gauges gauges;
	struct random random;
	random_seed(&random, 7);
	assert_int_equal(gauges_init(&gauges, 2, 0.8, NULL), 0);
	int g = gauges_add(&gauges, "cpu", "busy", "", GAUGE_USE), late = GAUGES_NONE;
	int64_t now = 5;
	double sum = 0;
	enum { SAMPLES = 100000, SPIKE = 77777 };
	gauges_begin(&gauges, now, 10 * MS);
	mem_fail_at(1);
	for (int i = 0; i < SAMPLES; i++) {
		double value = i == SPIKE ? 3 : random_uniform(&random);
		if (i == SAMPLES / 2)
			late = gauges_add(&gauges, "disk:new", "busy", "", GAUGE_USE);
		gauges_set(&gauges, late, 0.25);
		gauges_set(&gauges, g, value);
		gauges_commit(&gauges, now += 10 * MS, true);
		sum += value;
	}
	gauges_finish(&gauges);
	assert_false(mem_failed());
	mem_fail_at(0);
	assert_true(gauges.slot <= GAUGES_SLOTS);
	assert_true(gauges.slot > GAUGES_SLOTS / 2 - 1);
	double slots = 0, peak = 0, before = 0;
	for (size_t i = 0; i < gauges.slot; i++) {
		slots += gauges.means[(size_t)g * GAUGES_SLOTS + i];
		peak = fmax(peak, gauges.peaks[(size_t)g * GAUGES_SLOTS + i]);
		before += !isnan(gauges.means[(size_t)late * GAUGES_SLOTS + i]);
	}
	double mean = sum / SAMPLES;
	assert_true(fabs(gauge_mean(&gauges.gauges[g]) - mean) < 1e-9);
	/* The last slot may be shorter than the others. */
	assert_true(fabs(slots / (double)gauges.slot - mean) < 0.01);
	assert_true(peak == 3);
	assert_true(fabs(before / (double)gauges.slot - 0.5) < 0.02);
	size_t spike = (size_t)((double)(SPIKE)*10 * MS / (double)gauges.slot_length);
	assert_true(gauges.peaks[(size_t)g * GAUGES_SLOTS + spike] == 3);
	float recent[GAUGES_RING];
	assert_int_equal(gauges_recent(&gauges, late, recent), GAUGES_RING);
	assert_true(recent[GAUGES_RING - 1] == 0.25f);
	gauges_release(&gauges);
}

static void test_memory(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct gauges gauges;
		struct error err = {0};
		mem_fail_at(nth);
		int status = gauges_init(&gauges, 4, 0.8, &err);
		bool starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? -1 : 0);
		gauges_release(&gauges);
		if (!starved)
			break;
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_stretches),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
