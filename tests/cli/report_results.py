#!/usr/bin/env python3
"""Results to make reports of, from fixed seeds: tare's own documents with samples, for `tare analyze` or `tare compare` to fill.

usage: report_results.py TARE FOLDER [NAME ...]     names: one two suite levels hostile cells orders session history big
The finished document of each is FOLDER/NAME.json; of history it is a store, FOLDER/history.db. A session is measured: its readings are
fixed, its times are not.
"""
import json
import pathlib
import random
import subprocess
import sys

tare, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] or ["one", "two", "suite", "levels", "hostile", "cells", "session", "history"]

HOST = {"cpu": "Example CPU 3.0 GHz", "cpus": 4, "os": "Debian GNU/Linux 12", "kernel": "6.1.0", "virtual": "none",
        "governor": "performance", "load": 0.12, "steal": 0.0}
DISTURBANCE = {"load_start": 0.1, "load_end": 0.4, "steal": 0.0, "pressure_cpu": 0.02, "pressure_io": 0.0, "pressure_memory": 0.0,
               "throttled_periods": 0, "throttled_seconds": 0, "disturbed": 0.05, "preempted": 0.05, "migrated": 0.0,
               "frequency_changed": 0.0}


def metric(samples, unit="s", better="lower"):
    return {"unit": unit, "better": better, "samples": samples}


def document(subjects, levels=("run", "iteration"), design="solo", **more):
    paired = "order" in more
    return {"schema": "tare/1", "version": "0.1.0", "name": more.get("name"), "started": "2026-01-02T03:04:05Z", "elapsed": 12.5,
            "seed": 7, "argv": ["tare", "run"], "host": more.get("host", HOST), "disturbance": DISTURBANCE,
            "design": {"name": design, "why": more.get("why"), "levels": list(levels), "cpus": [1], "paired": paired,
                       "order": more.get("order")},
            "subjects": subjects, "comparisons": [], "stopped": {"reason": "verdict", "rule": "anytime", "checks": 4},
            "warnings": []}


def subject(name, metrics, **more):
    return {"name": name, "command": more.get("command"), "benchmark": None, "program": None,
            "parameters": more.get("parameters", {}), "failures": [], "metrics": metrics}


def save(name, result):
    (folder / f"{name}.raw.json").write_text(json.dumps(result))
    return str(folder / f"{name}.raw.json")


def analyze(name, result):
    subprocess.run([tare, "analyze", "--json", str(folder / f"{name}.json"), save(name, result)], check=True,
                   stdout=subprocess.DEVNULL)


def one():
    rng = random.Random(1)
    wall = [[0.0123 * (1 + abs(rng.gauss(0, 0.01))) + (0.004 if i in (17, 31) else 0)] for i in range(50)]
    rss = [[2_000_000 + 4096 * rng.randrange(4)] for _ in range(50)]
    return document([subject("sort words.txt", {"wall": metric(wall), "rss": metric(rss, "bytes")}, command="sort words.txt")])


def two():
    rng = random.Random(2)
    base, new, order = [], [], []
    for i in range(200):
        load = 1 + 0.02 * abs(rng.gauss(0, 1)) + (0.25 if rng.random() < 0.02 else 0)
        base.append([0.0051 * load * rng.gauss(1, 0.002)])
        new.append([0.0052 * load * rng.gauss(1, 0.002)])
        order.append("AB" if i % 4 in (0, 3) else "BA")
    rss = [[[1_500_000 + 4096 * rng.randrange(3)] for _ in range(200)] for _ in range(2)]
    return document([subject("old", {"cpu": metric(base), "rss": metric(rss[0], "bytes")}, command="./old input"),
                     subject("new", {"cpu": metric(new), "rss": metric(rss[1], "bytes")}, command="./new input")],
                    design="turns", why="every subject is single-threaded", order=order)


def levels():
    """Builds, runs and iterations, with a warm-up in each run."""
    rng = random.Random(3)

    def series(level):
        builds = []
        for _ in range(4):
            at_build = level * rng.gauss(1, 0.02)
            runs = []
            for _ in range(5):
                at_run = at_build * rng.gauss(1, 0.008)
                runs.append([at_run * (1 + (0.5 if i < 6 else 0)) * rng.gauss(1, 0.004) for i in range(60)])
            builds.append(runs)
        return builds
    return document([subject("parser-base", {"wall": metric(series(0.020))}), subject("parser-new", {"wall": metric(series(0.019))})],
                    levels=("build", "run", "iteration"), design="shuffled", name="three levels")


def suite_side(factor, seed, count=30, runs=10, iterations=20):
    rng = random.Random(seed)
    subjects = []
    for i in range(count):
        change = (1.06, 0.92, 1, 1, 1, 1)[i % 6] if factor else 1
        level = 1e-6 * 10 ** (i % 5)
        samples = [[level * change * rng.gauss(1, 0.003) for _ in range(iterations)] for _ in range(runs)]
        subjects.append(subject(f"group{i % 3}/case {i + 1}", {"wall": metric(samples)}))
    return document(subjects, design="shuffled")


def compare(name, old, new):
    subprocess.run([tare, "compare", "--json", str(folder / f"{name}.json"), save(f"{name}.old", old), save(f"{name}.new", new)],
                   check=True, stdout=subprocess.DEVNULL)


HOSTILE = ['<script>document.title="hit"</script>', '"><img src=x onerror="document.title=\'hit\'">', "&amp; &lt; \u202egnp.exe\u202c ]]>",
           "</script><svg onload=document.title='hit'>", "long" * 2500]


