"""Examine right and wrong solvers, and count who is called what; ten minutes or so, not part of the tests.

From the root of the repository:

    python -m benchmarks.examination right --seconds 2             right solvers on the whole ladder
    python -m benchmarks.examination wrong --seconds 1 --first 8   wrong ones on the eight first games
    python -m benchmarks.examination wrong --games SPEC,SPEC --all a matrix of mistakes against games

A wrong solver is examined until a game shows it, unless ``--all`` is given. A letter stands for each
game: ``W`` wrong, ``?`` cannot tell, ``c`` converging, ``.`` correct. Exit code 1 if a right solver is
called wrong.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.examination.right_solvers import RIGHT
from benchmarks.examination.wrong_solvers import WRONG
from treeplex.bench.examination.examine import LADDER, chosen
from treeplex.bench.examination.examined import examined
from treeplex.bench.examination.ladder import Rung
from treeplex.core.progress import silent
from treeplex.games.formats.spec_text import separated

LETTERS = {"wrong": "W", "cannot tell": "?", "converging": "c", "correct": ".", None: "-"}
SOLVERS: Mapping[str, Mapping[str, Any]] = {"right": RIGHT, "wrong": WRONG}


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine what is asked for, print a line a solver, and return the exit code."""
    asked = _parser().parse_args(arguments)
    ladder = [
        replace(rung, terms=replace(rung.terms, seconds=asked.seconds))
        for rung in chosen(LADDER if asked.games is None else list(separated(asked.games)))[: asked.first]
        if not rung.terms.is_spot
    ]
    for k, rung in enumerate(ladder):
        print(f"{k + 1:3} {rung.name}", flush=True)
    found: Counter[str] = Counter()
    began = time.monotonic()
    names = [name for name in SOLVERS[asked.which] if asked.only in name]
    for name in names:
        row = _row(SOLVERS[asked.which][name], ladder, is_whole=asked.all or asked.which == "right")
        found.update({letter for letter in row if letter != " "})
        print(f"{row:{len(ladder)}} {name}", flush=True)
    said = ", ".join(f"{found[letter]} {verdict}" for verdict, letter in LETTERS.items() if verdict)
    print(f"{len(names)} solvers; on at least one game: {said}; {time.monotonic() - began:.0f} seconds")
    return int(asked.which == "right" and found["W"] > 0)


def _row(solver: Any, ladder: Sequence[Rung], *, is_whole: bool) -> str:
    row = ""
    for rung in ladder:
        made = solver if hasattr(solver, "name") else solver()
        row += LETTERS[examined(made, rung.game, rung.terms, silent).verdict]
        if row[-1] == "W" and not is_whole:
            break
    return row


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.examination")
    parser.add_argument("which", choices=tuple(SOLVERS))
    parser.add_argument("--seconds", type=float, default=2.0, help="of the processor for each game")
    parser.add_argument("--games", help="instead of the ladder")
    parser.add_argument("--first", type=int, help="games of the ladder")
    parser.add_argument("--only", default="", help="solvers whose names contain this")
    parser.add_argument("--all", action="store_true", help="go on after a game has shown a mistake")
    return parser


if __name__ == "__main__":
    sys.exit(main())
