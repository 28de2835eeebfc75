"""The examination of a solver on one game."""

from typing import Any, TypeAlias

from treeplex.bench.examination.answers import Terms
from treeplex.bench.examination.asking import Asker, SkippedError
from treeplex.bench.examination.child_process import solver_process
from treeplex.bench.examination.fingerprint import Fingerprint, Nearest, fingerprint
from treeplex.bench.examination.judging import is_known, judged
from treeplex.bench.examination.record import Record
from treeplex.bench.examination.report import RungReport
from treeplex.bench.examination.trend import MATCHED_ITERATIONS
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress

SolverLike: TypeAlias = Any
"""The name of a solver, or an object that is called with a game and a number of iterations, or its class."""
FINGERPRINTED_SEQUENCES = 1_000
"""Most sequences of a game on which strategies are compared with those of known methods."""

LEAST_STRATEGIES = 4
"""Fewer strategies agree with one known method or another by chance."""


def examined(solver: SolverLike, game: GameLike, terms: Terms, progress: Progress) -> RungReport:
    """Return the report on a solver and a game; parameters and errors as for :func:`treeplex.examine`."""
    problem = load(game, progress=progress)
    record = Record(problem)
    with solver_process(solver, game, terms) as process:
        asker = Asker(process, record, terms, progress)
        try:
            asker.ask_first()
            found = compared(problem, record, progress)
            if not record.is_constant:
                most = MATCHED_ITERATIONS if is_known(found) else terms.iterations
                asker.ask_doubling(most, is_compared=found is not None)
        except SkippedError as reason:
            return RungReport(problem.game.name, None, str(reason))
    return judged(record, found, terms.within)


def compared(problem: Problem, record: Record, progress: Progress) -> Fingerprint | Nearest | None:
    """Return which known method a solver is; None where there is too little to tell it from others."""
    large = sum(problem.form.n_sequences) > FINGERPRINTED_SEQUENCES
    few = len(record.strategies) < LEAST_STRATEGIES
    if large or few or record.is_exact or record.is_constant:
        return None
    return fingerprint(problem, record.strategies, progress)
