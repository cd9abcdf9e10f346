/* The statistics of tare/tare.h: arguments checked, one call, one interval. */
#include "tare/tare.h"

#include "decide/phases.h"
#include "library/library.h"
#include "stats/autocorrelation.h"
#include "stats/changepoint.h"
#include "stats/critical.h"
#include "stats/ess.h"
#include "stats/ewc.h"
#include "stats/fieller.h"
#include "stats/interval.h"
#include "stats/means.h"
#include "stats/proportion.h"
#include "stats/subsession.h"
#include "stats/welch.h"

#include <math.h>

enum tare_status library_status(enum stats_status status)
{
	switch (status) {
	case STATS_OK: return TARE_OK;
	case STATS_NO_MEMORY: return TARE_NO_MEMORY;
	case STATS_UNBOUNDED: return TARE_UNBOUNDED;
	case STATS_EMPTY:
	case STATS_TOO_FEW:
	case STATS_CONSTANT:
	case STATS_NOT_DEFINED: return TARE_NOT_KNOWN;
	default: return TARE_BAD_ARGUMENT;
	}
}

bool library_level(double level)
{
	return level > 0 && level < 1;
}

const char *tare_status_text(enum tare_status status)
{
	switch (status) {
	case TARE_OK: return "ok";
	case TARE_NO_MEMORY: return "out of memory";
	case TARE_BAD_ARGUMENT: return "an argument is outside its range";
	case TARE_LIMIT: return "time or rounds ended before the result was precise";
	case TARE_FAILED: return "the workload failed";
	case TARE_NOT_KNOWN: return "too few values, or no such number exists for them";
	case TARE_UNBOUNDED: return "the interval has no finite bound";
	}
	return "no such status";
}

const char *tare_version(void)
{
	return TARE_VERSION;
}

/* Into *out; for an unbounded one the estimate counts. What the call in the first argument fills is read here, behind it:
 * arguments are evaluated in any order. */
static enum tare_status give(enum stats_status status, const double *estimate, const struct interval *interval,
                             struct tare_interval *out)
{
	if (status == STATS_OK || status == STATS_UNBOUNDED)
		*out = (struct tare_interval){*estimate, interval->low, interval->high};
	return library_status(status);
}

enum tare_status tare_mean_of(const double *x, size_t n, enum tare_mean mean, double level, struct tare_interval *out)
{
	double estimate;
	struct interval interval;
	enum stats_status status;
	if (!x || !out || !library_level(level))
		return TARE_BAD_ARGUMENT;
	if (n < 2)
		return TARE_NOT_KNOWN;
	double c = critical_t(1 - level, (double)n - 1);
	if (mean == TARE_HARMONIC)
		status = mean_harmonic(x, n, c, &estimate, &interval);
	else if (mean == TARE_GEOMETRIC)
		status = mean_geometric(x, n, c, &estimate, &interval);
	else
		status = interval_mean(x, n, c, &estimate, &interval);
	return give(status, &estimate, &interval, out);
}

enum tare_status tare_median_of(const double *x, size_t n, double level, struct tare_interval *out)
{
	double estimate = NAN;
	struct interval interval = {NAN, NAN};
	if (!x || !out || !library_level(level))
		return TARE_BAD_ARGUMENT;
	return give(interval_median(x, n, level, &estimate, &interval), &estimate, &interval, out);
}

enum tare_status tare_proportion_of(size_t successes, size_t n, double level, struct tare_interval *out)
{
	struct interval interval = {NAN, NAN};
	if (!out)
		return TARE_BAD_ARGUMENT;
	double share = (double)successes / (double)n;
	return give(proportion_clopper_pearson(successes, n, level, &interval), &share, &interval, out);
}

enum tare_status tare_series_mean(const double *x, size_t n, double level, struct tare_interval *out)
{
	double estimate = NAN;
	struct interval interval = {NAN, NAN};
	if (!x || !out)
		return TARE_BAD_ARGUMENT;
	return give(ewc_interval(x, n, level, &estimate, &interval), &estimate, &interval, out);
}

