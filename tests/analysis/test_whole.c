#include "analysis/whole.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static void add_subject(struct result *result, const char *name, const char *unit)
{
	struct subject *subject = result_add_subject(result, name);
	struct measurement *m = result_add_metric(result, subject, "wall", unit, BETTER_LOWER, levels, 2);
	for (int i = 0; i < 30; i++)
		assert_int_equal(series_append(&m->series, 0, 1 + 0.001 * i, NULL), 0);
}

/* "old" and "new" with 30 runs each, whose comparison says `gate`. */
static void make(struct result *result, enum gate gate)
{
	result_init(result);
	add_subject(result, "old", "s");
	add_subject(result, "new", "s");
	struct comparison *c = result_add_comparison(result);
	c->metric = "wall";
	c->new_ = 1;
	c->ratio = 1;
	c->gate = gate;
}

static void add_failures(struct result *result, size_t subject, int count, const char *what, int exit_code)
{
	for (int i = 0; i < count; i++)
		assert_int_equal(result_add_failure(result, &result->subjects[subject],
		                                    (struct failure){what, result->subjects[subject].failure_count, exit_code}),
		                 0);
}

static enum gate settle(struct result *result, struct welcome welcome, bool allow_missing)
{
	struct whole_options options = {.limit = 0.02, .welcome = welcome, .allow_missing = allow_missing};
	assert_int_equal(whole_settle(result, &options, NULL), 0);
	enum gate state = result->gate.state;
	result_release(result);
	return state;
}

static const struct welcome none, alike = {.alike = true}, one = {.codes = (const int[]){1}, .code_count = 1};

static void the_numbers_decide_what_was_measured_whole(void **state)
{
	(void)state;
	for (enum gate gate = GATE_OPEN; gate <= GATE_HELD; gate++) {
		struct result result;
		make(&result, gate);
		assert_int_equal(settle(&result, none, false), gate);
	}
}

static void failures_count_unless_they_are_welcome(void **state)
{
	(void)state;
	static const struct {
		int old, new_, old_code, new_code;
		const struct welcome *welcome;
		enum gate expected;
	} cases[] = {
		{0, 1, 0, 1, &none, GATE_FAILED},    /* one run of thirty */
		{30, 0, 1, 0, &none, GATE_FAILED},   /* the old side */
		{30, 30, 1, 1, &none, GATE_FAILED},  /* nobody asked to ignore it */
		{30, 30, 1, 1, &alike, GATE_HELD},   /* in like measure */
		{3, 4, 1, 1, &alike, GATE_HELD},     /* 10 % and 13 % */
		{0, 30, 1, 1, &alike, GATE_FAILED},  /* the new side alone */
		{0, 1, 1, 1, &alike, GATE_FAILED},   /* a code that the old side never has */
		{3, 21, 1, 1, &alike, GATE_FAILED},  /* seven times as often */
		{30, 30, 1, 2, &alike, GATE_FAILED}, /* another code */
		{30, 30, 0, 0, &alike, GATE_FAILED}, /* signals, on both sides */
		{0, 30, 1, 1, &one, GATE_HELD},      /* welcome wherever it is */
		{0, 30, 1, 2, &one, GATE_FAILED},    /* another one is not */
		{0, 30, 1, 0, &one, GATE_FAILED},    /* nor is a signal */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result result;
		make(&result, GATE_HELD);
		add_failures(&result, 0, cases[i].old, "old", cases[i].old_code);
		add_failures(&result, 1, cases[i].new_, "new", cases[i].new_code);
		assert_int_equal(settle(&result, *cases[i].welcome, false), cases[i].expected);
	}
}

/* 100 of 1000 runs and 150 of 1000: within ten points, but further apart than chance takes them. */
static void many_runs_tell_shares_apart(void **state)
{
	(void)state;
	struct result result;
	make(&result, GATE_HELD);
	for (size_t s = 0; s < 2; s++)
		for (int i = 30; i < 1000; i++)
			assert_int_equal(series_append(&result.subjects[s].metrics[0].series, 0, 1, NULL), 0);
	add_failures(&result, 0, 100, "exit 1", 1);
	add_failures(&result, 1, 150, "exit 1", 1);
	assert_int_equal(settle(&result, alike, false), GATE_FAILED);
}

