"""Strategies in files, one a number of iterations, examined like those of a solver."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeGuard

from treeplex.bench.examination.answers import UNKNOWN
from treeplex.bench.examination.examined import compared, judged
from treeplex.bench.examination.record import Record
from treeplex.bench.examination.report import RungReport
from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress
from treeplex.games.base.errors import BadInputError

NAME = re.compile(r".*_(?P<iterations>\d{1,9})\.csv", re.DOTALL | re.IGNORECASE)


def is_files(solver: Any) -> TypeGuard[Sequence[str | Path]]:
    """Whether paths of files are given, one or several, instead of a solver."""
    if isinstance(solver, str | Path):
        return NAME.fullmatch(str(solver)) is not None
    return isinstance(solver, list | tuple)


def examined_files(
    paths: str | Path | Sequence[str | Path], game: GameLike, progress: Progress
) -> RungReport:
    """Return the report on strategies of one game in files; errors as for :func:`treeplex.examine`."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    if not listed:
        raise BadInputError("a solver or at least one strategy file must be given, got none")
    by_iterations: dict[int, Path] = {}
    for path in listed:
        iterations = _iterations(path)
        if iterations in by_iterations:
            raise BadInputError(
                f"{by_iterations[iterations]} and {path} are both after {iterations} iterations"
            )
        by_iterations[iterations] = Path(path)
    problem = load(game, progress=progress)
    record = Record(problem)
    for iterations, path in sorted(by_iterations.items()):
        progress(f"certifying {path}", float("inf"))
        record.add(iterations, path)
    return judged(record, compared(problem, record, progress), UNKNOWN)


def _iterations(path: str | Path) -> int:
    named = NAME.fullmatch(str(path))
    if named is None or int(named["iterations"]) < 1:
        raise BadInputError(f"a strategy file's name must end in _T.csv, after T iterations, got {path}")
    return int(named["iterations"])
