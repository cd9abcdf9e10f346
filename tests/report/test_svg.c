/* SVG plots: well-formed, every mark inside its axes, labels apart, names only text, any data. */
#include "report/svg_plots.h"

#include "base/memory.h"
#include "base/random.h"
#include "report/markup.h"
#include "report/svg_history.h"
#include "support/known.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };

static double value_1[N], value_2[N];

static int make_values(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 4);
	for (size_t i = 0; i < N; i++) {
		value_1[i] = 0.0125 * (1 + 0.01 * random_normal(&random));
		value_2[i] = value_1[i] * (1.02 + 0.004 * random_normal(&random));
	}
	return 0;
}

/* One element as the reader below finds it. */
struct element {
	char name[16], class_[32];
	const char *attributes, *content;
	size_t attribute_length;
};

static double number_of(const struct element *element, const char *attribute)
{
	char pattern[32];
	snprintf(pattern, sizeof(pattern), " %s=\"", attribute);
	const char *at = strstr(element->attributes, pattern);
	return at && at < element->attributes + element->attribute_length ? strtod(at + strlen(pattern), NULL) : NAN;
}

/* Only what text and attributes may hold: no <, no control characters, & only in our entities. */
static void check_characters(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		assert_true((unsigned char)text[i] >= 0x20 || text[i] == '\n');
		assert_true(text[i] != '<');
		if (text[i] == '&')
			assert_true(strncmp(text + i, "&amp;", 5) == 0 || strncmp(text + i, "&lt;", 4) == 0 ||
			            strncmp(text + i, "&gt;", 4) == 0 || strncmp(text + i, "&quot;", 6) == 0 ||
			            strncmp(text + i, "&#39;", 5) == 0);
	}
}

/* Reads a strict subset of XML, which is all that we write; fails on anything else. Calls `visit` for every
 * element. Returns how many there are. */
static size_t read_xml(const char *xml, void (*visit)(const struct element *, void *), void *context)
{
	char open[16][16];
	size_t depth = 0, count = 0;
	while (*xml) {
		size_t text = strcspn(xml, "<");
		check_characters(xml, text);
		xml += text;
		if (!*xml)
			break;
		const char *end = strchr(xml, '>');
		assert_non_null(end);
		if (xml[1] == '/') {
			assert_true(depth > 0);
			depth--;
			assert_int_equal((size_t)(end - xml - 2), strlen(open[depth]));
			assert_memory_equal(xml + 2, open[depth], strlen(open[depth]));
			xml = end + 1;
			continue;
		}
		struct element element = {.class_ = ""};
		size_t length = strcspn(xml + 1, " />");
		assert_in_range(length, 1, sizeof(element.name) - 1);
		memcpy(element.name, xml + 1, length);
		element.attributes = xml + 1 + length;
		const char *at = element.attributes;
		while (*at == ' ') { /* name="value" */
			at++;
			while (isalnum((unsigned char)*at) || *at == '-')
				at++;
			assert_true(at[0] == '=' && at[1] == '"');
			const char *close = strchr(at + 2, '"');
			assert_non_null(close);
			check_characters(at + 2, (size_t)(close - at - 2));
			at = close + 1;
		}
		element.attribute_length = (size_t)(at - element.attributes);
		const char *class_ = strstr(element.attributes, " class=\"");
		if (class_ && class_ < at)
			sscanf(class_ + 8, "%31[^\"]", element.class_);
		bool empty = *at == '/';
		assert_true(at[empty] == '>');
		element.content = at + empty + 1;
		if (!empty) {
			assert_true(depth < 16);
			strcpy(open[depth++], element.name);
		}
		count++;
		if (visit)
			visit(&element, context);
		xml = at + empty + 1;
	}
	assert_int_equal(depth, 0);
	return count;
}

struct box {
	double left, right, top, bottom;
};

struct survey {
	double width, height;
	struct box labels[512];
	size_t label_count;
	struct box axes; /* of a drawing with one panel */
	size_t circles, texts, titles, arrows;
	bool check_axes;
};

