#include "report/text.h"

#include "report/ci_report.h"
#include "report/history_text.h"
#include "report/overview.h"
#include "report/plots.h"
#include "report/text_width.h"
#include "report/words.h"
#include "support/known.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static void assert_warnings(const struct result *result, const char *expected)
{
	struct buffer text = {0};
	text_warnings(result, SIZE_MAX, &text);
	assert_string_equal(buffer_text(&text), expected);
	buffer_release(&text);
}

static void warnings_that_say_the_same_are_told_once(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	assert_warnings(&result, "");
	result_about_warn(&result, "one-run", "a", "one run only");
	assert_warnings(&result, "note: a: one run only\n");
	result_warn(&result, "unmapped", "something is not used");
	result_about_warn(&result, "one-run", "b, cpu", "one run only");
	assert_warnings(&result, "note: one run only (a; b, cpu)\nnote: something is not used\n");
	result_about_warn(&result, "one-run", "c", "one run only");
	result_about_warn(&result, "one-run", "d", "one run only");
	result_about_warn(&result, "one-run", "e", "one run only");
	assert_warnings(&result, "note: one run only (a; b, cpu; c and 2 more)\nnote: something is not used\n");
	result_release(&result);
}

/* Of one kind a few are told, in the order they came. */
static void many_of_a_kind_are_counted(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	for (int i = 9; i > 0; i--)
		result_about_warn(&result, "few-runs", "x", "%d runs are few", i);
	result_warn(&result, "other", "and another");
	assert_warnings(&result, "note: x: 9 runs are few\nnote: x: 8 runs are few\nnote: x: 7 runs are few\n"
	                         "note: x: 6 runs are few\nnote: 5 more like this (--json has all)\nnote: and another\n");
	result_release(&result);
}

/* 20 000 of them in a moment: the test would time out if each looked at all others. */
static void very_many(void **state)
{
	(void)state;
	struct result result;
	result_init(&result);
	for (int i = 0; i < 20000; i++) {
		char name[32];
		snprintf(name, sizeof(name), "benchmark %d", i);
		assert_int_equal(result_about_warn(&result, "one-run", name, "one run only"), 0);
		assert_int_equal(result_about_warn(&result, "few-runs", name, "%d runs", i), 0);
	}
	assert_int_equal(result.warning_count, 40000);
	assert_warnings(&result, "note: one run only (benchmark 0; benchmark 1; benchmark 2 and 19997 more)\n"
	                         "note: benchmark 0: 0 runs\nnote: benchmark 1: 1 runs\nnote: benchmark 2: 2 runs\n"
	                         "note: benchmark 3: 3 runs\nnote: 19996 more like this (--json has all)\n");
	result_release(&result);
}

static void add_value(struct result *result, size_t subject, const char *metric, const char *unit, double value)
{
	struct measurement *m = result_add_metric(result, &result->subjects[subject], metric, unit, BETTER_LOWER, levels,
	                                          2);
	series_append(&m->series, 0, value, NULL);
	m->n = 1;
	m->units = 1;
	m->unit = LEVEL_RUN;
	m->mean = m->median = value;
}

static void single_values_have_a_line_each(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	result_add_subject(&result, "BM_\x1b[31m");
	add_value(&result, 0, "wall", "s", 1e-8);
	add_value(&result, 0, "items_per_second", "items/s", 2e6);
	text_subject(&result, &result.subjects[0], &text);
	assert_string_equal(buffer_text(&text), "BM_\\x1b[31m, one value of each:\n"
	                                        "  wall              10.00 ns\n  items_per_second  2.000 M/s\n");
	buffer_release(&text);
	result_add_subject(&result, "alone");
	add_value(&result, 1, "value", "", 0);
	text_subject(&result, &result.subjects[1], &text);
	assert_string_equal(buffer_text(&text), "alone  1 run\n  value       0\n");
	buffer_release(&text);
	result_release(&result);
}

static void a_heading_that_does_not_fit_takes_two_lines(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	result_add_subject(&result, "com.example.benchmarks.VeryLongNames.thatAreUsualInOtherLanguages");
	add_value(&result, 0, "throughput", "ops/s", 5);
	text_subject(&result, &result.subjects[0], &text);
	assert_string_equal(buffer_text(&text), "com.example.benchmarks.VeryLongNames.thatAreUsualInOtherLanguages\n"
	                                        "  throughput, 1 run\n  value       5.000 ops/s\n");
	buffer_release(&text);
	result_release(&result);
}

/* A metric and a failure with long names: cut between characters, and told that they are. */
static void long_names_lose_their_middle(void **state)
{
	(void)state;
	char name[3 * 70 + 2] = "x";
	for (size_t i = 0; i < 70; i++)
		strcat(name, "\u20ac");
	struct result result;
	struct buffer text = {0};
	struct table table = {0};
	result_init(&result);
	result_add_subject(&result, "one");
	add_value(&result, 0, name, "", 5);
	overview_subjects(&result, &table);
	assert_int_equal(table_text(&table, &(struct look){0}, &text, NULL), 0);
	assert_null(strstr(buffer_text(&text), "\\x"));
	assert_non_null(strstr(buffer_text(&text), "mean x\u20ac"));
	assert_non_null(strstr(buffer_text(&text), "\u20ac\u2026\u20ac"));
	table_release(&table);
	buffer_clear(&text);
	result_add_failure(&result, &result.subjects[0], (struct failure){name, 0, 0});
	assert_int_equal(junit_write(&result, 1, false, &text, NULL), 0);
	assert_null(strstr(buffer_text(&text), "\\x"));
	assert_non_null(strstr(buffer_text(&text), name));
	buffer_release(&text);
	result_release(&result);
}

