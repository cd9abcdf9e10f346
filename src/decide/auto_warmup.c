/* Warm-up (docs/methods.md, "Our own rule, and the frontier"), a run at a time.
 *
 * The end. MSER-5 says how much to drop; as long as that is all it may drop (half), or the rest still steps or drifts
 * (stats/steady.h) by more than half of the target, the run has to go on. So it does while its own mean is not known to
 * twice the target: a test sees no drift that is smaller than the noise. (Not for pairs, whose sides share their
 * noise.) Of what MSER drops as few iterations are left out as keep the rest from shifting the mean of a short run by
 * more than an eighth of the target, or of the interval that the fewest runs will have by the noise alone where that is
 * shorter: an interval of 1 % does not hold the truth beside a warm-up that was found to be small for a target of 10 %.
 * The first always is left out, for in a new process it is nearly always the slowest. Other runs may take longer to
 * warm up: two fifths are added.
 *
 * Steps in later runs. t > 4 by the first run's noise, single values held back to within 3 spreads of the middle one.
 *
 * Does it matter? On steady noise MSER still drops a part now and then. A warm-up is a property of the program and
 * comes in every run, a disturbance comes when it will, so runs are held against each other. With b_r and a_r the means
 * of both parts of run r (each winsorised around its own median; without the first iteration, which is never kept), s_r
 * = b_r/a_r − 1. What is dropped, W iterations of a run that measures n more, matters when the mean of s over the runs
 * times W/(W + n) is more than allowed and a t test over the runs says at 30 % that s is not 0: to drop without need
 * costs time, to keep what is not steady costs the truth. */
#include "decide/auto_warmup.h"

#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/critical.h"
#include "stats/mser.h"
#include "stats/quantile.h"
#include "stats/steady.h"
#include "stats/summary.h"
#include "stats/winsor_mad.h"

#include <math.h>

static const double step_limit = 4, reach = 3, winsor_reach = 5, normal_mad = 1.4826, chance = 0.3;

static double mean_of(const double *x, size_t n)
{
	struct running sum = {0};
	running_add_all(&sum, x, n);
	return running_mean(&sum);
}

/* The fewest iterations to leave out of the `cut` that MSER drops: those kept must not shift the mean of a run much. */
static size_t needed_skip(const double *x, size_t n, size_t cut, const struct interval *limits, double allowed,
                          size_t rest)
{
	struct running sum = {0};
	double excess = 0;
	size_t skip = cut, kept = 0;
	for (size_t i = cut; i < n; i++)
		running_add(&sum, winsor_mad_value(limits, x[i]));
	double level = running_mean(&sum);
	for (size_t i = cut; i-- > 1;) {
		excess += x[i] / level - 1;
		kept++;
		if (fabs(excess) / (double)(kept + rest) <= allowed)
			skip = i;
	}
	return skip > 1 ? skip : 1;
}

/* Variance of the mean of k iterations like these, times k: that of independent ones times (1 + r₁)/(1 − r₁). */
static double variance_within(const double *x, size_t n)
{
	struct summary summary;
	double r = 0;
	if (n < 3 || summary_of(x, n, &summary) != STATS_OK)
		return 0;
	if (autocorrelation_lag1(x, n, &r) != STATS_OK)
		r = 0;
	r = fmin(fmax(r + (1 + 3 * r) / (double)n, 0), 0.95);
	return summary.variance * (1 + r) / (1 - r);
}

/* Whether the mean of x is known by itself: two standard errors are at most twice what is wanted. */
static bool is_precise(const double *x, size_t n, double wanted)
{
	return !isfinite(wanted) || sqrt(variance_within(x, n) / (double)n) <= wanted * fabs(mean_of(x, n));
}

double warmup_allowed(double tolerance, double width, double within, double mean)
{
	double half_width = isfinite(width) && mean != 0 ? width * sqrt(within) / fabs(mean) : INFINITY;
	return fmin(tolerance, half_width) / 8;
}

