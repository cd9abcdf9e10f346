/* One pass each; the first of equal values wins, so that the result is the same every time. */
#include "report/thin.h"

#include "report/axis.h"

#include <stdbool.h>

static size_t keep_all(const double *values, size_t n, size_t *kept)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (axis_can_show(values[i]))
			kept[count++] = i;
	return count;
}

size_t thin_border(size_t column, size_t n, size_t columns)
{
	/* Without overflow: n = whole·columns + rest. */
	return n / columns * column + n % columns * column / columns;
}

size_t thin_series(const double *values, size_t n, size_t columns, size_t *kept)
{
	if (n <= 2 * columns)
		return keep_all(values, n, kept);
	size_t count = 0;
	for (size_t column = 0; column < columns; column++) {
		size_t first = thin_border(column, n, columns), end = thin_border(column + 1, n, columns);
		size_t low = end, high = end;
		for (size_t i = first; i < end; i++) {
			if (!axis_can_show(values[i]))
				continue;
			low = low == end || values[i] < values[low] ? i : low;
			high = high == end || values[i] > values[high] ? i : high;
		}
		if (low == end)
			continue;
		kept[count++] = low < high ? low : high;
		if (low != high)
			kept[count++] = low < high ? high : low;
	}
	return count;
}

size_t thin_sample(const double *values, size_t n, size_t most, size_t *kept)
{
	size_t low = n, high = n, count = 0, step = most ? (n + most - 1) / most : n;
	for (size_t i = 0; i < n; i++) {
		if (!axis_can_show(values[i]))
			continue;
		low = low == n || values[i] < values[low] ? i : low;
		high = high == n || values[i] > values[high] ? i : high;
	}
	for (size_t i = 0; i < n; i++)
		if (i == low || i == high || (i % (step ? step : 1) == 0 && axis_can_show(values[i])))
			kept[count++] = i;
	return count;
}

static size_t cell_of(double value, double low, double high, size_t cells)
{
	double place = (value - low) / (high - low) * (double)cells;
	return !(place > 0) ? 0 : place >= (double)cells ? cells - 1 : (size_t)place;
}

static bool usable(const double *x, const double *y, size_t i)
{
	return axis_can_show(x[i]) && axis_can_show(y[i]);
}

size_t thin_cloud(const double *x, const double *y, size_t n, double x_low, double x_high, double y_low, double y_high,
                  size_t cells, unsigned char *taken, size_t *kept)
{
	size_t extremes[4] = {n, n, n, n}, count = 0, step = n / (cells * cells) + 1;
	for (size_t i = 0; i < n; i++) {
		if (!usable(x, y, i))
			continue;
		extremes[0] = extremes[0] == n || x[i] < x[extremes[0]] ? i : extremes[0];
		extremes[1] = extremes[1] == n || x[i] > x[extremes[1]] ? i : extremes[1];
		extremes[2] = extremes[2] == n || y[i] < y[extremes[2]] ? i : extremes[2];
		extremes[3] = extremes[3] == n || y[i] > y[extremes[3]] ? i : extremes[3];
	}
	for (size_t i = 0; i < n; i++) {
		if (!usable(x, y, i))
			continue;
		bool extreme = i == extremes[0] || i == extremes[1] || i == extremes[2] || i == extremes[3];
		unsigned char *cell = &taken[cell_of(y[i], y_low, y_high, cells) * cells + cell_of(x[i], x_low, x_high, cells)];
		if (*cell && !extreme && i % step != 0)
			continue;
		*cell = 1;
		kept[count++] = i;
	}
	return count;
}
