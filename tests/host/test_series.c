/* Commands that a lane runs one after the other without being asked for each. */
#include "commands.h"

#include "support/spawner.h"

#include <fcntl.h>

static const char *const well[] = {SUBJECT, "exit", "0", NULL}, *const spinning[] = {SUBJECT, "spin", "2", NULL};

static void all_run_in_order(void **state)
{
	(void)state;
	struct command_request requests[SERIES_MAX];
	struct command_report reports[SERIES_MAX];
	size_t ran;
	for (size_t i = 0; i < SERIES_MAX; i++) {
		requests[i] = request_for(i % 2 ? spinning : well);
		requests[i].pad = (uint32_t)(13 * i); /* orders of different lengths */
	}
	assert_int_equal(spawner_run_series(spawner, requests, SERIES_MAX, -1, reports, &ran, NULL), 0);
	assert_int_equal(ran, SERIES_MAX);
	for (size_t i = 0; i < SERIES_MAX; i++) {
		assert_int_equal(reports[i].result, COMMAND_EXITED);
		assert_int_equal(reports[i].code, 0);
		assert_true(reports[i].executed >= reports[i].asked && reports[i].ended >= reports[i].executed);
		if (i > 0)
			assert_true(reports[i].asked >= reports[i - 1].ended);
		if (i % 2)
			assert_true(reports[i].user + reports[i].system >= 1500000);
	}
	/* The lane is as it was. */
	assert_int_equal(run_words(spawner, WORDS("exit", "9")).code, 9);
}

static void the_first_that_fails_is_the_last(void **state)
{
	(void)state;
	static const struct {
		const char *words[2];
		enum command_result result;
	} cases[] = {{{"exit", "3"}, COMMAND_EXITED}, {{"signal", "11"}, COMMAND_SIGNALED}};
	struct command_report reports[4];
	size_t ran;
	for (size_t i = 0; i < 2; i++) {
		struct command_request requests[4];
		for (size_t k = 0; k < 4; k++)
			requests[k] = request_for(well);
		const char *const words[] = {SUBJECT, cases[i].words[0], cases[i].words[1], NULL};
		requests[2] = request_for(words);
		assert_int_equal(spawner_run_series(spawner, requests, 4, -1, reports, &ran, NULL), 0);
		assert_int_equal(ran, 3);
		assert_int_equal(reports[1].code, 0);
		assert_int_equal(reports[2].result, cases[i].result);
	}
	struct command_request requests[2] = {request_for(well), request_for(WORDS("sleep", "60000"))};
	requests[1].timeout = 20000000;
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), 0);
	assert_int_equal(ran, 2);
	assert_int_equal(reports[1].result, COMMAND_TIMED_OUT);
	requests[0].path = "/nonexistent";
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), 0);
	assert_int_equal(ran, 1);
	assert_int_equal(reports[0].result, COMMAND_NOT_STARTED);
}

static void cancelled_in_the_middle(void **state)
{
	(void)state;
	int fds[2];
	struct command_report reports[3];
	size_t ran;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	struct command_request requests[3] = {request_for(WORDS("sleep", "60000")), request_for(WORDS("sleep", "60000")),
	                                      request_for(WORDS("sleep", "60000"))};
	assert_int_equal(spawner_run_series(spawner, requests, 3, fds[0], reports, &ran, NULL), 0);
	assert_int_equal(ran, 1);
	assert_int_equal(reports[0].result, COMMAND_CANCELLED);
	close(fds[0]);
	close(fds[1]);
}

static void a_killed_lane_is_told(void **state)
{
	(void)state;
	struct command_report reports[2];
	size_t ran;
	struct command_request requests[2] = {request_for(well), request_for(well)};
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), 0);
	pid_t lane = spawner_lane_pid(spawner, 0);
	char text[16];
	snprintf(text, sizeof(text), "%d", (int)lane);
	const char *const kill_it[] = {"/bin/sh", "-c", "kill -9 $0", text, NULL};
	requests[0] = request_for(kill_it);
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), 0);
	assert_int_equal(ran, 1);
	assert_int_equal(reports[0].result, COMMAND_LOST);
	assert_int_equal(run_words(spawner, WORDS("exit", "4")).code, 4);
}

static void what_makes_no_sense(void **state)
{
	(void)state;
	struct command_report reports[2];
	struct buffer text = {0};
	size_t ran;
	struct command_request requests[2] = {request_for(well), request_for(well)};
	assert_int_equal(spawner_run_series(spawner, requests, 0, -1, reports, &ran, NULL), -1);
	requests[1].lane = 1;
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), -1);
	requests[1].lane = 0;
	requests[1].stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &text};
	assert_int_equal(spawner_run_series(spawner, requests, 2, -1, reports, &ran, NULL), -1);
	assert_int_equal(ran, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_run_in_order),        cmocka_unit_test(the_first_that_fails_is_the_last),
		cmocka_unit_test(cancelled_in_the_middle), cmocka_unit_test(a_killed_lane_is_told),
		cmocka_unit_test(what_makes_no_sense),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
