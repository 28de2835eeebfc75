"""Time every benchmark in another checkout (before) and in this one (after), by turns.

From the root of the repository, on a machine that does nothing else:

    python -m benchmarks.compare OTHER_CHECKOUT [--runs 5] [--only NAME]... [--keep FILE.json]

NAME is a benchmark, such as ``cfr``, or a case, such as ``cfr:kuhn``. The table gives medians of CPU seconds:
of a case, or of what the row is about (an iteration, a million hands). The last line names what is over 10%
slower; the exit code is 1 if anything is. With ``--keep`` each pair of runs is kept as it
ends, so that the same command goes on where it was stopped; a file of other commits is refused. Everything
five times takes hours: how many is said after the first round. Numba's cache does not see changes in other
files: take fresh checkouts.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.compare.jobs import Job, jobs
from benchmarks.compare.running import Sides, alternate, commit, left, read, write
from benchmarks.compare.table import LIMIT, markdown, rows
from benchmarks.find import ROOT


def main(arguments: Sequence[str] | None = None, here: Path = ROOT) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.runs < 1:
        parser.error(f"--runs must be at least 1, not {asked.runs}")
    checkouts = asked.other.resolve(), here.resolve()
    commits = [commit(c) for c in checkouts]
    try:
        todo, unmatched = jobs(checkouts, asked.only)
        found = read(asked.keep, commits) if asked.keep else {}
    except ValueError as error:
        parser.error(str(error))
    _announce(todo, asked.runs, found)
    clock = time.perf_counter()
    for job in alternate(checkouts, todo, asked.runs, found):
        if asked.keep:
            write(asked.keep, commits, found)
        _report(job, found[job.name], time.perf_counter() - clock)
        if len(found[job.name][1]) == 1 and job is todo[-1]:
            _announce(todo, asked.runs, found)
    table = list(rows({job.name: found[job.name] for job in todo}))
    print(markdown(table))
    for name in unmatched:
        print(f"only in one of the checkouts: {name}")
    slower = [row.name for row in table if row.slower]
    print(f"{len(slower)} of {len(table)} over {LIMIT:.2f}{': ' if slower else ''}{'; '.join(slower)}")
    return 1 if slower else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.compare", description="Time two checkouts by turns."
    )
    parser.add_argument("other", type=Path, metavar="OTHER_CHECKOUT", help="the one before")
    parser.add_argument("--runs", type=int, default=5, help="of each case on each side; 5 unless given")
    only = "a benchmark, or a case as benchmark:case; may repeat"
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help=only)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep runs here, and go on from it")
    return parser


def _announce(todo: Sequence[Job], runs: int, found: dict[str, Sides]) -> None:
    """Say how long the rest takes, as far as it is known."""
    processes, seconds, untimed = left(todo, runs, found)
    unknown = f", besides {untimed} never run before: known after the first round" if untimed else ""
    _say(f"{processes} processes to run, {len(todo)} jobs; about {seconds / 60:.0f} minutes{unknown}")


def _report(job: Job, sides: Sides, elapsed: float) -> None:
    before, after = (side[-1] for side in sides)
    _say(f"{elapsed:7.0f} s  {len(sides[1])}  {job.name}: {before.seconds:.1f} s and {after.seconds:.1f} s")
    for where, done in (("before", before), ("after", after)):
        if done.error or not done.figures:
            _say(f"    {where}: {done.error or 'no figures'}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
