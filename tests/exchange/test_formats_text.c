/* The text of other tools: Go, perf stat, ReBench, Google Benchmark's CSV. */
#include "support/imports.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const struct parameter *parameter(const struct subject *subject, const char *name)
{
	for (size_t i = 0; i < subject->parameter_count; i++)
		if (strcmp(subject->parameters[i].name, name) == 0)
			return &subject->parameters[i];
	return NULL;
}

static void test_go(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "some log\ngoos: linux\npkg: example.com/p\ncpu: Some CPU @ 3GHz\nUnit widgets better=higher\n"
	            "BenchmarkEncode/format=json/n=10-48  \t 714387\t 1423 ns/op\t 451.5 MB/s\t 8 B/op\t 2 allocs/op\n"
	            "BenchmarkEncode/format=json/n=10-48  845445  1416 ns/op 450 MB/s 8 B/op 2 allocs/op\n"
	            "BenchmarkEncode\n"
	            "Benchmarking is fun 5 ns/op\n"
	            "BenchmarkW 10 1.5 widgets 2e3 ns/op 7 p99-ns/op 9 text-bytes 3 no-unit\n"
	            "BenchmarkBroken 10 x ns/op\n"
	            "BenchmarkBroken 10 5\n"
	            "PASS\nok  \texample.com/p\t3.6s\n",
	            NULL);
	assert_string_equal(r.design.why, "go");
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(series_of(&r, "Encode/format=json/n=10", "wall")), "[[1.423e-06],[1.416e-06]]");
	assert_string_equal(series_text(series_of(&r, "Encode/format=json/n=10", "MB/s")), "[[451500000],[450000000]]");
	assert_string_equal(series_text(series_of(&r, "Encode/format=json/n=10", "B/op")), "[[8],[8]]");
	assert_string_equal(series_text(series_of(&r, "W", "wall")), "[[2e-06]]");
	assert_string_equal(series_text(series_of(&r, "W", "p99-ns/op")), "[[7e-09]]");
	assert_string_equal(subject_find_metric(&r.subjects[1], "p99-ns/op")->metric.unit, "s");
	assert_string_equal(subject_find_metric(&r.subjects[1], "text-bytes")->metric.unit, "bytes");
	assert_string_equal(subject_find_metric(&r.subjects[1], "no-unit")->metric.unit, "no-unit");
	const struct subject *encode = &r.subjects[0], *w = &r.subjects[1];
	assert_string_equal(parameter(encode, "format")->value, "json");
	assert_string_equal(parameter(encode, "n")->value, "10");
	assert_string_equal(parameter(encode, "cpus")->value, "48");
	assert_string_equal(parameter(encode, "pkg")->value, "example.com/p");
	assert_null(parameter(encode, "goos"));
	assert_int_equal(subject_find_metric(encode, "MB/s")->metric.better, BETTER_HIGHER);
	assert_int_equal(subject_find_metric(encode, "allocs/op")->metric.better, BETTER_LOWER);
	assert_int_equal(subject_find_metric(w, "widgets")->metric.better, BETTER_HIGHER);
	assert_string_equal(r.host.cpu, "Some CPU @ 3GHz");
	assert_true(has_warning(&r, "unmapped", "2 lines begin like results and are none, the first is line 11"));
	result_release(&r);
}

/* Of one benchmark, run under two values of the key. */
static size_t subjects_by_key(const char *key)
{
	char text[200];
	struct result r;
	result_init(&r);
	snprintf(text, sizeof(text), "%s: 1\nBenchmarkA 1 100 ns/op\n%s: 2\nBenchmarkA 1 101 ns/op\n", key, key);
	import_text(&r, text, NULL);
	size_t count = r.subject_count;
	result_release(&r);
	return count;
}

/* Events end where a write did: in the middle of a line, or after several. */
static void test_go_events(void **state)
{
	(void)state;
	struct result r;
	struct error err;
	result_init(&r);
	import_text(&r,
	            "{\"Time\":\"2026-11-18T03:36:57Z\",\"Action\":\"start\",\"Package\":\"x\"}\n# x\n"
	            "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"pkg: x\\ncpu: some\\n\"}\n"
	            "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"BenchmarkA\\n\"}\n"
	            "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"BenchmarkA-2   \\t\"}\n"
	            "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"    1000\\t  100 ns/op\\n\"}\n"
	            "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"BenchmarkA-2 10 101 ns/op\\nPASS\\n\"}\n"
	            "{\"Action\":\"pass\",\"Package\":\"x\",\"Elapsed\":0.1}\n",
	            NULL);
	assert_int_equal(r.subject_count, 1);
	assert_string_equal(r.subjects[0].name, "A");
	assert_string_equal(parameter(&r.subjects[0], "pkg")->value, "x");
	assert_string_equal(r.host.cpu, "some");
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[1e-07],[1.01e-07]]");
	result_release(&r);
	result_init(&r);
	static const char half[] = "{\"Action\":\"run\",\"Package\":\"x\"}\n{\"Action\":\"outp";
	assert_int_equal(import_memory(half, sizeof(half) - 1, "x", NULL, &r, &err), -1);
	assert_non_null(strstr(err.what, "not a complete event"));
	result_release(&r);
}

