#!/usr/bin/env python3
"""Counts the values in ../shared/data with Python's own readers, for tests/exchange/test_shared.c.

usage: make_shared_imports.py SHARED-DATA > shared_imports.json
For every file: the number of values that an importer must find and their sum, in the units of the file.
Files that must be refused are listed with the exit code.
"""
import csv
import glob
import gzip
import io
import json
import os
import platform
import re
import sys

root = sys.argv[1]
imports, refused = [], []


def text(path):
    data = open(path, "rb").read()
    return (gzip.decompress(data) if path.endswith(".gz") else data).decode("utf-8", "replace")


def files(pattern):
    found = sorted(glob.glob(os.path.join(root, pattern), recursive=True))
    assert found, pattern
    return found


def add(path, metric, values, subjects, columns=None, divisor=1):
    values = [float(v) for v in values]
    imports.append({"file": os.path.relpath(path, root), "metric": metric, "n": len(values), "sum": sum(values) / divisor,
                    "subjects": subjects, **({"columns": columns} if columns else {})})


for path in files("hyperfine/*.json") + files("bencher-formats/shell/hyperfine/*.json"):
    results = json.loads(text(path))["results"]
    add(path, "wall", [t for r in results for t in r["times"]], len(results))
for path in (files("google-benchmark/test[1235]*.json") + files("bencher-formats/cpp/google/two.txt")
             + files("github-action-benchmark/extract/googlecpp_output.json")):
    entries = [b for b in json.loads(text(path))["benchmarks"] if b.get("run_type") != "aggregate"]
    units = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1}
    add(path, "wall", [b["real_time"] / units[b["time_unit"]] for b in entries], len({b["name"] for b in entries}))
for path in files("jmh/*.json"):
    entries = json.loads(text(path))
    add(path, "throughput", [v for e in entries for fork in e["primaryMetric"]["rawData"] for v in fork], len(entries))
for path in files("bencher-formats/java/jmh/*.json") + files("github-action-benchmark/extract/jmh_output*.json"):
    for metric, mode in (("throughput", "thrpt"), ("wall", "avgt")):
        entries = [e for e in json.loads(text(path)) if e["mode"] == mode]
        values = [v for e in entries for fork in e["primaryMetric"]["rawData"] for v in fork]
        scale = {"s/op": 1, "ms/op": 1e3, "us/op": 1e6, "ns/op": 1e9}
        units = {e["primaryMetric"]["scoreUnit"] for e in entries}
        if values:
            assert len(units) == 1, path
            add(path, metric, values, None, divisor=scale[units.pop()] if metric == "wall" else 1)
for path in files("bencher-formats/python/pytest/*.json") + files("github-action-benchmark/extract/pytest_*.json"):
    benchmarks = json.loads(text(path))["benchmarks"]
    add(path, "wall", [v for b in benchmarks for v in b["stats"]["data"] if isinstance(v, float)], len(benchmarks))
for path in files("pyperf/track_memory.json"):
    benchmarks = json.loads(text(path))["benchmarks"]
    add(path, "memory", [v for b in benchmarks for r in b["runs"] for v in r.get("values", [])], len(benchmarks))
for path in files("drozdik-duet/*.csv"):
    rows = list(csv.DictReader(io.StringIO(text(path))))
    add(path, "iteration_time", [r["iteration_time_ns"] for r in rows],
        len({(r["benchmark"], r["pair"], r.get("type")) for r in rows}), divisor=1e9)
for path in files("golang-perf/benchstat/units.txt"):
    add(path, "text-bytes", re.findall(r"^Benchmark\S*\s+\d+\s+(\S+) text-bytes", text(path), re.M), 4)
for path in files("pyperf/mult*.json") + files("pyperf/doc/*.gz"):
    benchmarks = json.loads(text(path))["benchmarks"]
    add(path, "wall", [v for b in benchmarks for r in b["runs"] for v in r.get("values", [])], len(benchmarks))
for path in files("golang-perf/benchstat/*.txt") + files("golang-perf/benchseries/*.txt.gz") + files("golang-perf/bent/*.gz") + files(
        "bencher-formats/go/bench/*.txt") + files("github-action-benchmark/extract/go*_output.txt"):
    values = re.findall(r"^Benchmark\S*\s+\d+\s+(?:\S+\s+\S+\s+)*?(\S+) ns/op", text(path), re.M)
    if values:
        add(path, "wall", values, None, divisor=1e9)
for path in files("criterion-deduplicate/**/sample.json"):
    sample = json.loads(text(path))
    add(path, "wall", [t / n for t, n in zip(sample["times"], sample["iters"])], 1, divisor=1e9)
for path in files("ripgrep-benchsuite/*.gz"):
    rows = list(csv.DictReader(io.StringIO(text(path))))
    add(path, "duration", [r["duration"] for r in rows], len({(r["benchmark"], r["name"]) for r in rows}))
for path in files("rebenchdb/jssom-compare.csv"):
    rows = list(csv.DictReader(io.StringIO(text(path))))
    add(path, "total", [r["value"] for r in rows], len({(r["benchmark"], r["exe"], r["commit"], r["suite"]) for r in rows}), divisor=1e3)
for path in files("rebenchdb/*.gz"):
    rows = list(csv.DictReader(io.StringIO(text(path))))
    add(path, "total", [r["total_ms"] for r in rows], None, divisor=1e3)
