/* Outcomes: only ok carries numbers; units and overlaps. */
#include "model/outcome.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static void only_ok_carries_numbers(void **state)
{
	(void)state;
	struct outcome outcome;
	outcome_init(&outcome);
	assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
	for (int m = 0; m < METRIC_COUNT; m++) {
		assert_true(isnan(outcome_value(&outcome, (enum metric_id)m)));
		assert_non_null(outcome.why[m]);
	}
	outcome.raw[METRIC_WALL] = 1234567;
	outcome.why[METRIC_WALL] = NULL;
	for (int status = 0; status < OUTCOME_STATUSES; status++) {
		outcome.status = (enum outcome_status)status;
		double value = outcome_value(&outcome, METRIC_WALL);
		if (status == OUTCOME_OK)
			assert_close(value, 1.234567e-3, 1e-15);
		else
			assert_true(isnan(value));
	}
	outcome.status = OUTCOME_OK;
	assert_true(isnan(outcome_value(&outcome, METRIC_NET)));
}

static void metrics_have_names_and_units(void **state)
{
	(void)state;
	assert_string_equal(metric_of(METRIC_WALL).name, "wall");
	assert_string_equal(metric_of(METRIC_RSS).unit, "bytes");
	assert_string_equal(metric_of(METRIC_FAULTS).unit, "");
	assert_close(metric_step(METRIC_CPU), 2e-6, 1e-15); /* wait4 cuts user and system to whole µs */
	assert_close(metric_step(METRIC_RSS), 4096, 0);
	for (int a = 0; a < METRIC_COUNT; a++)
		for (int b = 0; b < a; b++)
			assert_string_not_equal(metric_of((enum metric_id)a).name, metric_of((enum metric_id)b).name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(only_ok_carries_numbers),
	                                   cmocka_unit_test(metrics_have_names_and_units)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
