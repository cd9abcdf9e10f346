/* How many invocations an iteration needs, so that reading the clock does not count.
 *
 * Clock cost and clock resolution must stay under 0.1 % of an iteration, and an iteration is to last about as long as
 * the design wants. The search grants growing counts and looks at the times: */
#ifndef TARE_MEASURE_INVOCATIONS_H
#define TARE_MEASURE_INVOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Least wall time of an iteration, ns: 1000 times cost and resolution together, or `wanted` if that is longer. */
double invocations_target(double clock_cost, double clock_resolution, double wanted);

/* After an iteration of `count` invocations took `wall` ns: true when that is long enough, else *next is the count
 * to try, larger than `count`, at most ten times and never above INVOCATIONS_MAX (where true is returned). */
enum { INVOCATIONS_GROWTH = 10 };
#define INVOCATIONS_MAX (UINT64_C(1) << 48)
bool invocations_enough(uint64_t count, double wall, double target, uint64_t *next);

/* The count that lasts `target` by the time of one iteration, at least 1: for a benchmark that is known. */
uint64_t invocations_for(uint64_t count, double wall, double target);

#endif
