/* The JSON of other tools: values, levels, units, and what is left out. */
#include "support/fake.h"
#include "support/imports.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_hyperfine(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"{\"results\": [{\"command\": \"sleep {t}\", \"mean\": 0.15, \"user\": 0.001, \"system\": 0.002, \"times\": [0.1, 0.2, null],"
		"\"memory_usage_byte\": [1000, 2000, 3000], \"exit_codes\": [0, 3, null], \"parameters\": {\"t\": \"0.1\"}},"
		"{\"command\": \"x\", \"times\": [1]}, {\"command\": \"x\", \"times\": [2]}, {\"command\": \"y\", \"mean\": 3}]}",
		NULL);
	assert_string_equal(r.design.why, "hyperfine");
	assert_int_equal(r.subject_count, 4); /* y too, so that nothing else is compared in its place */
	assert_string_equal(r.subjects[3].name, "y");
	assert_int_equal(r.subjects[3].metric_count, 0);
	assert_string_equal(series_text(series_of(&r, "sleep {t}", "wall")), "[[0.1],[0.2]]");
	assert_string_equal(series_text(series_of(&r, "sleep {t}", "rss")), "[[1000],[2000],[3000]]");
	assert_string_equal(series_text(series_of(&r, "x #2", "wall")), "[[2]]");
	const struct subject *s = &r.subjects[0];
	assert_string_equal(s->command, "sleep {t}");
	assert_string_equal(s->parameters[0].value, "0.1");
	assert_int_equal(s->failure_count, 2);
	assert_string_equal(s->failures[0].what, "exit 3");
	assert_int_equal(s->failures[0].run, 1);
	assert_true(has_warning(&r, "failures", "'sleep {t}': 2 of 3 runs failed (exit 3 in 1, signal in 1)"));
	assert_false(has_warning(&r, "failures", "'x'"));
	assert_true(has_warning(&r, "unmapped", "1 result has a mean"));
	assert_true(has_warning(&r, "missing", "1 value "));
	result_release(&r);
	assert_refused("{\"results\": [{\"command\": \"x\", \"mean\": 1}]}", NULL, ERROR_NO_DATA, 0, 0, "no usable value");
}

static void test_gbench(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"{\"context\": {\"date\": \"2026-01-01\", \"num_cpus\": 4, \"load_avg\": [1.5, 2]}, \"benchmarks\": ["
		"{\"name\": \"BM/8\", \"run_name\": \"BM/8\", \"run_type\": \"iteration\", \"iterations\": 100, \"real_time\": 10, \"cpu_time\": 9, "
		"\"time_unit\": \"us\", \"bytes_per_second\": 1e9, \"items_per_second\": 5, \"my_counter\": 7},"
		"{\"name\": \"BM/8\", \"run_name\": \"BM/8\", \"run_type\": \"iteration\", \"repetition_index\": 1, \"iterations\": 100, "
		"\"real_time\": 11, \"cpu_time\": NaN, \"time_unit\": \"us\"},"
		"{\"name\": \"BM/8_mean\", \"run_name\": \"BM/8\", \"run_type\": \"aggregate\", \"real_time\": 10.5, \"cpu_time\": 9, \"time_unit\": \"us\"},"
		"{\"name\": \"Old\", \"iterations\": 1, \"real_time\": 3, \"cpu_time\": 3, \"time_unit\": \"ns\"},"
		"{\"name\": \"Old_mean\", \"iterations\": 1, \"real_time\": 3, \"cpu_time\": 3, \"time_unit\": \"ns\"},"
		"{\"name\": \"Bad\", \"run_type\": \"iteration\", \"error_occurred\": true, \"error_message\": \"broken\", \"real_time\": Infinity},"
		"{\"name\": \"Left\", \"run_type\": \"iteration\", \"skipped\": true, \"skip_message\": \"no AVX\", \"iterations\": 0, "
		"\"real_time\": 0, \"cpu_time\": 0, \"time_unit\": \"ns\"}]}",
		NULL);
	assert_int_equal(r.subject_count, 4);
	assert_string_equal(series_text(series_of(&r, "BM/8", "wall")), "[[1e-05],[1.1e-05]]");
	assert_string_equal(series_text(series_of(&r, "BM/8", "cpu")), "[[9e-06]]");
	assert_string_equal(series_text(series_of(&r, "BM/8", "my_counter")), "[[7]]");
	assert_int_equal(subject_find_metric(&r.subjects[0], "bytes_per_second")->metric.better, BETTER_HIGHER);
	assert_int_equal(r.host.cpus, 4);
	assert_true(r.host.load == 1.5);
	const struct subject *bad = result_find_subject(&r, "Bad");
	assert_string_equal(bad->failures[0].what, "broken");
	assert_int_equal(bad->metric_count, 0);
	const struct subject *left = result_find_subject(&r, "Left");
	assert_string_equal(left->failures[0].what, "no AVX");
	assert_int_equal(left->metric_count, 0);
	assert_true(has_warning(&r, "failures", "'Bad': 1 of 1 run failed (broken)"));
	assert_true(has_warning(&r, "failures", "'Left': 1 of 1 run failed (no AVX)"));
	result_release(&r);
	assert_refused("{\"benchmarks\": [{\"name\": \"x_mean\", \"run_type\": \"aggregate\", \"real_time\": 1}]}", NULL,
	               ERROR_NO_DATA, 0, 0, "only aggregates");
}

