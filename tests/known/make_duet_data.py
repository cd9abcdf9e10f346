#!/usr/bin/env python3
"""Writes duet-aa.csv and duet-ab.csv, in the form of the duet harness: 10 runs of 20 iterations, a row for each side, iterations of one
number made at once. A disturbance of up to 60 % comes and goes and hits both sides; each has 1 % of its own; the first side is 2 %
slower than the second, and who has it changes from run to run. B of duet-ab.csv is 5 % slower."""
import math
import pathlib
import random

folder = pathlib.Path(__file__).parent
for name, ratio in (("duet-aa", 1.0), ("duet-ab", 1.05)):
    random.seed(7)
    rows, shared = [], 0.0
    for run in range(1, 11):
        a_first = random.random() < 0.5
        for iteration in range(1, 21):
            shared = 0.8 * shared + random.gauss(0, 0.12)
            for side in "AB":
                slow = 1.02 if (side == "A") == a_first else 1.0
                value = 50 * math.exp(abs(shared)) * slow * (ratio if side == "B" else 1) * math.exp(random.gauss(0, 0.01))
                rows.append(f"{run},{iteration},{side},{value:.4f}")
    (folder / f"{name}.csv").write_text("run,iteration,pair,wall_ms\n" + "\n".join(rows) + "\n")
