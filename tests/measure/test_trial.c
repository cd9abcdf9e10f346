/* Trials of real commands, and accounts of reports that are made up. */
#include "measure/trial.h"

#include "host/clock.h"
#include "measure/accounts.h"
#include "support/fake.h"
#include "support/known.h"
#include "support/spawner.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SUBJECT    TESTS_PROGRAMS "/subject"
#define NOOP       TESTS_PROGRAMS "/noop"
#define WORDS(...) ((const char *const[]){SUBJECT, __VA_ARGS__, NULL})

static struct outcome run(struct trial_request request)
{
	struct outcome outcome;
	assert_int_equal(trial_run(spawner, &request, 1, false, -1, &outcome, NULL), 0);
	return outcome;
}

static struct outcome run_words(const char *const *argv)
{
	return run((struct trial_request){.argv = argv});
}

static void numbers_of_one_thread(void **state)
{
	(void)state;
	struct outcome outcome = run_words(WORDS("spin", "20"));
	assert_int_equal(outcome.status, OUTCOME_OK);
	assert_string_equal(outcome.text, "");
	double wall = outcome_value(&outcome, METRIC_WALL), cpu = outcome_value(&outcome, METRIC_CPU);
	assert_true(wall >= 0.020);
	assert_true(cpu >= 0.0199 && cpu <= wall + 1e-6);
	assert_true(outcome_value(&outcome, METRIC_RSS) > 100000);
	assert_true(outcome_value(&outcome, METRIC_FAULTS) >= 1);
	assert_true(outcome_value(&outcome, METRIC_SWITCHES) >= 0);
	assert_true(isnan(outcome_value(&outcome, METRIC_ENERGY)));
	assert_close(wall, (double)(outcome.ended - outcome.started) / 1e9, 1e-12);
	assert_true(outcome.rss_floor > 0);
	if (access("/proc/self/schedstat", R_OK) != 0)
		skip(); /* a kernel without the scheduler's accounts */
	assert_true(outcome.single_threaded);
	double delay = outcome_value(&outcome, METRIC_DELAY), net = outcome_value(&outcome, METRIC_NET);
	assert_true(delay >= 0);
	assert_close(net, fmax(wall - delay, cpu), 1e-9);
	/* CPU time and waiting for it cannot exceed the wall time; the rest is the way off the CPU. */
	assert_true(cpu + delay <= wall + 50e-6);
}

static void threads_and_children_have_no_net(void **state)
{
	(void)state;
	const char *const *const commands[] = {WORDS("threads", "1", "3"), WORDS("threads", "1", "0"),
	                                       WORDS("workers", "1", "0"), WORDS("workers", "2", "3"), WORDS("adopt", "1")};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		for (int again = 0; again < 20; again++) {
			struct outcome outcome = run_words(commands[i]);
			assert_int_equal(outcome.status, OUTCOME_OK);
			assert_false(outcome.single_threaded);
			assert_true(isnan(outcome_value(&outcome, METRIC_NET)));
			assert_non_null(outcome.why[METRIC_NET]);
			assert_true(outcome_value(&outcome, METRIC_CPU) > 0);
		}
	for (int again = 0; again < 100; again++) {
		struct outcome outcome = run_words((const char *const[]){NOOP, NULL});
		assert_true(outcome.single_threaded || outcome.why[METRIC_DELAY] != NULL);
	}
}

