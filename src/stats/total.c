/* The total ratio over units.
 *
 * Paired: Fieller (stats/fieller.h) over the unit means a_r, b_r. In a duet whose units have a side
 * each: the side-adjusted log ratio (stats/duet.h) of L_r = ln(b_r/a_r). Unpaired: Fieller with no
 * covariance, R = the smaller number of runs.
 *
 * Disagreement: W = ln(b̄/ā) − T̄. To first order W is the mean of D_r = b_r/b̄ − a_r/ā − T_r, so
 * that its standard error is sd(D)/√R; D is linear in (a, b, T), and sd(D) comes from their covariances:
 *	var D = s_bb/b̄² + s_aa/ā² + s_TT − 2·s_ab/(āb̄) − 2·s_bT/b̄ + 2·s_aT/ā
 *
 * Assumed: units independent. Total is as wide as the machine is noisy; it is what a bill sees. */
#include "stats/total.h"

#include <math.h>

enum { BASE, NEW, TYPICAL };

void total_add(struct total_sum *sum, double base, double new_, double typical, int side)
{
	comoment_add(&sum->moments, (const double[]){base, new_, typical}, 3);
	if (side != 0) {
		running_add(side > 0 ? &sum->plus : &sum->minus, log(new_ / base));
		sum->sided++;
	}
}

/* Which of two is larger cannot be told by a ratio where one is negative. */
static enum stats_status has_ratio(const struct total *total)
{
	return total->means.base < 0 || total->means.new_ < 0 ? STATS_NOT_DEFINED : STATS_OK;
}

enum stats_status total_of(const struct total_sum *sum, struct total *out)
{
	size_t units = sum->moments.n;
	if (units < 2)
		return units == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	struct total total = {.means = fieller_of(&sum->moments, BASE, NEW), .runs = (double)units};
	total.df = total.runs - 1;
	if (sum->sided == units) {
		enum stats_status status = duet_of_sides(&sum->plus, &sum->minus, &total.duet);
		if (status != STATS_OK)
			return status;
		total.by_sides = true;
		total.df = total.duet.df;
	}
	*out = total;
	return has_ratio(&total);
}

enum stats_status total_unpaired(const struct running *base, const struct running *new_, struct total *out)
{
	size_t base_n = running_count(base), new_n = running_count(new_), least = base_n < new_n ? base_n : new_n;
	if (least < 2)
		return least == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	*out = (struct total){
		.means = {running_mean(base), running_mean(new_), running_variance(base) / (double)base_n,
	              running_variance(new_) / (double)new_n, 0},
		.runs = (double)least,
		.df = (double)least - 1,
	};
	return has_ratio(out);
}

enum stats_status total_interval(const struct total *total, double c, double *ratio, struct interval *out)
{
	if (!total->by_sides)
		return fieller_interval(&total->means, c, ratio, out);
	if (!(c >= 0))
		return STATS_BAD_ARGUMENT;
	*ratio = exp(total->duet.log_ratio);
	*out = duet_interval(&total->duet, c);
	return isinf(c) ? STATS_UNBOUNDED : STATS_OK;
}

double total_t(const struct total *total, double theta)
{
	if (!total->by_sides)
		return fieller_t(&total->means, theta);
	double difference = total->duet.log_ratio - log(theta);
	if (difference == 0)
		return 0;
	return total->duet.se > 0 ? difference / total->duet.se : copysign(INFINITY, difference);
}

double total_bound(const struct total *total)
{
	if (total->by_sides || total->means.base_variance == 0)
		return INFINITY;
	return fabs(total->means.base) / sqrt(total->means.base_variance);
}

void total_disagreement(const struct total_sum *sum, double *w, double *t)
{
	const struct comoment *m = &sum->moments;
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
