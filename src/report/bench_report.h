/* The benchmarks of one program: a row each. */
#ifndef TARE_REPORT_BENCH_REPORT_H
#define TARE_REPORT_BENCH_REPORT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"
#include "report/look.h"

/* Time of an invocation with its interval, CPU time, rate where the benchmark counts items or bytes, metrics of its own
 * in the document only; then the notes. look NULL: Markdown. */
int bench_report(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

#endif