static void note_text(struct survey *survey, const struct element *element)
{
	char text[256];
	size_t length = strcspn(element->content, "<");
	assert_true(length < sizeof(text));
	memcpy(text, element->content, length);
	text[length] = '\0';
	double x = number_of(element, "x"), y = number_of(element, "y"), width = svg_text_width(text);
	const char *anchor = strstr(element->attributes, "text-anchor=\"");
	anchor = anchor && anchor < element->attributes + element->attribute_length ? anchor + 13 : "start";
	double left = *anchor == 'm' ? x - width / 2 : *anchor == 'e' ? x - width : x;
	struct box box = {left, left + width, y - 10, y + 2};
	survey->texts++;
	assert_true(y >= 8 && y <= survey->height);
	if (strcmp(element->class_, "tick") != 0)
		return;
	if (left < -1.5 || left + width > survey->width + 1.5)
		fail_msg("label \"%s\" leaves the drawing: %g to %g", text, left, left + width);
	for (size_t i = 0; i < survey->label_count; i++) {
		const struct box *other = &survey->labels[i];
		if (box.left < other->right && other->left < box.right && box.top < other->bottom && other->top < box.bottom)
			fail_msg("label \"%s\" lies over another one", text);
	}
	assert_true(survey->label_count < 512);
	survey->labels[survey->label_count++] = box;
}

static void find_size(const struct element *element, void *context)
{
	struct survey *survey = context;
	if (strcmp(element->name, "svg") == 0) {
		survey->width = number_of(element, "width");
		survey->height = number_of(element, "height");
	} else if (strcmp(element->name, "line") == 0 && strcmp(element->class_, "axis") == 0) {
		double x1 = number_of(element, "x1"), x2 = number_of(element, "x2");
		double y1 = number_of(element, "y1"), y2 = number_of(element, "y2");
		if (y1 == y2 && x2 - x1 > survey->width / 3 && y1 > survey->axes.bottom)
			survey->axes = (struct box){x1, x2, survey->axes.top, y1};
		if (x1 == x2 && y2 - y1 > 15 && survey->axes.top == 0)
			survey->axes.top = y1;
	}
}

static void inspect(const struct element *element, void *context)
{
	struct survey *survey = context;
	const struct box *axes = &survey->axes;
	if (strcmp(element->name, "text") == 0)
		note_text(survey, element);
	survey->titles += strcmp(element->name, "title") == 0;
	survey->arrows += strncmp(element->class_, "arrow", 5) == 0;
	if (strcmp(element->name, "circle") == 0) {
		double x = number_of(element, "cx"), y = number_of(element, "cy"), r = number_of(element, "r");
		survey->circles++;
		assert_true(x - r >= 0 && x + r <= survey->width && y - r >= 0 && y + r <= survey->height);
		if (survey->check_axes)
			assert_true(x - r >= axes->left && x + r <= axes->right && y - r >= axes->top && y + r <= axes->bottom);
	}
	if (strcmp(element->name, "rect") == 0) {
		double x = number_of(element, "x"), y = number_of(element, "y");
		double right = x + number_of(element, "width"), bottom = y + number_of(element, "height");
		assert_true(x >= 0 && y >= 0 && right <= survey->width + 0.16 && bottom <= survey->height + 0.16);
		assert_true(right >= x && bottom >= y);
		/* Corner, size and axis are each rounded to a tenth. */
		bool inside = x >= axes->left - 0.16 && right <= axes->right + 0.16 && y >= axes->top - 0.16 &&
		              bottom <= axes->bottom + 0.16;
		if (survey->check_axes && !inside)
			fail_msg("%s %g..%g, %g..%g lies outside the axes %g..%g, %g..%g", element->class_, x, right, y, bottom,
			         axes->left, axes->right, axes->top, axes->bottom);
	}
}

static struct survey check_svg(const struct buffer *out, bool one_panel)
{
	struct survey survey = {.check_axes = one_panel};
	read_xml(buffer_text(out), find_size, &survey);
	assert_true(survey.width > 0 && survey.height > 0);
	read_xml(buffer_text(out), inspect, &survey);
	assert_true(survey.titles >= 1);
	return survey;
}

static void test_escaping_for_markup(void **state)
{
	(void)state;
	struct buffer out = {0};
	markup_escape(&out, "<script>alert(\"1\" & '2')</script>\n\033\u202e\xff\u00e9");
	assert_string_equal(
		buffer_text(&out),
		"&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\\n\\x1b\\u202e\\xff\u00e9");
	buffer_clear(&out);
	markup_escape_fit(&out, "<<<<<<<<>>>>>>>>", 5);
	assert_string_equal(buffer_text(&out), "&lt;&lt;\u2026&gt;&gt;");
	buffer_clear(&out);
	markup_identifier(&out, "a b\"<\u00e9>1");
	assert_string_equal(buffer_text(&out), "a-b-----1");
	buffer_release(&out);
}

