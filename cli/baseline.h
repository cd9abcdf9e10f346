/* Baselines: saved experiments under a name that later results are compared with. */
#ifndef TARE_CLI_BASELINE_H
#define TARE_CLI_BASELINE_H

#include "cli/measure_options.h"
#include "model/result.h"
#include "store/store.h"

/* The experiment that is the baseline of that name, in the store of this folder. ERROR_NO_DATA: there is none. */
int baseline_find(const char *name, int64_t *id, struct error *err);

/* As baseline_find, before something is measured against it: one of another machine is refused (ERROR_USAGE). */
int baseline_check(const char *name, int64_t *id, struct error *err);

/* Compares a saved experiment with the baseline, as 'tare compare' does, with the gate, confidence and margins that it
 * was measured for, and drawn as the options say. `old` is initialised, and has the comparisons and the gate then; *code
 * becomes the exit code of the first output that cannot be written. */
int baseline_compare(const struct measure_options *options, const struct experiment *experiment, int64_t baseline,
                     int64_t id, const char *metric, struct result *old, int *code, struct error *err);

/* Whether two results of the same subjects agree: none of them differs. 1, 0 with what differs in `what`, or -1 and
 * err. */
int baseline_agree(struct result *a, struct result *b, char *what, size_t size, struct error *err);

#endif
