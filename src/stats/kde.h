/* Gaussian kernel density estimate on an even grid, the kernel cut at five bandwidths. */
#ifndef TARE_STATS_KDE_H
#define TARE_STATS_KDE_H

#include "stats/status.h"

/* 1.06·min(sd, IQR/1.34)·n^(−1/5) of n ≥ 2 ascending values with that standard deviation; the quartiles of this rule
 * are the order statistics ⌊n/4⌋ and ⌊3n/4⌋ (0-based). 0 when more than half of the values are equal. */
double kde_bandwidth(const double *sorted, size_t n, double sd);

/* density[j] at low + j·step, j = 0 … points − 1: Σ φ((x − y)/h)/(n·h) over the x in
 * [y − 5h, y + 5h); step and h above 0. Relative error about 1e-13. */
void kde_on_grid(const double *sorted, size_t n, double h, double low, double step, size_t points, double *density);

/* The same sums within 1e-10 of the density, in time that hardly grows with n: see kde_cells.c.
 * STATS_OK or STATS_NO_MEMORY. */
enum stats_status kde_by_cells(const double *sorted, size_t n, double h, double low, double step, size_t points,
                               double *density);

#endif
