/* Commands as an instrument: hooks, failures, what would be done, what unit readings cost. */
#include "analysis/confirm.h"
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

static void hooks_of_all_are_run_once_and_in_order(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_fixed(&play, 2);
	play.experiment.warmup = 0;
	play.subjects[0].setup = play.subjects[1].setup = "make";
	play.subjects[1].cleanup = "clean";
	play.subjects[1].prepare = "sync";
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const char *setup = strstr(log_text(), "setup: make"), *prepare = strstr(log_text(), "prepare: sync");
	assert_true(setup && prepare && setup < prepare);
	assert_null(strstr(setup + 1, "setup: make"));
	assert_true(strstr(prepare, "cleanup: clean") != NULL);
	play_end(&play);
}

static void cleanup_follows_a_failure(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.subjects[0].cleanup = "clean";
	play_fault(&play, 0, FAULT_EXIT, 6, 6);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_non_null(strstr(log_text(), "cleanup: clean"));
	assert_string_equal(play.result.stopped.reason, "failed");
	/* What was measured before is analysed. */
	assert_int_equal(play_metric(&play, 0, "wall")->n, 2);
	play_end(&play);
}

static void what_the_machine_says_and_what_is_left_behind_are_told(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play_fixed(&play, 3);
	play.script.notes = true;
	play_fault(&play, 0, FAULT_LEFTOVER, 1, 9);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_true(play_warned(&play, "machine"));
	assert_string_equal(play_warning(&play, "left-behind"),
	                    "a left processes behind (sleep); they were killed and are not measured");
	play_end(&play);
	play_init(&play, 1);
	play_fixed(&play, 3);
	play_fault(&play, 0, FAULT_UNKILLABLE, 2, 3);
	play_run(&play, &instrument_commands);
	assert_string_equal(play_warning(&play, "left-behind"),
	                    "a left processes behind (sleep); some could not be killed, and ran beside what was measured "
	                    "after them");
	play_end(&play);
}

static void the_rule_follows_from_what_is_asked(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play_run(&play, &instrument_commands);
	assert_string_equal(play.result.stopped.reason, "precision");
	play_end(&play);
	play_init(&play, 2);
	play.script.actors[1].time *= 1.5;
	play_run(&play, &instrument_commands);
	assert_string_equal(play.result.stopped.reason, "verdict");
	play_end(&play);
}

static void a_dry_run_keeps_nothing(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play_fixed(&play, 100);
	play.subjects[0].setup = "make";
	script_begin(&play.script);
	assert_int_equal(session_dry_run(&instrument_commands, &play.experiment, NULL, -1, &text, &play.err), 0);
	assert_non_null(strstr(buffer_text(&text), "rounds    100, about "));
	assert_non_null(strstr(log_text(), "setup: make"));
	buffer_release(&text);
	play_end(&play);
}

static char *plan_of(struct play *play, struct buffer *text)
{
	script_begin(&play->script);
	assert_int_equal(session_dry_run(&instrument_commands, &play->experiment, NULL, -1, text, &play->err), 0);
	return (char *)(uintptr_t)buffer_text(text);
}

static void a_time_cuts_a_count(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play_fixed(&play, 100);
	play.experiment.max_time = INT64_C(1000000000);
	assert_non_null(strstr(plan_of(&play, &text), " of 100, as many as fit into 1.0 s"));
	assert_non_null(strstr(buffer_text(&text), "judged by cpu\n"));
	assert_non_null(strstr(buffer_text(&text), "design    turns\n"));
	assert_non_null(strstr(buffer_text(&text), "  round 8:"));
	buffer_release(&text);
	play_end(&play);
}

static void work_amounts_are_planned_without_a_trial(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play.experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 64, .unit = "MB"};
	play.subjects[0].command = play.subjects[1].command = "./a {work}";
	assert_non_null(strstr(plan_of(&play, &text), "work      1 to 64 MB, doubled from the least until a round takes "));
	assert_non_null(strstr(buffer_text(&text), " rounds of each command\n"));
	assert_int_equal(script_log()->length, 0);
	buffer_release(&text);
	play_end(&play);
}

