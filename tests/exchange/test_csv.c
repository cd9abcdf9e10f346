/* Tables: roles, levels, pairs, units, and what is refused. */
#include "support/imports.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_levels_by_name(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "subject,build,run,iteration,value\n"
	            "a,1,1,1,10\na,1,1,2,11\na,1,2,1,12\na,2,1,1,13\na,2,1,2,14\n"
	            "b,1,1,1,20\n",
	            NULL);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[[10,11],[12]],[[13,14]]]");
	assert_string_equal(series_text(series_of(&r, "b", NULL)), "[[[20]]]");
	assert_int_equal(r.design.level_count, 3);
	assert_int_equal(r.design.levels[0], LEVEL_BUILD);
	assert_int_equal(r.design.levels[2], LEVEL_ITERATION);
	assert_string_equal(r.design.name, "imported");
	assert_false(r.design.paired);
	result_release(&r);
}

static void test_without_runs_every_row_is_one(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject;duration_ms\na;1\nb;2\na;3\n", NULL);
	assert_string_equal(series_text(series_of(&r, "a", "duration")), "[[0.001],[0.003]]");
	assert_string_equal(r.subjects[0].metrics[0].metric.unit, "s");
	result_release(&r);
}

static void test_iterations_that_start_again_begin_a_run(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "iteration,value\n1,5\n2,6\n1,7\n2,8\n3,9\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", NULL)), "[[5,6],[7,8,9]]");
	result_release(&r);
}

static void test_rows_in_any_order(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"machine\tbuild\trun\tsubject\tvalue\n"
		"m1\tx\t1\ta\t1\nm2\tx\t1\ta\t2\nm1\ty\t1\ta\t3\nm1\tx\t1\ta\t4\nm1\tx\t2\ta\t5\nm2\tx\t1\ta\t6\nm1\tx\t1\ta\t7\n",
		NULL);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[[[1,4,7],[5]],[[3]]],[[[2,6]]]]");
	result_release(&r);
}

/* The same rows shuffled: groups hold the same values whatever the order of arrival. */
static void test_shuffled_rows_agree_with_a_naive_grouping(void **state)
{
	(void)state;
	enum { MACHINES = 3, BUILDS = 2, RUNS = 7, ROWS = 4000 };
	struct random random;
	random_seed(&random, 7);
	for (int round = 0; round < 20; round++) {
		struct buffer text = {0}, expected[MACHINES][BUILDS][RUNS];
		int machine_order[MACHINES], build_order[MACHINES][BUILDS], run_order[MACHINES][BUILDS][RUNS];
		int machines = 0, builds[MACHINES] = {0}, runs[MACHINES][BUILDS] = {{0}};
		memset(expected, 0, sizeof(expected));
		buffer_text_add(&text, "machine,build,run,value\n");
		int m = 0, b = 0, k = 0;
		for (int i = 0; i < ROWS; i++) {
			/* Stretches of rows of one run, of random length; never a run twice in a row elsewhere. */
			if (i == 0 || random_below(&random, 1 + (uint64_t)round % 5) == 0) {
				m = (int)random_below(&random, MACHINES);
				b = (int)random_below(&random, BUILDS);
				k = (int)random_below(&random, RUNS);
			}
			buffer_printf(&text, "host%d,%d,%s%d,%d\n", m, b, round % 2 ? "r" : "", k, i);
			struct buffer *group = &expected[m][b][k];
			if (group->length == 0) {
				int seen = 0;
				for (int j = 0; j < machines; j++)
					seen |= machine_order[j] == m;
				if (!seen)
					machine_order[machines++] = m;
				seen = 0;
				for (int j = 0; j < builds[m]; j++)
					seen |= build_order[m][j] == b;
				if (!seen)
					build_order[m][builds[m]++] = b;
				run_order[m][b][runs[m][b]++] = k;
			}
			buffer_printf(group, "%s%d", group->length ? "," : "", i);
		}
		struct buffer all = {0};
		buffer_char(&all, '[');
		for (int x = 0; x < machines; x++) {
			int mm = machine_order[x];
			buffer_text_add(&all, x ? ",[" : "[");
			for (int y = 0; y < builds[mm]; y++) {
				int bb = build_order[mm][y];
				buffer_text_add(&all, y ? ",[" : "[");
				for (int z = 0; z < runs[mm][bb]; z++) {
					struct buffer *group = &expected[mm][bb][run_order[mm][bb][z]];
					buffer_printf(&all, "%s[%s]", z ? "," : "", buffer_text(group));
					buffer_release(group);
				}
				buffer_char(&all, ']');
			}
			buffer_char(&all, ']');
		}
		buffer_char(&all, ']');
		struct result r;
		result_init(&r);
		import_text(&r, buffer_text(&text), NULL);
		assert_string_equal(series_text(series_of(&r, "test", NULL)), buffer_text(&all));
		result_release(&r);
		buffer_release(&text);
		buffer_release(&all);
	}
}

