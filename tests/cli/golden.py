"""Answers that other tools print for data of their own, held against tare's.

usage: golden.py WHAT TARE DATA-FOLDER    (WHAT: benchstat, benchseries, pyperf, criterion, jmh, ripgrep, ministat)

Prints what it compared and exits 1 at the first difference that rounding does not explain.
"""
import glob
import gzip
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

what, tare, data = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
compared = 0


def run(*arguments, text=None):
    done = subprocess.run([tare, *map(str, arguments)], input=text, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"tare {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def document(*arguments, text=None):
    return json.loads(run(*arguments, "--json", "-", text=text))


def same(ours, theirs, about):
    global compared
    compared += 1
    if ours != theirs:
        sys.exit(f"{about}: tare has {ours!r}, expected {theirs!r}")


def close(ours, theirs, relative, about):
    global compared
    compared += 1
    if not abs(ours - theirs) <= relative * abs(theirs):
        sys.exit(f"{about}: tare has {ours!r}, expected {theirs!r}")


def as_printed(ours, printed, scale, about):
    """A number that was printed with so many decimals. One unit of the last is the other side of a tie."""
    global compared
    compared += 1
    decimals = len(printed.partition(".")[2])
    if abs(ours / scale - float(printed)) > 0.5000001 * 10.0 ** -decimals:
        sys.exit(f"{about}: tare has {ours / scale!r}, expected {printed}")


# ---- benchstat: medians, order-statistic intervals in per cent, Mann-Whitney p values ----

SCALES = {"": 1, "p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6,
          "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
CELL = re.compile(r"([\d.]+)([a-zA-Zµ]*) ± (\d+%|∞)")


def interval_percent(metric):
    """benchstat's rule: the farther end of the 95 % interval of the median, in whole per cent of it."""
    ci, median = metric["median_ci"], metric["median"]
    if ci is None:
        return "∞"
    if median == 0:
        return "0%"
    return f"{100 * max(ci['high'] / median - 1, 1 - ci['low'] / median):.0f}%"


def metric_of(subject, unit):
    return subject["metrics"]["wall" if unit in ("sec/op", "ns/op") else unit]


def check_change(comparison, change, p, n, about):
    if p is not None:
        same(f"{comparison['p_value']:.3f}", p, f"{about}: p")
    if change.endswith("%"):
        as_printed((comparison["ratio"] - 1) * 100, change[:-1], 1, f"{about}: change")


def split_notes(path):
    """Files with "note: before" and "note: after" become two; what stands before belongs to both."""
    head, *parts = re.split(r"(?m)^note: (before|after)\n", path.read_text(encoding="utf-8"))
    return {name: head + text for name, text in zip(parts[::2], parts[1::2])}


def benchstat_tables(text):
    """(unit, name, cells by side, change, p, n) of each row."""
    unit, columns = None, []
    for line in text.splitlines():
        if "│" in line and "vs base" in line:
            columns = [i for i, c in enumerate(line) if c == "│"]
            unit = line.split("│")[1].split()[0]
        elif line.strip() and "│" not in line and unit and not re.match(r"[¹²]|geomean", line):
            name = line.split()[0]
            old, new = line[:columns[1]], line[columns[1]:]
            p = re.search(r"p=([\d.]+) ", line)
            change = re.search(r"([-+]?[\d.]+%|~|\?) \(", line)
            n = re.search(r"n=(\d+)\)", line)
            yield (unit, name, [CELL.search(old.replace(name, " " * len(name), 1)), CELL.search(new)],
                   change and change[1], p and p[1], n and int(n[1]))


def check_benchstat_text(name):
    folder = data / "golang-perf/benchstat"
    exact = "assume=exact" in (folder / f"{name}.txt").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        files = {}
        for side, text in split_notes(folder / f"{name}.txt").items():
            files[side] = pathlib.Path(place) / f"{side}.txt"
            files[side].write_text(text, encoding="utf-8")
        sides = [document("analyze", files[side])["subjects"] for side in ("before", "after")]
        pairs = {}

        def compared_by(metric):
            if metric not in pairs:
                found = document("compare", "--method", "mann-whitney", "--confidence", "95", "--metric", metric,
                                 files["before"], files["after"])
                pairs[metric] = {found["subjects"][c["new_index"]]["benchmark"]: c for c in found["comparisons"]}
            return pairs[metric]

        rows = list(benchstat_tables((folder / f"{name}.stdout").read_text(encoding="utf-8")))
        if not rows:
            sys.exit(f"{name}: no rows in the golden file")
        for unit, row, cells, change, p, n in rows:
            row = re.sub(r"-\d+$", "", row)
            for cell, subjects in zip(cells, sides):
                about = f"{name}: {row} {unit}"
                found = [s for s in subjects if s["benchmark"] == row]
                if cell is None:
                    same(found, [], f"{about} is there")
                    continue
                metric = metric_of(found[0], unit)
                as_printed(metric["median"], cell[1], SCALES[cell[2]], f"{about}: median")
                if not exact: # an exact value has no interval to speak of
                    same(interval_percent(metric), cell[3], f"{about}: interval")
            if all(cells) and change and change != "?":
                metric = "wall" if unit == "sec/op" else unit
                zero = metric_of([s for s in sides[0] if s["benchmark"] == row][0], unit)["median"] == 0
                if not zero:
                    check_change(compared_by(metric)[row], change, p, n, f"{name}: {row} {unit}")


def check_benchstat():
    folder = data / "golang-perf/benchstat"
    # Two files, as CSV.
    golden = [line.split(",") for line in (folder / "csvOldNew.stdout").read_text(encoding="utf-8").splitlines()]
    sides = [document("analyze", folder / f"{side}.txt")["subjects"] for side in ("old", "new")]
    together = document("compare", "--method", "mann-whitney", "--confidence", "95", folder / "old.txt", folder / "new.txt")
    table = run("compare", "--method", "mann-whitney", "--confidence", "95", folder / "old.txt", folder / "new.txt")
    logs = 0
    rows = [r for r in golden if r[0].startswith("Encode/")]
    for row in rows:
        name = re.sub(r"-48$", "", row[0])
        for k, subjects in enumerate(sides):
            metric = next(s for s in subjects if s["benchmark"] == name)["metrics"]["wall"]
            close(metric["median"], float(row[1 + 2 * k]), 1e-12, f"{name}: median")
            same(interval_percent(metric), row[2 + 2 * k], f"{name}: interval")
        comparison = next(c for c in together["comparisons"] if c["new"] == name)
        p, n = re.match(r"p=([\d.]+) n=(\d+)", row[6]).groups()
        check_change(comparison, row[5], p, int(n), name)
        same(comparison["verdict"] == "undecided", row[5] == "~", f"{name}: verdict")
        logs += math.log(comparison["ratio"]) / len(rows)
    geomean = next(r for r in golden if r[0] == "geomean")
    as_printed((math.exp(logs) - 1) * 100, geomean[5][:-1], 1, "geometric mean")
    shown = re.search(r"geometric mean\s+([-+][\d.]+) %", table)
    as_printed((math.exp(logs) - 1) * 100, shown[1], 1, "geometric mean in the table")
    # All values of one file together.
    row = next(line.split(",") for line in (folder / "csvErrors.stdout").read_text(encoding="utf-8").splitlines()
               if line.startswith("Encode"))
    values = re.findall(r"([\d.]+) ns/op", (folder / "new.txt").read_text(encoding="utf-8"))
    metric = document("analyze", "--unit", "ns", "-", text="\n".join(values))["subjects"][0]["metrics"]["value"]
    close(metric["median"], float(row[1]), 1e-12, "csvErrors: median")
    same(interval_percent(metric), row[2], "csvErrors: interval")
    for name in ("issue19565", "issue19634", "smallSample", "units", "zero"):
        check_benchstat_text(name)


# ---- pyperf ----

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "sec": 1}


def check_pyperf():
    lines = (data / "pyperf/EXPECTED-visible.txt").read_text(encoding="utf-8").splitlines()
    pattern = re.compile(r"Mean \+- std dev: \[(\w+)\] ([\d.]+) (\w+) \+- ([\d.]+) (\w+) -> "
                         r"\[(\w+)\] ([\d.]+) (\w+) \+- ([\d.]+) (\w+): ([\d.]+)x (faster|slower)")
    files = {}

    def metrics(file):
        if file not in files:
            subjects = document("analyze", data / f"pyperf/{file}.json")["subjects"]
            files[file] = {s["name"]: s["metrics"]["wall"] for s in subjects}
        return files[file]

    def fits(metric, mean, mean_unit, sd, sd_unit):
        return (f"{metric['mean'] / UNITS[mean_unit]:.2f}" == mean and f"{metric['pooled_sd'] / UNITS[sd_unit]:.2f}" == sd)

    found = 0
    for line in lines:
        match = pattern.search(line)
        if not match:
            continue
        old, a, au, b, bu, new, c, cu, d, du, factor, word = match.groups()
        names = [n for n in metrics(old) if fits(metrics(old)[n], a, au, b, bu) and fits(metrics(new)[n], c, cu, d, du)]
        if ": Mean" in line:
            names = [n for n in names if n == line.split(": Mean")[0]]
        same(len(names), 1, f"benchmarks that fit '{line}'")
        comparisons = document("compare", data / f"pyperf/{old}.json", data / f"pyperf/{new}.json")["comparisons"]
        ratio = next(c for c in comparisons if c["new"] == names[0])["ratio"]
        same(f"{max(ratio, 1 / ratio):.2f}", factor, line)
        if factor != "1.00":
            same("slower" if ratio > 1 else "faster", word, line)
        found += 1
    same(found > 8, True, "lines of pyperf")
    for line in lines:
        match = re.match(r"(mult_list_\w+): ([\d.]+)x (faster|slower)$", line)
        if match:
            comparisons = document("compare", data / "pyperf/mult_list_py36.json", data / f"pyperf/{match[1]}.json")["comparisons"]
            mean = math.exp(sum(math.log(c["ratio"]) for c in comparisons) / len(comparisons))
            same(f"{max(mean, 1 / mean):.2f}x {'slower' if mean > 1 else 'faster'}", f"{match[2]}x {match[3]}", line)


# ---- benchseries: nightly pairs of toolchains, the ratio of medians with a bootstrap interval of theirs ----

def check_benchseries():
    folder = data / "golang-perf/benchseries"
    series = json.loads(gzip.open(folder / "reference-even.json.gz", "rt").read())[0]

    def medians(path):
        subjects = document("analyze", path)["subjects"]
        return {s["name"] + "-12": s["metrics"]["wall"]["median"] for s in subjects if "wall" in s["metrics"]}

    ratios = outside = 0
    for row, when in zip(series["summaries"], series["series"]):
        tips = list(folder.glob(series["hashpairs"][when]["NumHash"] + "-opt.*"))
        if len(tips) != 1:  # joined from two nights there
            continue
        tip, base = medians(tips[0]), medians(folder / ("Go1.17-opt." + tips[0].name.split(".", 1)[1]))
        for name, theirs in zip(series["benchmarks"], row):
            if not theirs["present"]:
                continue
            ratio = tip[name] / base[name]
            close(ratio, theirs["center"], (theirs["high"] - theirs["low"]) / theirs["center"] + 1e-9, f"{when} {name}")
            outside += not theirs["low"] <= ratio <= theirs["high"]
            ratios += 1
    same(ratios > 900 and outside <= ratios / 100, True, f"{outside} of {ratios} outside")


# ---- criterion: mean, median, slope, standard deviation to 1e-9 ----

def check_criterion():
    root = data / "criterion-deduplicate"
    subjects = document("analyze", "--skip", "0", root)["subjects"]
    by_place = {(s["benchmark"], s["program"]): s["metrics"]["wall"] for s in subjects}
    found = 0
    for path in sorted(root.rglob("estimates.json")):
        if path.parent.name == "change":
            continue
        name = json.loads((path.parent / "benchmark.json").read_text())["full_id"]
        values = (path.parent / "sample.json").read_text()
        if (name, path.parent.name) not in by_place:  # one that is a copy is left out, if the other is there
            same(values, (path.parent.parent / "new" / "sample.json").read_text(), f"{name} ({path.parent.name}): a copy")
            same((name, "new") in by_place, True, f"{name}: what was copied")
            continue
        theirs, ours = json.loads(path.read_text()), by_place[name, path.parent.name]
        about = f"{name} ({path.parent.name})"
        close(ours["mean"], theirs["mean"]["point_estimate"] / 1e9, 1e-9, f"{about}: mean")
        close(ours["median"], theirs["median"]["point_estimate"] / 1e9, 1e-9, f"{about}: median")
        close(ours["sd"], theirs["std_dev"]["point_estimate"] / 1e9, 1e-9, f"{about}: standard deviation")
        if theirs["slope"] is None:
            same(ours["slope"], None, f"{about}: slope")
        else:
            close(ours["slope"], theirs["slope"]["point_estimate"] / 1e9, 1e-9, f"{about}: slope")
        found += 1
    same(found, len(by_place), "measurements of criterion")


# ---- JMH: the error of the score, a 99.9 % half-width over all values ----

def check_jmh():
    found = 0
    for path in sorted(glob.glob(str(data / "**/*jmh*.json"), recursive=True)):
        entries = json.loads(pathlib.Path(path).read_text())
        if not isinstance(entries, list) or "primaryMetric" not in entries[0]:
            continue
        subjects = document("analyze", "--skip", "0", "--confidence", "99.9", path)["subjects"]
        for entry in entries:
            primary = entry["primaryMetric"]
            parameters = entry.get("params") or {}
            subject = [s for s in subjects if s["benchmark"] == entry["benchmark"] and
                       all(s["parameters"].get(k) == v for k, v in parameters.items())]
            values = [v for fork in primary.get("rawData", []) for v in fork]
            if len(values) < 2 or not isinstance(primary["scoreError"], float):
                continue
            metric = next(iter(subject[0]["metrics"].values()))
            scale = sum(values) / len(values) / (sum(v for r in metric["samples"] for v in r) / len(values))
            ci = metric["pooled_ci"] or metric["ci"]
            as_printed((ci["high"] - ci["low"]) / 2 * scale, f"{primary['scoreError']:.3f}", 1, f"{entry['benchmark']}: scoreError")
            as_printed((ci["high"] + ci["low"]) / 2 * scale, f"{primary['score']:.3f}", 1, f"{entry['benchmark']}: score")
            found += 1
    same(found >= 9, True, "benchmarks of JMH")
    check_jmh_log()


def check_jmh_log():
    """What JMH printed while it ran: the iterations of five forks, and at the end its scores of them."""
    log = (data / "jmh/log-for-looping_openjdk13_5forks.txt").read_text(encoding="utf-8", errors="replace")
    entries = []
    for part in re.split(r"^# Benchmark: ", log, flags=re.M)[1:]:
        forks = [[float(v) for v in re.findall(r"^Iteration +\d+: ([\d.]+) ops/s", fork, re.M)]
                 for fork in re.split(r"^# Fork: ", part, flags=re.M)[1:]]
        entries.append({"benchmark": part.split()[0], "mode": "thrpt", "threads": 1, "forks": len(forks),
                        "warmupIterations": 5, "primaryMetric": {"scoreUnit": "ops/s", "rawData": forks}})
    subjects = document("analyze", "--skip", "0", "--confidence", "99.9", "-", text=json.dumps(entries))["subjects"]
    scores = re.findall(r"^(\S+) +thrpt +25 +([\d.]+) \S+ +([\d.]+) +ops/s", log, re.M)
    same(len(scores), 5, "scores in the log")
    for subject, (name, score, error) in zip(subjects, scores):
        ci = subject["metrics"]["throughput"]["pooled_ci"] or subject["metrics"]["throughput"]["ci"]
        same(subject["benchmark"].endswith(name), True, name)
        as_printed((ci["low"] + ci["high"]) / 2, score, 1, f"{name}: score")
        as_printed((ci["high"] - ci["low"]) / 2, error, 1, f"{name}: error")


# ---- ripgrep's benchsuite: mean and standard deviation ----

def check_ripgrep():
    folder = data / "ripgrep-benchsuite"
    for path in sorted(folder.glob("*_summary.txt")):
        raw = folder / path.name.replace("_summary.txt", "_raw.csv.gz")
        ours = {}
        for s in document("analyze", "--unit", "s", raw)["subjects"]:
            ours[s["benchmark"], s["program"]] = next(iter(s["metrics"].values()))
        benchmark, found = None, 0
        for line in path.read_text(encoding="utf-8").splitlines():
            title = re.match(r"(\w+) \(pattern: ", line)
            row = re.match(r"(.*?)\*?\s+([\d.]+) \+/- ([\d.]+) \(lines", line)
            if title:
                benchmark = title[1]
            elif row:
                metric = ours[benchmark, row[1]]
                as_printed(metric["mean"], row[2], 1, f"{path.name}: {benchmark} {row[1]}: mean")
                as_printed(metric["sd"], row[3], 1, f"{path.name}: {benchmark} {row[1]}: sd")
                found += 1
        same(found > 5, True, f"rows of {path.name}")


# ---- ministat ----

def check_ministat():
    text = (data / "ministat/EXPECTED-from-ministat.1.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^\s*[x+]\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)$", text, re.M)
    subjects = document("analyze", data / "ministat/iguana", data / "ministat/chameleon")["subjects"]
    for row, subject in zip(rows, subjects):
        metric = subject["metrics"]["value"]
        same(metric["n"], int(row[0]), "n")
        for key, printed in zip(("min", "max", "median", "mean", "sd"), row[1:]):
            as_printed(metric[key], printed, 1, f"{subject['name']}: {key}")
    same(len(subjects), 2, "files")


{"benchstat": check_benchstat, "benchseries": check_benchseries, "pyperf": check_pyperf, "criterion": check_criterion, "jmh": check_jmh,
 "ripgrep": check_ripgrep, "ministat": check_ministat}[what]()
print(f"{what}: {compared} numbers compared")