static void test_jmh(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"[{\"benchmark\": \"a.B.c\", \"mode\": \"thrpt\", \"threads\": 2, \"params\": {\"n\": \"10\"}, \"primaryMetric\": {\"score\": 2, "
		"\"scoreError\": \"NaN\", \"scoreUnit\": \"ops/ms\", \"rawData\": [[1, 2], [3, \"NaN\"]]}, \"secondaryMetrics\": "
		"{\"\\u00b7gc.alloc.rate\": {\"scoreUnit\": \"MB/sec\", \"rawData\": [[5, 6]]}}},"
		"{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"threads\": 2, \"params\": {\"n\": \"10\"}, \"primaryMetric\": {\"scoreUnit\": \"us/op\", "
		"\"rawData\": [[7]]}, \"secondaryMetrics\": {}},"
		"{\"benchmark\": \"a.B.s\", \"mode\": \"sample\", \"primaryMetric\": {\"scoreUnit\": \"ms/op\", "
		"\"rawDataHistogram\": [[[[1, 2], [3, 1]], [[4, 1]]], [[[5, 2]]]]}, \"secondaryMetrics\": {}}]",
		NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(series_of(&r, "a.B.c", "throughput")), "[[1,2],[3]]");
	assert_string_equal(series_text(series_of(&r, "a.B.c", "wall")), "[[7e-06]]");
	assert_string_equal(series_text(series_of(&r, "a.B.c", "gc.alloc.rate")), "[[5,6]]");
	assert_string_equal(series_text(series_of(&r, "a.B.s", "sample")),
	                    "[[[0.001,0.001,0.003],[0.004]],[[0.005,0.005]]]");
	assert_int_equal(series_of(&r, "a.B.s", "sample")->levels[2], LEVEL_INVOCATION);
	assert_int_equal(r.subjects[0].parameter_count, 2);
	assert_string_equal(r.subjects[0].parameters[1].name, "threads");
	assert_int_equal(subject_find_metric(&r.subjects[0], "throughput")->metric.better, BETTER_HIGHER);
	assert_true(has_warning(&r, "missing", "1 value "));
	result_release(&r);
}

static void test_jmh_metrics_of_one_name(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"[{\"benchmark\": \"g\", \"mode\": \"thrpt\", \"primaryMetric\": {\"scoreUnit\": \"ops/us\", \"rawData\": [[3]]}, "
		"\"secondaryMetrics\": {\"get\": {\"scoreUnit\": \"ops/us\", \"rawData\": [[1]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[4]]}, "
		"\"secondaryMetrics\": {\"get\": {\"scoreUnit\": \"us/op\", \"rawData\": [[2]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[5]]}, "
		"\"secondaryMetrics\": {\"get\": {\"scoreUnit\": \"ms/op\", \"rawData\": [[6]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[7]]}, "
		"\"secondaryMetrics\": {\"get\": {\"scoreUnit\": \"us/op\", \"rawDataHistogram\": [[[[8, 2]]]]}}}]",
		NULL);
	assert_int_equal(r.subject_count, 1);
	assert_int_equal(r.subjects[0].metric_count, 5);
	assert_string_equal(series_text(series_of(&r, "g", "wall")), "[[4e-06],[5e-06],[7e-06]]");
	assert_string_equal(series_text(series_of(&r, "g", "get")), "[[1]]");
	assert_string_equal(series_text(series_of(&r, "g", "get avgt")), "[[2e-06],[0.006]]");
	assert_string_equal(subject_find_metric(&r.subjects[0], "get avgt")->metric.unit, "s");
	assert_string_equal(series_text(series_of(&r, "g", "get avgt 2")), "[[[8e-06,8e-06]]]");
	result_release(&r);
}