static void test_subjects_in_any_order(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	/* One after the other, two in turns, a third, names that begin alike. */
	import_text(&r,
	            "subject,benchmark,value\n"
	            "a,x,1\na,x,2\nb,x,3\na,x,4\nb,x,5\nab,x,6\nb,x,7\na,x,8\nab,x,9\na,bx,10\na,x,11\nb,x,12\n",
	            NULL);
	assert_int_equal(r.subject_count, 4);
	assert_string_equal(series_text(series_of(&r, "x (a)", NULL)), "[[1],[2],[4],[8],[11]]");
	assert_string_equal(series_text(series_of(&r, "x (b)", NULL)), "[[3],[5],[7],[12]]");
	assert_string_equal(series_text(series_of(&r, "x (ab)", NULL)), "[[6],[9]]");
	assert_string_equal(series_text(series_of(&r, "bx (a)", NULL)), "[[10]]");
	result_release(&r);
}

static void test_pairs_by_key(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	/* Rows of B in another order, one pair without A, one value lost. */
	import_text(
		&r,
		"subject,pair,order,value\n"
		"A,p1,AB,1\nB,p3,AB,30\nB,p2,BA,20\nA,p2,BA,2\nA,p3,AB,\nB,p1,AB,10\nB,p9,AB,90\nA,p4,BA,4\nB,p4,BA,40\n",
		NULL);
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "A", NULL)), "[[1],[2],[null],[4]]");
	assert_string_equal(series_text(series_of(&r, "B", NULL)), "[[10],[20],[null],[40]]");
	assert_int_equal(r.design.order_count, 4);
	assert_string_equal(r.design.order[0], "AB");
	assert_string_equal(r.design.order[1], "BA");
	assert_string_equal(r.design.order[3], "BA");
	assert_true(has_warning(&r, "partnerless", "1 value "));
	assert_true(has_warning(&r, "missing", "1 value "));
	result_release(&r);
}

static void test_pairs_in_runs(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	/* Pair numbers that begin anew in each run belong to the run. */
	import_text(&r,
	            "subject,run,pair,value\n"
	            "A,1,1,1\nB,1,1,10\nA,1,2,2\nB,1,2,20\nA,2,1,3\nB,2,1,30\nB,2,2,40\nA,2,2,4\n",
	            NULL);
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "A", NULL)), "[[1,2],[3,4]]");
	assert_string_equal(series_text(series_of(&r, "B", NULL)), "[[10,20],[30,40]]");
	result_release(&r);
	/* Processes with numbers of their own: the pair alone counts, grouped as the first subject. */
	result_init(&r);
	import_text(&r,
	            "subject,run,pair,value\n"
	            "A,1,7,1\nA,1,8,2\nA,3,9,3\nB,2,7,10\nB,2,8,20\nB,4,9,30\n",
	            NULL);
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "B", NULL)), "[[10,20],[30]]");
	result_release(&r);
}

static void test_pairs_of_each_benchmark(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "benchmark,version,pair,value\n"
	            "fib,2,1,10\nfib,1,1,1\nfib,1,2,2\nfib,2,2,20\n"
	            "sort,1,1,3\nsort,2,1,30\n",
	            NULL);
	assert_true(r.design.paired);
	assert_int_equal(r.subject_count, 4);
	assert_string_equal(r.subjects[0].name, "fib (1)");
	assert_string_equal(r.subjects[0].benchmark, "fib");
	assert_string_equal(r.subjects[0].program, "1");
	assert_string_equal(r.subjects[1].name, "fib (2)");
	assert_string_equal(r.subjects[3].name, "sort (2)");
	assert_string_equal(series_text(series_of(&r, "fib (2)", NULL)), "[[10],[20]]");
	result_release(&r);
	/* As tare bench --vary has them: partners by their benchmark alone. */
	result_init(&r);
	import_text(&r,
	            "subject,benchmark,program,parameter:how,pair,value\n"
	            "short f,f,p,short,1,1\nlong f,f,p,long,1,2\n",
	            NULL);
	assert_true(r.design.paired);
	result_release(&r);
}

