/* The program's own numbers: reading of --pi, and finding them in output. */
#include "measure/json_path.h"
#include "measure/pi_reader.h"
#include "model/pi.h"

#include "support/known.h"
#include "support/short_regex.h"

#include <math.h>
#include <string.h>

static void reads_the_option(void **state)
{
	(void)state;
	static const struct {
		const char *text, *name, *unit;
		enum better better;
		enum pi_source source;
		const char *pattern;
	} cases[] = {
		{"rate:MB/s:higher:regex=([0-9.]+) MB/s", "rate", "MB/s", BETTER_HIGHER, PI_REGEX, "([0-9.]+) MB/s"},
		{"rate:MB/s:regex=a:b=(c)", "rate", "MB/s", BETTER_HIGHER, PI_REGEX, "a:b=(c)"},
		{"t:s:column=3", "t", "s", BETTER_LOWER, PI_COLUMN, "3"},
		{"t:s:higher:column=3", "t", "s", BETTER_HIGHER, PI_COLUMN, "3"},
		{"ops:ops/s:lower:json=a.b[0]", "ops", "ops/s", BETTER_LOWER, PI_JSON, "a.b[0]"},
		{"n::json=n", "n", "", BETTER_LOWER, PI_JSON, "n"},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct performance_index pi;
		assert_int_equal(pi_parse(&arena, cases[i].text, &pi, NULL), 0);
		assert_string_equal(pi.metric.name, cases[i].name);
		assert_string_equal(pi.metric.unit, cases[i].unit);
		assert_int_equal(pi.metric.better, cases[i].better);
		assert_int_equal(pi.source, cases[i].source);
		assert_string_equal(pi.pattern, cases[i].pattern);
	}
	static const char *const bad[] = {
		"",        "rate",        ":s:column=1", "rate:s",           "rate:s:",     "rate:s:faster:column=1",
		"r:s:x=1", "r:s:higher:", "r:s:regex=",  "r:s:higher:json=", "r:s:Column=1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct performance_index pi = {.pattern = "untouched"};
		struct error err = {0};
		assert_int_equal(pi_parse(&arena, bad[i], &pi, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(pi.pattern, "untouched");
		assert_non_null(strstr(err.next, "regex="));
	}
	arena_release(&arena);
}

static void says_where_words_go(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct performance_index pi;
	struct error err = {0};
	assert_int_equal(pi_parse(&arena, "lat:ms:column=2:units", &pi, &err), -1);
	assert_non_null(strstr(err.what, "FROM (column=2) goes to the end of the argument"));
	assert_non_null(strstr(err.next, "--pi 'lat:ms:units:column=2'"));
	assert_int_equal(pi_parse(&arena, "lat:ms:higher:csv=p99:units:width=5%", &pi, &err), -1);
	assert_non_null(strstr(err.next, "--pi 'lat:ms:higher:units:width=5%:csv=p99'"));
	/* what may well be meant */
	assert_int_equal(pi_parse(&arena, "lat:ms:csv=p99:units of work", &pi, &err), 0);
	assert_string_equal(pi.pattern, "p99:units of work");
	assert_int_equal(pi_parse(&arena, "lat:ms:regex=([0-9]+):units", &pi, &err), 0);
	assert_string_equal(pi.pattern, "([0-9]+):units");
	arena_release(&arena);
}

static void reads_the_words(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct performance_index pi;
	assert_int_equal(pi_parse(&arena,
	                          "rate:MB/s:units:harmonic:lower:width=10%:confidence=90:ac=0.3:watch:stderr:csv=MB, s",
	                          &pi, NULL),
	                 0);
	assert_true(pi.units && pi.watched && pi.mean == MEAN_HARMONIC && pi.metric.better == BETTER_LOWER);
	assert_true(pi.place == PI_STDERR && pi.source == PI_CSV);
	assert_close(pi.precision, 0.05, 1e-12);
	assert_close(pi.confidence, 0.9, 1e-12);
	assert_close(pi.autocorrelation, 0.3, 1e-12);
	assert_string_equal(pi.pattern, "MB, s");
	assert_int_equal(pi_parse(&arena, "t:s:file=a\\:b/c:column=1", &pi, NULL), 0);
	assert_int_equal(pi.place, PI_FILE);
	assert_string_equal(pi.path, "a:b/c");
	assert_true(isnan(pi.precision) && isnan(pi.confidence) && !pi.units);
	assert_int_equal(pi_parse(&arena, "t:s:fifo=p:geometric:column=1", &pi, NULL), 0);
	assert_true(pi.place == PI_FIFO && pi.mean == MEAN_GEOMETRIC);
	static const char *const bad[] = {
		"t:s:width=0:column=1",         "t:s:width=x:column=1", "t:s:confidence=99.99999%0:column=1",
		"t:s:confidence=0.99:column=1", "t:s:ac=0:column=1",    "t:s:ac=2:column=1",
		"t:s:file=:column=1",           "t:s:unit:column=1",    "t:s:units"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pi_parse(&arena, bad[i], &pi, NULL), -1);
	arena_release(&arena);
}

static size_t find_all(enum pi_source source, const char *pattern, const char *text, double *out)
{
	struct performance_index pi = {
		.metric = {"x", "", BETTER_LOWER}, .source = source, .pattern = pattern, .units = true};
	struct pi_reader reader;
	struct pi_numbers all = {0};
	assert_int_equal(pi_reader_init(&reader, &pi, NULL), 0);
	assert_int_equal(pi_reader_all(&reader, text, strlen(text), &all, NULL), 0);
	size_t n = all.n;
	if (n > 0)
		memcpy(out, all.values, n * sizeof(*out));
	pi_numbers_release(&all);
	pi_reader_release(&reader);
	return n;
}

static void finds_all(void **state)
{
	(void)state;
	double x[10];
	assert_int_equal(find_all(PI_REGEX, "^v=([0-9.]+)", "v=1\nw v=9\nv=2\nv=.\nv=3.5", x), 3);
	assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3.5);
	assert_int_equal(find_all(PI_REGEX, "([0-9])", "1x2y3", x), 3);
	assert_int_equal(find_all(PI_REGEX, "([0-9]*)", "ab1", x), 1); /* empty matches end */
	assert_int_equal(find_all(PI_COLUMN, "2", "a 1\nb\nc 2 5\n7 3\n", x), 3);
	assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
	assert_int_equal(find_all(PI_CSV, "MB per s", "t,MB per s\n0,5\n1,6\n2,\n3,7\nMB per s,t\n8,4\n", x), 4);
	assert_true(x[0] == 5 && x[1] == 6 && x[2] == 7 && x[3] == 8); /* it follows a heading that moves */
	assert_int_equal(find_all(PI_CSV, "none", "t,v\n0,5\n", x), 0);
	assert_int_equal(find_all(PI_CSV, "v", "\"t\";\"v\"\n\"0\";\"5\"\n", x), 1);
	assert_int_equal(
		find_all(PI_JSON, "r[].v", "{\"r\": [{\"v\": 1}, {\"w\": 2}, {\"v\": 3}]} x {\"r\": [{\"v\": 4}]}", x), 3);
	assert_true(x[0] == 1 && x[1] == 3 && x[2] == 4);
	assert_int_equal(find_all(PI_JSON, "v", "{\"v\": [1, 2, \"3\", \"x\", [4]]}\n{\"v\": 5}", x), 5);
	assert_true(x[3] == 4 && x[4] == 5);
	double first;
	assert_true(json_path_number("{\"r\": [{\"v\": 1}, {\"v\": 3}]}", 30, "r[*].v", &first) && first == 1);
}

static bool find(enum pi_source source, const char *pattern, const char *text, double *out)
{
	struct performance_index pi = {.metric = {"x", "", BETTER_LOWER}, .source = source, .pattern = pattern};
	struct pi_reader reader;
	assert_int_equal(pi_reader_init(&reader, &pi, NULL), 0);
	int found = pi_reader_find(&reader, text, strlen(text), out, NULL);
	pi_reader_release(&reader);
	pi_reader_release(&reader);
	return found == 1;
}

static void finds_by_expression(void **state)
{
	(void)state;
	double value = -1;
	/* dd */
	assert_true(find(PI_REGEX, "([0-9.]+) [GM]B/s", "1048576 bytes (1.0 MB) copied, 0.001 s, 812.5 MB/s\n", &value));
	assert_close(value, 812.5, 0);
	assert_true(find(PI_REGEX, "^t=(.*)$", "x\nt=1e-3\nt=2\n", &value));
	assert_close(value, 1e-3, 0);
	assert_true(find(PI_REGEX, "(-?[0-9]+)", "a -5", &value));
	assert_close(value, -5, 0);
	/* The group must be a number as a whole. */
	assert_false(find(PI_REGEX, "time (.*)", "time 5 ms", &value));
	assert_false(find(PI_REGEX, "time (.*)", "time nan", &value));
	assert_false(find(PI_REGEX, "time ([0-9]+)", "no such thing", &value));
	assert_false(find(PI_REGEX, "(a)|([0-9]+)", "7", &value)); /* the first group took no part */
	assert_close(value, -5, 0);
	/* NUL bytes in the output do no harm. */
	struct performance_index pi = {.metric = {"x", "", BETTER_LOWER}, .source = PI_REGEX, .pattern = "t=([0-9]+)"};
	struct pi_reader reader;
	assert_int_equal(pi_reader_init(&reader, &pi, NULL), 0);
	assert_int_equal(pi_reader_find(&reader, "\0\0t=42\0", 7, &value, NULL), 1);
	assert_close(value, 42, 0);
	pi_reader_release(&reader);
}

static void want_of_memory_is_no_missing_number(void **state)
{
	(void)state;
	struct performance_index pi = {.metric = {"x", "", BETTER_LOWER}, .source = PI_REGEX, .pattern = "t=([0-9]+)"};
	struct pi_reader reader;
	struct pi_numbers all = {0};
	struct error err = {0};
	double value;
	assert_int_equal(pi_reader_init(&reader, &pi, NULL), 0);
	regex_short_of_memory = true;
	assert_int_equal(pi_reader_find(&reader, "t=42", 4, &value, &err), -1);
	assert_int_equal(err.kind, ERROR_MEMORY);
	err = (struct error){0};
	assert_int_equal(pi_reader_all(&reader, "t=42", 4, &all, &err), -1);
	assert_int_equal(err.kind, ERROR_MEMORY);
	regex_short_of_memory = false;
	pi_reader_release(&reader);
}

static void finds_by_column(void **state)
{
	(void)state;
	double value = -1;
	assert_true(find(PI_COLUMN, "2", "name time\nfoo 12.5 x\nbar 13\n", &value));
	assert_close(value, 12.5, 0);
	assert_true(find(PI_COLUMN, "3", "a,b,c\n1,2,3.5\n", &value));
	assert_close(value, 3.5, 0);
	assert_true(find(PI_COLUMN, "3", "1,,3\n", &value)); /* an empty field counts */
	assert_close(value, 3, 0);
	assert_true(find(PI_COLUMN, "1", "  \t 7   8\r\n", &value));
	assert_close(value, 7, 0);
	assert_true(find(PI_COLUMN, "2", "1 ; 9", &value));
	assert_close(value, 9, 0);
	assert_false(find(PI_COLUMN, "4", "1 2 3\n\n", &value));
	assert_false(find(PI_COLUMN, "1", "", &value));
}

static void refuses_bad_sources(void **state)
{
	(void)state;
	static const struct {
		enum pi_source source;
		const char *pattern;
	} bad[] = {{PI_REGEX, "(a"},  {PI_REGEX, "no group"}, {PI_REGEX, "a{2,1}(b)"}, {PI_COLUMN, "0"}, {PI_COLUMN, "x"},
	           {PI_COLUMN, "-1"}, {PI_JSON, "a..b"},      {PI_JSON, "a[x]"},       {PI_JSON, "a["},  {PI_JSON, "$"}};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct performance_index pi = {
			.metric = {"x", "", BETTER_LOWER}, .source = bad[i].source, .pattern = bad[i].pattern};
		struct pi_reader reader;
		struct error err = {0};
		assert_int_equal(pi_reader_init(&reader, &pi, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
}

static void finds_by_path(void **state)
{
	(void)state;
	static const char text[] = "starting…\n[warn] x {not json}\n"
							   "{\"skip\": {\"rate\": 1, \"s\": \"}]\\\"\", \"deep\": [[1,[2]],{}]}, \"name\": \"a\",\n"
							   " \"results\": [{\"rate\": 10.5, \"ok\": true}, {\"rate\": \"12\", \"none\": null}],\n"
							   " \"a.b\": {\"c d\": -3e2}, \"empty\": [], \"list\": [1, 2, 3]}\ndone\n";
	static const struct {
		const char *path;
		double value; /* NaN: not there */
	} cases[] = {
		{"results[0].rate", 10.5},
		{".results[0].rate", 10.5},
		{"$.results[0].rate", 10.5},
		{"results[1].rate", 12},
		{"results[-1].rate", 12},
		{"results[2].rate", NAN},
		{"results[-3].rate", NAN},
		{"[\"a.b\"][\"c d\"]", -300},
		{"list[2]", 3},
		{"list[-3]", 1},
		{"list", NAN},
		{"name", NAN},
		{"results[0].ok", NAN},
		{"results[1].none", NAN},
		{"rate", NAN},
		{"skip.rate", 1},
		{"skip.deep[0][1][0]", 2},
		{"empty[0]", NAN},
		{"results.rate", NAN},
		{"skip[0]", NAN},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double value = NAN;
		bool found = json_path_number(text, sizeof(text) - 1, cases[i].path, &value);
		assert_true(json_path_valid(cases[i].path));
		if (found != !isnan(cases[i].value) || (found && value != cases[i].value))
			fail_msg("%s: %s %g", cases[i].path, found ? "found" : "not found", value);
	}
}

/* Any beginning of a document, and any one byte of it changed, is passed over without harm. */
static void broken_json_does_no_harm(void **state)
{
	(void)state;
	static const char text[] = "{\"a\": [1, {\"b\": \"x\\\"y\", \"c\": 7}], \"d\": [[], {}, \"\"]}";
	double value = 0;
	assert_true(json_path_number(text, sizeof(text) - 1, "a[1].c", &value));
	assert_close(value, 7, 0);
	for (size_t length = 0; length < sizeof(text); length++) {
		char *copy = malloc(length ? length : 1); /* exactly so long: a sanitizer sees a step too far */
		memcpy(copy, text, length);
		json_path_number(copy, length, "a[-1].c", &value);
		json_path_number(copy, length, "d[2].x", &value);
		free(copy);
	}
	static const char bytes[] = "\"{}[],:\\ 0";
	for (size_t at = 0; at + 1 < sizeof(text); at++)
		for (size_t b = 0; b + 1 < sizeof(bytes); b++) {
			char *copy = malloc(sizeof(text) - 1);
			memcpy(copy, text, sizeof(text) - 1);
			copy[at] = bytes[b];
			json_path_number(copy, sizeof(text) - 1, "a[-1].c", &value);
			json_path_number(copy, sizeof(text) - 1, "d[0]", &value);
			free(copy);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_where_words_go),
		cmocka_unit_test(reads_the_words),
		cmocka_unit_test(finds_all),
		cmocka_unit_test(reads_the_option),
		cmocka_unit_test(finds_by_expression),
		cmocka_unit_test(finds_by_column),
		cmocka_unit_test(refuses_bad_sources),
		cmocka_unit_test(finds_by_path),
		cmocka_unit_test(broken_json_does_no_harm),
		cmocka_unit_test(want_of_memory_is_no_missing_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
