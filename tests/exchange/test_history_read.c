#include "exchange/history_read.h"

#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 20 };

static struct {
	struct history_record record;
	char commit[40], machine[40], subject[80], metric[40], unit[40];
} seen[MOST];
static size_t count;

static int keep(void *context, const struct history_record *record, struct error *err)
{
	(void)context;
	(void)err;
	assert_true(count < MOST);
	seen[count].record = *record;
	snprintf(seen[count].commit, 40, "%s", record->commit);
	snprintf(seen[count].machine, 40, "%s", record->machine);
	snprintf(seen[count].subject, 80, "%s", record->subject);
	snprintf(seen[count].metric, 40, "%s", record->metric);
	snprintf(seen[count].unit, 40, "%s", record->unit);
	count++;
	return 0;
}

static int read_text(const char *text, const struct import_options *options, struct error *err)
{
	static const struct import_options none;
	char path[] = "/tmp/tare-history-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	count = 0;
	int status = history_read(path, options ? options : &none, keep, NULL, err);
	unlink(path);
	return status;
}

static void test_roles_by_name(void **state)
{
	(void)state;
	struct error err;
	assert_int_equal(read_text("time,commit,metric1,metric2\n2024.01.01 3:00:00 +0100,aaa0,154023,10.43\n"
	                           "2024.01.02 3:00:00 +0100,aaa1,138455,\n",
	                           NULL, &err),
	                 0);
	assert_int_equal(count, 3);
	assert_true(seen[0].record.timed && seen[0].record.when == INT64_C(1704074400000));
	assert_string_equal(seen[0].subject, "metric1");
	assert_string_equal(seen[1].metric, "metric2");
	assert_true(seen[1].record.value == 10.43);
	assert_string_equal(seen[2].commit, "aaa1");
	assert_int_equal(
		read_text("benchmark,timestamp_utc,ruby_rev,mean_ms,machine\nx,2022-10-05-110355,139e,2631.5,arm\n", NULL,
	              &err),
		0);
	assert_int_equal(count, 1);
	assert_string_equal(seen[0].subject, "x");
	assert_string_equal(seen[0].metric, "mean");
	assert_string_equal(seen[0].unit, "s");
	assert_string_equal(seen[0].machine, "arm");
	assert_true(fabs(seen[0].record.value - 2.6315) < 1e-12);
	assert_int_equal(seen[0].record.better, BETTER_LOWER);
}

/* A column that says which values are better goes before the unit, and an option before it. */
static void test_direction(void **state)
{
	(void)state;
	static const char text[] =
		"commit,subject,value,unit,better\na,x,1,points,Higher\na,y,2,ops/s,\na,z,3,ops/s,lower\n";
	struct import_options lower = {.better = IMPORT_BETTER_LOWER};
	struct error err;
	assert_int_equal(read_text(text, NULL, &err), 0);
	assert_int_equal(count, 3);
	assert_int_equal(seen[0].record.better, BETTER_HIGHER);
	assert_int_equal(seen[1].record.better, BETTER_HIGHER);
	assert_int_equal(seen[2].record.better, BETTER_LOWER);
	assert_int_equal(read_text(text, &lower, &err), 0);
	assert_int_equal(seen[0].record.better, BETTER_LOWER);
}

/* Without a time, the rows of each subject are numbered. */
static void test_numbers(void **state)
{
	(void)state;
	struct error err;
	struct import_options options = {.columns = "value=med,low=min,high=3,subject=type", .unit = "%"};
	assert_int_equal(read_text(";type;max;min;med\n0;a;3;1;2\n1;b;4;2;3\n2;a;5;3;4\n", &options, &err), 0);
	assert_int_equal(count, 3);
	assert_false(seen[0].record.timed);
	assert_true(seen[0].record.when == 0 && seen[1].record.when == 0 && seen[2].record.when == 1);
	assert_true(seen[2].record.low == 3 && seen[2].record.high == 5 && seen[2].record.value == 4);
	assert_string_equal(seen[2].unit, "%");
	assert_int_equal(read_text("index,throughput\n0,5\n1,6\n", NULL, &err), 0);
	assert_int_equal(count, 2);
	assert_int_equal(seen[0].record.better, BETTER_HIGHER);
	options = (struct import_options){.better = IMPORT_BETTER_LOWER};
	assert_int_equal(read_text("index,throughput\n0,5\n1,6\n", &options, &err), 0);
	assert_int_equal(seen[0].record.better, BETTER_LOWER);
}

