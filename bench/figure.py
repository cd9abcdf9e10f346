"""A line of the table that `make bench` ends with, for the programs in Python; bench/figure.h is that of the others."""


def figure(what, unit, peer, theirs, ours, goal, met):
    """`peer` None and `theirs` NaN: nobody to compare with. `goal` in words; None for `met`: there is no goal."""
    verdict = "-" if met is None else "met" if met else "missed"
    print(f"@figure\t{what}\t{unit}\t{peer or ''}\t{theirs:.6g}\t{ours:.6g}\t{goal}\t{verdict}", flush=True)
