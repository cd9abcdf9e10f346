/* Where a change of level lies once it is known to be there: place, interval, step or slope. */
#ifndef TARE_STATS_PLACE_H
#define TARE_STATS_PLACE_H

#include "stats/changepoint.h"
#include "stats/split.h"

/* Moves each point to the best place between its neighbours and fills low, high and gradual. The model's noise must
 * have been fitted about these points. STATS_OK or STATS_NO_MEMORY. */
enum stats_status place_points(struct split_model *model, struct changepoint *points, size_t count);

#endif
