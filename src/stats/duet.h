/* The ratio of two programs that ran at once on two CPU sides, with the sides' own difference removed. */
#ifndef TARE_STATS_DUET_H
#define TARE_STATS_DUET_H

#include "stats/status.h"
#include "stats/summary.h"

struct duet {
	double log_ratio;   /* natural; new over base */
	double side_effect; /* what the "+" side adds to the log ratio */
	double se;          /* of both */
	double df;          /* runs − 2 */
	size_t plus, minus; /* runs by side */
};

/* log_ratio[r] = ln(Σ new / Σ base) of run r, side[r] its side: above 0 or below 0 (0 is
 * STATS_BAD_ARGUMENT). STATS_TOO_FEW below three runs or with a side that never ran. */
enum stats_status duet_of(const double *log_ratio, const signed char *side, size_t runs, struct duet *out);

/* The same from the log ratios of each side so far. */
enum stats_status duet_of_sides(const struct running *plus, const struct running *minus, struct duet *out);

/* exp(log_ratio ± c · se); −∞ … ∞ when c is infinite. */
struct interval duet_interval(const struct duet *duet, double c);

#endif