/* Each set of pairs has its own order; the longest is the design's. */
static void test_orders_of_two_metrics(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "subject,metric,pair,order,value\nA,u,1,BA,1\nB,u,1,BA,1\n"
	            "A,v,1,BA,1\nB,v,1,BA,1\nA,v,2,AB,2\nB,v,2,AB,2\n",
	            NULL);
	assert_int_equal(r.design.order_count, 2);
	assert_string_equal(r.design.order[0], "BA");
	assert_string_equal(r.design.order[1], "AB");
	assert_int_equal(r.warning_count, 0);
	result_release(&r);
	result_init(&r);
	import_text(&r, "subject,metric,pair,order,value\nA,u,1,BA,1\nB,u,1,BA,1\nA,v,1,AB,1\nB,v,1,AB,1\n", NULL);
	assert_true(r.design.paired);
	assert_int_equal(r.warning_count, 0);
	for (size_t s = 0; s < 2; s++)
		for (size_t m = 0; m < 2; m++) {
			const struct measurement *metric = &r.subjects[s].metrics[m];
			assert_int_equal(metric->order_count, 1);
			assert_string_equal(metric->order[0], strcmp(metric->metric.name, "u") == 0 ? "BA" : "AB");
		}
	result_release(&r);
}

static void test_no_pair_in_common(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject,pair,value\nA,1,1\nA,2,2\nB,3,3\n", NULL);
	assert_false(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "A", NULL)), "[[1],[2]]");
	assert_true(has_warning(&r, "pairs", "not paired"));
	result_release(&r);
	result_init(&r);
	import_text(&r, "pair,value\n1,1\n2,2\n", NULL);
	assert_false(r.design.paired);
	assert_true(has_warning(&r, "pairs", "one side"));
	result_release(&r);
}

static void test_columns_for_two_sides(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "seq,machine_A,machine_B,cold_A,cold_B,received_A,resp_A_ms,resp_B_ms,wall_A_ms,wall_B_ms\n"
	            "0,m0,m0,1,0,2024,9,9,9,9\n"
	            "1,m0,m0,0,0,2024,1,2,3,4\n"
	            "2,m1,m1,0,0,2024,5,6,7,8\n"
	            "3,m0,m0,0,0,2024,11,12,,\n",
	            NULL);
	assert_true(r.design.paired);
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(series_text(series_of(&r, "A", "resp")), "[[0.001],[0.005],[0.011]]");
	assert_string_equal(series_text(series_of(&r, "B", "resp")), "[[0.002],[0.006],[0.012]]");
	assert_string_equal(series_text(series_of(&r, "B", "wall")), "[[0.004],[0.008]]");
	assert_true(has_warning(&r, "skipped", "1 row "));
	assert_true(has_warning(&r, "unmapped", "received_A"));
	result_release(&r);
	/* Lists in a cell are iterations of the row; a row of one side has no pair. */
	result_init(&r);
	import_text(&r, "mode,f1_ms,f2_ms\nA,1;2,3;4\nB,5,\nC,,6\nA,7;8,9;10\n", "machine=");
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "f1", NULL)), "[[0.001,0.002],[0.007,0.008]]");
	assert_string_equal(series_text(series_of(&r, "f2", NULL)), "[[0.003,0.004],[0.009,0.01]]");
	assert_true(has_warning(&r, "partnerless", "2 values"));
	result_release(&r);
}

static void test_columns_option(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"R-S-I,Function,Version,sec/op,B/op\n"
		"1-1-1,f,2,0.5,10\n1-1-2,f,2,0.6,11\n1-2-1,f,2,0.7,12\n1-1-1,f,1,0.1,20\n1-1-2,f,1,0.2,21\n1-2-1,f,1,0.3,22\n",
		"benchmark=Function,program=Version,run=R-S,iteration=I,pair=R-S-I,value=sec/op,value=B/op");
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "f (1)", "sec/op")), "[[0.1,0.2],[0.3]]");
	assert_string_equal(series_text(series_of(&r, "f (2)", "B/op")), "[[10,11],[12]]");
	assert_string_equal(r.subjects[0].metrics[1].metric.unit, "bytes");
	result_release(&r);
	/* By number, without a header. */
	result_init(&r);
	import_text(&r, "a,1,0.5\na,2,0.6\nb,1,0.7\n", "subject=1,run=2,value=3");
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[0.5],[0.6]]");
	result_release(&r);
	/* Parameters tell subjects apart. */
	result_init(&r);
	import_text(&r, "name,cores,time\nx,1,5\nx,2,6\n", "parameter=cores");
	assert_int_equal(r.subject_count, 2);
	assert_string_equal(r.subjects[1].parameters[0].name, "cores");
	assert_string_equal(r.subjects[1].parameters[0].value, "2");
	result_release(&r);
}

