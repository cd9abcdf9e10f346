// Benchmarks in C++11: the same macros; destructors and exceptions do what one expects.
//
//	c++ -O2 suite.cpp $(pkg-config --cflags --libs tare-bench) -o suite && tare bench ./suite
#include <tare/bench.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

TARE_BENCH(push_back)
{
	std::size_t n = static_cast<std::size_t>(tare_int(t, "n"));
	TARE_LOOP(t) {
		std::vector<int> values;
		for (std::size_t i = 0; i < n; i++)
			values.push_back(static_cast<int>(i));
		tare_keep(values.data());
	}
	tare_items(t, static_cast<double>(n));
}
TARE_CONFIGURE(push_back)
{
	tare_powers(o, "n", 16, 4096, 16);
}

// One body for several types: a template, and a benchmark for each.
template <class Map>
static void look_up(struct tare *t)
{
	Map map;
	for (int i = 0; i < 1000; i++)
		map[std::to_string(i)] = i;
	std::string key = "777";
	int found = 0;
	TARE_LOOP(t) {
		found = map.find(key)->second;
		tare_keep(found);
	}
	tare_check(t, tare_invocations(t) == 0 || found == 777);
}
TARE_BENCH_NAMED(look_up_map, "look_up<map>")
{
	look_up<std::map<std::string, int>>(t);
}
TARE_BENCH_NAMED(look_up_unordered_map, "look_up<unordered_map>")
{
	look_up<std::unordered_map<std::string, int>>(t);
}

TARE_BENCH(sort)
{
	std::vector<int> sorted(1000), values;
	std::iota(sorted.begin(), sorted.end(), 0);
	TARE_LOOP(t) {
		tare_pause(t);
		values = sorted;
		std::reverse(values.begin(), values.end());
		tare_resume(t);
		std::sort(values.begin(), values.end());
		tare_keep(values);
	}
	tare_check(t, tare_invocations(t) == 0 || values == sorted);
}

// An exception fails the benchmark, and the suite goes on.
TARE_BENCH(throws)
{
	if (tare_text(t, "really") == std::string("yes"))
		throw std::runtime_error("nothing to see here");
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(throws)
{
	tare_values(o, "really", "no");
}

TARE_MAIN()
