/* A suite's gate calls nobody on one measurement: what broke it is measured again with fresh runs. */
#ifndef TARE_ANALYSIS_CONFIRM_H
#define TARE_ANALYSIS_CONFIRM_H

#include "model/experiment.h"

#include <stdbool.h>

/* Whether a comparison of a suite (two or more comparisons) has broken the gate. */
bool confirm_is_needed(const struct result *result);

/* The experiment that measures the suspects alone, by the metrics that decided and, of commands, in the same design; made
 * of the first one; memory is in `experiment`'s arena, and `result` stays.
 * `commands`: the subjects are commands, else programs with benchmarks. `out` is a copy that must not be released. */
int confirm_experiment(struct experiment *experiment, const struct result *result, bool commands_are_subjects,
                       struct experiment *out, struct error *err);

/* Takes the second measurement's word for every suspect: broken again stays broken, else the gate is what the second
 * says, and a warning tells it. */
int confirm_apply(struct result *result, const struct result *second, struct error *err);

#endif
