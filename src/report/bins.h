/* Bins for histograms: of a round width near that of Freedman and Diaconis (1981), 2·IQR·n^(−1/3). */
#ifndef TARE_REPORT_BINS_H
#define TARE_REPORT_BINS_H

#include "report/axis.h"

#include <stddef.h>

struct bins {
	double start, width; /* bin i holds start + i·width ≤ x < start + (i + 1)·width */
	size_t count;        /* at least 1 */
	size_t *counts;      /* per bin, with one more in front (below) and one behind (above) */
	size_t most;         /* the largest of counts */
};

/* Chooses at most `most` bins (≥ 1) that cover low … high of the range, and counts the values. Values that
 * the range leaves out and no bin covers are counted in front and behind, and range->below and
 * above become exactly those. -1 when there is no memory; else release it. */
int bins_fill(struct bins *bins, const double *values, size_t n, struct axis_range *range, size_t most);
void bins_release(struct bins *bins);

#endif
