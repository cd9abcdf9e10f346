/* walk KB STEPS: a static program that waits for memory, STEPS dependent loads on a random cycle through KB kilobytes; for bench. */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long size = argc > 1 ? strtol(argv[1], NULL, 10) * 1024 / (long)sizeof(uint32_t) : 0;
	long steps = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	if (size < 2 || size > UINT32_MAX)
		return 2;
	uint32_t *next = malloc((size_t)size * sizeof(*next));
	if (!next)
		return 1;
	/* Sattolo: one cycle through all. */
	for (long i = 0; i < size; i++)
		next[i] = (uint32_t)i;
	uint64_t x = 88172645463325252u;
	for (long i = size - 1; i > 0; i--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		long k = (long)(x % (uint64_t)i);
		uint32_t keep = next[i];
		next[i] = next[k];
		next[k] = keep;
	}
	volatile uint32_t at = 0;
	for (long i = 0; i < steps; i++)
		at = next[at];
	free(next);
	return 0;
}
