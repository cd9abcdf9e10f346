#include "decide/overhead.h"

#include "stats/critical.h"
#include "stats/fieller.h"

#include <math.h>

void overhead_of(const double *without, const double *with, size_t n, double level, struct overhead_result *out)
{
	double ratio = NAN;
	struct interval interval = {NAN, NAN};
	enum stats_status status = STATS_TOO_FEW;
	if (n >= 2)
		status = fieller_paired(without, with, n, critical_t(1 - level, (double)n - 1), &ratio, &interval);
	*out = (struct overhead_result){.ratio = NAN, .pairs = n, .ci = {.level = NAN, .low = NAN, .high = NAN}};
	if (status != STATS_OK && status != STATS_UNBOUNDED) {
		out->ci.why = stats_status_text(status);
		return;
	}
	out->ratio = ratio;
	out->ci = (struct confidence){.level = level, .low = interval.low, .high = interval.high, .method = "Fieller, t"};
	if (status == STATS_UNBOUNDED) {
		out->ci.unbounded = true;
		out->ci.low = out->ci.high = NAN;
	}
}
