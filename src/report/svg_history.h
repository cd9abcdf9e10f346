/* A history as SVG. */
#ifndef TARE_REPORT_SVG_HISTORY_H
#define TARE_REPORT_SVG_HISTORY_H

#include "base/error.h"
#include "model/history.h"
#include "report/svg.h"

/* Values in the order of time with their intervals, the levels between changes, a dashed line at each change and a band
 * over where it may lie. -1: no memory. */
int svg_history(const struct history_series *series, const struct svg_options *options, struct buffer *out,
                struct error *err);

#endif
