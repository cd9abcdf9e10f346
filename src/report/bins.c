/* The width is made round, and wider until the bins are few enough. */
#include "report/bins.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static void choose(struct bins *bins, const struct axis_range *range, size_t most)
{
	double span = range->high - range->low;
	double size = fmax(fabs(range->low), fabs(range->high));
	bins->count = 1;
	bins->start = range->low;
	bins->width = size >= 1e-290 ? size * 1e-3 : 1;
	if (!(span > 1e-9 * size) || size < 1e-290)
		return;
	/* From the 5 % to the 95 % point it is about 2.4 IQR of normal values. */
	double spread = range->spread > 0 ? range->spread : span;
	bins->width = axis_round_up(fmax(2 * spread / 2.4 / cbrt((double)range->finite), span / (double)most));
	for (;;) {
		double first = floor(range->low / bins->width + 1e-9), last = ceil(range->high / bins->width - 1e-9);
		/* The values all lie on one border: a bin to its right. */
		last = last > first ? last : first + 1;
		if (last - first <= (double)most || bins->width > 4 * span) {
			bins->start = first * bins->width;
			bins->count = (size_t)(last - first);
			return;
		}
		bins->width = axis_round_up(bins->width * 1.5);
	}
}

static size_t *counter_of(struct bins *bins, double x, bool cut_low, bool cut_high)
{
	double place = floor((x - bins->start) / bins->width + 1e-9);
	if (place < 0)
		return &bins->counts[cut_low ? 0 : 1];
	if (place >= (double)bins->count)
		return &bins->counts[cut_high ? bins->count + 1 : bins->count];
	return &bins->counts[(size_t)place + 1];
}

int bins_fill(struct bins *bins, const double *values, size_t n, struct axis_range *range, size_t most)
{
	memset(bins, 0, sizeof(*bins));
	choose(bins, range, most ? most : 1);
	bins->counts = mem_zalloc(bins->count + 2, sizeof(*bins->counts));
	if (!bins->counts)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!axis_can_show(values[i]))
			continue;
		size_t count = ++*counter_of(bins, values[i], range->below > 0, range->above > 0);
		bins->most = count > bins->most ? count : bins->most;
	}
	range->below = bins->counts[0];
	range->above = bins->counts[bins->count + 1];
	return 0;
}

void bins_release(struct bins *bins)
{
	mem_free(bins->counts);
	memset(bins, 0, sizeof(*bins));
}