static void test_units_and_metrics(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "benchmark,criterion,unit,value\n"
	            "x,total,ms,1500\nx,total,s,2\nx,mem,MB,3\nx,rate,req/s,7\n",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "x", "total")), "[[1.5],[2]]");
	assert_string_equal(series_text(series_of(&r, "x", "mem")), "[[3000000]]");
	const struct subject *x = result_find_subject(&r, "x");
	assert_string_equal(subject_find_metric(x, "rate")->metric.unit, "req/s");
	assert_int_equal(subject_find_metric(x, "rate")->metric.better, BETTER_HIGHER);
	assert_int_equal(subject_find_metric(x, "total")->metric.better, BETTER_LOWER);
	result_release(&r);
	result_init(&r);
	import_text(&r, "name,time_us,rate_MB/s,duration,unit\na,5,100,7,ms\n", NULL);
	assert_string_equal(series_text(series_of(&r, "a", "time")), "[[5e-06]]");
	assert_string_equal(series_text(series_of(&r, "a", "rate")), "[[100000000]]");
	assert_string_equal(subject_find_metric(&r.subjects[0], "rate")->metric.unit, "bytes/s");
	assert_string_equal(series_text(series_of(&r, "a", "duration")), "[[0.007]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "name,time_us,kind\na,5,ms\n", "unit=kind");
	assert_string_equal(series_text(series_of(&r, "a", "time")), "[[0.005]]");
	result_release(&r);
}

static void test_rebench(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r,
	            "commit,exe,suite,benchmark,cores,inputsize,extraargs,invocation,iteration,criterion,unit,value\n"
	            "c1,som,macro,NBody,1,,500,1,1,total,ms,158\nc1,som,macro,NBody,1,,500,1,2,total,ms,93\n"
	            "c1,som,macro,NBody,1,,500,2,1,total,ms,160\nc2,som,macro,NBody,1,,500,1,1,total,ms,150\n",
	            NULL);
	assert_string_equal(series_text(series_of(&r, "NBody (som c1)", "total")), "[[0.158,0.093],[0.16]]");
	assert_string_equal(series_text(series_of(&r, "NBody (som c2)", "total")), "[[0.15]]");
	assert_int_equal(r.subjects[0].parameter_count, 3);
	assert_int_equal(r.warning_count, 0);
	result_release(&r);
}

static void test_criterion_raw(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n"
		"Fibonacci,Iterative,,,,915000,ns,100\nFibonacci,Iterative,,,,1964000,ns,200\nsort,std,4096,,,3000,ns,2\n",
		NULL);
	assert_string_equal(series_text(series_of(&r, "Fibonacci/Iterative", "time")), "[[9.15e-06,9.82e-06]]");
	assert_string_equal(series_text(series_of(&r, "sort/std/4096", "time")), "[[1.5e-06]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "group,function,value,sample_time_nanos,iteration_count\nF,I,,915000,100\n", NULL);
	assert_string_equal(series_text(series_of(&r, "F/I", "time")), "[[9.15e-06]]");
	result_release(&r);
}

static void test_quotes_and_strange_names(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"subject,value\r\n"
		"\"a, \"\"quoted\"\"\",1\r\n\"two\nlines\",2\r\n\x01\xff,3\r\n# a comment\r\n\r\n5\" disk,4\r\n\"a, \"\"quoted\"\"\",5\r\n",
		NULL);
	assert_int_equal(r.subject_count, 4);
	assert_string_equal(series_text(series_of(&r, "a, \"quoted\"", NULL)), "[[1],[5]]");
	assert_string_equal(series_text(series_of(&r, "two\nlines", NULL)), "[[2]]");
	assert_string_equal(series_text(series_of(&r, "\x01\xff", NULL)), "[[3]]");
	assert_string_equal(series_text(series_of(&r, "5\" disk", NULL)), "[[4]]");
	result_release(&r);
}

/* Blanks in quotes belong to a name, and to nothing else. */
static void test_blanks(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"\"subject \",iteration,\" duration_ms\"\n"
		"a,1,1\n\"a \",1,2\n\" a\",1,3\n \"a\" ,\" 2\",\" 4 \"\n a ,3, 5\t\n\"a\tb\t\",1,6\n\"a\" b ,1,7\n\"a \",2,\" \"\n",
		NULL);
	assert_int_equal(r.subject_count, 5);
	assert_string_equal(series_text(series_of(&r, "a", "duration")), "[[0.001,0.004,0.005]]");
	assert_string_equal(series_text(series_of(&r, "a ", "duration")), "[[0.002]]");
	assert_string_equal(series_text(series_of(&r, " a", "duration")), "[[0.003]]");
	assert_string_equal(series_text(series_of(&r, "a\tb\t", "duration")), "[[0.006]]");
	assert_string_equal(series_text(series_of(&r, "a b", "duration")), "[[0.007]]");
	result_release(&r);
	result_init(&r);
	import_text(
		&r,
		"subject,iteration,value,unit,better,iswarmup\na,1,9,\" MB/s\",\"higher \",\"true \"\na,2,5,\"MB/s \",\" higher\",\" \"\n",
		NULL);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[5000000]]");
	assert_int_equal(r.subjects[0].metrics[0].metric.better, BETTER_HIGHER);
	result_release(&r);
}

