// Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
#include <tare/bench.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

TARE_BENCH(throws)
{
	TARE_LOOP(t)
		throw std::runtime_error("oh\ndear");
}
TARE_BENCH(throws_a_number)
{
	throw 7;
	TARE_LOOP(t) {
	}
}
TARE_BENCH(rants)
{
	TARE_LOOP(t)
		throw std::runtime_error("oh\ndear " + std::string(9000, 'x'));
}
TARE_BENCH(prints)
{
	TARE_LOOP(t)
		std::puts("hello");
}
TARE_BENCH(starts)
{
	TARE_LOOP(t)
		tare_check(t, std::system("for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done") == 0);
}
TARE_BENCH(ends)
{
	TARE_LOOP(t)
		std::exit(3);
}

// What tare_keep must take.
struct large {
	int values[40];
};
TARE_BENCH(keeps)
{
	std::string text = "text";
	int array[3] = {1, 2, 3};
	struct large large = {{0}};
	TARE_LOOP(t) {
		tare_keep(text);
		tare_keep(array);
		tare_keep(large);
		tare_keep(large.values[0] + 1);
		tare_keep(0.5 * array[1]);
		tare_keep(&large);
		tare_keep("literal");
		tare_keep(nullptr);
		tare_keep(true);
	}
}

TARE_MAIN()
