/* The chain and an empty loop by tare's harness. With HUNDRED: a hundred benchmarks beside them. */
#include <tare/bench.h>

#include "harness_chain.h"

TARE_BENCH(chain)
{
	uint64_t x = 1;
	TARE_LOOP(t)
		x = harness_chain(x);
	tare_keep(x);
}

TARE_BENCH(empty)
{
	TARE_LOOP(t) {
	}
}

#ifdef HUNDRED
#define ONE(n) \
	TARE_BENCH(filler_##n) \
	{ \
		TARE_LOOP(t) { \
		} \
	}
#define TEN(n) \
	ONE(n##0) \
	ONE(n##1) \
	ONE(n##2) \
	ONE(n##3) \
	ONE(n##4) \
	ONE(n##5) \
	ONE(n##6) \
	ONE(n##7) \
	ONE(n##8) \
	ONE(n##9)
TEN(0)
TEN(1)
TEN(2)
TEN(3)
TEN(4)
TEN(5)
TEN(6)
TEN(7)
TEN(8)
TEN(9)
#endif

TARE_MAIN()
