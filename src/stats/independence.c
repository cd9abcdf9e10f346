/* On ranks, so that outliers neither hide nor feign dependence: Ljung-Box over lags 1 … min(10, n/5),
 * p < 0.005, or the largest |r_k| up to lag n/4 by z = r_k·√(n(n + 2)/(n − k)) with Bonferroni,
 * p < 0.005. The first sees short memory, the second a single period. Together they call 0.8 to
 * 1.5 % of independent series dependent, and all of AR(1) ≥ 0.5 and periods ≤ 10 at n = 300.
 * It replaces the plots of Kalibera and Jones, section 5.1. A trend counts as dependence. */
#include "stats/independence.h"

#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/distribution.h"
#include "stats/rank.h"

#include <math.h>

static const double level = 0.005;

static void judge(const double *r, size_t n, struct independence *out)
{
	size_t lags = n / 5 < 10 ? n / 5 : 10, most = n / 4;
	double statistic = ljung_box_statistic(r, lags, n), count = (double)n, best = -1;
	out->ljung_box_p = chi2_upper_tail(statistic, (double)lags);
	for (size_t k = 1; k <= most; k++) {
		double z = fabs(r[k - 1]) * sqrt(count * (count + 2) / (count - (double)k));
		if (z > best) {
			best = z;
			out->lag = k;
			out->largest = r[k - 1];
		}
	}
	out->largest_p = fmin(1, 2 * normal_cdf(-best) * (double)most);
	out->dependent = out->ljung_box_p < level || out->largest_p < level;
}

enum stats_status independence_test(const double *x, size_t n, struct independence *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < INDEPENDENCE_LEAST)
		return STATS_TOO_FEW;
	n = n > INDEPENDENCE_MOST ? INDEPENDENCE_MOST : n;
	double *ranks = mem_alloc(n, sizeof(*ranks)), *r = mem_alloc(n / 4, sizeof(*r));
	status = ranks && r ? ranks_of(x, n, ranks, NULL) : STATS_NO_MEMORY;
	if (status == STATS_OK)
		status = autocorrelation(ranks, n, n / 4, r);
	if (status == STATS_OK)
		judge(r, n, out);
	mem_free(ranks);
	mem_free(r);
	return status;
}
