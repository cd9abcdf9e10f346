/* The plots: all of them for a few comparisons, two each for a suite. */
#include "report/html_parts.h"

/* A suite of many gets few points each, so that its page stays small; beyond MANY one sequence of the two, too. */
enum { POINTS_OF_SUITE = 120, POINTS_OF_MANY = 48, MANY = 60 };

/* Performance indices that were read many times in a run. */
static void put_phases(struct html *html, const struct comparison *comparison, size_t subject)
{
	const struct subject *of = &html->result->subjects[subject];
	for (size_t i = 0; i < of->metric_count; i++) {
		struct figure_source source = {html->result, comparison, subject, of->metrics[i].metric.name};
		if (of->metrics[i].phases)
			html_figure(html, &source, FIGURE_PHASES, HTML_FULL, 0);
	}
}

/* A drawing of a single value shows less than the number. */
static bool has_values_to_plot(struct html *html, size_t subject, const char *metric)
{
	const struct measurement *m = subject_find_metric(&html->result->subjects[subject], metric);
	return m && m->series.n > 1;
}

static void say_nothing_to_plot(struct html *html)
{
	html_raw(html, "<div>");
	html_element(html, "p", "quiet", "nothing to plot: a plot needs two values or more");
	html_raw(html, "</div>\n");
}

void html_comparison_plots(struct html *html, const struct comparison *comparison)
{
	if (!has_values_to_plot(html, comparison->base, comparison->metric) &&
	    !has_values_to_plot(html, comparison->new_, comparison->metric)) {
		say_nothing_to_plot(html);
		return;
	}
	struct figure_source source = {html->result, comparison, comparison->base, comparison->metric};
	size_t sides[2] = {comparison->base, comparison->new_};
	bool few = html->result->comparison_count <= HTML_FEW;
	html_raw(html, "<div class=\"plots\">\n");
	if (!few) {
		bool many = html->result->comparison_count > MANY;
		size_t points = many ? POINTS_OF_MANY : POINTS_OF_SUITE;
		html->plain = many;
		html_figure(html, &source, FIGURE_DENSITY, HTML_THIRD, points);
		bool pairs = figure_fits(&source, FIGURE_PAIR_RATIOS);
		if (pairs)
			html_figure(html, &source, FIGURE_PAIR_RATIOS, HTML_THIRD, points);
		for (size_t i = many ? 1 : 0; i < 2 && !pairs; i++) {
			source.subject = sides[i];
			html_figure(html, &source, FIGURE_SEQUENCE, HTML_THIRD, points);
		}
		html_raw(html, "</div>\n");
		return;
	}
	bool pairs = figure_fits(&source, FIGURE_PAIRS), levels = figure_fits(&source, FIGURE_LEVELS);
	/* Rows are filled: three thirds, two halves, or one plot alone. */
	enum html_span beside = pairs && !figure_fits(&source, FIGURE_ORDER) ? HTML_HALF : HTML_THIRD;
	html_figure(html, &source, FIGURE_DENSITY, pairs || levels ? beside : HTML_FULL, 0);
	for (size_t i = 0; i < 2 && !pairs; i++) {
		source.subject = sides[i];
		html_figure(html, &source, FIGURE_LEVELS, HTML_THIRD, 0);
	}
	html_figure(html, &source, FIGURE_PAIRS, beside, 0);
	html_figure(html, &source, FIGURE_ORDER, HTML_THIRD, 0);
	html_figure(html, &source, FIGURE_PAIR_RATIOS, HTML_FULL, 0);
	put_phases(html, comparison, comparison->base);
	put_phases(html, comparison, comparison->new_);
	for (size_t i = 0; i < 2; i++) {
		source.subject = sides[i];
		html_figure(html, &source, FIGURE_SEQUENCE, HTML_HALF, 0);
	}
	for (size_t i = 0; i < 2 && pairs; i++) {
		source.subject = sides[i];
		html_figure(html, &source, FIGURE_LEVELS, HTML_HALF, 0);
	}
	html_raw(html, "</div>\n");
}

void html_subject_plots(struct html *html, size_t subject, const char *metric)
{
	if (!has_values_to_plot(html, subject, metric)) {
		say_nothing_to_plot(html);
		return;
	}
	struct figure_source source = {html->result, NULL, subject, metric};
	bool few = html->result->subject_count <= HTML_FEW;
	html->plain = html->result->subject_count > MANY;
	size_t points = few ? 0 : html->plain ? POINTS_OF_MANY : POINTS_OF_SUITE;
	html_raw(html, "<div class=\"plots\">\n");
	html_figure(html, &source, FIGURE_SEQUENCE, few ? HTML_FULL : HTML_THIRD, points);
	if (few)
		put_phases(html, NULL, subject);
	enum html_span span = few && !figure_fits(&source, FIGURE_LEVELS) ? HTML_HALF : HTML_THIRD;
	html_figure(html, &source, FIGURE_DENSITY, span, points);
	if (few) {
		html_figure(html, &source, FIGURE_HISTOGRAM, span, 0);
		html_figure(html, &source, FIGURE_LEVELS, HTML_THIRD, 0);
	}
	html_raw(html, "</div>\n");
}

void html_plots(struct html *html)
{
	const struct result *result = html->result;
	if (result->comparison_count != 1 && !(result->comparison_count == 0 && result->subject_count == 1))
		return; /* several: below each benchmark */
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "Plots");
	if (result->comparison_count == 1)
		html_comparison_plots(html, &result->comparisons[0]);
	else
		html_subject_plots(html, 0, html_metric(result));
	html_raw(html, "</section>\n");
}

/* What shows whether values depend on those before them: for those who want to know why an interval is as wide as it
 * is. */
void html_diagnostics(struct html *html)
{
	const struct result *result = html->result;
	const struct comparison *comparison = result->comparison_count == 1 ? result->comparisons : NULL;
	static const enum figure figures[] = {FIGURE_LAG, FIGURE_ACF};
	size_t sides[2] = {comparison ? comparison->base : 0, comparison ? comparison->new_ : 0};
	struct figure_source source = {result, comparison, 0, comparison ? comparison->metric : html_metric(result)};
	bool some = false;
	if (!comparison && (result->comparison_count > 0 || result->subject_count != 1))
		return;
	for (size_t f = 0; f < 2; f++)
		for (size_t i = 0; i < (comparison ? 2 : 1); i++) {
			source.subject = sides[i];
			if (!figure_fits(&source, figures[f]))
				continue;
			if (!some)
				html_raw(html,
				         "<section><details><summary>Diagnostics: do values depend on those before them?</summary>\n"
				         "<div class=\"plots\">\n");
			some = true;
			html_figure(html, &source, figures[f], HTML_HALF, 0);
		}
	if (some)
		html_raw(html, "</div></details></section>\n");
}
