/* Terminal plots: what must be seen is there, nothing is wider than allowed, any data can be drawn. */
#include "report/plot.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

enum { N = 300 };

static void make_values(double *x, size_t n, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = 0.0125 * (1 + 0.01 * random_normal(&random));
}

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
		count++;
	return count;
}

/* The number of lines; fails when one is wider than `width` or ends in a blank. */
static size_t check_lines(const char *text, size_t width, enum text_charset charset)
{
	size_t lines = 0;
	char line[4096];
	while (*text) {
		size_t length = strcspn(text, "\n");
		assert_true(length < sizeof(line) && text[length] == '\n');
		memcpy(line, text, length);
		line[length < sizeof(line) ? length : sizeof(line) - 1] = '\0';
		assert_true(length == 0 || line[length - 1] != ' ');
		if (text_width(line, charset) > width)
			fail_msg("%zu columns instead of %zu: %s", text_width(line, charset), width, line);
		for (size_t i = 0; i < length; i++)
			assert_true(charset == TEXT_UNICODE || ((unsigned char)line[i] >= 0x20 && (unsigned char)line[i] < 0x7f));
		text += length + 1;
		lines++;
	}
	return lines;
}

/* Dots in all braille signs of the text. */
static size_t count_dots(const char *text)
{
	size_t dots = 0;
	unsigned length;
	for (uint32_t code; (code = text_decode(text, &length)) != 0; text += length)
		if (code >= 0x2800 && code <= 0x28ff)
			dots += (size_t)__builtin_popcount(code & 0xff);
	return dots;
}

static void test_a_sequence_shows_every_value(void **state)
{
	(void)state;
	/* On a grid of 2 × 4 dots in a cell 60 values of a line cannot hide each other. */
	double x[60];
	for (size_t i = 0; i < 60; i++)
		x[i] = 0.010 + 0.0001 * (double)i;
	struct plot_series series = {.values = x, .n = 60, .unit = "s"};
	struct buffer out = {0};
	assert_int_equal(plot_sequence(&series, &(struct look){.height = 12}, &out, NULL), 0);
	assert_int_equal(check_lines(buffer_text(&out), 80, TEXT_UNICODE), 12);
	assert_int_equal(count_dots(buffer_text(&out)), 60);
	assert_non_null(strstr(buffer_text(&out), "values in order, ms\n"));
	assert_non_null(strstr(buffer_text(&out), "10\u2524"));
	assert_non_null(strstr(buffer_text(&out), "60\n"));
	buffer_release(&out);
}

static void test_marks_and_far_values(void **state)
{
	(void)state;
	double x[N];
	make_values(x, N, 1);
	x[150] = 0.5;
	x[151] = NAN;
	struct plot_mark marks[] = {{40, PLOT_WARMUP}, {200, PLOT_CHANGE}};
	struct plot_series series = {.values = x, .n = N, .unit = "s", .marks = marks, .mark_count = 2};
	struct buffer out = {0};
	assert_int_equal(plot_sequence(&series, &(struct look){.width = 70}, &out, NULL), 0);
	assert_int_equal(count_of(buffer_text(&out), "\u25b2"), 3); /* the far value, the change, the legend */
	assert_int_equal(count_of(buffer_text(&out), "\u25b3"), 2);
	assert_non_null(strstr(buffer_text(&out), "\u25b3 warmed up  \u25b2 change\n"));
	assert_non_null(strstr(buffer_text(&out), "\n1 above, up to 500.0 ms; 1 lost\n"));
	buffer_clear(&out);
	assert_int_equal(plot_sequence(&series, &(struct look){.width = 70, .charset = TEXT_ASCII}, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "w warmed up  c change\n"));
	assert_int_equal(count_of(buffer_text(&out), "^"), 1);
	buffer_clear(&out);
	assert_int_equal(plot_histogram(&series, 0.0125, &(struct look){.width = 70}, &out, NULL), 0);
	assert_int_equal(count_of(buffer_text(&out), "\u2265 "), 1);
	assert_int_equal(count_of(buffer_text(&out), " median\n"), 1);
	buffer_release(&out);
}

