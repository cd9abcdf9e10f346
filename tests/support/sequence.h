/* Series that are the same here and in the R scripts of tests/known. */
#ifndef TARE_TESTS_SUPPORT_SEQUENCE_H
#define TARE_TESTS_SUPPORT_SEQUENCE_H

#include <stddef.h>

/* Park and Miller's generator: exact in doubles. */
static inline void sequence_uniform(double *out, size_t n, unsigned seed)
{
	unsigned long long state = seed;
	for (size_t i = 0; i < n; i++) {
		state = state * 16807 % 2147483647;
		out[i] = (double)state / 2147483647.0;
	}
}

/* x ← phi·x + (u − ½) from 0. */
static inline void sequence_ar(double *out, size_t n, unsigned seed, double phi)
{
	sequence_uniform(out, n, seed);
	double x = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = x = phi * x + (out[i] - 0.5);
}

#endif