static void assert_lines_fit(const char *text)
{
	char *lines = strdup(text);
	assert_non_null(lines);
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		if (text_width(line, TEXT_UNICODE) > 80)
			fail_msg("too wide: %s", line);
	free(lines);
}

static void titles_fit_the_line(void **state)
{
	(void)state;
	static const char subject[] =
		"com.example.benchmarks.VeryLongNames.thatAreUsualInOtherLanguages.andGoOnAndOnForever";
	static const char metric[] = "transactions that were answered before their deadline.units";
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	result_add_subject(&result, subject);
	add_value(&result, 0, metric, "s", 1);
	assert_int_equal(plots_measurement(&result, &result.subjects[0], &result.subjects[0].metrics[0], 1,
	                                   &(struct look){0}, &text, NULL),
	                 0);
	assert_lines_fit(buffer_text(&text));
	assert_non_null(strstr(buffer_text(&text), "\n  transactions that were answered before their deadline.units\n"));
	buffer_clear(&text);
	struct history_point points[] = {{.commit = "", .value = 1, .low = NAN, .high = NAN},
	                                 {.commit = "", .value = 2, .low = NAN, .high = NAN}};
	struct history_series series = {.subject = subject,
	                                .metric = metric,
	                                .unit = "s",
	                                .points = points,
	                                .n = 2,
	                                .stratum = "a machine of a name that is longer than most machines have, and "
	                                           "a kernel of its own"};
	assert_int_equal(history_text_trend(&series, 10, &(struct look){0}, &text, NULL), 0);
	assert_lines_fit(buffer_text(&text));
	assert_non_null(strstr(buffer_text(&text), ", 2 results from #0 to #0\n  on a machine"));
	buffer_clear(&text);
	series.subject = series.metric = "wall";
	series.stratum = "imported from nightly.csv";
	assert_int_equal(history_text_trend(&series, 10, &(struct look){0}, &text, NULL), 0);
	assert_int_equal(strncmp(buffer_text(&text), "wall, 2 results from #0 to #0\n  imported from nightly.csv\n", 58),
	                 0);
	buffer_release(&text);
	result_release(&result);
}

static void what_stands_beside_a_mean_is_a_mean(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	result_add_subject(&result, "a");
	add_value(&result, 0, "wall", "s", 2);
	add_value(&result, 0, "cpu", "s", 1.5);
	result.subjects[0].metrics[1].median = 0.75;
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "a: wall 2.000 s\n  1 run\n  cpu 1.500 s\n"));
	buffer_clear(&text);
	result_add_subject(&result, "b");
	add_value(&result, 1, "wall", "s", 3);
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "mean wall"));
	assert_non_null(strstr(buffer_text(&text), "1.500 s"));
	assert_null(strstr(buffer_text(&text), "750"));
	buffer_release(&text);
	result_release(&result);
}

/* Two commands of 48 runs, and what a comparison of them says. */
static struct comparison *two_commands(struct result *result)
{
	static const char *const names[] = {"./old --with arguments input", "./new --with arguments input"};
	result_init(result);
	for (size_t i = 0; i < 2; i++) {
		result_add_subject(result, names[i]);
		add_value(result, i, "cpu", "s", 0.010 + 0.0002 * (double)i);
		add_value(result, i, "wall", "s", 0.011);
		struct measurement *m = &result->subjects[i].metrics[0];
		m->n = m->units = 48;
		m->sd = 0.0004;
		m->min = 0.0098;
		m->max = 0.0117;
	}
	result->elapsed = 3;
	result->design.name = "turns";
	result->design.metric_why = "they compute";
	struct comparison *c = result_add_comparison(result);
	c->new_ = 1;
	c->metric = "cpu";
	c->design = "turns";
	c->pairs = 48;
	c->margin = 0.01;
	c->ratio = 1.02;
	c->ci = (struct confidence){.level = 0.99, .low = 0.995, .high = 1.045};
	c->verdict = VERDICT_UNDECIDED;
	c->unresolved = "total includes 0 % and changes above 1 %";
	c->more_time = 2;
	return c;
}

/* As a terminal of 80 columns shows them, which wraps what is longer. */
static size_t count_lines(const char *text)
{
	size_t lines = 0;
	for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		char line[1000];
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		size_t width = text_width(line, TEXT_UNICODE);
		lines += width > 80 ? (width + 79) / 80 : 1;
	}
	return lines;
}

static void assert_no_line_twice(const char *text)
{
	for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		size_t length = (size_t)(end + 1 - line);
		for (const char *other = end + 1; length > 1 && (other = strstr(other, line)) != NULL; other++)
			assert_false(strncmp(other, line, length) == 0);
	}
}

