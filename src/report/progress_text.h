/* How far a session is, as text: one line, or the lines of --live. */
#ifndef TARE_REPORT_PROGRESS_TEXT_H
#define TARE_REPORT_PROGRESS_TEXT_H

#include "base/buffer.h"
#include "model/progress.h"
#include "report/look.h"

/* The phase, how many rounds, the estimate that needs most, and the time. What is left of that is told where it fits the
 * width, or with `whole`. */
void progress_line(const struct session_progress *now, const struct look *look, bool whole, struct buffer *line);

/* A line with its heading in a column of its own. */
void progress_heading(struct buffer *out, const char *heading, const char *text);

/* Lines: rounds and time, the intervals of what is in hand, and the parts of its last rounds. */
void progress_state(const struct session_progress *now, const struct look *look, struct buffer *out);

/* The line of one estimate of several. */
void progress_row(const char *heading, const struct session_estimate *now, const struct look *look, struct buffer *out);

/* What the last run spent its time on; nothing where that is not known. */
void progress_limits(const struct session_progress *now, struct buffer *out);

#endif