int warmup_look(const double *x, size_t n, const struct warmup_wanted *wanted, struct warmup_look *out,
                struct error *err)
{
	struct steady steady;
	struct interval limits;
	size_t cut = 0;
	*out = (struct warmup_look){.skip = 1, .more = true};
	enum stats_status status = mser_skip(x, n, &cut);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	if (status != STATS_OK)
		return 0;
	status = winsor_mad_limits(x + cut, n - cut, winsor_reach, &limits);
	if (status != STATS_OK)
		return error_memory(err);
	double allowed = warmup_allowed(wanted->tolerance, wanted->width, variance_within(x + cut, n - cut),
	                                mean_of(x + cut, n - cut));
	out->skip = needed_skip(x, n, cut, &limits, allowed, wanted->rest);
	if (out->skip > 1 && cut == n / MSER_BATCH / 2 * MSER_BATCH)
		return 0;
	status = steady_test(x, n, out->skip, wanted->tolerance, &steady);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	out->more = status != STATS_OK || steady.unsteady || !is_precise(x + out->skip, n - out->skip, wanted->own);
	out->skip += out->skip > 1 ? (2 * out->skip + 4) / 5 : 0;
	return 0;
}

int warmup_noise_of(const double *x, size_t n, struct warmup_noise *out, struct error *err)
{
	double mad = 0;
	if (n > 0 && mad_of(x, n, &mad) == STATS_NO_MEMORY)
		return error_memory(err);
	*out = (struct warmup_noise){.spread = normal_mad * mad, .within = variance_within(x, n)};
	return 0;
}

int warmup_step(const double *x, size_t n, const struct warmup_noise *noise, double allowed, size_t *step,
                struct error *err)
{
	*step = 0;
	if (n < 2 || !(noise->spread > 0) || !(noise->within > 0))
		return 0;
	double most = step_limit, middle = 0, *held = mem_alloc(n, sizeof(*held));
	if (!held || median_of(x, n, &middle) == STATS_NO_MEMORY) {
		mem_free(held);
		return error_memory(err);
	}
	for (size_t i = 0; i < n; i++)
		held[i] = fmin(fmax(x[i], middle - reach * noise->spread), middle + reach * noise->spread);
	for (size_t i = 1; i < n; i++) {
		double change = fabs(mean_of(held, i) - mean_of(held + i, n - i));
		double t = change / sqrt(noise->within * (1 / (double)i + 1 / (double)(n - i)));
		if (t > most && change * (double)i / (double)n > allowed * fabs(middle)) {
			most = t;
			*step = i;
		}
	}
	mem_free(held);
	return 0;
}

/* ---- runs held against each other ---- */

static bool is_whole(const struct warmup_run *run)
{
	for (size_t i = 0; i < run->n; i++)
		if (isnan(run->values[i]))
			return false;
	return true;
}

/* *out: the mean, winsorised at median ± 5·1.4826·MAD where that is not 0. */
static int winsorised_mean(const double *x, size_t n, double *out, struct error *err)
{
	double median, mad;
	struct running sum = {0};
	if (median_of(x, n, &median) != STATS_OK || mad_of(x, n, &mad) != STATS_OK)
		return error_memory(err);
	double most = mad > 0 ? winsor_reach * normal_mad * mad : INFINITY;
	for (size_t i = 0; i < n; i++)
		running_add(&sum, fmin(fmax(x[i], median - most), median + most));
	*out = running_mean(&sum);
	return 0;
}

int warmup_matters(const struct warmup_run *runs, size_t count, size_t skip, size_t rest, double allowed,
                   struct error *err)
{
	struct running shifts = {0};
	for (size_t r = 0; r < count; r++) {
		double before, after;
		if (skip < 2 || runs[r].n <= skip || !is_whole(&runs[r]))
			continue;
		if (winsorised_mean(runs[r].values + 1, skip - 1, &before, err) != 0 ||
		    winsorised_mean(runs[r].values + skip, runs[r].n - skip, &after, err) != 0)
			return -1;
		running_add(&shifts, before / after - 1);
	}
	double n = (double)running_count(&shifts), mean = fabs(running_mean(&shifts));
	if (!(mean * (double)skip / (double)(skip + rest) > allowed))
		return 0;
	return n < 2 || mean > critical_t(chance, n - 1) * sqrt(running_variance(&shifts) / n);
}