/* -bm thrpt,ss -prof gc: what a profiler counts belongs to the mode, also where the unit is the same. */
static void test_jmh_profiler_of_two_modes(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"[{\"benchmark\": \"g\", \"mode\": \"thrpt\", \"primaryMetric\": {\"scoreUnit\": \"ops/us\", \"rawData\": [[3]]}, "
		"\"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"B/op\", \"rawData\": [[16]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"ss\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[4]]}, "
		"\"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"B/op\", \"rawData\": [[4096]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"thrpt\", \"primaryMetric\": {\"scoreUnit\": \"ops/us\", \"rawData\": [[5]]}, "
		"\"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"B/op\", \"rawData\": [[17]]}}},"
		"{\"benchmark\": \"g\", \"mode\": \"ss\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[6]]}, "
		"\"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"B/op\", \"rawData\": [[4097]]}}},"
		"{\"benchmark\": \"h\", \"mode\": \"ss\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[7]]}, "
		"\"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"B/op\", \"rawData\": [[8]]}}}]",
		NULL);
	assert_string_equal(series_text(series_of(&r, "g", "throughput")), "[[3],[5]]");
	assert_string_equal(series_text(series_of(&r, "g", "gc")), "[[16],[17]]");
	assert_string_equal(series_text(series_of(&r, "g", "gc ss")), "[[4096],[4097]]");
	assert_string_equal(series_text(series_of(&r, "h", "gc")), "[[8]]");
	result_release(&r);
}

static void test_jmh_histogram_that_is_too_large(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "[{\"benchmark\": \"x\", \"mode\": \"sample\", \"primaryMetric\": {\"scoreUnit\": \"s/op\", "
	            "\"rawDataHistogram\": [[[[1, 30000000], [2, 10000000]]]]}}]",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "x", "sample")), "[[1.25]]");
	assert_true(has_warning(&r, "unmapped", "means of iterations"));
	result_release(&r);
}

static void test_pyperf(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"{\"version\": \"1.0\", \"metadata\": {\"cpu_count\": 8, \"cpu_model_name\": \"CPU\", \"unit\": \"second\"}, \"benchmarks\": ["
		"{\"metadata\": {\"name\": \"b1\"}, \"runs\": [{\"warmups\": [[1, 9.0], [2, 9.0]]}, {\"warmups\": [[4, 9.0]], \"values\": [0.1, 0.2]}, "
		"{\"values\": [0.3]}]}, {\"metadata\": {\"name\": \"b2\", \"unit\": \"byte\"}, \"runs\": [{\"values\": [7360512]}]}]}",
		NULL);
	assert_string_equal(series_text(series_of(&r, "b1", "wall")), "[[0.1,0.2],[0.3]]");
	assert_string_equal(series_text(series_of(&r, "b2", "memory")), "[[7360512]]");
	assert_string_equal(r.subjects[1].metrics[0].metric.unit, "bytes");
	assert_string_equal(r.host.cpu, "CPU");
	result_release(&r);
}

