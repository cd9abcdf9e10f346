/* Fewer points that look the same: what a reader could see of a large series stays, extremes always. */
#ifndef TARE_REPORT_THIN_H
#define TARE_REPORT_THIN_H

#include <stddef.h>

/* The indices to draw of a series against its index: of every one of `columns` stretches of equal
 * length the smallest and the largest value, ascending; all of them when they are at most
 * 2·columns. What cannot be shown (axis_can_show) is left out. `kept` has room for
 * 2·columns; returns how many. */
size_t thin_series(const double *values, size_t n, size_t columns, size_t *kept);

/* Where stretch `column` of n values begins; column == columns: n. */
size_t thin_border(size_t column, size_t n, size_t columns);

/* The indices of about `most` values taken at even distances, and of the smallest and the largest, ascending.
 * `kept` has room for most + 2. */
size_t thin_sample(const double *values, size_t n, size_t most, size_t *kept);

/* The indices to draw of a cloud of points, ascending: points taken at even distances, so that dense
 * places stay dense; one of each cell of a grid of `cells` × `cells` over the given ranges, so that
 * no lonely one is lost; and those with the extreme x and y. Points outside count for the cells
 * at the edge. `kept` has room for 2·cells·cells + 4, and `taken` (cells·cells bytes, zeroed)
 * is working space. */
size_t thin_cloud(const double *x, const double *y, size_t n, double x_low, double x_high, double y_low, double y_high,
                  size_t cells, unsigned char *taken, size_t *kept);

#endif
