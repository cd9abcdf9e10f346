/* Distribution functions and quantiles of the normal, t, F, χ², beta and binomial distributions.
 *
 * All give NaN for arguments outside their range (p outside [0, 1], degrees of freedom
 * not above 0, NaN). Degrees of freedom need not be whole; infinite ones of t give the normal. */
#ifndef TARE_STATS_DISTRIBUTION_H
#define TARE_STATS_DISTRIBUTION_H

double normal_cdf(double x);
double normal_quantile(double p); /* −∞ and ∞ at 0 and 1 */

double t_cdf(double x, double df);      /* relative error below 1e-12 above 1e-30, 1e-10 down to 1e-200 */
double t_quantile(double p, double df); /* relative error below 1e-12 where |p − ½| > 1e-4 and df ≥ 0.5 */

/* P(F > f) and P(X > x), accurate where they are tiny. */
double f_upper_tail(double f, double df1, double df2);
double chi2_upper_tail(double x, double df);

/* The p quantile of the beta distribution with shapes a, b > 0; 0 and 1 at p = 0 and 1. */
double beta_quantile(double p, double a, double b);

/* P(X ≥ k) and P(X ≤ k) of a binomial count of n trials with probability p, accurate where they are tiny. */
double binomial_at_least(double k, double n, double p);
double binomial_at_most(double k, double n, double p);

#endif
