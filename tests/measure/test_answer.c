/* Answers that can be believed, and every kind that cannot. */
#include "measure/answer.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tare_map map;
static struct tare_reply reply;
static struct tare_map_head head = {TARE_MAP_MAGIC, TARE_PROTOCOL_VERSION, sizeof(struct tare_map)};
static struct tare_grant grant;

/* A mapping as a well-behaved program leaves it. */
static void good_map(void)
{
	memset(&map, 0, sizeof(map));
	grant = (struct tare_grant){.sequence = 5, .invocations = 100};
	grant.checksum = tare_grant_checksum(&grant);
	map.head = head;
	map.grant = grant;
	struct tare_answer *a = &map.reply.answer;
	a->sequence = 5;
	a->invocations = 100;
	a->segments = 1;
	a->wall = 1234;
	a->status = TARE_STATUS_OK;
	a->present = TARE_HAS_WALL;
	a->thread_count = 1;
	a->metric_count = 1;
	snprintf(map.reply.metrics[0].name, TARE_NAME_SIZE, "share");
	a->unit_count = 2;
	snprintf(a->unit_name, TARE_NAME_SIZE, "latency");
	a->checksum = tare_answer_checksum(&map.reply);
}

static int read_map(void)
{
	struct error err;
	return answer_from_map(&map, &head, &grant, &reply, &err);
}

static void takes_a_good_mapping(void **state)
{
	(void)state;
	good_map();
	assert_int_equal(read_map(), 0);
	assert_int_equal(reply.answer.wall, 1234);
	assert_string_equal(reply.metrics[0].name, "share");
}

/* Each byte of the program's part that is used, and of the controller's, changed in turn. */
static void sees_every_changed_byte(void **state)
{
	(void)state;
	size_t missed = 0;
	good_map();
	size_t used = offsetof(struct tare_map, reply) + sizeof(struct tare_answer);
	for (size_t i = 0; i < used; i++) {
		((unsigned char *)&map)[i] ^= 0x10;
		missed += read_map() == 0;
		((unsigned char *)&map)[i] ^= 0x10;
	}
	map.reply.units[1] = 1;
	missed += read_map() == 0;
	assert_int_equal(missed, 0);
}

static int with_checksum(void)
{
	map.reply.answer.checksum = tare_answer_checksum(&map.reply);
	return read_map();
}

/* A wrong program can make a right checksum. */
static void believes_no_impossible_answer(void **state)
{
	(void)state;
	struct tare_answer *a = &map.reply.answer;
	good_map(), a->status = 9, assert_int_equal(with_checksum(), -1);
	good_map(), a->status = TARE_STATUS_NONE, assert_int_equal(with_checksum(), -1);
	good_map(), a->present = 0, assert_int_equal(with_checksum(), -1);
	good_map(), a->segments = 0, assert_int_equal(with_checksum(), -1);
	good_map(), a->items = NAN, assert_int_equal(with_checksum(), -1);
	good_map(), a->bytes = -1, assert_int_equal(with_checksum(), -1);
	good_map(), map.reply.metrics[0].name[0] = '\0', assert_int_equal(with_checksum(), -1);
	good_map(), map.reply.metrics[0].name[1] = ' ', assert_int_equal(with_checksum(), -1);
	good_map(), map.reply.metrics[0].value = INFINITY, assert_int_equal(with_checksum(), -1);
	good_map(), map.reply.units[0] = NAN, assert_int_equal(with_checksum(), -1);
	good_map(), memset(a->reason, 'x', sizeof(a->reason)), assert_int_equal(with_checksum(), -1);
	good_map(), a->invocations = 99, assert_int_equal(with_checksum(), -1);
	good_map(), a->metric_count = TARE_METRICS_MAX + 1, assert_int_equal(read_map(), -1);
	good_map(), a->thread_count = UINT32_MAX, assert_int_equal(read_map(), -1);
	good_map(), a->unit_count = UINT32_MAX, assert_int_equal(read_map(), -1);
}

/* Feeds lines separated by '|'; the result of the last one. */
static enum answer_line feed(const char *lines, struct error *err)
{
	char *copy = strdup(lines), *rest = copy;
	enum answer_line result = ANSWER_MORE;
	grant = (struct tare_grant){.sequence = 1, .invocations = 10};
	answer_begin(&reply, &grant);
	while (rest && result == ANSWER_MORE) {
		char *bar = strchr(rest, '|');
		if (bar)
			*bar = '\0';
		result = answer_take_line(&reply, rest, err);
		rest = bar ? bar + 1 : NULL;
	}
	if (rest)
		result = ANSWER_BAD; /* it stopped too early */
	free(copy);
	return result;
}

