/* How many times longer something takes in company than alone: the duet of two programs slows both.
 *
 * Each ratio is of values that were measured next to each other, the one in company and the one alone, so that what
 * drifts is in both. The estimate is their geometric mean, with t over the ratios. */
#ifndef TARE_DECIDE_COMPANY_H
#define TARE_DECIDE_COMPANY_H

#include "model/confidence.h"

#include <stddef.h>

enum { COMPANY_MOST = 64 }; /* ratios; by then they are known well enough */

struct company {
	double logs[COMPANY_MOST];
	size_t n;
};

/* Times, or other values of which less is better; what has no ratio is left out. */
void company_add(struct company *company, double together, double alone);

/* The ratio, NaN without any; *ci is not known below two. */
double company_ratio(const struct company *company, double level, struct confidence *ci);

#endif
