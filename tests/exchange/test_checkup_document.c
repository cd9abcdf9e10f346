/* What doctor found as JSON, read back by another reader. */
#include "exchange/checkup_document.h"

#include "support/known.h"

static void known_and_unknown_findings(void **state)
{
	(void)state;
	struct checkup checkup = {.cpu = "a CPU", .seconds = 0.5};
	struct buffer text = {0};
	struct finding *turbo = checkup_add(&checkup, "turbo", "Turbo", 1),
				   *load = checkup_add(&checkup, "load", "Load", 2);
	finding_says(&checkup, turbo, FINDING_BAD, "on, at %d GHz", 4);
	finding_advice(&checkup, turbo, "switch it off");
	finding_unknown(&checkup, load, "not readable");
	checkup_document_write(&checkup, "2026-01-01T00:00:00Z", "Not fit.", &text);
	json_t *document = json_loads(buffer_text(&text), 0, NULL);
	assert_non_null(document);
	assert_string_equal(json_string_value(json_object_get(document, "schema")), "tare-doctor/1");
	assert_true(json_is_false(json_object_get(document, "fit")));
	assert_string_equal(json_string_value(json_object_get(document, "summary")), "Not fit.");
	json_t *findings = json_object_get(document, "findings"), *first = json_array_get(findings, 0),
		   *second = json_array_get(findings, 1);
	assert_int_equal(json_array_size(findings), 2);
	assert_string_equal(json_string_value(json_object_get(first, "state")), "bad");
	assert_string_equal(json_string_value(json_object_get(first, "value")), "on, at 4 GHz");
	assert_string_equal(json_string_value(json_object_get(first, "advice")), "switch it off");
	assert_string_equal(json_string_value(json_object_get(second, "state")), "unknown");
	assert_string_equal(json_string_value(json_object_get(second, "value_why")), "not readable");
	json_decref(document);
	buffer_release(&text);
	checkup_release(&checkup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(known_and_unknown_findings)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
