/* The highest sampling rate whose overhead stays under a threshold, by Newton's method.
 *
 * The overhead of sampling, o(f), grows with the rate f, almost in proportion: every sample costs the same. The root of
 * o(f) − threshold is looked for by f' = f − (o(f) − threshold)/o'(f). o(f) is measured by pairs of rounds with and
 * without sampling; o' is the slope through the origin of all measurements so far, and at first the CPU time of a
 * sample, which is what it costs where the sampler takes its CPU from the measured program.
 *
 * Measurements are noisy, and on a loaded machine they say nothing about 1 %. So each is weighed against that cost,
 * taken as known to within itself: o = (m/se² + c·f/(c·f)²)/(1/se² + 1/(c·f)²). Noise then ends at the rate at which
 * sampling takes the threshold's share of one CPU, a clear measurement at what was measured. A step goes at most a
 * factor of four, a slope that is not above zero means four times the rate; the end is at a step of less than a fifth,
 * at the bounds, or after RATE_TRIES measurements. */
#ifndef TARE_DECIDE_RATE_H
#define TARE_DECIDE_RATE_H

#include <stdbool.h>
#include <stddef.h>

enum { RATE_TRIES = 5 };

struct rate_search {
	double threshold; /* share of the time: 0.01 */
	double cost;      /* CPU seconds of a sample; 0: not known */
	double lowest, highest;
	double rate; /* to be tried next; the answer once it is over */
	double rates[RATE_TRIES], overheads[RATE_TRIES];
	size_t tries;
	bool over;
};

/* `cost`: CPU seconds of a sample; 0 or NaN: not known. */
void rate_search_init(struct rate_search *search, double threshold, double cost, double lowest, double highest);

/* The overhead that was measured at search->rate, and its standard error (infinite: it says nothing). */
void rate_search_add(struct rate_search *search, double overhead, double error);

/* The median of n log ratios with/without (reordered) as an overhead, with the interval of its order statistics of at
 * least 95 %; unbounded (infinite) below 6 pairs. */
void rate_overhead(double *log_ratios, size_t n, double *overhead, double *low, double *high);

#endif
