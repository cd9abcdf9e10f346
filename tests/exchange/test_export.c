/* Export: what is written imports again to the same values; what a format cannot hold is said. */
#include "exchange/export.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/imports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void same_series(const struct series *a, const struct series *b)
{
	assert_int_equal(a->depth, b->depth);
	assert_memory_equal(a->levels, b->levels, a->depth * sizeof(enum level));
	assert_int_equal(a->n, b->n);
	for (unsigned k = 0; k + 1 < a->depth; k++) {
		assert_int_equal(a->groups[k], b->groups[k]);
		assert_memory_equal(a->starts[k], b->starts[k], (a->groups[k] + 1) * sizeof(uint32_t));
	}
	for (size_t i = 0; i < a->n; i++)
		assert_true(a->values[i] == b->values[i] || (isnan(a->values[i]) && isnan(b->values[i])));
}

static void same_text(const char *a, const char *b)
{
	assert_true(!a == !b);
	if (a)
		assert_string_equal(a, b);
}

/* Two metrics are of one set in both or in none; the numbers of the sets may be others. */
static void same_pair_sets(const struct result *a, const struct result *b, size_t s, size_t t)
{
	for (size_t m = 0; m < a->subjects[s].metric_count; m++)
		for (size_t k = 0; k < a->subjects[t].metric_count; k++)
			assert_int_equal(a->subjects[s].metrics[m].pair_set == a->subjects[t].metrics[k].pair_set,
			                 b->subjects[s].metrics[m].pair_set == b->subjects[t].metrics[k].pair_set);
}

enum { WITH_PARAMETERS = 1, WITH_PROGRAMS = 2, WITH_PAIRS = 4, EVERYTHING = 7 };

static void same_results(const struct result *a, const struct result *b, int what)
{
	assert_int_equal(a->subject_count, b->subject_count);
	for (size_t s = 0; s < a->subject_count; s++) {
		const struct subject *x = &a->subjects[s], *y = &b->subjects[s];
		assert_string_equal(x->name, y->name);
		if (what & WITH_PROGRAMS) {
			same_text(x->benchmark, y->benchmark);
			same_text(x->program, y->program);
		}
		if (what & WITH_PARAMETERS) {
			assert_int_equal(x->parameter_count, y->parameter_count);
			for (size_t i = 0; i < x->parameter_count; i++) {
				assert_string_equal(x->parameters[i].name, y->parameters[i].name);
				assert_string_equal(x->parameters[i].value, y->parameters[i].value);
			}
		}
		assert_int_equal(x->metric_count, y->metric_count);
		for (size_t m = 0; m < x->metric_count; m++) {
			assert_string_equal(x->metrics[m].metric.name, y->metrics[m].metric.name);
			assert_string_equal(x->metrics[m].metric.unit, y->metrics[m].metric.unit);
			assert_int_equal(x->metrics[m].metric.better, y->metrics[m].metric.better);
			same_series(&x->metrics[m].series, &y->metrics[m].series);
		}
	}
	if (!(what & WITH_PAIRS))
		return;
	for (size_t s = 0; s < a->subject_count; s++)
		for (size_t t = 0; t < s; t++)
			same_pair_sets(a, b, s, t);
	assert_int_equal(a->design.paired, b->design.paired);
	assert_int_equal(a->design.order_count, b->design.order_count);
	for (size_t i = 0; i < a->design.order_count; i++)
		assert_string_equal(a->design.order[i], b->design.order[i]);
}

/* Imports text, exports it, imports that; both results are the caller's. */
static void round_trip(const char *text, const char *columns, const char *format, struct result *before,
                       struct result *after, struct buffer *notes)
{
	struct buffer out = {0};
	struct error err;
	char message[1024];
	result_init(before);
	result_init(after);
	import_text(before, text, columns);
	if (export_result(before, format, &out, notes, &err) != 0) {
		error_text(&err, message, sizeof(message));
		fail_msg("%s: %s", format, message);
	}
	import_text(after, buffer_text(&out), NULL);
	buffer_release(&out);
}