static void statuses(void **state)
{
	(void)state;
	struct outcome outcome = run_words(WORDS("exit", "3"));
	assert_int_equal(outcome.status, OUTCOME_EXIT);
	assert_int_equal(outcome.code, 3);
	assert_string_equal(outcome.text, "exit 3");
	assert_true(isnan(outcome_value(&outcome, METRIC_WALL)));
	outcome = run_words(WORDS("signal", "11"));
	assert_int_equal(outcome.status, OUTCOME_SIGNAL);
	assert_string_equal(outcome.text, "signal 11 (Segmentation fault)");
	outcome = run((struct trial_request){.argv = WORDS("sleep", "60000"), .timeout = 20000000});
	assert_int_equal(outcome.status, OUTCOME_TIMEOUT);
	assert_non_null(strstr(outcome.text, "20 ms"));
	outcome = run_words((const char *const[]){"/nonexistent/program", NULL});
	assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
	assert_int_equal(outcome.code, ENOENT);
	assert_string_equal(outcome.text, "there is no such program");
	assert_true(outcome.next[0] != '\0');
	outcome = run((struct trial_request){.argv = WORDS("exit", "0"), .directory = "/nonexistent"});
	assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
	assert_non_null(strstr(outcome.text, "/nonexistent"));
	struct cpuset far;
	cpuset_parse("4000", &far, NULL);
	outcome = run((struct trial_request){.argv = WORDS("exit", "0"), .cpus = &far});
	assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
	assert_non_null(strstr(outcome.text, "4000"));
	outcome = run_words(WORDS("terminal"));
	assert_int_equal(outcome.status, OUTCOME_DISTURBED);
	assert_non_null(strstr(outcome.next, "--input"));
	outcome = run_words(WORDS("orphan", "60000"));
	assert_int_equal(outcome.status, OUTCOME_OK);
	assert_int_equal(outcome.leftovers, 1);
	assert_string_equal(outcome.leftover, "subject");
}

static void expected_exits(void **state)
{
	(void)state;
	static const int some[] = {1, 3};
	struct trial_request request = {.argv = WORDS("exit", "3"), .expected_exits = some, .expected_exit_count = 2};
	struct outcome outcome = run(request);
	assert_int_equal(outcome.status, OUTCOME_OK);
	assert_int_equal(outcome.code, 3);
	request.argv = WORDS("exit", "0"); /* not among them */
	assert_int_equal(run(request).status, OUTCOME_EXIT);
	request = (struct trial_request){.argv = WORDS("exit", "77"), .any_exit = true};
	outcome = run(request);
	assert_int_equal(outcome.status, OUTCOME_OK);
	assert_string_equal(outcome.text, "exit 77");
	request.argv = WORDS("signal", "6");
	assert_int_equal(run(request).status, OUTCOME_SIGNAL);
	request.argv = WORDS("exit", "0");
	assert_string_equal(run(request).text, "");
}

static void files(void **state)
{
	(void)state;
	char *root = fake_root(), in[4200], out[4200];
	fake_file(root, "/in", "some text\n");
	snprintf(in, sizeof(in), "%s/in", root);
	snprintf(out, sizeof(out), "%s/out", root);
	struct buffer text = {0}, errors = {0};
	struct trial_request request = {.argv = WORDS("copy"), .input = in, .output = TRIAL_CAPTURE, .output_text = &text};
	for (int i = 0; i < 3; i++) { /* from the beginning every time */
		assert_int_equal(run(request).status, OUTCOME_OK);
		assert_string_equal(buffer_text(&text), "some text\n");
	}
	request = (struct trial_request){.argv = WORDS("copy"), .input = in, .output = TRIAL_FILE, .output_file = out};
	assert_int_equal(run(request).status, OUTCOME_OK);
	assert_int_equal(run(request).status, OUTCOME_OK);
	request = (struct trial_request){
		.argv = WORDS("copy"), .input = out, .output = TRIAL_CAPTURE, .output_text = &text};
	assert_int_equal(run(request).status, OUTCOME_OK);
	assert_string_equal(buffer_text(&text), "some text\n"); /* not twice */
	request.argv = (const char *const[]){"/bin/sh", "-c", "echo o; echo e >&2", NULL};
	request.error = TRIAL_CAPTURE;
	request.error_text = &errors;
	assert_int_equal(run(request).status, OUTCOME_OK);
	assert_string_equal(buffer_text(&text), "o\n");
	assert_string_equal(buffer_text(&errors), "e\n");
	request = (struct trial_request){.argv = WORDS("copy"), .input = "/nonexistent"};
	struct outcome outcome = run(request);
	assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
	assert_int_equal(outcome.code, ENOENT);
	assert_non_null(strstr(outcome.text, "input file"));
	request = (struct trial_request){.argv = WORDS("copy"), .output = TRIAL_FILE, .output_file = "/nonexistent/out"};
	assert_int_equal(run(request).status, OUTCOME_NOT_STARTED);
	buffer_release(&text);
	buffer_release(&errors);
	fake_remove(root);
	free(root);
}

