/* The reader, against jansson where both accept the text. */
#include "exchange/json_read.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static int read_text(const char *text, size_t length, struct json_tree *tree, struct error *err)
{
	struct input input;
	if (input_open_memory(&input, text, length, "test", err) != 0)
		return -1;
	int status = json_read(&input, tree, err);
	input_release(&input);
	return status;
}

static void assert_same(const struct node *ours, const json_t *theirs)
{
	if (json_is_object(theirs)) {
		assert_true(node_is_object(ours));
		assert_int_equal(node_length(ours), json_object_size(theirs));
		const char *key;
		json_t *value;
		json_object_foreach((json_t *)theirs, key, value)
		{
			struct node member = node_get(ours, key);
			assert_same(&member, value);
		}
	} else if (json_is_array(theirs)) {
		assert_true(node_is_array(ours));
		assert_int_equal(node_length(ours), json_array_size(theirs));
		for (size_t i = 0; i < json_array_size(theirs); i++) {
			struct node item = node_item(ours, i);
			assert_same(&item, json_array_get(theirs, i));
		}
	} else if (json_is_string(theirs)) {
		assert_string_equal(node_text(ours), json_string_value(theirs));
	} else if (json_is_integer(theirs)) {
		assert_true(node_is_number(ours));
		assert_true(ours->type == NODE_INTEGER ? (json_int_t)ours->integer == json_integer_value(theirs)
		                                       : ours->number == (double)json_integer_value(theirs));
	} else if (json_is_real(theirs)) {
		assert_true(node_number(ours) == json_real_value(theirs));
	} else {
		assert_int_equal(ours->type, json_is_null(theirs) ? NODE_NULL : json_is_true(theirs) ? NODE_TRUE : NODE_FALSE);
	}
}

static void test_agrees_with_jansson(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{}",
		"[]",
		"[[]]",
		"[[],[1]]",
		"[1]",
		"[[1]]",
		"[[1],[2,3]]",
		"[[1],[2,3],4]",
		"[[1],[2,3],[]]",
		"[[1],[[2]]]",
		"[1,2,\"x\"]",
		"[1,[2]]",
		"[[1,\"x\"],[2]]",
		"[null,1,null]",
		"[null]",
		"[true,1]",
		"[1,true]",
		"[[[1],[2]],[[3]]]",
		"[[[1],[2]],[[3]],7]",
		"{\"a\":{\"b\":[{\"c\":[1,2,{\"d\":null}]}]}}",
		" [ 1 , -2.5e-3 , 1E5 ] \n",
		"\"text \\u00b5\\ud83c\\udfce \\\" \\\\ \\/ \\b\\f\\n\\r\\t\"",
		"12345678901234567",
		"9007199254740993",
		"-0.5",
		"true",
		"null",
		"{\"samples\":[[0.1],[0.2],[0.3]],\"n\":3}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_tree tree;
		struct error err;
		json_t *theirs = json_loads(texts[i], JSON_DECODE_ANY, NULL);
		assert_non_null(theirs);
		assert_int_equal(read_text(texts[i], strlen(texts[i]), &tree, &err), 0);
		assert_same(&tree.root, theirs);
		json_tree_release(&tree);
		json_decref(theirs);
	}
}

/* A random value of bounded depth, in text. */
static void random_value(struct random *random, struct buffer *out, int depth)
{
	unsigned kind = (unsigned)random_below(random, depth > 0 ? 9 : 5);
	size_t n = (size_t)random_below(random, 5);
	switch (kind) {
	case 0: buffer_text_add(out, random_below(random, 2) ? "null" : "true"); break;
	case 1: buffer_printf(out, "\"k%u\"", (unsigned)random_below(random, 50)); break;
	case 2:
	case 3:
	case 4: buffer_printf(out, "%.*g", (int)random_below(random, 17) + 1, random_normal(random)); break;
	case 5:
		buffer_char(out, '{');
		for (size_t i = 0; i < n; i++) {
			buffer_printf(out, "%s\"key%zu\": ", i ? ", " : "", i);
			random_value(random, out, depth - 1);
		}
		buffer_char(out, '}');
		break;
	default:
		buffer_char(out, '[');
		for (size_t i = 0; i < n; i++) {
			if (i > 0)
				buffer_char(out, ',');
			if (random_below(random, 10) == 0)
				buffer_text_add(out, "\n  ");
			random_value(random, out, depth - 1);
		}
		buffer_char(out, ']');
	}
}

static void test_agrees_on_random_documents(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 20260101);
	for (int i = 0; i < 3000; i++) {
		struct buffer text = {0};
		struct json_tree tree;
		struct error err;
		random_value(&random, &text, 6);
		json_t *theirs = json_loads(buffer_text(&text), JSON_DECODE_ANY, NULL);
		assert_non_null(theirs);
		assert_int_equal(read_text(buffer_text(&text), text.length, &tree, &err), 0);
		assert_same(&tree.root, theirs);
		json_tree_release(&tree);
		json_decref(theirs);
		buffer_release(&text);
	}
}

