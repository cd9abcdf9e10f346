/* The gate's last line and exit code. */
#ifndef TARE_CLI_GATE_H
#define TARE_CLI_GATE_H

#include "analysis/whole.h"
#include "base/error.h"
#include "model/result.h"

#include <stdbool.h>

/* Settles the gate of what was measured or compared or, after an error (err not NULL), gives it up. */
int gate_settle(struct result *result, const struct whole_options *options, const struct error *err);

/* After an exit code other than 0: what the outputs that are still to be written and the last line say agrees with it. */
void gate_agree(struct result *result, int code);

/* Prints what the gate says, and its line as the last one; the exit code that `code` (0: nothing else went wrong) and
 * the gate ask for. `confidence` as it was given, where no comparison has one. `to_stderr`: a document has standard
 * output. */
int gate_finish(const struct result *result, const char *confidence, int code, bool to_stderr);

/* Both, after an error with nothing measured; returns `code`. */
int gate_failed(double gate, const char *confidence, int code, const struct error *err, bool to_stderr);

#endif