static enum better better_of(const char *header)
{
	struct error err;
	char text[200];
	snprintf(text, sizeof(text), "%s\n5\n", header);
	assert_int_equal(read_text(text, NULL, &err), 0);
	assert_int_equal(count, 1);
	return seen[0].record.better;
}

/* A time is better when it is lower, whatever it is called; a rate is called so by a whole word. */
static void test_directions(void **state)
{
	(void)state;
	static const char *const lower[] = {
		"generate_ms", "iterate_ns", "loops_ms",   "rate_ms",   "throughput (us)",
		"upper_sec",   "generate",   "speed_ms",   "recipe",    "loops",
		"operate",     "Rated",      "error_rate", "miss rate", "gc.alloc.rate.norm_bytes"};
	static const char *const higher[] = {"ops",
	                                     "get_ops",
	                                     "hitRate",
	                                     "rateLimit",
	                                     "frame-rate",
	                                     "qps2",
	                                     "RPS",
	                                     "iops",
	                                     "generate_rate",
	                                     "GFLOPS",
	                                     "x MB/s",
	                                     "bandwidth",
	                                     "requestsPerSec",
	                                     "reqs_per_second",
	                                     "readThroughput",
	                                     "tps",
	                                     "fps",
	                                     "throughput_MB",
	                                     "bandwidth (GB)",
	                                     "speed",
	                                     "MIPS",
	                                     "ipc",
	                                     "Mpps"};
	for (size_t i = 0; i < sizeof(lower) / sizeof(lower[0]); i++)
		assert_int_equal(better_of(lower[i]), BETTER_LOWER);
	for (size_t i = 0; i < sizeof(higher) / sizeof(higher[0]); i++)
		assert_int_equal(better_of(higher[i]), BETTER_HIGHER);
	struct error err;
	assert_int_equal(read_text("subject,metric,unit,value,commit\ns,hit rate,%,5,a\n", NULL, &err), 0);
	assert_int_equal(seen[0].record.better, BETTER_HIGHER);
}

static void test_script(void **state)
{
	(void)state;
	struct error err;
	assert_int_equal(
		read_text(
			"window.BENCHMARK_DATA = {\"entries\": {\"S\": [{\"commit\": {\"id\": \"c1\"}, \"date\": 1772486990012,"
			"\"tool\": \"cargo\", \"benches\": [{\"name\": \"b\", \"value\": 155.5, \"unit\": \"ns/iter\"},"
			"{\"name\": \"c\", \"value\": null, \"unit\": \"x\"}]}]}}",
			NULL, &err),
		0);
	assert_int_equal(count, 1);
	assert_string_equal(seen[0].subject, "b");
	assert_string_equal(seen[0].metric, "wall");
	assert_true(seen[0].record.when == INT64_C(1772486990012));
	assert_true(fabs(seen[0].record.value - 155.5e-9) < 1e-20);
	assert_int_equal(read_text("{\"schema\": \"tare/1\"}", NULL, &err), 1);
}

static void test_memory(void **state)
{
	(void)state;
	static const struct import_options none;
	static const char table[] = "index,throughput\n0,5\n1,6\n", other[] = "[1, 2]";
	struct error err;
	count = 0;
	assert_int_equal(history_read_memory(table, strlen(table), "it", &none, keep, NULL, &err), 0);
	assert_int_equal(count, 2);
	assert_int_equal(history_read_memory(other, strlen(other), "it", &none, keep, NULL, &err), 1);
	assert_int_equal(history_read_memory("", 0, "it", &none, keep, NULL, &err), -1);
	assert_string_equal(err.on, "it");
}

/* Text that a tool wrote about one measurement. */
static void test_single_results(void **state)
{
	(void)state;
	static const char go[] = "goos: linux\nBenchmarkFoo-8   \t 100\t 12 ns/op\n";
	static const char perf[] = "\n Performance counter stats for 'true' (2 runs):\n\n  1.0 msec task-clock\n";
	struct error err;
	assert_int_equal(read_text(go, NULL, &err), 1);
	assert_int_equal(read_text(perf, NULL, &err), 1);
	assert_int_equal(count, 0);
}

