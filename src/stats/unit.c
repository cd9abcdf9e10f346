#include "stats/unit.h"

#include "stats/summary.h"

enum stats_status unit_of(const double *base, const double *new_, const unsigned char *order, size_t n,
                          bool higher_is_better, struct unit *out)
{
	struct unit unit = {.pairs = n};
	enum stats_status status = typical_of(base, new_, order, n, &unit.typical);
	if (status == STATS_OK)
		status = share_of(base, new_, n, higher_is_better, &unit.share);
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
