/* The constant c of "estimate ± c · standard error", by how often one looks at the data.
 *
 * alpha is two-sided (0.05 for 95 %), `runs` the number R of runs, pairs or blocks, `df` the
 * degrees of freedom ν of the standard error (R − 1; R − 2 with two sides; need not be whole).
 * All give NaN for 0 < alpha < 1, runs ≥ 1 or df > 0 not held. */
#ifndef TARE_STATS_CRITICAL_H
#define TARE_STATS_CRITICAL_H

enum critical_rule {
	CRITICAL_FIXED,     /* one look, planned before the first run */
	CRITICAL_PRECISION, /* looks until the interval is short enough */
	CRITICAL_ANYTIME,   /* looks until there is a verdict, any number of them */
};

double critical_t(double alpha, double df);
double critical_precision(double alpha, double runs, double df);

/* INFINITY while R is too small for any bound. A few microseconds. */
double critical_anytime(double alpha, double runs, double df);

double critical_value(enum critical_rule rule, double alpha, double runs, double df);

/* The smallest alpha at which |t| exceeds the rule's constant, at most 1: a p value that
 * allows for the looks. NaN when t is NaN. */
double critical_p_value(enum critical_rule rule, double t, double runs, double df);

#endif
