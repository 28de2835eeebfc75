"""Plant faults one by one and list what catches each; an hour or so, not part of the tests.

From the root of the repository:

    python -m benchmarks.faults --out FILE.json                 all that FILE.json does not hold yet
    python -m benchmarks.faults --out FILE.json --missed        those again that nothing caught
    python -m benchmarks.faults --out FILE.json --only NAME     these again
    python -m benchmarks.faults --out FILE.json --table         the table of what the file holds

Each fault is planted in a temporary copy of the package, with compiled kernels of its own. First the copy
without any fault must pass. Exit code 1 if fewer are caught than must be.
"""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from threading import Event

from benchmarks.faults.catalogue import FAULTS, named
from benchmarks.faults.copies import copied
from benchmarks.faults.fault import Fault
from benchmarks.faults.judge import STAGES, Outcome, complaint, judged
from benchmarks.faults.table import enough, summary, table

ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and return the exit code."""
    asked = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # children and copies are tidied away
    known = _read(asked.out)
    if not asked.table:
        stages = tuple(stage for stage in STAGES if stage != "full" or not asked.quick)
        with copied(ROOT) as right:
            if (wrong := _unwell(right)) is not None:
                print(f"the package fails without any fault: {wrong}", file=sys.stderr)
                return 2
            _run(right, _chosen(asked, known), stages, asked, known)
    tried = [known[fault.name] for fault in FAULTS if fault.name in known]
    print(table(FAULTS, known) if asked.table else "\n".join(summary(tried)))
    return 0 if enough(tried) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.faults", description="What catches planted faults."
    )
    parser.add_argument("--out", type=Path, required=True, help="what was found, kept after each fault")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these again")
    parser.add_argument("--missed", action="store_true", help="those again that nothing caught")
    parser.add_argument("--quick", action="store_true", help="without the full run of what is left")
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time")
    parser.add_argument("--table", action="store_true", help="run nothing, print the table")
    return parser


def _unwell(copy: Path) -> str | None:
    """Return what is wrong with a copy without any fault; compiles the kernels that others begin with."""
    found = {stage: complaint(copy, stage) for stage in ("quick", "certificates")}
    return next((f"{stage}: {by}" for stage, by in found.items() if by), None)


def _chosen(asked: argparse.Namespace, known: dict[str, Outcome]) -> list[Fault]:
    if asked.only:
        return list(named(asked.only))
    again = {name for name, outcome in known.items() if asked.missed and not outcome.stage}
    return [fault for fault in FAULTS if fault.name in again or fault.name not in known]


def _run(
    right: Path,
    faults: Sequence[Fault],
    stages: tuple[str, ...],
    asked: argparse.Namespace,
    known: dict[str, Outcome],
) -> None:
    """Judge faults in copies of the right package, several at a time, and keep what is known after each."""
    stop = Event()
    with ThreadPoolExecutor(asked.jobs) as threads:
        waiting = [threads.submit(judged, right, fault, stages, stop) for fault in faults]
        try:
            for k, done in enumerate(as_completed(waiting), 1):
                outcome = done.result()
                known[outcome.fault] = outcome
                _write(asked.out, known)
                caught = f"{outcome.stage}: {outcome.by}" if outcome.stage else "MISSED"
                print(f"{k}/{len(faults)} {outcome.fault}: {caught} ({outcome.seconds:.0f} s)", flush=True)
        finally:
            stop.set()
            threads.shutdown(wait=True, cancel_futures=True)


def _read(path: Path) -> dict[str, Outcome]:
    return {row["fault"]: Outcome(**row) for row in json.loads(path.read_text())} if path.exists() else {}


def _write(path: Path, known: dict[str, Outcome]) -> None:
    place = {fault.name: number for number, fault in enumerate(FAULTS)}
    order = sorted(known.values(), key=lambda one: (place.get(one.fault, len(place)), one.fault))
    rows = [asdict(outcome) for outcome in order]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
