/* What a machine does now, for the terminal: one line per component, the busiest first. */
#ifndef TARE_REPORT_MONITOR_TEXT_H
#define TARE_REPORT_MONITOR_TEXT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/monitoring.h"
#include "report/look.h"

struct monitor_view {
	const struct gauge_reading *readings;
	size_t count;
	/* The last values of a reading, oldest first, at most `most`; NULL: not known. */
	size_t (*recent)(const void *context, size_t index, double *out, size_t most);
	const void *context;
	double limit;     /* share above which a component is near its limit */
	size_t rows;      /* at most so many lines of components; 0: all */
	const char *head; /* first line, or NULL */
};

int monitor_text(const struct monitor_view *view, const struct look *look, struct buffer *out, struct error *err);

#endif
