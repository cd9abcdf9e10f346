/* Progress as one line and as the lines of --live. */
#include "report/progress_text.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static const struct look look = {.charset = TEXT_ASCII, .width = 100};

static struct session_progress known(void)
{
	return (struct session_progress){
		.phase = "measuring",
		.runs = 8,
		.pairs = 8,
		.most = {.subject = "new", .is_ratio = true, .estimate = 1.1, .low = 1.05, .high = 1.15, .target = NAN},
		.elapsed = 3,
		.budget = 60,
		.left = 57,
		.used = 0.75,
		.waited = 0.05};
}

static void one_line_leaves_out_what_does_not_fit(void **state)
{
	(void)state;
	struct session_progress now = known();
	struct buffer line = {0};
	struct look narrow = look;
	progress_line(&now, &look, false, &line);
	assert_non_null(strstr(buffer_text(&line), "measuring  8 pairs  new +10.0 % [+5.0 %, +15.0 %]"));
	assert_non_null(strstr(buffer_text(&line), "left"));
	now.pairs = 1;
	buffer_clear(&line);
	progress_line(&now, &look, false, &line);
	assert_non_null(strstr(buffer_text(&line), "measuring  1 pair  new"));
	now.pairs = 0;
	now.runs = 1;
	buffer_clear(&line);
	progress_line(&now, &look, false, &line);
	assert_non_null(strstr(buffer_text(&line), "measuring  1 run  new"));
	now = known();
	narrow.width = 50;
	buffer_clear(&line);
	progress_line(&now, &narrow, false, &line);
	assert_null(strstr(buffer_text(&line), "left"));
	buffer_clear(&line);
	progress_line(&now, &narrow, true, &line);
	assert_non_null(strstr(buffer_text(&line), "left"));
	now = (struct session_progress){.phase = "measuring", .asked = 5, .done = 2, .left_out = 1, .budget = INFINITY};
	now.most.estimate = NAN;
	now.most.subject = "parse";
	buffer_clear(&line);
	progress_line(&now, &look, true, &line);
	assert_non_null(strstr(buffer_text(&line), "2 of 5 decided, 1 left out  parse"));
	buffer_release(&line);
}

static void several_lines_have_headings(void **state)
{
	(void)state;
	struct session_progress now = known();
	const struct phase phase = {.set_up = 10, .from = 20, .to = 90};
	struct buffer text = {0};
	progress_state(&now, &look, &text);
	progress_limits(&now, &text);
	assert_non_null(strstr(buffer_text(&text), "rounds      8 pairs\n"));
	assert_non_null(strstr(buffer_text(&text), "\ninterval    +10.0 % [+5.0 %, +15.0 %]  new\n"));
	assert_non_null(strstr(buffer_text(&text), "\ntarget      a verdict\n"));
	assert_non_null(
		strstr(buffer_text(&text), "\nlimited by  the CPU: 75 % running, 5 % queueing, 20 % other waits\n"));
	now.each[0] = (struct session_estimate){.subject = "rate",
	                                        .unit = "s",
	                                        .estimate = 2,
	                                        .low = 1.9,
	                                        .high = 2.1,
	                                        .target = 0.1,
	                                        .phase = &phase,
	                                        .readings = 100};
	now.each[1] = (struct session_estimate){.subject = "a\nb", .estimate = NAN, .target = NAN};
	now.each_count = 2;
	buffer_clear(&text);
	progress_state(&now, &look, &text);
	assert_non_null(strstr(buffer_text(&text), "[##########]"));
	assert_non_null(strstr(buffer_text(&text), "\n            not known yet"));
	assert_non_null(strstr(buffer_text(&text),
	                       "last round  rate: 100 readings, set-up 10 %, warm-up 10 %, stable 70 %, cool-down 10 %\n"));
	assert_null(strstr(buffer_text(&text), "a\nb"));
	buffer_clear(&text);
	now.used = NAN;
	progress_limits(&now, &text);
	assert_int_equal(text.length, 0);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_leaves_out_what_does_not_fit),
		cmocka_unit_test(several_lines_have_headings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