static void a_line_never_ends_inside_an_interval(void **state)
{
	(void)state;
	struct buffer text = {0};
	text_wrap(
		&text,
		"cannot tell yet whether sleep 0.2 differs from sleep 0.1: \u00d7 1.99 [\u00d7 1.89, \u00d7 2.10] at 99 %", 0,
		0);
	assert_string_equal(buffer_text(&text), "cannot tell yet whether sleep 0.2 differs from sleep 0.1: \u00d7 1.99\n"
	                                        "[\u00d7 1.89, \u00d7 2.10] at 99 %\n");
	buffer_clear(&text);
	text_wrap(&text, "cannot tell yet whether the newest build differs from the very oldest build: \u00d7 1.99 of it",
	          0, 0);
	assert_non_null(strstr(buffer_text(&text), "build:\n\u00d7 1.99 of it\n"));
	buffer_clear(&text);
	text_wrap(&text,
	          "sd 44.3 \u00b5s (2.16 %), MAD 15.1 \u00b5s, 1 outlier (1 far), and the least is 12345.012 ms, max 2", 0,
	          0);
	assert_non_null(strstr(buffer_text(&text), "least is\n12345.012 ms, max 2\n"));
	buffer_release(&text);
}

static void two_commands_take_twelve_lines(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	two_commands(&result);
	result.disturbance.recorded = true;
	result.disturbance.preempted = 0.4;
	result.disturbance.steal = 0.1;
	for (int i = 0; i < 6; i++) {
		char code[16];
		snprintf(code, sizeof(code), "kind %d", i);
		result_warn(&result, code, "%d things that a reader of eighty columns needs more than one line of text for", i);
	}
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	text_hint(&result, &(struct look){0}, &text);
	assert_int_equal(strncmp(buffer_text(&text), "cannot tell yet whether ./new", 29), 0);
	assert_non_null(
		strstr(buffer_text(&text), "\n  total includes 0 % and changes above 1 %; about 2.0 s more would decide it\n"));
	assert_non_null(strstr(buffer_text(&text), "\ndisturbed: 40 % of the runs waited for a CPU\n"));
	assert_non_null(strstr(buffer_text(&text), "note: -v shows "));
	assert_non_null(strstr(buffer_text(&text), "\nnext: --max-time 5s"));
	assert_lines_fit(buffer_text(&text));
	assert_no_line_twice(buffer_text(&text));
	assert_true(count_lines(buffer_text(&text)) <= 11); /* one more says what it was saved as */
	buffer_clear(&text);
	struct comparison *c = &result.comparisons[0];
	/* The gate's lines count too: what is missing is said by them alone. */
	for (int open = 0; open < 2; open++) {
		result.gate = (struct gate_result){.limit = 0.005, .state = open ? GATE_OPEN : GATE_BROKEN, .about = "./new"};
		assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
		text_hint(&result, &(struct look){0}, &text);
		struct buffer sentence = {0};
		words_gate(&result, &sentence);
		text_wrap(&text, buffer_text(&sentence), 0, 2);
		words_gate_line(&result, 0.99, &text);
		buffer_release(&sentence);
		assert_null(strstr(buffer_text(&text), "total includes 0 %"));
		assert_int_equal(strstr(buffer_text(&text), "\nnext: --max-time 5s, or a wider --gate;") != NULL, open);
		assert_int_equal(strstr(buffer_text(&text), "\nnext: ") != NULL, open);
		assert_true(count_lines(buffer_text(&text)) <= 12);
		buffer_clear(&text);
	}
	result.gate.limit = NAN;
	const char *design = c->design;
	c->design = "duet";
	const struct confidence ci = {.level = 0.95, .low = 1.01, .high = 1.07};
	c->interference = &(struct interference){1.04, 1.04, ci, ci};
	struct pair_findings paired = *c->paired;
	paired.order_effect = 0.003;
	paired.order_half = 0.001;
	c->paired = &paired;
	c->unresolved = NULL;
	c->more_time = NAN;
	const struct disturbance disturbance = result.disturbance;
	result.disturbance.recorded = false; /* what disturbed them would have the line of their company */
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	text_hint(&result, &(struct look){0}, &text);
	assert_non_null(strstr(buffer_text(&text), "  together they take 1.04 (1.01 to 1.07) and 1.04 (1.01 to 1.07)"));
	assert_non_null(strstr(buffer_text(&text), "; the second CPU is 0.3"));
	assert_lines_fit(buffer_text(&text));
	assert_true(count_lines(buffer_text(&text)) <= 12);
	paired.order_half = 0.004;
	buffer_clear(&text);
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "; the two CPUs differ by at most 0.7"));
	assert_null(strstr(buffer_text(&text), "second CPU"));
	/* An interval wider than the number is no answer. */
	c->interference = &(struct interference){0.45, 1.04, {.level = 0.95, .low = 0, .high = 1788}, ci};
	buffer_clear(&text);
	assert_int_equal(overview_text(&result, &(struct look){0}, &text, NULL), 0);
	assert_non_null(
		strstr(buffer_text(&text), "together they take 0.45 (not known to within 100 %) and 1.04 (1.01 to 1.07)"));
	c->design = design;
	c->interference = &interference_none;
	result.disturbance = disturbance;
	buffer_clear(&text);
	assert_int_equal(overview_text(&result, &(struct look){.verbose = true}, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "5 things"));
	assert_non_null(strstr(buffer_text(&text), "the hypervisor gave 10 %"));
	assert_non_null(strstr(buffer_text(&text), "  total       +2.0 %"));
	buffer_release(&text);
	result_release(&result);
}

