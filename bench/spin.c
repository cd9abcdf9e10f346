/* spin N: a CPU-bound static program of known work, N loops of a dependent chain; for demo, tests and bench.
 * About a million loops take a few milliseconds. Without N: 1 000 000. */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long loops = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
	volatile uint64_t out;
	uint64_t x = 88172645463325252u;
	for (long i = 0; i < loops; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	out = x;
	(void)out;
	return 0;
}