static void test_numbers_are_short(void **state)
{
	(void)state;
	struct buffer out = {0};
	double values[] = {1, -1.25, 0.04, 99.96, NAN, 1e300, -0.04};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		svg_number(&out, values[i]);
		buffer_char(&out, ' ');
	}
	assert_string_equal(buffer_text(&out), "1 -1.3 0 100 0 1000000 0 ");
	buffer_release(&out);
}

static void test_a_sequence_with_marks(void **state)
{
	(void)state;
	double x[200];
	memcpy(x, value_1, sizeof(x));
	x[100] = 0.5;
	x[101] = NAN;
	struct plot_mark marks[] = {{40, PLOT_WARMUP}, {150, PLOT_CHANGE}};
	struct plot_series series = {.values = x, .n = 200, .unit = "s", .marks = marks, .mark_count = 2};
	struct svg_options options = {.id = "p1"};
	struct buffer out = {0};
	assert_int_equal(svg_sequence(&series, &options, &out, NULL), 0);
	struct survey survey = check_svg(&out, true);
	assert_int_equal(survey.circles, 198);
	assert_int_equal(survey.arrows, 1);
	assert_int_equal(survey.titles, 198 + 1 + 1 + 1); /* values, arrow, warm-up, the drawing */
	assert_non_null(strstr(buffer_text(&out), "<title id=\"p1-t\">values in order</title>"));
	assert_non_null(strstr(buffer_text(&out), "aria-labelledby=\"p1-t p1-d\""));
	assert_non_null(strstr(buffer_text(&out), ">value 101: 500.0 ms</title>"));
	assert_non_null(strstr(buffer_text(&out), "warm-up: 40 values"));
	assert_non_null(strstr(buffer_text(&out), ">1 above, up to 500.0 ms; 1 lost</text>"));
	assert_null(strstr(buffer_text(&out), "<style>"));
	buffer_clear(&out);
	options.standalone = true;
	assert_int_equal(svg_sequence(&series, &options, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "<style>.tare-plot{"));
	assert_non_null(strstr(buffer_text(&out), "class=\"tare-plot alone\""));
	buffer_release(&out);
}

/* The note counts what the drawing does not show: pairs, ratios, results. */
static void test_notes_count_what_is_off_the_axis(void **state)
{
	(void)state;
	double base[40], new_[40];
	struct history_point points[40] = {0};
	struct buffer out = {0};
	struct svg_options options = {.id = "p"};
	for (size_t i = 0; i < 40; i++) {
		base[i] = 1 + 0.01 * (double)(i % 8);
		new_[i] = 2 * base[i];
		points[i] = (struct history_point){
			.commit = "", .value = base[i], .low = base[i] - 0.01, .high = base[i] + 0.01};
	}
	/* Far for base alone: the axis of both shows it. Off the axis on both sides: one pair. */
	base[3] = 2;
	base[5] = new_[5] = 50;
	struct plot_pairs pairs = {.base_name = "old",
	                           .new_name = "new",
	                           .base = base,
	                           .new_ = new_,
	                           .n = 40,
	                           .unit = "s",
	                           .ratio = 2,
	                           .low = NAN,
	                           .high = NAN};
	assert_int_equal(svg_pairs(&pairs, &options, &out, NULL), 0);
	assert_int_equal(check_svg(&out, true).arrows, 1);
	assert_non_null(strstr(buffer_text(&out), ">1 above, up to 50.00 s</text>"));
	buffer_clear(&out);
	/* Without those the sides share no value: each axis has its own range, and no line of equal times to show. */
	assert_false(svg_pairs_apart(&pairs));
	base[3] = 1.03;
	base[5] = 1.05;
	new_[5] = 2.1;
	assert_true(svg_pairs_apart(&pairs));
	assert_int_equal(svg_pairs(&pairs, &options, &out, NULL), 0);
	assert_null(strstr(buffer_text(&out), ">1.5"));
	base[3] = 2;
	base[5] = 50;
	buffer_clear(&out);
	/* 0 % is on the axis, far as it is from the ratios. */
	for (size_t i = 0; i < 40; i++)
		new_[i] = base[i] * (i == 5 ? 1 : 2 + 0.001 * (double)(i % 8));
	assert_int_equal(svg_pair_ratios(&pairs, &options, &out, NULL), 0);
	assert_int_equal(check_svg(&out, true).arrows, 0);
	assert_null(strstr(buffer_text(&out), "below"));
	buffer_clear(&out);
	/* An interval that reaches far is no result. */
	points[7].high = 90;
	points[8].value = points[8].low = points[8].high = 70;
	struct history_series history = {
		.subject = "x", .metric = "wall", .unit = "s", .stratum = "", .points = points, .n = 40};
	assert_int_equal(svg_history(&history, &options, &out, NULL), 0);
	assert_int_equal(check_svg(&out, true).arrows, 1);
	assert_non_null(strstr(buffer_text(&out), ">1 above, up to 70.00 s</text>"));
	buffer_release(&out);
}

