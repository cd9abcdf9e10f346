/* HTML reports: what cannot be seen from the command line - every allocation failing, thinned data, results with
 * gaps. */
#include "report/html.h"

#include "base/memory.h"
#include "report/figure_values.h"
#include "report/figures.h"
#include "report/plots.h"
#include "report/raw.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};

/* Two subjects of 2 builds, 3 runs each, `iterations` values in a run, with pairs. */
static void fill(struct result *result, size_t iterations)
{
	result_init(result);
	for (size_t s = 0; s < 2; s++) {
		assert_non_null(result_add_subject(result, s ? "new" : "old"));
		struct measurement *m = result_add_metric(result, &result->subjects[s], "wall", "s", BETTER_LOWER, levels, 3);
		assert_non_null(m);
		for (size_t i = 0; i < 6 * iterations; i++) {
			unsigned open = i % (3 * iterations) == 0 ? 0 : i % iterations == 0 ? 1 : 2;
			double value = (i == 7 ? 9.0 : 1.0 + 0.01 * (double)((i * 37 + s) % 11)) + 0.1 * (double)s;
			assert_int_equal(series_append(&m->series, open, value, NULL), 0);
		}
		m->n = m->series.n;
		m->mean = m->median = 1.05 + 0.1 * (double)s;
		m->skip = 2;
	}
	struct comparison *c = result_add_comparison(result);
	assert_non_null(c);
	c->metric = "wall";
	c->new_ = 1;
	c->ratio = 1.095;
	c->ci = (struct confidence){.level = 0.99, .low = 1.08, .high = 1.11};
	struct pair_findings paired = *c->paired;
	paired.share_difference = 0;
	assert_int_equal(comparison_set_paired(result, c, &paired), 0);
	c->verdict = VERDICT_SLOWER;
	c->margin = 0.01;
	c->pairs = 6 * iterations;
	result->design.paired = true;
	result->design.name = "turns";
}

static void out_of_memory_anywhere_is_told(void **state)
{
	(void)state;
	struct result result;
	fill(&result, 3);
	struct html_result item = {
		.result = &result, .view.geometric_mean = NAN, .data = "{}", .values = 36, .embedded = 36};
	struct html_page page = {.results = &item, .count = 1};
	long failed = 0;
	for (bool starved = true; starved; failed++) {
		struct buffer out = {0};
		struct error err = {0};
		mem_fail_at(failed + 1);
		int status = html_write(&page, &out, &err);
		starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? -1 : 0);
		assert_int_equal(err.kind, starved ? ERROR_MEMORY : ERROR_NONE);
		buffer_release(&out);
	}
	assert_true(failed > 20);
	result_release(&result);
}

static void same_input_same_bytes(void **state)
{
	(void)state;
	struct result result;
	struct buffer one = {0}, two = {0};
	fill(&result, 8);
	struct html_result item = {.result = &result, .view.geometric_mean = NAN};
	struct html_page page = {.results = &item, .count = 1};
	assert_int_equal(html_write(&page, &one, NULL), 0);
	assert_int_equal(html_write(&page, &two, NULL), 0);
	assert_string_equal(buffer_text(&one), buffer_text(&two));
	assert_non_null(
		strstr(buffer_text(&one),
	           "<h1>new is 9.5\xc2\xa0% slower than old (8.0\xc2\xa0% to 11.0\xc2\xa0%, 99\xc2\xa0%)</h1>"));
	/* No data were given: no section that promises them. */
	assert_null(strstr(buffer_text(&one), "Raw data"));
	buffer_release(&one);
	buffer_release(&two);
	result_release(&result);
}

