#!/usr/bin/env python3
"""Known answers for stats/approach.h: nonlinear least squares by SciPy. Writes approach.json beside itself."""
import json
import pathlib

import numpy
import scipy
from scipy.optimize import curve_fit

rng = numpy.random.default_rng(5)
cases = []
for n, level, reach, time, sd in ((60, 100, -30, 8, 2), (200, 5, 2.5, 20, 0.3), (400, 1000, -700, 60, 30)):
    i = numpy.arange(n)
    x = numpy.round(level + reach * numpy.exp(-i / time) + rng.normal(0, sd, n), 4)
    (a, b, c), _ = curve_fit(lambda t, a, b, c: a + b * numpy.exp(-t / c), i, x, p0=(level, reach, time), xtol=1e-14, ftol=1e-14, gtol=1e-14)
    squares = float(numpy.sum((x - a - b * numpy.exp(-i / c)) ** 2))
    cases.append({"x": x.tolist(), "level": a, "reach": b, "time": c, "squares": squares})
out = {"source": f"scipy.optimize.curve_fit, SciPy {scipy.__version__}, NumPy {numpy.__version__}; make_approach.py", "cases": cases}
pathlib.Path(__file__).with_name("approach.json").write_text(json.dumps(out) + "\n")