static void check(const char *text, const char *columns, const char *format, int what, const char *note)
{
	struct result before, after;
	struct buffer notes = {0};
	round_trip(text, columns, format, &before, &after, &notes);
	same_results(&before, &after, what);
	if (note ? !strstr(buffer_text(&notes), note) : notes.length > 0)
		fail_msg("%s: notes are '%s', expected '%s'", format, buffer_text(&notes), note ? note : "");
	result_release(&before);
	result_release(&after);
	buffer_release(&notes);
}

static const char flat[] = "name,wall_s,cpu_s\nOne,0.1,0.09\nOne,0.30000000000000004,0.2\nTwo/n=10,1e-9,1e-10\n";
static const char nested[] = "name,run,iteration,wall_s\nOne,1,1,0.1\nOne,1,2,0.2\nOne,2,1,0.3\nTwo,1,1,0.4\n";

/* g has no pair in common: it must not become one by its place. */
static const char some_pairs[] = "benchmark,program,pair,value\nf,old,1,1\nf,new,1,2\ng,old,1,5\ng,new,2,6\n";

static void test_csv_holds_everything(void **state)
{
	(void)state;
	check(flat, NULL, "csv", EVERYTHING, NULL);
	check(nested, NULL, "csv", EVERYTHING, NULL);
	check(
		"machine,build,run,iteration,subject,metric,unit,better,value\n"
		"m1,b1,1,1,\"a, \"\"b\"\"\",time,ms,lower,5\nm1,b1,1,2,\"a, \"\"b\"\"\",time,ms,lower,6\nm1,b2,1,1,\"a, \"\"b\"\"\",time,ms,lower,7\n"
		"m2,b1,1,1,\"a, \"\"b\"\"\",time,ms,lower,8\nm2,b1,2,1,\"a, \"\"b\"\"\",time,ms,lower,9\nm1,b1,1,1,\"a, \"\"b\"\"\",points,,higher,3\n"
		"m1,b1,1,1, spaces ,rate,ops/s,higher,4\n",
		NULL, "csv", EVERYTHING, NULL);
	check("subject,pair,order,value\nA,1,AB,1\nB,1,AB,2\nA,2,BA,\nB,2,BA,4\nA,3,AB,5\nB,3,AB,6\n", NULL, "csv",
	      EVERYTHING, NULL);
	check(
		"benchmark,program,type,run,pair,value\nf,old,x,1,1,1\nf,new,x,1,1,2\nf,old,x,1,2,3\nf,new,x,1,2,4\ng,old,y,1,1,5\ng,new,y,1,1,6\n",
		NULL, "csv", EVERYTHING, NULL);
	check("subject,metric,better,value\nx,ops,lower,1\nx,ops,lower,2\n", NULL, "csv", EVERYTHING, NULL);
	check("seq,resp_A_ms,resp_B_ms\n1,5,6\n2,7,8\n", NULL, "csv", EVERYTHING, NULL);
	check(some_pairs, NULL, "csv", EVERYTHING, NULL);
	check("{\"results\": [{\"command\": \"x\", \"times\": [1]}, {\"command\": \"x \", \"times\": [2]}]}", NULL, "csv",
	      EVERYTHING, NULL);
	/* Two metrics of one order; partners that differ in a parameter; and pairs of their own for each parameter. */
	check("subject,pair,order,wall_s,cpu_s\nA,1,BA,1,2\nB,1,BA,3,4\nA,2,AB,5,6\nB,2,AB,7,8\n", NULL, "csv", EVERYTHING,
	      NULL);
	check("subject,benchmark,program,parameter:how,pair,value\nx,f,p,long,1,1\ny,f,p,short,1,2\n", NULL, "csv",
	      EVERYTHING, NULL);
	check("benchmark,program,parameter:n,pair,value\nf,old,1,1,1\nf,new,1,1,2\nf,old,2,1,3\nf,new,2,1,4\n", NULL, "csv",
	      EVERYTHING, NULL);
}

