/* Evidence against "no difference" that stays valid however often one looks. */
#ifndef TARE_STATS_EVALUE_H
#define TARE_STATS_EVALUE_H

/* The variances of the prior, in squared standard deviations, that the mixture takes half each. */
#define EVALUE_G_SMALL 1.0
#define EVALUE_G_LARGE 100.0

/* The natural logarithm of the e-value of a t statistic with df degrees of freedom from `runs` runs: under "no
 * difference" the mean of the e-value is at most 1, so e ≥ 20 happens with probability at most 1/20, at all looks
 * together. t may be infinite (no spread at all). NaN for a NaN t, g ≤ 0, runs < 1 or df ≤ 0. */
double evalue_log(double g, double t, double runs, double df);

/* The same of the mixture that verdicts are made by. */
double evalue_mixture_log(double t, double runs, double df);

#endif
