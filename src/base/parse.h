/* Whole-string parsing of what people type, independent of the locale.
 *
 * Every function takes the whole text or fails: no trailing words, no silent
 * saturation, no NaN. On failure -1, `err` says what was expected, `*out` is untouched. */
#ifndef TARE_BASE_PARSE_H
#define TARE_BASE_PARSE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A finite decimal number: 12, -0.5, 1e-3. White space around it is not accepted. */
int parse_double(const char *text, double *out, struct error *err);

/* A whole number in [low, high]. */
int parse_integer(const char *text, int64_t low, int64_t high, int64_t *out, struct error *err);

/* A duration with a unit, in nanoseconds: 250ms, 1.5s, 2m, 1h, 10us, 10µs, 5ns, 1m30s.
 * A bare number is in seconds. Negative ones and ones over 292 years fail. */
int parse_duration(const char *text, int64_t *nanoseconds, struct error *err);

/* A percentage as a fraction: "1%", "1 %" and "1" give 0.01. */
int parse_percent(const char *text, double *fraction, struct error *err);

/* A size in bytes: 4096, 64k, 64KiB, 1.5M, 2GB (k, M, G, T: powers of 1024; kB, MB, GB, TB: of 1000). */
int parse_size(const char *text, int64_t *bytes, struct error *err);

/* The fast path of the importers: reads the longest number (strtod's grammar
 * without hex, with inf and nan) at the start of text[0..length). Returns the
 * bytes used, 0 when there is none. Correctly rounded. */
size_t parse_number_prefix(const char *text, size_t length, double *out);

#endif
