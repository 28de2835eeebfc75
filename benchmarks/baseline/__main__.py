"""Keep what every command prints and every engine computes, and list what has changed since.

From the root of the repository:

    python -m benchmarks.baseline write FILE.json      keep all cases; with --only these anew, others stay
    python -m benchmarks.baseline compare FILE.json    run them again, list each difference; exit 1 if any
    python -m benchmarks.baseline list                 the names of all cases

A change that is meant shows as a few keys of many cases and is counted by key at the end; ``--ignore KEY``
leaves a key out. Files are of one machine: other processors and versions of libraries round differently.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from benchmarks.baseline.records import Difference, differences
from benchmarks.baseline.running import names, run_cases

WIDTH = 72
"""Characters of a value that are shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    asked = _parser().parse_args(arguments)
    if asked.command == "list":
        print("\n".join(_chosen(names(), asked.only)))
        return 0
    kept = json.loads(asked.file.read_text()) if asked.file.exists() else None
    if asked.command == "write":
        found = _run(_chosen(names(), asked.only), asked.jobs)
        whole = {**(kept or {}), **found} if asked.only else found
        asked.file.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n")
        print(f"{len(found)} cases written, {len(whole)} in the file")
        return 0
    if kept is None:
        print(f"there is no file {asked.file}", file=sys.stderr)
        return 2
    if asked.against is None:
        now = _run(_chosen(names(), asked.only), asked.jobs)
    else:
        others = json.loads(asked.against.read_text())
        now = {name: others[name] for name in _chosen(others, asked.only)}
    before = {name: kept[name] for name in _chosen(kept, asked.only)}
    changed = [d for d in differences(before, now) if d.key not in asked.ignore]
    _report(changed)
    print(f"{len(now)} cases, {len({d.case for d in changed})} of them changed, {len(changed)} differences")
    return 1 if changed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.baseline", description="Keep results, compare later."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("write", "compare", "list"):
        command = commands.add_parser(name)
        only = "cases by a beginning or a pattern such as 'solve/*/lp'; may repeat"
        command.add_argument("--only", action="append", default=[], metavar="PATTERN", help=only)
        if name != "list":
            command.add_argument("file", type=Path)
            command.add_argument("--jobs", type=int, default=1, help="how many processes")
        if name == "compare":
            ignored = "leave this key out, wherever it stands; may repeat"
            command.add_argument("--ignore", action="append", default=[], metavar="KEY", help=ignored)
            other = "compare with a file instead of running"
            command.add_argument("--against", type=Path, metavar="FILE", help=other)
    return parser


def _chosen(cases: Sequence[str] | dict[str, Any], patterns: Sequence[str]) -> list[str]:
    """Return the cases that begin with a pattern or match it, all where there is no pattern."""
    return [n for n in cases if not patterns or any(n.startswith(p) or fnmatchcase(n, p) for p in patterns)]


def _run(cases: Sequence[str], jobs: int) -> dict[str, Any]:
    clock, found = time.perf_counter(), {}
    for name, record, seconds in run_cases(cases, jobs):
        found[name] = record
        failed = f"  {record['error']}" if "error" in record else ""
        print(f"{seconds:6.2f} s  {name}{failed}", file=sys.stderr, flush=True)
    print(f"{len(found)} cases in {time.perf_counter() - clock:.0f} s", file=sys.stderr)
    return found


def _report(changed: Sequence[Difference]) -> None:
    """Print the differences case by case, then how often each key changed."""
    case = None
    for d in changed:
        if d.case != case:
            case = d.case
            print(case)
        print(f"    {d.where}: {_short(d.before)} -> {_short(d.after)}")
    counted = Counter(d.key for d in changed)
    if counted:
        print("by key: " + ", ".join(f"{key} {count}" for key, count in counted.most_common()))


def _short(text: str | None) -> str:
    if text is None:
        return "(absent)"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


if __name__ == "__main__":
    sys.exit(main())
