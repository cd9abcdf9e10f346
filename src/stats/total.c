/* The total ratio over pairs of runs.
 *
 * Paired: Fieller (stats/fieller.h) over the values a_i, b_i of the pairs. On two CPU sides: means and covariances
 * within the sides, averaged with equal weight (ν = R − 2); of runs with many iterations the side-adjusted log ratio
 * (stats/duet.h) of L_r = ln(b_r/a_r). Unpaired: Fieller with no covariance, R = the smaller number of runs. Geometric
 * means: the mean of ln(b_i/a_i), unpaired the difference of the mean logarithms, with its standard error.
 *
 * Neighbouring pairs may resemble each other. With r₁ the lag-1 autocorrelation of d_i = b_i/b̄ − a_i/ā, the variances
 * are multiplied by (1 + r)/(1 − r), r = r₁ + 1/√R, from 0 to 0.97: what a first-order autoregression adds, taken one
 * standard error of r₁ too high. A/A at 0.5 %, a look after every pair: 0.0 to 0.1 % for independent pairs, 1.3 %
 * where each side follows its own past with 0.5 (12.7 without), but 20 % with 0.9, and 37 % for states of one side
 * that last 20 pairs: no factor repairs those.
 *
 * Disagreement: W = ln(b̄/ā) − T̄. To first order W is the mean of D_r = b_r/b̄ − a_r/ā − T_r, so
 * that its standard error is sd(D)/√R; D is linear in (a, b, T), and sd(D) comes from their covariances:
 *	var D = s_bb/b̄² + s_aa/ā² + s_TT − 2·s_ab/(āb̄) − 2·s_bT/b̄ + 2·s_aT/ā
 *
 * Total is as wide as the machine is noisy; it is what a bill sees. */
#include "stats/total.h"

#include <math.h>

enum { BASE, NEW, TYPICAL };

static const double most_correlation = 0.97;

/* Products are kept relative to the first pair, as comoment keeps its own. */
static void add_products(struct total_sum *sum, const double *pair)
{
	double relative[2] = {pair[BASE] - sum->pairs.origin[BASE], pair[NEW] - sum->pairs.origin[NEW]};
	for (int x = 0; x < 2; x++)
		for (int y = 0; y < 2; y++)
			sum->next_products[x][y] += sum->last[x] * relative[y];
	sum->last[BASE] = relative[BASE];
	sum->last[NEW] = relative[NEW];
}

void total_add(struct total_sum *sum, double base, double new_, int side)
{
	const double pair[] = {base, new_};
	comoment_add(&sum->pairs, pair, 2);
	add_products(sum, pair);
	if (base > 0 && new_ > 0)
		running_add(&sum->logs, log(new_ / base));
	if (side == 0)
		return;
	comoment_add(side > 0 ? &sum->plus : &sum->minus, pair, 2);
	running_add(side > 0 ? &sum->log_plus : &sum->log_minus, log(new_ / base));
	sum->sided++;
}

/* Σ (x_i − x̄)(y_{i+1} − ȳ): the first pair is 0 in relative values, so Σ_{i>1} y_i is n·ȳ. */
static double next_product(const struct total_sum *sum, int x, int y)
{
	double n = (double)sum->pairs.n, mean_x = sum->pairs.shift[x], mean_y = sum->pairs.shift[y];
	return sum->next_products[x][y] - mean_x * (n * mean_y) - mean_y * (n * mean_x - sum->last[x]) +
	       (n - 1) * mean_x * mean_y;
}

static double lag1_of(const struct total_sum *sum)
{
	double a = comoment_mean(&sum->pairs, BASE), b = comoment_mean(&sum->pairs, NEW);
	double n = (double)sum->pairs.n;
	double squares = (n - 1) * (comoment_covariance(&sum->pairs, NEW, NEW) / b / b +
	                            comoment_covariance(&sum->pairs, BASE, BASE) / a / a -
	                            2 * comoment_covariance(&sum->pairs, BASE, NEW) / a / b);
	double products = next_product(sum, NEW, NEW) / b / b + next_product(sum, BASE, BASE) / a / a -
	                  (next_product(sum, BASE, NEW) + next_product(sum, NEW, BASE)) / a / b;
	/* Below this the squares are rounding: pairs that move as one have nothing to correlate. */
	return squares > 1e-24 * n ? fmin(1, fmax(-1, products / squares)) : 0;
}

