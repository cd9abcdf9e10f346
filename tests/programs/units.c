/* A suite with unit readings: 40 of 300 µs, then 360 of 100 µs, each with up to a microsecond more. */
#include <tare/bench.h>

TARE_BENCH(units)
{
	unsigned r = 1;
	TARE_LOOP(t) {
		for (int i = 0; i < 400; i++) {
			for (volatile int k = 0; k < 5000; k++)
				;
			r = r * 1664525u + 1013904223u;
			tare_unit(t, (i < 40 ? 300 : 100) + r / 4294967296.0);
		}
	}
}

TARE_CONFIGURE(units)
{
	tare_unit_metric(o, "latency", "us", TARE_LOWER);
}

TARE_MAIN()
