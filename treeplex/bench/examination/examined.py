"""The examination of a solver on one game: asked, compared, judged, reported."""

from typing import Any, TypeAlias

import numpy as np

from treeplex.bench.examination.answers import Terms
from treeplex.bench.examination.asking import Asker, SkippedError
from treeplex.bench.examination.child_process import solver_process
from treeplex.bench.examination.fingerprint import Fingerprint, Nearest, fingerprint
from treeplex.bench.examination.judging import Evidence, decided
from treeplex.bench.examination.record import Record
from treeplex.bench.examination.report import RungReport
from treeplex.bench.examination.trend import MOST_LOSSES
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress
from treeplex.seqform.certify.losses import losses

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
                asker.ask_doubling(
                    lambda: evidence_of(record, found, terms.within), is_compared=found is not None
                )
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


def judged(record: Record, found: Fingerprint | Nearest | None, within: float) -> RungReport:
    """Return the report on one game, of which unknown methods must come within parts of the scale."""
    evidence = evidence_of(record, found, within)
    verdict, reason = decided(evidence)
    played = record.problem.played(record.strategies[record.last])
    lost = () if verdict in ("correct", "converging") else losses(record.problem.form, played)
    series = tuple((t, c.nash_conv) for t, c in sorted(record.certificates.items()))
    return RungReport(
        record.problem.game.name,
        verdict,
        reason,
        evidence.unit,
        series,
        None if record.is_exact or record.is_constant else evidence.trend.slope,
        found,
        lost[:MOST_LOSSES],
    )


def evidence_of(record: Record, found: Fingerprint | Nearest | None, within: float) -> Evidence:
    """Return what the record of a solver, and the method that it was named as, say of it.

    A solver that samples, or may, needs time to leave its start, where widths hardly fall: the regret that is
    promised is proportional to the number of infosets over the square root of the iterations (Lanctot et
    al. 2009, theorem 5), and says nothing until that is below one.
    """
    samples = found is None or (isinstance(found, Nearest) and not found.is_full_width)
    return Evidence(
        series=record.series,
        within=within,
        theory=regret_bound(record.problem) / record.scale,
        start=sum(record.problem.form.n_infosets) ** (2 if samples else 1),
        method=found.name if isinstance(found, Fingerprint) else "",
        is_promised=isinstance(found, Fingerprint) and found.is_promised,
        nearest=found.name if isinstance(found, Nearest) else "",
        is_sampled=samples,
        is_exact=record.is_exact,
        is_constant=record.is_constant,
        scale=record.scale,
        unit=record.problem.game.unit,
    )


def regret_bound(problem: Problem) -> float:
    """Return c such that CFR's NashConv after T iterations is at most c / sqrt(T), in the game's unit.

    Zinkevich et al. 2008, theorem 4: the range of payoffs times the sum over infosets of the square root of
    the number of actions.
    """
    sizes = np.concatenate([t.end - t.begin for t in problem.form.treeplexes])
    return 2.0 * float(problem.scale.stakes[1]) * float(np.sqrt(sizes).sum())
