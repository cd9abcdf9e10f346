// Six benchmarks in three test cases of Catch2. Compiled with -DSLOWER=N, two of them (copy, chain) do N % more.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>

#include <cstdint>

#ifndef SLOWER
#define SLOWER 0
#endif

static volatile uint64_t one = 1; // what is read anew cannot be computed beforehand

static uint64_t mix(uint64_t steps)
{
	uint64_t x = steps * one;
	for (uint64_t i = 0; i < steps; i++)
		x = (x ^ (x >> 7)) * 0x9e3779b97f4a7c15u;
	return x;
}

TEST_CASE("numbers, plain", "[!benchmark]")
{
	BENCHMARK("steady") { return mix(2000); };
	BENCHMARK("copy") { return mix(1000 * (100 + SLOWER) / 100); };
}

TEST_CASE("chains")
{
	REQUIRE(mix(1) != 0);
	BENCHMARK("chain of 10") { return mix(10000 * (100 + SLOWER) / 100); };
	BENCHMARK("sized/500") { return mix(500); };
	BENCHMARK("sized 4000") { return mix(4000); };
}

TEST_CASE("no benchmark") { REQUIRE(mix(2) != mix(3)); }

TEST_CASE("last", "[!benchmark]")
{
	BENCHMARK("filled") { return mix(3000); };
}