/* A cell that says nothing leaves the direction to the unit. */
static void test_direction(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject,value,unit,better\na,1,ops/s,\nb,1,ms,\nc,1,points,Higher\nc,2,points,\nd,1,ops/s,LOWER\n",
	            NULL);
	static const enum better expected[] = {BETTER_HIGHER, BETTER_LOWER, BETTER_HIGHER, BETTER_LOWER};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r.subjects[i].metrics[0].metric.better, expected[i]);
	result_release(&r);
}

static void test_order_of_subjects(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject,value\nB,1\nA,2\n", NULL);
	assert_string_equal(r.subjects[0].name, "A");
	result_release(&r);
	result_init(&r);
	import_text(&r, "subject,value\nold,1\nnew,2\n", NULL);
	assert_string_equal(r.subjects[0].name, "old");
	result_release(&r);
}

static void test_decimal_commas(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject;value\na;1,5\na;2\nb;-0,25\nb;1e-3\n", NULL);
	assert_string_equal(series_text(series_of(&r, "a", NULL)), "[[1.5],[2]]");
	assert_string_equal(series_text(series_of(&r, "b", NULL)), "[[-0.25],[0.001]]");
	result_release(&r);
	/* Whether 12,345 are thousands no other value may show: then it is said how it was read. */
	static const struct {
		const char *text, *series;
		bool unclear;
	} tables[] = {
		{"subject;value\na;7\na;12,345\na;-1,234\n", "[[7],[12.345],[-1.234]]", true},
		{"subject\tvalue\na\t12,345\na\t12,346\n", "[[12.345],[12.346]]", true},
		{"a;b\n12,345;1\n12,346;2\n", "[[12.345],[12.346]]", true},
		{"subject;value\na;12,345\na;12,34\n", "[[12.345],[12.34]]", false},
		{"subject;value\na;12,345\na;0,345\n", "[[12.345],[0.345]]", false},
		{"subject;value\na;12,345\na;1234,567\n", "[[12.345],[1234.567]]", false},
		{"subject;value\na;12.345\na;12.346\n", "[[12.345],[12.346]]", false},
	};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		bool said = false;
		result_init(&r);
		import_text(&r, tables[i].text, NULL);
		assert_string_equal(series_text(series_of(&r, "a", NULL)), tables[i].series);
		for (size_t w = 0; w < r.warning_count; w++)
			said |= strcmp(r.warnings[w].code, "comma") == 0;
		assert_int_equal(said, tables[i].unclear);
		result_release(&r);
	}
}

/* A column for each subject, of any length; rows are no pairs. */
static void test_wide_tables(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "old,new\n1.5,2\n1.6,3\n1.7,\n", NULL);
	assert_false(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "old", NULL)), "[[1.5],[1.6],[1.7]]");
	assert_string_equal(series_text(series_of(&r, "new", NULL)), "[[2],[3]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "old;new\n1,5;2\n1,6;3,5\n", NULL);
	assert_string_equal(series_text(series_of(&r, "new", NULL)), "[[2],[3.5]]");
	result_release(&r);
	assert_refused("time,metric1\n1609466400,15\n", NULL, ERROR_INPUT, 1, 0, "no column is known");
}

/* A column that is left over holds the values, where it has numbers; of two that are called alike the option says which. */
static void test_columns_without_a_known_name(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "run,cycles\n1,18446744073709551615\n2,5\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", "cycles")), "[[1.8446744073709552e+19],[5]]");
	result_release(&r);
	result_init(&r);
	import_text(&r, "time,time\n1,2\n2,3\n", "value=2");
	assert_string_equal(series_text(series_of(&r, "test", "time")), "[[2],[3]]");
	result_release(&r);
}

/* Rows of one iteration are its invocations; the run is the level above. */
static void test_invocations(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "run,iteration,invocation,value\n1,1,1,5\n1,1,2,6\n1,2,1,7\n2,1,1,8\n2,1,2,9\n", NULL);
	assert_string_equal(series_text(series_of(&r, "test", NULL)), "[[[5,6],[7]],[[8,9]]]");
	assert_int_equal(r.subjects[0].metrics[0].series.levels[0], LEVEL_RUN);
	assert_int_equal(r.subjects[0].metrics[0].series.levels[2], LEVEL_INVOCATION);
	result_release(&r);
}

