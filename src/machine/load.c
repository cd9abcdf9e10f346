/* cpu     a chain of arithmetic, about 2 ms
 * memory  random reads and writes in 4 MiB, about as long; every page is new, as in a program that has just started
 * start   nothing: the time is that of starting a program with a handful of libraries, about 1 ms */
#include "machine/load.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const load_names[LOAD_COUNT] = {"cpu", "memory", "start"};

enum { CPU_LOOPS = 700000, MEMORY_BYTES = 4 << 20, MEMORY_LOOPS = 30000 };

static uint64_t next(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static uint64_t compute(uint64_t x)
{
	for (int i = 0; i < CPU_LOOPS; i++)
		x = next(x);
	return x;
}

static uint64_t remember(uint64_t x)
{
	unsigned char *memory = calloc(MEMORY_BYTES, 1);
	for (int i = 0; memory && i < MEMORY_LOOPS; i++) {
		x = next(x);
		x += ++memory[x % MEMORY_BYTES];
	}
	free(memory);
	return x;
}

int load_main(int argc, char **argv)
{
	volatile uint64_t out = 88172645463325252u;
	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "cpu") == 0)
		out = compute(out);
	else if (strcmp(argv[1], "memory") == 0)
		out = remember(out);
	else if (strcmp(argv[1], "start") != 0)
		return 2;
	return 0;
}
