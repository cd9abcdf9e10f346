#!/usr/bin/env python3
"""usage: make_duet_table1.py paper_tables.json: writes duet-table1.csv, one row for each ScalaBench program and public platform of the
appendix of Bulej et al. (2020), section 7.2: the width of the 99 % interval measured the usual way over that measured as a duet."""
import json
import pathlib
import sys

duet = json.load(open(sys.argv[1]))["duet_000"]
rows = []
platforms = list(duet["table1"]["rows"])
for name, widths in duet["appendix_rel99ci_width_pct"]["data"].items():
    if name.split(".")[0].isdigit() or len(widths) < 9:  # SPEC CPU was measured on fewer platforms
        continue
    rows += [(platforms.index(p), f"{p},{widths[p][2] / widths[p][0]:.6g}") for p in platforms]
out = pathlib.Path(__file__).parent / "duet-table1.csv"
out.write_text("benchmark,value\n" + "\n".join(row for _, row in sorted(rows, key=lambda r: r[0])) + "\n")