/* A key spelled out in its header, and sides that are called pair. */
static void test_pairs_by_default(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "R-S-I,Benchmark,Version,sec/op\n1-1-1,f,2,0.5\n1-1-2,f,2,0.6\n1-1-1,f,1,0.1\n1-1-2,f,1,0.2\n",
	            NULL);
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "f (1)", "sec/op")), "[[0.1,0.2]]");
	result_release(&r);
	result_init(&r);
	import_text(
		&r, "benchmark,runid,iteration,pair,iteration_time_ns\nf,1,0,B,5\nf,1,1,B,6\nf,1,0,A,7\nf,1,1,A,8\nf,1,2,A,9\n",
		NULL);
	assert_true(r.design.paired);
	assert_string_equal(series_text(series_of(&r, "f (A)", "iteration_time")), "[[7e-09,8e-09]]");
	result_release(&r);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused("subject,value\na,1\na\n", NULL, ERROR_INPUT, 3, 2, "1 cell where the header has 2");
	assert_refused("subject,value\na,1\na,2,3\n", NULL, ERROR_INPUT, 3, 5, "3 cells where the header has 2");
	assert_refused("subject,value\na,1\na,twelve\n", NULL, ERROR_INPUT, 3, 3, "'twelve' is not a number");
	assert_refused("subject,value\na,\"1,5\"\n", NULL, ERROR_INPUT, 2, 0, "decimal comma");
	assert_refused("subject;value\na;1,5,6\n", NULL, ERROR_INPUT, 2, 3, "is not a number");
	assert_refused("subject,unit,value\na,ms,1\na,MB,1\n", NULL, ERROR_INPUT, 3, 3,
	               "unit 'MB' where the same subject had 'ms'");
	assert_refused("subject,value\n", NULL, ERROR_NO_DATA, 0, 0, "no values");
	assert_refused("subject,value\na,\na,NA\n", NULL, ERROR_NO_DATA, 0, 0, "no values");
	assert_refused("cold,value\n1,5\n", NULL, ERROR_NO_DATA, 0, 0, "every row is left out");
	assert_refused("commit,metric1\naaa,1\n", NULL, ERROR_INPUT, 1, 0, "no column is known to hold the values");
	assert_refused("1,5\n2,7\n", NULL, ERROR_INPUT, 1, 0, "decimal");
	assert_refused("time,time\n1,2\n", NULL, ERROR_INPUT, 1, 0, "two columns are called 'time'");
	assert_refused("subject,value,value\na,1,2\n", NULL, ERROR_INPUT, 1, 0, "two columns are called 'value'");
	assert_refused("wall_ms,wall_ms\n5,6\n", NULL, ERROR_INPUT, 1, 0, "two columns are called 'wall_ms'");
	assert_refused("run,wall_ms,wall_ms\n1,5,6\n", NULL, ERROR_INPUT, 1, 0, "two columns are called 'wall_ms'");
	assert_refused("subject,value,better\na,1,up\n", NULL, ERROR_INPUT, 2, 5, "'up' is neither 'higher' nor 'lower'");
	assert_refused("subject,value,better\na,1,higher\na,1,\na,2,Lower\n", NULL, ERROR_INPUT, 4, 5,
	               "'Lower' where the same subject had the other direction before");
	assert_refused("run,iteration,value\n1,nan,5\n", NULL, ERROR_INPUT, 2, 3, "is not the number of an iteration");
	assert_refused("subject,value\na,12ms\n", NULL, ERROR_INPUT, 2, 3, "'12ms' is not only a number");
	assert_refused("subject,value\na,\"1,234.5\"\n", NULL, ERROR_INPUT, 2, 0, "separators between thousands");
	assert_refused("run,seed\n1,5\n", NULL, ERROR_INPUT, 1, 0, "no column is known to hold the values");
	assert_refused("subject,value\n\"a,1\nb,2\n", NULL, ERROR_INPUT, 2, 1, "never closed");
	assert_refused("subject,value\n\"a\"\"b\",\"1\nb,2\n", NULL, ERROR_INPUT, 2, 8, "never closed");
	imports_assert_refused("subject,value\na,1\n\0,2\n", 21, "value=value", ERROR_INPUT, 0, 0, "binary", __FILE__,
	                       __LINE__);
	assert_refused("subject,time_ms\nA,1\nB,-2\n", NULL, ERROR_INPUT, 3, 3, "'-2' is a negative time");
	assert_refused("subject,pair,value\nA,7,1\nA,7,2\nB,7,3\n", NULL, ERROR_INPUT, 0, 0, "'7' occurs twice");
	assert_refused("subject,pair,value\nA,x-y,1\nA,x-y,2\nB,x-y,3\n", NULL, ERROR_INPUT, 0, 0, "'x-y' occurs twice");
	assert_refused("subject,iteration,value\nA,x,1\n", NULL, ERROR_INPUT, 2, 3, "iteration");
	assert_refused("subject,value\na,1\n", "value=time", ERROR_USAGE, 0, 0, "no column 'time'");
	assert_refused("subject,value\na,1\n", "color=value", ERROR_USAGE, 0, 0, "ROLE=COLUMN");
	assert_refused("subject,value\na,1\n", "value=7", ERROR_USAGE, 0, 0, "no column '7'");
}