static void test_a_large_series_is_small_and_keeps_its_extremes(void **state)
{
	(void)state;
	enum { MANY = 200000 };
	double *x = malloc(MANY * sizeof(*x));
	struct random random;
	random_seed(&random, 9);
	for (size_t i = 0; i < MANY; i++)
		x[i] = 1 + 0.01 * random_normal(&random);
	x[123456] = 1000;
	x[77777] = 0.0001;
	struct plot_series series = {.values = x, .n = MANY, .unit = "s"};
	struct svg_options options = {.id = "p"};
	struct buffer out = {0};
	assert_int_equal(svg_sequence(&series, &options, &out, NULL), 0);
	assert_true(out.length < 20000);
	struct survey survey = check_svg(&out, true);
	assert_int_equal(survey.arrows, 2);
	assert_non_null(strstr(buffer_text(&out), "value 123457: 1000 s"));
	assert_non_null(strstr(buffer_text(&out), "value 77778: 100.0 \u00b5s"));
	buffer_clear(&out);
	assert_int_equal(svg_beside_shuffled(PLOT_LAG, &series, 1, &options, &out, NULL), 0);
	assert_true(out.length < 40000);
	assert_int_equal(check_svg(&out, false).arrows, 8);
	free(x);
	buffer_release(&out);
}

static void test_bars_and_bands(void **state)
{
	(void)state;
	struct plot_series series = {.values = value_1, .n = N, .unit = "s"};
	struct svg_options options = {.id = "p"};
	struct buffer out = {0};
	assert_int_equal(svg_histogram(&series, 0.0125, &options, &out, NULL), 0);
	check_svg(&out, true);
	assert_non_null(strstr(buffer_text(&out), "class=\"bar one\""));
	buffer_clear(&out);
	double steady[100];
	for (size_t i = 0; i < 100; i++)
		steady[i] = (double)i;
	struct plot_series rising = {.values = steady, .n = 100, .unit = "s"};
	assert_int_equal(svg_beside_shuffled(PLOT_ACF, &rising, 1, &options, &out, NULL), 0);
	check_svg(&out, false);
	assert_non_null(strstr(buffer_text(&out), "<title>lag 1: 0.970</title>"));
	assert_non_null(strstr(buffer_text(&out), "class=\"bar warn\""));
	buffer_clear(&out);
	struct plot_level levels[] = {{"build", 1}, {"run", 3}, {"iteration", NAN}};
	assert_int_equal(svg_levels(levels, 3, &options, &out, NULL), 0);
	check_svg(&out, false);
	assert_non_null(strstr(buffer_text(&out), ">25.0 %</text>"));
	assert_non_null(strstr(buffer_text(&out), ">75.0 %</text>"));
	assert_non_null(strstr(buffer_text(&out), ">not known</text>"));
	buffer_release(&out);
}

