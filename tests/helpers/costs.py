"""What tests cost, by folder and by kind, from the file that ``--costs FILE`` wrote.

    python -m tests.helpers.costs FILE [--most 20]

A line a folder: items, slow ones, seconds of CPU (without compilation) and by the clock, of default and
of slow tests; then the functions that cost most, all their parameters together, beside what they declare.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

from tests.helpers.tiers import SLOW


def main():
    parser = argparse.ArgumentParser("python -m tests.helpers.costs", description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--most", type=int, default=20, help="functions to list")
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.file.read_text().splitlines()]
    print(f"{'folder':34}{'items':>7}{'slow':>6}{'CPU':>9}{'wall':>9}{'CPU slow':>10}{'wall slow':>10}")
    for folder, some in sorted(_grouped(rows, _folder).items()):
        print(_line(folder, some))
    print(_line("all", rows))
    print(f"\n{'items':>6}{'CPU':>9}{'largest':>9}{'declared':>9}  function")
    functions = _grouped(rows, lambda row: row["test"].partition("[")[0])
    for name, some in sorted(functions.items(), key=lambda one: -_sum(one[1], "cpu"))[: asked.most]:
        largest, said = (max(row[key] for row in some) for key in ("cpu", "declared"))
        print(f"{len(some):6}{_sum(some, 'cpu'):9.1f}{largest:9.1f}{said:9}  {name}")


def _grouped(rows, key):
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _folder(row):
    parts = Path(row["test"].partition("::")[0]).parts
    return "/".join(parts[: min(len(parts) - 1, 3 if parts[1] == "treeplex" else 2)])


def _line(name, rows):
    slow = [row for row in rows if row["declared"] > SLOW]
    rest = [row for row in rows if row["declared"] <= SLOW]
    seconds = [_sum(some, key) for some in (rest, slow) for key in ("cpu", "wall")]
    texts = (f"{one:{width}.1f}" for one, width in zip(seconds, (9, 9, 10, 10), strict=True))
    return f"{name:34}{len(rows):7}{len(slow):6}{''.join(texts)}"


def _sum(rows, key):
    return sum(row[key] for row in rows)


if __name__ == "__main__":
    main()
