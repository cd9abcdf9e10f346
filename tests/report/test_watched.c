/* Traces by run, the choice of them, and the graph as text: against answers by hand. */
#include "report/figures.h"
#include "report/graph.h"
#include "report/watched.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static double one[] = {0.1, 0.2, 0.3, 0.4}, two[] = {0, NAN, 1, 1}, three[] = {0.5, 0.5, 0.5, 0.5};
static double runs[] = {0, 1.5, 3};

static struct trace traces[] = {
	{.component = "cpu0", .quantity = "busy", .unit = "", .kind = GAUGE_USE, .values = three, .peaks = three},
	{.component = "cpu", .quantity = "busy", .unit = "", .kind = GAUGE_USE, .values = one, .peaks = one},
	{.component = "disk:sda", .quantity = "read", .unit = "B/s", .kind = GAUGE_RATE, .values = one, .peaks = one},
	{.component = "disk:sda", .quantity = "busy", .unit = "", .kind = GAUGE_USE, .values = two, .peaks = two},
};
static struct saturation saturated = {.component = "disk:sda", .quantity = "busy"};

static struct monitoring watched(void)
{
	struct monitoring m;
	monitoring_init(&m);
	m.recorded = true;
	m.slot = 1;
	m.slots = 4;
	m.traces = traces;
	m.trace_count = 4;
	m.runs = runs;
	m.run_count = 3;
	m.saturations = &saturated;
	m.saturation_count = 1;
	return m;
}

static void test_by_run(void **state)
{
	(void)state;
	struct monitoring m = watched();
	double out[4];
	/* 0 to 1.5: all of 0.1 and half of 0.2; 1.5 to 3: half of 0.2 and all of 0.3; 3 to the end: 0.4. */
	watched_by_run(&m, &traces[1], 0, 3, out);
	assert_true(fabs(out[0] - (0.1 + 0.1) / 1.5) < 1e-12);
	assert_true(fabs(out[1] - (0.1 + 0.3) / 1.5) < 1e-12);
	assert_true(fabs(out[2] - 0.4) < 1e-12);
	/* What was not seen has no weight; what is past the last run is not known. */
	watched_by_run(&m, &traces[3], 1, 3, out);
	assert_true(out[0] == 1 && out[1] == 1 && isnan(out[2]));
}

static void test_choice(void **state)
{
	(void)state;
	struct monitoring m = watched();
	size_t chosen[3];
	/* What was near its limit first; a single CPU that was not is told by all of them; rates are no use. */
	assert_int_equal(watched_choose(&m, chosen, 3), 2);
	assert_int_equal(chosen[0], 3);
	assert_int_equal(chosen[1], 1);
	assert_int_equal(watched_choose(&m, chosen, 1), 1);
	m.trace_count = 0;
	assert_int_equal(watched_choose(&m, chosen, 3), 0);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(component_is("cpu3", "cpu") && component_is("cpu", "cpu") && component_is("disk:sda", "disk"));
	assert_true(component_is("disk:sda", "disk:sda"));
	assert_false(component_is("disk:sda", "disk:sd") || component_is("disk:sda1", "disk:sda") ||
	             component_is("cpuset", "cpu"));
	assert_false(component_is("cpu", "cpu0"));
}

/* With what the machine did below, the values are drawn as without: far ones counted, changes of level marked. */
static void test_values_above_the_traces(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	double starts[60];
	struct result result;
	struct buffer out = {0};
	result_init(&result);
	assert_non_null(result_add_subject(&result, "x"));
	struct measurement *m = result_add_metric(&result, &result.subjects[0], "wall", "s", BETTER_LOWER, levels, 2);
	assert_non_null(m);
	for (size_t i = 0; i < 60; i++) {
		double value = i == 50 ? 90 : (i < 30 ? 1 : 2) + 0.01 * (double)(i * 37 % 11);
		assert_int_equal(series_append(&m->series, 0, value, NULL), 0);
		starts[i] = (double)i / 20;
	}
	result.monitoring = watched();
	result.monitoring.runs = starts;
	result.monitoring.run_count = 60;
	struct figure_source source = {&result, NULL, 0, "wall"};
	assert_int_equal(figure_draw(&source, FIGURE_SEQUENCE, &(struct svg_options){.id = "x"}, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "what the machine did meanwhile"));
	assert_non_null(strstr(buffer_text(&out), ">1 above, up to 90.00 s</text>"));
	const char *change = strstr(buffer_text(&out), "<line class=\"change\"");
	assert_non_null(change);
	assert_null(strstr(change + 1, "<line class=\"change\""));
	buffer_release(&out);
	result_release(&result);
}

static void test_graph(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph = {0};
	struct buffer out = {0};
	struct svg_options options = {.id = "g", .standalone = true};
	graph_node(&graph, &arena, "command", "command");
	graph_node(&graph, &arena, "pipe:\"a\\b<c>&\n", "pipe")->limiting = true;
	graph_node(&graph, &arena, "alone", "disk");
	struct graph_link *there = graph_link(&graph, &arena, 0, 1);
	there->mean = 0.93;
	there->peak = 1;
	there->capacity = 2e6;
	there->limiting = true;
	graph_link(&graph, &arena, 1, 0);
	assert_int_equal(graph.link_count, 2);
	assert_ptr_equal(graph_link(&graph, &arena, 0, 1), &graph.links[0]);
	assert_int_equal(graph_dot(&graph, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "n1 [label=\"pipe:\\\"a\\\\b<c>& \\nlimits\""));
	assert_non_null(
		strstr(buffer_text(&out), "n0 -> n1 [label=\"93 % (up to 100 %)\\nof 2.000 MB/s\\nlimits\", color="));
	assert_non_null(strstr(buffer_text(&out), "n1 -> n0 [label=\"\"];"));
	buffer_clear(&out);
	assert_int_equal(svg_graph(&graph, &options, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "limits: 93 %"));
	assert_null(strstr(buffer_text(&out), "<c>"));
	buffer_clear(&out);
	graph_node(&graph, &arena,
	           "disk:a very long name of a device that somebody mapped by itself "
	           "and then called by this name \u00e4\u00f6\u00fc\u00e4\u00f6\u00fc",
	           "disk")
		->limiting = true;
	assert_int_equal(svg_graph(&graph, &options, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "called by this name \u00e4\u00f6\u00fc\u00e4\u00f6\u00fc</desc>"));
	buffer_clear(&out);
	graph = (struct graph){0};
	assert_int_equal(svg_graph(&graph, &options, &out, NULL), 0);
	assert_int_equal(graph_dot(&graph, &out, NULL), 0);
	buffer_release(&out);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_run), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_names),  cmocka_unit_test(test_values_above_the_traces),
		cmocka_unit_test(test_graph),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