static void strange_values_of_the_new_side_hold_no_gate(void **state)
{
	(void)state;
	static const double strange[] = {INFINITY, -INFINITY, NAN, 0, -1};
	for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++)
		for (int count = 1; count <= 30; count += 29) {
			struct result result;
			make(&result, GATE_HELD);
			for (int k = 0; k < count; k++)
				result.subjects[1].metrics[0].series.values[k] = strange[i];
			assert_int_equal(settle(&result, none, false), count == 30 ? GATE_FAILED : GATE_OPEN);
		}
	struct result result;
	make(&result, GATE_HELD);
	result.subjects[1].metrics[0].lost = 20;
	assert_int_equal(settle(&result, none, false), GATE_OPEN);
	/* A count may be 0. */
	make(&result, GATE_HELD);
	result.subjects[1].metrics[0].metric.unit = "";
	result.subjects[1].metrics[0].series.values[0] = 0;
	assert_int_equal(settle(&result, none, false), GATE_HELD);
	/* Broken stays broken: some of the values are more than the limit off. */
	make(&result, GATE_BROKEN);
	result.subjects[1].metrics[0].series.values[0] = NAN;
	assert_int_equal(settle(&result, none, false), GATE_BROKEN);
}

static void a_session_that_did_not_end_holds_no_gate(void **state)
{
	(void)state;
	static const struct {
		const char *reason;
		enum gate expected;
	} cases[] = {{"interrupted", GATE_OPEN}, {"killed", GATE_OPEN}, {"running", GATE_OPEN},
	             {"failed", GATE_FAILED},    {"budget", GATE_HELD}, {"verdict", GATE_HELD}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result result;
		make(&result, GATE_HELD);
		result.stopped.reason = cases[i].reason;
		whole_mark_unfinished(&result);
		assert_int_equal(settle(&result, none, false), cases[i].expected);
	}
}

static void what_vanished_or_failed_beside_the_comparisons_counts(void **state)
{
	(void)state;
	struct result result;
	make(&result, GATE_HELD);
	result_about_warn(&result, "only-old", "gone", "only in the old data");
	assert_int_equal(settle(&result, none, false), GATE_OPEN);
	make(&result, GATE_HELD);
	result_about_warn(&result, "only-old", "gone", "only in the old data");
	assert_int_equal(settle(&result, none, true), GATE_HELD);
	make(&result, GATE_HELD);
	result_about_warn(&result, "name-twice", "new #2", "only in the new data");
	assert_int_equal(settle(&result, none, true), GATE_OPEN);
	make(&result, GATE_HELD);
	result_warn(&result, "left-behind", "it leaves processes behind");
	assert_int_equal(settle(&result, none, false), GATE_OPEN);
	make(&result, GATE_HELD);
	add_subject(&result, "third", "s");
	add_failures(&result, 2, 1, "signal 11", 0);
	assert_int_equal(settle(&result, none, false), GATE_FAILED);
	/* Nothing compared at all. */
	result_init(&result);
	assert_int_equal(settle(&result, none, false), GATE_OPEN);
}

static void the_worst_is_named(void **state)
{
	(void)state;
	struct result result;
	make(&result, GATE_HELD);
	add_subject(&result, "third", "s");
	struct comparison *c = result_add_comparison(&result);
	c->metric = "wall";
	c->new_ = 2;
	c->gate = GATE_BROKEN;
	add_failures(&result, 1, 2, "exit 3", 3);
	struct whole_options options = {.limit = 0.02};
	assert_int_equal(whole_settle(&result, &options, NULL), 0);
	assert_int_equal(result.gate.state, GATE_FAILED);
	assert_int_equal(result.gate.worst, 0);
	assert_string_equal(result.gate.about, "new");
	assert_string_equal(result.gate.why, "new: 2 of 30 runs failed (exit 3)");
	assert_int_equal(result.comparisons[1].gate, GATE_BROKEN);
	whole_give_up(&result, 0.02, true, "interrupted");
	assert_true(result.gate.interrupted && result.gate.state == GATE_OPEN);
	assert_null(strstr(result.comparisons[0].gate_why, "interrupted"));
	result.comparisons[0].gate = result.comparisons[1].gate = GATE_OPEN;
	whole_give_up(&result, 0.02, true, "interrupted");
	for (int i = 0; i < 2; i++)
		assert_string_equal(result.comparisons[i].gate_why, "interrupted");
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_numbers_decide_what_was_measured_whole),
		cmocka_unit_test(failures_count_unless_they_are_welcome),
		cmocka_unit_test(many_runs_tell_shares_apart),
		cmocka_unit_test(strange_values_of_the_new_side_hold_no_gate),
		cmocka_unit_test(a_session_that_did_not_end_holds_no_gate),
		cmocka_unit_test(what_vanished_or_failed_beside_the_comparisons_counts),
		cmocka_unit_test(the_worst_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
