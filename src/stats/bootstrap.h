/* Hierarchical bootstrap of a mean and of a ratio of means, percentile intervals.
 *
 * `level` is the confidence (0.95). Data with fewer than two outermost groups, or so few
 * replicates that ⌊replicates·(1 − level)/2⌋ is 0: STATS_TOO_FEW. A level outside (0, 1):
 * STATS_BAD_ARGUMENT. The result depends on the data, the replicates and the seed alone, not
 * on the number of CPUs. */
#ifndef TARE_STATS_BOOTSTRAP_H
#define TARE_STATS_BOOTSTRAP_H

#include "stats/nested.h"

/* Percentile interval of the mean of means (nested_mean()). Also the statuses of nested_check(),
 * STATS_NO_MEMORY, and STATS_NOT_DEFINED when sums of the values overflow a double. */
enum stats_status bootstrap_mean(const struct nested *data, size_t replicates, double level, uint64_t seed,
                                 struct interval *out);

/* Of new_ over base, each resampled on its own, one ratio per replicate. STATS_UNBOUNDED when
 * resampled means of base are 0 or have both signs. */
enum stats_status bootstrap_ratio(const struct nested *base, const struct nested *new_, size_t replicates, double level,
                                  uint64_t seed, struct interval *out);

/* The resampled means themselves, in the order they were made; one outermost group is enough. */
enum stats_status bootstrap_means(const struct nested *data, size_t replicates, uint64_t seed, double *means);

/* 0-based places of the interval's ends among `replicates` ascending values: ⌊Bα/2⌋ and
 * ⌈B(1 − α/2)⌉ − 1, in whole numbers (α to nine decimals). STATS_BAD_ARGUMENT, STATS_TOO_FEW. */
enum stats_status percentile_positions(size_t replicates, double level, size_t *low, size_t *high);

/* One resample with given child indices instead of random ones, for checks against other
 * programs: at each node all indices are taken first, then its children are visited in that
 * order; a group of one takes none. STATS_BAD_ARGUMENT when the list is too short or has an index
 * that no child has. */
enum stats_status bootstrap_given(const struct nested *data, const uint32_t *indices, size_t count, double *mean);

#endif
