// The chain by Google Benchmark, for about 50 ms. Prints wall and CPU nanoseconds of one call.
#include "harness_chain.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>

static void chain(benchmark::State &state)
{
	uint64_t x = 1;
	for (auto _ : state)
		x = harness_chain(x);
	benchmark::DoNotOptimize(x);
}
BENCHMARK(chain)->MinTime(0.05);

class Numbers : public benchmark::BenchmarkReporter {
public:
	bool ReportContext(const Context &) override
	{
		return true;
	}
	void ReportRuns(const std::vector<Run> &runs) override
	{
		for (const Run &run : runs)
			std::printf("%.6f %.6f\n", run.GetAdjustedRealTime(), run.GetAdjustedCPUTime());
	}
};

int main(int argc, char **argv)
{
	Numbers numbers;
	benchmark::Initialize(&argc, argv);
	benchmark::RunSpecifiedBenchmarks(&numbers);
	return 0;
}
