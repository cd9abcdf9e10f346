/* The run, winsorised to median ± 5·1.4826·MAD, without its warm-up, as 12 batch means (a remainder is
 * dropped at the front). Unsteady when
 *	the largest pooled two-sample |t| over splits after batch 2 … 10 (10 degrees of freedom) exceeds
 *	3.353, the 5 % point of that maximum, or |t| of the linear trend (10 df) exceeds 2.228,
 * and the change it shows exceeds half the target precision. Batch means of long batches are nearly
 * independent; strong autocorrelation beyond a batch raises the rate of false alarms. */
#include "stats/steady.h"

#include "base/memory.h"
#include "stats/summary.h"
#include "stats/winsor_mad.h"

#include <math.h>

static const double winsor_reach = 5, split_limit = 3.353, trend_limit = 2.228;

static double divide(double change, double se)
{
	if (change == 0)
		return 0;
	return se > 0 ? change / se : copysign(INFINITY, change);
}

static void find_split(struct steady *steady)
{
	steady->split_t = -1;
	for (size_t split = 2; split <= STEADY_BATCHES - 2; split++) {
		struct running before = {0}, after = {0};
		for (size_t i = 0; i < STEADY_BATCHES; i++)
			running_add(i < split ? &before : &after, steady->batch_means[i]);
		double squares = before.squares + before.squares_low + after.squares + after.squares_low;
		double change = running_mean(&after) - running_mean(&before);
		double counts = 1 / (double)split + 1 / (double)(STEADY_BATCHES - split);
		double t = fabs(divide(change, sqrt(squares / (STEADY_BATCHES - 2) * counts)));
		if (t > steady->split_t) {
			steady->split_t = t;
			steady->split = split;
			steady->split_change = change;
		}
	}
}

static void find_trend(struct steady *steady)
{
	double middle = (STEADY_BATCHES - 1) / 2., xx = 0, xy = 0, residuals = 0;
	for (size_t i = 0; i < STEADY_BATCHES; i++) {
		double x = (double)i - middle;
		xx += x * x;
		xy += x * (steady->batch_means[i] - steady->mean);
	}
	double slope = xy / xx;
	for (size_t i = 0; i < STEADY_BATCHES; i++) {
		double rest = steady->batch_means[i] - steady->mean - slope * ((double)i - middle);
		residuals += rest * rest;
	}
	steady->trend_t = divide(slope, sqrt(residuals / (STEADY_BATCHES - 2) / xx));
	steady->trend_change = slope * (STEADY_BATCHES - 1);
}

static void judge(struct steady *steady, double precision)
{
	double change = 0;
	if (steady->split_t > split_limit)
		change = fabs(steady->split_change);
	if (fabs(steady->trend_t) > trend_limit)
		change = fmax(change, fabs(steady->trend_change));
	steady->effect = change == 0 ? 0 : change / fabs(steady->mean);
	steady->unsteady = steady->effect > precision / 2;
}

static double winsorised_mean(const double *x, size_t n, const struct interval *limits)
{
	enum { PIECE = 1024 };
	double piece[PIECE];
	struct running sum = {0};
	for (size_t done = 0; done < n; done += PIECE) {
		size_t count = n - done < PIECE ? n - done : PIECE;
		for (size_t i = 0; i < count; i++)
			piece[i] = winsor_mad_value(limits, x[done + i]);
		running_add_all(&sum, piece, count);
	}
	return running_mean(&sum);
}

/* How far values may lie; of a long run from values at equal distances. */
static enum stats_status limits_of(const double *x, size_t n, struct interval *out)
{
	enum { MOST = 1 << 16 };
	if (n <= MOST)
		return winsor_mad_limits(x, n, winsor_reach, out);
	double *some = mem_alloc(MOST, sizeof(*some));
	for (size_t i = 0; some && i < MOST; i++)
		some[i] = x[(size_t)((double)i * (double)n / MOST)];
	enum stats_status status = some ? winsor_mad_limits(some, MOST, winsor_reach, out) : STATS_NO_MEMORY;
	mem_free(some);
	return status;
}

enum stats_status steady_test(const double *x, size_t n, size_t skip, double precision, struct steady *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (!(precision >= 0))
		return STATS_BAD_ARGUMENT;
	if (skip > n || n - skip < STEADY_BATCHES)
		return STATS_TOO_FEW;
	struct interval limits;
	status = limits_of(x, n, &limits);
	if (status != STATS_OK)
		return status;
	struct steady found = {.batch = (n - skip) / STEADY_BATCHES};
	const double *first = x + n - found.batch * STEADY_BATCHES;
	struct running all = {0};
	for (size_t b = 0; b < STEADY_BATCHES; b++) {
		found.batch_means[b] = winsorised_mean(first + b * found.batch, found.batch, &limits);
		running_add(&all, found.batch_means[b]);
	}
	found.mean = running_mean(&all);
	find_split(&found);
	find_trend(&found);
	judge(&found, precision);
	*out = found;
	return STATS_OK;
}