double total_widening(double lag1, double n)
{
	double r = fmin(most_correlation, fmax(0, lag1 + 1 / sqrt(n)));
	return (1 + r) / (1 - r);
}

static void widen(struct total *total)
{
	total->means.base_variance *= total->widening;
	total->means.new_variance *= total->widening;
	total->means.covariance *= total->widening;
	total->duet.se *= sqrt(total->widening);
}

/* Variance or covariance of a mean of the two sides' means, from what varies within the sides. */
static double within_sides(const struct total_sum *sum, unsigned i, unsigned j)
{
	double plus = (double)sum->plus.n, minus = (double)sum->minus.n;
	double within = 0;
	if (plus > 1)
		within += (plus - 1) * comoment_covariance(&sum->plus, i, j);
	if (minus > 1)
		within += (minus - 1) * comoment_covariance(&sum->minus, i, j);
	return within / (plus + minus - 2) * (1 / plus + 1 / minus) / 4;
}

static struct fieller means_of_sides(const struct total_sum *sum)
{
	return (struct fieller){(comoment_mean(&sum->plus, BASE) + comoment_mean(&sum->minus, BASE)) / 2,
	                        (comoment_mean(&sum->plus, NEW) + comoment_mean(&sum->minus, NEW)) / 2,
	                        within_sides(sum, BASE, BASE), within_sides(sum, NEW, NEW), within_sides(sum, BASE, NEW)};
}

/* Which of two is larger cannot be told by a ratio where one is negative. */
static enum stats_status has_ratio(const struct total *total)
{
	return total->means.base < 0 || total->means.new_ < 0 ? STATS_NOT_DEFINED : STATS_OK;
}

/* The mean log ratio of pairs without sides, in the form of a duet. */
static struct duet duet_of_logs(const struct running *logs)
{
	double n = (double)running_count(logs);
	return (struct duet){
		.log_ratio = running_mean(logs), .side_effect = NAN, .se = sqrt(running_variance(logs) / n), .df = n - 1};
}

/* Pairs whose two readings always differ by the same amount have shown nothing that lies within a step of the clock, however
 * far they spread together. */
static double least_sd(const struct comoment *pairs)
{
	double base = comoment_covariance(pairs, BASE, BASE), new_ = comoment_covariance(pairs, NEW, NEW);
	double difference = base + new_ - 2 * comoment_covariance(pairs, BASE, NEW);
	return difference > 1e-12 * (base + new_) ? sqrt(fmin(base, new_)) : 0;
}

enum stats_status total_of(const struct total_sum *sum, bool logs, enum total_kind kind, struct total *out)
{
	size_t n = sum->pairs.n;
	if (n < 2)
		return n == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	if (kind == TOTAL_GEOMETRIC && running_count(&sum->logs) < n)
		return STATS_NOT_POSITIVE;
	struct total total = {.means = fieller_of(&sum->pairs, BASE, NEW), .runs = (double)n, .df = (double)n - 1};
	if (sum->sided == n) {
		enum stats_status status = duet_of_sides(&sum->log_plus, &sum->log_minus, &total.duet);
		if (status != STATS_OK)
			return status;
		total.by_logs = logs || kind == TOTAL_GEOMETRIC;
		total.df = total.duet.df;
		if (!total.by_logs)
			total.means = means_of_sides(sum);
	} else if (kind == TOTAL_GEOMETRIC) {
		total.duet = duet_of_logs(&sum->logs);
		total.by_logs = true;
	}
	if (has_ratio(&total) != STATS_OK)
		return STATS_NOT_DEFINED;
	total.lag1 = lag1_of(sum);
	total.widening = total_widening(total.lag1, total.runs);
	total.least_sd = least_sd(&sum->pairs);
	widen(&total);
	*out = total;
	return STATS_OK;
}