static void test_go_keys_tell_subjects_apart(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "note: before\ndate: 1\nBenchmarkA 1 100 ns/op\nBenchmarkA 1 101 ns/op\n"
	            "note: after\ndate: 2\nBenchmarkA 1 90 ns/op\npkg: x\nBenchmarkA 1 80 ns/op\n",
	            NULL);
	assert_int_equal(r.subject_count, 3);
	assert_string_equal(parameter(&r.subjects[0], "note")->value, "before");
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[1e-07],[1.01e-07]]");
	assert_string_equal(parameter(&r.subjects[1], "note")->value, "after");
	assert_null(parameter(&r.subjects[1], "pkg"));
	assert_string_equal(parameter(&r.subjects[2], "pkg")->value, "x");
	assert_null(parameter(&r.subjects[0], "date"));
	result_release(&r);
	/* A moment is a whole word of the key, or a stamp of any kind. */
	result_init(&r);
	import_text(&r,
	            "runtime: gc\ncommit-time: 1\nupload_date.utc: 1\nBenchmarkA 1 100 ns/op\n"
	            "runtime: tinygo\nBenchmarkA 1 900 ns/op\ncommit-time: 2\nupload_date.utc: 2\nBenchmarkA 1 905 ns/op\n",
	            NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(parameter(&r.subjects[0], "runtime")->value, "gc");
	assert_string_equal(parameter(&r.subjects[1], "runtime")->value, "tinygo");
	assert_string_equal(series_text(&r.subjects[1].metrics[0].series), "[[9e-07],[9.05e-07]]");
	result_release(&r);
	static const char *const moments[] = {"bentstamp", "runstamp",  "numerator_stamp",
	                                      "timestamp", "buildtime", "builddate"};
	static const char *const others[] = {"runtime", "benchtime", "timeout", "candidate", "stamped"};
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++)
		assert_int_equal(subjects_by_key(moments[i]), 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_int_equal(subjects_by_key(others[i]), 2);
}

#define PERF_ENGLISH \
	"# started on Thu Jan  1 2026\n\n" \
	" Performance counter stats for 'sleep 1':\n\n" \
	"              1,234.50 msec task-clock                       #    0.548 CPUs utilized\n" \
	"         1,234,567      context-switches                 #    0.000 /sec\n" \
	"   <not supported>      cycles\n" \
	"        20,508,456      cpu_core/instructions/           #    1.2 insn per cycle         (97.00%)\n" \
	"     <not counted>      cpu_atom/instructions/                                       (0.00%)\n\n" \
	"       1.000816800 seconds time elapsed\n\n" \
	"       0.001000000 seconds user\n       0.000000000 seconds sys\n\n"

static void test_perf(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, PERF_ENGLISH PERF_ENGLISH, NULL);
	assert_int_equal(r.subject_count, 1);
	assert_string_equal(r.subjects[0].command, "sleep 1");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "wall")), "[[1.0008168],[1.0008168]]");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "task-clock")), "[[1.2345],[1.2345]]");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "context-switches")), "[[1234567],[1234567]]");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "cpu_core/instructions/")), "[[20508456],[20508456]]");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "user")), "[[0.001],[0.001]]");
	assert_string_equal(series_text(series_of(&r, "sleep 1", "system")), "[[0],[0]]");
	assert_null(subject_find_metric(&r.subjects[0], "cycles"));
	assert_null(subject_find_metric(&r.subjects[0], "cpu_atom/instructions/"));
	assert_true(has_warning(&r, "unmapped", "cycles, cpu_atom/instructions/"));
	assert_true(has_warning(&r, "scaled", "part of the time"));
	result_release(&r);
}

