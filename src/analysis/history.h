/* Changes in histories. */
#ifndef TARE_ANALYSIS_HISTORY_H
#define TARE_ANALYSIS_HISTORY_H

#include "model/history.h"

struct history_search {
	double alpha;      /* chance of any false change in a series; 0.01 */
	double min_change; /* least change as a fraction; 0.02: 2 % */
	size_t min_points; /* least number of points at a level; 5 */
};
#define HISTORY_SEARCH_DEFAULTS ((struct history_search){0.01, 0, 5})

/* Finds the changes and outliers of every series (E-divisive, stats/edivisive.h), on all CPUs, and tells those that
 * most of a suite made at once. Points that are not finite are passed over. -1 and err: no memory, ERROR_USAGE for
 * options out of range. */
int history_search(struct history *history, const struct history_search *options, struct error *err);

#endif
