/* The page around the sections, and the small parts that they share. */
#include "report/html_parts.h"

#include "report/markup.h"
#include "report/names.h"
#include "report/overview.h"
#include "report/svg.h"
#include "report/text_width.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void html_raw(struct html *html, const char *markup)
{
	buffer_text_add(html->out, markup);
}

/* A number and its per cent sign stay on one line. */
void html_text(struct html *html, const char *text)
{
	struct buffer bound = {0};
	for (const char *percent; (percent = strstr(text, " %")) != NULL; text = percent + 1) {
		buffer_add(&bound, text, (size_t)(percent - text));
		buffer_text_add(&bound, "\xc2\xa0");
	}
	buffer_text_add(&bound, text);
	markup_escape(html->out, buffer_text(&bound));
	html_release(html, &bound);
}

void html_element(struct html *html, const char *element, const char *class_, const char *text)
{
	buffer_printf(html->out, class_ ? "<%s class=\"%s\">" : "<%s>", element, class_);
	html_text(html, text);
	buffer_printf(html->out, "</%s>\n", element);
}

void html_exact(struct html *html, const char *element, const char *class_, const char *text)
{
	buffer_printf(html->out, "<%s class=\"%s\">", element, class_);
	markup_escape(html->out, text);
	buffer_printf(html->out, "</%s>\n", element);
}

void html_release(struct html *html, struct buffer *text)
{
	html->out->out_of_memory |= text->out_of_memory;
	buffer_release(text);
}

void html_clear(struct html *html, struct buffer *text)
{
	html->out->out_of_memory |= text->out_of_memory;
	buffer_clear(text);
}

void html_fact(struct html *html, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	html_raw(html, "<div>");
	html_element(html, "dt", NULL, label);
	html_element(html, "dd", NULL, text);
	html_raw(html, "</div>\n");
}

void html_fact_exact(struct html *html, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	html_raw(html, "<div>");
	html_element(html, "dt", NULL, label);
	html_exact(html, "dd", "exact", text);
	html_raw(html, "</div>\n");
}

void html_factf(struct html *html, const char *label, const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	html_fact(html, label, text);
}

const char *html_metric(const struct result *result)
{
	const struct subject *first = result->subject_count ? &result->subjects[0] : NULL;
	for (size_t i = 0; first && result->comparison_count == 0 && i < first->metric_count; i++)
		if (!isnan(first->metrics[i].index->autocorrelation_limit))
			return first->metrics[i].metric.name;
	return overview_metric(result);
}

const char *html_kind(const struct result *result)
{
	size_t benchmarks = 0, commands = 0;
	for (size_t i = 0; i < result->subject_count; i++) {
		benchmarks += result->subjects[i].benchmark != NULL;
		commands += !result->subjects[i].benchmark && result->subjects[i].command;
	}
	return benchmarks == result->subject_count ? "benchmarks"
	       : commands == result->subject_count ? "commands"
	                                           : "subjects";
}

const char *html_verdict_class(enum verdict verdict)
{
	return verdict_name(verdict);
}

/* One drawing: what fits a phone fits a third of a wide page too. */
static int draw(struct html *html, const struct figure_source *source, enum figure figure, double width,
                const char *class_, size_t points)
{
	char id[64];
	snprintf(id, sizeof(id), "plot-%zu-%zu", html->number, ++html->figures);
	buffer_printf(html->out, "<div class=\"%s\">", class_);
	struct svg_options options = {.id = id, .width = width, .points = points, .plain = html->plain};
	int status = figure_draw(source, figure, &options, html->out, html->err);
	html_raw(html, "</div>\n");
	return status;
}

void html_figure(struct html *html, const struct figure_source *source, enum figure figure, enum html_span span,
                 size_t points)
{
	static const char *const classes[] = {"plot third", "plot half", "plot full"};
	static const double widths[] = {324, 512, 1074};
	if (html->failed || !figure_fits(source, figure))
		return;
	buffer_printf(html->out, "<figure class=\"%s\" data-plot=\"%s\">\n", classes[span], figure_name(figure));
	if (figure_of_subject(figure) && source->comparison) {
		html_element(html, "p", "of", figure_subject_name(source->result, source->comparison, source->subject));
	}
	int status = draw(html, source, figure, widths[HTML_THIRD], span == HTML_THIRD ? "any" : "narrow", points);
	if (status == 0 && span != HTML_THIRD)
		status = draw(html, source, figure, widths[span], "wide", points);
	struct buffer caption = {0};
	if (status == 0)
		status = figure_caption(source, figure, points, &caption, html->err);
	html->failed |= status != 0;
	html_element(html, "figcaption", NULL, buffer_text(&caption));
	html_release(html, &caption);
	html_raw(html, "</figure>\n");
}