/* What a user of a terminal sees, but for what it was saved as. */
static void whole_output(const struct result *result, struct buffer *out)
{
	struct buffer sentence = {0};
	buffer_clear(out);
	assert_int_equal(overview_text(result, &(struct look){0}, out, NULL), 0);
	text_hint(result, &(struct look){0}, out);
	if (isnan(result->gate.limit))
		return;
	words_gate(result, &sentence);
	text_wrap(out, buffer_text(&sentence), 0, 2);
	assert_lines_fit(buffer_text(out));
	words_gate_line(result, 0.99, out); /* one line for programs, however long it is */
	buffer_release(&sentence);
}

static void every_outcome_takes_twelve_lines(void **state)
{
	(void)state;
	static const struct {
		enum verdict verdict;
		const char *by, *first;
		double ratio, total;
		struct confidence ci, total_ci;
	} outcomes[] = {
		{VERDICT_FASTER,
	     "total",
	     "is 8.2 % faster",
	     0.918,
	     0.918,
	     {.low = 0.87, .high = 0.96},
	     {.low = 0.878, .high = 0.958}},
		{VERDICT_SLOWER,
	     "typical+total",
	     "is 2.04 times slower",
	     2.04,
	     2.04,
	     {.low = 1.9, .high = 2.2},
	     {.low = 1.9, .high = 2.2}},
		{VERDICT_SLOWER,
	     "share",
	     "percentage points more slow runs",
	     1.001,
	     1.002,
	     {.low = 0.999, .high = 1.003},
	     {.low = 0.998, .high = 1.004}},
		{VERDICT_MIXED,
	     "typical+total",
	     "is mixed: ",
	     0.95,
	     1.08,
	     {.low = 0.94, .high = 0.96},
	     {.low = 1.05, .high = 1.11}},
		{VERDICT_SAME,
	     NULL,
	     "within 1.0 % (in the usual run",
	     1,
	     1.001,
	     {.low = 0.9911, .high = 1.0051},
	     {.low = 0.98, .high = 1.02}},
		{VERDICT_UNDECIDED,
	     NULL,
	     "cannot tell yet whether",
	     1.02,
	     1.02,
	     {.low = 0.99, .high = 1.05},
	     {.low = 0.99, .high = 1.05}},
	};
	static const struct {
		const char *base, *new_;
	} names[] = {{"./old", "./new"},
	             {"./spin 1000000", "./spin 1000000 #2"},
	             {"./old --with arguments input", "./new --with arguments input"}};
	static const enum gate gates[] = {GATE_NONE, GATE_HELD, GATE_BROKEN, GATE_OPEN};
	enum { TWINS = 1, DUET = 2, NOTES = 4, FAILURE = 8, FEW = 16, ALL = 32 };
	struct buffer text = {0};
	for (size_t o = 0; o < sizeof(outcomes) / sizeof(outcomes[0]); o++)
		for (size_t g = 0; g < 4; g++)
			for (int kind = 0; kind < ALL; kind++)
				for (size_t n = 0; n < 3; n++) {
					/* A gate over failed runs tells of them itself; one program has one name, of which "#2" is the other. */
					if ((g > 0 && kind & FAILURE) || (n == 2 && kind & TWINS))
						continue;
					struct result result;
					struct comparison *c = two_commands(&result);
					result.subjects[0].name = names[n].base;
					result.subjects[1].name = names[n].new_;
					static int cpus[] = {1, 0};
					result.design.cpus = cpus;
					result.design.cpu_count = kind & DUET ? 2 : 1;
					result.disturbance.recorded = true;
					result.disturbance.preempted = 0.4;
					c->verdict = outcomes[o].verdict;
					c->decided_by = outcomes[o].by;
					c->scope = outcomes[o].verdict == VERDICT_SAME ? SCOPE_TYPICAL : SCOPE_TOTAL;
					c->ratio = outcomes[o].ratio;
					c->ci = outcomes[o].ci;
					struct ratio_estimate total = {.ratio = outcomes[o].total, .ci = outcomes[o].total_ci};
					c->total = &total;
					c->ci.level = total.ci.level = 0.99;
					c->pairs = kind & FEW ? 27 : 1746;
					const struct confidence ci = {.level = 0.95, .low = 0.91, .high = 1.02};
					struct interference interference = {0.96, 0.97, ci, ci};
					struct pair_findings paired = *c->paired;
					paired.share_difference = 0.021;
					paired.share_ci = (struct confidence){.level = 0.99, .low = 0.011, .high = 0.031};
					c->paired = &paired;
					if (kind & DUET) {
						c->design = result.design.name = "duet";
						paired.order_effect = 0.003;
						paired.order_half = 0.001;
						c->interference = &interference;
					}
					struct gate_findings gated = {0.02,
					                              {.level = 0.98, .low = 0.9905, .high = 1.0093, .method = "typical"}};
					c->gated = &gated;
					c->gate = gates[g];
					if (g > 0)
						result.gate = (struct gate_result){.limit = 0.02, .state = gates[g], .about = names[n].new_};
					if (kind & TWINS)
						result_warn(&result, "same-program",
						            "both are the same program: any difference comes from the machine");
					for (int i = 0; kind & NOTES && i < 6; i++) {
						char code[16];
						snprintf(code, sizeof(code), "kind %d", i);
						result_warn(&result, code,
						            "%d things that a reader of eighty columns needs more than one line for", i);
					}
					if (kind & FAILURE)
						result_about_warn(&result, "failures", names[n].new_, "3 of 48 runs failed (exit 1)");
					whole_output(&result, &text);
					const char *told = buffer_text(&text);
					if (count_lines(told) > 11)
						fail_msg("%zu lines and what it was saved as:\n%s", count_lines(told), told);
					assert_no_line_twice(told);
					assert_int_equal(strstr(told, "both are the same program") != NULL, (kind & TWINS) != 0);
					assert_int_equal(strstr(told, "3 of 48 runs failed") != NULL, (kind & FAILURE) != 0);
					assert_int_equal(strstr(told, "\nnext: ") != NULL, g == 0 || gates[g] == GATE_OPEN);
					assert_int_equal(strstr(told, "\nthe gate of 2 % ") != NULL, g > 0);
					assert_non_null(strstr(told, "mean cpu"));
					assert_non_null(strstr(told, "range"));
					if (n == 0)
						assert_non_null(strstr(told, outcomes[o].first));
					if (g == 0 && c->verdict == VERDICT_UNDECIDED)
						assert_non_null(strstr(told, "\n  total includes 0 % and changes above 1 %"));
					result_release(&result);
				}
	buffer_release(&text);
}

