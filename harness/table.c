/* SPDX-License-Identifier: MIT */
/* What `./suite` does without tare: a few iterations of each benchmark and a plain table; each once for --test.
 *
 * No intervals: iterations of one process say little about the next process, which is why the last lines send to
 * tare. */
#include "harness/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TARE_TABLE_ITERATIONS = 10,
	TARE_TABLE_FEWEST = 3 /* of benchmarks whose iterations are long */
};

#define TARE_TABLE_TARGET   5e6  /* nanoseconds of an iteration */
#define TARE_TABLE_PATIENCE 1e9  /* nanoseconds for all iterations, once there are a few */
#define TARE_CLOCK_SHARE    1000 /* an iteration is so many times longer than clock cost and resolution */

static int tare_order(const void *a, const void *b)
{
	const double *left = (const double *)a, *right = (const double *)b;
	return *left < *right ? -1 : *left > *right;
}

static double tare_middle(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), tare_order);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static const char *tare_time_text(char *text, size_t size, double nanoseconds)
{
	static const struct {
		double from, divisor;
		const char *unit;
	} scales[] = {{1e9, 1e9, "s "}, {1e6, 1e6, "ms"}, {1e3, 1e3, "us"}, {0, 1, "ns"}};
	size_t i = 0;
	while (nanoseconds < scales[i].from)
		i++;
	double value = nanoseconds / scales[i].divisor;
	snprintf(text, size, "%.*f %s", value < 10 ? 3 : value < 100 ? 2 : 1, value, scales[i].unit);
	return text;
}

static const char *tare_rate_text(char *text, size_t size, double per_second, const char *unit)
{
	static const char prefixes[] = " kMGTP";
	size_t i = 0;
	while (per_second >= 1000 && prefixes[i + 1]) {
		per_second /= 1000;
		i++;
	}
	if (i == 0)
		snprintf(text, size, "%.4g %s/s", per_second, unit);
	else
		snprintf(text, size, "%.4g %c%s/s", per_second, prefixes[i], unit);
	return text;
}

/* The least number of invocations that makes an iteration long enough; the last answer is in `reply`. */
static uint64_t tare_find_invocations(struct tare_selected *selected, const struct tare_overhead *overhead,
                                      struct tare_reply *reply)
{
	double target = TARE_CLOCK_SHARE * (overhead->fixed_wall + overhead->resolution);
	struct tare_grant grant;
	memset(&grant, 0, sizeof(grant));
	if (target < TARE_TABLE_TARGET)
		target = TARE_TABLE_TARGET;
	for (grant.invocations = 1;;) {
		tare_iterate(selected, &grant, reply);
		double wall = (double)reply->answer.wall;
		if (reply->answer.status != TARE_STATUS_OK || wall >= target || grant.invocations >= UINT64_C(1) << 40)
			return grant.invocations;
		double factor = wall > 0 ? 1.2 * target / wall : 10;
		if (factor > 10)
			factor = 10;
		grant.invocations = (uint64_t)((double)grant.invocations * factor) + 1;
	}
}

struct tare_row {
	size_t iterations;
	uint64_t invocations;
	double median, least;             /* nanoseconds of an invocation */
	double items, bytes;              /* a second */
	double metrics[TARE_METRICS_MAX]; /* medians, in the order of the last answer */
};

/* Runs the iterations; the status is in the last answer. */
static void tare_measure_row(struct tare_selected *selected, const struct tare_overhead *overhead,
                             struct tare_reply *reply, struct tare_row *row)
{
	double times[TARE_TABLE_ITERATIONS], metrics[TARE_METRICS_MAX][TARE_TABLE_ITERATIONS];
	const struct tare_answer *answer = &reply->answer;
	struct tare_grant grant;
	double spent = 0;
	memset(row, 0, sizeof(*row));
	memset(metrics, 0, sizeof(metrics));
	memset(&grant, 0, sizeof(grant));
	row->invocations = grant.invocations = tare_find_invocations(selected, overhead, reply);
	size_t n = 0;
	while (answer->status == TARE_STATUS_OK && n < TARE_TABLE_ITERATIONS &&
	       (n < TARE_TABLE_FEWEST || spent < TARE_TABLE_PATIENCE)) {
		tare_iterate(selected, &grant, reply);
		times[n] = tare_corrected(answer, overhead);
		for (uint32_t k = 0; k < answer->metric_count; k++)
			metrics[k][n] = reply->metrics[k].value;
		spent += (double)answer->wall;
		n++;
	}
	row->iterations = n;
	if (answer->status != TARE_STATUS_OK || n == 0)
		return;
	row->median = tare_middle(times, n);
	row->least = times[0];
	for (uint32_t k = 0; k < answer->metric_count; k++)
		row->metrics[k] = tare_middle(metrics[k], n);
	double seconds = row->median * (double)grant.invocations * 1e-9;
	if (seconds > 0) {
		row->items = answer->items / seconds;
		row->bytes = answer->bytes / seconds;
	}
}

