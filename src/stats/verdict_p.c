/* The verdict turned round: instead of "is it decided at this alpha", the alpha at which it is.
 *
 * A part excludes "no effect" at alpha when |t| exceeds the constant of its share w of alpha, so it does
 * from alpha = p(t)/w on; the verdict takes the smallest of the three. A total also needs a bounded
 * interval. "Same" uses 2·alpha for each part and needs all of them: the largest. */
#include "stats/verdict.h"

#include <math.h>

static double p_of(const struct verdict_numbers *numbers, double t, double df)
{
	return t > 0 ? critical_p_value(numbers->rule, t / numbers->inflation, numbers->total_numbers.runs, df) : 1;
}

/* The p of a total's t, not below the p at which its interval is bounded at all. */
static double p_of_total(const struct verdict_numbers *numbers, double t)
{
	double df = numbers->total_numbers.df;
	return fmax(p_of(numbers, t, df), p_of(numbers, total_bound(&numbers->total_numbers), df));
}

static double p_of_typical(const struct verdict_numbers *numbers, double t)
{
	/* Typical and total are both adjusted for the sides, or neither. */
	return p_of(numbers, t, numbers->total_numbers.df);
}

static double p_of_share(const struct verdict_numbers *numbers, double t)
{
	return p_of(numbers, t, numbers->total_numbers.runs - 1);
}

/* The smallest alpha of a claim that any part makes by its share of alpha. */
static double p_of_any(const struct verdict_numbers *numbers, double typical, double total, double share)
{
	return fmin(1, numbers->typical.used ? fmin(2 * typical, 4 * fmin(total, share)) : total);
}

double verdict_difference_p(const struct verdict_numbers *numbers)
{
	return p_of_any(numbers, p_of_typical(numbers, fabs(numbers->typical.t)),
	                p_of_total(numbers, fabs(numbers->total.t)), p_of_share(numbers, fabs(numbers->share.t)));
}

/* How many standard errors `value` lies below `limit`; 0 when it does not. */
static double room(double limit, double value, double se)
{
	double left = limit - value;
	return left > 0 ? (se > 0 ? left / se : INFINITY) : 0;
}

double verdict_same_p(const struct verdict_numbers *numbers, const struct verdict_options *options, bool total)
{
	double p = 0;
	if (numbers->typical.used) {
		double limit = log1p(options->margin) - numbers->clock_term;
		p = p_of_typical(numbers, room(limit, fabs(log(numbers->typical.estimate)), numbers->typical.se));
		p = fmax(p, p_of_share(numbers, room(options->share_margin, fabs(numbers->share.estimate), numbers->share.se)));
	}
	if (total || !numbers->typical.used) {
		double above = total_t(&numbers->total_numbers, 1 / (1 + options->margin));
		double below = -total_t(&numbers->total_numbers, 1 + options->margin);
		p = fmax(p, p_of_total(numbers, fmin(above, below)));
	}
	return p >= 1 ? 1 : p / 2;
}

double verdict_beyond_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit)
{
	double sign = worse < 0 ? -1 : 1, log_ratio = sign * log(numbers->typical.estimate);
	double typical = room(log_ratio - numbers->clock_term, sign * log(limit), numbers->typical.se);
	double share = room(numbers->share.estimate, share_limit, numbers->share.se);
	return p_of_any(numbers, p_of_typical(numbers, typical),
	                p_of_total(numbers, sign * total_t(&numbers->total_numbers, limit)), p_of_share(numbers, share));
}

double verdict_short_of_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit)
{
	double sign = worse < 0 ? -1 : 1, p;
	if (numbers->typical.used) {
		double log_ratio = sign * log(numbers->typical.estimate);
		double typical = room(sign * log(limit) - numbers->clock_term, log_ratio, numbers->typical.se);
		double share = room(share_limit, numbers->share.estimate, numbers->share.se);
		p = fmax(p_of_typical(numbers, typical), p_of_share(numbers, share));
	} else {
		p = p_of_total(numbers, -sign * total_t(&numbers->total_numbers, limit));
	}
	return p >= 1 ? 1 : p / 2;
}

bool verdict_skew_note(const struct verdict_numbers *numbers, double private_sd)
{
	return (numbers->decided_by & VERDICT_TYPICAL) != 0 && fabs(log(numbers->typical.estimate)) < 0.3 * private_sd;
}
