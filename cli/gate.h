/* The gate's last line and exit code. */
#ifndef TARE_CLI_GATE_H
#define TARE_CLI_GATE_H

#include "base/error.h"
#include "model/result.h"

#include <stdbool.h>

/* Prints the verdict line for the worst comparison and returns 0, 3 or 4. `missing`: a benchmark vanished, which is never
 * green: a gate that would hold stays open, and the line is about what is missing. `to_stderr`: a document has
 * standard output. */
int gate_finish(const struct result *result, bool missing, bool to_stderr);

/* After a failure or an interrupt: the line with the word, when there is a gate; returns `code`. */
int gate_failed(double gate, const char *confidence, int code, const struct error *err, bool to_stderr);

#endif
