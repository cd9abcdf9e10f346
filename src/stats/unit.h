/* All that the verdict needs to know of one unit: a pair of runs, or a block of pairs. */
#ifndef TARE_STATS_UNIT_H
#define TARE_STATS_UNIT_H

#include "stats/share.h"
#include "stats/typical.h"

struct unit {
	size_t pairs;
	double base, new_; /* means */
	struct typical typical;
	struct share share;
	struct share_counts counts;
	double spread; /* of the values, robust: a quartile range over 1.349, the smaller of both sides */
	int side;      /* duet, all pairs of the unit on the same sides: 1 or −1; otherwise 0. unit_of writes 0 */
};

/* From n ≥ 1 pairs of positive values, order as in typical_of; order_effect as in typical_adjusted, or NaN: it is not
 * known. Allocates while it runs. */
enum stats_status unit_of(const double *base, const double *new_, const unsigned char *order, size_t n,
                          double order_effect, bool higher_is_better, struct unit *out);

#endif