/* A command of 30 unit readings, whose cost is asked for. */
static void begin(struct play *play)
{
	static struct performance_index pi = {.metric = {"rate", "MB/s", BETTER_HIGHER},
	                                      .units = true,
	                                      .precision = NAN,
	                                      .confidence = NAN,
	                                      .autocorrelation = NAN};
	play_init(play, 1);
	play->experiment.pis = &pi;
	play->experiment.pi_count = 1;
	play->experiment.overhead = true;
	play->script.actors[0].reading = 100;
	play->script.actors[0].readings = 30;
}

static void unit_readings_are_timed_with_and_without(void **state)
{
	(void)state;
	struct play play;
	begin(&play);
	play_fixed(&play, 5);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const struct overhead_result *overhead = play.result.subjects[0].overhead;
	assert_int_equal(overhead->pairs, 10);
	assert_true(overhead->ci.low < 1 && overhead->ci.high > 1); /* the script takes as long either way */
	play_end(&play);
}

static void it_ends_when_the_user_wants_no_more(void **state)
{
	(void)state;
	static const struct {
		const char *phase;
		size_t pairs;
	} known[] = {{"measuring", 0}, {"what readings cost", 1}};
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		begin(&play);
		play.stop_in = known[i].phase;
		play_fixed(&play, 5);
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_int_equal(play.result.subjects[0].overhead->pairs, known[i].pairs);
		play_end(&play);
	}
}

static void without_time_it_is_said_that_nothing_was_measured(void **state)
{
	(void)state;
	struct play play;
	begin(&play);
	play.experiment.max_time = INT64_C(1000000000);
	play.script.actors[0].time = 0.4;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_null(play.result.subjects[0].overhead);
	assert_true(play_warned(&play, "overhead"));
	play_end(&play);
}

/* The third has threads: all are judged by wall time, and so is the second when it is measured without the third. */
static void what_broke_a_gate_is_confirmed_by_the_same_metric(void **state)
{
	struct play play;
	struct session_observer observer = {0};
	struct result second;
	bool missing;
	(void)state;
	play_init(&play, 3);
	play.experiment.design = "auto";
	play.experiment.gate = 0.05;
	play.script.actors[1].time *= 1.6;
	play.script.actors[2].threads = true;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.comparisons[0].metric, "wall");
	assert_int_equal(play.result.comparisons[0].gate, GATE_BROKEN);
	struct experiment again;
	assert_int_equal(confirm_experiment(&play.experiment, &play.result, true, &again, &play.err), 0);
	result_init(&second);
	assert_int_equal(session_run(&instrument_commands, &again, NULL, -1, &observer, &second, &missing, &play.err), 0);
	assert_string_equal(second.design.name, play.result.design.name);
	assert_int_equal(confirm_apply(&play.result, &second, &play.err), 0);
	assert_int_equal(play.result.comparisons[0].gate, GATE_BROKEN);
	result_release(&second);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_of_all_are_run_once_and_in_order),
		cmocka_unit_test(cleanup_follows_a_failure),
		cmocka_unit_test(what_the_machine_says_and_what_is_left_behind_are_told),
		cmocka_unit_test(the_rule_follows_from_what_is_asked),
		cmocka_unit_test(a_dry_run_keeps_nothing),
		cmocka_unit_test(a_time_cuts_a_count),
		cmocka_unit_test(work_amounts_are_planned_without_a_trial),
		cmocka_unit_test(unit_readings_are_timed_with_and_without),
		cmocka_unit_test(without_time_it_is_said_that_nothing_was_measured),
		cmocka_unit_test(it_ends_when_the_user_wants_no_more),
		cmocka_unit_test(what_broke_a_gate_is_confirmed_by_the_same_metric),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