enum tare_status tare_autocorrelation(const double *x, size_t n, double *lag1)
{
	return x && lag1 ? library_status(autocorrelation_lag1(x, n, lag1)) : TARE_BAD_ARGUMENT;
}

enum tare_status tare_effective_size(const double *x, size_t n, double *out)
{
	return x && out ? library_status(effective_sample_size(x, n, out)) : TARE_BAD_ARGUMENT;
}

enum tare_status tare_subsession(const double *x, size_t n, double limit, size_t *size)
{
	struct subsession found;
	if (!x || !size)
		return TARE_BAD_ARGUMENT;
	enum stats_status status = subsession_find(x, n, limit, &found);
	if (status == STATS_OK)
		*size = found.size;
	return library_status(status);
}

enum tare_status tare_ratio_paired(const double *base, const double *new_, size_t n, double level,
                                   struct tare_interval *out)
{
	double ratio = NAN;
	struct interval interval = {NAN, NAN};
	if (!base || !new_ || !out || !library_level(level))
		return TARE_BAD_ARGUMENT;
	if (n < 2)
		return TARE_NOT_KNOWN;
	return give(fieller_paired(base, new_, n, critical_t(1 - level, (double)n - 1), &ratio, &interval), &ratio,
	            &interval, out);
}

enum tare_status tare_ratio_unpaired(const double *base, size_t base_n, const double *new_, size_t new_n, double level,
                                     struct tare_interval *out)
{
	double ratio = NAN;
	struct interval interval = {NAN, NAN};
	size_t least = base_n < new_n ? base_n : new_n;
	if (!base || !new_ || !out || !library_level(level))
		return TARE_BAD_ARGUMENT;
	if (least < 2)
		return TARE_NOT_KNOWN;
	double c = critical_t(1 - level, (double)least - 1);
	return give(fieller_unpaired(base, base_n, new_, new_n, c, &ratio, &interval), &ratio, &interval, out);
}

enum tare_status tare_welch(const double *a, size_t na, const double *b, size_t nb, double level,
                            struct tare_interval *difference, double *p)
{
	struct welch welch;
	if (!a || !b)
		return TARE_BAD_ARGUMENT;
	enum stats_status status = welch_test(a, na, b, nb, level, &welch);
	if (status == STATS_OK && difference)
		*difference = (struct tare_interval){welch.difference, welch.interval.low, welch.interval.high};
	if (status == STATS_OK && p)
		*p = welch.p;
	return library_status(status);
}

enum tare_status tare_change_points(const double *x, size_t n, double alpha, size_t *places, size_t most, size_t *count)
{
	struct changepoint_options options = {alpha, n / 50 < 5 ? 5 : n / 50 > 30 ? 30 : n / 50};
	struct changepoints found;
	if (!x || !count || (most > 0 && !places))
		return TARE_BAD_ARGUMENT;
	enum stats_status status = changepoint_find(x, n, &options, NULL, 0, &found);
	if (status != STATS_OK)
		return library_status(status);
	for (size_t i = 0; i < found.count && i < most; i++)
		places[i] = found.points[i].at;
	*count = found.count;
	changepoints_release(&found);
	return TARE_OK;
}

enum tare_status tare_stable_phase(const double *x, size_t n, enum tare_phases rule, size_t *from, size_t *to)
{
	struct phase phase;
	if (!x || !from || !to || rule < TARE_PHASES_AUTO || rule > TARE_PHASES_NONE)
		return TARE_BAD_ARGUMENT;
	if (stats_check_finite(x, n) == STATS_NOT_FINITE)
		return TARE_BAD_ARGUMENT;
	if (!phases_find(x, n, (enum phases_rule)rule, &phase))
		return TARE_NO_MEMORY;
	*from = phase.from;
	*to = phase.to;
	return TARE_OK;
}
