/* Seeded random numbers: xoshiro256++ of Blackman and Vigna (2019).
 *
 * The same seed gives the same numbers on every machine. A stream is advanced by
 * 2^128 steps with random_jump(), so that threads and replicates get streams that
 * do not overlap. Nothing here is fit for secrets. */
#ifndef TARE_BASE_RANDOM_H
#define TARE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state[4];
};

/* State from a seed by splitmix64; every seed is good, 0 included. */
void random_seed(struct random *random, uint64_t seed);

/* A stream of its own for (seed, stream): as random_seed, then `stream` jumps. */
void random_stream(struct random *random, uint64_t seed, unsigned stream);

uint64_t random_next(struct random *random);

/* Uniform in 0 … below − 1 without bias; below ≥ 1. */
uint64_t random_below(struct random *random, uint64_t below);

/* Uniform in [0, 1) with 53 bits. */
double random_uniform(struct random *random);

/* Standard normal (polar method); two uniforms or more a call. */
double random_normal(struct random *random);

/* Exponential with mean 1. */
double random_exponential(struct random *random);

/* Fisher-Yates over `count` elements of `size` bytes. */
void random_shuffle(struct random *random, void *elements, size_t count, size_t size);

void random_jump(struct random *random);

#endif