static void commands_stay_as_they_are(void **state)
{
	(void)state;
	static const char *argv[] = {"tare", "run", "sh -c 'date +%s; echo 5 %'", "", "./x"};
	struct result result;
	struct buffer out = {0};
	fill(&result, 3);
	result.argv = argv;
	result.argc = 5;
	result.subjects[0].command = "printf '5 %d'  7";
	result.subjects[1].program = "./50 %";
	struct html_result item = {.result = &result, .view.geometric_mean = NAN};
	assert_int_equal(html_write(&(struct html_page){.results = &item, .count = 1}, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "<pre class=\"command\">tare run &#39;sh -c &#39;\\&#39;&#39;date +%s; "
	                                          "echo 5 %&#39;\\&#39;&#39;&#39; &#39;&#39; ./x</pre>"));
	assert_non_null(strstr(buffer_text(&out), "<dt>command</dt>\n<dd class=\"exact\">printf &#39;5 %d&#39;  7</dd>"));
	assert_non_null(strstr(buffer_text(&out), "<dt>program</dt>\n<dd class=\"exact\">./50 %</dd>"));
	buffer_release(&out);
	result_release(&result);
}

static size_t count_of(const struct buffer *page, const char *text)
{
	size_t count = 0;
	for (const char *at = strstr(buffer_text(page), text); at; at = strstr(at + 1, text))
		count++;
	return count;
}

static void plots_of_a_large_suite_are_bounded(void **state)
{
	(void)state;
	static const size_t sizes[] = {2, 1000, 1100};
	size_t figures[3];
	for (size_t k = 0; k < 3; k++) {
		struct result result;
		struct buffer out = {0};
		fill(&result, 1);
		struct comparison first = result.comparisons[0];
		while (result.comparison_count < sizes[k]) {
			struct comparison *c = result_add_comparison(&result);
			assert_non_null(c);
			*c = first;
		}
		struct html_result item = {.result = &result, .view.geometric_mean = NAN};
		assert_int_equal(html_write(&(struct html_page){.results = &item, .count = 1}, &out, NULL), 0);
		figures[k] = count_of(&out, "<figure");
		assert_int_equal(count_of(&out, "<details class=\"one"), sizes[k]);
		assert_int_equal(count_of(&out, "1000 of 1100 have plots"), k == 2);
		buffer_release(&out);
		result_release(&result);
	}
	assert_true(figures[1] > figures[0] + 998);
	assert_int_equal(figures[2], figures[1]);
}

static void thinned_data_keep_extremes_and_levels(void **state)
{
	(void)state;
	struct result result, thinned;
	struct phase phases[2] = {{20, 300, 0}, {20, 300, 0}};
	fill(&result, 100);
	result.subjects[1].metrics[0].phases = phases;
	result.subjects[1].metrics[0].phase_count = 2;
	assert_int_equal(raw_values(&result), 1200);
	assert_int_equal(result_warn(&result, "noted", "a note of its own"), 0);
	assert_int_equal(raw_thinned(&result, 60, &thinned, NULL), 0);
	for (size_t s = 0; s < 2; s++) {
		const struct series *whole = &result.subjects[s].metrics[0].series,
							*kept = &thinned.subjects[s].metrics[0].series;
		double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
		for (size_t i = 0; i < whole->n; i++) {
			low[0] = fmin(low[0], whole->values[i]);
			high[0] = fmax(high[0], whole->values[i]);
		}
		for (size_t i = 0; i < kept->n; i++) {
			low[1] = fmin(low[1], kept->values[i]);
			high[1] = fmax(high[1], kept->values[i]);
		}
		assert_true(low[0] == low[1] && high[0] == high[1]);
		assert_in_range(kept->n, 50, 60);
		assert_int_equal(kept->groups[0], 2);
		assert_int_equal(kept->groups[1], 6);
		assert_int_equal(kept->starts[1][6], kept->n);
		assert_int_equal(kept->starts[0][1], 3);
	}
	assert_null(thinned.subjects[1].metrics[0].phases);
	assert_int_equal(thinned.subjects[1].metrics[0].phase_count, 0);
	assert_false(thinned.design.paired);
	assert_int_equal(thinned.warning_count, 2);
	assert_string_equal(thinned.warnings[0].text, "a note of its own");
	assert_string_equal(thinned.warnings[1].code, "thinned");
	assert_true(result.design.paired);
	assert_int_equal(result.warning_count, 1);
	result_release(&thinned);
	/* Notes stay with the result whatever becomes of the other. */
	assert_int_equal(result_warn(&result, "noted", "a note of its own"), 0);
	assert_int_equal(result.warning_count, 1);
	assert_string_equal(result.warnings[0].text, "a note of its own");
	/* Nothing to leave out: the same values, still pairs and phases, no warning. */
	assert_int_equal(raw_thinned(&result, 600, &thinned, NULL), 0);
	assert_int_equal(thinned.subjects[1].metrics[0].phase_count, 2);
	assert_int_equal(raw_values(&thinned), 1200);
	assert_true(thinned.design.paired);
	assert_int_equal(thinned.warning_count, 1);
	assert_memory_equal(thinned.subjects[1].metrics[0].series.values, result.subjects[1].metrics[0].series.values,
	                    600 * sizeof(double));
	assert_memory_equal(thinned.subjects[1].metrics[0].series.starts[1], result.subjects[1].metrics[0].series.starts[1],
	                    7 * sizeof(uint32_t));
	result_release(&thinned);
	result_release(&result);
}