static void the_answer_is_bold_and_coloured(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct comparison *c = two_commands(&result);
	c->verdict = VERDICT_SLOWER;
	c->decided_by = "total";
	c->ratio = 2.04;
	c->ci = (struct confidence){.level = 0.99, .low = 1.91, .high = 2.17};
	text_answer(&result, c, &(struct look){.colour = true}, &text);
	assert_int_equal(strncmp(buffer_text(&text), "\033[1m\033[31m./new --with", 20), 0);
	assert_non_null(strstr(buffer_text(&text), " is 2.04 times slower than "));
	assert_non_null(
		strstr(buffer_text(&text), "(1.91 to 2.17, 99 %)\033[0m\n  48 pairs in 3.0 s, in turns, judged by cpu\n"));
	buffer_release(&text);
	result_release(&result);
}

/* What a gate says stands in its own line, with its limit, its interval and its time. */
static void a_gate_names_its_limit_and_interval(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct comparison *c = two_commands(&result);
	result.gate = (struct gate_result){.limit = 0.02, .state = GATE_OPEN, .worst = 0, .about = "new"};
	c->gate = GATE_OPEN;
	static const struct gate_findings gated = {0.02, {.level = 0.98, .low = 0.998, .high = 1.042, .method = "total"}};
	c->gated = &gated;
	words_gate(&result, &text);
	assert_string_equal(buffer_text(&text), "the gate of 2 % stays open: new may be worse by more: total "
	                                        "[-0.2 %, +4.2 %] at 98 %; about 2.0 s more would decide it");
	buffer_clear(&text);
	words_reason(c, &text);
	assert_string_equal(buffer_text(&text), "total includes 0 % and changes above 1 %");
	buffer_clear(&text);
	c->gate = result.gate.state = GATE_HELD;
	words_gate_of(&result, c, &text);
	assert_string_equal(buffer_text(&text), "the gate of 2 % held: total [-0.2 %, +4.2 %] at 98 %");
	/* However wide the interval is: it is what the gate was decided by. */
	buffer_clear(&text);
	static const struct gate_findings wide = {9, {.level = 0.98, .low = -0.03, .high = 2.31, .method = "total"}};
	c->gated = &wide;
	words_gate_of(&result, c, &text);
	assert_string_equal(buffer_text(&text), "the gate of 900 % held: total [-100 %, +131 %] at 98 %");
	buffer_clear(&text);
	words_gate_line(&result, 0.99, &text);
	assert_non_null(strstr(buffer_text(&text), " low=0.0000 high=2.3100 "));
	/* What held says nothing of the total where the usual run held it. */
	buffer_clear(&text);
	static const struct gate_findings typical = {0.08,
	                                             {.level = 0.98, .low = 1.001, .high = 1.002, .method = "typical"}};
	struct ratio_estimate total = {.ratio = 1.16, .ci = {.level = 0.99, .low = 1.05, .high = 1.27}};
	c->gated = &typical;
	c->total = &total;
	words_gate_of(&result, c, &text);
	assert_string_equal(buffer_text(&text),
	                    "the gate of 8 % held: typical [+0.100 %, +0.200 %] at 98 %; the total may be "
	                    "worse by more: [+5 %, +27 %]");
	buffer_clear(&text);
	total.ci.high = 1.07;
	words_gate_of(&result, c, &text);
	assert_null(strstr(buffer_text(&text), "worse"));
	buffer_clear(&text);
	c->gate = GATE_NONE;
	c->more_time_least = true;
	words_reason(c, &text);
	assert_string_equal(buffer_text(&text), "total includes 0 % and changes above 1 %; at least 2.0 s more is needed");
	buffer_release(&text);
	result_release(&result);
}