static void test_benchmarkdotnet(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"{\"HostEnvironmentInfo\": {\"ProcessorName\": {\"Value\": \"CPU\"}, \"LogicalCoreCount\": 8}, \"Benchmarks\": ["
		"{\"Namespace\": \"N\", \"Type\": \"T\", \"Method\": \"M\", \"Parameters\": \"A=1&B=x\", \"Memory\": {\"BytesAllocatedPerOperation\": 64}, "
		"\"Measurements\": ["
		"{\"IterationMode\": \"Overhead\", \"IterationStage\": \"Actual\", \"LaunchIndex\": 1, \"Operations\": 1, \"Nanoseconds\": 5},"
		"{\"IterationMode\": \"Workload\", \"IterationStage\": \"Actual\", \"LaunchIndex\": 1, \"Operations\": 10, \"Nanoseconds\": 9999},"
		"{\"IterationMode\": \"Workload\", \"IterationStage\": \"Result\", \"LaunchIndex\": 1, \"Operations\": 10, \"Nanoseconds\": 5000},"
		"{\"IterationMode\": \"Workload\", \"IterationStage\": \"Result\", \"LaunchIndex\": 1, \"Operations\": 10, \"Nanoseconds\": 6000},"
		"{\"IterationMode\": \"Workload\", \"IterationStage\": \"Result\", \"LaunchIndex\": 2, \"Operations\": 10, \"Nanoseconds\": 7000}]},"
		"{\"Namespace\": null, \"Method\": \"Values\", \"Statistics\": {\"OriginalValues\": [1000, 2000]}},"
		"{\"Method\": \"Summary\", \"Statistics\": {\"Mean\": 1}}]}",
		NULL);
	assert_string_equal(series_text(series_of(&r, "N.T.M", "wall")), "[[5e-07,6e-07],[7e-07]]");
	assert_string_equal(series_text(series_of(&r, "N.T.M", "allocated")), "[[64]]");
	assert_string_equal(series_text(series_of(&r, "Values", "wall")), "[[1e-06,2e-06]]");
	assert_string_equal(r.subjects[0].parameters[1].name, "B");
	assert_string_equal(r.host.cpu, "CPU");
	assert_true(has_warning(&r, "unmapped", "1 benchmark has"));
	result_release(&r);
	assert_refused(
		"{\"HostEnvironmentInfo\": {}, \"Benchmarks\": [{\"Method\": \"x\", \"Statistics\": {\"Mean\": 0}}]}", NULL,
		ERROR_NO_DATA, 0, 0, "only summaries");
}

static const char several_jobs[] =
	"{\"HostEnvironmentInfo\": {}, \"Benchmarks\": ["
	"{\"DisplayInfo\": \"B.M: .NET 6.0(Runtime=.NET 6.0) [N=1]\", \"Namespace\": \"N\", \"Type\": \"B\", \"Method\": \"M\", "
	"\"Parameters\": \"N=1\", \"Statistics\": {\"OriginalValues\": [1]}},"
	"{\"DisplayInfo\": \"B.M: .NET 8.0(Runtime=.NET 8.0) [N=1]\", \"Namespace\": \"N\", \"Type\": \"B\", \"Method\": \"M\", "
	"\"Parameters\": \"N=1\", \"Statistics\": {\"OriginalValues\": [2]}},"
	"{\"DisplayInfo\": \"B.M: .NET 8.0(Runtime=.NET 8.0) [N=2]\", \"Namespace\": \"N\", \"Type\": \"B\", \"Method\": \"M\", "
	"\"Parameters\": \"N=2\", \"Statistics\": {\"OriginalValues\": [3]}},"
	"{\"DisplayInfo\": \"B.Once: DefaultJob\", \"Method\": \"Once\", \"Statistics\": {\"OriginalValues\": [4]}},"
	"{\"DisplayInfo\": \"B.Twice: DefaultJob\", \"Method\": \"Twice\", \"Statistics\": {\"OriginalValues\": [5]}},"
	"{\"DisplayInfo\": \"B.Twice: DefaultJob\", \"Method\": \"Twice\", \"Statistics\": {\"OriginalValues\": [6]}}]}";

/* What differs by its job alone has it as a parameter, and so has all of that name. */
static void test_benchmarkdotnet_jobs(void **state)
{
	(void)state;
	static const char *const jobs[] = {".NET 6.0(Runtime=.NET 6.0)", ".NET 8.0(Runtime=.NET 8.0)",
	                                   ".NET 8.0(Runtime=.NET 8.0)"};
	struct result r;
	result_init(&r);
	import_text(&r, several_jobs, NULL);
	assert_int_equal(r.subject_count, 6);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(r.subjects[i].name, "N.B.M");
		assert_int_equal(r.subjects[i].parameter_count, 2);
		assert_string_equal(r.subjects[i].parameters[1].name, "job");
		assert_string_equal(r.subjects[i].parameters[1].value, jobs[i]);
	}
	for (size_t i = 3; i < 6; i++)
		assert_int_equal(r.subjects[i].parameter_count, 0);
	assert_string_equal(r.subjects[5].name, "Twice #2");
	result_release(&r);
}

