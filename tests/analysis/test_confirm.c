/* What broke a suite's gate is measured again alone, and the second measurement has the last word. */
#include "analysis/confirm.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum gate broken_twice[] = {GATE_BROKEN, GATE_HELD, GATE_BROKEN};

/* "base" and `count` others, each with a comparison that says gates[i]. */
static void make(struct result *result, const enum gate *gates, size_t count)
{
	static const char *const names[] = {"base", "a", "b.c", "d"};
	result_init(result);
	for (size_t i = 0; i <= count; i++)
		assert_non_null(result_add_subject(result, names[i]));
	for (size_t i = 0; i < count; i++) {
		struct comparison *c = result_add_comparison(result);
		assert_non_null(c);
		c->metric = "cpu";
		c->new_ = i + 1;
		c->ratio = 1.1;
		c->gate = gates[i];
	}
}

static void one_comparison_is_not_confirmed(void **state)
{
	(void)state;
	struct result result;
	make(&result, broken_twice, 1);
	assert_false(confirm_is_needed(&result));
	result_release(&result);
	make(&result, broken_twice, 2);
	assert_true(confirm_is_needed(&result));
	result_release(&result);
	make(&result, (const enum gate[]){GATE_HELD, GATE_OPEN}, 2);
	assert_false(confirm_is_needed(&result));
	result_release(&result);
}

static void commands_are_measured_against_the_reference(void **state)
{
	(void)state;
	struct experiment_subject subjects[] = {{.name = "base"}, {.name = "a"}, {.name = "b.c"}, {.name = "d"}};
	struct experiment experiment, again;
	struct result result;
	experiment_init(&experiment);
	experiment.subjects = subjects;
	experiment.subject_count = 4;
	experiment.seed = 7;
	make(&result, broken_twice, 3);
	assert_int_equal(confirm_experiment(&experiment, &result, true, &again, NULL), 0);
	assert_int_equal(again.subject_count, 3);
	assert_string_equal(again.subjects[0].name, "base");
	assert_string_equal(again.subjects[1].name, "a");
	assert_string_equal(again.subjects[2].name, "d");
	assert_int_equal(again.seed, 8);
	assert_int_equal(again.metric_count, 1);
	assert_string_equal(again.metrics[0], "cpu");
	assert_string_equal(again.design, experiment.design); /* none is known */
	result_release(&result);
	experiment_release(&experiment);
}

/* With fewer commands another metric and another design would be chosen; what the user asked for stays as it is. */
static void commands_are_measured_in_the_same_manner(void **state)
{
	static const char *asked[] = {"rss", "wall"};
	struct experiment_subject subjects[] = {{.name = "base"}, {.name = "a"}, {.name = "b.c"}, {.name = "d"}};
	struct experiment experiment, again;
	struct result result;
	(void)state;
	experiment_init(&experiment);
	experiment.subjects = subjects;
	experiment.subject_count = 4;
	make(&result, broken_twice, 3);
	result.design.name = "shuffled";
	for (size_t i = 0; i < 3; i++)
		result.comparisons[i].metric = "wall";
	assert_int_equal(confirm_experiment(&experiment, &result, true, &again, NULL), 0);
	assert_int_equal(again.metric_count, 1);
	assert_string_equal(again.metrics[0], "wall");
	assert_string_equal(again.design, "shuffled");
	experiment.metrics = asked;
	experiment.metric_count = 2;
	assert_int_equal(confirm_experiment(&experiment, &result, true, &again, NULL), 0);
	assert_ptr_equal(again.metrics, asked);
	assert_int_equal(again.metric_count, 2);
	result_release(&result);
	experiment_release(&experiment);
}

static void benchmarks_are_measured_by_their_own_metrics(void **state)
{
	struct experiment experiment, again;
	struct result result;
	(void)state;
	experiment_init(&experiment);
	make(&result, broken_twice, 3);
	for (size_t i = 1; i < 4; i++)
		result.subjects[i].benchmark = result.subjects[i].name;
	result.comparisons[0].metric = "cpu-turns";
	result.comparisons[2].metric = "wall";
	assert_int_equal(confirm_experiment(&experiment, &result, false, &again, NULL), 0);
	assert_int_equal(again.bench.deciding_count, 2);
	assert_string_equal(again.bench.deciding[0].name, "a");
	assert_string_equal(again.bench.deciding[0].value, "cpu");
	assert_string_equal(again.bench.deciding[1].name, "d");
	assert_string_equal(again.bench.deciding[1].value, "wall");
	assert_int_equal(again.metric_count, 0);
	result_release(&result);
	experiment_release(&experiment);
}

static void benchmarks_are_chosen_by_a_filter(void **state)
{
	(void)state;
	struct experiment experiment, again;
	struct result result;
	experiment_init(&experiment);
	make(&result, (const enum gate[]){GATE_HELD, GATE_BROKEN, GATE_BROKEN}, 3);
	for (size_t i = 1; i < 4; i++)
		result.subjects[i].benchmark = result.subjects[i].name;
	assert_int_equal(confirm_experiment(&experiment, &result, false, &again, NULL), 0);
	assert_string_equal(again.bench.filter, "^b\\.c$|^d$");
	/* Names are without a parameter that the sides differ in. */
	experiment.bench.vary = "size";
	assert_int_equal(confirm_experiment(&experiment, &result, false, &again, NULL), 0);
	assert_null(again.bench.filter);
	result_release(&result);
	experiment_release(&experiment);
}

static void the_second_measurement_has_the_last_word(void **state)
{
	(void)state;
	struct result result, second;
	make(&result, (const enum gate[]){GATE_BROKEN, GATE_BROKEN, GATE_BROKEN}, 3);
	make(&second, (const enum gate[]){GATE_BROKEN, GATE_HELD}, 2);
	second.comparisons[0].metric = "cpu-turns";
	assert_int_equal(confirm_apply(&result, &second, NULL), 0);
	assert_int_equal(result.comparisons[0].gate, GATE_BROKEN);
	assert_int_equal(result.comparisons[1].gate, GATE_HELD);
	assert_int_equal(result.comparisons[2].gate, GATE_OPEN);
	assert_int_equal(result.warning_count, 3);
	assert_string_equal(result.warnings[0].code, "confirmed");
	assert_string_equal(result.warnings[1].code, "unconfirmed");
	assert_non_null(strstr(result.warnings[2].text, "could not be measured again"));
	result_release(&result);
	result_release(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_comparison_is_not_confirmed),
		cmocka_unit_test(commands_are_measured_against_the_reference),
		cmocka_unit_test(commands_are_measured_in_the_same_manner),
		cmocka_unit_test(benchmarks_are_measured_by_their_own_metrics),
		cmocka_unit_test(benchmarks_are_chosen_by_a_filter),
		cmocka_unit_test(the_second_measurement_has_the_last_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