for path in files("duetfaas/rese-[gs]*.gz") + files("duetfaas/koch*.gz"):
    rows = [r for r in csv.DictReader(io.StringIO(text(path))) if r["cold_A"] == "0" and r["cold_B"] == "0"]
    pairs = [r for r in rows if r["resp_A_ms"] and r["resp_B_ms"]]
    add(path, "resp", [r[k] for r in pairs for k in ("resp_A_ms", "resp_B_ms")], 2, divisor=1e3)
for path in files("duetfaas/rese-aws*.gz"):
    rows = [r for r in csv.DictReader(io.StringIO(text(path))) if r["f1_ms"] and r["f2_ms"]]
    add(path, "value", [v for r in rows for k in ("f1_ms", "f2_ms") for v in r[k].split(";")], 2, divisor=1e3)
for path in files("witzko-rmit-duet/mb-*.gz"):
    rows = list(csv.DictReader(io.StringIO(text(path))))
    names = {(r["package.BenchmarkFunction"], r["Version"]) for r in rows}
    add(path, "sec/op", [r["sec/op"] for r in rows], len(names),
        "benchmark=package.BenchmarkFunction,program=Version,run=R-S,iteration=I,pair=R-S-I,value=sec/op")
for path in files("mozilla-perf-annotated/series/*.csv.gz"):
    add(path, "value", [r["value"] for r in csv.DictReader(io.StringIO(text(path)))], 1)
for path in files("apache-otava/tigerbeetle.csv"):
    add(path, "throughput", [r["throughput"] for r in csv.DictReader(io.StringIO(text(path)))], 1)
for path in files("mongodb-spa/long_series.json"):
    add(path, "value", json.loads(text(path)), 1)
for path in files("ministat/iguana") + files("ministat/chameleon"):
    add(path, "value", [line for line in text(path).split("\n") if line.strip() and not line.startswith("#")], 1)
for path in files("bencher-formats/json/report_latency.json") + files("bencher-formats/json/report_bmf_mixed.json"):
    add(path, "wall", [b["latency"]["value"] for b in json.loads(text(path)).values()], 3, divisor=1e9)
for path in files("bencher-formats/json/report_dhat.json"):
    add(path, "Total Bytes", [b["Total Bytes"]["value"] for b in json.loads(text(path)).values()], 1)
for path in files("github-action-benchmark/extract/customSmallerIsBetter_output2.json"):
    add(path, "wall", [b["value"] for b in json.loads(text(path))], 4, divisor=1e9)
for path in files("github-action-benchmark/data-trimmed.js"):
    data = json.loads(text(path).split("=", 1)[1])
    scale = {"ns": 1e9, "us": 1e6}
    values = []
    for suite in data["entries"].values():
        for entry in suite:
            for bench in entry["benches"]:
                unit = re.split(r"[/\t]", bench["unit"])[0]
                if unit in scale:
                    values.append(bench["value"] / scale[unit])
    add(path, "wall", values, None)
for path in files("bencher-formats/c_sharp/dot_net/two_more.json"):
    benchmarks = json.loads(text(path))["Benchmarks"]
    add(path, "wall", [v for b in benchmarks for v in b["Statistics"]["OriginalValues"]], len(benchmarks), divisor=1e9)
for path in files("bencher-formats/c_sharp/dot_net/memory.json") + files("github-action-benchmark/extract/benchmarkdotnet.json"):
    benchmarks = json.loads(text(path))["Benchmarks"]
    add(path, "wall", [m["Nanoseconds"] / m["Operations"] for b in benchmarks for m in b.get("Measurements", [])
                       if m["IterationStage"] == "Result"] or
        [v for b in benchmarks for v in b["Statistics"]["OriginalValues"]], len(benchmarks), divisor=1e9)

for code, pattern in [(5, "google-benchmark/test4_run*.json"), (5, "bencher-formats/c_sharp/dot_net/null_namespace.json"),
                      (5, "bencher-formats/c_sharp/dot_net/two.json"), (1, "apache-otava/sample*.csv"), (1, "apache-otava/histostat.csv"),
                      (1, "apache-otava/*.json"), (1, "bencher-formats/rust/**/*.txt"), (1, "bencher-formats/cpp/catch2/*.txt"),
                      (1, "bencher-formats/js/*/*.txt"), (1, "bencher-formats/js/vitest/*.json"), (1, "bencher-formats/dart/*/*.txt"),
                      (1, "github-action-benchmark/extract/benchmark*.txt"), (1, "github-action-benchmark/extract/c*_output*.txt"),
                      (1, "github-action-benchmark/extract/issue16_output.txt"), (1, "github-action-benchmark/extract/julia_output.json"),
                      (1, "jmh/log-for-looping_openjdk13_5forks.txt"), (1, "yjit-metrics/raw/*.json.gz"), (1, "bencher-formats/python/asv/*.txt"), (1, "bencher-formats/ruby/*/*.txt"),
                      (1, "grambow-histories/*.csv"), (1, "witzko-rmit-duet/author*.csv"), (1, "golang-perf/benchstat/*.stdout"),
                      (1, "pyperf/EXPECTED-visible.txt"), (1, "mongodb-spa/profiling-short.json"), (1, "README.md"),
                      (1, "ministat/EXPECTED-from-ministat.1.txt")]:
    refused += [{"file": os.path.relpath(path, root), "exit": code} for path in files(pattern)]

json.dump({"source": f"counted by tests/known/make_shared_imports.py with Python {platform.python_version()} from ../shared/data",
           "imports": imports, "refused": refused}, sys.stdout, indent=1)
print()