static void test_runs_one_after_the_other_and_overlaid(void **state)
{
	(void)state;
	double x[N];
	make_values(x, N, 2);
	uint32_t starts[] = {0, 50, 180, N};
	struct plot_series series = {.values = x, .n = N, .unit = "s", .starts = starts, .run_count = 3};
	struct buffer out = {0};
	struct look look = {.height = 12, .colour = true};
	assert_int_equal(plot_sequence(&series, &look, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "\033[36m"));
	assert_non_null(strstr(buffer_text(&out), "\033[35m"));
	assert_non_null(strstr(buffer_text(&out), "300\n"));
	buffer_clear(&out);
	series.overlaid = true;
	look.colour = false;
	assert_int_equal(plot_sequence(&series, &look, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "values of all runs by iteration, ms"));
	assert_null(strstr(buffer_text(&out), "300"));
	assert_non_null(strstr(buffer_text(&out), "120"));
	assert_null(strstr(buffer_text(&out), "\033"));
	buffer_release(&out);
}

/* The counts of the histogram are those of a naive recount of its own bins. */
static void test_histogram_counts(void **state)
{
	(void)state;
	double x[] = {1, 1.5, 2, 2, 2.5, 3, 7, 8, 8.999, 9};
	struct plot_series series = {.values = x, .n = 10, .unit = ""};
	struct buffer out = {0};
	assert_int_equal(plot_histogram(&series, NAN, &(struct look){.width = 30, .height = 10}, &out, NULL), 0);
	unsigned total = 0, bins = 0;
	const char *line = strchr(buffer_text(&out), '\n') + 1;
	for (; *line; line = strchr(line, '\n') + 1) {
		double edge;
		unsigned count;
		const char *last = strchr(line, '\n');
		while (last[-1] != ' ')
			last--;
		assert_int_equal(sscanf(line, "%lf", &edge), 1);
		assert_int_equal(sscanf(last, "%u", &count), 1);
		unsigned naive = 0;
		for (size_t i = 0; i < 10; i++)
			naive += x[i] >= edge && (x[i] < edge + 5 || x[i] == edge + 5);
		assert_int_equal(count, naive);
		total += count;
		bins++;
	}
	assert_int_equal(total, 10);
	assert_int_equal(bins, 2);
	buffer_release(&out);
}

static void test_autocorrelation_and_its_band(void **state)
{
	(void)state;
	double x[100];
	for (size_t i = 0; i < 100; i++)
		x[i] = (double)i; /* neighbours are alike */
	struct plot_series series = {.values = x, .n = 100, .unit = "s"};
	struct buffer out = {0};
	struct look look = {.height = 15};
	assert_int_equal(plot_beside_shuffled(PLOT_ACF, &series, 1, &look, &out, NULL), 0);
	assert_int_equal(check_lines(buffer_text(&out), 80, TEXT_UNICODE), 15);
	assert_non_null(strstr(buffer_text(&out), "lag \u2192"));
	assert_true(count_of(buffer_text(&out), "\u254c") > 80); /* two lines on each side, behind the bars */
	buffer_clear(&out);
	look.colour = true;
	assert_int_equal(plot_beside_shuffled(PLOT_ACF, &series, 1, &look, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "\033[33m\u28ff")); /* outside the band: a warning colour */
	buffer_release(&out);
}

