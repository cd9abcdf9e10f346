/* The plots of one measurement for the terminal: what one looks at before believing a mean. */
#ifndef TARE_REPORT_PLOTS_H
#define TARE_REPORT_PLOTS_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"

/* Run-sequence (with what the machine did meanwhile, where that was watched) and histogram; then of one run after its
 * warm-up the sequence, lags 1 to 4 and the autocorrelation, each beside shuffled data. */
int plots_measurement(const struct result *result, const struct subject *subject, const struct measurement *m,
                      uint64_t seed, const struct look *look, struct buffer *out, struct error *err);

/* The run-sequence of every subject above what the machine did meanwhile; nothing where that was not watched. */
int plots_monitoring(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                     struct error *err);

/* One line per subject: how many values where; then the comparisons as ratios with intervals. */
int plots_overview(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                   struct error *err);

/* Whether the terminal draws the plot that `tare report --plot` knows by this name; "": any. ERROR_USAGE: it does not. */
int plots_check(const char *name, struct error *err);

/* That plot alone. */
int plots_one(const struct result *result, const char *metric, const char *name, const struct look *look,
              struct buffer *out, struct error *err);

#endif
