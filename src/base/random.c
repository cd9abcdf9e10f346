#include "base/random.h"

#include <math.h>
#include <string.h>

static uint64_t rotate_left(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void random_seed(struct random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		seed += 0x9e3779b97f4a7c15u;
		uint64_t z = seed;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		random->state[i] = z ^ (z >> 31);
	}
}

uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

void random_jump(struct random *random)
{
	static const uint64_t polynomial[] = {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa,
	                                      0x39abdc4529b1661c};
	uint64_t sum[4] = {0, 0, 0, 0};
	for (int word = 0; word < 4; word++) {
		for (int bit = 0; bit < 64; bit++) {
			if (polynomial[word] & (UINT64_C(1) << bit))
				for (int i = 0; i < 4; i++)
					sum[i] ^= random->state[i];
			random_next(random);
		}
	}
	memcpy(random->state, sum, sizeof(sum));
}

void random_stream(struct random *random, uint64_t seed, unsigned stream)
{
	random_seed(random, seed);
	for (unsigned i = 0; i < stream; i++)
		random_jump(random);
}

/* Lemire's multiply-and-reject. */
uint64_t random_below(struct random *random, uint64_t below)
{
	__uint128_t product = (__uint128_t)random_next(random) * below;
	if ((uint64_t)product < below) {
		uint64_t threshold = -below % below;
		while ((uint64_t)product < threshold)
			product = (__uint128_t)random_next(random) * below;
	}
	return (uint64_t)(product >> 64);
}

double random_uniform(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

double random_normal(struct random *random)
{
	for (;;) {
		double u = 2 * random_uniform(random) - 1, v = 2 * random_uniform(random) - 1;
		double r = u * u + v * v;
		if (r > 0 && r < 1)
			return u * sqrt(-2 * log(r) / r);
	}
}

double random_exponential(struct random *random)
{
	return -log1p(-random_uniform(random));
}

void random_shuffle(struct random *random, void *elements, size_t count, size_t size)
{
	unsigned char *bytes = elements;
	for (size_t left = count; left > 1; left--) {
		size_t chosen = (size_t)random_below(random, left);
		unsigned char *a = bytes + chosen * size, *b = bytes + (left - 1) * size;
		for (size_t i = 0; i < size; i++) {
			unsigned char keep = a[i];
			a[i] = b[i];
			b[i] = keep;
		}
	}
}
