/* Runs whose warm-up is known, and how often it is found: place, what is cut where there is nothing to cut, and whether
 * the interval of the steady mean holds the truth. */
#ifndef TARE_TESTS_COVERAGE_WARMUPS_H
#define TARE_TESTS_COVERAGE_WARMUPS_H

#include <stddef.h>
#include <stdint.h>

enum { WARMUPS_LENGTH = 3000, WARMUPS_RUNS = 10, WARMUPS_NOISES = 4 };

enum warmups_kind {
	WARMUPS_NOTHING,
	WARMUPS_STEP,       /* slower for 5 to 700 iterations, by 5 to 20 long-run sds of a batch of 20 */
	WARMUPS_LARGE,      /* the same, 1.5 to 10 times as slow */
	WARMUPS_TWO_STEPS,  /* the first of them higher */
	WARMUPS_SLOWDOWN,   /* faster at first */
	WARMUPS_CURVE,      /* an exponential approach from 10 to 100 % above, time constant 10 to 120 */
	WARMUPS_SLOW_CURVE, /* 1/(1 + i/time) from 10 to 50 % above, over after 14 to 700 */
	WARMUPS_RAMP,       /* a straight line from 10 to 100 % above, over after 20 to 700 */
	WARMUPS_KINDS
};

struct warmups_count {
	const char *name;
	int runs, right; /* cut within 2 % of the length or 3 iterations */
	double cut;      /* of a run, on the average, as a fraction of it */
	double bound;    /* of a curve: right at best, as a fraction of the runs; else 1 */
	int means, held; /* 95 % intervals over WARMUPS_RUNS runs, and how many held the mean of the steady part */
};

/* Noise of 1 % with the given autocorrelation (by index: 0, 0.3, 0.6, 0.9), 1 % of the iterations slower by up to half;
 * every run has its own level (sd 0.5 %). `benchmarks` of WARMUPS_RUNS runs. */
void warmups_count(enum warmups_kind kind, size_t noise, int benchmarks, uint64_t seed, struct warmups_count *out);
double warmups_correlation(size_t noise);

/* How often the end of a curve is found within 2 % of WARMUPS_LENGTH by an unbiased, normal estimate of the least variance that the
 * shape, the noise and its autocorrelation rho being known allow (Cramér and Rao): high·r(i/time) above 1, over where it
 * is `share`. */
double warmups_bound(enum warmups_kind kind, double high, double time, double share, double sd, double rho);

#endif
