/* Results for machines that wait for them: JUnit XML, which every CI system shows, and OpenMetrics text, which GitLab
 * shows in merge requests.
 *
 * What was not shown to be all right is never green: a gate that stayed open, a benchmark that vanished, a program that
 * failed, nothing measured at all. */
#ifndef TARE_REPORT_CI_REPORT_H
#define TARE_REPORT_CI_REPORT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"

/* A test case for each comparison, or for each subject where nothing was compared. With a gate: broken is a failure,
 * open an error. Without: slower and mixed are failures, undecided is skipped. A benchmark of the base that is no
 * longer there is a failure unless `allow_missing`. -1 and err: no memory. */
int junit_write(const struct result *results, size_t count, bool allow_missing, struct buffer *out, struct error *err);

/* tare_ratio, tare_ratio_low, tare_ratio_high of comparisons; tare_mean, tare_mean_low, tare_mean_high of subjects. */
int metrics_write(const struct result *results, size_t count, struct buffer *out, struct error *err);

#endif
