/* Places where a level may change, looked for at every scale. */
#ifndef TARE_STATS_SEEDED_H
#define TARE_STATS_SEEDED_H

#include "stats/split.h"

/* Ascending places, at least model->min_segment apart and from the ends, in *points (mem_free() it; NULL when there
 * are none). The model's noise must be fitted. More than the true changes: what noise would pass at level `alpha`
 * is among them. */
enum stats_status seeded_candidates(struct split_model *model, double alpha, size_t **points, size_t *count);

#endif