static void test_out_of_memory_unwinds(void **state)
{
	(void)state;
	const char text[] =
		"subject,machine,run,pair,unit,value\nA,m,1,p1,ms,1\nB,m,1,p1,ms,2\nA,m,2,p2,ms,3\nB,m,2,p2,ms,4\n"
		"A,m,1,p3,ms,5\nB,m,1,p3,ms,6\n\"A\",n,1,p4,ms,6\nB,n,1,p4,ms,6\n";
	for (long nth = 1;; nth++) {
		struct result r;
		struct error err = {0};
		result_init(&r);
		mem_fail_at(nth);
		int status = import_memory(text, strlen(text), "test", NULL, &r, &err);
		int happened = mem_failed();
		mem_fail_at(0);
		if (status != 0) {
			assert_int_equal(err.kind, ERROR_MEMORY);
			assert_int_equal(r.subject_count, 0);
		}
		result_release(&r);
		if (!happened) {
			assert_int_equal(status, 0);
			assert_true(nth > 20);
			return;
		}
	}
}

/* A column that says of each row whether it is warm-up; a number of warm-up iterations does not. */
static void test_warmup_column(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "iteration,warmup,time_ms\n1,True,50\n2,False,5\n3,False,6\n", NULL);
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[0.005,0.006]]");
	assert_true(has_warning(&r, "skipped", "1 row marked as cold or warm-up left out"));
	result_release(&r);
	result_init(&r);
	import_text(&r, "iteration,warmup,time_ms\n1,1,50\n2,1,5\n", NULL);
	assert_string_equal(series_text(&r.subjects[0].metrics[0].series), "[[0.05,0.005]]");
	result_release(&r);
}

/* JMH's CSV: modes are metrics, and parameters tell subjects apart. */
/* The unit of a rate that is spelled out is no time: a loss of throughput must not read as a gain. */
static void test_rates_in_words(void **state)
{
	(void)state;
	static const struct {
		const char *column, *metric, *unit;
		double value; /* of 3 */
		enum better better;
	} rates[] = {
		{"requests_per_second", "requests_per_second", "requests/s", 3, BETTER_HIGHER},
		{"ops_per_sec", "ops_per_sec", "ops/s", 3, BETTER_HIGHER},
		{"requests_per_s", "requests_per_s", "requests/s", 3, BETTER_HIGHER},
		{"requests per second", "requests per second", "requests/s", 3, BETTER_HIGHER},
		{"items_per_second", "items_per_second", "items/s", 3, BETTER_HIGHER},
		{"bytes_per_second", "bytes_per_second", "bytes/s", 3, BETTER_HIGHER},
		{"mb_per_s", "mb_per_s", "bytes/s", 3e6, BETTER_HIGHER},
		{"read_MB_s", "read_MB_s", "bytes/s", 3e6, BETTER_HIGHER},
		{"frames_per_ms", "frames_per_ms", "frames/ms", 3, BETTER_HIGHER},
		{"jobs_per_min", "jobs_per_min", "jobs/min", 3, BETTER_HIGHER},
		{"jobs_per_hour", "jobs_per_hour", "jobs/h", 3, BETTER_HIGHER},
		{"bandwidth_GBps", "bandwidth", "bytes/s", 3e9, BETTER_HIGHER},
		{"net_Mbps", "net", "Mbps", 3, BETTER_HIGHER},
		{"averyveryverylongwordfortransactions_per_second", "averyveryverylongwordfortransactions_per_second", "1/s", 3,
	     BETTER_HIGHER},
		{"transmissions_per_second", "transmissions_per_second", "transmissions/s", 3, BETTER_HIGHER},
		{"failed_requests_per_second", "failed_requests_per_second", "requests/s", 3, BETTER_LOWER},
		{"cycles_per_byte", "cycles_per_byte", "cycles/byte", 3, BETTER_LOWER},
		{"percentile_s", "percentile", "s", 3, BETTER_LOWER},
		{"upper_ms", "upper", "s", 0.003, BETTER_LOWER},
	};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		char text[128];
		struct result r;
		result_init(&r);
		snprintf(text, sizeof(text), "name,%s\nx,3\n", rates[i].column);
		import_text(&r, text, NULL);
		const struct measurement *m = subject_find_metric(&r.subjects[0], rates[i].metric);
		assert_non_null(m);
		assert_string_equal(m->metric.unit, rates[i].unit);
		assert_int_equal(m->metric.better, rates[i].better);
		assert_true(fabs(m->series.values[0] / rates[i].value - 1) < 1e-12);
		result_release(&r);
	}
	/* The same in a column of metrics, and for the two sides of a pair. */
	struct result r;
	result_init(&r);
	import_text(&r, "name,metric,value\nx,frames_per_s,3\nx,net_Mbps,3\nx,frames_ms,3\n", NULL);
	assert_int_equal(subject_find_metric(&r.subjects[0], "frames_per_s")->metric.better, BETTER_HIGHER);
	assert_int_equal(subject_find_metric(&r.subjects[0], "net_Mbps")->metric.better, BETTER_HIGHER);
	assert_int_equal(subject_find_metric(&r.subjects[0], "frames_ms")->metric.better, BETTER_LOWER);
	result_release(&r);
	result_init(&r);
	import_text(&r, "old_rps,new_rps\n5,4\n5,4\n", NULL);
	assert_int_equal(r.subject_count, 2);
	assert_int_equal(subject_find_metric(&r.subjects[1], "rps")->metric.better, BETTER_HIGHER);
	result_release(&r);
}

