"""One game of the reference pack: sizes and value computed, held against what is known, and proved."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from treeplex.bench.reproductions.exact_play import (
    Odds,
    Written,
    odds_in,
    odds_of,
    uniform_odds,
    written,
)
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.games.base.display import Shown
from treeplex.games.base.number_texts import exact_text
from treeplex.games.counting.references import Reference
from treeplex.seqform.certify.certificate import exact_bounds, rational_plan
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.rational_optimum import NotExactError, is_plan, rational_optimum
from treeplex.seqform.trees.game_tree import build_tree

Bounds = tuple[Fraction, Fraction, Fraction]
"""The value of a profile, what player 0's plan guarantees, and what player 1's concedes."""


@dataclass(frozen=True, repr=False)
class ReferenceEntry(Shown):
    """A game with sizes, exact value, one optimal strategy, and what uniform play is worth.

    Attributes
    ----------
    reference : Reference
        What was known before, with source and erratum; all that is computed here agrees with it.
    unit : str
        Of payoffs, which are player 0's.
    nnz : int
        Nonzeros of the payoff matrix, one entry a pair of sequences.
    uniform : triple of Fraction
        The value of uniform play, what it guarantees player 0, and what it concedes as player 1.
    strategy : pair of dict
        Optimal behaviour of each player by infoset and action, fractions as text; proved as it is written.
    """

    reference: Reference
    unit: str
    nnz: int
    uniform: Bounds
    strategy: tuple[Written, Written]

    def brief(self) -> str:
        """Return the game and its value."""
        return f"{self.reference.spec}: {exact_text(self.reference.value)}"

    @property
    def uniform_nash_conv(self) -> Fraction:
        """NashConv of uniform play."""
        _, lower, upper = self.uniform
        return upper - lower

    def as_json(self) -> dict[str, Any]:
        """Return the entry as an object of the pack."""
        known, (value, lower, upper) = self.reference, map(exact_text, self.uniform)
        nash_conv = exact_text(self.uniform_nash_conv)
        return {
            "spec": known.spec,
            "unit": self.unit,
            "histories": known.histories,
            "infosets": list(known.infosets),
            "sequences": list(known.sequences),
            "nnz": self.nnz,
            "value": exact_text(known.value),
            "uniform": {"value": value, "lower": lower, "upper": upper, "nash_conv": nash_conv},
            "source": known.source,
            "erratum": known.erratum or None,
            "strategy": {"0": self.strategy[0], "1": self.strategy[1]},
        }


def entry_of(reference: Reference, progress: Progress = silent) -> ReferenceEntry:
    """Return the entry of a game, computed and proved.

    Raises
    ------
    treeplex.seqform.programs.rational_optimum.NotExactError
        If no exact optimum is found, or what is found differs from the reference.
    """
    problem = load(reference.spec, progress=progress)
    first, second = problem.form.treeplexes
    nnz = _check_sizes(problem, reference)
    optimum = rational_optimum(problem.small.form)
    x, y = problem.small.lift_exactly(optimum.plans)
    strategy = written(first, odds_of(first, x)), written(second, odds_of(second, y))
    proved = _bounds(problem, (odds_in(first, strategy[0]), odds_in(second, strategy[1])))
    if set(proved) != {reference.value}:
        found, known = ", ".join(map(exact_text, proved)), exact_text(reference.value)
        raise NotExactError(f"{reference.spec}: value and bounds are {found}, and the reference is {known}")
    uniform = _bounds(problem, (uniform_odds(first), uniform_odds(second)))
    return ReferenceEntry(reference, problem.game.unit, nnz, uniform, strategy)


def _bounds(problem: Problem, odds: tuple[Odds, Odds]) -> Bounds:
    """Return the value of behaviour and the bounds that it proves, by exact best responses."""
    treeplexes = problem.form.treeplexes
    x, y = map(rational_plan, treeplexes, odds)
    if not all(map(is_plan, treeplexes, (x, y))):
        raise NotExactError(f"{problem.game.name}: the probabilities of an infoset do not sum to one")
    return exact_bounds(problem.form, x, y)


def _check_sizes(problem: Problem, known: Reference) -> int:
    """Return the nonzeros of the payoff, or refuse sizes that are not those of the reference."""
    form = problem.form if problem.tree is None else sequence_form(problem.tree, factored=False)
    found = build_tree(problem.game).n_nodes, form.n_infosets, form.n_sequences, form.payoff.nnz
    said = known.histories, known.infosets, known.sequences, known.nnz or form.payoff.nnz
    if found != said:
        raise NotExactError(f"{known.spec}: sizes are {found}, and the reference has {said}")
    return form.payoff.nnz
