/* The summary page of a GitHub job. */
#ifndef TARE_CLI_SUMMARY_H
#define TARE_CLI_SUMMARY_H

#include "base/buffer.h"

/* Whether GITHUB_STEP_SUMMARY names a file. */
bool summary_wanted(void);

/* Appends Markdown to that file. That it cannot be written is told, and no failure: the verdict stands. */
void summary_append(const struct buffer *markdown);

#endif