/* Rows that are samples of one result; with a time or a commit, or by the option, they are a history. */
static void test_tables_of_samples(void **state)
{
	(void)state;
	static const char *const tables[] = {
		"name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"BM_a\",100,12.5,12.4,ns,\n",
		"name,iterations,real_time,cpu_time,time_unit,\"time\",\"hash\"\nBM_a,100,12.5,12.4,ns,3,9\n",
		("2024-01-01T10:00:00+00:00\nRun on (8 X 3000 MHz CPU s)\n"
	     "name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"BM_a\",100,12.5,12.4,ns,\n"),
		("group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n"
	     "sort,std,4096,,,3000,ns,2\n"),
		"group,function,value,sample_time_nanos,iteration_count\nF,I,7,915000,100\n",
		"subject,parameter:size,metric,unit,better,run,iteration,value\ns,1,rate,MB/s,higher,1,1,5\n",
	};
	struct error err;
	struct import_options options = {.columns = "value=value"};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_int_equal(read_text(tables[i], NULL, &err), 1);
	assert_int_equal(count, 0);
	assert_int_equal(read_text(tables[5], &options, &err), 0);
	assert_int_equal(count, 1);
	assert_int_equal(read_text("subject,metric,unit,run,iteration,value,date\ns,t,s,1,1,5,2024-01-01\n", NULL, &err),
	                 0);
	assert_int_equal(read_text("subject,metric,unit,run,iteration,value,commit\ns,t,s,1,1,5,abc\n", NULL, &err), 0);
	assert_int_equal(read_text("subject,metric,unit,run,value\ns,t,s,1,5\n", NULL, &err), 0);
	assert_int_equal(count, 1);
	assert_int_equal(read_text("# nightly\n\nname,iterations,real_time,cpu_time,time_unit,date,commit\n"
	                           "BM_a,100,12.5,12.4,ns,2024-01-01,abc\n",
	                           NULL, &err),
	                 0);
	assert_int_equal(count, 2);
	assert_string_equal(seen[0].subject, "BM_a");
	assert_string_equal(seen[0].commit, "abc");
	assert_true(seen[0].record.timed && seen[0].record.when == INT64_C(1704067200000));
	assert_int_equal(
		read_text("name,iterations,real_time,cpu_time,time_unit,commit\nBM_a,100,12.5,12.4,ns,abc\n", NULL, &err), 0);
	assert_int_equal(count, 2);
}

/* The header says what is between the cells, whatever stands before it. */
static void test_lines_before_the_header(void **state)
{
	(void)state;
	static const char *const before[] = {"", "# nightly\n", "# a, b, c, d\n", "\n", "\r\n# x,y\r\n\n"};
	struct error err;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		char text[200];
		snprintf(text, sizeof(text), "%stime;commit;value_ms\n2024-01-01;a;1.5\n2024-01-02;b;2.5\n", before[i]);
		assert_int_equal(read_text(text, NULL, &err), 0);
		assert_int_equal(count, 2);
		assert_string_equal(seen[1].commit, "b");
		assert_true(seen[1].record.timed && fabs(seen[1].record.value - 2.5e-3) < 1e-15);
	}
}

/* The times of Google Benchmark are in the unit of their row. */
static void test_time_units(void **state)
{
	(void)state;
	struct error err;
	assert_int_equal(read_text("name,iterations,real_time,cpu_time,time_unit,date\nBM_a,100,12.5,12.25,ns,2024-01-01\n"
	                           "BM_a,100,3,2,ms,2024-01-02\nBM_a_cv,3,0.5,0.25,ms,2024-01-02\n",
	                           NULL, &err),
	                 0);
	static const double expected[] = {12.5e-9, 12.25e-9, 3e-3, 2e-3, 0.5, 0.25};
	assert_int_equal(count, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_close(seen[i].record.value, expected[i], 1e-14);
		assert_string_equal(seen[i].unit, i < 4 ? "s" : "");
		assert_string_equal(seen[i].metric, i % 2 ? "cpu_time" : "real_time");
	}
	struct import_options options = {.columns = "value=real_time"};
	assert_int_equal(read_text("name,iterations,real_time,cpu_time,time_unit,items\nBM_a,1,2,2,us,5\n", &options, &err),
	                 0);
	assert_int_equal(count, 1);
	assert_close(seen[0].record.value, 2e-6, 1e-14);
}

