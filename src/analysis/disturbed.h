/* Which runs were disturbed, from the metrics that were measured beside the deciding one. */
#ifndef TARE_ANALYSIS_DISTURBED_H
#define TARE_ANALYSIS_DISTURBED_H

#include "model/result.h"

/* Fills the shares of runs in result->disturbance. `pinned`: every run was bound to one CPU. `one_cpu`: two runs
 * shared one CPU on purpose, so that waiting for it is no disturbance. Lost runs count nowhere. */
void disturbed_runs(struct result *result, bool pinned, bool one_cpu);

#endif