static void test_perf_locales(void **state)
{
	(void)state;
	static const char *const texts[] = {
		" Performance counter stats for 'x':\n\n  1.234,50 msec task-clock  #    0,548 CPUs utilized\n  627.912.025      cycles\n"
		"        5,001079353 seconds time elapsed\n",
		" Performance counter stats for 'x':\n\n  1\xe2\x80\xaf"
		"234,50 msec task-clock\n  627\xe2\x80\xaf"
		"912\xe2\x80\xaf"
		"025      cycles\n"
		"        5,001079353 seconds time elapsed\n",
		" Performance counter stats for 'x':\n\n  1'234.50 msec task-clock\n  627'912'025      cycles\n        5.001079353 seconds time elapsed\n",
		" Performance counter stats for 'x':\n\n      1234.500000 task-clock (msec)\n  627,912,025      cycles\n        5.001079353 seconds time elapsed\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct result r;
		result_init(&r);
		import_text(&r, texts[i], NULL);
		assert_string_equal(series_text(series_of(&r, "x", "task-clock")), "[[1.2345]]");
		assert_string_equal(series_text(series_of(&r, "x", "cycles")), "[[627912025]]");
		assert_string_equal(series_text(series_of(&r, "x", "wall")), "[[5.001079353]]");
		result_release(&r);
	}
}

static void test_perf_repeats(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		" Performance counter stats for 'sh -c 'true'' (3 runs):\n\n"
		"              0.45 msec task-clock                       #    0.548 CPUs utilized            ( +-  4.08% )\n"
		"                48      page-faults                      #  108.162 K/sec                    ( +-  1.39% )\n\n"
		"         0.0008168 +- 0.0000585 seconds time elapsed  ( +-  7.17% )\n",
		NULL);
	assert_string_equal(r.subjects[0].name, "sh -c 'true'");
	assert_string_equal(series_text(series_of(&r, "sh -c 'true'", "wall")), "[[0.0008168]]");
	assert_string_equal(series_text(series_of(&r, "sh -c 'true'", "page-faults")), "[[48]]");
	const struct stated_runs *stated = subject_find_metric(&r.subjects[0], "wall")->stated;
	assert_int_equal(stated->n, 3);
	assert_close(stated->mean, 0.0008168, 1e-12);
	assert_close(stated->sem, 0.0717 * 0.0008168, 1e-12);
	assert_close(subject_find_metric(&r.subjects[0], "page-faults")->stated->sem, 0.0139 * 48, 1e-12);
	assert_false(has_warning(&r, "means", ""));
	assert_false(has_warning(&r, "scaled", ""));
	result_release(&r);
	result_init(&r);
	import_text(
		&r,
		" Performance counter stats for 'x' (3 runs):\n\n                79      page-faults      ( +-  1.06% )\n\n"
		"           # Table of individual measurements:\n           0.02371 (+0.00834) ########\n           0.01365 (-0.00173) ###\n"
		"           0.01659 (+0.00122) ##\n\n           # Final result:\n           0.01537 +- 0.00229 seconds time elapsed  ( +- 14.88% )\n",
		NULL);
	assert_string_equal(series_text(series_of(&r, "x", "wall")), "[[0.02371],[0.01365],[0.01659]]");
	result_release(&r);
}

static void test_perf_places(void **state)
{
	(void)state;
	static const struct {
		const char *first, *second, *names[2];
	} ways[] = {
		{"CPU0 ", "CPU1 ", {"CPU0 cycles", "CPU1 cycles"}},
		{"S0-D0-C0           2 ", "S0-D0-C1           2 ", {"S0-D0-C0 cycles", "S0-D0-C1 cycles"}},
		{"S0-D0        4 ", "S0-D1        4 ", {"S0-D0 cycles", "S0-D1 cycles"}},
		{"S0        4 ", "S1        4 ", {"S0 cycles", "S1 cycles"}},
		{"N0        4 ", "N1        4 ", {"N0 cycles", "N1 cycles"}},
		/* -A with events of whole cores has no counts. */
		{"S0-D0-C0 ", "S0-D0-C1 ", {"S0-D0-C0 cycles", "S0-D0-C1 cycles"}},
	};
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char text[1000];
		struct result r;
		snprintf(text, sizeof(text),
		         " Performance counter stats for 'system wide':\n\n%s   1,234,567      cycles   #    0.001 GHz\n"
		         "%s   2,345      cycles\n%s   <not counted>      branches\n%s   2,004.50 msec cpu-clock\n\n"
		         "       1.002 seconds time elapsed\n",
		         ways[i].first, ways[i].second, ways[i].first, ways[i].second);
		result_init(&r);
		import_text(&r, text, NULL);
		assert_int_equal(r.subject_count, 1);
		assert_int_equal(r.subjects[0].metric_count, 4);
		assert_string_equal(series_text(series_of(&r, "system wide", ways[i].names[0])), "[[1234567]]");
		assert_string_equal(series_text(series_of(&r, "system wide", ways[i].names[1])), "[[2345]]");
		assert_string_equal(series_text(&r.subjects[0].metrics[2].series), "[[2.0045]]");
		assert_true(has_warning(&r, "unmapped", "not counted: branches"));
		result_release(&r);
	}
}

