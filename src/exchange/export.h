/* Export: a result in another tool's format.
 *
 * Samples and levels are written as far as the format can hold them, in a form that imports
 * again to the same values. What it has no place for is said in `notes`, and so are subjects
 * without a value, which other tools' formats leave out; where it could hold nothing of what a
 * subject has, that is an error. */
#ifndef TARE_EXCHANGE_EXPORT_H
#define TARE_EXCHANGE_EXPORT_H

#include "base/buffer.h"
#include "model/result.h"

/* Appends the result to `out`. `notes` gets a line for each thing that could not be kept; it may be
 * NULL. -1 and err: ERROR_USAGE for an unknown format or one that cannot hold this result, ERROR_NO_DATA where no
 * subject has a value. */
int export_result(const struct result *result, const char *format, struct buffer *out, struct buffer *notes,
                  struct error *err);

/* NULL-terminated: "bmf", "csv", … */
const char *const *export_format_names(void);

#endif