static void test_github_action_benchmark(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"[{\"name\": \"a\", \"unit\": \"ns\", \"value\": 90.5, \"range\": \"5\"}, {\"name\": \"b\", \"unit\": \"req/s\", \"value\": 70}]",
		NULL);
	assert_string_equal(series_text(series_of(&r, "a", "wall")), "[[9.05e-08]]");
	assert_int_equal(r.subjects[1].metrics[0].metric.better, BETTER_HIGHER);
	assert_int_equal(r.warning_count, 0);
	result_release(&r);
	result_init(&r);
	import_text(
		&r,
		"[{\"name\": \"a\", \"unit\": \"s\", \"value\": 1}, {\"name\": \"b\", \"unit\": \"s\", \"value\": \"fast\"}]",
		NULL);
	assert_true(has_warning(&r, "missing", "1 value "));
	result_release(&r);
	result_init(&r);
	import_text(
		&r,
		"{\"entries\": {\"Go\": [{\"benches\": [{\"name\": \"x\", \"value\": 1, \"unit\": \"s\"}]},"
		"{\"benches\": [{\"name\": \"x\", \"value\": \"fast\", \"unit\": \"s\"}, {\"name\": \"x\", \"unit\": \"s\"}]}]}}",
		NULL);
	assert_true(has_warning(&r, "missing", "2 values "));
	result_release(&r);
	result_init(&r);
	import_text(
		&r,
		"window.BENCHMARK_DATA = {\"lastUpdate\": 1, \"entries\": {\"Go\": ["
		"{\"commit\": {\"id\": \"c1\"}, \"tool\": \"go\", \"benches\": [{\"name\": \"x\", \"value\": 150, \"unit\": \"ns/op\\t 4 aux\"}]},"
		"{\"commit\": {\"id\": \"c2\"}, \"tool\": \"go\", \"benches\": [{\"name\": \"x\", \"value\": 2, \"unit\": \"us/op\"}]}],"
		"\"Mine\": [{\"tool\": \"customBiggerIsBetter\", \"benches\": [{\"name\": \"x\", \"value\": 3, \"unit\": \"points\"}]}]}};\n",
		NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[[1.5e-07]],[[2e-06]]]");
	assert_string_equal(r.subjects[0].parameters[0].value, "Go");
	assert_int_equal(r.subjects[1].metrics[0].metric.better, BETTER_HIGHER);
	assert_int_equal(r.design.levels[0], LEVEL_BUILD);
	result_release(&r);
}

