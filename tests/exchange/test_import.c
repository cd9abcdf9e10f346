/* Plain numbers, labels, several files, gzip, and bytes that are nothing. */
#include "support/fake.h"
#include "support/imports.h"

#include "base/buffer.h"
#include "exchange/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void test_plain_numbers(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "# ministat\n50\n 200\t\n1.5e2 # note\n\n-3\r\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", "value")), "[[50],[200],[150],[-3]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "1 10\n2\t20\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test:1", NULL)), "[[1],[2]]");
	assert_string_equal(series_text(series_of(&r, "test:2", NULL)), "[[10],[20]]");
	assert_false(r.design.paired);
	result_release(&r);
	result_init(&r);
	import_text(&r, "old new\n1 10\n2 20\n", NULL);
	assert_string_equal(series_text(series_of(&r, "new", NULL)), "[[10],[20]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "old_ms new_us\n1 10\n2 20\n", NULL);
	assert_string_equal(series_text(series_of(&r, "old_ms", NULL)), "[[0.001],[0.002]]");
	assert_string_equal(series_text(series_of(&r, "new_us", NULL)), "[[1e-05],[2e-05]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "time_ms\n1\n2\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", "time")), "[[0.001],[0.002]]");
	assert_string_equal(r.subjects[0].metrics[0].metric.unit, "s");
	result_release(&r);
	result_init(&r);
	import_text(&r, "7", NULL);
	assert_string_equal(series_text(series_of(&r, "test", NULL)), "[[7]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "1\nnan\ninf\n2\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", NULL)), "[[1],[2]]");
	assert_true(has_warning(&r, "missing", "2 values"));
	result_release(&r);
}

/* What a single column is called says what it measures, and which values are better. */
static void test_single_columns(void **state)
{
	(void)state;
	static const struct {
		const char *header, *metric, *unit;
		double value; /* of 3 */
		enum better better;
	} columns[] = {
		{"throughput", "throughput", "", 3, BETTER_HIGHER},
		{"hit_rate", "hit_rate", "", 3, BETTER_HIGHER},
		{"QPS", "QPS", "", 3, BETTER_HIGHER},
		{"MB/s", "MB/s", "bytes/s", 3e6, BETTER_HIGHER},
		{"bandwidth_GBps", "bandwidth", "bytes/s", 3e9, BETTER_HIGHER},
		{"requests_per_second", "requests_per_second", "requests/s", 3, BETTER_HIGHER},
		{" requests per second\t", "requests per second", "requests/s", 3, BETTER_HIGHER},
		{"time (ms)", "time", "s", 0.003, BETTER_LOWER},
		{"time (ms) # of the whole", "time", "s", 0.003, BETTER_LOWER},
		{"wall clock [us]", "wall clock", "s", 3e-6, BETTER_LOWER},
		{"ms", "value", "s", 0.003, BETTER_LOWER},
		{"# loads\n\nhit rate", "hit rate", "", 3, BETTER_HIGHER},
	};
	struct result r;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		char text[128];
		result_init(&r);
		snprintf(text, sizeof(text), "%s\n3\n4\n", columns[i].header);
		import_text(&r, text, NULL);
		assert_int_equal(r.subject_count, 1);
		const struct measurement *m = series_of(&r, "test", columns[i].metric) ? &r.subjects[0].metrics[0] : NULL;
		assert_non_null(m);
		assert_string_equal(m->metric.unit, columns[i].unit);
		assert_int_equal(m->metric.better, columns[i].better);
		assert_int_equal(m->series.n, 2);
		assert_true(fabs(m->series.values[0] / columns[i].value - 1) < 1e-12);
		result_release(&r);
	}
	/* A name without a unit or a direction is that of the subject, and two words are two columns. */
	result_init(&r);
	import_text(&r, "sorting\n3\n", NULL);
	assert_non_null(series_of(&r, "sorting", "value"));
	result_release(&r);
	assert_refused("my time\n3\n", NULL, ERROR_INPUT, 0, 0, "none of the formats");
}

/* Columns of several subjects, and arrays of them, are rates where all their names say so. */
static void test_rates_of_several(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum better better;
	} files[] = {
		{"rps_x rps_y\n5 4\n5 4\n", BETTER_HIGHER},
		{"rps_x,rps_y\n5,4\n5,4\n", BETTER_HIGHER},
		{"{\"rps_x\": [5, 5], \"rps_y\": [4, 4]}", BETTER_HIGHER},
		{"rps_x other\n5 4\n5 4\n", BETTER_LOWER},
		{"rps_x,other\n5,4\n5,4\n", BETTER_LOWER},
		{"{\"rps_x\": [5, 5], \"other\": [4, 4]}", BETTER_LOWER},
		{"rps_x_ms rps_y_ms\n5 4\n5 4\n", BETTER_LOWER},
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct result r;
		result_init(&r);
		import_text(&r, files[i].text, NULL);
		assert_int_equal(r.subject_count, 2);
		for (size_t s = 0; s < 2; s++)
			assert_int_equal(r.subjects[s].metrics[0].metric.better, files[i].better);
		result_release(&r);
	}
	struct import_options lower = {.better = IMPORT_BETTER_LOWER};
	struct result r;
	struct error err;
	result_init(&r);
	assert_int_equal(import_memory("rps_x rps_y\n5 4\n", 16, "x", &lower, &r, &err), 0);
	assert_int_equal(r.subjects[0].metrics[0].metric.better, BETTER_LOWER);
	result_release(&r);
}