static void pairs(void **state)
{
	(void)state;
	struct trial_request requests[2] = {{.argv = WORDS("sleep", "1000")}, {.argv = WORDS("sleep", "1000"), .lane = 1}};
	struct outcome outcomes[2];
	assert_int_equal(trial_run(spawner, requests, 2, false, -1, outcomes, NULL), 0);
	assert_int_equal(outcomes[0].status, OUTCOME_OK);
	assert_int_equal(outcomes[1].status, OUTCOME_OK);
	assert_true(outcomes[0].started < outcomes[1].ended && outcomes[1].started < outcomes[0].ended);
	requests[0].argv = WORDS("exit", "0");
	assert_int_equal(trial_run(spawner, requests, 2, true, -1, outcomes, NULL), 0);
	assert_true(outcomes[0].refills >= 1);
	assert_int_equal(outcomes[1].refills, 0);
	requests[1].input = "/nonexistent";
	assert_int_equal(trial_run(spawner, requests, 2, false, -1, outcomes, NULL), 0);
	assert_int_equal(outcomes[0].status, OUTCOME_DISTURBED);
	assert_int_equal(outcomes[1].status, OUTCOME_NOT_STARTED);
	requests[1].input = NULL;
	requests[1].directory = "/nonexistent";
	assert_int_equal(trial_run(spawner, requests, 2, false, -1, outcomes, NULL), 0);
	assert_int_equal(outcomes[0].status, OUTCOME_DISTURBED);
	assert_int_equal(outcomes[1].status, OUTCOME_NOT_STARTED);
	assert_int_equal(trial_run(spawner, requests, 0, false, -1, outcomes, NULL), -1);
}

/* Reports that no real command gives at will. */
static struct outcome account(struct command_report report)
{
	struct outcome outcome;
	struct trial_request request = {.argv = WORDS("x")};
	outcome_init(&outcome);
	accounts_take(&host, &request, &report, &outcome);
	return outcome;
}