static void test_beside_shuffled(void **state)
{
	(void)state;
	double x[N];
	for (size_t i = 0; i < N; i++)
		x[i] = (double)i; /* perfectly dependent */
	struct plot_series series = {.values = x, .n = N, .unit = "s"};
	struct buffer out = {0}, again = {0};
	for (int kind = PLOT_SEQUENCE; kind <= PLOT_ACF; kind++) {
		buffer_clear(&out);
		buffer_clear(&again);
		struct look look = {.width = 80};
		assert_int_equal(plot_beside_shuffled((enum plot_kind)kind, &series, 5, &look, &out, NULL), 0);
		assert_int_equal(plot_beside_shuffled((enum plot_kind)kind, &series, 5, &look, &again, NULL), 0);
		assert_string_equal(buffer_text(&out), buffer_text(&again));
		assert_int_equal(check_lines(buffer_text(&out), 80, TEXT_UNICODE), 12);
		assert_non_null(strstr(buffer_text(&out), "shuffled"));
		buffer_clear(&again);
		assert_int_equal(plot_beside_shuffled((enum plot_kind)kind, &series, 6, &look, &again, NULL), 0);
		assert_string_not_equal(buffer_text(&out), buffer_text(&again));
	}
	buffer_release(&out);
	buffer_release(&again);
}

static void test_strips(void **state)
{
	(void)state;
	double x[N], y[N];
	make_values(x, N, 3);
	make_values(y, N, 4);
	y[5] = 3;
	struct plot_strip strips[] = {
		{"old", x, N, 0.0125, 0.0124, 0.0126, EMPHASIS_NONE},
		{"\033[2Jevil \u202e \u6f22\u5b57 and a very long name indeed", y, N, 0.0125, NAN, NAN, EMPHASIS_BAD},
	};
	struct buffer out = {0};
	assert_int_equal(plot_strips(strips, 2, "s", &(struct look){.width = 60}, &out, NULL), 0);
	assert_int_equal(check_lines(buffer_text(&out), 60, TEXT_UNICODE), 5);
	assert_int_equal(count_of(buffer_text(&out), "\u2503"), 2);
	assert_int_equal(count_of(buffer_text(&out), "["), 2); /* one interval, one escape */
	assert_int_equal(count_of(buffer_text(&out), "\u203a"), 1);
	assert_non_null(strstr(buffer_text(&out), "1 above, up to 3.000 s"));
	assert_null(strstr(buffer_text(&out), "\033"));
	buffer_clear(&out);
	/* A short name leaves the unit its room. */
	strips[0].name = "a";
	assert_int_equal(plot_strips(strips, 1, "s", &(struct look){.width = 60}, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "\nms "));
	buffer_release(&out);
}

