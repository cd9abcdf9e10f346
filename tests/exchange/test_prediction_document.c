/* Predictions as JSON, read back by another reader. */
#include "exchange/prediction_document.h"

#include "support/known.h"

#include <math.h>

static void every_amount_is_there(void **state)
{
	(void)state;
	const struct prediction items[] = {
		{.work = 100, .seconds = 2, .low = 1.5, .high = 2.5, .wall = NAN, .wall_low = NAN, .wall_high = NAN},
		{.work = 1e6, .seconds = 9, .low = 8, .high = 10, .wall = 9, .wall_low = 8, .wall_high = 10, .beyond = true}};
	const struct prediction_basis basis = {
		.source = PREDICT_BY_LINE, .unit = "MB", .metric = "cpu", .index = "", .speed = 50, .alpha = NAN};
	struct buffer text = {0};
	prediction_document_write(&(struct prediction_list){items, 2, &basis, 0.95}, &text);
	json_t *document = json_loads(buffer_text(&text), 0, NULL);
	assert_non_null(document);
	assert_string_equal(json_string_value(json_object_get(document, "schema")), "tare-prediction/1");
	assert_string_equal(json_string_value(json_object_get(document, "by")), "line");
	assert_close(known_number(document, "level"), 0.95, 0);
	assert_true(json_is_null(json_object_get(document, "alpha")));
	json_t *all = json_object_get(document, "predictions");
	assert_int_equal(json_array_size(all), 2);
	assert_close(known_number(json_array_get(all, 0), "high"), 2.5, 0);
	assert_true(json_is_null(json_object_get(json_array_get(all, 0), "wall_low")));
	assert_true(json_is_true(json_object_get(json_array_get(all, 1), "beyond")));
	json_decref(document);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_amount_is_there)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
