/* A comparison of two suites: one row a benchmark, then the geometric mean. */
#ifndef TARE_REPORT_SUITE_REPORT_H
#define TARE_REPORT_SUITE_REPORT_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"

struct suite_view {
	bool sort_by_name, sort_by_change; /* neither: as in the data */
	bool only_changed;
	bool all_numbers;      /* total and slow share beside typical */
	double geometric_mean; /* NaN: none */
	struct confidence geometric_ci;
};

/* What a comparison is called in a table of them: the benchmark, or the subject. */
const char *suite_label(const struct result *result, const struct comparison *comparison);

/* One comparison is told in full; several as a table. Warnings follow. */
int suite_report_text(const struct result *result, const struct suite_view *view, const struct look *look,
                      struct buffer *out, struct error *err);
/* What changed on top, the rest folded away. */
int suite_report_markdown(const struct result *result, const struct suite_view *view, struct buffer *out,
                          struct error *err);
int suite_report_csv(const struct result *result, const struct suite_view *view, struct buffer *out, struct error *err);

#endif
