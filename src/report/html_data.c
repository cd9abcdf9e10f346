/* The raw data, inside the page: a JSON block that the script hands out as a file. */
#include "report/html_parts.h"

#include "report/markup.h"

#include <stdio.h>

void html_data(struct html *html)
{
	const struct html_result *item = html->item;
	char text[200];
	if (!item->data)
		return;
	html_raw(html, "<section class=\"data\">\n");
	html_element(html, "h2", NULL, "Raw data");
	if (item->embedded < item->values)
		snprintf(text, sizeof(text),
		         "%zu of %zu values are in this file: of each series the smallest and largest of every stretch, so "
		         "that no extreme is lost. The numbers above are of all.",
		         item->embedded, item->values);
	else
		snprintf(text, sizeof(text), "All %zu values are in this file, as a result document that tare can read.",
		         item->values);
	html_element(html, "p", NULL, text);
	if (item->source) {
		html_raw(html, "<p>Made from ");
		html_element(html, "code", NULL, item->source);
		html_raw(html, "</p>\n");
	}
	buffer_printf(
		html->out,
		"<p><button type=\"button\" data-save=\"json\" data-from=\"data-%zu\">save as JSON</button> "
		"<button type=\"button\" data-save=\"csv\" data-from=\"data-%zu\">save as CSV</button></p>\n"
		"<noscript><p>Saving needs scripts; the data are the JSON block at the end of this file\xe2\x80\x99s source.</p></noscript>\n",
		html->number, html->number);
	buffer_printf(html->out, "<script type=\"application/json\" id=\"data-%zu\">", html->number);
	markup_json(html->out, item->data);
	html_raw(html, "</script>\n</section>\n");
}
