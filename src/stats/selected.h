/* The interval of an effect that is told only because it was significant. */
#ifndef TARE_STATS_SELECTED_H
#define TARE_STATS_SELECTED_H

#include "stats/status.h"

/* `estimate` with standard error `se` > 0 was looked at because |estimate/se| exceeded `critical` ≥ 0: the effects of its
 * sign that would give an estimate as large, or as small, in more than half of 1 − level of the cases in which they are
 * looked at. Never beyond 0. An estimate that did not exceed the critical value counts as if it had just done so.
 * STATS_BAD_ARGUMENT for another level, se or critical value. */
enum stats_status selected_interval(double estimate, double se, double critical, double level, struct interval *out);

#endif