/* An interval beyond the limit is no contradiction: the reason is beside it. */
static void an_open_gate_says_why_its_interval_is_not_enough(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct comparison *c = two_commands(&result);
	static const struct gate_findings gated = {
		0.02, {.level = 0.98, .low = 1.026, .high = 1.059, .method = "Fieller, t, these runs only"}};
	result.gate = (struct gate_result){.limit = 0.02, .state = GATE_OPEN, .worst = 0, .about = "new"};
	c->gate = GATE_OPEN;
	c->gated = &gated;
	c->more_time = NAN;
	words_gate(&result, &text);
	assert_string_equal(buffer_text(&text), "the gate of 2 % stays open: new may be worse by more: total [+2.6 %, "
	                                        "+5.9 %] at 98 %, which is not certain enough");
	c->units = 1;
	c->unresolved = "only one run on a side";
	buffer_clear(&text);
	words_gate(&result, &text);
	assert_non_null(strstr(buffer_text(&text), ": total [+2.6 %, +5.9 %] at 98 %; only one run on a side"));
	c->units = 24;
	struct comparison *other = result_add_comparison(&result);
	assert_non_null(other);
	other->new_ = 1;
	buffer_clear(&text);
	words_gate(&result, &text);
	assert_non_null(strstr(buffer_text(&text), " at 98 %, which is not certain enough among 2 comparisons"));
	buffer_release(&text);
	result_release(&result);
}

/* A row has room for one number: that by which its verdict was given, so that the interval agrees with the word. */
static void a_row_shows_what_its_verdict_stands_on(void **state)
{
	(void)state;
	struct pair_findings paired = {0};
	struct ratio_estimate total = {.ratio = 0.996, .ci = {.level = 0.99, .low = 0.991, .high = 1.001}};
	struct comparison c = {.paired = &paired,
	                       .verdict = VERDICT_SAME,
	                       .scope = SCOPE_TOTAL,
	                       .margin = 0.01,
	                       .pairs = 60,
	                       .ratio = 0.995,
	                       .ci = {.level = 0.99, .low = 0.981, .high = 1.01},
	                       .total = &total,
	                       .p_value = NAN};
	assert_ptr_equal(words_told(&c).ci, &total.ci);
	assert_string_equal(words_told(&c).in, " in total");
	c.ci.low = 0.992;
	assert_ptr_equal(words_told(&c).ci, &c.ci);
	c.verdict = VERDICT_SLOWER;
	c.decided_by = "total";
	assert_ptr_equal(words_told(&c).ci, &total.ci);
	c.decided_by = "typical+total";
	c.ci = (struct confidence){.level = 0.99, .low = 1.02, .high = 1.04};
	assert_ptr_equal(words_told(&c).ci, &c.ci);
	/* A change of the usual run within the margin is not why it is slower. */
	c.ci = (struct confidence){.level = 0.99, .low = 1.001, .high = 1.004};
	assert_ptr_equal(words_told(&c).ci, &total.ci);
	c.decided_by = "typical+share";
	assert_true(words_by_share(&c));
	c.ci.high = 1.02;
	assert_false(words_by_share(&c));
	const struct confidence total_ci = total.ci;
	c.decided_by = "total+share";
	total.ci = (struct confidence){.level = 0.99, .low = 1.002, .high = 1.02};
	assert_false(words_by_share(&c));
	total.ci = (struct confidence){.level = 0.99, .low = 1.001, .high = 1.006};
	assert_true(words_by_share(&c));
	c.decided_by = "typical+total+share";
	assert_false(words_by_share(&c));
	c.ci.high = 1.004;
	assert_true(words_by_share(&c));
	c.ci.high = 1.02;
	total.ci = total_ci;
	/* Nothing is decided: what is known better, so that more units never make what is told wider. */
	c.verdict = VERDICT_UNDECIDED;
	c.decided_by = NULL;
	paired.total_over_typical = 0.1;
	assert_ptr_equal(words_told(&c).ci, &total.ci);
	paired.total_over_typical = 1.1;
	assert_ptr_equal(words_told(&c).ci, &c.ci);
	paired.share_difference = NAN; /* the total alone */
	c.decided_by = "total";
	assert_string_equal(words_told(&c).in, "");
}

/* An interval that is wider than 100 % either way says nothing, and is not printed. */
static void a_very_wide_interval_is_said(void **state)
{
	(void)state;
	static const struct {
		double low, high;
		const char *text;
	} cases[] = {{0.46, 4.85, "wider than \xc2\xb1 100 %"},
	             {-0.1, 1.5, "wider than \xc2\xb1 100 %"},
	             {0, 1.5, "wider than \xc2\xb1 100 %"},
	             {0, 0.184, "[-100 %, -81.6 %]"},
	             {0.46, 2.1, "[-54 %, +110 %]"},
	             {5, 30, "[\xc3\x97 5.00, \xc3\x97 30.0]"}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct confidence ci = {.level = 0.99, .low = cases[i].low, .high = cases[i].high};
		struct buffer text = {0};
		words_change_interval(&ci, &text);
		assert_string_equal(buffer_text(&text), cases[i].text);
		buffer_release(&text);
	}
}

/* In a history as in a comparison: rates are faster or slower, counts better or worse. */
static void a_change_of_a_rate_is_one_of_speed(void **state)
{
	(void)state;
	static const struct {
		const char *metric, *unit;
		enum better better;
		const char *word;
	} cases[] = {{"wall", "s", BETTER_LOWER, "slower: "},
	             {"rate", "MB/s", BETTER_HIGHER, "faster: "},
	             {"faults", "", BETTER_LOWER, "worse: "}};
	struct history_point points[] = {{.commit = ""}, {.commit = ""}};
	const struct history_change change = {.at = 1, .low = 1, .high = 1, .before = 1, .after = 2, .size = 1};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct history_series series = {
			.metric = cases[i].metric, .unit = cases[i].unit, .better = cases[i].better, .points = points, .n = 2};
		struct buffer text = {0};
		history_text_change(&series, &change, &text);
		assert_memory_equal(buffer_text(&text), cases[i].word, strlen(cases[i].word));
		buffer_release(&text);
	}
}

