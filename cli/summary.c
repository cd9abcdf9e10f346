#include "cli/summary.h"

#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>

static const char *summary_path(void)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	return path && path[0] ? path : NULL;
}

bool summary_wanted(void)
{
	return summary_path() != NULL;
}

void summary_append(const struct buffer *markdown)
{
	FILE *file = summary_path() ? fopen(summary_path(), "a") : NULL;
	bool written = file && fwrite(buffer_text(markdown), 1, markdown->length, file) == markdown->length;
	if (file)
		written = fclose(file) == 0 && written;
	if (!written)
		message_note("the summary could not be written to GITHUB_STEP_SUMMARY");
}
