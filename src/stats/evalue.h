/* Evidence against "no difference" that stays valid however often one looks. */
#ifndef TARE_STATS_EVALUE_H
#define TARE_STATS_EVALUE_H

/* The e-value of a t statistic with df degrees of freedom from `runs` runs: under "no
 * difference" its mean is at most 1, so E ≥ 20 happens with probability at most 1/20, at all looks
 * together. t may be infinite (no spread at all). NaN for a NaN t, runs < 1 or df ≤ 0. */
double evalue(double t, double runs, double df);

/* Its natural logarithm, which does not overflow. */
double evalue_log(double t, double runs, double df);

#endif
