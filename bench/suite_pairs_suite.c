/* Thirty benchmarks of ten kinds, for bench/suite_pairs. How many steps each takes stands in a table of its own
 * (suite_pairs_table.c): two programs with different tables have the same code at the same addresses. */
#include "bench/suite_pairs_suite.h"

#include <tare/bench.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 1 << 12, LARGE = 1 << 15 }; /* words */

static uint32_t small[SMALL], large[LARGE], order[SMALL], next[LARGE];
static double reals[SMALL];

static uint32_t random_state = 1;

static uint32_t random_word(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 4;
}

static __attribute__((constructor)) void fill(void)
{
	for (uint32_t i = 0; i < SMALL; i++) {
		small[i] = random_word();
		reals[i] = 1 + (double)(small[i] & 1023) / 1024;
		order[i] = i;
	}
	for (uint32_t i = 0; i < LARGE; i++) {
		large[i] = random_word();
		next[i] = i;
	}
	/* One cycle through all. */
	for (uint32_t i = LARGE - 1; i > 0; i--) {
		uint32_t k = random_word() % i, keep = next[i];
		next[i] = next[k];
		next[k] = keep;
	}
}

static uint64_t chain(uint32_t steps)
{
	uint64_t x = steps;
	for (uint32_t i = 0; i < steps; i++)
		x = (x ^ x << 13) * 0x9e3779b97f4a7c15u;
	return x;
}

static uint64_t sum_words(uint32_t steps)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < steps; i++)
		sum += small[i % SMALL] ^ i;
	return sum;
}

static uint64_t walk(uint32_t steps)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < steps; i++)
		at = next[at];
	return at;
}

static uint64_t scatter(uint32_t steps)
{
	uint32_t at = 1;
	for (uint32_t i = 0; i < steps; i++) {
		at = at * 1664525 + 1013904223;
		large[at >> 17]++;
	}
	return large[0];
}

static uint64_t branches(uint32_t steps)
{
	/* Random anew each time, for a predictor learns what repeats. */
	uint64_t odd = 0, even = 0;
	for (uint32_t i = 0; i < steps; i++) {
		if (random_word() & 8)
			odd += i;
		else
			even ^= odd + i;
		__asm__ volatile("" : "+r"(odd), "+r"(even));
	}
	return odd ^ even;
}

static uint64_t divide(uint32_t steps)
{
	uint64_t x = 0xfffffffffffffu;
	for (uint32_t i = 0; i < steps; i++)
		x = 0xfffffffffffffu / ((x & 1023) + 3);
	return x;
}

static uint64_t roots(uint32_t steps)
{
	double x = 2;
	for (uint32_t i = 0; i < steps; i++)
		x = sqrt(x) + reals[i % SMALL];
	return (uint64_t)(x * 1000);
}

static uint64_t polynomial(uint32_t steps)
{
	double sum = 0;
	for (uint32_t i = 0; i < steps; i++) {
		double x = reals[i % SMALL];
		sum += ((0.3 * x + 0.2) * x - 0.7) * x;
	}
	return (uint64_t)(sum * 1000);
}

static uint64_t hash_bytes(uint32_t steps)
{
	const unsigned char *bytes = (const unsigned char *)small;
	uint32_t hash = 2166136261u;
	for (uint32_t i = 0; i < steps; i++)
		hash = (hash ^ bytes[i % sizeof(small)]) * 16777619u;
	return hash;
}

static uint64_t indirect(uint32_t steps)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < steps; i++)
		sum += small[order[(i * 7 + sum) % SMALL]];
	return sum;
}

static uint64_t (*const kinds[])(uint32_t) = {chain,  sum_words, walk,       scatter,    branches,
                                              divide, roots,     polynomial, hash_bytes, indirect};

/* Every benchmark has a function of its own, as a suite has. */
#define ONE(number) \
	TARE_BENCH_NAMED(b##number, "b" #number) \
	{ \
		uint32_t steps = suite_steps[number - 10]; \
		TARE_LOOP(t) \
			tare_keep(kinds[(number - 10) / 3](steps)); \
	}

ONE(10)
ONE(11)
ONE(12)
ONE(13)
ONE(14)
ONE(15)
ONE(16)
ONE(17)
ONE(18)
ONE(19)
ONE(20)
ONE(21)
ONE(22)
ONE(23)
ONE(24)
ONE(25)
ONE(26)
ONE(27)
ONE(28)
ONE(29)
ONE(30)
ONE(31)
ONE(32)
ONE(33)
ONE(34)
ONE(35)
ONE(36)
ONE(37)
ONE(38)
ONE(39)

TARE_MAIN()