/* Two machines of four runs each, the second twice as slow. */
static void machines_have_no_order(void **state)
{
	(void)state;
	static const enum level fleet[] = {LEVEL_MACHINE, LEVEL_RUN, LEVEL_ITERATION};
	static const double noise[] = {0.3, -0.1, -0.3, 0.1};
	struct result result;
	struct buffer out = {0};
	struct plot_series plot;
	struct figure_kept kept;
	result_init(&result);
	for (size_t s = 0; s < 2; s++) {
		assert_non_null(result_add_subject(&result, s ? "new" : "old"));
		struct measurement *m = result_add_metric(&result, &result.subjects[s], "wall", "s", BETTER_LOWER, fleet, 3);
		assert_non_null(m);
		for (size_t i = 0; i < 8; i++)
			assert_int_equal(series_append(&m->series, i % 4 ? 1 : 0, (i < 4 ? 10 : 20) + noise[i % 4], NULL), 0);
		m->n = m->series.n;
	}
	struct comparison *c = result_add_comparison(&result);
	assert_non_null(c);
	c->metric = "wall";
	c->new_ = 1;
	c->pairs = 8;
	result.design.paired = true;
	struct figure_source source = {&result, c, 1, "wall"};
	assert_true(figure_fits(&source, FIGURE_PAIRS));
	assert_false(figure_fits(&source, FIGURE_PAIR_RATIOS));
	assert_false(figure_fits(&source, FIGURE_SEQUENCE));
	struct look look = {.width = 80};
	assert_int_equal(plots_one(&result, "wall", "sequence", &look, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "values of each machine in order"));
	assert_int_equal(figure_kept_series(&result.subjects[1].metrics[0], true, &plot, &kept), 0);
	assert_int_equal(plot.run_count, 2);
	assert_int_equal(plot.starts[1], 4);
	for (size_t i = 0; i < 8; i++)
		assert_float_equal(plot.values[i], 15 + noise[i % 4], 1e-12);
	figure_kept_release(&kept);
	buffer_release(&out);
	result_release(&result);
}

/* Of two runs the first is shorter than its warm-up: nothing of it is drawn. */
static void a_run_of_only_warmup_has_no_values_in_a_figure(void **state)
{
	(void)state;
	struct result result;
	struct plot_series plot;
	struct figure_kept kept;
	result_init(&result);
	assert_non_null(result_add_subject(&result, "a"));
	struct measurement *m = result_add_metric(&result, &result.subjects[0], "wall", "s", BETTER_LOWER, levels, 3);
	assert_non_null(m);
	for (size_t i = 0; i < 22; i++)
		assert_int_equal(series_append(&m->series, i == 0 ? 0 : i == 2 ? 1 : 2, (double)i, NULL), 0);
	m->skip = 5;
	m->n = 15;
	assert_int_equal(figure_kept_series(m, true, &plot, &kept), 0);
	assert_int_equal(plot.n, 15);
	assert_int_equal(plot.run_count, 2);
	assert_int_equal(plot.starts[1], 0);
	assert_int_equal(plot.starts[2], 15);
	figure_kept_release(&kept);
	struct figure_source source = {&result, NULL, 0, "wall"};
	static const enum figure figures[] = {FIGURE_LAG, FIGURE_ACF, FIGURE_HISTOGRAM};
	for (size_t i = 0; i < 3; i++) {
		struct buffer out = {0};
		struct error err = {0};
		assert_int_equal(figure_draw(&source, figures[i], &(struct svg_options){.id = "x"}, &out, &err), 0);
		buffer_release(&out);
	}
	result_release(&result);
}

