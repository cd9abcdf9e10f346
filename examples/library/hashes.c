/* Two hash functions compared: which is faster over 4 KiB? */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tare/tare.h>

static unsigned char text[4096];
static volatile uint64_t result;

static int fnv1a(void *context)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < sizeof(text); i++)
		h = (h ^ text[i]) * 1099511628211u;
	result = h;
	return context != NULL;
}

static int adler(void *context)
{
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < sizeof(text); i++) {
		a = (a + text[i]) % 65521;
		b = (b + a) % 65521;
	}
	result = (uint64_t)b << 16 | a;
	return context != NULL;
}

int main(int argc, char **argv)
{
	struct tare_compare_options options = {0};
	struct tare_verdict verdict;
	options.seconds = argc > 1 ? atof(argv[1]) : 10;
	enum tare_status status = tare_compare(fnv1a, adler, NULL, &options, &verdict);
	printf("adler is %s than fnv1a: %.3f times its time (%.3f to %.3f), %zu pairs\n",
	       tare_outcome_text(verdict.outcome), verdict.ratio, verdict.low, verdict.high, verdict.pairs);
	return status != TARE_OK && status != TARE_LIMIT;
}