static void test_options(void **state)
{
	(void)state;
	struct import_options options = {.unit = "ms", .better = IMPORT_BETTER_HIGHER};
	struct result r;
	struct error err;
	result_init(&r);
	assert_int_equal(import_memory("1500\n", 5, "x", &options, &r, &err), 0);
	assert_string_equal(r.subjects[0].metrics[0].metric.unit, "s");
	assert_int_equal(r.subjects[0].metrics[0].metric.better, BETTER_HIGHER);
	assert_string_equal(series_text(series_of(&r, "x", NULL)), "[[1.5]]");
	result_release(&r);
}

static void test_nothing_usable(void **state)
{
	(void)state;
	assert_refused("", NULL, ERROR_NO_DATA, 0, 0, "empty");
	assert_refused(" \n\t\r\n", NULL, ERROR_NO_DATA, 0, 0, "empty");
	assert_refused("nan\nnan\n", NULL, ERROR_NO_DATA, 0, 0, "no usable value");
	assert_refused("hello world\n", NULL, ERROR_INPUT, 0, 0, "none of the formats");
	assert_refused("{}", NULL, ERROR_NO_DATA, 0, 0, "empty");
	assert_refused("[ ]", NULL, ERROR_NO_DATA, 0, 0, "empty");
	assert_refused("{\"a\": 1}", NULL, ERROR_INPUT, 0, 0, "none of the formats");
	assert_refused("{\"schema\": \"tare-plan/1\"}", NULL, ERROR_INPUT, 0, 0, "this is a plan, not a result");
	assert_refused("{\"a\": ", NULL, ERROR_INPUT, 1, 7, "ends too early");
	assert_refused("1\n2\nthree\n", NULL, ERROR_INPUT, 3, 1, "'three' is not a number");
	assert_refused("1 2\n3\n", NULL, ERROR_INPUT, 2, 0, "1 number where");
	assert_refused("1 2\n3 4 5\n", NULL, ERROR_INPUT, 2, 0, "3 numbers where");
	assert_refused("1\n2,5\n", NULL, ERROR_INPUT, 2, 1, "decimals with a dot");
	assert_refused("\xff\xfe"
	               "1\n",
	               NULL, ERROR_INPUT, 1, 1, "UTF-16");
	imports_assert_refused("\x7f"
	                       "ELF\0\0\0\1",
	                       8, NULL, ERROR_INPUT, 0, 0, "binary", __FILE__, __LINE__);
}

static void test_byte_order_mark(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "\xef\xbb\xbfsubject,value\na,1\n", NULL);
	assert_string_equal(r.subjects[0].name, "a");
	result_release(&r);
}

static void test_a_line_without_end(void **state)
{
	(void)state;
	struct buffer text = {0};
	buffer_text_add(&text, "1\n");
	buffer_repeat(&text, "0123456789abcdef", (INPUT_LINE_MAX >> 4) + 100000);
	imports_assert_refused(buffer_text(&text), text.length, NULL, ERROR_INPUT, 2, 0, "a line of more than 16 MB",
	                       __FILE__, __LINE__);
	buffer_release(&text);
}

