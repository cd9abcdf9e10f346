#include "cli/progress.h"

#include "cli/output.h"
#include "base/scoped.h"
#include "report/progress_text.h"
#include "report/text.h"
#include "report/text_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void progress_init(struct progress *progress, const char *when, bool quiet, bool ascii)
{
	memset(progress, 0, sizeof(*progress));
	progress->ascii = ascii;
	progress->none = quiet || (when && strcmp(when, "none") == 0);
	const char *term = getenv("TERM");
	progress->terminal = !(when && strcmp(when, "plain") == 0) && isatty(STDERR_FILENO) && term &&
	                     strcmp(term, "dumb") != 0;
}

void progress_update(void *context, const struct session_progress *now)
{
	struct progress *progress = context;
	double pause = progress->terminal ? 0.1 : 5;
	if (progress->none || now->elapsed < 1 || now->elapsed - progress->last < pause)
		return;
	progress->last = now->elapsed;
	struct look look = output_look("never", progress->ascii, true);
	SCOPED(buffer) struct buffer line = {0}, shown = {0};
	progress_line(now, &look, !progress->terminal, &line);
	if (progress->terminal)
		text_fit(&shown, buffer_text(&line), look_width(&look) - 1, look.charset);
	else
		text_clean(&shown, buffer_text(&line), look.charset);
	if (progress->terminal)
		fprintf(stderr, "\r%s\x1b[K", buffer_text(&shown));
	else
		fprintf(stderr, "%s\n", buffer_text(&shown));
	fflush(stderr);
	progress->shown = true;
}

void progress_note(void *context, const char *text)
{
	struct progress *progress = context;
	if (progress->none)
		return;
	progress_end(progress);
	SCOPED(buffer) struct buffer line = {0};
	buffer_text_add(&line, "tare: note:");
	text_wrap(&line, text, strlen("tare: note:"), 6);
	fputs(buffer_text(&line), stderr);
}

void progress_end(struct progress *progress)
{
	if (progress->shown && progress->terminal)
		fputs("\r\x1b[K", stderr);
	progress->shown = false;
	fflush(stderr);
}
