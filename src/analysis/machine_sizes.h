/* Machines of very unequal size: how much each of them counts. */
#ifndef TARE_ANALYSIS_MACHINE_SIZES_H
#define TARE_ANALYSIS_MACHINE_SIZES_H

#include "analysis/machines.h"

/* Whether so many values are too few for a ratio beside the largest machine's. */
bool machine_size_is_small(size_t n, size_t largest);

/* Whether machine g of a series with the machine as its outermost level has less than a tenth of the values that the
 * largest has: a ratio of its own does not stand beside those of the others. */
bool machine_is_small(const struct series *series, size_t g);

/* Whether fewer than five are not small, and some are: all pairs then have equal weight, whichever machine made them. */
bool machines_count_by_pairs(const struct series *series);

/* The runs of machines before this one; of the number of machines, all. */
size_t machine_runs_before(const struct series *series, size_t machine);

/* Side `subject` of machines from … to − 1 as a subject of `part`, without the level and analysed. Pairs stay pairs: both
 * sides lose the same borders. The warm-up of each run is the one that it has. */
int machine_add_side(struct result *part, const struct result *all, size_t subject, const char *metric, size_t from,
                     size_t to, const struct analysis_options *options, struct error *err);

/* Fills the comparison from the pairs of all machines, with a warning that says so; *judged as of any pairs. */
int machines_compare_pairs(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                           machines_compare_one *one, struct judged *judged, struct error *err);

#endif
