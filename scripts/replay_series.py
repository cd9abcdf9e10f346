"""Real series for scripts/replay.

convert DATA WORK HALF  writes WORK/rebench.csv and WORK/yjit.csv with the benchmarks of one half. Halves are by the
                        checksum of a benchmark's name: the constants of `auto` were picked on half 0 alone.
frontier DOCUMENT       of a document of `tare analyze --replay --json`: auto's error at the time that cv, kld and rciw save, and
                        what it saves at their error, between the targets beside it (log error over saving); and by how much the
                        errors differ, with a 95 % interval by resampling benchmarks.
"""
import csv, glob, gzip, json, math, os, random, sys, zlib


def half_of(name):
    return zlib.crc32(name.encode()) & 1


def convert_rebench(path, out, half):
    with gzip.open(path, "rt", newline="") as source, open(out, "w") as to:
        to.write("subject,run,iteration,value,unit\n")
        for row in csv.DictReader(source):
            name = "/".join(row[key] for key in ("executor", "suite", "benchmark", "extra_args", "cores"))
            if half_of(name) == half:
                to.write(f"{name}/{row['run']},{row['invocation']},{row['iteration']},{row['total_ms']},ms\n")


def convert_yjit(folder, out, half):
    with open(out, "w") as to:
        to.write("subject,run,iteration,value,unit\n")
        for path in sorted(glob.glob(folder + "/*.json.gz")):
            with gzip.open(path) as source:
                document = json.load(source)
            kept = document.get("values") or document.get("times") or {}
            for name in sorted(name for name in kept if half_of(name) == half):
                warm = document.get("warmups", {}).get(name, [])
                for run, values in enumerate(kept[name]):
                    for i, value in enumerate((warm[run] if run < len(warm) else []) + values):
                        to.write(f"{name}/{os.path.basename(path)[:-8]},{run},{i},{value},ms\n")


def convert(data, work, half):
    rebench, yjit = data + "/rebenchdb/large-payload-total.csv.gz", data + "/yjit-metrics/raw"
    if os.path.exists(rebench):
        convert_rebench(rebench, work + "/rebench.csv", half)
    if os.path.isdir(yjit):
        convert_yjit(yjit, work + "/yjit.csv", half)


def error_at(points, saving):
    for (s0, e0), (s1, e1) in zip(points, points[1:]):
        if s0 <= saving <= s1:
            share = (saving - s0) / (s1 - s0) if s1 > s0 else 0
            return math.exp((1 - share) * math.log(e0) + share * math.log(e1))
    return math.nan


def saving_at(points, error):
    for (s0, e0), (s1, e1) in reversed(list(zip(points, points[1:]))):
        if min(e0, e1) <= error <= max(e0, e1) and e0 != e1:
            return s0 + (s1 - s0) * math.log(error / e0) / math.log(e1 / e0)
    return math.nan


def point_of(benchmarks):
    """Time saved and mean change, in per cent."""
    return (100 * (1 - sum(b["cost"] for b in benchmarks) / sum(b["full_cost"] for b in benchmarks)),
            100 * sum(abs(b["change"]) for b in benchmarks) / len(benchmarks))


def error_beside(rules, rule, places):
    """auto's error less that of the rule, at the time that the rule saves, over some benchmarks."""
    points = {name: point_of([benchmarks[i] for i in places]) for name, benchmarks in rules.items()}
    return error_at(sorted(point for name, point in points.items() if name.startswith("auto")), points[rule][0]) - points[rule][1]


def frontier(document):
    with open(document) as source:
        rules = {rule["rule"]: rule["benchmarks"] for rule in json.load(source)["replay"]["rules"]}
    points = sorted(point_of(benchmarks) for rule, benchmarks in rules.items() if rule.startswith("auto"))
    drawn, count = random.Random(1), len(rules["cv"])
    print()
    for rule in ("cv", "kld", "rciw"):
        saved, error = point_of(rules[rule])
        less = sorted(d for d in (error_beside(rules, rule, drawn.choices(range(count), k=count)) for _ in range(1000)) if not math.isnan(d))
        print(f"{rule}: saves {saved:.1f} %, error {error:.2f} %; auto at that saving {error_at(points, saved):.2f} %"
              f" (difference {error_beside(rules, rule, range(count)):+.2f}, 95 % {less[len(less) // 40]:+.2f} to {less[-len(less) // 40]:+.2f}), "
              f"auto saves {saving_at(points, error):.1f} % at that error"
              + (f" ({max(s for s, e in points if e <= error):.1f} % at a lower one)" if math.isnan(saving_at(points, error)) else ""))


if sys.argv[1] == "convert":
    convert(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    frontier(sys.argv[2])
