#!/usr/bin/python3
"""Makes nist.json from the NIST StRD files that Debian's python3-scipy brings, and from R's `morley`.

The generated sets (NumAcc, SmLs) are kept as their rule, checked here against the file; the others as numbers.
Beside the certified values stand those of R's aov and lm, and the exact F of the values once they are doubles, from
rational arithmetic: what no double program can pass. usage: make_nist.py > nist.json
"""
import decimal
import fractions
import json
import pathlib
import re
import subprocess
import sys

import scipy

FOLDER = pathlib.Path(scipy.__file__).parent / "stats/tests/data"
F = fractions.Fraction
decimal.getcontext().prec = 40


def to_float(fraction, root=False):
    value = decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)
    return float(value.sqrt() if root else value)


def moments(values):
    """Mean, sd and lag-1 autocorrelation, exactly."""
    n, mean = len(values), sum(values) / len(values)
    squares = sum((v - mean) ** 2 for v in values)
    products = sum((a - mean) * (b - mean) for a, b in zip(values, values[1:]))
    return {"mean": to_float(mean), "sd": to_float(squares / (n - 1), True), "lag1": to_float(products / squares)}


def exact_f(groups):
    n, grand = sum(map(len, groups)), sum(map(sum, groups)) / sum(map(len, groups))
    means = [sum(g) / len(g) for g in groups]
    between = sum(len(g) * (m - grand) ** 2 for g, m in zip(groups, means))
    within = sum((v - m) ** 2 for g, m in zip(groups, means) for v in g)
    return to_float(between / (len(groups) - 1) / (within / (n - len(groups))))


def r(script, text=""):
    return subprocess.run(["Rscript", "-e", script], input=text, capture_output=True, text=True, check=True).stdout


def r_aov(rows):
    script = ('d <- read.table(file("stdin")); '
              'cat(sprintf("%.17g", summary(aov(V2 ~ factor(V1), d))[[1]][["F value"]][1]))')
    return float(r(script, "\n".join(f"{g} {v}" for g, v in rows)))


def read_anova(name):
    lines = (FOLDER / "nist_anova" / f"{name}.dat").read_text().splitlines()
    first = int(re.search(r"Data +\(lines (\d+) to", "\n".join(lines[:10])).group(1)) - 1
    rows = [line.split() for line in lines[first:] if line.strip()]
    head = "\n".join(lines[:first])
    between = re.search(r"^Between \w+ +(\d+) +(\S+) +(\S+) +(\S+)", head, re.M).groups()
    within = re.search(r"^Within \w+ +(\d+) +(\S+) +(\S+)", head, re.M).groups()
    certified = {"between_squares": float(between[1]), "f": float(between[3]), "within_squares": float(within[1]),
                 "between_df": int(between[0]), "within_df": int(within[0]),
                 "r_squared": float(re.search(r"R-Squared +(\S+)", head).group(1)),
                 "residual_sd": float(re.search(r"Standard Deviation +(\S+)", head).group(1))}
    groups = {}
    for label, value in rows:
        groups.setdefault(label, []).append(value)
    return rows, list(groups.values()), certified


def generate(offset, digit, count):
    """A group of SmLs: offset.digit, then a tenth less and a tenth more in turn."""
    tenths = [int(offset) * 10 + digit] + [int(offset) * 10 + digit + (-1 if i % 2 == 0 else 1) for i in range(count - 1)]
    return [f"{t // 10}.{t % 10}" for t in tenths]


anova = {}
for name in [f"SmLs0{i}" for i in range(1, 10)] + ["SiRstv", "AtmWtAg"]:
    rows, groups, certified = read_anova(name)
    entry = {"certified": certified, "r_aov_f": r_aov(rows),
             "exact_f_of_doubles": exact_f([[F(float(v)) for v in g] for g in groups])}
    if name.startswith("SmLs"):
        offset = groups[0][0].split(".")[0]
        digits = [round((F(g[0]) - int(offset)) * 10) for g in groups]
        assert groups == [generate(offset, d, len(g)) for d, g in zip(digits, groups)]
        entry["rule"] = {"offset": offset, "first_tenths": digits, "replicates": len(groups[0])}
    else:
        entry["groups"] = [[float(v) for v in g] for g in groups]
    anova[name] = entry

NUMACC = {
    "NumAcc1": {"values": ["10000001", "10000003", "10000002"], "certified": {"mean": 10000002, "sd": 1, "lag1": -0.5}},
    "NumAcc2": {"first": "1.2", "pair": ["1.1", "1.3"], "certified": {"mean": 1.2, "sd": 0.1, "lag1": -0.999}},
    "NumAcc3": {"first": "1000000.2", "pair": ["1000000.1", "1000000.3"],
                "certified": {"mean": 1000000.2, "sd": 0.1, "lag1": -0.999}},
    "NumAcc4": {"first": "10000000.2", "pair": ["10000000.1", "10000000.3"],
                "certified": {"mean": 10000000.2, "sd": 0.1, "lag1": -0.999}},
}
for entry in NUMACC.values():
    texts = entry.get("values") or [entry["first"]] + entry["pair"] * 500
    exact = moments([F(t) for t in texts])
    assert all(abs(exact[k] - v) <= 1e-14 * abs(v) for k, v in entry["certified"].items()), entry
    entry["exact_of_doubles"] = moments([F(float(t)) for t in texts])

speed = [int(v) for v in r("cat(morley$Speed)").split()]
michelso = {"values": [round(299 + v / 1000, 2) for v in speed],
            "certified": {"mean": 299.8524, "sd": 0.0790105478190518, "lag1": 0.535199668621283}}
exact = moments([F(299000 + v, 1000) for v in speed])
assert all(abs(exact[k] - v) <= 2e-15 * abs(v) for k, v in michelso["certified"].items()), exact

text = (FOLDER / "nist_linregress/Norris.dat").read_text()
points = [list(map(float, line.split())) for line in text.split("Data:       y          x\n")[1].splitlines() if line.strip()]
number = r"(-?[\d.]+(?:E-?\d+)?)"
b0, b1 = (re.search(rf"B{i} +{number} +{number}", text).groups() for i in (0, 1))
norris = {"y": [p[0] for p in points], "x": [p[1] for p in points], "certified": {
    "intercept": float(b0[0]), "intercept_se": float(b0[1]), "slope": float(b1[0]), "slope_se": float(b1[1]),
    "residual_sd": float(re.search(rf"Residual\s+Standard Deviation +{number}", text).group(1)),
    "r_squared": float(re.search(rf"R-Squared +{number}", text).group(1)),
    "residual_squares": float(re.search(rf"Residual +34 +{number}", text).group(1))}}

json.dump({
    "source": "NIST StRD, https://www.itl.nist.gov/div898/strd/ (files of python3-scipy " + scipy.__version__
              + "), Michelso from R's morley; r_aov_f by " + r("cat(R.version.string)"),
    "univariate": {**NUMACC, "Michelso": michelso}, "anova": anova, "norris": norris}, sys.stdout, indent=1)
print()