static void short_histories_are_no_quiet_ones(void **state)
{
	(void)state;
	struct history_point points[24];
	struct history_series series[] = {
		{.subject = "a", .metric = "wall", .unit = "s", .stratum = "", .points = points, .n = 24},
		{.subject = "b", .metric = "wall", .unit = "s", .stratum = "", .points = points, .n = 23},
		{.subject = "c", .metric = "wall", .unit = "s", .stratum = "", .points = points, .n = 1}};
	struct history history = {.series = series, .count = 3};
	struct buffer text = {0};
	for (size_t i = 0; i < 24; i++)
		points[i] = (struct history_point){.commit = "", .value = 1, .low = NAN, .high = NAN};
	history_text_changes(&history, 5, &text);
	assert_string_equal(buffer_text(&text), "1 of 3 histories show no change\n"
	                                        "2 of 3 histories have too few results to find changes (at least 24)\n");
	buffer_clear(&text);
	points[3].value = NAN; /* no search looks at it */
	history.count = 1;
	history_text_changes(&history, 5, &text);
	assert_string_equal(buffer_text(&text), "only 23 results: too few to find changes (at least 24)\n");
	buffer_clear(&text);
	assert_int_equal(history_text_trend(&series[2], 10, &(struct look){0}, &text, NULL), 0);
	assert_non_null(strstr(buffer_text(&text), "c  wall, 1 result of #0\n"));
	buffer_release(&text);
}

/* Why there is no steady state: the first runs still move, or most of all runs have no level that lasts. */
static void the_evidence_agrees_with_the_state(void **state)
{
	(void)state;
	struct steady_evidence evidence = {.runs = 3, .moving = 2, .effect = 0.2, .all_runs = 10, .never = 7};
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          levels, 2);
	m->steady = STEADY_NEVER;
	m->evidence = &evidence;
	words_steady(m, &text);
	assert_string_equal(buffer_text(&text), "no steady state: 2 of 3 runs still change level, by up to 20 %");
	evidence.moving = 0;
	buffer_clear(&text);
	words_steady(m, &text);
	assert_string_equal(buffer_text(&text), "no steady state: 7 of 10 runs have no level that lasts");
	buffer_release(&text);
	result_release(&result);
}

/* Where runs have warm-ups of their own, the longest is an upper limit. */
static void methods_tell_how_much_is_left_out(void **state)
{
	(void)state;
	static const char *const expected[] = {"The first 7 iterations of each run were left out",
	                                       "Up to the first 7 iterations of each run were left out"};
	struct result result;
	struct error err;
	result_init(&result);
	struct measurement *m = result_add_metric(&result, result_add_subject(&result, "a"), "wall", "s", BETTER_LOWER,
	                                          levels, 2);
	for (int i = 0; i < 20; i++)
		assert_int_equal(series_append(&m->series, i % 10 ? 1 : 0, 1, &err), 0);
	m->n = 20;
	m->skip = 7;
	for (int i = 0; i < 2; i++) {
		struct buffer text = {0};
		words_methods(&result, &text);
		assert_non_null(strstr(buffer_text(&text), expected[i]));
		buffer_release(&text);
		assert_int_equal(measurement_add_skip(&result, m, 0, 7), 0);
		assert_int_equal(measurement_add_skip(&result, m, 1, 2), 0);
	}
	result_release(&result);
}

/* Machines may be mixed in typical and total without a word on the slow runs. */
static void mixed_without_a_share(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	for (int s = 0; s < 2; s++)
		result_add_metric(&result, result_add_subject(&result, s ? "new" : "old"), "wall", "s", BETTER_LOWER, levels,
		                  2);
	struct comparison *c = result_add_comparison(&result);
	c->metric = "wall";
	c->new_ = 1;
	c->verdict = VERDICT_MIXED;
	c->ratio = 1.05;
	struct ratio_estimate total = {.ratio = 0.95, .ci = {.level = 0.99, .low = 0.94, .high = 0.96}};
	c->total = &total;
	c->ci = (struct confidence){.level = 0.99, .low = 1.04, .high = 1.06};
	words_verdict(&result, c, &text);
	assert_string_equal(buffer_text(&text), "new against old is mixed: usual run +5.0 %, total -5.0 %");
	buffer_release(&text);
	result_release(&result);
}