static void test_large_arrays_over_many_blocks(void **state)
{
	(void)state;
	enum { N = 400000 };
	struct buffer text = {0};
	struct json_tree tree;
	struct error err;
	buffer_text_add(&text, "{\"rows\": [");
	for (int i = 0; i < N; i++)
		buffer_printf(&text, "%s[%d, 0.5]", i ? ",\n  " : "", i);
	buffer_text_add(&text, "], \"flat\": [");
	for (int i = 0; i < N; i++)
		buffer_printf(&text, "%s%d", i ? "," : "", i);
	buffer_text_add(&text, "]}");
	assert_true(text.length > 4 * INPUT_BLOCK);
	assert_int_equal(read_text(buffer_text(&text), text.length, &tree, &err), 0);
	struct node rows = node_get(&tree.root, "rows"), flat = node_get(&tree.root, "flat");
	assert_int_equal(rows.type, NODE_ROWS);
	assert_int_equal(flat.type, NODE_NUMBERS);
	assert_int_equal(rows.count, N);
	assert_int_equal(flat.count, N);
	for (uint32_t i = 0; i < N; i++) {
		struct node row = node_item(&rows, i);
		if (row.count != 2 || row.numbers[0] != i || row.numbers[1] != 0.5 || flat.numbers[i] != i)
			fail_msg("wrong at %u", i);
	}
	json_tree_release(&tree);
	buffer_release(&text);
}

static void test_beyond_the_standard(void **state)
{
	(void)state;
	struct json_tree tree;
	struct error err;
	const char text[] =
		"{\"a\": NaN, \"b\": [Infinity, -Infinity, nan, inf], \"c\": \"\\u0000 \\ud800 \xff\", \"d\": \"-Infinity\"}";
	assert_int_equal(read_text(text, strlen(text), &tree, &err), 0);
	assert_true(isnan(node_get_number(&tree.root, "a")));
	struct node b = node_get(&tree.root, "b");
	assert_true(b.numbers[0] == INFINITY && b.numbers[1] == -INFINITY && isnan(b.numbers[2]) &&
	            b.numbers[3] == INFINITY);
	assert_string_equal(node_get_text(&tree.root, "c"), "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd");
	assert_true(node_get_number(&tree.root, "d") == -INFINITY);
	assert_null(node_get_text(&tree.root, "missing"));
	assert_true(isnan(node_get_number(&tree.root, "c")));
	json_tree_release(&tree);
}

static void test_errors_say_where(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
		long line, column;
	} cases[] = {
		{"", "ends too early", 1, 1},
		{"{\"a\": [1, 2", "ends too early", 1, 12},
		{"{\"a\":\n [1 2]}", "',' or ']'", 2, 5},
		{"{\"a\" 1}", "':'", 1, 6},
		{"{a: 1}", "key in quotes", 1, 2},
		{"[1, 2] x", "follows the end", 1, 8},
		{"[01x]", "value was expected", 1, 2},
		{"[\"abc", "closing quote", 1, 6},
		{"[\"a\\q\"]", "unknown escape", 1, 4},
		{"[\"a\\u12\"]", "four hexadecimal", 1, 4},
		{"[\"a\nb\"]", "line break in a text", 1, 4},
		{"[tru]", "value was expected", 1, 2},
		{"{\"a\": }", "value was expected", 1, 7},
		{"[1,]", "value was expected", 1, 4},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_tree tree;
		struct error err = {0};
		assert_int_equal(read_text(cases[i].text, strlen(cases[i].text), &tree, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.what, cases[i].words) || err.line != cases[i].line || err.column != cases[i].column)
			fail_msg("case %zu: %s at %ld:%ld", i, err.what, err.line, err.column);
	}
}

static void test_depth_is_limited(void **state)
{
	(void)state;
	for (int object = 0; object < 2; object++) {
		struct buffer text = {0};
		struct json_tree tree;
		struct error err = {0};
		buffer_repeat(&text, object ? "{\"a\":" : "[", 1000000);
		assert_int_equal(read_text(buffer_text(&text), text.length, &tree, &err), -1);
		assert_non_null(strstr(err.what, "nested too deep"));
		buffer_release(&text);
	}
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	const char text[] = "{\"rows\": [[1],[2,3]], \"mixed\": [1, \"two\", {\"three\": [4]}], \"t\": \"long text\"}";
	for (long nth = 1;; nth++) {
		struct json_tree tree;
		struct error err = {0};
		struct input input;
		assert_int_equal(input_open_memory(&input, text, strlen(text), "test", &err), 0);
		mem_fail_at(nth);
		int status = json_read(&input, &tree, &err);
		bool happened = mem_failed();
		mem_fail_at(0);
		input_release(&input);
		if (status == 0)
			json_tree_release(&tree);
		else
			assert_int_equal(err.kind, ERROR_MEMORY);
		if (!happened) {
			assert_int_equal(status, 0);
			assert_true(nth > 5);
			return;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees_with_jansson),
		cmocka_unit_test(test_agrees_on_random_documents),
		cmocka_unit_test(test_large_arrays_over_many_blocks),
		cmocka_unit_test(test_beyond_the_standard),
		cmocka_unit_test(test_errors_say_where),
		cmocka_unit_test(test_depth_is_limited),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/json_read", tests, NULL, NULL);
}
