/* A report as one HTML file: no network, no font, script or style from elsewhere.
 *
 * Verdict first, then plots, numbers, how it was measured, and the raw data. Sections appear where the
 * result has the data for them. Light and dark follow the reader's settings; a phone gets narrower drawings; printing
 * opens what is folded. Every text of a result goes through markup_escape(). */
#ifndef TARE_REPORT_HTML_H
#define TARE_REPORT_HTML_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/history.h"
#include "model/result.h"
#include "report/suite_report.h"

struct html_result {
	const struct result *result;
	struct suite_view view;  /* geometric mean of its comparisons; NaN: none */
	const char *source;      /* file or name that it was read from; NULL: just measured */
	const char *data;        /* the result document to embed; NULL: none */
	size_t values, embedded; /* values of the result, and those that `data` holds */
};

struct html_page {
	const char *title; /* NULL: from the results */
	const struct html_result *results;
	size_t count;
	const struct history *history; /* NULL: none */
	const char *home;              /* address of the page above this one; NULL: it stands alone */
};

/* Appends the page. -1 and err when there is no memory. */
int html_write(const struct html_page *page, struct buffer *out, struct error *err);

#endif
