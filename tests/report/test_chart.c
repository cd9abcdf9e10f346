#include "report/chart.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static void test_sequences(void **state)
{
	(void)state;
	const double x[] = {1, 2, 3, 4, 5, 6};
	const uint32_t starts[] = {0, 2, 6};
	struct plot_series series = {.values = x, .n = 6, .unit = "s", .starts = starts, .run_count = 2};
	struct axis_range range = axis_range_bulk(x, 6);
	struct chart chart;
	chart_sequence(&chart, &series, &range);
	assert_string_equal(chart.heading, "values in order");
	assert_true(chart.x.low == 1 && chart.x.high == 6 && chart.y.low <= 1 && chart.y.high >= 6);
	assert_int_equal(chart_runs(&series), 2);
	assert_int_equal(chart_run_of(&series, 1), 0);
	assert_int_equal(chart_run_of(&series, 2), 1);
	series.overlaid = true;
	chart_sequence(&chart, &series, &range);
	assert_string_equal(chart.heading, "values of all runs by iteration");
	assert_true(chart.x.high == 4); /* the longest run */
	series.title = "own";
	series.starts = NULL;
	chart_sequence(&chart, &series, &range);
	assert_string_equal(chart.heading, "own");
	assert_true(chart_runs(&series) == 1 && chart_run_start(&series, 1) == 6);
}

static void test_pairs(void **state)
{
	(void)state;
	double x[100], sums[2] = {0};
	for (size_t i = 0; i < 100; i++)
		x[i] = (double)(i * i);
	struct plot_series series = {.values = x, .n = 100, .unit = "s", .lag = 3};
	struct chart_pair pair;
	static const char *const headings[] = {"values in order", "value 3 after value", "autocorrelation of ranks"};
	for (int kind = PLOT_SEQUENCE; kind <= PLOT_ACF; kind++) {
		assert_int_equal(chart_pair_init(&pair, (enum plot_kind)kind, &series, 1, 20, NULL), 0);
		assert_string_equal(pair.sides[0].heading, headings[kind]);
		assert_string_equal(pair.sides[1].heading, "shuffled");
		assert_true(pair.sides[0].y.low == pair.sides[1].y.low && pair.sides[0].y.high == pair.sides[1].y.high);
		for (int side = 0; side < 2; side++) {
			sums[side] = 0;
			for (size_t i = 0; i < 100; i++)
				sums[side] += pair.sides[side].series.values[i];
		}
		assert_close(sums[0], sums[1], 1e-12); /* the same values */
		chart_pair_release(&pair);
	}
	assert_int_equal(chart_pair_init(&pair, PLOT_ACF, &series, 1, 20, NULL), 0);
	assert_int_equal(pair.sides[0].lags, 20);
	assert_close(pair.sides[0].band, 0.196, 1e-12);
	assert_true(pair.sides[0].acf[0] > 0.9 && fabs(pair.sides[1].acf[0]) < 0.3);
	chart_pair_release(&pair);
	x[0] = NAN;
	series.n = 1;
	assert_int_equal(chart_pair_init(&pair, PLOT_LAG, &series, 1, 20, NULL), 0);
	assert_int_equal(pair.range.finite, 0);
	chart_pair_release(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequences), cmocka_unit_test(test_pairs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