static void figures_have_names_and_know_what_they_need(void **state)
{
	(void)state;
	struct result result, empty;
	fill(&result, 8);
	struct figure_source source = {&result, &result.comparisons[0], 1, "wall"};
	for (enum figure figure = FIGURE_RATIO; figure < FIGURE_COUNT; figure++) {
		struct buffer out = {0};
		struct error err = {0};
		assert_int_equal(figure_by_name(figure_name(figure)), figure);
		bool fits = figure_fits(&source, figure);
		assert_int_equal(figure_draw(&source, figure, &(struct svg_options){.id = "x"}, &out, &err), fits ? 0 : -1);
		assert_int_equal(err.kind, fits ? ERROR_NONE : ERROR_NO_DATA);
		buffer_release(&out);
	}
	assert_true(figure_fits(&source, FIGURE_PAIRS));
	assert_false(figure_fits(&source, FIGURE_ORDER));  /* no order was recorded */
	assert_false(figure_fits(&source, FIGURE_LEVELS)); /* not analysed */
	source.metric = "cpu";
	assert_false(figure_fits(&source, FIGURE_SEQUENCE));
	assert_int_equal(figure_by_name("pie"), FIGURE_COUNT);
	result_release(&result);
	result_init(&empty);
	assert_non_null(result_add_subject(&empty, "nothing"));
	struct html_result item = {.result = &empty, .view.geometric_mean = NAN};
	struct buffer out = {0};
	assert_int_equal(html_write(&(struct html_page){.results = &item, .count = 1}, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "nothing: no values"));
	buffer_release(&out);
	result_release(&empty);
}

static void a_page_tells_what_the_terminal_does(void **state)
{
	(void)state;
	struct result result;
	struct work_result work;
	struct buffer out = {0};
	result_init(&result);
	struct subject *subject = result_add_subject(&result, "copy");
	struct measurement *m = result_add_metric(&result, subject, "wall", "s", BETTER_LOWER, levels, 3);
	for (size_t i = 0; i < 6; i++)
		series_append(&m->series, 0, (double)(i + 1), NULL);
	m->n = 6;
	m->mean = 3.5;
	m->median = 0;
	m->ci = (struct confidence){.level = 0.95, .low = 3, .high = 4};
	struct description described = *m->described;
	described.median_ci = (struct confidence){.level = 0.95, .low = 0, .high = 8e-4};
	m->described = &described;
	work_result_init(&work);
	work.speed_unit = "1/s";
	work.speed = 1.058e9;
	work.speed_ci = (struct confidence){.level = 0.95, .low = 1.047e9, .high = 1.069e9};
	work.rounds = work.used = 6;
	subject->work = &work;
	struct html_result item = {.result = &result, .view.geometric_mean = NAN};
	const struct html_page page = {.results = &item, .count = 1};
	assert_int_equal(html_write(&page, &out, NULL), 0);
	/* Times of different work amounts have no mean: the line is the answer. */
	assert_non_null(strstr(buffer_text(&out), "<h1>copy: stable speed 1.058 G/s (1.047 to 1.069 G/s, 95\u00a0%)</h1>"));
	assert_non_null(strstr(buffer_text(&out), "<td class=\"number\">1.058 G/s</td>"));
	/* A value and its interval have one unit. */
	assert_non_null(strstr(buffer_text(&out), ">0 \u00b5s</td>\n<td class=\"interval\">[0, 800]</td>"));
	described.median_ci.high = 0;
	work.refused = "the time hardly depends on the work";
	buffer_clear(&out);
	assert_int_equal(html_write(&page, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "<h1>copy: no stable speed</h1>"));
	assert_non_null(strstr(buffer_text(&out), ">0 s</td>\n<td class=\"interval\">[0, 0]</td>"));
	buffer_release(&out);
	result_release(&result);
}

