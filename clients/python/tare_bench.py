# SPDX-License-Identifier: MIT
"""Benchmarks in Python, measured by tare (docs/protocol.md).

    from tare_bench import bench, main

    @bench(params={"n": [10, 1000]}, setup=lambda n: list(range(n, 0, -1)))
    def sort_reversed(values):
        sorted(values)

    main()

One call of the function is one invocation; it gets what `setup` returned, or the parameters. `python3 suite.py` prints
a plain table, `tare bench 'python3 suite.py'` measures with intervals. Raise Skip to leave a benchmark out; any other
exception fails it. An async function or a generator is refused, as `setup` and `teardown` too: run it inside a plain
one. `items` and `bytes` are what one invocation handles; `defaults` are options of `tare bench`. Inside a function
report("hits", value, better="higher") is a number of the iteration, unit("latency", value, "s") the reading of one unit
of work, as many as you like (every 2nd, 4th, ... is kept when there are too many). White space in the value of a
parameter is "_" in the name of the benchmark.
Import this module before those that take long to load: it says hello to tare, which waits a second for that.
"""
import itertools
import os
import re
import sys
import time

_benchmarks = {}
_commands = _replies = None
if "TARE_CHANNEL" in os.environ:
    _fds = [int(fd) for fd in os.environ.pop("TARE_CHANNEL").split()[1:]]
    for _fd in _fds:
        os.set_inheritable(_fd, False)
    _commands, _replies = (os.fdopen(fd, mode, encoding="utf-8", errors="backslashreplace") for fd, mode in zip(_fds, "rw"))
    _commands.readline()
    print("tare 1 python 1", file=_replies, flush=True)


class Skip(Exception):
    """Leaves a benchmark out, with a reason."""


_LAZY = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR of inspect, which loads slowly
_CONTROL = "\\x00-\\x1f\\x7f-\\x9f"


def _plain(text, characters=_CONTROL + r"\s"):
    return re.sub(f"[{characters}]", "_", str(text))


def bench(function=None, *, params=None, setup=None, teardown=None, items=0, bytes=0, defaults=None):
    if function is None:
        return lambda f: bench(f, params=params, setup=setup, teardown=teardown, items=items, bytes=bytes, defaults=defaults)
    for called in function, setup, teardown:
        if getattr(getattr(called, "__code__", None), "co_flags", 0) & _LAZY:
            raise TypeError(f"{called.__name__} is async or a generator, which a call does not run: "
                            "run it inside a plain function")
    params = params or {}
    for values in itertools.product(*params.values()):
        chosen = dict(zip(params, values))
        name = _plain("/".join([function.__name__] + [f"{key}={value}" for key, value in chosen.items()]))
        if name in _benchmarks:
            raise ValueError(f"two benchmarks are called {name}")
        _benchmarks[name] = (function, chosen, setup, teardown, items, bytes, defaults or {})
    return function


_reported = {}
_units = {}
_UNITS_MAX = 4096


def _described(name, unit, better, value):
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{name} is {value}")
    return f"{_plain(name)} {_plain(unit) or '-'} {better}"


def report(name, value, unit="", better="lower"):
    """A number of the iteration; the last call for a name counts."""
    _reported[name] = f"metric {_described(name, unit, better, value)} {float(value)!r}"


def unit(name, value, unit="", better="lower"):
    """A reading of one unit of work; all of an iteration are of one name."""
    if not _units:
        _units.update(head=_described(name, unit, better, value), total=0, stride=1, values=[])
    if _units["total"] % _units["stride"] == 0 and len(_units["values"]) == _UNITS_MAX:
        _units["values"] = _units["values"][::2]
        _units["stride"] *= 2
    if _units["total"] % _units["stride"] == 0:
        _described(name, unit, better, value)
        _units["values"].append(float(value))
    _units["total"] += 1


def _delay():
    """Nanoseconds that this thread has waited for a CPU, or None."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            _, waited, slices = file.read().split()
            return int(waited) if slices != "0" else None  # zeros: the kernel keeps no account
    except (OSError, ValueError):
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
    """The last line of a reply. One line of the protocol has 4096 bytes, and a lone surrogate becomes six."""
    text = f"skip {error}" if isinstance(error, Skip) else f"fail {type(error).__name__}: {error}"
    text = re.sub(f"[{_CONTROL}\\s]+", " ", text)[:600]
    return text.encode("utf-8", "backslashreplace").decode()


def _run(selected, count):
    function, arguments, _, items, size, _ = selected
    _reported.clear()
    _units.clear()
    wall, cpu, delay = _time(function, arguments, count)
    reply = [f"wall {wall}", f"cpu {cpu}"] + ([f"delay {delay}"] if delay is not None else [])
    reply += ([f"items {items * count}"] if items else []) + ([f"bytes {size * count}"] if size else [])
    reply += _reported.values()
    if _units:
        reply.append(f"units {_units['head']} {_units['total']} {_units['stride']}")
        reply += (f"unit {value!r}" for value in _units["values"])
    return reply + ["ok"]


def _list():
    for name, (_, params, *_, defaults) in _benchmarks.items():
        yield f"bench {name}"
        yield from (f"param {_plain(key)} {_plain(value, _CONTROL)}" for key, value in params.items())
        yield from (f"default {key} {value}" for key, value in defaults.items())
    yield "ok"


def _answer(word, rest, state):
    if word in ("select", "end", "quit") and "selected" in state:
        _, arguments, teardown, *_ = state.pop("selected")
        if teardown:
            teardown(*arguments)
    if word == "list":
        return _list()
    if word == "calibrate":
        return [f"{key} {value}" for key, value in _overhead().items()] + ["ok"]
    if word == "select":
        if rest not in _benchmarks:
            return [f"error no benchmark is called {rest}"]
        state["selected"] = _begin(rest)
    elif word == "run":
        if "selected" not in state:
            return ["error no benchmark is selected"]
        return _run(state["selected"], int(rest.split()[0]))
    elif word not in ("end", "quit"):
        return [f"error unknown command {word}"]
    return ["ok"]


def _obey():
    owner, state = os.getpid(), {}
    for line in iter(_commands.readline, ""):
        word, _, rest = line.strip().partition(" ")
        try:
            reply = _answer(word, rest, state)
        except Exception as error:  # whatever a benchmark raises is its result
            reply = [_status(error)]
        if os.getpid() != owner:  # a child that the benchmark forked must not go on as the suite
            os._exit(0)
        sys.stdout.flush()
        print("\n".join(reply), file=_replies, flush=True)
        if word == "quit":
            return


def main():
    if _commands:
        return _obey()
    if "--list" in sys.argv:
        return print("\n".join(_benchmarks))
    overhead = _overhead()
    for name in _benchmarks:
        try:
            function, arguments, teardown, *_ = _begin(name)
            try:
                count = 1
                while "--test" not in sys.argv and _time(function, arguments, count)[0] < 20_000_000:
                    count *= 2
                times = [(_time(function, arguments, count)[0] - overhead["fixed"]) / count - overhead["loop"] for _ in range(5)]
                print(f"{name:40} {_median(times):14.1f} ns  (least {min(times):.1f} ns)")
            finally:
                if teardown:
                    teardown(*arguments)
        except Exception as error:  # the suite goes on
            print(f"{name:40} {_status(error)}")
    print(f"\nQuick numbers of one process. To measure for real: tare bench 'python3 {sys.argv[0]}'")