static size_t pack(const char *text, size_t length, int strategy, unsigned char *out, size_t room)
{
	z_stream stream = {0};
	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, strategy), Z_OK);
	stream.next_in = (unsigned char *)(uintptr_t)text;
	stream.avail_in = (unsigned)length;
	stream.next_out = out;
	stream.avail_out = (unsigned)room;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	size_t used = stream.total_out;
	deflateEnd(&stream);
	return used;
}

static void test_gzip(void **state)
{
	(void)state;
	unsigned char packed[4096];
	struct result r;
	struct error err;
	size_t n = pack("subject,value\na,1\n", 18, Z_DEFAULT_STRATEGY, packed, sizeof(packed));
	size_t whole = n;
	/* gzip members one after another are one file; what follows them is ignored. */
	n += pack("a,2\n", 4, Z_DEFAULT_STRATEGY, packed + n, sizeof(packed) - n);
	memcpy(packed + n, "junk", 4);
	result_init(&r);
	assert_int_equal(import_memory(packed, n + 4, "x.gz", NULL, &r, &err), 0);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[1],[2]]");
	result_release(&r);
	imports_assert_refused((char *)packed, whole - 9, NULL, ERROR_INPUT, 0, 0, "ends too early", __FILE__, __LINE__);
	packed[14] ^= 0x55;
	imports_assert_refused((char *)packed, whole, NULL, ERROR_INPUT, 0, 0, "gzip", __FILE__, __LINE__);
}

static void test_gzip_bomb(void **state)
{
	(void)state;
	/* 70 MB of lines from 70 kB. */
	enum { SIZE = 70 << 20, ROOM = 1 << 20 };
	char *text = malloc(SIZE);
	unsigned char *packed = malloc(ROOM);
	assert_true(text && packed);
	memset(text, '\n', SIZE);
	text[0] = '1';
	size_t n = pack(text, SIZE, Z_RLE, packed, ROOM);
	free(text);
	imports_assert_refused((char *)packed, n, NULL, ERROR_INPUT, 0, 0, "gzip bomb", __FILE__, __LINE__);
	free(packed);
}