static void what_ran_out_of_time_asks_for_more(void **state)
{
	(void)state;
	struct comparison open[2] = {{.verdict = VERDICT_UNDECIDED, .ratio = NAN}, {.verdict = VERDICT_SAME, .ratio = 1}};
	struct result result;
	struct buffer text = {0};
	result_init(&result);
	result.stopped.reason = "budget";
	result.comparisons = open;
	result.comparison_count = 2;
	text_hint(&result, &(struct look){0}, &text);
	assert_string_equal(buffer_text(&text), "next: a longer --max-time, or fewer comparisons; -v shows all numbers\n");
	buffer_clear(&text);
	result.stopped.reason = "count";
	text_hint(&result, &(struct look){0}, &text);
	assert_string_equal(buffer_text(&text),
	                    "next: more runs; without -r or -M tare decides how many; -v shows all numbers\n");
	buffer_clear(&text);
	result.stopped.reason = "verdict";
	text_hint(&result, &(struct look){0}, &text);
	assert_string_equal(buffer_text(&text), "next: -v shows all numbers, --html FILE writes a page with plots\n");
	buffer_clear(&text);
	text_hint(&result, &(struct look){.has_page = true}, &text);
	assert_string_equal(buffer_text(&text), "next: -v shows all numbers\n");
	buffer_clear(&text);
	result.comparison_count = 0;
	result.stopped.reason = "budget";
	result_warn(&result, "not-converged", "rate: the interval is wider than requested");
	text_hint(&result, &(struct look){0}, &text);
	assert_string_equal(buffer_text(&text), "next: a longer --max-time; -v shows all numbers\n");
	result.comparisons = NULL;
	result_release(&result);
	buffer_release(&text);
}

static void assert_hint(const struct result *result, const char *expected)
{
	struct buffer text = {0};
	text_hint(result, &(struct look){0}, &text);
	assert_string_equal(buffer_text(&text), expected);
	buffer_release(&text);
}

/* More time is no use where something else keeps it from being decided. */
static void what_time_does_not_help_asks_for_none(void **state)
{
	(void)state;
	struct result result;
	struct comparison *c = two_commands(&result);
	c->verdict = VERDICT_UNDECIDED;
	result.stopped.reason = "precision";
	assert_hint(&result, "next: a smaller --precision, or --stop auto; -v shows all numbers\n");
	/* An open gate beside a verdict: it was the runs that were counted, or the precision, and not the time. */
	c->verdict = VERDICT_SAME;
	result.gate = (struct gate_result){.limit = 0.02, .state = GATE_OPEN, .worst = 0, .about = "new"};
	assert_hint(&result, "next: a smaller --precision, or --stop auto; -v shows all numbers\n");
	result.stopped.reason = "count";
	assert_hint(&result, "next: more runs; without -r or -M tare decides how many; -v shows all numbers\n");
	c->verdict = VERDICT_UNDECIDED;
	result.stopped.reason = "budget";
	result.gate = (struct gate_result){
		.limit = 0.02, .state = GATE_OPEN, .worst = SIZE_MAX, .why = "new: it leaves processes behind"};
	assert_hint(&result, "next: -v shows all numbers\n");
	result.gate.worst = 0;
	result.gate.why = c->unresolved = "9 pairs: too few for a verdict; use 10 or more";
	c->quick = true;
	c->more_time = NAN;
	assert_hint(&result, "next: 10 runs or more; -v shows all numbers\n");
	for (int i = 0; i < 2; i++)
		result.subjects[i].runs = 10;
	assert_hint(&result, "next: find out why values are missing; -v shows all numbers\n");
	result_release(&result);
}

static void methods_say_that_the_gate_ended_it(void **state)
{
	(void)state;
	struct result result;
	struct buffer text = {0};
	struct comparison *c = two_commands(&result);
	c->verdict = VERDICT_UNDECIDED;
	c->gate = GATE_HELD;
	result.gate = (struct gate_result){.limit = 0.02, .state = GATE_HELD};
	result.stopped.reason = "verdict";
	words_methods(&result, &text);
	assert_non_null(strstr(buffer_text(&text), "Measuring ended when the gate was decided"));
	buffer_clear(&text);
	c->verdict = VERDICT_SAME;
	words_methods(&result, &text);
	assert_non_null(strstr(buffer_text(&text), "Measuring ended when every verdict was decided"));
	buffer_release(&text);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ran_out_of_time_asks_for_more),
		cmocka_unit_test(what_time_does_not_help_asks_for_none),
		cmocka_unit_test(methods_say_that_the_gate_ended_it),
		cmocka_unit_test(the_evidence_agrees_with_the_state),
		cmocka_unit_test(methods_tell_how_much_is_left_out),
		cmocka_unit_test(mixed_without_a_share),
		cmocka_unit_test(warnings_that_say_the_same_are_told_once),
		cmocka_unit_test(many_of_a_kind_are_counted),
		cmocka_unit_test(what_stands_beside_a_mean_is_a_mean),
		cmocka_unit_test(a_line_never_ends_inside_an_interval),
		cmocka_unit_test(two_commands_take_twelve_lines),
		cmocka_unit_test(every_outcome_takes_twelve_lines),
		cmocka_unit_test(the_answer_is_bold_and_coloured),
		cmocka_unit_test(a_gate_names_its_limit_and_interval),
		cmocka_unit_test(an_open_gate_says_why_its_interval_is_not_enough),
		cmocka_unit_test(a_row_shows_what_its_verdict_stands_on),
		cmocka_unit_test(a_very_wide_interval_is_said),
		cmocka_unit_test(a_change_of_a_rate_is_one_of_speed),
		cmocka_unit_test(short_histories_are_no_quiet_ones),
		cmocka_unit_test(very_many),
		cmocka_unit_test(single_values_have_a_line_each),
		cmocka_unit_test(a_heading_that_does_not_fit_takes_two_lines),
		cmocka_unit_test(long_names_lose_their_middle),
		cmocka_unit_test(titles_fit_the_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