static void test_forest_lines_are_exactly_as_wide_as_asked(void **state)
{
	(void)state;
	struct plot_ratio ratios[] = {
		{"a", 1.02, 1.01, 1.03, 0.01, EMPHASIS_BAD, "slower"},
		{"b", 1.0, -INFINITY, INFINITY, 0.01, EMPHASIS_FAINT, "undecided"},
		{"c", NAN, NAN, NAN, 0.01, EMPHASIS_FAINT, NULL},
		{"d", 40, 30, 50, 0, EMPHASIS_BAD, "40 times"},
		{"e", 1, 1, 1, NAN, EMPHASIS_NONE, ""},
	};
	struct buffer out = {0};
	struct interval range = plot_forest_range(ratios, 1);
	assert_true(range.low < 0.97 && range.high > 1.03 && range.high < 1.1);
	plot_forest_line(&ratios[0], range, 41, TEXT_UNICODE, &out);
	assert_int_equal(text_width(buffer_text(&out), TEXT_UNICODE), 41);
	/* Left to right: the band around one, then the interval, all of it above the margin. */
	const char *one = strstr(buffer_text(&out), "\u250a"), *low = strstr(buffer_text(&out), "\u251c");
	const char *dot = strstr(buffer_text(&out), "\u25cf"), *high = strstr(buffer_text(&out), "\u2524");
	assert_true(one && low && dot && high && one < low && low < dot && dot < high);
	for (size_t i = 0; i < 5; i++)
		for (size_t width = 0; width < 50; width += 7) {
			buffer_clear(&out);
			plot_forest_line(&ratios[i], plot_forest_range(ratios, 5), width, TEXT_ASCII, &out);
			assert_int_equal(text_width(buffer_text(&out), TEXT_ASCII), width);
		}
	/* A ratio of 0.6 is beyond a margin of 50 %, which ends at 1/1.5: a column without the band lies between. */
	struct plot_ratio beyond = {"g", 0.6, 0.55, 0.62, 0.5, EMPHASIS_GOOD, NULL};
	buffer_clear(&out);
	plot_forest_line(&beyond, (struct interval){0.3, 1.7}, 141, TEXT_ASCII, &out);
	const char *end = strrchr(buffer_text(&out), '|');
	assert_true(end && end[1] == ' ' && strchr(end, '.'));
	/* All of the interval beyond an end: an arrow to there. */
	struct plot_ratio faster = {"f", 0.1, 0.09, 0.11, 0, EMPHASIS_GOOD, NULL};
	buffer_clear(&out);
	plot_forest_line(&faster, plot_forest_range(&faster, 1), 41, TEXT_ASCII, &out);
	assert_int_equal(buffer_text(&out)[0], '<');
	buffer_clear(&out);
	plot_forest_line(&ratios[3], plot_forest_range(ratios, 5), 41, TEXT_ASCII, &out);
	assert_int_equal(buffer_text(&out)[40], '>');
	buffer_clear(&out);
	assert_int_equal(plot_forest(ratios, 5, &(struct look){.width = 80}, &out, NULL), 0);
	assert_int_equal(check_lines(buffer_text(&out), 80, TEXT_UNICODE), 7);
	assert_int_equal(count_of(buffer_text(&out), "\u25cf"), 3);
	assert_true(count_of(buffer_text(&out), "\u203a") >= 2); /* unbounded, and far outside */
	buffer_release(&out);
}

static void test_curves_on_log_axes(void **state)
{
	(void)state;
	double t[] = {0.1, 1, 10, 100, -1, NAN}, width[] = {0.1, 0.03, 0.01, 0.003, 1, 1};
	struct plot_curve curves[] = {{"one", t, width, 6}, {"two", t + 1, width, 3}};
	struct plot_curves what = {"half-width", "time", curves, 2, "s", "", true, true, 0.01};
	struct buffer out = {0};
	assert_int_equal(plot_curves(&what, &(struct look){.width = 60, .height = 12}, &out, NULL), 0);
	assert_int_equal(check_lines(buffer_text(&out), 60, TEXT_UNICODE), 14);
	assert_non_null(strstr(buffer_text(&out), "100 ms"));
	assert_non_null(strstr(buffer_text(&out), "100 s"));
	assert_non_null(strstr(buffer_text(&out), "time \u2192"));
	assert_non_null(strstr(buffer_text(&out), "\u25cb two\n"));
	assert_non_null(strstr(buffer_text(&out), "\u254c"));
	buffer_release(&out);
}

/* Every plot of one series, one after the other. */
static int plot_all(const double *x, size_t n, const char *unit, const struct look *look, struct buffer *out,
                    struct error *err)
{
	struct plot_series series = {.values = x, .n = n, .unit = unit};
	struct plot_strip strip = {unit, x, n, n ? x[0] : NAN, n ? x[0] : NAN, n ? x[n - 1] : NAN, EMPHASIS_NONE};
	struct plot_ratio ratio = {unit, n ? x[0] : NAN, n ? x[n / 2] : NAN, n ? x[n - 1] : NAN, 0.01, EMPHASIS_NONE, unit};
	struct plot_curve curve = {unit, x, x, n};
	struct plot_curves curves = {unit, unit, &curve, 1, unit, unit, true, false, NAN};
	int status = plot_sequence(&series, look, out, err);
	status |= plot_histogram(&series, n ? x[0] : NAN, look, out, err);
	for (int kind = PLOT_SEQUENCE; kind <= PLOT_ACF && look->width >= 51; kind++)
		status |= plot_beside_shuffled((enum plot_kind)kind, &series, 1, look, out, err);
	series.lag = 3;
	if (look->width >= 51)
		status |= plot_beside_shuffled(PLOT_LAG, &series, 1, look, out, err);
	series.lag = 0;
	status |= plot_strips(&strip, 1, unit, look, out, err);
	status |= plot_forest(&ratio, 1, look, out, err);
	return status | plot_curves(&curves, look, out, err);
}

