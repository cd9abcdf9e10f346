/* What a calibration says before a measurement, and after it. */
#include "design/quote.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

/* Of the machine's own program: with turns, pairs of 5 ms that scatter by 1 % in units of 40. */
static void make(struct calibration *calibration)
{
	calibration_init(calibration);
	struct calibration_program *program = calibration_add_program(calibration);
	assert_non_null(program);
	program->name = "cpu";
	program->best = "turns";
	program->made = "2026-01-01T00:00:00Z";
	program->designs = arena_alloc(&calibration->arena, 1, sizeof(*program->designs));
	assert_non_null(program->designs);
	program->design_count = 1;
	struct calibration_design *design = &program->designs[0];
	calibration_design_init(design, "turns");
	design->pair_seconds = 0.005;
	design->pairs = 1000;
	design->spreads[0].sd = 0.1;
	design->spreads[3].sd = 0.01;
	for (size_t i = 0; i < CALIBRATION_TIME_COUNT; i++)
		design->visible[i] = 0.02;
}

static void what_is_out_of_reach_is_said_before(void **state)
{
	(void)state;
	struct calibration calibration;
	struct experiment experiment;
	struct result result;
	struct experiment_subject subjects[] = {{.command = "./old"}, {.command = "./new"}};
	make(&calibration);
	experiment_init(&experiment);
	experiment.subjects = subjects;
	experiment.subject_count = 2;
	experiment.max_time = INT64_C(10000000000);
	experiment.margin = 0.0001;
	result_init(&result);
	const char *text = quote_reach(&calibration, &experiment, &result);
	assert_non_null(text);
	assert_non_null(strstr(text, "a margin of 0.010 % is out of reach in 10 s"));
	assert_non_null(strstr(text, "with a CPU-bound program in turns"));
	assert_string_equal(result.warnings[0].code, "out-of-reach");
	/* A wide one is within reach; a fixed number of runs asks for nothing, and one command is compared with none. */
	experiment.margin = 0.2;
	assert_null(quote_reach(&calibration, &experiment, &result));
	experiment.margin = 0.0001;
	experiment.subject_count = 1;
	assert_null(quote_reach(&calibration, &experiment, &result));
	experiment.subject_count = 2;
	experiment.runs = 10;
	assert_null(quote_reach(&calibration, &experiment, &result));
	result_release(&result);
	experiment_release(&experiment);
	calibration_release(&calibration);
}

static void what_can_be_seen_is_said_after(void **state)
{
	(void)state;
	struct calibration calibration;
	struct experiment experiment;
	struct experiment_subject subject = {.command = "./old"};
	struct result result;
	struct error err;
	make(&calibration);
	experiment_init(&experiment);
	experiment.subjects = &subject;
	experiment.subject_count = 1;
	result_init(&result);
	result.design.name = "turns";
	assert_int_equal(quote_result(NULL, &experiment, &result, &err), 0);
	assert_non_null(strstr(result.calibration.why, "was not calibrated"));
	assert_true(isnan(result.calibration.change));
	assert_int_equal(quote_result(&calibration, &experiment, &result, &err), 0);
	assert_close(result.calibration.change, 0.02, 0);
	assert_close(result.calibration.seconds, 10, 0);
	assert_string_equal(result.calibration.program, "cpu");
	result_release(&result);
	experiment_release(&experiment);
	calibration_release(&calibration);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_out_of_reach_is_said_before),
		cmocka_unit_test(what_can_be_seen_is_said_after),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
