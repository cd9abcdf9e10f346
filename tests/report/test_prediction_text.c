/* Predictions as a table: intervals, the other time beside it, and what goes too far. */
#include "report/prediction_text.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static void rows_and_what_they_are_known_by(void **state)
{
	(void)state;
	const struct prediction items[] = {
		{.work = 100, .seconds = 2, .low = 1.5, .high = 2.5, .wall = NAN},
		{.work = 1e6, .seconds = 9, .low = 8, .high = 10, .wall = 9, .wall_low = 8, .wall_high = 10, .beyond = true}};
	struct prediction_basis basis = {
		.source = PREDICT_BY_LINE, .unit = "MB", .metric = "cpu", .speed = 50, .rounds = 8};
	struct buffer text = {0};
	struct error err;
	const struct look look = {.charset = TEXT_ASCII};
	assert_int_equal(prediction_text(&(struct prediction_list){items, 2, &basis, 0.95}, &look, &text, &err), 0);
	assert_non_null(strstr(buffer_text(&text), "95 % interval"));
	assert_non_null(strstr(buffer_text(&text), "wall time"));
	assert_non_null(strstr(buffer_text(&text), "1000000 MB *"));
	assert_non_null(strstr(buffer_text(&text), "by 50"));
	assert_non_null(strstr(buffer_text(&text), "from 8 rounds"));
	assert_non_null(strstr(buffer_text(&text), "* more than twice the largest amount measured"));
	buffer_clear(&text);
	basis = (struct prediction_basis){
		.source = PREDICT_BY_UNITS, .unit = "", .metric = "wall", .index = "rate", .stable_only = true, .rounds = 3};
	assert_int_equal(prediction_text(&(struct prediction_list){items, 1, &basis, 0.99}, &look, &text, &err), 0);
	assert_non_null(strstr(buffer_text(&text), "by the unit readings rate of 3 runs; the stable phase alone"));
	assert_null(strstr(buffer_text(&text), "far beyond"));
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_and_what_they_are_known_by)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