static void takes_lines(void **state)
{
	(void)state;
	struct error err;
	assert_int_equal(
		feed("wall 500|cpu 400|delay 3|process-cpu 450|segments 2|faults 1 2|switches 3 4|cpus 0 1|"
	         "counter cycles 77|counted 9 8|items 20|bytes 1e3|metric hits - higher 0.5|metric rate MB/s lower 2|"
	         "units latency s lower 2 1|unit 0.25|unit 1e-3|ok",
	         &err),
		ANSWER_DONE);
	const struct tare_answer *a = &reply.answer;
	assert_int_equal(a->status, TARE_STATUS_OK);
	assert_int_equal(a->wall, 500);
	assert_int_equal(a->cpu, 400);
	assert_int_equal(a->delay, 3);
	assert_int_equal(a->process_cpu, 450);
	assert_int_equal(a->segments, 2);
	assert_int_equal(a->major_faults, 2);
	assert_int_equal(a->involuntary_switches, 4);
	assert_int_equal(a->cpu_last, 1);
	assert_int_equal(a->counter[TARE_COUNTER_CYCLES], 77);
	assert_int_equal(a->counters, 1u << TARE_COUNTER_CYCLES);
	assert_int_equal(a->counter_running, 8);
	assert_close(a->bytes, 1000, 0);
	assert_int_equal(a->metric_count, 2);
	assert_int_equal(reply.metrics[0].better, 1);
	assert_string_equal(reply.metrics[0].unit, "");
	assert_string_equal(reply.metrics[1].unit, "MB/s");
	assert_int_equal(a->unit_count, 2);
	assert_close(reply.units[1], 1e-3, 0);
	assert_int_equal(a->thread_count, 1);
	assert_int_equal(reply.threads[0].wall, 500);
	assert_int_equal(a->present, TARE_HAS_WALL | TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_PROCESS_CPU | TARE_HAS_USAGE |
	                                 TARE_HAS_CPUS);
	assert_int_equal(feed("wall 1|ok", &err), ANSWER_DONE);
	assert_int_equal(a->segments, 1);
	assert_int_equal(a->present, TARE_HAS_WALL);
	assert_int_equal(feed("wall 1|thread 0 5 4 3|thread 1 6 5 4|ok", &err), ANSWER_DONE);
	assert_int_equal(a->thread_count, 2);
	assert_int_equal(reply.threads[1].wall, 6);
	assert_int_equal(feed("skip no device", &err), ANSWER_DONE);
	assert_int_equal(a->status, TARE_STATUS_SKIPPED);
	assert_string_equal(a->reason, "no device");
	assert_int_equal(feed("fail", &err), ANSWER_DONE);
	assert_int_equal(a->status, TARE_STATUS_FAILED);
}

static void refuses_nonsense(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"ok",
		"wall|ok",
		"wall -1|ok",
		"wall 1.5|ok",
		"wall 1 2|ok",
		"wall x|ok",
		"wall 99999999999999999999|ok",
		"cpus 1|ok",
		"",
		" ",
		"dance",
		"wall 1|items nan|ok",
		"wall 1|items -2|ok",
		"wall 1|segments 0|ok",
		"wall 1|metric a|ok",
		"wall 1|metric a b sideways 1|ok",
		"wall 1|metric a b lower inf|ok",
		"wall 1|counter made-up 3|ok",
		"wall 1|unit 3|ok",
		"wall 1|units a b lower 1|ok",
		"wall 1|thread 1 2 3|ok",
		"error what",
		"wall 1|ok|ok",
		"wall 1|metric nameoffortyeightcharactersnameoffortyeightcharacters - lower 1|ok",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct error err = {.what = ""};
		if (feed(lines[i], &err) != ANSWER_BAD)
			fail_msg("\"%s\" was taken", lines[i]);
	}
	struct error err;
	feed("error what", &err);
	assert_string_equal(err.what, "it answers: what");
	feed("dance now", &err);
	assert_string_equal(err.what, "it gives an invalid answer: \"dance now\"");
}

static void counts_are_bounded(void **state)
{
	(void)state;
	struct error err;
	char line[64];
	enum answer_line taken = ANSWER_MORE;
	answer_begin(&reply, &grant);
	size_t metrics = 0;
	for (; taken == ANSWER_MORE; metrics++) {
		snprintf(line, sizeof(line), "metric m%zu - lower 1", metrics);
		taken = answer_take_line(&reply, line, &err);
	}
	assert_int_equal(metrics, TARE_METRICS_MAX + 1);
}

static void says_what_to_run(void **state)
{
	(void)state;
	char text[256];
	struct tare_grant all = {.invocations = UINT64_MAX, .metrics = UINT32_MAX, .counters = UINT32_MAX};
	assert_string_equal(
		answer_run_words(&all, text, sizeof(text)),
		"18446744073709551615 cpu delay process-cpu usage cycles instructions cache-references cache-misses "
		"branches branch-misses task-clock page-faults");
	struct tare_grant none = {.invocations = 3};
	assert_string_equal(answer_run_words(&none, text, sizeof(text)), "3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_good_mapping),
		cmocka_unit_test(sees_every_changed_byte),
		cmocka_unit_test(believes_no_impossible_answer),
		cmocka_unit_test(takes_lines),
		cmocka_unit_test(refuses_nonsense),
		cmocka_unit_test(counts_are_bounded),
		cmocka_unit_test(says_what_to_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
