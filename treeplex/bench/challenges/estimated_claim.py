"""The claim that estimates are as good as they say: solving with them loses at most twice the error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np

from treeplex.bench.challenges.case import Case, rational, strategy_of
from treeplex.bench.challenges.case_edits import EDITS, Edit
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.claim_targets import called, loaded, name_of
from treeplex.bench.challenges.safe_claim import behaviour_by, drawn_cases, won_against
from treeplex.gadgets.alternatives import EstimatedAlternatives, estimates_at
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.published_gadgets import Maxmargin
from treeplex.gadgets.subgame_solvers import ExactEquilibriumOf
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame


class Estimates(Protocol):
    """Estimates of what the opponent gets at a subgame's tops against the best strategy."""

    def estimates(self, subgame: Subgame) -> Floats:
        """Return a value for each top, (T,), in the opponent's payoff per unit of reach."""

    def error(self, subgame: Subgame) -> float:
        """Return by how much they may be wrong."""


@dataclass(frozen=True)
class Estimated:
    """Brown and Sandholm 2018, Theorem 1: exploitability at most the joint optimum's and twice the error."""

    name: ClassVar[str] = "estimate"
    statement: ClassVar[str] = (
        "with the estimates of {}, Estimated-Maxmargin loses to the joint optimum at most twice their error"
    )

    def target(self, given: object) -> Estimates:
        """Return an object with ``estimates`` and ``error`` from itself, its class or ``module:Name``."""
        found: Estimates = loaded(given, "source of estimates", needs=("estimates", "error"))
        return found

    def cases(self, target: Estimates, seed: int) -> Iterator[Case]:
        """Return games with a blueprint and subgames."""
        return drawn_cases(seed)

    def edits(self, target: Estimates) -> Sequence[Edit]:
        """Return all edits."""
        return EDITS

    def breach(self, target: Estimates, case: Case) -> Breach:
        """Return by how much the composed strategy is more exploitable than the theorem allows."""
        assert case.seat is not None
        blueprint = case.profile()
        subgames = [Subgame.of(piece, blueprint) for piece in case.cuts]
        error = max(_error(target, subgame, case.origin) for subgame in subgames)
        estimates = {
            key: value
            for subgame in subgames
            for key, value in estimates_at(subgame, _values(target, subgame, case.origin)).items()
        }
        solver = ExactEquilibriumOf(Maxmargin(EstimatedAlternatives(estimates)))
        behaviour = behaviour_by(solver, subgames, case)
        optimum = rational(case.form.treeplexes[case.seat], joint_optimum(subgames).behaviour)
        least, after = won_against(case, optimum), won_against(case, behaviour)
        figures = (
            ("won against the joint optimum", least),
            ("won against the composed strategy", after),
            ("error stated", error),
        )
        played = strategy_of(case.form.treeplexes, {case.seat: behaviour})
        return Breach(after - least - 2 * error, case.spread, figures, played)


def _values(target: Estimates, subgame: Subgame, where: str) -> Floats:
    values = called(target, where, lambda: np.asarray(target.estimates(subgame), dtype=np.float64))
    if values.shape != subgame.reach.shape or not np.isfinite(values[subgame.live]).all():
        raise BadInputError(
            f"{name_of(target)} on {where}: estimates must be {len(subgame.reach)} finite numbers, "
            f"got {values.tolist()}"
        )
    return values


def _error(target: Estimates, subgame: Subgame, where: str) -> Fraction:
    error = called(target, where, lambda: float(target.error(subgame)))
    if not 0.0 <= error < np.inf:
        raise BadInputError(
            f"{name_of(target)} on {where}: an error must be at least 0 and finite, got {error}"
        )
    return Fraction(error)
