/* What pytest-benchmark, Catch2, mitata and tinybench write: files made by the real ones (fuzz/seeds), shortened. */
#include "support/imports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void import_seed(struct result *out, const char *name)
{
	char path[512];
	struct error err;
	snprintf(path, sizeof(path), "%s/fuzz/seeds/%s", getenv("SOURCE_ROOT"), name);
	result_init(out);
	if (import_file(path, NULL, out, &err) != 0)
		fail_msg("%s: %s", path, err.what);
}

static void test_pytest(void **state)
{
	(void)state;
	struct result r;
	import_seed(&r, "pytest/three.json");
	assert_string_equal(r.design.why, "pytest");
	assert_int_equal(r.subject_count, 3);
	assert_string_equal(r.subjects[0].name, "test_x.py::test_par[100]");
	assert_string_equal(r.subjects[0].parameters[0].name, "n");
	assert_string_equal(r.subjects[0].parameters[0].value, "100");
	/* Its timer was time.process_time. */
	const struct series *rounds = series_of(&r, "test_x.py::test_par[100]", "cpu");
	assert_int_equal(rounds->groups[0], 1);
	assert_int_equal(rounds->n, 3);
	assert_close(rounds->values[0], 8.663e-6, 1e-9);
	assert_string_equal(r.host.cpu, "AMD EPYC");
	result_release(&r);
}

static void test_pytest_without_rounds(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "{\"machine_info\": {}, \"benchmarks\": [{\"fullname\": \"a::b\", \"params\": {\"x\": \"y\"}, "
	            "\"options\": {\"timer\": \"perf_counter\"}, \"stats\": {\"mean\": 0.5}},"
	            "{\"fullname\": \"a::c\", \"stats\": {\"mean\": null}}]}",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "a::b", "wall")), "[[0.5]]");
	assert_true(has_warning(&r, "unmapped", "1 benchmark has a mean and no single rounds"));
	assert_true(has_warning(&r, "missing", "1 value is missing"));
	result_release(&r);
}

static void test_mitata(void **state)
{
	(void)state;
	struct result r;
	import_seed(&r, "mitata/groups.json");
	assert_string_equal(r.design.why, "mitata");
	assert_int_equal(r.subject_count, 5);
	assert_string_equal(r.subjects[1].name, "g/two");
	assert_string_equal(r.subjects[2].parameters[0].value, "10");
	assert_int_equal(series_of(&r, "one", "wall")->n, 1);
	assert_close(series_of(&r, "one", "wall")->values[0], 6226.713785807292e-9, 1e-12);
	assert_int_equal(r.subjects[4].failure_count, 1);
	assert_string_equal(r.subjects[4].failures[0].what, "oh");
	result_release(&r);
}

/* Arguments that are no part of the name make subjects of their own, not further runs of one. */
static void test_mitata_arguments(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "{\"layout\": [{\"name\": null}], \"benchmarks\": [{\"alias\": \"fib\", \"group\": 0, \"runs\": ["
	            "{\"name\": \"fib\", \"args\": {\"x\": 1}, \"stats\": {\"avg\": 10}},"
	            "{\"name\": \"fib\", \"args\": {\"x\": 2}, \"stats\": {\"avg\": 1000}}]}]}",
	            NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[1].name, "fib");
	assert_string_equal(r.subjects[1].parameters[0].value, "2");
	assert_int_equal(r.subjects[0].metrics[0].series.n, 1);
	result_release(&r);
}

static void test_tinybench(void **state)
{
	(void)state;
	struct result r;
	import_seed(&r, "tinybench/tasks.json");
	assert_string_equal(r.design.why, "tinybench");
	assert_int_equal(r.subject_count, 3);
	assert_int_equal(series_of(&r, "one", "wall")->n, 1);
	assert_close(series_of(&r, "one", "wall")->values[0], 0.12065875000000403e-3, 1e-12);
	assert_string_equal(r.subjects[2].failures[0].what, "errored");
	assert_true(has_warning(&r, "failures", "'throws': 1 of 1 run failed"));
	result_release(&r);
	/* As version 2 has it. */
	result_init(&r);
	import_text(&r, "[{\"name\": \"old\", \"result\": {\"mean\": 2, \"rme\": 1, \"samples\": [1, 3]}}]", NULL);
	assert_string_equal(series_text(series_of(&r, "old", "wall")), "[[0.002]]");
	result_release(&r);
}

static void test_catch2(void **state)
{
	(void)state;
	struct result r;
	import_seed(&r, "catch2/analysed.xml");
	assert_string_equal(r.design.why, "catch2");
	assert_int_equal(r.subject_count, 6);
	assert_string_equal(r.subjects[0].name, "numbers, plain/steady");
	assert_string_equal(r.subjects[2].name, "chains/chain of 10");
	assert_int_equal(r.subjects[2].metrics[0].series.n, 1);
	assert_true(r.subjects[2].metrics[0].series.values[0] > 1e-6);
	result_release(&r);
}