static void test_hostile_names_are_only_text(void **state)
{
	(void)state;
	char name[10240];
	memset(name, 'x', sizeof(name));
	memcpy(name, "<script>alert(1)</script>\"'&\u202e\033[2J]]>", 38);
	name[sizeof(name) - 1] = '\0';
	struct plot_strip strips[] = {{name, value_1, N, 0.0125, 0.0124, 0.0126, EMPHASIS_NONE},
	                              {"<i>b</i>", value_2, N, NAN, NAN, NAN, EMPHASIS_NONE}};
	struct plot_ratio ratio = {name, 1.02, 1.01, 1.03, 0.01, EMPHASIS_BAD, name};
	struct plot_pairs pairs = {name, name, value_1, value_2, N, name, 1.02, 1.01, 1.03, 0.01};
	struct plot_level level = {name, 1};
	struct svg_options options = {.id = name, .title = name, .description = name, .standalone = false};
	struct buffer out = {0};
	for (int plot = 0; plot < 5; plot++) {
		buffer_clear(&out);
		int status = plot == 0   ? svg_density(strips, 2, name, &options, &out, NULL)
		             : plot == 1 ? svg_forest(&ratio, 1, &options, &out, NULL)
		             : plot == 2 ? svg_pairs(&pairs, &options, &out, NULL)
		             : plot == 3 ? svg_pair_ratios(&pairs, &options, &out, NULL)
		                         : svg_levels(&level, 1, &options, &out, NULL);
		assert_int_equal(status, 0);
		read_xml(buffer_text(&out), NULL, NULL);
		assert_null(strstr(buffer_text(&out), "<script"));
		assert_null(strstr(buffer_text(&out), "\u202e"));
		assert_non_null(strstr(buffer_text(&out), "&lt;script&gt;"));
	}
	buffer_release(&out);
}

/* Whole characters stay, whatever is left out. */
static void test_long_names_lose_their_middle(void **state)
{
	(void)state;
	char name[3 * 120 + 3] = "x";
	for (size_t i = 0; i < 120; i++)
		strcat(name, "\u6f22");
	strcat(name, "y");
	struct history_point points[3] = {{.commit = "", .value = 1, .low = NAN, .high = NAN},
	                                  {.commit = "", .value = 2, .low = NAN, .high = NAN},
	                                  {.commit = "", .value = 3, .low = NAN, .high = NAN}};
	struct history_series history = {
		.subject = "x", .metric = name, .unit = "s", .stratum = "", .points = points, .n = 3};
	struct plot_pairs pairs = {.base_name = name,
	                           .new_name = name,
	                           .base = value_1,
	                           .new_ = value_2,
	                           .n = N,
	                           .unit = "s",
	                           .ratio = 1,
	                           .low = NAN,
	                           .high = NAN};
	struct buffer out = {0};
	assert_int_equal(svg_pairs(&pairs, &(struct svg_options){.id = "x"}, &out, NULL), 0);
	assert_int_equal(svg_history(&history, &(struct svg_options){.id = "x"}, &out, NULL), 0);
	assert_null(strstr(buffer_text(&out), "\\x"));
	/* The ends of heading and title of the axis: with the unit. */
	assert_non_null(strstr(buffer_text(&out), "\u6f22y, ms<title>"));
	assert_non_null(strstr(buffer_text(&out), "y, result by result, s<title>"));
	assert_non_null(strstr(buffer_text(&out), "\u6f22\u2026\u6f22"));
	buffer_release(&out);
}

static void test_forest_marks(void **state)
{
	(void)state;
	struct plot_ratio ratios[] = {
		{"a", 1.02, 1.01, 1.03, 0.01, EMPHASIS_BAD, "slower"},
		{"b", 1.0, -INFINITY, INFINITY, 0.01, EMPHASIS_FAINT, "undecided"},
		{"c", NAN, NAN, NAN, 0.01, EMPHASIS_FAINT, NULL},
		{"d", 40, 30, 50, 0, EMPHASIS_BAD, "40 times"},
	};
	struct svg_options options = {.id = "f"};
	struct buffer out = {0};
	assert_int_equal(svg_forest(ratios, 4, &options, &out, NULL), 0);
	struct survey survey = check_svg(&out, false);
	assert_int_equal(survey.circles, 2); /* one is not known, one far outside */
	assert_non_null(strstr(buffer_text(&out), "+2.0 % (+1.0 % to +3.0 %)"));
	assert_non_null(strstr(buffer_text(&out), "the interval has no bound"));
	assert_true(survey.arrows >= 3);
	buffer_release(&out);
}

