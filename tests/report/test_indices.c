/* The bar of phases of a performance index: any phases, any name. */
#include "report/indices.h"

#include "report/text_width.h"
#include "support/known.h"

#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* A subject with one metric of unit readings, one run of `n`. */
static struct measurement *fill(struct result *result, const char *name, size_t n, struct phase *phase)
{
	result_init(result);
	assert_non_null(result_add_subject(result, "x"));
	struct measurement *m = result_add_metric(result, &result->subjects[0], name, "s", BETTER_LOWER, levels, 2);
	assert_non_null(m);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(series_append(&m->series, i > 0, 1 + (double)(i % 7), NULL), 0);
	m->phases = phase;
	m->phase_count = 1;
	return m;
}

static void assert_line(const char *name, size_t n, struct phase phase, const char *expected)
{
	struct result result;
	struct buffer text = {0};
	fill(&result, name, n, &phase);
	indices_phases(&result.subjects[0], &(struct look){.charset = TEXT_ASCII}, &text);
	assert_string_equal(buffer_text(&text), expected);
	buffer_release(&text);
	result_release(&result);
}

static void every_part_of_the_bar_is_seen(void **state)
{
	(void)state;
	assert_line("rate.units", 200, (struct phase){40, 200, 10},
	            "rate  _....###################  set-up 5 %, warm-up 15 %, stable 80 %\n");
	assert_line("rate.units", 1000, (struct phase){995, 1000, 990},
	            "rate  _____________________.##  set-up 99 %, warm-up 1 %, stable 1 %\n");
	assert_line("rate.units", 1000, (struct phase){990, 995, 0},
	            "rate  ......................#.  warm-up 99 %, stable 1 %, cool-down 1 %\n");
}

static void a_name_is_only_text(void **state)
{
	(void)state;
	assert_line("\x1b[31mred.units", 4, (struct phase){0, 4, 0},
	            "\\x1b[31mred  ########################  stable 100 %\n");
	assert_line("transactions that were answered.units", 200, (struct phase){40, 190, 10},
	            "transacti...answered  _....##################.\n"
	            "  set-up 5 %, warm-up 15 %, stable 75 %, cool-down 5 %\n");
	assert_line("transactions that were answered.units", 4, (struct phase){0},
	            "transacti...answered  no run has a phase that lasts for more than half of it\n");
}

/* Phases of readings that are not all there. */
static void phases_end_with_their_run(void **state)
{
	(void)state;
	struct result result;
	struct usual_phases usual;
	struct phase phase = {5, 20, 2};
	const struct measurement *m = fill(&result, "rate.units", 10, &phase);
	assert_true(indices_usual_phases(m, &usual));
	assert_true(usual.set_up == 0.2 && usual.from == 0.5 && usual.to == 1);
	phase = (struct phase){10, 20, 0};
	assert_false(indices_usual_phases(m, &usual));
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_part_of_the_bar_is_seen),
		cmocka_unit_test(a_name_is_only_text),
		cmocka_unit_test(phases_end_with_their_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
