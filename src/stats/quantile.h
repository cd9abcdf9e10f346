/* Sorting, quantiles of the nine usual types, median and MAD. */
#ifndef TARE_STATS_QUANTILE_H
#define TARE_STATS_QUANTILE_H

#include "stats/status.h"

/* Ascending, in place; the values must not be NaN. */
void sort_doubles(double *x, size_t n);

/* The p quantile (0 ≤ p ≤ 1) of n ≥ 1 ascending values by type 1 … 9 of Hyndman and Fan;
 * R's default is 7, SPSS and the papers' quartiles are 6. NaN for another p or type. */
double quantile_sorted(const double *sorted, size_t n, double p, int type);

enum { QUANTILES_MOST = 4 };

/* The same for `count` ≤ QUANTILES_MOST p of values in any order, which stay as they are. STATS_BAD_ARGUMENT for
 * another p or type. Allocates, little where n is large. */
enum stats_status quantiles_of(const double *x, size_t n, const double *p, size_t count, int type, double *out);

/* The middle value or the mean of the two middle ones (types 2, 5, 6, 7). Allocates, little where n is large. */
enum stats_status median_of(const double *x, size_t n, double *out);

/* The same without a copy: reorders x; n ≥ 1, no NaN. */
double median_in_place(double *x, size_t n);

/* Median of |x − centre|. */
enum stats_status mad_about(const double *x, size_t n, double centre, double *out);

/* Median of |x − median|, not multiplied by 1.4826. Allocates, little where n is large. */
enum stats_status mad_of(const double *x, size_t n, double *out);

#endif
