/* A program whose speed depends a little on where its functions lie: most of the time goes into a chain of
 * multiplications, which is as slow anywhere, and some into short loops (kernels.c), which are not. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHAIN = 4500 };

static uint64_t chain(uint64_t x)
{
	for (int i = 0; i < CHAIN; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	uint64_t sum = 1;
	for (unsigned long k = 0; k < rounds; k++)
		sum = chain(sum) + kernels(k);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
