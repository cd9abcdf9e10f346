#!/usr/bin/env python3
"""Writes table5/*.csv: 20 executions of 20 iterations whose variances are, to the last digit written, those of Table 5 of Kalibera
and Jones (2013): t1 within and t2 between executions, in per cent of a mean of 100. The values themselves are drawn (their data is
not public); what the estimators of section 9.2 must give of them is what the paper prints."""
import math
import pathlib
import random

RUNS = ITERATIONS = 20
TABLE = {"bloat6": (14.0, 2.7), "lusearch9": (3.4, 30.3), "xalan6": (7.2, 8.9), "xalan9": (3.5, 0.8)}


def scaled(x, variance):
    """The values with mean 0 and this sample variance."""
    mean = math.fsum(x) / len(x)
    x = [v - mean for v in x]
    now = math.fsum(v * v for v in x) / (len(x) - 1)
    return [v * math.sqrt(variance / now) for v in x]


folder = pathlib.Path(__file__).parent / "table5"
for seed, (name, (t1, t2)) in enumerate(TABLE.items()):
    random.seed(seed + 1)
    runs = scaled([random.gauss(0, 1) for _ in range(RUNS)], t2 ** 2 + t1 ** 2 / ITERATIONS)
    rows = [f"{r + 1},{i + 1},{100 + mean + e:.6f}" for r, mean in enumerate(runs)
            for i, e in enumerate(scaled([random.gauss(0, 1) for _ in range(ITERATIONS)], t1 ** 2))]
    (folder / f"{name}.csv").write_text("run,iteration,time\n" + "\n".join(rows) + "\n")
