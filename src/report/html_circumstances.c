/* Where and how it was measured, and what must be said beside it. */
#include "report/html_parts.h"

#include "base/format.h"
#include "report/overview.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

static void put_host(struct html *html)
{
	const struct host_info *host = &html->result->host;
	char number[FORMAT_MAX];
	if (!host->cpu && !host->os && !host->kernel && !host->cpus)
		return;
	html_raw(html, "<div class=\"card\">");
	html_element(html, "h3", NULL, "Machine");
	html_raw(html, "<dl class=\"facts\">\n");
	html_fact(html, "CPU", host->cpu);
	if (host->cpus)
		html_factf(html, "CPUs", "%ld", host->cpus);
	html_fact(html, "system", host->os);
	html_fact(html, "kernel", host->kernel);
	html_fact(html, "virtual", host->virtual_);
	html_fact(html, "governor", host->governor);
	if (isfinite(host->load))
		html_fact(html, "load", format_fixed(number, sizeof(number), host->load, 2));
	html_raw(html, "</dl></div>\n");
}

static void put_share(struct html *html, const char *label, double share, const char *why)
{
	char number[FORMAT_MAX];
	if (isfinite(share))
		html_factf(html, label, "%s %%", format_fixed(number, sizeof(number), share * 100, share < 0.01 ? 2 : 0));
	else if (why) {
		struct buffer text = {0};
		buffer_printf(&text, "not known: %s", why);
		html_fact(html, label, buffer_text(&text));
		html_release(html, &text);
	}
}

static void put_disturbance(struct html *html)
{
	const struct disturbance *d = &html->result->disturbance;
	struct buffer words = {0};
	char a[FORMAT_MAX], b[FORMAT_MAX];
	if (!d->recorded)
		return;
	html_raw(html, "<div class=\"card\">");
	html_element(html, "h3", NULL, "Disturbance");
	words_disturbance(html->result, false, &words);
	if (words.length)
		html_element(html, "p", "warn", buffer_text(&words));
	else
		html_element(html, "p", "quiet", "nothing of note");
	html_raw(html, "<dl class=\"facts\">\n");
	if (isfinite(d->load_start) && isfinite(d->load_end))
		html_factf(html, "load, start and end", "%s, %s", format_fixed(a, sizeof(a), d->load_start, 2),
		           format_fixed(b, sizeof(b), d->load_end, 2));
	put_share(html, "given to other guests (steal)", d->steal, d->steal_why);
	put_share(html, "time some process waited for a CPU", d->pressure_cpu, d->pressure_why);
	put_share(html, "… for the disk", d->pressure_io, NULL);
	put_share(html, "… for memory", d->pressure_memory, NULL);
	put_share(html, "runs disturbed", d->disturbed, d->disturbed_why);
	put_share(html, "runs that waited for a CPU", d->preempted, NULL);
	put_share(html, "runs that changed the CPU", d->migrated, NULL);
	put_share(html, "runs with another frequency", d->frequency_changed, NULL);
	if (d->throttled_periods > 0)
		html_factf(html, "stopped by a quota", "%.0f times", d->throttled_periods);
	html_fact(html, "changed meanwhile", d->changed);
	html_raw(html, "</dl></div>\n");
	html_release(html, &words);
}

static void put_method(struct html *html)
{
	const struct result *result = html->result;
	struct buffer text = {0};
	html_raw(html, "<div class=\"card\">");
	html_element(html, "h3", NULL, "Method");
	words_methods(result, &text);
	html_element(html, "p", NULL, buffer_text(&text));
	html_clear(html, &text);
	words_choice(result, overview_metric(result), &text);
	if (text.length)
		html_element(html, "p", NULL, buffer_text(&text));
	html_clear(html, &text);
	words_calibration(result, &text);
	if (text.length)
		html_element(html, "p", NULL, buffer_text(&text));
	html_clear(html, &text);
	for (size_t i = 0; i < result->argc; i++) {
		buffer_text_add(&text, i ? " " : "");
		words_argument(result->argv[i], &text);
	}
	if (text.length)
		html_exact(html, "pre", "command", buffer_text(&text));
	html_raw(html, "</div>\n");
	html_release(html, &text);
}

static void put_warnings(struct html *html)
{
	const struct result *result = html->result;
	enum { OPEN = 8 };
	if (result->warning_count == 0)
		return;
	html_raw(html, "<div class=\"card\">");
	html_element(html, "h3", NULL, "Notes");
	for (size_t i = 0; i < result->warning_count; i++) {
		if (i == 0)
			html_raw(html, "<ul class=\"notes\">\n");
		if (i == OPEN)
			buffer_printf(html->out, "</ul><details class=\"fold\"><summary>%zu more</summary><ul class=\"notes\">\n",
			              result->warning_count - OPEN);
		html_element(html, "li", NULL, result->warnings[i].text);
	}
	html_raw(html, result->warning_count > OPEN ? "</ul></details>\n" : "</ul>\n");
	html_raw(html, "</div>\n");
}

void html_circumstances(struct html *html)
{
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "How it was measured");
	html_raw(html, "<div class=\"cards\">\n");
	put_method(html);
	put_warnings(html);
	put_host(html);
	put_disturbance(html);
	html_raw(html, "</div>\n</section>\n");
}
