"""Benchmarks of Python code. `python3 suite.py` alone, or `tare bench 'python3 suite.py'`."""
import json
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "../../clients/python"))
from tare_bench import Skip, bench, main, report, unit  # noqa: E402


def shuffled(n):
    values = list(range(n))
    random.Random(1).shuffle(values)
    return values


@bench(params={"n": [100, 10000]}, setup=shuffled)
def sort_shuffled(values):
    sorted(values)


@bench(setup=lambda: json.dumps({"numbers": list(range(200))}), items=200, defaults={"iterations": "20"})
def parse_json(text):
    assert len(json.loads(text)["numbers"]) == 200


@bench(setup=lambda: [0])
def allocate(blocks):
    start = time.perf_counter()
    bytearray(1 << 12)
    unit("latency", time.perf_counter() - start, "s")
    blocks[0] += 1
    report("blocks", blocks[0], better="higher")


def accelerator():
    raise Skip("no accelerator here")


@bench(setup=accelerator)
def on_accelerator(_):
    pass


main()