static int draw_all(const double *x, const double *y, size_t n, const char *unit, const struct svg_options *options,
                    bool check, struct buffer *out, struct error *err)
{
	struct plot_series series = {.values = x, .n = n, .unit = unit};
	struct plot_strip strips[] = {{"a", x, n, n ? x[0] : NAN, n ? x[0] : NAN, n ? x[n - 1] : NAN, EMPHASIS_NONE},
	                              {"b", y, n, NAN, NAN, NAN, EMPHASIS_NONE}};
	struct plot_ratio ratio = {"r", n ? x[0] : NAN, n ? x[n / 2] : NAN, n ? x[n - 1] : NAN, 0.01, EMPHASIS_NONE, unit};
	struct plot_pairs pairs = {"base", "new", x, y, n, unit, n ? y[0] : NAN, n ? x[0] : NAN, n ? x[n - 1] : NAN, 0.01};
	struct plot_level levels[] = {{"run", n ? x[0] : NAN}, {"iteration", n ? y[0] : NAN}};
	int status = 0;
	for (int plot = 0; plot < 10; plot++) {
		bool one_panel = plot < 2 || plot == 6 || plot == 7;
		buffer_clear(out);
		switch (plot) {
		case 0: status |= svg_sequence(&series, options, out, err); break;
		case 1: status |= svg_histogram(&series, n ? x[0] : NAN, options, out, err); break;
		case 2:
		case 3:
		case 4: status |= svg_beside_shuffled((enum plot_kind)(plot - 2), &series, 3, options, out, err); break;
		case 5: status |= svg_density(strips, 2, unit, options, out, err); break;
		case 6: status |= svg_pairs(&pairs, options, out, err); break;
		case 7: status |= svg_pair_ratios(&pairs, options, out, err); break;
		case 8: status |= svg_forest(&ratio, 1, options, out, err); break;
		case 9: status |= svg_levels(levels, 2, options, out, err); break;
		}
		if (check && status == 0)
			check_svg(out, one_panel && !strstr(buffer_text(out), "no values to plot"));
	}
	return status;
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
	static const char *const units[] = {"s", "bytes", "", "bytes/s", "ops/s"};
	struct random random;
	random_seed(&random, 12);
	struct buffer out = {0};
	for (int round = 0; round < 250; round++) {
		double x[400], y[400];
		size_t n = random_below(&random, round % 3 ? 400 : 5);
		unsigned kind = (unsigned)random_below(&random, 6);
		for (size_t i = 0; i < n; i++) {
			x[i] = strange_value(&random, kind);
			y[i] = strange_value(&random, kind);
		}
		struct svg_options options = {.id = "x",
		                              .width = 240 + (double)random_below(&random, 600),
		                              .height = (double)random_below(&random, 400),
		                              .points = 50 + random_below(&random, 500)};
		assert_int_equal(draw_all(x, y, n, units[round % 5], &options, true, &out, NULL), 0);
	}
	buffer_release(&out);
}

static void test_the_same_input_gives_the_same_bytes(void **state)
{
	(void)state;
	struct plot_series series = {.values = value_1, .n = N, .unit = "s"};
	struct svg_options options = {.id = "p"};
	struct buffer one = {0}, two = {0};
	for (int kind = PLOT_SEQUENCE; kind <= PLOT_ACF; kind++) {
		assert_int_equal(svg_beside_shuffled((enum plot_kind)kind, &series, 3, &options, &one, NULL), 0);
		assert_int_equal(svg_beside_shuffled((enum plot_kind)kind, &series, 3, &options, &two, NULL), 0);
	}
	assert_string_equal(buffer_text(&one), buffer_text(&two));
	buffer_release(&one);
	buffer_release(&two);
}

static void test_every_allocation_may_fail(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct buffer out = {0};
		struct error err = {0};
		mem_fail_at(nth);
		int status = draw_all(value_1, value_2, N, "s", &(struct svg_options){.id = "m"}, false, &out, &err);
		int failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? -1 : 0);
		buffer_release(&out);
		if (!failed) {
			assert_true(nth > 20);
			return;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escaping_for_markup),
		cmocka_unit_test(test_numbers_are_short),
		cmocka_unit_test(test_a_sequence_with_marks),
		cmocka_unit_test(test_notes_count_what_is_off_the_axis),
		cmocka_unit_test(test_a_large_series_is_small_and_keeps_its_extremes),
		cmocka_unit_test(test_bars_and_bands),
		cmocka_unit_test(test_hostile_names_are_only_text),
		cmocka_unit_test(test_long_names_lose_their_middle),
		cmocka_unit_test(test_forest_marks),
		cmocka_unit_test(test_any_data_fit_any_size),
		cmocka_unit_test(test_the_same_input_gives_the_same_bytes),
		cmocka_unit_test(test_every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, make_values, NULL);
}