/* An order that is given by runs is that of every pair in them. */
static void test_order_of_runs(void **state)
{
	(void)state;
	struct result before, after;
	struct buffer out = {0};
	struct error err;
	result_init(&before);
	result_init(&after);
	import_text(&before,
	            "subject,build,run,iteration,pair,order,value\n"
	            "A,1,1,1,1,AB,1\nA,1,1,2,2,AB,2\nA,1,2,1,3,AB,3\nA,2,1,1,4,AB,4\nB,1,1,1,1,AB,1\nB,1,1,2,2,AB,2\n"
	            "B,1,2,1,3,AB,3\nB,2,1,1,4,AB,4\n",
	            NULL);
	before.design.order_of_runs = true;
	before.design.order_count = 3;
	before.design.order[1] = "BA";
	assert_int_equal(export_result(&before, "csv", &out, NULL, &err), 0);
	import_text(&after, buffer_text(&out), NULL);
	static const char *const expected[] = {"AB", "AB", "BA", "AB"};
	assert_int_equal(after.design.order_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(after.design.order[i], expected[i]);
	result_release(&before);
	result_release(&after);
	buffer_release(&out);
}

static void test_json_holds_everything(void **state)
{
	(void)state;
	check(flat, NULL, "json", EVERYTHING, NULL);
	check("subject,pair,order,value\nA,1,AB,1\nB,1,AB,2\nA,2,BA,\nB,2,BA,4\n", NULL, "json", EVERYTHING, NULL);
	check("machine,build,run,subject,value\nm,b,1,x,5\nm,c,1,x,6\n", NULL, "json", EVERYTHING, NULL);
	check(some_pairs, NULL, "json", EVERYTHING, NULL);
}

static void test_formats_with_runs(void **state)
{
	(void)state;
	check(nested, NULL, "jmh", WITH_PARAMETERS, NULL);
	check(nested, NULL, "pyperf", WITH_PARAMETERS, NULL);
	check("name,run,throughput,unit\nx,1,5,ops/s\nx,1,6,ops/s\nx,2,7,ops/s\n", NULL, "jmh", WITH_PARAMETERS, NULL);
	check("name,type,run,wall_s,gc,unit\nx,a,1,5,1,s\n", "parameter=type", "jmh", WITH_PARAMETERS, NULL);
	check(
		"[{\"benchmark\": \"x\", \"mode\": \"sample\", \"threads\": 4, \"params\": {\"p\": \"q\"}, \"primaryMetric\": {\"scoreUnit\": \"s/op\", "
		"\"rawDataHistogram\": [[[[1, 2], [3, 1]], [[4, 1]]], [[[5, 2]]]]}, \"secondaryMetrics\": {\"gc\": {\"scoreUnit\": \"\", \"rawData\": [[1]]}}}]",
		NULL, "jmh", WITH_PARAMETERS, NULL);
	check(
		"{\"version\": \"1.0\", \"metadata\": {\"unit\": \"byte\", \"name\": \"b\"}, \"benchmarks\": [{\"runs\": [{\"values\": [7, 8]}, {\"values\": [9]}]}]}",
		NULL, "pyperf", WITH_PARAMETERS, NULL);
}

static void test_formats_with_values(void **state)
{
	(void)state;
	check(
		"{\"results\": [{\"command\": \"sleep 1\", \"times\": [1, 1.1], \"memory_usage_byte\": [10, 11], \"exit_codes\": [0, 2], "
		"\"parameters\": {\"t\": \"1\"}}, {\"command\": \"x\", \"times\": [3e-7]}]}",
		NULL, "hyperfine", WITH_PARAMETERS, NULL);
	check(flat, NULL, "gbench", WITH_PARAMETERS, NULL);
	check(
		"{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1.5, \"cpu_time\": 1, \"time_unit\": \"ns\", \"bytes_per_second\": 3e9, \"mine\": 7}]}",
		NULL, "gbench", WITH_PARAMETERS, NULL);
	check(
		"pkg: p\ncpu: C\nUnit widgets better=higher\nUnit hit-rate better=lower\n"
		"BenchmarkEncode/n=10-8 1 1423 ns/op 451.53 MB/s 16 B/op 3 allocs/op 5 widgets 1 hit-rate 2 fill-rate\n"
		"BenchmarkEncode/n=10-8 1 1423.7 ns/op 0.1 MB/s 17 B/op 3 allocs/op 6 widgets\npkg: q\nBenchmarkX 1 0.3 ns/op\n",
		NULL, "go", WITH_PARAMETERS, NULL);
	check("name,wall_s\nsmall,1\n", NULL, "go", WITH_PARAMETERS, NULL);
}

static void test_formats_with_one_number(void **state)
{
	(void)state;
	check(
		"{\"a\": {\"latency\": {\"value\": 3247.3}, \"throughput\": {\"value\": 5}}, \"b\": {\"latency\": {\"value\": 0.1}}}",
		NULL, "bmf", WITH_PARAMETERS, NULL);
	check("[{\"name\": \"a\", \"unit\": \"ns\", \"value\": 90.7}, {\"name\": \"b\", \"unit\": \"s\", \"value\": 1e-7}]",
	      NULL, "gha", WITH_PARAMETERS, NULL);
	struct result before, after;
	struct buffer notes = {0};
	round_trip(flat, NULL, "bmf", &before, &after, &notes);
	assert_close(after.subjects[0].metrics[0].series.values[0], 0.2, 1e-15);
	assert_non_null(strstr(buffer_text(&notes), "samples are not kept"));
	result_release(&before);
	result_release(&after);
	buffer_clear(&notes);
	round_trip(flat, NULL, "gha", &before, &after, &notes);
	assert_string_equal(after.subjects[1].name, "One - cpu");
	assert_non_null(strstr(buffer_text(&notes), "samples are not kept"));
	result_release(&before);
	result_release(&after);
	buffer_release(&notes);
}

static const char rate_and_points[] = "subject,metric,unit,better,value\nx,wall,s,lower,1\nx,points,,higher,2\n"
									  "x,bytes,bytes/s,higher,3\nx,copied,bytes/s,higher,4\n";

/* Rates are counters that Google Benchmark knows: their unit and direction come back. */
static void test_gbench_rates(void **state)
{
	(void)state;
	struct result before, after;
	struct buffer notes = {0};
	round_trip(rate_and_points, NULL, "gbench", &before, &after, &notes);
	const struct measurement *rate = subject_find_metric(&after.subjects[0], "bytes_per_second");
	assert_non_null(rate);
	assert_string_equal(rate->metric.unit, "bytes/s");
	assert_int_equal(rate->metric.better, BETTER_HIGHER);
	assert_true(rate->series.values[0] == 3);
	/* There is one such counter. */
	assert_non_null(strstr(buffer_text(&notes), "units are not kept, of: copied"));
	assert_non_null(subject_find_metric(&after.subjects[0], "copied"));
	result_release(&before);
	result_release(&after);
	buffer_release(&notes);
}

static size_t times_in(const char *text, const char *part)
{
	size_t n = 0;
	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

/* Keys of Google Benchmark's own are written once. */
static void test_gbench_keys(void **state)
{
	(void)state;
	struct result r;
	struct buffer out = {0}, notes = {0};
	struct error err;
	result_init(&r);
	import_text(
		&r, "subject,metric,unit,value\nx,wall,s,1\nx,iterations,,30\nx,threads,,4\nx,name,,5\nx,cpu_time,s,2\n", NULL);
	assert_int_equal(export_result(&r, "gbench", &out, &notes, &err), 0);
	static const char *const once[] = {"\"iterations\": 30,", "\"iterations\":", "\"threads\": 1,",  "\"threads\":",
	                                   "\"name\": \"x\",",    "\"name\":",       "\"cpu_time\": 2,", "\"cpu_time\":"};
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (times_in(buffer_text(&out), once[i]) != 1)
			fail_msg("%s in %s", once[i], buffer_text(&out));
	assert_string_equal(buffer_text(&notes), "this format has no place for: threads, name\n");
	result_release(&r);
	buffer_release(&out);
	buffer_release(&notes);
}

/* tare's means are of the rest: a reader of the file gets others. */
static void test_a_warmup_that_is_written_is_said(void **state)
{
	(void)state;
	static const char *const formats[] = {"hyperfine", "gbench", "go", "jmh", "pyperf"};
	static const char note[] = "iterations of the warm-up are written like the others";
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		for (size_t skip = 0; skip < 2; skip++) {
			struct result r;
			struct buffer out = {0}, notes = {0};
			result_init(&r);
			import_text(&r, nested, NULL);
			for (size_t s = 0; s < r.subject_count; s++)
				for (size_t m = 0; m < r.subjects[s].metric_count; m++)
					r.subjects[s].metrics[m].skip = skip;
			assert_int_equal(export_result(&r, formats[i], &out, &notes, NULL), 0);
			assert_int_equal(strstr(buffer_text(&notes), note) != NULL, skip);
			result_release(&r);
			buffer_release(&out);
			buffer_release(&notes);
		}
}

static void test_what_cannot_be_kept_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *text, *format, *note;
	} cases[] = {
		{nested, "hyperfine", "levels are not kept"},
		{nested, "gbench", "levels are not kept"},
		{nested, "go", "levels are not kept"},
		{flat, "hyperfine", "this format has no place for: cpu"},
		{flat, "pyperf", "this format has no place for: cpu"},
		{flat, "go", "metric 'cpu' is written as 'cpu-s'"},
		{"name,type,wall_s\nx,a,1\n", "gbench", "parameters are written as part of the name"},
		{"name,type,wall_s\nx,a,1\n", "go", "parameters are written as part of the name"},
		{"name,wall_s\na b,1\n", "go", "blanks"},
		{"name,wall_s,x,unit\na,1,2,s\n", "csv", NULL},
		{"machine,run,wall_s\n1,1,1\n2,1,2\n", "jmh", "machines and builds are not kept"},
		{"machine,run,wall_s\n1,1,1\n2,1,2\n", "pyperf", "levels other than run"},
		{"value\n1\n", "jmh", "written as JMH's score"},
		{"name,duration_ms\nx,1\n", "hyperfine", NULL},
		{"subject,metric,unit,value\nx,throughput,MB/s,1\n", "bmf", "units are not kept, of: throughput"},
		{"subject,metric,unit,value\nx,throughput,ops/day,1\n", "bmf", "units are not kept, of: throughput"},
		{"subject,metric,unit,value\nx,wall,s,1\nx,cpu,%,2\n", "gbench", "units are not kept, of: cpu"},
		{"subject,metric,unit,value\nx,wall,s,1\nx,cpu,%,2\nx,user,%,2\n", "bmf",
	     "units are not kept, of: cpu, user\n"},
		{"subject,metric,unit,value\nx,wall,s,1\nx,user,%,2\n", "hyperfine", "this format has no place for: user"},
		{"subject,metric,unit,value\nx,wall,s,1\nx,rss,pages,2\n", "hyperfine", "this format has no place for: rss"},
		{"subject,metric,unit,value\nx,wall,s,1\nx,items,items/s,2\n", "gbench", "is written as 'items_per_second'"},
		{rate_and_points, "gbench", "that higher values of metric 'points' are better is not kept"},
		{rate_and_points, "jmh", "that higher values of metric 'points' are better is not kept"},
		{rate_and_points, "bmf", "that higher values of metric 'points' are better is not kept"},
		{rate_and_points, "gha", "that higher values of metric 'points' are better is not kept"},
		{"subject,metric,better,value\nx,points,higher,1\n", "pyperf", "that higher values of metric 'points'"},
		{"subject,metric,unit,better,value\nx,wall,s,higher,1\n", "hyperfine", "that higher values of metric 'wall'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result r;
		struct buffer out = {0}, notes = {0};
		struct error err;
		result_init(&r);
		import_text(&r, cases[i].text, NULL);
		assert_int_equal(export_result(&r, cases[i].format, &out, &notes, &err), 0);
		if (cases[i].note ? !strstr(buffer_text(&notes), cases[i].note) : notes.length > 0)
			fail_msg("case %zu: '%s'", i, buffer_text(&notes));
		result_release(&r);
		buffer_release(&out);
		buffer_release(&notes);
	}
}

static void test_subjects_of_one_name(void **state)
{
	(void)state;
	static const char *const formats[] = {"csv", "gbench", "jmh", "go", "hyperfine", "pyperf"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct result r, back;
		struct buffer out = {0}, notes = {0};
		struct error err;
		static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
		result_init(&r);
		result_init(&back);
		for (int s = 0; s < 2; s++) {
			struct subject *subject = result_add_subject(&r, "X");
			assert_int_equal(
				series_append(&result_add_metric(&r, subject, "wall", "s", BETTER_LOWER, levels, 2)->series, 0, s + 1,
			                  &err),
				0);
		}
		assert_int_equal(export_result(&r, formats[i], &out, &notes, &err), 0);
		import_text(&back, buffer_text(&out), NULL);
		assert_int_equal(back.subject_count, 2);
		assert_non_null(strstr(buffer_text(&notes), "get #2"));
		assert_string_equal(r.subjects[1].name, "X");
		result_release(&r);
		result_release(&back);
		buffer_release(&out);
		buffer_release(&notes);
	}
}

/* Go's names have no blanks: those that were the same without them stay two, and so do those of one program each. */
static void test_names_that_become_one(void **state)
{
	(void)state;
	static const char *const texts[] = {"name,wall_s\na b,1\na_b,2\n", "name,wall_s\na b,1\na\tb,2\n",
	                                    "name,cpus,wall_s\na b,8,1\na_b,8,2\n",
	                                    "benchmark,program,wall_s\nf,x y,1\nf,x_y,2\n"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct result before, after;
		struct buffer notes = {0};
		round_trip(texts[i], NULL, "go", &before, &after, &notes);
		assert_int_equal(after.subject_count, 2);
		for (size_t s = 0; s < 2; s++) {
			assert_int_equal(after.subjects[s].metrics[0].series.n, 1);
			assert_true(after.subjects[s].metrics[0].series.values[0] == (double)s + 1);
		}
		assert_non_null(strstr(buffer_text(&notes), "get #2"));
		result_release(&before);
		result_release(&after);
		buffer_release(&notes);
	}
}

/* A run without a time is in none of hyperfine's arrays. */
static void test_hyperfine_arrays_agree(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct result r, back;
	struct buffer out = {0};
	struct error err;
	result_init(&r);
	result_init(&back);
	struct subject *subject = result_add_subject(&r, "x");
	result_add_metric(&r, subject, "wall", "s", BETTER_LOWER, levels, 2);
	result_add_metric(&r, subject, "rss", "bytes", BETTER_LOWER, levels, 2);
	for (int run = 0; run < 3; run++) {
		assert_int_equal(series_append(&subject->metrics[0].series, 0, run == 1 ? NAN : run + 1, &err), 0);
		assert_int_equal(series_append(&subject->metrics[1].series, 0, 100 + run, &err), 0);
	}
	assert_int_equal(result_add_failure(&r, subject, (struct failure){"exit 5", 1, 5}), 0);
	assert_int_equal(result_add_failure(&r, subject, (struct failure){"exit 7", 2, 7}), 0);
	assert_int_equal(export_result(&r, "hyperfine", &out, NULL, &err), 0);
	import_text(&back, buffer_text(&out), NULL);
	assert_string_equal(series_text(series_of(&back, "x", "wall")), "[[1],[3]]");
	assert_string_equal(series_text(series_of(&back, "x", "rss")), "[[100],[102]]");
	assert_int_equal(back.subjects[0].failure_count, 1);
	assert_string_equal(back.subjects[0].failures[0].what, "exit 7");
	assert_int_equal(back.subjects[0].failures[0].run, 1);
	result_release(&r);
	result_release(&back);
	buffer_release(&out);
}

/* Of one subject that has values and three without: no metric, an empty one, lost values. */
static void test_subjects_without_values(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	for (const char *const *format = export_format_names(); *format; format++) {
		bool holds_all = strcmp(*format, "csv") == 0 || strcmp(*format, "json") == 0;
		struct result r, back;
		struct buffer out = {0}, notes = {0};
		struct error err;
		result_init(&r);
		result_init(&back);
		result_add_subject(&r, "never");
		result_add_metric(&r, result_add_subject(&r, "empty"), "wall", "s", BETTER_LOWER, levels, 2);
		struct measurement *lost = result_add_metric(&r, result_add_subject(&r, "lost"), "wall", "s", BETTER_LOWER,
		                                             levels, 2);
		assert_int_equal(series_append(&lost->series, 0, NAN, &err), 0);
		if (!holds_all) {
			assert_int_equal(export_result(&r, *format, &out, NULL, &err), -1);
			assert_int_equal(err.kind, ERROR_NO_DATA);
			buffer_clear(&out);
		}
		struct measurement *good = result_add_metric(&r, result_add_subject(&r, "good"), "wall", "s", BETTER_LOWER,
		                                             levels, 2);
		assert_int_equal(series_append(&good->series, 0, 1.5, &err), 0);
		assert_int_equal(export_result(&r, *format, &out, &notes, &err), 0);
		assert_true(holds_all == !strstr(buffer_text(&notes), "subject 'never' has no values and is left out"));
		assert_true(holds_all == !strstr(buffer_text(&notes), "'empty'"));
		assert_true(holds_all == !strstr(buffer_text(&notes), "'lost'"));
		assert_null(strstr(buffer_text(&notes), "'good'"));
		import_text(&back, buffer_text(&out), NULL);
		if (!holds_all) {
			assert_int_equal(back.subject_count, 1);
			assert_non_null(strstr(back.subjects[0].name, "good"));
			assert_true(back.subjects[0].metrics[0].series.values[0] == 1.5);
		}
		result_release(&r);
		result_release(&back);
		buffer_release(&out);
		buffer_release(&notes);
	}
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const formats[] = {"hyperfine", "gbench", "pyperf", "nonsense"};
	for (size_t i = 0; i < 4; i++) {
		struct result r;
		struct buffer out = {0};
		struct error err;
		result_init(&r);
		import_text(&r, "subject,unit,value\na,ops/s,1\n", NULL);
		assert_int_equal(export_result(&r, formats[i], &out, NULL, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_true(err.next[0]);
		result_release(&r);
		buffer_release(&out);
	}
	assert_string_equal(export_format_names()[0], "bmf");
}

/* A metric is what its unit says, whatever its name. */
static void test_units_count(void **state)
{
	(void)state;
	static const struct {
		const char *unit;
		double per_second;
	} rates[] = {{"ops/s", 31.5}, {"ops/ms", 31500}, {"ops/us", 31.5e6}, {"ops/ns", 31.5e9}, {"ops/min", 0.525}};
	struct result before, after;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		char text[100];
		snprintf(text, sizeof(text), "subject,metric,unit,value\nx,throughput,%s,31.5\n", rates[i].unit);
		round_trip(text, NULL, "bmf", &before, &after, NULL);
		assert_string_equal(after.subjects[0].metrics[0].metric.unit, "ops/s");
		assert_close(after.subjects[0].metrics[0].series.values[0], rates[i].per_second, 1e-15);
		result_release(&before);
		result_release(&after);
	}
	round_trip("subject,metric,unit,value\nx,wall,s,1\nx,cpu,%,50\n", NULL, "gbench", &before, &after, NULL);
	assert_string_equal(after.subjects[0].metrics[1].metric.name, "cpu");
	assert_string_equal(after.subjects[0].metrics[1].metric.unit, "");
	result_release(&before);
	result_release(&after);
}

static void test_times_without_seconds(void **state)
{
	(void)state;
	static const char *const formats[] = {"hyperfine", "gbench"};
	static const char *const texts[][2] = {
		{"name,wall\na,1\n", "'wall' has no unit"},
		{"subject,metric,unit,value\na,wall,ticks,1\na,cpu,s,1\n", "'wall' is in 'ticks'"}};
	for (size_t i = 0; i < 4; i++) {
		struct result r;
		struct buffer out = {0};
		struct error err;
		char message[1024];
		result_init(&r);
		import_text(&r, texts[i / 2][0], NULL);
		assert_int_equal(export_result(&r, formats[i % 2], &out, NULL, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		error_text(&err, message, sizeof(message));
		assert_non_null(strstr(message, texts[i / 2][1]));
		result_release(&r);
		buffer_release(&out);
	}
}

/* Random trees: what the formats with levels write is what they read. */
static void test_random_trees(void **state)
{
	(void)state;
	static const char *const formats[] = {"csv", "json", "jmh", "pyperf"};
	struct random random;
	random_seed(&random, 99);
	for (int round = 0; round < 200; round++) {
		struct result r, back;
		struct buffer out = {0};
		struct error err;
		const char *format = formats[round % 4];
		enum level levels[] = {LEVEL_MACHINE, LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
		unsigned first = round % 4 < 2 ? (unsigned)random_below(&random, 3) : 2, depth = 4 - first;
		result_init(&r);
		result_init(&back);
		for (int s = 0; s < 3; s++) {
			char name[16];
			snprintf(name, sizeof(name), "s%d", s);
			struct subject *subject = result_add_subject(&r, name);
			struct measurement *m = result_add_metric(&r, subject, "wall", "s", BETTER_LOWER, levels + first, depth);
			for (size_t i = 0, n = 1 + (size_t)random_below(&random, 40); i < n; i++)
				assert_int_equal(series_append(&m->series, (unsigned)random_below(&random, depth),
				                               exp(10 * random_normal(&random)), &err),
				                 0);
		}
		memcpy(r.design.levels, levels + first, depth * sizeof(*levels));
		r.design.level_count = depth;
		assert_int_equal(export_result(&r, format, &out, NULL, &err), 0);
		import_text(&back, buffer_text(&out), NULL);
		same_results(&r, &back, EVERYTHING & ~WITH_PROGRAMS);
		result_release(&r);
		result_release(&back);
		buffer_release(&out);
	}
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	for (const char *const *format = export_format_names(); *format; format++) {
		struct result r;
		result_init(&r);
		import_text(&r, "name,type,wall_s,cpu_s\nx y,a,1,2\nx y,a,1,2\nz,b,1,2\n", NULL);
		result_add_subject(&r, "never");
		for (long nth = 1;; nth++) {
			struct buffer out = {0}, notes = {0};
			struct error err = {0};
			mem_fail_at(nth);
			int status = export_result(&r, *format, &out, &notes, &err);
			int happened = mem_failed();
			mem_fail_at(0);
			buffer_release(&out);
			buffer_release(&notes);
			if (status != 0)
				assert_int_equal(err.kind, ERROR_MEMORY);
			if (!happened) {
				assert_int_equal(status, 0);
				break;
			}
		}
		result_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv_holds_everything),
		cmocka_unit_test(test_json_holds_everything),
		cmocka_unit_test(test_order_of_runs),
		cmocka_unit_test(test_gbench_rates),
		cmocka_unit_test(test_formats_with_runs),
		cmocka_unit_test(test_formats_with_values),
		cmocka_unit_test(test_formats_with_one_number),
		cmocka_unit_test(test_a_warmup_that_is_written_is_said),
		cmocka_unit_test(test_what_cannot_be_kept_is_said),
		cmocka_unit_test(test_subjects_of_one_name),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_names_that_become_one),
		cmocka_unit_test(test_hyperfine_arrays_agree),
		cmocka_unit_test(test_subjects_without_values),
		cmocka_unit_test(test_units_count),
		cmocka_unit_test(test_times_without_seconds),
		cmocka_unit_test(test_gbench_keys),
		cmocka_unit_test(test_random_trees),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/export", tests, NULL, NULL);
}