static void test_bmf_and_numbers(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "{\"x::y\": {\"latency\": {\"value\": 3247.0, \"lower_value\": 1}, \"Instructions\": {\"value\": 5}}}",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "x::y", "wall")), "[[3.247e-06]]");
	assert_string_equal(series_text(series_of(&r, "x::y", "Instructions")), "[[5]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "[1, 2, null, 3]", NULL);
	assert_string_equal(series_text(series_of(&r, "test", "value")), "[[1],[2],[3]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "[[1, 2], [3]]", NULL);
	assert_string_equal(series_text(series_of(&r, "test", "value")), "[[1,2],[3]]");
	result_release(&r);
}

static void test_criterion_folders(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct result r;
	struct error err;
	fake_file(root, "/c/g/f x/64/new/sample.json",
	          "{\"sampling_mode\":\"Linear\",\"iters\":[10.0,20.0],\"times\":[1000.0,4000.0]}");
	fake_file(root, "/c/g/f x/64/new/benchmark.json", "{\"group_id\":\"g\",\"full_id\":\"g/f x/64\"}");
	fake_file(root, "/c/g/f x/64/new/estimates.json", "{\"mean\":{}}");
	fake_file(root, "/c/g/f x/64/base/sample.json",
	          "{\"sampling_mode\":\"Flat\",\"iters\":[5.0,5.0],\"times\":[1000.0,2000.0]}");
	fake_file(root, "/c/g/f x/64/base/benchmark.json", "{\"full_id\":\"g/f x/64\"}");
	fake_file(root, "/c/g/f x/64/change/estimates.json", "{}");
	result_init(&r);
	snprintf(path, sizeof(path), "%s/c/", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(series_of(&r, "g/f x/64 (base)", "wall")), "[[2e-07,4e-07]]");
	assert_string_equal(series_text(series_of(&r, "g/f x/64 (new)", "wall")), "[[1e-07,2e-07]]");
	assert_string_equal(series_text(series_of(&r, "g/f x/64 (new)", "iterations")), "[[10,20]]");
	assert_string_equal(r.subjects[1].program, "new");
	result_release(&r);
	snprintf(path, sizeof(path), "%s/c/g/f x/64/base/sample.json", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_string_equal(series_text(series_of(&r, "sample.json", NULL)), "[[2e-07,4e-07]]");
	result_release(&r);
	/* A folder with nothing, one with something wrong. */
	snprintf(path, sizeof(path), "%s/c/g/f x/64/change", root);
	assert_int_equal(import_file(path, NULL, &r, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	fake_file(root, "/bad/new/sample.json", "{\"iters\":[1],\"times\":[1,2]}");
	snprintf(path, sizeof(path), "%s/bad", root);
	assert_int_equal(import_file(path, NULL, &r, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.on, "bad/new/sample.json"));
	assert_int_equal(r.subject_count, 0);
	fake_remove(root);
	free(root);
}

static void test_criterion_copies(void **state)
{
	(void)state;
	static const char *const now[] = {"/c/f/alpha/sample.json", "/c/f/new/sample.json",  "/c/f/omega/sample.json",
	                                  "/c/f/c/new/sample.json", "/c/g/base/sample.json", "/c/g/new/sample.json"};
	char *root = fake_root(), path[4200];
	struct result r;
	struct error err;
	for (size_t i = 0; i < sizeof(now) / sizeof(now[0]); i++)
		fake_file(root, now[i], "{\"iters\":[10,20],\"times\":[1000,4000]}");
	fake_file(root, "/c/f/base/sample.json", "{\"iters\":[10,20],\"times\":[1000,5000]}");
	result_init(&r);
	snprintf(path, sizeof(path), "%s/c", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	/* f has base and new, f/c and g have new. */
	static const char *const programs[] = {"base", "new", "new", "new"};
	assert_int_equal(r.subject_count, 4);
	for (size_t i = 0; i < r.subject_count; i++)
		assert_string_equal(r.subjects[i].program, programs[i]);
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[1e-07,2.5e-07]]");
	assert_true(has_warning(&r, "copies", "3 folders of criterion are copies of another one and left out"));
	result_release(&r);
	/* A folder that was asked for is read. */
	snprintf(path, sizeof(path), "%s/c/g/base", root);
	assert_int_equal(import_file(path, NULL, &r, &err), 0);
	assert_int_equal(r.subject_count, 1);
	assert_int_equal(r.warning_count, 0);
	result_release(&r);
	fake_remove(root);
	free(root);
}

static void test_format_by_name(void **state)
{
	(void)state;
	struct import_options options = {.format = "plain"};
	struct result r;
	struct error err;
	result_init(&r);
	assert_int_equal(import_memory("1\t2\n", 4, "x", &options, &r, &err), 0);
	assert_string_equal(r.design.why, "plain");
	result_release(&r);
	options.format = "nonsense";
	assert_int_equal(import_memory("1\t2\n", 4, "x", &options, &r, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	/* Every name in the list is one of a reader, which says that this is not its format. */
	for (const char *const *name = import_format_names(); *name; name++) {
		options.format = *name;
		if (import_memory("{\"x\": {}}", 9, "x", &options, &r, &err) == 0)
			fail_msg("%s takes anything", *name);
		assert_true(err.kind == ERROR_INPUT || err.kind == ERROR_NO_DATA);
	}
}

/* A reader that is given another format's tree, or members of the wrong type, must not fall. */
static void test_strange_types(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{\"results\": [{\"command\": \"x\", \"times\": {\"a\": 1}, \"mean\": 1}]}",
		"{\"results\": [{\"command\": \"x\", \"times\": [\"y\", {}, []], \"exit_codes\": 7, \"parameters\": [1]}]}",
		"{\"results\": [{\"command\": \"x\", \"times\": [1]}, 5, null]}",
		"{\"benchmarks\": [{\"name\": \"x\", \"real_time\": \"abc\", \"run_type\": 5}, 7]}",
		"{\"benchmarks\": [{\"name\": \"x\", \"real_time\": 1}, {\"name\": 3}]}",
		"[{\"benchmark\": \"x\", \"primaryMetric\": {\"rawData\": 5, \"scoreUnit\": 7}}, 3]",
		"[{\"benchmark\": \"x\", \"primaryMetric\": {\"rawDataHistogram\": [[[[1]], 5, {}]]}}]",
		"[{\"benchmark\": \"x\", \"primaryMetric\": {\"rawDataHistogram\": [[[[\"a\", -5], [1, 1e300]]]]}}]",
		"{\"version\": 1, \"benchmarks\": [{\"runs\": [5, {\"values\": \"x\"}, {\"values\": [[1]]}]}]}",
		"{\"HostEnvironmentInfo\": 5, \"Benchmarks\": [7, {\"Measurements\": [1, {}]}]}",
		"{\"entries\": {\"a\": [{\"benches\": 5}, 7]}}",
		"{\"entries\": {\"a\": 5}}",
		"{\"a\": {\"b\": {\"value\": 1}}, \"c\": 5, \"d\": {\"e\": 7}}",
		"{\"iters\": [1], \"times\": [\"x\"]}",
		"{\"iters\": [0], \"times\": [1]}",
		"[{\"name\": \"x\", \"unit\": 5, \"value\": \"y\"}, {\"unit\": \"s\"}]",
		"{\"schema\": \"tare/1\", \"subjects\": [5, {\"metrics\": 7}, {\"metrics\": {\"a\": 5}}]}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct result r;
		struct error err = {0};
		result_init(&r);
		if (import_memory(texts[i], strlen(texts[i]), "test", NULL, &r, &err) != 0)
			assert_true(err.what[0] && (err.kind == ERROR_INPUT || err.kind == ERROR_NO_DATA));
		result_release(&r);
	}
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{\"results\": [{\"command\": \"x\", \"times\": [1, 2], \"exit_codes\": [0, 1], \"parameters\": {\"t\": 1}}, {\"command\": \"x\", \"times\": [1]}]}",
		"{\"context\": {\"date\": \"d\"}, \"benchmarks\": [{\"name\": \"x\", \"real_time\": 1, \"cpu_time\": 2, \"c\": 3}, {\"name\": \"y\", \"error_occurred\": true}]}",
		"[{\"benchmark\": \"x\", \"mode\": \"sample\", \"threads\": 3, \"params\": {\"a\": \"b\"}, \"primaryMetric\": {\"rawDataHistogram\": [[[[1, 2]]]]}}]",
		"{\"version\": \"1\", \"metadata\": {\"name\": \"n\", \"platform\": \"p\"}, \"benchmarks\": [{\"runs\": [{\"values\": [1]}]}]}",
		"{\"HostEnvironmentInfo\": {}, \"Benchmarks\": [{\"Method\": \"x\", \"Parameters\": \"a=1\", \"Statistics\": {\"OriginalValues\": [1]}}]}",
		several_jobs,
		"{\"entries\": {\"a\": [{\"benches\": [{\"name\": \"x\", \"value\": 1, \"unit\": \"s\"}]}], \"b\": []}}",
		"{\"x\": {\"latency\": {\"value\": 1}}}",
		"{\"iters\": [1, 2], \"times\": [3, 4]}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		for (long nth = 1;; nth++) {
			struct result r;
			struct error err = {0};
			result_init(&r);
			mem_fail_at(nth);
			int status = import_memory(texts[i], strlen(texts[i]), "test", NULL, &r, &err);
			int happened = mem_failed();
			mem_fail_at(0);
			if (status != 0 && err.kind != ERROR_MEMORY)
				fail_msg("case %zu, allocation %ld: %s", i, nth, err.what);
			result_release(&r);
			if (!happened) {
				assert_int_equal(status, 0);
				break;
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hyperfine),
		cmocka_unit_test(test_gbench),
		cmocka_unit_test(test_jmh),
		cmocka_unit_test(test_jmh_metrics_of_one_name),
		cmocka_unit_test(test_jmh_profiler_of_two_modes),
		cmocka_unit_test(test_jmh_histogram_that_is_too_large),
		cmocka_unit_test(test_pyperf),
		cmocka_unit_test(test_benchmarkdotnet),
		cmocka_unit_test(test_benchmarkdotnet_jobs),
		cmocka_unit_test(test_github_action_benchmark),
		cmocka_unit_test(test_bmf_and_numbers),
		cmocka_unit_test(test_criterion_folders),
		cmocka_unit_test(test_criterion_copies),
		cmocka_unit_test(test_format_by_name),
		cmocka_unit_test(test_strange_types),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/formats-json", tests, NULL, NULL);
}
