/* Mean of one system from values with levels, with its interval. */
#ifndef TARE_STATS_LEVEL_MEAN_H
#define TARE_STATS_LEVEL_MEAN_H

#include "stats/critical.h"
#include "stats/nested.h"

/* Ȳ ± c·√(S_n²/R) over the means of the R outermost groups, whatever lies below them; c by `rule`
 * at that confidence (0.95) with R − 1 degrees of freedom. Statuses of nested_check(), STATS_TOO_FEW
 * for R < 2, STATS_BAD_ARGUMENT, STATS_UNBOUNDED (mean written) while R is too small for the rule. */
enum stats_status level_mean_interval(const struct nested *data, double confidence, enum critical_rule rule,
                                      double *mean, struct interval *out);

#endif
