/* Benchmarks in C: what <tare/bench.h> can do, one feature at a time.
 *
 *	cc -O2 suite.c $(pkg-config --cflags --libs tare-bench) -o suite
 *	./suite                    a plain table
 *	tare bench ./suite         with intervals
 *	tare bench ./old ./new     comparison, turn by turn */
#include <tare/bench.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The code under test. */

static uint32_t checksum(const unsigned char *bytes, size_t size)
{
	uint32_t sum = 1;
	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

static void insertion_sort(int *values, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		int value = values[i];
		size_t k = i;
		for (; k > 0 && values[k - 1] > value; k--)
			values[k] = values[k - 1];
		values[k] = value;
	}
}

/* The whole of a small benchmark. */
TARE_BENCH(multiply)
{
	uint64_t x = 3;
	TARE_LOOP(t) {
		x = x * x + 1;
		tare_hide(x);
	}
	tare_keep(x);
}

/* A parameter, a rate, and a result that is checked. */
TARE_BENCH(checksum)
{
	size_t size = (size_t)tare_int(t, "bytes");
	unsigned char *bytes = malloc(size);
	memset(bytes, 'a', size);
	uint32_t sum = 0;
	TARE_LOOP(t) {
		sum = checksum(bytes, size);
		tare_keep(sum);
	}
	tare_check(t, tare_invocations(t) == 0 || sum == checksum(bytes, size));
	tare_bytes(t, (double)size);
	free(bytes);
}
TARE_CONFIGURE(checksum)
{
	tare_powers(o, "bytes", 64, 65536, 32);
}

/* Two parameters, and an input that must be fresh for each invocation: it is made while the clock stands. */
struct sorting {
	int values[512];
	size_t count;
	int descending;
};

static void sorting_start(struct tare *t)
{
	struct sorting *s = calloc(1, sizeof(*s));
	tare_set_data(t, s);
	s->count = (size_t)tare_int(t, "n");
	s->descending = strcmp(tare_text(t, "order"), "descending") == 0;
}

static void sorting_refill(struct tare *t)
{
	struct sorting *s = tare_data(t);
	uint32_t random = 1;
	for (size_t i = 0; i < s->count; i++) {
		random = random * 1664525 + 1013904223;
		s->values[i] = s->descending ? (int)(s->count - i) : (int)(random >> 8);
	}
}

static void sorting_end(struct tare *t)
{
	free(tare_data(t));
}

TARE_BENCH(insertion_sort)
{
	struct sorting *s = tare_data(t);
	TARE_LOOP(t) {
		insertion_sort(s->values, s->count);
		tare_clobber();
	}
	tare_items(t, (double)s->count);
}
TARE_CONFIGURE(insertion_sort)
{
	tare_values(o, "n", "64, 512");
	tare_values(o, "order", "random, descending");
	tare_each_run(o, sorting_start, sorting_end);
	tare_each_invocation(o, 1, sorting_refill, NULL);
	tare_default(o, "max-runs", "30");
}

/* Threads that start together, on one counter that they share. */
static uint64_t shared_counter;

TARE_BENCH(shared_counter)
{
	TARE_LOOP(t)
		__atomic_add_fetch(&shared_counter, 1, __ATOMIC_RELAXED);
	tare_items(t, 1);
}
TARE_CONFIGURE(shared_counter)
{
	tare_threads(o, "1, 2");
}

/* Metrics of its own: one value for each iteration, and one for each unit of work. */
TARE_BENCH(cache)
{
	uint32_t slots[64] = {0}, key = 1;
	uint64_t hits = 0;
	TARE_LOOP(t) {
		key = key * 1664525 + 1013904223;
		uint32_t wanted = key >> 24;
		uint32_t *slot = &slots[wanted % 64];
		hits += *slot == wanted;
		tare_unit(t, *slot == wanted ? 1 : 10);
		*slot = wanted;
	}
	if (tare_invocations(t) > 0)
		tare_report(t, "hit-rate", (double)hits / (double)tare_invocations(t), "", TARE_HIGHER);
}
TARE_CONFIGURE(cache)
{
	tare_unit_metric(o, "cost", "steps", TARE_LOWER);
}

TARE_BENCH(needs_gpu)
{
	tare_skip(t, "no GPU here");
	TARE_LOOP(t) {
	}
}

TARE_MAIN()
