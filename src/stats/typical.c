/* The order-stratified median of pair log ratios.
 *
 *	l_i = ln(y_i/x_i),  T = ½·(median{l_i : base first} + median{l_i : new first})
 *
 * Disturbances are rare, huge and hit both sides alike; a median of pair ratios does not see them,
 * which makes it 10 to 100 times tighter than a mean on a disturbed machine. One median for each
 * order, because going second can cost 5 %: that makes l bimodal and a plain median 21 times wider.
 *
 * The medians of few pairs of each order are poor where a program has two speeds: they fall into another mode more often
 * than the median of all pairs does. Where the order effect d is known from many more pairs than the unit has,
 *
 *	T = median{l_i − d : base first, l_i + d : new first}
 *
 * Assumed: the pairs of a unit come from one distribution per order. It is blind to a real tail (the
 * slow share of stats/share.h guards that), and one-sided skew of the noise that is private to one
 * program moves it by up to 0.31 times that noise's sd. */
#include "stats/typical.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>

static enum stats_status check_pairs(const double *base, const double *new_, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(base[i]) || !isfinite(new_[i]))
			return STATS_NOT_FINITE;
		if (base[i] <= 0 || new_[i] <= 0)
			return STATS_NOT_POSITIVE;
	}
	return n == 0 ? STATS_EMPTY : STATS_OK;
}

/* order_effect: as in typical_adjusted, or NaN. */
static enum stats_status typical(const double *base, const double *new_, const unsigned char *order, size_t n,
                                 double order_effect, struct typical *out)
{
	enum stats_status status = check_pairs(base, new_, n);
	if (status != STATS_OK)
		return status;
	double *logs = mem_alloc(n, sizeof(*logs));
	if (!logs)
		return STATS_NO_MEMORY;
	/* Base first from the front, new first from the back. */
	size_t front = 0, back = n;
	for (size_t i = 0; i < n; i++) {
		double log_ratio = log(new_[i] / base[i]);
		if (order && order[i])
			logs[--back] = log_ratio;
		else
			logs[front++] = log_ratio;
	}
	*out = (struct typical){NAN, NAN};
	if (front > 0 && front < n) {
		double first = median_in_place(logs, front), second = median_in_place(logs + front, n - front);
		*out = (struct typical){0.5 * (first + second), 0.5 * (first - second)};
	}
	if (!isnan(order_effect))
		for (size_t i = 0; i < n; i++)
			logs[i] -= i < front ? order_effect : -order_effect;
	if (!isnan(order_effect) || isnan(out->log_ratio))
		out->log_ratio = median_in_place(logs, n);
	mem_free(logs);
	return STATS_OK;
}

enum stats_status typical_of(const double *base, const double *new_, const unsigned char *order, size_t n,
                             struct typical *out)
{
	return typical(base, new_, order, n, NAN, out);
}

enum stats_status typical_adjusted(const double *base, const double *new_, const unsigned char *order, size_t n,
                                   double order_effect, struct typical *out)
{
	return typical(base, new_, order, n, order_effect, out);
}

enum stats_status typical_private_sd(const double *base, const double *new_, const size_t *starts,
                                     const double *typical, size_t units, double *out)
{
	size_t n = units == 0 ? 0 : starts[units];
	enum stats_status status = check_pairs(base, new_, n);
	if (status != STATS_OK)
		return status;
	double *residuals = mem_alloc(n, sizeof(*residuals)), mad;
	if (!residuals)
		return STATS_NO_MEMORY;
	for (size_t u = 0; u < units; u++)
		for (size_t i = starts[u]; i < starts[u + 1]; i++)
			residuals[i] = log(new_[i] / base[i]) - typical[u];
	status = mad_of(residuals, n, &mad);
	mem_free(residuals);
	if (status == STATS_OK)
		*out = 1.4826 * mad;
	return status;
}