static void test_nothing_to_plot_is_said(void **state)
{
	(void)state;
	double lost[] = {NAN, INFINITY};
	struct buffer out = {0};
	struct plot_series series = {.values = lost, .n = 2, .unit = "s"};
	assert_int_equal(plot_sequence(&series, &(struct look){0}, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "no values to plot (2 lost)\n");
	buffer_clear(&out);
	series.n = 0;
	assert_int_equal(plot_histogram(&series, NAN, &(struct look){0}, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "no values to plot\n");
	buffer_release(&out);
}

static double strange_value(struct random *random, unsigned kind)
{
	static const double special[] = {0, -0.0, 1, -1, NAN, INFINITY, -INFINITY, 1.7e308, 5e-324, 1e-9, 1e15};
	switch (kind) {
	case 0: return 5;
	case 1: return special[random_below(random, sizeof(special) / sizeof(special[0]))];
	case 2: return random_normal(random) * pow(10, random_uniform(random) * 40 - 20);
	case 3: return 1 + 1e-15 * (double)random_below(random, 5);
	case 4: return (double)random_below(random, 3);
	default: return exp(random_normal(random)) * 1e-5;
	}
}

static void test_any_data_fit_any_size(void **state)
{
	(void)state;
	static const char *const units[] = {"s", "bytes", "", "bytes/s",
	                                    "\033[1m\u202e\u6f22\xff long unit of measure, indeed"};
	struct random random;
	random_seed(&random, 11);
	struct buffer out = {0};
	for (int round = 0; round < 1500; round++) {
		double x[200];
		size_t n = random_below(&random, round % 3 ? 200 : 5);
		unsigned kind = (unsigned)random_below(&random, 6);
		for (size_t i = 0; i < n; i++)
			x[i] = strange_value(&random, kind);
		struct look look = {.width = 24 + random_below(&random, 120),
		                    .height = 1 + random_below(&random, 30),
		                    .charset = (enum text_charset)(round % 2)};
		buffer_clear(&out);
		assert_int_equal(plot_all(x, n, units[round % 5], &look, &out, NULL), 0);
		check_lines(buffer_text(&out), look.width, look.charset);
	}
	buffer_release(&out);
}

static void test_every_allocation_may_fail(void **state)
{
	(void)state;
	double x[N];
	make_values(x, N, 5);
	for (long nth = 1;; nth++) {
		struct buffer out = {0};
		struct error err = {0};
		mem_fail_at(nth);
		int status = plot_all(x, N, "s", &(struct look){.width = 80}, &out, &err);
		int failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? -1 : 0);
		buffer_release(&out);
		if (!failed) {
			assert_true(nth > 10);
			return;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sequence_shows_every_value),
		cmocka_unit_test(test_marks_and_far_values),
		cmocka_unit_test(test_runs_one_after_the_other_and_overlaid),
		cmocka_unit_test(test_histogram_counts),
		cmocka_unit_test(test_autocorrelation_and_its_band),
		cmocka_unit_test(test_beside_shuffled),
		cmocka_unit_test(test_strips),
		cmocka_unit_test(test_forest_lines_are_exactly_as_wide_as_asked),
		cmocka_unit_test(test_curves_on_log_axes),
		cmocka_unit_test(test_nothing_to_plot_is_said),
		cmocka_unit_test(test_any_data_fit_any_size),
		cmocka_unit_test(test_every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
