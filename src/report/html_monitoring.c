/* What limited: the monitor's verdict, the graph of components, and what was near its limit for how long. The traces
 * stand under the run-sequence (svg_watched). */
#include "report/html_parts.h"

#include "base/format.h"
#include "report/graph.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

static void put_graph(struct html *html, const struct graph *graph)
{
	char id[64];
	if (graph->node_count == 0)
		return;
	snprintf(id, sizeof(id), "plot-%zu-%zu", html->number, ++html->figures);
	struct svg_options options = {.id = id, .width = 1074};
	/* It keeps its size and is scrolled where it is wider than the screen: its boxes hold words. */
	html_raw(
		html,
		"<figure class=\"plot full graph\" data-plot=\"graph\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"graph of components\">");
	html->failed |= svg_graph(graph, &options, html->out, html->err) != 0;
	html_raw(html, "</div>\n");
	html_element(html, "figcaption", NULL,
	             "The components that the work passes through. The one that limits has a thick line and the word "
	             "\"limits\"; the one under test is dashed; links show each direction separately.");
	html_raw(html, "</figure>\n");
}

static void put_saturations(struct html *html, const struct monitoring *m)
{
	char from[FORMAT_MAX], seconds[FORMAT_MAX], mean[FORMAT_MAX], when[2 * FORMAT_MAX + 20], text[4 * FORMAT_MAX + 100];
	if (m->saturation_count == 0)
		return;
	html_raw(html, "<ul class=\"worst\">\n");
	for (size_t i = 0; i < m->saturation_count && i < 8; i++) {
		const struct saturation *s = &m->saturations[i];
		if (isnan(s->from))
			snprintf(when, sizeof(when), "in the trial rounds");
		else
			snprintf(when, sizeof(when), "for %s from %s on",
			         format_duration(seconds, sizeof(seconds), (int64_t)(s->seconds * 1e9)),
			         format_duration(from, sizeof(from), (int64_t)(s->from * 1e9)));
		snprintf(text, sizeof(text), " near its limit %s, at %s on average%s", when,
		         format_percent(mean, sizeof(mean), s->mean, 0.01, 0),
		         m->cut && s->under_test ? "; it is the component under test" : "");
		buffer_printf(html->out, "<li class=\"%s\">", m->cut && s->under_test ? "same" : "slower");
		html_text(html, s->component);
		html_raw(html, " ");
		html_text(html, s->quantity);
		html_text(html, text);
		html_raw(html, "</li>\n");
	}
	html_raw(html, "</ul>\n");
}

void html_monitoring(struct html *html)
{
	const struct monitoring *m = &html->result->monitoring;
	struct buffer words = {0};
	if (!m->recorded)
		return;
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "What limited");
	words_monitoring(html->result, &words);
	html_element(html, "p", m->verdict == MONITOR_INVALID ? "warn" : NULL, buffer_text(&words));
	put_saturations(html, m);
	html_raw(html, "<div class=\"plots\">\n");
	put_graph(html, &m->graph);
	html_raw(html, "</div>\n</section>\n");
	html_release(html, &words);
}
