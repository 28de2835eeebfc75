"""``treeplex.examine``: a solver, or files of its strategies, judged on games of rising size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from treeplex.bench.examination.answers import MOST_ITERATIONS, SECONDS, Terms
from treeplex.bench.examination.asking import SolverError
from treeplex.bench.examination.examined import SolverLike, examined
from treeplex.bench.examination.ladder import Rung, rungs
from treeplex.bench.examination.report import Examination, NotRunError, RungReport
from treeplex.bench.examination.strategy_series import examined_files, is_files
from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError

LADDER = "ladder"
"""Names the games of :func:`treeplex.rungs`."""
Games: TypeAlias = GameLike | Sequence[GameLike]
"""A game or several; ``ladder`` are those of the ladder."""


def examine(
    solver: SolverLike,
    games: Games = LADDER,
    *,
    iterations: int = MOST_ITERATIONS,
    seconds: float = SECONDS,
    progress: Progress = silent,
) -> Examination:
    """Examine a solver on games of rising size: is it right, and if not, where does it first go wrong.

    Parameters
    ----------
    solver : callable, object with a method ``solve``, class of such objects, str, or sequence of paths
        Called with a game and a number of iterations, afresh each time, in a child process; returns
        ``{(player, infoset): {action: probability}}``, a DataFrame, a strategy, a result, or for OpenSpiel's
        games one of its policies. Or ``module:name`` of such a callable; ``treeplex:METHOD``,
        ``openspiel:cfr``, ``gambit:lp`` and others of other packages; or the paths of strategy files of one
        game whose names end in ``_T.csv`` after T iterations. One that raises ``NotImplementedError`` does
        not take a game, which is skipped.
    games : "ladder", str, Path, Game, Problem or sequence of these
        The games; the ladder unless given, and one alone for files. What unknown methods must reach on a
        game of the ladder is asked of them wherever it is named.
    iterations : int
        Most iterations that the solver is asked for.
    seconds : float
        Limit on the solver's processor time on each game.
    progress : callable, optional
        Called with what is being done; what it raises ends the solver.

    Raises
    ------
    NotRunError
        A ValueError: the solver could not be run on a game. It raises anything, does not answer within the
        limit, or returns no strategy of that game; the message names game and iterations, and the error
        keeps what was found on games before.
    ValueError
        If no game was for it, or an argument is not what it must be.

    Examples
    --------
    >>> examine("treeplex:cfr+", "coin_toss", iterations=100)
    Examination(treeplex:cfr+: correct on coin_toss)
    """
    Terms(iterations=iterations, seconds=seconds)
    if is_files(solver):
        return Examination("files", (examined_files(solver, _one(games), progress),))
    ladder = [
        replace(rung, terms=replace(rung.terms, iterations=iterations, seconds=seconds))
        for rung in chosen(games)
    ]
    name = solver if isinstance(solver, str) else type(solver).__name__
    reports: list[RungReport] = []
    try:
        reports.extend(_climbed(solver, ladder, progress))
    except SolverError as error:
        failed = RungReport(ladder[len(reports)].name, None, f"could not be run: {error}", is_failed=True)
        raise NotRunError(Examination(name, (*reports, failed), str(error))) from None
    if all(report.verdict is None for report in reports):
        raise BadInputError(f"no game was for the solver; {reports[0].line}")
    return Examination(name, tuple(reports))


def _climbed(solver: SolverLike, ladder: Sequence[Rung], progress: Progress) -> Iterator[RungReport]:
    """Yield the report on each game; large ones are skipped once one is wrong."""
    is_wrong = False
    for rung in ladder:
        if rung.is_large and is_wrong:
            yield RungReport(rung.name, None, "the solver is wrong on a smaller game")
        else:
            report = examined(solver, rung.game, rung.terms, progress)
            is_wrong = is_wrong or report.verdict == "wrong"
            yield report


def chosen(games: Games) -> tuple[Rung, ...]:
    """Return games as rungs; those of the ladder keep their terms wherever they are named."""
    if games == LADDER:
        return rungs()
    listed = _listed(games)
    if not listed:
        raise BadInputError("games must be ladder or at least one game, got none")
    known = {rung.game: rung for rung in rungs()}
    named = [str(game) if isinstance(game, Path) else game for game in listed]
    return tuple(known.get(game, Rung(game)) if isinstance(game, str) else Rung(game) for game in named)


def _one(games: Games) -> GameLike:
    """Return the game of strategy files."""
    listed = _listed(games)
    if games == LADDER or len(listed) != 1:
        raise BadInputError("files of strategies are of one game, which games must name")
    return listed[0]


def _listed(games: Games) -> tuple[GameLike, ...]:
    if isinstance(games, Sequence) and not isinstance(games, str):
        return tuple(games)
    return (games,)