static void put_title(struct buffer *out, const struct html_page *page)
{
	const struct result *first = page->count ? page->results[0].result : NULL;
	struct buffer title = {0};
	if (page->title)
		buffer_text_add(&title, page->title);
	else if (first && first->name)
		buffer_text_add(&title, first->name);
	else if (first && first->comparison_count == 1)
		buffer_printf(&title, "%s against %s", first->subjects[first->comparisons[0].new_].name,
		              first->subjects[first->comparisons[0].base].name);
	else if (first && first->comparison_count > 1)
		buffer_printf(&title, "%zu comparisons", first->comparison_count);
	else if (first && first->subject_count == 1)
		buffer_text_add(&title, first->subjects[0].name);
	else if (first)
		buffer_printf(&title, "%zu %s", first->subject_count, html_kind(first));
	else
		buffer_text_add(&title, "history");
	markup_escape_fit(out, buffer_text(&title), 90);
	out->out_of_memory |= title.out_of_memory;
	buffer_release(&title);
}

static void put_head(struct buffer *out, const struct html_page *page)
{
	/* Nothing may be loaded from anywhere; the one script that may run is ours, by its hash. */
	buffer_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	                     "style-src 'unsafe-inline'; img-src data:; script-src 'sha256-");
	buffer_text_add(out, html_script_hash());
	buffer_text_add(out, "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	                     "<meta name=\"generator\" content=\"tare " TARE_VERSION "\">\n<title>");
	put_title(out, page);
	buffer_text_add(out, " – tare</title>\n<style>\n");
	buffer_text_add(out, svg_style());
	buffer_char(out, '\n');
	buffer_text_add(out, html_style());
	buffer_text_add(out, "</style>\n</head>\n");
}

static void put_top(struct buffer *out, const struct html_page *page)
{
	const struct result *first = page->count ? page->results[0].result : NULL;
	buffer_text_add(out, "<header class=\"top\"><span class=\"brand\">");
	if (page->home)
		buffer_printf(out, "<a href=\"%s\">tare: all results</a>", page->home);
	else
		buffer_text_add(out, "tare");
	buffer_text_add(out, "</span> <span class=\"title\">");
	put_title(out, page);
	buffer_text_add(out, "</span>");
	if (first && first->started) {
		buffer_text_add(out, " <time>");
		markup_escape_fit(out, first->started, 40);
		buffer_text_add(out, "</time>");
	}
	buffer_text_add(out, "</header>\n");
}

static int put_result(struct buffer *out, const struct html_result *item, size_t number, struct error *err)
{
	struct arena arena = {0};
	struct result shown;
	if (names_shorten(item->result, HTML_NAME, TEXT_UNICODE, &arena, &shown) != 0) {
		arena_release(&arena);
		return error_memory(err);
	}
	struct html html = {.out = out, .item = item, .result = &shown, .number = number, .err = err};
	buffer_printf(out, "<article class=\"result\" id=\"result-%zu\">\n", number);
	html_verdict(&html);
	html_benchmarks(&html);
	html_plots(&html);
	html_monitoring(&html);
	html_numbers(&html);
	html_diagnostics(&html);
	html_circumstances(&html);
	html_data(&html);
	html_raw(&html, "</article>\n");
	arena_release(&arena);
	return html.failed ? -1 : 0;
}

void html_begin(struct buffer *out, const struct html_page *page)
{
	put_head(out, page);
	buffer_text_add(out, "<body>\n<div class=\"page\">\n");
	put_top(out, page);
	buffer_text_add(out, "<main>\n");
}

void html_end(struct buffer *out)
{
	buffer_text_add(out,
	                "</main>\n<footer>made by tare " TARE_VERSION "; this file contains everything it shows</footer>\n"
	                "</div>\n<script>");
	buffer_text_add(out, html_script());
	buffer_text_add(out, "</script>\n</body>\n</html>\n");
}

int html_write(const struct html_page *page, struct buffer *out, struct error *err)
{
	struct html history = {.out = out, .number = page->count, .err = err};
	html_begin(out, page);
	for (size_t i = 0; i < page->count; i++)
		if (put_result(out, &page->results[i], i + 1, err) != 0)
			return -1;
	if (page->history)
		html_history(&history, page->history, page->count == 0);
	if (history.failed)
		return -1;
	html_end(out);
	return buffer_error(out, err);
}