static void test_jmh_table(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(
		&r,
		"\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\",\"Score Error (99.9%)\",\"Unit\",\"Param: size\"\n"
		"\"a.B.c\",\"thrpt\",1,25,120.5,1.5,\"ops/s\",10\n\"a.B.c\",\"thrpt\",1,25,30.5,1.5,\"ops/s\",100\n"
		"\"a.B.c\",\"avgt\",1,25,0.5,NaN,\"us/op\",10\n\"a.B.c\",\"avgt\",4,25,2,NaN,\"us/op\",10\n",
		NULL);
	assert_int_equal(r.subject_count, 3);
	assert_string_equal(r.subjects[0].name, "a.B.c");
	assert_int_equal(r.subjects[0].metric_count, 2);
	const struct measurement *throughput = subject_find_metric(&r.subjects[0], "thrpt");
	assert_int_equal(throughput->metric.better, BETTER_HIGHER);
	assert_string_equal(series_text(&throughput->series), "[[120.5]]");
	assert_string_equal(series_text(&subject_find_metric(&r.subjects[0], "avgt")->series), "[[5e-07]]");
	assert_string_equal(r.subjects[1].parameters[1].name, "size");
	assert_string_equal(r.subjects[1].parameters[1].value, "100");
	assert_string_equal(r.subjects[2].parameters[0].value, "4");
	result_release(&r);
}

/* A failed run is its subject's own, also where the subject has no value at all; with a row for each metric it counts
 * once. */
static void test_exit_codes(void **state)
{
	(void)state;
	struct result r;
	result_init(&r);
	import_text(&r, "subject,wall_ms,exit\na,1,0\na,2,0\nb,,3\nb,,3\nc,5,0\nc,6,4\n", NULL);
	assert_int_equal(r.subject_count, 3);
	assert_int_equal(result_find_subject(&r, "a")->failure_count, 0);
	const struct subject *b = result_find_subject(&r, "b"), *c = result_find_subject(&r, "c");
	assert_int_equal(b->failure_count, 2);
	assert_int_equal(b->failures[1].exit_code, 3);
	assert_int_equal(b->metric_count, 0);
	assert_int_equal(c->failure_count, 1);
	assert_string_equal(c->failures[0].what, "exit 4");
	result_release(&r);
	result_init(&r);
	import_text(&r, "subject,metric,value,exit\na,wall,1,0\na,cpu,1,0\na,wall,,2\na,cpu,,2\nb,wall,,1\nb,cpu,,1\n",
	            NULL);
	assert_int_equal(result_find_subject(&r, "a")->failure_count, 1);
	assert_int_equal(result_find_subject(&r, "b")->failure_count, 1);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_warmup_column),
		cmocka_unit_test(test_exit_codes),
		cmocka_unit_test(test_rates_in_words),
		cmocka_unit_test(test_jmh_table),
		cmocka_unit_test(test_levels_by_name),
		cmocka_unit_test(test_without_runs_every_row_is_one),
		cmocka_unit_test(test_iterations_that_start_again_begin_a_run),
		cmocka_unit_test(test_rows_in_any_order),
		cmocka_unit_test(test_shuffled_rows_agree_with_a_naive_grouping),
		cmocka_unit_test(test_subjects_in_any_order),
		cmocka_unit_test(test_pairs_by_key),
		cmocka_unit_test(test_pairs_in_runs),
		cmocka_unit_test(test_pairs_of_each_benchmark),
		cmocka_unit_test(test_orders_of_two_metrics),
		cmocka_unit_test(test_no_pair_in_common),
		cmocka_unit_test(test_columns_for_two_sides),
		cmocka_unit_test(test_columns_option),
		cmocka_unit_test(test_units_and_metrics),
		cmocka_unit_test(test_rebench),
		cmocka_unit_test(test_criterion_raw),
		cmocka_unit_test(test_quotes_and_strange_names),
		cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_order_of_subjects),
		cmocka_unit_test(test_decimal_commas),
		cmocka_unit_test(test_wide_tables),
		cmocka_unit_test(test_columns_without_a_known_name),
		cmocka_unit_test(test_invocations),
		cmocka_unit_test(test_pairs_by_default),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_out_of_memory_unwinds),
	};
	return cmocka_run_group_tests_name("exchange/csv", tests, NULL, NULL);
}
