/* Benchmarks with stop rules of their own, for tests of tare bench. */
#include <tare/bench.h>

#include <stdint.h>

static uint64_t work(unsigned steps)
{
	uint64_t x = 88172645463325252u;
	for (unsigned i = 0; i < steps; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

TARE_BENCH(plain)
{
	TARE_LOOP(t)
		tare_keep(work(200));
}

TARE_BENCH(stable)
{
	TARE_LOOP(t)
		tare_keep(work(200));
}
TARE_CONFIGURE(stable)
{
	tare_default(o, "stop", "cv@0.999");
	tare_default(o, "stop-variant", "paper");
	tare_default(o, "stop-values", "10");
	tare_default(o, "window", "2");
	tare_default(o, "min-warmup", "6");
	tare_default(o, "max-warmup", "9");
	tare_default(o, "iterations", "3");
	tare_default(o, "iteration-time", "200us");
	tare_default(o, "min-runs", "3");
	tare_default(o, "max-runs", "4");
	tare_default(o, "warmup-runs", "1");
}

TARE_BENCH(lifted)
{
	TARE_LOOP(t)
		tare_keep(work(200));
}
TARE_CONFIGURE(lifted)
{
	tare_default(o, "stop", "cv@0.0000001");
	tare_default(o, "stop-variant", "paper");
	tare_default(o, "max-warmup", "5");
	tare_default(o, "iterations", "3");
	tare_default(o, "iteration-time", "200us");
	tare_default(o, "max-runs", "2");
	tare_default(o, "lift", "true");
}

TARE_MAIN()
