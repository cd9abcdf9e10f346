#include "decide/company.h"

#include "stats/distribution.h"
#include "stats/interval.h"

#include <math.h>

void company_add(struct company *company, double together, double alone)
{
	double log_ratio = log(together / alone);
	if (company->n < COMPANY_MOST && isfinite(log_ratio))
		company->logs[company->n++] = log_ratio;
}

double company_ratio(const struct company *company, double level, struct confidence *ci)
{
	double mean, c = company->n > 1 ? t_quantile((1 + level) / 2, (double)company->n - 1) : INFINITY;
	struct interval interval;
	if (company->n == 0)
		return NAN;
	if (interval_mean(company->logs, company->n, c, &mean, &interval) != STATS_OK)
		return exp(company->logs[0]);
	ci->low = exp(interval.low);
	ci->high = exp(interval.high);
	ci->level = level;
	ci->method = "t";
	return exp(mean);
}
