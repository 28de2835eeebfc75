"""Both sides of theorems on composed strategies, computed from subgames' solutions by best responses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.theorem import Comparison
from treeplex.gadgets.alternatives import AlternativeValues, values_against
from treeplex.gadgets.joint_optimum import JointOptimum
from treeplex.gadgets.subgame_solvers import SubgameSolution, compose
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Treeplex
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.subgame import Subgame

TIE = 1e-9
"""Up to this far below its infoset's best, unnormalised, a sequence belongs to some best response."""


@dataclass(frozen=True)
class Entered:
    """A live top of a subgame, and what is conceded with and without the subgame's solution.

    Attributes
    ----------
    subgame : Subgame
    top : int
    taken : bool
        Whether some best response to the composed strategy enters here.
    gained : float
        Reach times margin, gifts counted in the margin.
    composed, without : float
        What a best response wins against the composed strategy, and against it with the blueprint inside
        this subgame.
    """

    subgame: Subgame
    top: int
    taken: bool
    gained: float
    composed: float
    without: float

    @property
    def at(self) -> str:
        """Name of the top."""
        return at_top(self.subgame.cut, self.top)

    @property
    def reach(self) -> float:
        """Probability that chance and the defender play here."""
        return float(self.subgame.reach[self.top])


def entered_tops(solutions: Sequence[SubgameSolution]) -> Iterator[Entered]:
    """Yield every live top of subgames solved again.

    Parameters
    ----------
    solutions : sequence of SubgameSolution
        At least one; disjoint subgames of one defender and one blueprint.

    Raises
    ------
    ValueError
        If there are no solutions, they do not belong together, or one comes from a method without
        alternative values.
    """
    composed, response = _composed(solutions)
    opponent = solutions[0].subgame.cut.opponent
    taken = best_response_sequences(composed.treeplexes[opponent], response)
    plan = composed.plans[1 - opponent]
    for k, solution in enumerate(solutions):
        subgame, cut = solution.subgame, solution.subgame.cut
        if not subgame.live.any():
            continue
        others = (*solutions[:k], *solutions[k + 1 :])
        without = won_against(subgame, compose(subgame.blueprint, others)).total
        gained = subgame.reach * _alternatives(solution).total - cut.top_values(plan, response)
        for t in np.flatnonzero(subgame.live).tolist():
            comes = bool(taken[cut.entry[t]])
            yield Entered(subgame, t, comes, float(gained[t]), response.total, without)


def reach_margin_bounds(solutions: Sequence[SubgameSolution], scale: float = 1.0) -> tuple[Comparison, ...]:
    """Return both sides of Theorem 1 of Brown and Sandholm 2017, corrected, where a best response enters.

    For each subgame S and each live top t of it where some best response to the composed strategy enters:
    composed <= composed with the blueprint inside S - w_t * margin(t), gifts counted in the margin. The
    weight w_t is the probability that chance and the defender play to t; the proceedings print the
    opponent's part instead, which the defender's strategy does not determine.

    The theorem assumes lower-bound gifts with a scale of at most 1, alternative values of the blueprint, and
    no negative margin. Maxmargin gives these, and so does every other method with no margin below zero.

    Parameters and errors as for :func:`entered_tops`; ``scale`` is that of the comparisons.
    """
    return tuple(
        Comparison(top.composed, top.without - top.gained, scale, top.at)
        for top in entered_tops(solutions)
        if top.taken
    )


def subgame_errors(solutions: Sequence[SubgameSolution]) -> tuple[float, ...]:
    """Return each subgame's error: by how much the opponent gets more at its tops than alternative values.

    The sum over live tops of max(0, V'_t - w_t a_t), unnormalised, with a_t the alternative value, gift
    included, and V'_t what the opponent gets from t on against the composed strategy. Parameters and errors
    as for :func:`entered_tops`.
    """
    composed, response = _composed(solutions)
    plan = composed.plans[solutions[0].subgame.cut.defender]
    errors = []
    for solution in solutions:
        subgame, live = solution.subgame, solution.subgame.live
        error = 0.0
        if live.any():
            above = subgame.cut.top_values(plan, response) - subgame.reach * _alternatives(solution).total
            error = float(np.maximum(above[live], 0.0).sum())
        errors.append(error)
    return tuple(errors)


def estimate_error(solutions: Sequence[SubgameSolution], joint: JointOptimum) -> float:
    """Return the largest error of alternative values as estimates of values against the joint optimum.

    That optimum is not unique, and the bound of Brown and Sandholm 2018 holds with each; a poor choice only
    makes the error large.

    Parameters
    ----------
    solutions : sequence of SubgameSolution
        Of subgames that chance and the defender reach.
    joint : JointOptimum
        Of the same subgames.

    Raises
    ------
    ValueError
        If a solution comes from a method without alternative values.
    """
    error = 0.0
    for solution in solutions:
        tops = solution.subgame.cut.tops
        for (_, top), value in joint.estimates(solution.subgame).items():
            error = max(error, abs(float(_alternatives(solution).total[tops.index(top)]) - value))
    return error


def margins_of(subgame: Subgame, behaviour: Floats) -> Floats:
    """Return the margins, no gifts, of a defender's behaviour (S,) at a subgame's live tops, (n,)."""
    return (subgame.cbv - values_against(subgame, behaviour))[subgame.live]


def at_top(cut: Cut, top: int) -> str:
    """Return the name of what is said of one top of a subgame."""
    return f"{cut.tops[top]} in {cut.name}"


def best_response_sequences(treeplex: Treeplex, response: BestResponse) -> NDArray[np.bool_]:
    """Return which sequences some best response plays, (S,): ties go all ways, up to ``TIE``."""
    taken = np.zeros(treeplex.n_sequences, dtype=np.bool_)
    taken[0] = True
    for i in range(treeplex.n_infosets):
        lo, hi = treeplex.begin[i], treeplex.end[i]
        taken[lo:hi] = taken[treeplex.parent[i]] & (response.q[lo:hi] >= response.value[i] - TIE)
    return taken


def won_against(subgame: Subgame, strategy: Profile) -> BestResponse:
    """Return the opponent's best response to the defender's part of a strategy."""
    cut = subgame.cut
    return cut.game.form.best_response(cut.opponent, strategy.plans[cut.defender])


def _composed(solutions: Sequence[SubgameSolution]) -> tuple[Profile, BestResponse]:
    """Return the composed strategy and the opponent's best response to it."""
    if not solutions:
        raise BadInputError("a theorem on subgames needs at least one solution, got none")
    first = solutions[0].subgame
    for solution in solutions:
        if solution.subgame.blueprint is not first.blueprint:
            raise BadInputError(
                f"all subgames must have one blueprint, but {solution.subgame.cut.name!r} has another one "
                f"than {first.cut.name!r}"
            )
    composed = compose(first.blueprint, solutions)
    return composed, won_against(first, composed)


def _alternatives(solution: SubgameSolution) -> AlternativeValues:
    if solution.alternative_values is None:
        raise BadInputError(
            f"the theorem is about alternative values: {solution.method} has none in "
            f"{solution.subgame.cut.name!r}"
        )
    return solution.alternative_values
