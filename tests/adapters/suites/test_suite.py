"""Six benchmarks of pytest-benchmark. With SLOWER=N in the environment, two of them (copy, chain) do N % more."""
import os

import pytest

MORE = 100 + int(os.environ.get("SLOWER", "0"))


def mix(steps):
    x = steps
    for _ in range(steps):
        x = (x ^ (x >> 7)) * 0x9E37 & 0xFFFFFFFF
    return x


def test_steady(benchmark):
    benchmark(mix, 200)


def test_copy(benchmark):
    benchmark(mix, 100 * MORE // 100)


def test_without_benchmark():
    print("noise on standard output")
    assert mix(2) != mix(3)


class TestChains:
    def test_chain(self, benchmark):
        assert benchmark(mix, 1000 * MORE // 100) == mix(1000 * MORE // 100)


@pytest.mark.parametrize("steps", [50, 400])
def test_sized(benchmark, steps):
    benchmark(mix, steps)


def test_filled(benchmark):
    benchmark.pedantic(mix, args=(300,), rounds=50, iterations=10)
