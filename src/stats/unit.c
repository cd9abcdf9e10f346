#include "stats/unit.h"

#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>

static enum stats_status spread_of(const double *base, const double *new_, size_t n, double *out)
{
	static const double quarters[] = {0.25, 0.75};
	double a[2], b[2];
	enum stats_status status = quantiles_of(base, n, quarters, 2, 7, a);
	if (status == STATS_OK)
		status = quantiles_of(new_, n, quarters, 2, 7, b);
	if (status == STATS_OK)
		*out = fmin(a[1] - a[0], b[1] - b[0]) / 1.349;
	return status;
}

enum stats_status unit_of(const double *base, const double *new_, const unsigned char *order, size_t n,
                          double order_effect, bool higher_is_better, struct unit *out)
{
	struct unit unit = {.pairs = n};
	enum stats_status status = isnan(order_effect)
	                               ? typical_of(base, new_, order, n, &unit.typical)
	                               : typical_adjusted(base, new_, order, n, order_effect, &unit.typical);
	if (status == STATS_OK)
		status = share_of(base, new_, n, higher_is_better, &unit.share);
	if (status == STATS_OK)
		status = share_count(&unit.counts, base, new_, n, unit.typical.log_ratio, higher_is_better);
	if (status == STATS_OK)
		status = spread_of(base, new_, n, &unit.spread);
	struct summary summary;
	if (status == STATS_OK)
		status = summary_of(base, n, &summary);
	if (status != STATS_OK)
		return status;
	unit.base = summary.mean;
	status = summary_of(new_, n, &summary);
	if (status != STATS_OK)
		return status;
	unit.new_ = summary.mean;
	*out = unit;
	return STATS_OK;
}
