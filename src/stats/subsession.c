/* Pilot's subsession analysis (Li et al. 2016, section III-D; Ferrari, Computer Systems Performance
 * Evaluation, 1978, p. 79): replace each q neighbours by their mean, take the smallest q at which
 *	r = Σ_{g<h} (m_g − x̄)(m_{g+1} − x̄) / Σ (m_g − x̄)²,   h = ⌊n/q⌋,
 * is small. The interval over merged values is a little short (90 to 95 % at 95 %), so the size
 * decides how long to measure; stats/ewc.h makes the interval.
 *
 * Group means come from one array of prefix sums, so all sizes together cost n·(1 + ½ + ⅓ + …), not n². */
#include "stats/subsession.h"

#include "base/memory.h"
#include "stats/summary.h"

#include <math.h>

/* prefix[i] = sum of the first i deviations from the mean, compensated. */
static void sum_deviations(const double *x, size_t n, const struct running *sums, double *prefix)
{
	double sum = 0, lost = 0;
	prefix[0] = 0;
	for (size_t i = 0; i < n; i++) {
		double d = ((x[i] - sums->mean) - sums->mean_low) - lost;
		double next = sum + d;
		lost = (next - sum) - d;
		sum = next;
		prefix[i + 1] = sum;
	}
}

/* Variance and autocorrelation of the group means about 0. */
static void merge(const double *prefix, size_t n, size_t size, struct subsession *out)
{
	size_t count = n / size;
	double before = 0, squares = 0, products = 0;
	for (size_t g = 0; g < count; g++) {
		double mean = (prefix[(g + 1) * size] - prefix[g * size]) / (double)size;
		squares += mean * mean;
		products += before * mean;
		before = mean;
	}
	out->size = size;
	out->count = count;
	out->variance = squares / (double)(count - 1);
	out->autocorrelation = squares > 0 ? products / squares : 0;
}

static enum stats_status prepare(const double *x, size_t n, struct subsession *out, double **prefix)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < 2)
		return STATS_TOO_FEW;
	struct running sums = {0};
	for (size_t i = 0; i < n; i++)
		running_add(&sums, x[i]);
	if (!isfinite(running_variance(&sums)))
		return STATS_NOT_DEFINED;
	*prefix = mem_alloc(n + 1, sizeof(**prefix));
	if (!*prefix)
		return STATS_NO_MEMORY;
	out->mean = running_mean(&sums);
	sum_deviations(x, n, &sums, *prefix);
	return STATS_OK;
}

enum stats_status subsession_at(const double *x, size_t n, size_t size, struct subsession *out)
{
	double *prefix;
	struct subsession found;
	if (n >= 2 && (size == 0 || size > n / 2))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = prepare(x, n, &found, &prefix);
	if (status != STATS_OK)
		return status;
	merge(prefix, n, size, &found);
	mem_free(prefix);
	*out = found;
	return STATS_OK;
}

enum stats_status subsession_find(const double *x, size_t n, double limit, struct subsession *out)
{
	double *prefix;
	struct subsession found;
	if (!(limit > 0 && limit <= 1))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = prepare(x, n, &found, &prefix);
	if (status != STATS_OK)
		return status;
	size_t most = n / SUBSESSION_LEAST > 1 ? n / SUBSESSION_LEAST : 1;
	size_t size = 1;
	do {
		merge(prefix, n, size, &found);
	} while (!(fabs(found.autocorrelation) <= limit) && ++size <= most);
	mem_free(prefix);
	if (size > most)
		return STATS_TOO_FEW;
	*out = found;
	return STATS_OK;
}

void subsession_means(const double *x, size_t n, size_t size, double *out)
{
	for (size_t g = 0; g < n / size; g++) {
		struct running sums = {0};
		for (size_t i = g * size; i < (g + 1) * size; i++)
			running_add(&sums, x[i]);
		out[g] = running_mean(&sums);
	}
}