static void test_files_and_labels(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct result r;
	struct error err;
	fake_file(root, "/one.txt", "1\n2\n");
	fake_file(root, "/two.txt", "3\n");
	fake_file(root, "/table.csv", "subject,value\na,5\nb,6\n");
	fake_file(root, "/more.csv", "subject,value\na,7\nc,8\n");
	fake_file(root, "/a=b.txt", "9\n");
	result_init(&r);
	snprintf(path, sizeof(path), "old=%s/one.txt", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	snprintf(path, sizeof(path), "old=%s/two.txt", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_int_equal(r.subject_count, 1);
	assert_string_equal(series_text(series_of(&r, "old", NULL)), "[[1],[2],[3]]");
	result_release(&r);
	result_init(&r);
	snprintf(path, sizeof(path), "%s/table.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	snprintf(path, sizeof(path), "%s/more.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	snprintf(path, sizeof(path), "new=%s/more.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	snprintf(path, sizeof(path), "%s/a=b.txt", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_int_equal(r.subject_count, 6);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[5],[7]]");
	assert_string_equal(series_text(series_of(&r, "c", NULL)), "[[8]]");
	assert_string_equal(series_text(series_of(&r, "new/c", NULL)), "[[8]]");
	assert_string_equal(series_text(series_of(&r, "a=b.txt", NULL)), "[[9]]");
	/* A failure leaves the result as it was. */
	fake_file(root, "/bad.csv", "subject,duration_ms\na,1\nq,x\n");
	snprintf(path, sizeof(path), "%s/bad.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(err.line, 3);
	assert_int_equal(r.subject_count, 6);
	/* The same subject in another unit is not more of the same. */
	fake_file(root, "/ms.csv", "subject,unit,value\na,ms,1\n");
	snprintf(path, sizeof(path), "%s/ms.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), -1);
	assert_non_null(strstr(err.what, "another unit"));
	assert_string_equal(err.on, path);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[5],[7]]");
	snprintf(path, sizeof(path), "%s/none", root);
	assert_int_equal(import_file(path, NULL, &r, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(error_exit_code(err.kind), 1);
	result_release(&r);
	fake_remove(root);
	free(root);
}

static void test_deep_levels_are_appended(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "build,run,value\n1,1,1\n1,1,2\n1,2,3\n2,1,4\n", NULL);
	import_text(&r, "build,run,value\n1,1,5\n2,1,6\n2,2,7\n2,2,8\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", NULL)), "[[[1,2],[3]],[[4]],[[5]],[[6],[7,8]]]");
	result_release(&r);
}

static void test_pairs_do_not_cross_files(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject,pair,order,value\nA,1,AB,1\nB,1,AB,2\n", NULL);
	assert_true(r.design.paired);
	import_text(&r, "subject,pair,order,value\nA,1,AB,1\nB,1,AB,2\n", NULL);
	assert_false(r.design.paired);
	assert_int_equal(r.design.order_count, 0);
	assert_true(has_warning(&r, "pairs", "several files"));
	result_release(&r);
}

/* Subjects that share a name have titles, also behind a label and beside those of another file. */
static void test_titles(void **state)
{
	(void)state;
	static const char document[] =
		"{\"schema\": \"tare/1\", \"design\": {\"levels\": [\"run\", \"iteration\"]}, \"subjects\": ["
		"{\"name\": \"a\", \"parameters\": {\"n\": \"1\"}, \"metrics\": {\"wall\": {\"unit\": \"s\", \"samples\": [[1]]}}},"
		"{\"name\": \"a\", \"parameters\": {\"n\": \"2\"}, \"metrics\": {\"wall\": {\"unit\": \"s\", \"samples\": [[2]]}}}]}";
	char *root = fake_root(), path[4200];
	struct result r;
	struct error err;
	fake_file(root, "/r.json", document);
	fake_file(root, "/more.csv", "subject,parameter:n,value\na,3,5\n");
	result_init(&r);
	import_text(&r, document, NULL);
	assert_string_equal(subject_title(&r.subjects[1]), "a (n=2)");
	snprintf(path, sizeof(path), "%s/more.csv", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_string_equal(subject_title(&r.subjects[2]), "a (n=3)");
	result_release(&r);
	result_init(&r);
	snprintf(path, sizeof(path), "new=%s/r.json", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_string_equal(subject_title(&r.subjects[0]), "new/a (n=1)");
	result_release(&r);
	fake_remove(root);
	free(root);
}

static void read_more(struct result *r, const char *text)
{
	struct error err;
	assert_int_equal(import_memory(text, strlen(text), "x", NULL, r, &err), 0);
}

/* Several files of one subject: nothing that is known of their runs is left to the first. Mean and error of 20 runs from
 * those of two times 10 by R 4.2.2: sums of squares about their means, and between these. */
static void test_files_of_one_subject(void **state)
{
	(void)state;
	static const char perf[] = "\n Performance counter stats for 'x' (10 runs):\n\n"
							   "   %s msec task-clock   #    0.005 CPUs utilized   ( +-  1.20%% )\n\n"
							   "   0.10223 +- 0.00012 seconds time elapsed  ( +-  0.12%% )\n";
	struct result r;
	result_init(&r);
	read_more(&r, "subject,run,value\na,1,1\na,2,nan\na,3,1.1\n");
	read_more(&r, "subject,run,value\na,4,1\na,5,1.2\na,6,nan\n");
	assert_int_equal(r.subjects[0].metrics[0].series.n, 4);
	assert_int_equal(r.subjects[0].metrics[0].lost, 2);
	result_release(&r);
	result_init(&r);
	for (int i = 0; i < 2; i++) {
		char text[400];
		snprintf(text, sizeof(text), perf, i ? "20.52" : "10.52");
		read_more(&r, text);
	}
	assert_int_equal(r.subject_count, 1);
	const struct measurement *m = subject_find_metric(&r.subjects[0], "task-clock");
	assert_non_null(m);
	assert_int_equal(m->stated->n, 20);
	assert_true(fabs(m->stated->mean - 0.01552) < 1e-12);
	assert_true(fabs(m->stated->sem - 0.001154956551) < 1e-12);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_of_one_subject),
		cmocka_unit_test(test_plain_numbers),
		cmocka_unit_test(test_single_columns),
		cmocka_unit_test(test_rates_of_several),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_nothing_usable),
		cmocka_unit_test(test_byte_order_mark),
		cmocka_unit_test(test_a_line_without_end),
		cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_gzip_bomb),
		cmocka_unit_test(test_files_and_labels),
		cmocka_unit_test(test_deep_levels_are_appended),
		cmocka_unit_test(test_pairs_do_not_cross_files),
		cmocka_unit_test(test_titles),
	};
	return cmocka_run_group_tests_name("exchange/import", tests, NULL, NULL);
}