/* hyperfine's table: each command has a history. */
static void test_commands(void **state)
{
	(void)state;
	struct error err;
	assert_int_equal(read_text("command,mean,stddev,median,user,system,min,max\nsleep 1,1,0,1,0,0,1,1\n"
	                           "sleep 2,2,0,2,0,0,2,2\n",
	                           NULL, &err),
	                 0);
	assert_int_equal(count, 4);
	assert_string_equal(seen[0].subject, "sleep 1");
	assert_string_equal(seen[2].subject, "sleep 2");
	assert_string_equal(seen[2].metric, "mean");
	assert_true(seen[2].record.when == 0);
	/* Beside a column of benchmarks it tells nothing, unless it is asked for or that column has another role. */
	static const char both[] = "date,command,benchmark,mean\n2024-01-01,./run,a,1\n2024-01-01,./run,b,2\n";
	struct import_options options = {.columns = "subject=command"};
	assert_int_equal(read_text(both, NULL, &err), 0);
	assert_int_equal(count, 2);
	assert_string_equal(seen[0].subject, "a");
	assert_string_equal(seen[1].subject, "b");
	assert_int_equal(read_text(both, &options, &err), 0);
	assert_string_equal(seen[1].subject, "./run");
	options.columns = "metric=benchmark";
	assert_int_equal(read_text(both, &options, &err), 0);
	assert_string_equal(seen[1].subject, "./run");
	assert_string_equal(seen[1].metric, "b");
}

static void refused(const char *text, const char *columns, long line, const char *what)
{
	struct error err = {0};
	struct import_options options = {.columns = columns};
	assert_int_equal(read_text(text, &options, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(err.line, line);
	if (!strstr(err.what, what))
		fail_msg("'%s' is not '%s'", err.what, what);
}

/* Every number is taken as it stands or refused. */
static void test_cells(void **state)
{
	(void)state;
	struct error err;
	refused("1.5\n1.6\n", NULL, 1, "is not the name of a column");
	refused("2024-01-01,a,5\n2024-01-02,b,6\n", "time=1,commit=2,value=3", 1, "is not the name of a column");
	refused("time,value\n1700000000,3\n1700000001\n", NULL, 3, "1 cell where the header has 2");
	refused("time,value\n1700000000,3,4\n", NULL, 2, "3 cells where the header has 2");
	refused("index;value\n0;3,5\n", NULL, 2, "decimal comma");
	refused("index;x\n0;3,5\n", NULL, 2, "decimal comma");
	refused("index,value,better\n0,3,up\n", NULL, 2, "'up' is neither 'higher' nor 'lower'");
	refused("index,value\n0,3 ms\n", NULL, 2, "is not only a number");
	refused("index,x\n0,3\n1,y\n", NULL, 3, "is not a number");
	refused("index,value,low\n0,3,x\n", NULL, 2, "is not a number");
	assert_int_equal(read_text("time,1,2\n1700000000,3,4,\n", NULL, &err), 0);
	assert_int_equal(count, 2);
	/* A column of words holds no values; cells may say that there is none. */
	assert_int_equal(read_text("index,colour,x\n0,red,N/A\n1,7,5\n", NULL, &err), 0);
	assert_int_equal(count, 1);
	assert_true(seen[0].record.value == 5);
	char text[200];
	snprintf(text, sizeof(text), "index,value\n0,1.%0100de3\n", 0);
	assert_int_equal(read_text(text, NULL, &err), 0);
	assert_true(seen[0].record.value == 1000);
}

static void test_refused(void **state)
{
	(void)state;
	struct error err;
	struct import_options options = {0};
	assert_int_equal(read_text("", NULL, &err), -1);
	assert_int_equal(read_text("time,value\nyesterday,3\n", NULL, &err), -1);
	assert_int_equal(err.line, 2);
	refused("time,value\n2024-02-29,3\n2024-02-30,3\n", NULL, 3, "does not exist");
	assert_int_equal(read_text("time,commit\n2024-01-01,3\n", NULL, &err), -1);
	assert_non_null(strstr(err.what, "no column holds values"));
	static const char *const bad[] = {"value", "value=nothing", "colour=a", "value=9"};
	for (size_t i = 0; i < 4; i++) {
		options.columns = bad[i];
		assert_int_equal(read_text("a,b\n1,2\n", &options, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
	assert_int_equal(read_text("{\"entries\": ", NULL, &err), -1);
	static const struct import_options none;
	assert_int_equal(history_read("/nowhere/at/all", &none, keep, NULL, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_roles_by_name),
	                                   cmocka_unit_test(test_direction),
	                                   cmocka_unit_test(test_numbers),
	                                   cmocka_unit_test(test_directions),
	                                   cmocka_unit_test(test_script),
	                                   cmocka_unit_test(test_memory),
	                                   cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_single_results),
	                                   cmocka_unit_test(test_tables_of_samples),
	                                   cmocka_unit_test(test_commands),
	                                   cmocka_unit_test(test_cells),
	                                   cmocka_unit_test(test_lines_before_the_header),
	                                   cmocka_unit_test(test_time_units)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