static void test_rebench_data(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "#!/usr/bin/rebench conf\n# Execution Start: 2026-01-01\n# Source: {\"a\": 1}\n"
	            "1\t1\t158.5\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n"
	            "1\t2\t93.5\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n"
	            "2\t1\t160\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n"
	            "2\t1\t7\tMB\tmem\tNBody\tsom\tmacro\t500\t1\t\t\n",
	            NULL);
	assert_string_equal(r.design.why, "rebench");
	assert_string_equal(series_text(series_of(&r, "NBody (som)", "total")), "[[0.1585,0.0935],[0.16]]");
	assert_string_equal(series_text(series_of(&r, "NBody (som)", "mem")), "[[7000000]]");
	assert_string_equal(parameter(&r.subjects[0], "suite")->value, "macro");
	result_release(&r);
	assert_refused(
		"1\t1\t158.5\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n1\t2\tx\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n",
		NULL, ERROR_INPUT, 2, 5, "'x' is not a number");
}

static void test_nothing_measured(void **state)
{
	(void)state;
	assert_refused("BenchmarkX 1 NaN ns/op\n", NULL, ERROR_NO_DATA, 0, 0, "no usable value");
	assert_refused(" Performance counter stats for 'x':\n\n   <not supported>      cycles\n", NULL, ERROR_NO_DATA, 0, 0,
	               "no usable value");
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"note: a\nUnit x better=higher\nBenchmarkA/k=v-4 1 100 ns/op 5 x\nnote: b\nBenchmarkA/k=v-4 1 100 ns/op 5 x\nBenchmarkB 1 x y\n",
		PERF_ENGLISH,
		"1\t1\t158.5\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n1\t2\t93.5\tms\ttotal\tNBody\tsom\tmacro\t500\t1\t\t\n",
		"old new\n1 2\n3 4\n",
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

/* They lack the command and its times: told, not taken for a table or JSON. */
static void test_perf_for_machines(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"# started on Thu Jan  1 2026\n\n0.51,msec,task-clock:u,507834,100.00,0.548,CPUs utilized\n"
		"1234,,cycles,507834,100.00,2.431,GHz\n",
		"<not supported>,,cycles,0,100.00,,\n",
		"1.02;msec;task-clock;0.52%;1023456;100.00;0.9;CPUs utilized\n",
		"     1.000123,CPU0,1234,,cycles,1000123,100.00,,\n",
		"S0-D0-C0,2,17,,page-faults,1000123,100.00,,\n",
		"{\"counter-value\" : \"0.510000\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 507834}\n"
		"{\"counter-value\" : \"1234.000000\", \"unit\" : \"\", \"event\" : \"cycles\"}\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i], NULL, ERROR_INPUT, 0, 0, "give the text of perf stat without -x and -j");
}

#define GBENCH_HEADER \
	"name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred," \
	"error_message"

static void test_gbench_csv(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"2026-01-01T00:00:00+00:00\nRunning ./bench\nRun on (8 X 2400 MHz CPU s)\nLoad Average: 0.5, 0.6, 0.7\n" GBENCH_HEADER
		",\"hits\"\n"
		"\"BM/8\",100,10,9,us,1e+09,5,\"7\",,,3\n"
		"\"BM/8\",100,11,9.5,us,,,,,,nan\n"
		"\"BM/8_mean\",2,10.5,9.25,us,,,,,,\n"
		"\"BM/8_cv\",2,0.05,0.02,,,,,,,\n"
		"\"geo_mean\",1000,250,240,ns,,,,,,\n"
		"\"BM_BigO\",,1.5,1.4,N,,,,,,\n"
		"\"Bad, \"\"quoted\"\"\",,,,,,,,true,\"broken\"\n"
		"\"Left\",,,,,,,,false,\"no AVX\"\n",
		NULL);
	assert_string_equal(r.design.why, "gbench");
	assert_int_equal(r.subject_count, 4);
	assert_string_equal(series_text(series_of(&r, "BM/8", "wall")), "[[1e-05],[1.1e-05]]");
	assert_string_equal(series_text(series_of(&r, "BM/8", "cpu")), "[[9e-06],[9.5e-06]]");
	assert_string_equal(series_text(series_of(&r, "BM/8", "hits")), "[[3]]");
	assert_string_equal(series_text(series_of(&r, "geo_mean", "wall")), "[[2.5e-07]]");
	assert_string_equal(r.subjects[0].benchmark, "BM/8");
	assert_string_equal(subject_find_metric(&r.subjects[0], "wall")->metric.unit, "s");
	assert_string_equal(subject_find_metric(&r.subjects[0], "bytes_per_second")->metric.unit, "bytes/s");
	assert_null(subject_find_metric(&r.subjects[0], "label"));
	assert_true(has_warning(&r, "failures", "'Bad, \"quoted\"': 1 of 1 run failed (broken)"));
	assert_true(has_warning(&r, "failures", "'Left': 1 of 1 run failed (no AVX)"));
	result_release(&r);
	assert_refused(GBENCH_HEADER "\n\"a_mean\",3,1,1,ns,,,,,\n\"a_median\",3,1,1,ns,,,,,\n\"a_stddev\",3,0,0,ns,,,,,\n",
	               NULL, ERROR_NO_DATA, 0, 0, "only aggregates");
	/* By name, and what has no such table. */
	struct import_options options = {.format = "gbench"};
	struct error err = {0};
	static const char text[] = GBENCH_HEADER "\n\"a\",1,5,5,ms,,,,,\n";
	result_init(&r);
	assert_int_equal(import_memory(text, strlen(text), "test", &options, &r, &err), 0);
	assert_string_equal(series_text(series_of(&r, "a", "wall")), "[[0.005]]");
	assert_int_equal(import_memory("1 2 3\n", 6, "test", &options, &r, &err), -1);
	assert_non_null(strstr(err.what, "no table of Google Benchmark"));
	options.format = "jmh";
	assert_int_equal(import_memory("{\"a\": 1}", 8, "test", &options, &r, &err), -1);
	assert_non_null(strstr(err.next, "without --format"));
	result_release(&r);
}

