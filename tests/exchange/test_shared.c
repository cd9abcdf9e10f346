/* Real files of other tools, where they are beside the checkout: as many values as another
 * reader counted, with the same sum; and those that hold none are refused with a reason. */
#include "support/imports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_values(void **state)
{
	(void)state;
	const char *root = shared_data();
	json_t *known = known_load("shared_imports.json"), *entry;
	size_t i, checked = 0;
	json_array_foreach(json_object_get(known, "imports"), i, entry)
	{
		const char *file = json_string_value(json_object_get(entry, "file"));
		const char *metric = json_string_value(json_object_get(entry, "metric"));
		struct import_options options = {.columns = json_string_value(json_object_get(entry, "columns"))};
		json_t *subjects = json_object_get(entry, "subjects");
		char path[4200], message[2048];
		struct result r;
		struct error err;
		snprintf(path, sizeof(path), "%s/%s", root, file);
		result_init(&r);
		if (import_file(path, &options, &r, &err) != 0) {
			error_text(&err, message, sizeof(message));
			fail_msg("%s", message);
		}
		double sum = 0;
		size_t n = 0;
		for (size_t s = 0; s < r.subject_count; s++) {
			const struct measurement *m = subject_find_metric(&r.subjects[s], metric);
			for (size_t k = 0; m && k < m->series.n; k++)
				sum += m->series.values[k];
			n += m ? m->series.n : 0;
		}
		if (n != (size_t)known_number(entry, "n") ||
		    (json_is_integer(subjects) && r.subject_count != (size_t)json_integer_value(subjects)))
			fail_msg("%s: %zu values of %zu subjects, expected %.0f", file, n, r.subject_count,
			         known_number(entry, "n"));
		if (fabs(sum - known_number(entry, "sum")) > 1e-9 * fabs(known_number(entry, "sum")))
			fail_msg("%s: sum %.17g, expected %.17g", file, sum, known_number(entry, "sum"));
		if (options.columns || strstr(file, "duetfaas"))
			assert_true(r.design.paired);
		result_release(&r);
		checked++;
	}
	assert_true(checked > 80);
	json_decref(known);
}

static void test_refused(void **state)
{
	(void)state;
	const char *root = shared_data();
	json_t *known = known_load("shared_imports.json"), *entry;
	size_t i;
	json_array_foreach(json_object_get(known, "refused"), i, entry)
	{
		char path[4200];
		struct result r;
		struct error err = {0};
		snprintf(path, sizeof(path), "%s/%s", root, json_string_value(json_object_get(entry, "file")));
		result_init(&r);
		assert_int_equal(import_file(path, NULL, &r, &err), -1);
		assert_int_equal(r.subject_count, 0);
		if (error_exit_code(err.kind) != json_integer_value(json_object_get(entry, "exit")) || !err.next[0] ||
		    strcmp(err.on, path) != 0)
			fail_msg("%s: kind %d, %s, next: %s", path, (int)err.kind, err.what, err.next);
	}
	json_decref(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
	};
	if (!shared_data()) {
		puts("1..0 # SKIP no data of others beside the checkout");
		return 0;
	}
	return cmocka_run_group_tests_name("exchange/shared", tests, NULL, NULL);
}
