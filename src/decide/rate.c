#include "decide/rate.h"

#include <math.h>
#include <stdlib.h>

static double clamped(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

void rate_search_init(struct rate_search *search, double threshold, double cost, double lowest, double highest)
{
	*search = (struct rate_search){
		.threshold = threshold, .lowest = lowest, .highest = highest, .cost = cost > 0 ? cost : 0};
	search->rate = clamped(cost > 0 ? threshold / cost : 10, lowest, highest);
}

/* A measurement weighed against what a sample costs. */
static double weighed(const struct rate_search *search, double overhead, double error)
{
	double expected = search->cost * search->rate;
	if (!(error > 0) || expected == 0)
		return isfinite(error) ? overhead : 0;
	double measured = isfinite(error) ? 1 / (error * error) : 0, known = 1 / (expected * expected);
	return ((measured > 0 ? overhead * measured : 0) + expected * known) / (measured + known);
}

void rate_search_add(struct rate_search *search, double measured, double error)
{
	double rate = search->rate, products = 0, squares = 0, overhead = weighed(search, measured, error);
	search->rates[search->tries] = rate;
	search->overheads[search->tries++] = overhead;
	for (size_t i = 0; i < search->tries; i++) {
		products += search->rates[i] * search->overheads[i];
		squares += search->rates[i] * search->rates[i];
	}
	double slope = products / squares;
	double next = slope > 0 ? rate - (overhead - search->threshold) / slope : 4 * rate;
	next = clamped(clamped(next, rate / 4, rate * 4), search->lowest, search->highest);
	bool settled = fabs(next - rate) < 0.2 * rate;
	/* A rate that was too costly is never the answer for want of tries. */
	search->over = settled || search->tries == RATE_TRIES;
	if (!settled || overhead > search->threshold)
		search->rate = next;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

void rate_overhead(double *values, size_t n, double *overhead, double *low, double *high)
{
	*overhead = *low = *high = NAN;
	if (n == 0)
		return;
	qsort(values, n, sizeof(*values), ascending);
	double median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
	*overhead = expm1(median);
	*low = -INFINITY;
	*high = INFINITY;
	/* The largest k with 2·P(Bin(n, 1/2) < k) ≤ 0.05: values k and n + 1 − k. By logarithms: 1/2 to the n may be too
	 * small. */
	double term = (double)n * log(0.5), below = 0;
	size_t k = 0;
	while (k < n / 2 && 2 * (below + exp(term)) <= 0.05) {
		below += exp(term);
		term += log((double)(n - k) / (double)(k + 1));
		k++;
	}
	if (k == 0)
		return;
	*low = expm1(values[k - 1]);
	*high = expm1(values[n - k]);
}