/* The caption of a sequence of n values of one run, of which `skip` are left out and those from `at` on are higher. */
static void assert_caption(size_t n, size_t skip, size_t at, const char *expected)
{
	static const enum level run_levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct result result;
	struct buffer text = {0}, svg = {0};
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          run_levels, 2);
	for (size_t i = 0; i < n; i++)
		series_append(&m->series, i > 0 ? 1 : 0, (i < at ? 1 : 2) + 0.01 * (double)(i * 7919 % 1013) / 1013, NULL);
	m->skip = skip;
	struct figure_source source = {&result, NULL, 0, "wall"};
	assert_int_equal(figure_caption(&source, FIGURE_SEQUENCE, 0, &text, NULL), 0);
	assert_string_equal(buffer_text(&text), expected);
	assert_int_equal(figure_draw(&source, FIGURE_SEQUENCE, &(struct svg_options){.id = "x"}, &svg, NULL), 0);
	assert_int_equal(strstr(buffer_text(&svg), "class=\"change\"") != NULL, strstr(expected, "Dashed") != NULL);
	assert_int_equal(strstr(buffer_text(&svg), "warm-up") != NULL, strstr(expected, "Shaded") != NULL);
	assert_int_equal(strstr(buffer_text(&svg), "class=\"range") != NULL, strstr(expected, "stroke") != NULL);
	buffer_release(&text);
	buffer_release(&svg);
	result_release(&result);
}

static void a_caption_names_what_is_drawn(void **state)
{
	(void)state;
	assert_caption(60, 0, 60, "Values in the order in which they were measured.");
	assert_caption(60, 3, 60,
	               "Values in the order in which they were measured. Shaded: warm-up, left out of the numbers.");
	assert_caption(60, 0, 30, "Values in the order in which they were measured. Dashed line: where the level changed.");
	assert_caption(90, 3, 40,
	               "Values in the order in which they were measured. Shaded: warm-up, left out of the numbers. Dashed "
	               "line: where the level changed.");
	assert_caption(
		1000, 0, 1000,
		"Values in the order in which they were measured. Each stroke reaches from the lowest to the highest of "
		"neighbouring values; the line through them is their median.");
}

/* Which of the two strips is called "base first": the one of the smaller ratios or the other. */
static bool smaller_is_base_first(struct result *result)
{
	struct plot_strip strips[2];
	double *values = NULL;
	assert_true(figure_orders_exist(result, &result->comparisons[0]));
	assert_int_equal(figure_by_order(result, &result->comparisons[0], strips, &values), 0);
	bool first = strcmp(strips[0].name, "base first") == 0;
	assert_string_equal(strips[first ? 1 : 0].name, "new first");
	bool smaller = strips[first ? 0 : 1].median < strips[first ? 1 : 0].median;
	mem_free(values);
	return smaller;
}

/* What runs first takes 10 % more: base first makes the smaller ratios, whichever subject is the base. */
static void order_is_told_by_the_base(void **state)
{
	(void)state;
	static const char *order[] = {"BA", "AB", "AB", "BA", "BA", "AB"};
	struct result result;
	fill(&result, 1);
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < 6; i++)
			result.subjects[s].metrics[0].series.values[i] = order[i][0] == "AB"[s] ? 1.1 : 1;
	result.design.order = order;
	result.design.order_count = 6;
	struct comparison *c = &result.comparisons[0];
	assert_true(smaller_is_base_first(&result));
	c->base = 1;
	c->new_ = 0;
	assert_true(smaller_is_base_first(&result));
	/* The sides of programs, where subjects have them. */
	result.subjects[0].side = 1;
	result.subjects[1].side = 0;
	assert_false(smaller_is_base_first(&result));
	result_release(&result);
}

