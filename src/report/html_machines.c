/* Several machines: what they say together, and each of them in a forest. */
#include "report/html_parts.h"
#include "report/machines_text.h"
#include "report/svg_plots.h"

#include <stdio.h>
#include <string.h>

static void put_words(struct html *html, const struct comparison *c)
{
	struct buffer words = {0};
	machines_words(html->result, c, &words);
	html_raw(html, "<ul class=\"beside\">\n");
	for (char *at = words.data, *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		html_element(html, "li", NULL, at);
	}
	html_raw(html, "</ul>\n");
	html_release(html, &words);
}

/* Once for a wide screen and once for a phone. */
static void draw(struct html *html, const struct plot_ratio *ratios, size_t count, double width, const char *class_)
{
	char id[64];
	snprintf(id, sizeof(id), "machines-%zu-%zu", html->number, ++html->figures);
	struct svg_options options = {
		.id = id, .title = "The change on each machine", .width = width, .plain = html->plain};
	buffer_printf(html->out, "<div class=\"%s\">", class_);
	html->failed |= svg_forest(ratios, count, &options, html->out, html->err) != 0;
	html_raw(html, "</div>\n");
}

void html_machines(struct html *html, const struct comparison *c)
{
	struct arena arena = {0};
	size_t count, left_out;
	char caption[200];
	if (!c->machines || html->failed)
		return;
	struct plot_ratio *ratios = machines_forest(html->result, c, &arena, &count, &left_out);
	html_raw(html, "<section class=\"machines\">\n");
	html_element(html, "h2", NULL, "Machines");
	put_words(html, c);
	html_raw(html, "<figure class=\"plot full\" data-plot=\"machines\">\n");
	if (ratios) {
		draw(html, ratios, count, 324, "narrow");
		draw(html, ratios, count, 1074, "wide");
	} else {
		html->failed = true;
		error_memory(html->err);
	}
	snprintf(caption, sizeof(caption), "Each machine alone, with its interval; %s",
	         c->machines->odd < c->machines->count ? "one differs from the others of its kind."
	                                               : "none differs from the others of its kind.");
	if (left_out > 0)
		snprintf(caption, sizeof(caption), "The lowest and highest machines; %zu lie between.", left_out);
	html_element(html, "figcaption", NULL, caption);
	html_raw(html, "</figure>\n</section>\n");
	arena_release(&arena);
}
