#include "cli/progress.h"

#include "base/format.h"
#include "cli/output.h"
#include "report/text.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUBJECT_WIDTH = 8 };

void progress_init(struct progress *progress, const char *when, bool quiet)
{
	memset(progress, 0, sizeof(*progress));
	progress->none = quiet || (when && strcmp(when, "none") == 0);
	const char *term = getenv("TERM");
	progress->terminal = !(when && strcmp(when, "plain") == 0) && isatty(STDERR_FILENO) && term &&
	                     strcmp(term, "dumb") != 0;
}

static void add_estimate(const struct session_progress *now, struct buffer *line)
{
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	if (isnan(now->most.estimate))
		return;
	double half = (now->most.high - now->most.low) / 2;
	if (now->most.is_ratio) {
		buffer_text_add(line, "  ");
		text_fit(line, now->most.subject, SUBJECT_WIDTH, output_look("never", false, true).charset);
		buffer_printf(line, " %s", format_percent(a, sizeof(a), now->most.estimate - 1, half, 1));
		if (isfinite(half))
			buffer_printf(line, " [%s, %s]", format_percent(b, sizeof(b), now->most.low - 1, half, 1),
			              format_percent(c, sizeof(c), now->most.high - 1, half, 1));
	} else {
		buffer_printf(line, "  %s%s%s", now->most.subject ? now->most.subject : "", now->most.subject ? " " : "",
		              format_quantity(a, sizeof(a), now->most.estimate, half, now->most.unit));
		if (isfinite(half) && now->most.estimate != 0)
			buffer_printf(
				line, " \xc2\xb1 %s",
				format_percent(b, sizeof(b), half / fabs(now->most.estimate), half / fabs(now->most.estimate) / 10, 0));
	}
}

void progress_update(void *context, const struct session_progress *now)
{
	struct progress *progress = context;
	double pause = progress->terminal ? 0.1 : 5;
	if (progress->none || now->elapsed < 1 || now->elapsed - progress->last < pause)
		return;
	progress->last = now->elapsed;
	struct buffer line = {0};
	char elapsed[FORMAT_MAX], budget[FORMAT_MAX], left[FORMAT_MAX];
	buffer_text_add(&line, now->phase);
	if (now->asked) {
		buffer_printf(&line, "  %zu of %zu decided", now->done, now->asked);
		if (now->left_out)
			buffer_printf(&line, ", %zu left out", now->left_out);
	} else if (now->pairs) {
		buffer_printf(&line, "  %zu pairs", now->pairs);
	} else {
		buffer_printf(&line, "  %zu runs", now->runs);
	}
	if (now->asked && now->most.subject && isnan(now->most.estimate)) /* an estimate names it */
		buffer_printf(&line, "  %s", now->most.subject);
	add_estimate(now, &line);
	buffer_printf(&line, "  %s", format_duration(elapsed, sizeof(elapsed), (int64_t)(now->elapsed * 1e9)));
	if (isfinite(now->budget))
		buffer_printf(&line, " of %s", format_duration(budget, sizeof(budget), (int64_t)(now->budget * 1e9)));
	struct look look = output_look("never", false, true);
	struct buffer rest = {0}, shown = {0};
	if (isfinite(now->left) && now->left >= 1) {
		buffer_printf(&rest, ", about %s ", format_duration(left, sizeof(left), (int64_t)(now->left * 1e9)));
		/* Where the time ends first, that is what is left. */
		if (isnan(now->most.target) || now->left >= now->budget - now->elapsed)
			buffer_text_add(&rest, "left");
		else
			buffer_printf(&rest, "more for \xc2\xb1%s",
			              format_percent(budget, sizeof(budget), now->most.target, now->most.target / 10, 0));
	}
	/* A line that wraps cannot be rewritten; what is left can be told from the time before it. */
	bool fits = text_width(buffer_text(&line), look.charset) + rest.length < look_width(&look);
	if (fits || !progress->terminal)
		buffer_text_add(&line, buffer_text(&rest));
	if (progress->terminal)
		text_fit(&shown, buffer_text(&line), look_width(&look) - 1, look.charset);
	else
		text_clean(&shown, buffer_text(&line), look.charset);
	buffer_release(&rest);
	if (progress->terminal)
		fprintf(stderr, "\r%s\x1b[K", buffer_text(&shown));
	else
		fprintf(stderr, "%s\n", buffer_text(&shown));
	fflush(stderr);
	progress->shown = true;
	buffer_release(&shown);
	buffer_release(&line);
}

void progress_note(void *context, const char *text)
{
	struct progress *progress = context;
	if (progress->none)
		return;
	progress_end(progress);
	struct buffer line = {0};
	buffer_text_add(&line, "tare: note:");
	text_wrap(&line, text, strlen("tare: note:"), 6);
	fputs(buffer_text(&line), stderr);
	buffer_release(&line);
}

void progress_end(struct progress *progress)
{
	if (progress->shown && progress->terminal)
		fputs("\r\x1b[K", stderr);
	progress->shown = false;
	fflush(stderr);
}
