#include "exchange/plan_document.h"

#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/tare-plan-test-XXXXXX";

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void round_trip(void **state)
{
	(void)state;
	struct repeat_plan plan, read;
	struct buffer text = {0};
	struct plan_subject subject = {.name = "sort \"a\"",
	                               .benchmark = "sort",
	                               .metric = "wall",
	                               .unit = "s",
	                               .mean = 0.25,
	                               .state = STEADY_INDEPENDENT,
	                               .skip = 7,
	                               .unit_variance = 1e-4,
	                               .unit_cost = 0.5,
	                               .units = 40,
	                               .half_width = 0.01,
	                               .level_count = 2,
	                               .levels = {{LEVEL_RUN, 25, 2e-4, 0.01, 0.02, 0.4, 0, 0},
	                                          {LEVEL_ITERATION, 30.5, -1e-9, 0, 0.03, 0.005, 12, 0}}};
	repeat_plan_init(&plan);
	plan.version = "1";
	plan.made = "2026-01-02T03:04:05Z";
	plan.machine = (struct calibration_machine){"a CPU", "6.1", "", 8, INFINITY};
	plan.confidence = 0.95;
	plan.precision = 0.01;
	plan.elapsed = 12.5;
	plan.subjects = &subject;
	plan.subject_count = 1;
	assert_int_equal(plan_document_write(&plan, &text, NULL), 0);
	write_file(buffer_text(&text));
	repeat_plan_init(&read);
	assert_int_equal(plan_document_read(path, &read, NULL), 0);
	assert_string_equal(read.made, plan.made);
	assert_string_equal(read.machine.cpu, "a CPU");
	assert_int_equal(read.machine.cpus, 8);
	assert_true(isinf(read.machine.quota) && isnan(read.budget));
	assert_close(read.precision, 0.01, 0);
	assert_int_equal(read.subject_count, 1);
	const struct plan_subject *one = &read.subjects[0];
	assert_string_equal(one->name, subject.name);
	assert_null(one->command);
	assert_int_equal(one->state, STEADY_INDEPENDENT);
	assert_int_equal(one->skip, 7);
	assert_int_equal(one->units, 40);
	assert_int_equal(one->level_count, 2);
	assert_int_equal(one->levels[1].level, LEVEL_ITERATION);
	assert_close(one->levels[1].members, 30.5, 0);
	assert_close(one->levels[1].variance, -1e-9, 1e-24);
	assert_int_equal(one->levels[1].count, 12);
	repeat_plan_release(&read);
	buffer_release(&text);
}

static void wrong_files_are_named(void **state)
{
	(void)state;
	static const char head[] =
		"{\"schema\": \"tare-plan/1\", \"confidence\": 0.95, \"precision\": 0.01, \"machine\": {}, \"subjects\": ";
	static const char *const wrong[] = {
		"",
		"[]",
		"{}",
		"{\"schema\": \"tare/1\"}",
		"{\"schema\": \"tare-plan/1\", \"confidence\": 0.95, \"machine\": {}, \"subjects\": []}",
		"{\"schema\": \"tare-plan/1\", \"confidence\": 95, \"precision\": 0.01, \"machine\": {}, \"subjects\": []}",
	};
	static const char *const subjects[] = {
		"[]",
		"[{}]",
		"[{\"name\": \"a\", \"metric\": \"wall\", \"unit\": \"s\", \"command\": \"a\", \"levels\": []}]",
		"[{\"name\": \"a\", \"metric\": \"wall\", \"unit\": \"s\", \"command\": \"a\", \"levels\": [{\"name\": \"week\"}]}]",
		"[{\"name\": \"a\", \"metric\": \"wall\", \"unit\": \"s\", \"command\": \"a\", \"levels\": [{\"name\": \"run\"}, {\"name\": \"build\", "
		"\"count\": 2}]}]",
		"[{\"name\": \"a\", \"metric\": \"wall\", \"unit\": \"s\", \"command\": \"a\", \"levels\": [{\"name\": \"run\"}, {\"name\": "
		"\"iteration\", \"count\": 0}]}]",
		"[{\"name\": \"a\", \"unit\": \"s\", \"command\": \"a\", \"levels\": [{\"name\": \"run\"}]}]",
	};
	struct repeat_plan read;
	struct error err;
	char text[1000];
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]) + sizeof(subjects) / sizeof(subjects[0]); i++) {
		size_t inner = i - sizeof(wrong) / sizeof(wrong[0]);
		bool whole = i < sizeof(wrong) / sizeof(wrong[0]);
		snprintf(text, sizeof(text), "%s%s%s", whole ? wrong[i] : head, whole ? "" : subjects[inner], whole ? "" : "}");
		write_file(text);
		repeat_plan_init(&read);
		assert_int_equal(plan_document_read(path, &read, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
	repeat_plan_init(&read);
	assert_int_equal(plan_document_read("/nonexistent/plan.json", &read, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(wrong_files_are_named),
	};
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
