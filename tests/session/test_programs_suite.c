/* The benchmarks of all sides, matched. */
#include "session/play.h"

static void benchmarks_are_matched_by_name(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 2);
	play.script.missing = 1;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.missing); /* a gate cannot hold then */
	assert_int_equal(play.result.subject_count, 2);
	assert_string_equal(play.result.subjects[1].name, "b sort/size=8");
	assert_true(play_warned(&play, "only-old"));
	play_end(&play);
}

static void some_are_chosen(void **state)
{
	(void)state;
	static const char *const values[] = {"size=4,16"};
	struct buffer names = {0};
	struct play play;
	play_init_programs(&play, 1, 3);
	play.experiment.bench.filter = "-hash";
	play.experiment.bench.values = values;
	play.experiment.bench.value_count = 1;
	script_begin(&play.script);
	assert_int_equal(session_list(&play.experiment, -1, &names, &play.err), 0);
	assert_string_equal(buffer_text(&names), "parse\n");
	buffer_release(&names);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(benchmarks_are_matched_by_name),
		cmocka_unit_test(some_are_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
