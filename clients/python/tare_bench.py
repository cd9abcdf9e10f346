# SPDX-License-Identifier: MIT
"""Benchmarks in Python, measured by tare (docs/protocol.md).

    from tare_bench import bench, main

    @bench(params={"n": [10, 1000]}, setup=lambda n: list(range(n, 0, -1)))
    def sort_reversed(values):
        sorted(values)

    main()

One call of the function is one invocation; it gets what `setup` returned, or the parameters. `python3 suite.py` prints a
plain table, `tare bench 'python3 suite.py'` measures with intervals. Raise Skip to leave a benchmark out; any other
exception fails it. `items` and `bytes` are what one invocation handles; `defaults` are options of `tare bench`.
"""
import itertools
import os
import sys
import time

_benchmarks = {}


class Skip(Exception):
    """Leaves a benchmark out, with a reason."""


def bench(function=None, *, params=None, setup=None, teardown=None, items=0, bytes=0, defaults=None):
    if function is None:
        return lambda f: bench(f, params=params, setup=setup, teardown=teardown, items=items, bytes=bytes, defaults=defaults)
    params = params or {}
    for values in itertools.product(*params.values()):
        chosen = dict(zip(params, values))
        name = "/".join([function.__name__] + [f"{key}={value}" for key, value in chosen.items()])
        _benchmarks[name] = (function, chosen, setup, teardown, items, bytes, defaults or {})
    return function


def _delay():
    """Nanoseconds that this thread has waited for a CPU, or None."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError, ValueError):
        return None


def _time(function, arguments, count):
    """Wall, CPU and waiting time of `count` invocations, in nanoseconds; only the loop lies between the wall clock's reads."""
    turns = itertools.repeat(None, count)
    delay, cpu, wall = _delay(), time.thread_time_ns(), time.perf_counter_ns()
    for _ in turns:
        function(*arguments)
    wall, cpu = time.perf_counter_ns() - wall, time.thread_time_ns() - cpu
    after = _delay()
    return wall, cpu, after - delay if after is not None and delay is not None else None


def _median(values):
    return sorted(values)[len(values) // 2]


def _overhead():
    """Clock resolution, cost of a reading pair on both clocks, and cost of a turn with its call."""
    none, empty = [_time(lambda: None, (), 0) for _ in range(51)], [_time(lambda: None, (), 1000)[0] for _ in range(21)]
    fixed, cpu = _median([t[0] for t in none]), _median([t[1] for t in none])
    loop = max(0.0, (min(empty) - fixed) / 1000)
    resolution = time.get_clock_info("perf_counter").resolution * 1e9
    return {"resolution": max(1.0, resolution), "fixed": fixed, "fixed-cpu": cpu, "loop": loop, "loop-limit": loop}


def _begin(name):
    function, params, setup, *rest = _benchmarks[name]
    arguments = (setup(**params),) if setup else tuple(params.values())
    return function, arguments, *rest


def _status(error):
    text = " ".join(str(error).split())
    return f"skip {text}" if isinstance(error, Skip) else f"fail {type(error).__name__}: {text}"


def _run(selected, count):
    function, arguments, _, items, size, _ = selected
    wall, cpu, delay = _time(function, arguments, count)
    reply = [f"wall {wall}", f"cpu {cpu}"] + ([f"delay {delay}"] if delay is not None else [])
    return reply + ([f"items {items * count}"] if items else []) + ([f"bytes {size * count}"] if size else []) + ["ok"]


def _obey(channel):
    _, into, out = channel.split()[:3]
    owner, selected = os.getpid(), None
    with os.fdopen(int(into), encoding="utf-8") as commands, os.fdopen(int(out), "w", encoding="utf-8") as replies:
        os.set_inheritable(int(into), False)
        os.set_inheritable(int(out), False)
        for line in iter(commands.readline, ""):
            word, _, rest = line.strip().partition(" ")
            reply = ["ok"]
            try:
                if word in ("select", "end", "quit") and selected:
                    ended, selected = selected, None
                    if ended[2]:
                        ended[2](*ended[1])
                if word == "tare":
                    reply = ["tare 1 python 1"]
                elif word == "list":
                    reply = [text for name, b in _benchmarks.items() for text in [f"bench {name}"]
                             + [f"param {k} {v}" for k, v in b[1].items()] + [f"default {k} {v}" for k, v in b[6].items()]] + ["ok"]
                elif word == "calibrate":
                    reply = [f"{key} {value}" for key, value in _overhead().items()] + ["ok"]
                elif word == "select" and rest not in _benchmarks:
                    reply = [f"error no benchmark is called {rest}"]
                elif word == "select":
                    selected = _begin(rest)
                elif word == "run":
                    reply = _run(selected, int(rest.split()[0])) if selected else ["error no benchmark is selected"]
                elif word not in ("end", "quit"):
                    reply = [f"error unknown command {word}"]
            except Exception as error:  # whatever a benchmark raises is its result
                reply = [_status(error)]
            if os.getpid() != owner:  # a child that the benchmark forked must not go on as the suite
                os._exit(0)
            sys.stdout.flush()
            print("\n".join(reply), file=replies, flush=True)
            if word == "quit":
                return


def main():
    channel = os.environ.pop("TARE_CHANNEL", None)
    if channel:
        return _obey(channel)
    if "--list" in sys.argv:
        return print("\n".join(_benchmarks))
    overhead = _overhead()
    for name in _benchmarks:
        try:
            function, arguments, *_ = _begin(name)
            count = 1
            while "--test" not in sys.argv and _time(function, arguments, count)[0] < 20_000_000:
                count *= 2
            times = [(_time(function, arguments, count)[0] - overhead["fixed"]) / count - overhead["loop"] for _ in range(5)]
            print(f"{name:40} {_median(times):14.1f} ns  (least {min(times):.1f} ns)")
        except Exception as error:  # the suite goes on
            print(f"{name:40} {_status(error)}")
    print(f"\nQuick numbers of one process. To measure for real: tare bench 'python3 {sys.argv[0]}'")