static void accounts(void **state)
{
	(void)state;
	struct command_report report = {.result = COMMAND_EXITED,
	                                .asked = 900,
	                                .executed = 1000,
	                                .ended = 6001000,
	                                .user = 3000000,
	                                .system = 1000000,
	                                .leader_run = 4001500,
	                                .leader_delay = 500000,
	                                .process_run = -1,
	                                .process_delay = -1,
	                                .start_cpu = 30000,
	                                .peak_rss = 1 << 20,
	                                .rss_floor = 1 << 20,
	                                .minor_faults = 10,
	                                .major_faults = 2,
	                                .voluntary_switches = 3,
	                                .involuntary_switches = 4,
	                                .migrations = 5,
	                                .blocks_in = 8,
	                                .blocks_out = 16,
	                                .energy = 2500000};
	report.counters[0] = (struct counter_value){1000, 100, 100};
	report.counters[1] = (struct counter_value){1000, 100, 25};
	struct outcome outcome = account(report);
	assert_true(outcome.single_threaded);
	assert_int_equal(outcome.raw[METRIC_WALL], 6000000);
	assert_int_equal(outcome.raw[METRIC_CPU], 3971500);
	assert_int_equal(outcome.raw[METRIC_USER], 2978625); /* three quarters of it */
	assert_int_equal(outcome.raw[METRIC_SYSTEM], 992875);
	assert_int_equal(outcome.raw[METRIC_DELAY], 500000);
	assert_int_equal(outcome.raw[METRIC_NET], 5500000);
	assert_int_equal(outcome.raw[METRIC_FAULTS], 12);
	assert_int_equal(outcome.raw[METRIC_SWITCHES], 7);
	assert_int_equal(outcome.raw[METRIC_MIGRATIONS], 5);
	assert_int_equal(outcome.raw[METRIC_BLOCKS_IN], 4096);
	assert_int_equal(outcome.raw[METRIC_BLOCKS_OUT], 8192);
	assert_close(outcome_value(&outcome, METRIC_ENERGY), 2.5, 1e-12);
	assert_int_equal(outcome.counters[0], 1000);
	assert_int_equal(outcome.counters[1], 4000); /* a quarter of the time */
	assert_close(outcome.counter_share, 0.25, 0);
	assert_int_equal(outcome.counters[2], -1);
	/* It cannot have waited for longer than it was not running. */
	report.leader_delay = 2030000;
	assert_int_equal(account(report).raw[METRIC_NET], 3971500);
	report.leader_delay = 2100000;
	assert_null(account(report).why[METRIC_CPU]);
	assert_non_null(account(report).why[METRIC_NET]);
	assert_non_null(account(report).why[METRIC_DELAY]);
	report.leader_delay = 500000;
	/* wait4 knows of more than the first thread used: there were others. */
	report.leader_run = 3990000;
	outcome = account(report);
	assert_false(outcome.single_threaded);
	assert_int_equal(outcome.raw[METRIC_CPU], 3970000);
	assert_non_null(outcome.why[METRIC_NET]);
	assert_non_null(outcome.why[METRIC_MIGRATIONS]); /* it is known of the first thread alone */
	/* Where the kernel tells of all threads, their waiting is known; net is not. */
	report.process_run = 4000500;
	report.process_delay = 900000;
	outcome = account(report);
	assert_int_equal(outcome.raw[METRIC_DELAY], 900000);
	assert_null(outcome.why[METRIC_DELAY]);
	assert_non_null(outcome.why[METRIC_NET]);
	report.adopted = 1; /* but not those of another process */
	assert_non_null(account(report).why[METRIC_DELAY]);
	report.adopted = 0;
	report.process_run = report.process_delay = -1;
	/* An orphan that used nothing is still another process. */
	report.leader_run = 4001500;
	report.adopted = 1;
	assert_false(account(report).single_threaded);
	report.adopted = 0;
	/* A kernel without the scheduler's account. */
	report.leader_run = report.leader_delay = -1;
	outcome = account(report);
	assert_false(outcome.single_threaded);
	assert_non_null(strstr(outcome.why[METRIC_DELAY], "kernel"));
	assert_int_equal(outcome.raw[METRIC_CPU], 3970000);
	/* Stopped and continued: its wall time is nobody's. */
	report.stops = 1;
	assert_int_equal(account(report).status, OUTCOME_DISTURBED);
	static const struct {
		enum command_result result;
		enum outcome_status status;
	} others[] = {{COMMAND_CANCELLED, OUTCOME_CANCELLED},
	              {COMMAND_PEER_LOST, OUTCOME_DISTURBED},
	              {COMMAND_LOST, OUTCOME_DISTURBED},
	              {COMMAND_NOT_STARTED, OUTCOME_NOT_STARTED}};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		report.result = others[i].result;
		report.code = EIO;
		outcome = account(report);
		assert_int_equal(outcome.status, others[i].status);
		assert_true(outcome.text[0] != '\0');
	}
	report.leftovers = 2;
	report.unkillable = 1;
	assert_int_equal(account(report).unkillable, 1);
}

static void what_the_surroundings_refuse_is_told(void **state)
{
	(void)state;
	static const struct {
		uint32_t stage;
		int errnum;
		const char *text, *next;
	} cases[] = {
		{START_CPUS, EINVAL, "it may not run on CPU 7", "choose others with --cpus"},
		{START_CPUS, EPERM, "it cannot be bound to CPU 7: Operation not permitted", "--design shuffled"},
		{START_LANE, ENOENT, "cannot set itself up: No such file or directory", "/dev/null"},
	};
	struct cpuset cpus;
	cpuset_parse("7", &cpus, NULL);
	struct trial_request request = {.argv = WORDS("exit", "0"), .cpus = &cpus};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct command_report report = {
			.result = COMMAND_NOT_STARTED, .stage = cases[i].stage, .code = cases[i].errnum};
		struct outcome outcome;
		outcome_init(&outcome);
		accounts_take(&host, &request, &report, &outcome);
		assert_int_equal(outcome.status, OUTCOME_NOT_STARTED);
		assert_non_null(strstr(outcome.text, cases[i].text));
		assert_non_null(strstr(outcome.next, cases[i].next));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_surroundings_refuse_is_told),
		cmocka_unit_test(numbers_of_one_thread),
		cmocka_unit_test(threads_and_children_have_no_net),
		cmocka_unit_test(statuses),
		cmocka_unit_test(expected_exits),
		cmocka_unit_test(files),
		cmocka_unit_test(pairs),
		cmocka_unit_test(accounts),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