/* The same name in two sections is two benchmarks. */
static void test_catch2_sections(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "<Catch2TestRun name=\"x\">\n<TestCase name=\"vector\">\n"
	            "<Section name=\"small\" line=\"6\">\n<BenchmarkResults name=\"push\">\n<mean value=\"100\"/>\n"
	            "</BenchmarkResults>\n<OverallResults successes=\"0\"/>\n</Section>\n"
	            "<Section name=\"large\" line=\"9\">\n<Section name=\"cold\">\n<BenchmarkResults name=\"push\">\n"
	            "<mean value=\"9000\"/>\n</BenchmarkResults>\n</Section>\n</Section>\n"
	            "<BenchmarkResults name=\"push\">\n<mean value=\"50\"/>\n</BenchmarkResults>\n"
	            "<OverallResult success=\"true\"/>\n</TestCase>\n</Catch2TestRun>\n",
	            NULL);
	assert_int_equal(r.subject_count, 3);
	assert_string_equal(series_text(series_of(&r, "vector/small/push", "wall")), "[[1e-07]]");
	assert_string_equal(r.subjects[1].name, "vector/large/cold/push");
	assert_string_equal(r.subjects[2].name, "vector/push");
	result_release(&r);
	/* However deep they are, the name stays short, and they end where they should. */
	struct buffer text = {0};
	buffer_text_add(&text, "<Catch2TestRun name=\"x\">\n<TestCase name=\"t\">\n");
	buffer_repeat(&text, "<Section name=\"s\">\n", 5000);
	buffer_text_add(&text, "<BenchmarkResults name=\"b\">\n<mean value=\"1\"/>\n</BenchmarkResults>\n");
	buffer_repeat(&text, "</Section>\n", 5001);
	buffer_text_add(&text, "<Section name=\"s\">\n<BenchmarkResults name=\"b\">\n<mean value=\"1\"/>\n");
	result_init(&r);
	import_text(&r, buffer_text(&text), NULL);
	assert_int_equal(r.subject_count, 2);
	assert_int_equal(strlen(r.subjects[0].name), strlen("t/b") + 2 * 64);
	assert_string_equal(r.subjects[1].name, "t/s/b");
	result_release(&r);
	buffer_release(&text);
}

static void test_catch2_names_and_failures(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Catch2TestRun name=\"x\" rng-seed=\"1\">\n"
	            "<TestCase name=\"a &lt;b&gt; &amp; &quot;c&quot;\" tags=\"[x]\">\n"
	            "  <BenchmarkResults name=\"one\" samples=\"2\">\n    <mean value=\"1500.5\" ci=\"0.95\"/>\n"
	            "    <standardDeviation value=\"9\"/>\n  </BenchmarkResults>\n"
	            "  <BenchmarkResults name=\"two\">\n    <failed message=\"threw\"/>\n  </BenchmarkResults>\n"
	            "  <BenchmarkResults name=\"three\">\n    <mean value=\"nan\"/>\n  </BenchmarkResults>\n</TestCase>\n",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "a <b> & \"c\"/one", "wall")), "[[1.5005e-06]]");
	assert_int_equal(r.subject_count, 3);
	assert_int_equal(r.subjects[2].metric_count, 0); /* it is there, and without a value */
	assert_string_equal(r.subjects[1].failures[0].what, "threw");
	assert_true(has_warning(&r, "missing", "1 value is missing"));
	result_release(&r);
}

static void test_nanobench(void **state)
{
	(void)state;
	struct result r;
	import_seed(&r, "nanobench/tables.txt");
	assert_string_equal(r.design.why, "nanobench");
	assert_int_equal(r.subject_count, 3);
	assert_string_equal(series_text(series_of(&r, "a", "wall")), "[[1.0000300009000271e-06]]");
	assert_string_equal(series_text(series_of(&r, "slow ones/b | `x`", "wall")),
	                    "[[0.0020000400008000161]]"); /* 1/499.99 */
	assert_true(fabs(series_of(&r, "c", "wall")->values[0] - 1 / 3333233336.33) < 1e-20);
	result_release(&r);
	/* A slow one: its time is the more precise. */
	result_init(&r);
	import_text(&r,
	            "|  ns/op |  op/s |    err% |     total | benchmark\n|----:|----:|----:|----:|:----\n"
	            "| 206,122,584.25 | 4.85 | 1.4% | 12.37 | `slow`\n",
	            NULL);
	assert_true(fabs(series_of(&r, "slow", "wall")->values[0] - 0.20612258425) < 1e-15);
	result_release(&r);
}

static void test_nanobench_columns(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"| relative | complexityN |          my/byte |              byte/s |    err% |          ins/op |    IPC |   miss% | total | x |\n"
		"|---------:|------------:|-----------------:|--------------------:|--------:|----------------:|-------:|--------:|------:|:--|\n"
		"|   100.0% |          10 |         8,000.00 |              500.00 |    1.0% |            3.00 |   1.00 |    0.1% |  0.00 | `one` |\n"
		"| :boom: `two` (it went wrong)\n"
		"|   100.0% |          10 |              nan |                 nan |    1.0% |            3.00 |   1.00 |    0.1% |  0.00 | `three`\n"
		"|   100.0% | short\n",
		NULL);
	/* A unit that is not known leaves the rate. */
	assert_string_equal(series_text(series_of(&r, "x/one", "wall")), "[[0.002]]");
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[1].failures[0].what, "it went wrong");
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pytest),
		cmocka_unit_test(test_pytest_without_rounds),
		cmocka_unit_test(test_mitata),
		cmocka_unit_test(test_mitata_arguments),
		cmocka_unit_test(test_tinybench),
		cmocka_unit_test(test_nanobench),
		cmocka_unit_test(test_nanobench_columns),
		cmocka_unit_test(test_catch2),
		cmocka_unit_test(test_catch2_sections),
		cmocka_unit_test(test_catch2_names_and_failures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
