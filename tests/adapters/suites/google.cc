// Six benchmarks of Google Benchmark. Compiled with -DSLOWER=N, two of them (copy, chain) do N % more.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

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

static void work(benchmark::State &state, uint64_t steps)
{
	for (auto _ : state)
		benchmark::DoNotOptimize(mix(steps));
}

static void steady(benchmark::State &state) { work(state, 2000); }
static void copy(benchmark::State &state) { work(state, 1000 * (100 + SLOWER) / 100); }
static void chain(benchmark::State &state) { work(state, 10000 * (100 + SLOWER) / 100); }
static void sized(benchmark::State &state) { work(state, static_cast<uint64_t>(state.range(0))); }

static void filled(benchmark::State &state)
{
	std::vector<uint64_t> values(4096, 1);
	for (auto _ : state) {
		uint64_t sum = 0;
		for (auto &value : values)
			sum += value = value * 3 + 1;
		benchmark::DoNotOptimize(sum);
	}
	state.SetItemsProcessed(state.iterations() * 4096);
}

BENCHMARK(steady);
BENCHMARK(copy);
BENCHMARK(chain);
BENCHMARK(sized)->Arg(500)->Arg(4000);
BENCHMARK(filled);
BENCHMARK_MAIN();
