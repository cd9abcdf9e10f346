#include "cli/summary.h"

#include "cli/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool append_text(const char *path, const struct buffer *text)
{
	FILE *file = fopen(path, "a");
	bool written = file && fwrite(buffer_text(text), 1, text->length, file) == text->length;
	return file && fclose(file) == 0 && written;
}

int summary_append(const struct told *told, double gate, struct error *err)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	struct buffer text = {0};
	if (isnan(gate) || !path || !path[0])
		return 0;
	int status = told->makers->markdown(told, &text, err);
	if (status == 0 && !append_text(path, &text))
		message_note("the summary could not be written to GITHUB_STEP_SUMMARY");
	buffer_release(&text);
	return status;
}