/* As `go test -bench -v` writes it, on one CPU and on two. */
static void test_go_names_that_end_with_a_number(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"goos: linux\nBenchmarkA\nBenchmarkA/size-2\nBenchmarkA/size-2   \t 1\t 100 ns/op\n"
		"BenchmarkA/size-2   \t 1\t 101 ns/op\nBenchmarkA/says-3\nBenchmarkA/says-3   \thello\n 1\t 7 ns/op\nPASS\n",
		NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[0].name, "A/size-2");
	assert_int_equal(r.subjects[0].metrics[0].series.n, 2);
	assert_string_equal(r.subjects[1].name, "A/says-3");
	result_release(&r);
	result_init(&r);
	import_text(&r, "BenchmarkA/size-2\nBenchmarkA/size-2-2   \t 1\t 100 ns/op\nBenchmarkB-2\nhello\n 1\t 7 ns/op\n",
	            NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[0].name, "A/size-2");
	assert_string_equal(r.subjects[1].name, "B");
	result_release(&r);
}

/* go test writes the name of a benchmark first; what the benchmark prints comes between that and its numbers. */
static void test_go_printing(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "goos: linux\nBenchmarkPrints-8   \thello\nhello 7 ns/op\n     100\t  123.5 ns/op\t 8 B/op\n"
	            "     200\t  5 ns/op\nBenchmarkQuiet-8   \t 100\t  50 ns/op\t 3 qps\t 0.5 hit-rate\nPASS\n",
	            NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[0].name, "Prints");
	assert_string_equal(series_text(series_of(&r, "Prints", "wall")), "[[1.235e-07]]");
	assert_string_equal(series_text(series_of(&r, "Prints", "B/op")), "[[8]]");
	assert_string_equal(series_text(series_of(&r, "Quiet", "wall")), "[[5e-08]]");
	assert_int_equal(subject_find_metric(&r.subjects[1], "qps")->metric.better, BETTER_HIGHER);
	assert_int_equal(subject_find_metric(&r.subjects[1], "hit-rate")->metric.better, BETTER_HIGHER);
	result_release(&r);
	/* It is recognised where no benchmark is quiet. */
	result_init(&r);
	import_text(&r, "BenchmarkPrints   \thello\n     100\t  123.5 ns/op\n", NULL);
	assert_string_equal(r.design.why, "go");
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_go_events),
		cmocka_unit_test(test_go_names_that_end_with_a_number),
		cmocka_unit_test(test_go_printing),
		cmocka_unit_test(test_go_keys_tell_subjects_apart),
		cmocka_unit_test(test_perf),
		cmocka_unit_test(test_perf_locales),
		cmocka_unit_test(test_perf_repeats),
		cmocka_unit_test(test_perf_places),
		cmocka_unit_test(test_perf_for_machines),
		cmocka_unit_test(test_gbench_csv),
		cmocka_unit_test(test_rebench_data),
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/formats-text", tests, NULL, NULL);
}
