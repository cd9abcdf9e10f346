#!/usr/bin/env python3
"""usage: make_duet_table1.py paper_tables.json: writes duet-table1.csv from the widths of 99 % intervals in the appendix of Bulej et al.
(2020), section 7.2, one row for each program and platform: measured the usual way over that measured as a duet, by platform and over
all public ones; the same over that of shuffled pairs; and, of the private cloud, shuffled over duet, busy and idle."""
import json
import pathlib
import sys

DUET, SHUFFLED, USUAL = range(3)
duet = json.load(open(sys.argv[1]))["duet_000"]
public = list(duet["table1"]["rows"])
widths = {"ScalaBench": [], "SPEC": []}
for name, of in duet["appendix_rel99ci_width_pct"]["data"].items():
    widths["SPEC" if name.split(".")[0].isdigit() else "ScalaBench"].append(of)


def rows(title, programs, platforms, over, under):
    return [f"{title},{of[p][over] / of[p][under]:.6g}" for p in platforms for of in programs if of.get(p)]


out = ["benchmark,value"]
for suite, programs in widths.items():
    for platform in public:
        out += rows(f"{suite} {platform}", programs, [platform], USUAL, DUET)
    out += rows(f"{suite} average", programs, public, USUAL, DUET)
    out += rows(f"{suite} shuffled", programs, public, USUAL, SHUFFLED)
for state in ("Busy", "Idle"):
    out += rows(f"Proxmox {state.lower()}", sum(widths.values(), []), [f"Proxmox {state}"], SHUFFLED, DUET)
(pathlib.Path(__file__).parent / "duet-table1.csv").write_text("\n".join(out) + "\n")