static void tare_print_row(const struct tare_row *row, const struct tare_reply *reply, const char *name, int width)
{
	char median[32], least[32], rate[48];
	printf("%-*s %12s %12s %3zu x %-9llu", width, name, tare_time_text(median, sizeof(median), row->median),
	       tare_time_text(least, sizeof(least), row->least), row->iterations, (unsigned long long)row->invocations);
	if (row->items > 0)
		printf("  %s", tare_rate_text(rate, sizeof(rate), row->items, "items"));
	if (row->bytes > 0)
		printf("  %s", tare_rate_text(rate, sizeof(rate), row->bytes, "B"));
	for (uint32_t k = 0; k < reply->answer.metric_count; k++)
		printf("  %s %.4g%s%s", reply->metrics[k].name, row->metrics[k], reply->metrics[k].unit[0] ? " " : "",
		       reply->metrics[k].unit);
	putchar('\n');
	fflush(stdout);
}

static int tare_name_width(const struct tare_suite *suite)
{
	size_t width = strlen("benchmark");
	for (size_t i = 0; i < suite->count; i++)
		if (strlen(suite->instances[i].name) > width)
			width = strlen(suite->instances[i].name);
	return width < 60 ? (int)width : 60;
}

/* 1 when it failed. */
static int tare_table_row(struct tare_instance *instance, const struct tare_overhead *overhead,
                          struct tare_reply *reply, int width, int *suspicious)
{
	struct tare_selected selected;
	struct tare_row row;
	tare_select(&selected, instance, reply);
	if (reply->answer.status == TARE_STATUS_OK)
		tare_measure_row(&selected, overhead, reply, &row);
	tare_deselect(&selected);
	if (reply->answer.status != TARE_STATUS_OK) {
		int failed = reply->answer.status == TARE_STATUS_FAILED;
		printf("%-*s %s: %s\n", width, instance->name, failed ? "FAILED" : "skipped", reply->answer.reason);
		return failed;
	}
	tare_print_row(&row, reply, instance->name, width);
	*suspicious |= row.median <= 1.1 * (overhead->loop_limit - overhead->loop);
	return 0;
}

int tare_table(struct tare_suite *suite, const struct tare_loops *loops, const char *program)
{
	struct tare_reply *reply = (struct tare_reply *)tare_allocate(1, sizeof(*reply));
	struct tare_overhead overhead;
	int width = tare_name_width(suite), failures = 0, suspicious = 0;
	tare_calibrate(loops, &overhead);
	printf("%-*s %12s %12s %15s\n", width, "benchmark", "median", "least", "iterations");
	for (size_t i = 0; i < suite->count; i++)
		failures += tare_table_row(&suite->instances[i], &overhead, reply, width, &suspicious);
	free(reply);
	printf(
		"\nQuick numbers of one process, per invocation, without intervals. Subtracted: %.1f ns for the clock in each\n"
		"iteration and %.3f ns for each pass of the loop (an empty one takes %.3f ns).\n",
		overhead.fixed_wall, overhead.loop, overhead.loop_limit);
	if (suspicious)
		puts("A benchmark takes no longer than an empty loop: has the compiler removed its work? See tare_keep.");
	printf("To measure for real:       tare bench %s\nTo compare two programs:   tare bench OLD NEW\n", program);
	return failures ? 1 : 0;
}

int tare_test(struct tare_suite *suite)
{
	struct tare_reply *reply = (struct tare_reply *)tare_allocate(1, sizeof(*reply));
	int failures = 0;
	for (size_t i = 0; i < suite->count; i++) {
		struct tare_selected selected;
		struct tare_grant grant;
		memset(&grant, 0, sizeof(grant));
		grant.invocations = 1;
		tare_select(&selected, &suite->instances[i], reply);
		if (reply->answer.status == TARE_STATUS_OK)
			tare_iterate(&selected, &grant, reply);
		tare_deselect(&selected);
		if (reply->answer.status == TARE_STATUS_OK)
			printf("ok %s\n", suite->instances[i].name);
		else
			printf("%s %s: %s\n", reply->answer.status == TARE_STATUS_SKIPPED ? "skip" : "FAIL",
			       suite->instances[i].name, reply->answer.reason);
		failures += reply->answer.status == TARE_STATUS_FAILED;
	}
	free(reply);
	return failures ? 1 : 0;
}
