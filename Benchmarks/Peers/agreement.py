"""Says whether a peer's settlement is settle's: the same lines with the same values, whatever their order and quoting.

usage: agreement.py SETTLES-DIRECTORY PEERS-DIRECTORY

Prints a JSON object: file name -> rows, how many rows only settle and only the peer has, and the first of each. It is
a process of its own so that the one that measures stays small.
"""

import csv
import json
import sys
from collections import Counter

FILES = ["settlement.csv", "receivers.csv", "totals.csv"]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        header = next(reader)
        return header, Counter(map(tuple, reader))


def compare(expected, actual):
    header_theirs, theirs = rows(actual)
    header, ours = rows(expected)
    # A peer knows no refunds, whose columns stand last.
    known = len(header_theirs)
    header, ours = header[:known], Counter(row[:known] for row in ours.elements())
    if header != header_theirs:
        return {"rows": ours.total(), "missing": ours.total(), "extra": theirs.total(), "first": [header_theirs]}
    missing, extra = ours - theirs, theirs - ours
    first = [",".join(row) for side in (missing, extra) for row in sorted(side)[:3]]
    return {"rows": ours.total(), "missing": missing.total(), "extra": extra.total(), "first": first}


if __name__ == "__main__":
    print(json.dumps({name: compare(f"{sys.argv[1]}/{name}", f"{sys.argv[2]}/{name}") for name in FILES}))