def hostile():
    rng = random.Random(5)
    subjects = [subject(text, {"wall" if i < 2 else text[:60]: metric([[0.01 * rng.gauss(1, 0.01)] for _ in range(20)],
                                                                   "s" if i < 2 else text[:40])},
                        command=text, parameters={text[:50]: text}) for i, text in enumerate(HOSTILE)]
    # Two that are compared, so that the verdict has to show them.
    for one in subjects[:2]:
        one["metrics"] = {"wall": one["metrics"]["wall"]}
    host = dict(HOST, cpu=HOSTILE[0], os=HOSTILE[1], kernel=HOSTILE[3], governor=HOSTILE[4])
    return document(subjects, host=host, name=HOSTILE[0], why=HOSTILE[2])


def cells():
    """What a table must tell apart: parameters, programs, runs, iterations, lost values, names that a spreadsheet would calculate."""
    rng = random.Random(7)

    def samples():
        return [[0.01 * rng.gauss(1, 0.01) for _ in range(3)] for _ in range(4)]
    names = ["=1+1", "-5 ms", "-5-3", "'=x", "@a", " blank", "a;b", 'say "x"', "#1"]
    subjects = [subject(name, {"wall": metric(samples()), "points": metric([[-1, 2e-9], [3, None], [5, 1e21]], "", "higher")},
                        parameters={"n": str(i)}) for i, name in enumerate(names)]
    subjects += [dict(subject("f", {"wall": metric(samples())}, parameters={"n": n, "=k": "+1"}), benchmark="f", program=program)
                 for n in ("1", "2") for program in ("old", "new")]
    return document(subjects)


def orders():
    """Two that took turns run by run, in two builds, with iterations in each run."""
    rng = random.Random(8)

    def samples(level):
        return [[[level * rng.gauss(1, 0.01) for _ in range(3 + run % 2)] for run in range(6)] for _ in range(2)]
    subjects = [subject("old", {"wall": metric(samples(0.010))}), subject("new", {"wall": metric(samples(0.011))})]
    result = document(subjects, levels=("build", "run", "iteration"), design="shuffled",
                      order=["AB" if run % 4 in (0, 3) else "BA" for run in range(12)])
    result["design"]["order_level"] = "run"
    return result


def session():
    """A program that tells its rate once for each unit of its work: 60 low, then high, 30 low; amounts of work chosen by tare, watched."""
    (folder / "work.awk").write_text("""BEGIN {
    srand(3)
    for (i = 0; i < work; i++) printf "%.3f MB/s\\n", (i < 60 ? 50 : i < work - 30 ? 100 : 60) + 2 * rand()
}
""")
    subprocess.run([tare, "run", "--no-save", "--progress", "none", "--monitor", "--stop", "fixed", "-r", "12", "--seed", "1", "-n", "copy",
                    "--json", str(folder / "session.json"), "--work", "490:500:MB", "--min-round", "1us",
                    f"awk -v work={{work}} -f {folder / 'work.awk'}",
                    "--pi", "rate:MB/s:units:harmonic:regex=([0-9.]+) MB/s"], check=True, stdout=subprocess.DEVNULL)
    # Whether so narrow a range of work shows a line, which has a table of its own, depends on how busy the machine is.
    result = json.loads((folder / "session.json").read_text())
    del result["subjects"][0]["work"]
    (folder / "session.json").write_text(json.dumps(result))


def history():
    rng = random.Random(6)
    store, table = folder / "history.db", folder / "history.csv"
    store.unlink(missing_ok=True)
    with table.open("w") as out:
        print("time,commit,benchmark,mean_ms", file=out)
        for i in range(80):
            for name in ("sort", "merge", "parse"):
                change = 1.05 if i >= 50 and name == "sort" else 0.8 if i >= 30 and name == "parse" else 1
                print(f"{1700000000 + 86400 * i},c{i:03d},{name},{20 * change * rng.gauss(1, 0.01):.4f}", file=out)
    subprocess.run([tare, "history", "import", "--store", str(store), str(table)], check=True, stdout=subprocess.DEVNULL)


def fleet():
    """Results of nine machines of two kinds, one of them unlike the others."""
    maker = pathlib.Path(__file__).parents[1] / "fleet" / "make-machine"
    nodes = [(f"a{i}", f"0.02{i}", "CPU A") for i in range(1, 6)] + [(f"b{i}", f"0.00{i}", "CPU B") for i in range(1, 4)] + [("bad", "0.2", "CPU A")]
    files = []
    for node in nodes:
        files.append(str(folder / f"fleet-{node[0]}.machine"))
        pathlib.Path(files[-1]).write_text(subprocess.run([maker, *node], check=True, capture_output=True, encoding="utf-8").stdout)
    subprocess.run([tare, "analyze", "--json", str(folder / "fleet.json"), *files], check=True, stdout=subprocess.DEVNULL)


for name in names:
    if name in ("session", "history", "fleet"):
        {"session": session, "history": history, "fleet": fleet}[name]()
    elif name == "suite":
        compare(name, suite_side(False, 11), suite_side(True, 12))
    elif name == "big":
        compare(name, suite_side(False, 21, 200, 10, 1000), suite_side(True, 22, 200, 10, 1000))
    else:
        analyze(name, {"one": one, "two": two, "levels": levels, "hostile": hostile, "cells": cells, "orders": orders}[name]())
