/* The gate: is new worse than base by more than was allowed? */
#ifndef TARE_DECIDE_GATE_H
#define TARE_DECIDE_GATE_H

#include "base/error.h"
#include "model/result.h"
#include "stats/verdict.h"

/* How many more of the runs may be slow, as a fraction; limit ≥ 0 is a fraction too (0.02 for 2 %), here and below, and
 * `better` the metric's direction. */
double gate_share_limit(double limit);

/* The interval that the gate was decided by, or waits for: of new over base. */
struct gate_interval {
	enum verdict_part_bit part; /* typical or total; share where that alone broke it */
	double alpha;               /* of this interval */
	struct interval ratio;      /* of the share: the difference */
};
struct gate_interval gate_interval_of(const struct verdict_numbers *numbers, enum gate gate, double alpha, double limit,
                                      enum better better);

/* The interval of base over new from that of new over base; one that reaches 0 has no end there. */
struct interval gate_turned(struct interval ratio);

/* The two steps: the smallest alpha at which a comparison alone would be broken, and its gate once these are corrected for
 * their number, of a suite by Holm. */
double gate_broken_p(const struct verdict_numbers *numbers, double limit, enum better better);
enum gate gate_corrected(const struct verdict_numbers *numbers, double corrected_p, double alpha, double limit,
                         enum better better);

/* All comparisons of a suite at `alpha`, after Holm for broken: gates[i] of each. -1 and err when out of memory. */
int gate_of_suite(const struct verdict_numbers *numbers, double alpha, size_t n, double limit,
                  const enum better *better, enum gate *gates, struct error *err);

#endif
