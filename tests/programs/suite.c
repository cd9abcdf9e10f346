/* A suite of benchmarks whose work stands in a table: -DNEW makes another table and other benchmarks, the environment a
 * third. How fast they are is nobody's business here, only how much more one does than the other. */
#include <tare/bench.h>

#include <stdlib.h>
#include <string.h>

#ifdef NEW
static const unsigned steps_of_same = 200, steps_of_heavier = 800, steps_of_lighter = 50;
#else
static const unsigned steps_of_same = 200, steps_of_heavier = 200, steps_of_lighter = 200;
#endif

static uint64_t work(unsigned steps)
{
	/* Else a compiler does a small number of steps itself. */
	__asm__ volatile("" : "+r"(steps));
	uint64_t x = steps;
	for (unsigned i = 0; i < steps; i++)
		x = (x ^ x << 13) * 0x9e3779b97f4a7c15u;
	return x;
}

TARE_BENCH(same)
{
	TARE_LOOP(t)
		tare_keep(work(steps_of_same));
	tare_items(t, 200);
}

TARE_BENCH(heavier)
{
	TARE_LOOP(t)
		tare_keep(work(steps_of_heavier));
}

TARE_BENCH(lighter)
{
	TARE_LOOP(t)
		tare_keep(work(steps_of_lighter));
	tare_report(t, "steps", steps_of_lighter, "steps", TARE_LOWER);
}

#ifdef NEW
TARE_BENCH(only_new)
#else
TARE_BENCH(only_old)
#endif
{
	TARE_LOOP(t)
		tare_keep(work(100));
}

/* LEVEL=3 does three times as much. */
TARE_BENCH(level)
{
	const char *level = getenv("LEVEL");
	unsigned steps = 200 * (unsigned)strtoul(level ? level : "1", NULL, 10);
	TARE_LOOP(t)
		tare_keep(work(steps));
}

TARE_BENCH(way)
{
	unsigned steps = strcmp(tare_text(t, "how"), "long") == 0 ? 900 : 300;
	TARE_LOOP(t)
		tare_keep(work(steps));
}
TARE_CONFIGURE(way)
{
	tare_values(o, "how", "short, long");
	tare_values(o, "n", "1, 2");
	tare_default(o, "max-runs", "11");
}

TARE_BENCH(skipped)
{
	if (getenv("SKIP"))
		tare_skip(t, "not today");
	TARE_LOOP(t)
		tare_keep(work(100));
}

TARE_MAIN()
