"""Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "../../../clients/python"))
from tare_bench import bench, main  # noqa: E402


@bench
def throws():
    raise ValueError("oh\ndear")


@bench
def rants():
    raise ValueError("oh\0dear \udcff" + "\U0001f600" * 5000)


@bench
def prints():
    print("hello")


@bench
def starts():
    probe = "for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done"
    subprocess.run(["sh", "-c", probe], close_fds=False, check=True)


@bench
def ends():
    os._exit(3)


@bench
def forks():
    os.fork()


@bench(params={"text": ["a b", "c\n\u2003d"]})
def blanks(text):
    assert text in ("a b", "c\n\u2003d")


if "twice" in sys.argv:
    bench(blanks, params={"text": ["a_b"]})


async def waits():
    pass


def yields():
    yield


async def does_both():
    yield


for function in waits, yields, does_both:
    if function.__name__ in sys.argv:
        bench(function)


async def prepares():
    pass


async def clears():
    pass


for name, function in ("setup", prepares), ("teardown", clears):
    if function.__name__ in sys.argv:
        bench(lambda: None, **{name: function})
main()