/* From sums of logarithms; the means of the values are those that the logarithms give. */
static struct total unpaired_logs(const struct running *base, const struct running *new_, double base_variance,
                                  double new_variance, double least)
{
	double se = sqrt(base_variance / (double)running_count(base) + new_variance / (double)running_count(new_));
	return (struct total){
		.by_logs = true,
		.means = {.base = exp(running_mean(base)), .new_ = exp(running_mean(new_))},
		.duet = {.log_ratio = running_mean(new_) - running_mean(base), .side_effect = NAN, .se = se, .df = least - 1},
		.runs = least,
		.df = least - 1,
		.lag1 = NAN,
		.widening = 1,
		.least_sd = sqrt(fmin(running_variance(base), running_variance(new_))) *
	                exp(fmin(running_mean(base), running_mean(new_))),
	};
}

enum stats_status total_unpaired(const struct running *base, const struct running *new_, enum total_kind kind,
                                 struct total *out)
{
	size_t base_n = running_count(base), new_n = running_count(new_), least = base_n < new_n ? base_n : new_n;
	if (least < 2)
		return least == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	double base_variance = running_variance(base), new_variance = running_variance(new_);
	double ratio = kind == TOTAL_GEOMETRIC ? 1 : running_mean(new_) / running_mean(base);
	/* The side with fewer runs is not taken to be the steadier one: five runs of a program with two speeds are often all
	 * of one. */
	if (base_n < new_n && isfinite(ratio) && ratio > 0)
		base_variance = fmax(base_variance, new_variance / ratio / ratio);
	if (new_n < base_n && isfinite(ratio))
		new_variance = fmax(new_variance, base_variance * ratio * ratio);
	if (kind == TOTAL_GEOMETRIC) {
		*out = unpaired_logs(base, new_, base_variance, new_variance, (double)least);
		return STATS_OK;
	}
	*out = (struct total){
		.means = {running_mean(base), running_mean(new_), base_variance / (double)base_n, new_variance / (double)new_n,
	              0},
		.runs = (double)least,
		.df = (double)least - 1,
		.lag1 = NAN,
		.widening = 1,
		.least_sd = sqrt(fmin(running_variance(base), running_variance(new_))),
	};
	return has_ratio(out);
}

enum stats_status total_interval(const struct total *total, double c, double *ratio, struct interval *out)
{
	if (!total->by_logs)
		return fieller_interval(&total->means, c, ratio, out);
	if (!(c >= 0))
		return STATS_BAD_ARGUMENT;
	*ratio = exp(total->duet.log_ratio);
	*out = duet_interval(&total->duet, c);
	return isinf(c) ? STATS_UNBOUNDED : STATS_OK;
}

double total_t(const struct total *total, double theta)
{
	if (!total->by_logs)
		return fieller_t(&total->means, theta);
	double difference = total->duet.log_ratio - log(theta);
	if (difference == 0)
		return 0;
	return total->duet.se > 0 ? difference / total->duet.se : copysign(INFINITY, difference);
}

double total_bound(const struct total *total)
{
	if (total->by_logs || total->means.base_variance == 0)
		return INFINITY;
	return fabs(total->means.base) / sqrt(total->means.base_variance);
}

void total_disagreement(const struct comoment *m, double *w, double *t)
{
	double a = comoment_mean(m, BASE), b = comoment_mean(m, NEW);
	*w = *t = NAN;
	if (m->n < 2 || !(a > 0) || !(b > 0))
		return;
	*w = log(b / a) - comoment_mean(m, TYPICAL);
	double variance = comoment_covariance(m, NEW, NEW) / b / b + comoment_covariance(m, BASE, BASE) / a / a +
	                  comoment_covariance(m, TYPICAL, TYPICAL) - 2 * comoment_covariance(m, BASE, NEW) / a / b -
	                  2 * comoment_covariance(m, NEW, TYPICAL) / b + 2 * comoment_covariance(m, BASE, TYPICAL) / a;
	double se = sqrt(fmax(0, variance) / (double)m->n);
	/* Below 1e-12 W is rounding: readings without any spread must not seem to disagree. */
	*t = fabs(*w) < 1e-12 ? 0 : se > 0 ? *w / se : copysign(INFINITY, *w);
}
