/* The verdict turned round: instead of "is it decided at this alpha", the alpha at which it is.
 *
 * A part excludes "no effect" at alpha when |t| exceeds the constant of its share w of alpha, so it does
 * from alpha = p(t)/w on; the verdict takes the smallest of the three. A total also needs a bounded
 * interval. "Same" uses 2·alpha for each part and needs all of them: the largest. */
#include "stats/verdict.h"

#include <math.h>

static double p_of(const struct verdict_numbers *numbers, const struct verdict_options *options, double t, double df)
{
	return t > 0 ? critical_p_value(options->rule, t / options->inflation, numbers->total_numbers.runs, df) : 1;
}

/* The p of a total's t, not below the p at which its interval is bounded at all. */
static double p_of_total(const struct verdict_numbers *numbers, const struct verdict_options *options, double t)
{
	double df = numbers->total_numbers.df;
	return fmax(p_of(numbers, options, t, df), p_of(numbers, options, total_bound(&numbers->total_numbers), df));
}

static double typical_df(const struct verdict_numbers *numbers)
{
	return numbers->total_numbers.df; /* both are adjusted for the sides, or neither */
}

double verdict_difference_p(const struct verdict_numbers *numbers, const struct verdict_options *options)
{
	double total = p_of_total(numbers, options, fabs(numbers->total.t));
	if (!numbers->typical.used)
		return fmin(1, total);
	double typical = p_of(numbers, options, fabs(numbers->typical.t), typical_df(numbers));
	double share = p_of(numbers, options, fabs(numbers->share.t), numbers->total_numbers.runs - 1);
	return fmin(1, fmin(2 * typical, 4 * fmin(total, share)));
}

/* How many standard errors lie between |estimate| and the limit. */
static double room(double limit, double estimate, double se)
{
	double left = limit - fabs(estimate);
	return left > 0 ? (se > 0 ? left / se : INFINITY) : 0;
}

double verdict_same_p(const struct verdict_numbers *numbers, const struct verdict_options *options, bool total)
{
	double p = 0;
	if (numbers->typical.used) {
		double t = room(log1p(options->margin) - numbers->clock_term, log(numbers->typical.estimate), numbers->typical.se);
		p = p_of(numbers, options, t, typical_df(numbers));
		t = room(options->share_margin, numbers->share.estimate, numbers->share.se);
		p = fmax(p, p_of(numbers, options, t, numbers->total_numbers.runs - 1));
	}
	if (total || !numbers->typical.used) {
		double above = total_t(&numbers->total_numbers, 1 / (1 + options->margin));
		double below = -total_t(&numbers->total_numbers, 1 + options->margin);
		p = fmax(p, p_of_total(numbers, options, fmin(above, below)));
	}
	return p >= 1 ? 1 : p / 2;
}

bool verdict_skew_note(const struct verdict_numbers *numbers, double private_sd)
{
	return (numbers->decided_by & VERDICT_TYPICAL) != 0 && fabs(log(numbers->typical.estimate)) < 0.3 * private_sd;
}
