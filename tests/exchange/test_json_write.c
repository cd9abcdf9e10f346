/* The writer, read back by jansson: an independent reader. */
#include "exchange/json_write.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static json_t *parsed(const struct buffer *out)
{
	json_error_t problem;
	json_t *root = json_loads(buffer_text(out), JSON_DECODE_ANY, &problem);
	if (!root)
		fail_msg("not JSON: %s at %d:%d in %s", problem.text, problem.line, problem.column, buffer_text(out));
	return root;
}

static void test_structure(void **state)
{
	(void)state;
	struct buffer out = {0};
	struct json_writer writer;
	json_write_init(&writer, &out);
	json_put_object(&writer);
	json_put_key(&writer, "empty");
	json_put_array(&writer);
	json_end_array(&writer);
	json_put_key(&writer, "numbers");
	json_put_array_line(&writer);
	json_put_number(&writer, 0.1);
	json_put_number(&writer, NAN);
	json_put_number(&writer, INFINITY);
	json_put_number(&writer, -1e-300);
	json_put_count(&writer, UINT64_MAX);
	json_put_integer(&writer, INT64_MIN);
	json_end_array(&writer);
	json_put_key(&writer, "object");
	json_put_object_line(&writer);
	json_put_key(&writer, "yes");
	json_put_bool(&writer, true);
	json_put_key(&writer, "nothing");
	json_put_text(&writer, NULL);
	json_end_object(&writer);
	json_end_object(&writer);
	assert_string_equal(buffer_text(&out),
	                    "{\n \"empty\": [],\n \"numbers\": [0.1,null,null,-1e-300,18446744073709551615,"
	                    "-9223372036854775808],\n \"object\": {\"yes\": true, \"nothing\": null}\n}\n");
	buffer_release(&out);
}

static void test_text_is_escaped(void **state)
{
	(void)state;
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"plain", "plain"},
		{"quote \" backslash \\ slash /", "quote \" backslash \\ slash /"},
		{"tab\tline\nreturn\rbell\a\x1f\x7f", "tab\tline\nreturn\rbell\a\x1f\x7f"},
		{"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x8f\x8e", "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x8f\x8e"},
		{"bad \xff byte", "bad \xef\xbf\xbd byte"},
		{"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
		{"overlong \xc0\xaf", "overlong \xef\xbf\xbd\xef\xbf\xbd"},
		{"surrogate \xed\xa0\x80", "surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"past the end \xf4\x90\x80\x80", "past the end \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buffer out = {0};
		struct json_writer writer;
		json_write_init(&writer, &out);
		json_put_text(&writer, cases[i].text);
		json_t *root = parsed(&out);
		assert_string_equal(json_string_value(root), cases[i].expected);
		json_decref(root);
		buffer_release(&out);
	}
}

static void test_numbers_read_back(void **state)
{
	(void)state;
	static const double values[] = {
		0, -0.0, 1, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789, -2.5e-9, 9007199254740993.0};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct buffer out = {0};
		struct json_writer writer;
		json_write_init(&writer, &out);
		json_put_number(&writer, values[i]);
		json_t *root = parsed(&out);
		double back = json_number_value(root);
		assert_memory_equal(&back, &values[i], values[i] == 0 ? 0 : sizeof(back));
		json_decref(root);
		buffer_release(&out);
	}
}

static int fail_flush(void *context, struct buffer *out, struct error *err)
{
	(void)out;
	++*(int *)context;
	return error_set(err, ERROR_SYSTEM, "no space");
}

static void test_flush_failure_is_kept(void **state)
{
	(void)state;
	struct buffer out = {0};
	struct json_writer writer;
	struct error err;
	int calls = 0;
	json_write_init(&writer, &out);
	writer.flush = fail_flush;
	writer.context = &calls;
	writer.err = &err;
	json_put_array(&writer);
	for (int i = 0; i < 300000; i++)
		json_put_number(&writer, 0.123456789);
	json_end_array(&writer);
	assert_true(writer.failed);
	assert_int_equal(calls, 1);
	assert_string_equal(err.what, "no space");
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_structure),
		cmocka_unit_test(test_text_is_escaped),
		cmocka_unit_test(test_numbers_read_back),
		cmocka_unit_test(test_flush_failure_is_kept),
	};
	return cmocka_run_group_tests_name("exchange/json_write", tests, NULL, NULL);
}