/* Two runs one after the other: each has its own warm-up; a third one is not longer than what is left out. */
static void every_run_has_its_warm_up(void **state)
{
	(void)state;
	static const size_t lengths[] = {40, 40, 5};
	struct result result;
	struct buffer out = {0};
	result_init(&result);
	assert_non_null(result_add_subject(&result, "x"));
	struct measurement *m = result_add_metric(&result, &result.subjects[0], "wall", "s", BETTER_LOWER, levels + 1, 2);
	assert_non_null(m);
	for (size_t run = 0; run < 3; run++)
		for (size_t i = 0; i < lengths[run]; i++)
			assert_int_equal(series_append(&m->series, i > 0, i < 6 ? 2 : 1 + 0.01 * (double)(i % 5), NULL), 0);
	m->n = m->series.n;
	m->skip = 8;
	assert_int_equal(measurement_add_skip(&result, m, 0, 6), 0);
	struct figure_source source = {&result, NULL, 0, "wall"};
	assert_int_equal(figure_draw(&source, FIGURE_SEQUENCE, &(struct svg_options){.id = "x"}, &out, NULL), 0);
	const char *first = strstr(buffer_text(&out), "warm-up: 6 values");
	assert_non_null(first);
	const char *second = strstr(first, "warm-up: 8 values");
	assert_non_null(second);
	assert_null(strstr(second + 1, "warm-up: "));
	buffer_clear(&out);
	struct look look = {.charset = TEXT_ASCII};
	assert_int_equal(plots_measurement(&result, &result.subjects[0], m, 1, &look, &out, NULL), 0);
	size_t marks = 0;
	for (const char *at = strstr(buffer_text(&out), "-w"); at && *at && *at != '\n'; at++)
		marks += *at == 'w';
	assert_int_equal(marks, 2);
	buffer_release(&out);
	result_release(&result);
}

static void comparisons_are_sorted_from_worst_to_best(void **state)
{
	(void)state;
	struct result result;
	static const double ratios[] = {1.01, NAN, 0.9, 1.3, 1.01};
	size_t order[5];
	fill(&result, 2);
	result.comparison_count = 0;
	result.comparisons = NULL;
	for (size_t i = 0; i < 5; i++) {
		struct comparison *c = result_add_comparison(&result);
		assert_non_null(c);
		c->metric = "wall";
		c->ratio = ratios[i];
	}
	figure_sort_comparisons(&result, order);
	assert_memory_equal(order, ((size_t[]){3, 0, 4, 2, 1}), sizeof(order));
	/* Where more is better, less is worse. */
	result.subjects[0].metrics[0].metric.better = BETTER_HIGHER;
	figure_sort_comparisons(&result, order);
	assert_memory_equal(order, ((size_t[]){2, 0, 4, 3, 1}), sizeof(order));
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(out_of_memory_anywhere_is_told),
		cmocka_unit_test(same_input_same_bytes),
		cmocka_unit_test(commands_stay_as_they_are),
		cmocka_unit_test(plots_of_a_large_suite_are_bounded),
		cmocka_unit_test(thinned_data_keep_extremes_and_levels),
		cmocka_unit_test(machines_have_no_order),
		cmocka_unit_test(a_run_of_only_warmup_has_no_values_in_a_figure),
		cmocka_unit_test(figures_have_names_and_know_what_they_need),
		cmocka_unit_test(a_page_tells_what_the_terminal_does),
		cmocka_unit_test(a_caption_names_what_is_drawn),
		cmocka_unit_test(order_is_told_by_the_base),
		cmocka_unit_test(every_run_has_its_warm_up),
		cmocka_unit_test(comparisons_are_sorted_from_worst_to_best),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
