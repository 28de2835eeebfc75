"""Both sides of theorems' inequalities about composed strategies, computed by best responses."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.solving.composition import compose
from treeplex.gadgets.solving.joint import JointOptimum
from treeplex.gadgets.solving.subgame import SubgameSolution
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Treeplex
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.subgame import Subgame

REACH_MARGIN = "Brown and Sandholm 2017, Theorem 1"
RESOLVE_ERROR = "Burch, Johanson and Bowling 2014"
ESTIMATE_ERROR = "Brown and Sandholm 2018, Theorem 1"
TIE = 1e-9
"""Up to this far below its infoset's best, unnormalised, a sequence belongs to some best response."""


def reach_margin_bounds(solutions: Sequence[SubgameSolution]) -> tuple[Inequality, ...]:
    """Check that every margin is an improvement where a best response comes (Brown and Sandholm 2017, Thm 1).

    For each subgame S and each live top t of it where some best response to the composed strategy enters:
    composed <= composed with the blueprint inside S - w_t * margin(t), gifts counted in the margin. The
    weight w_t is the probability that chance and the defender play to t; the paper prints the opponent's
    part instead, which the defender's strategy does not determine.

    The theorem assumes lower-bound gifts with a scale of at most 1, alternative values of the blueprint, and
    no negative margin. Maxmargin gives these, and so does every other method with no margin below zero.

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
    checks = []
    for k, solution in enumerate(solutions):
        subgame, cut = solution.subgame, solution.subgame.cut
        if not subgame.live.any():
            continue
        start = _won(subgame, compose(subgame.blueprint, (*solutions[:k], *solutions[k + 1 :]))).total
        gained = subgame.reach * _alternatives(solution).total - cut.top_values(
            plan, response
        )  # w_t * margin
        checks += [
            Inequality(at_top(cut, t), REACH_MARGIN, response.total, -float(gained[t]), start)
            for t in np.flatnonzero(subgame.live & taken[cut.entry]).tolist()
        ]
    return tuple(checks)


def resolve_error_bound(solutions: Sequence[SubgameSolution]) -> Inequality:
    """Check that a strategy is worse than its blueprint by no more than its subgames' errors together.

    composed <= blueprint + sum over subgames and live tops of max(0, V'_t - w_t a_t), with a_t the
    alternative value, gift included, and V'_t what the opponent gets from t on against the composed strategy.
    Solved exactly, Resolve has no errors and the strategy is safe (Burch, Johanson and Bowling 2014).

    Alternative values are assumed to be the blueprint's, with lower-bound gifts of a scale of at most 1 or
    none; nothing is assumed of the method.

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
    first = solutions[0].subgame
    plan = composed.plans[first.cut.defender]
    error = 0.0
    for solution in solutions:
        subgame, live = solution.subgame, solution.subgame.live
        if live.any():
            above = subgame.cut.top_values(plan, response) - subgame.reach * _alternatives(solution).total
            error += float(np.maximum(above[live], 0.0).sum())
    return Inequality("errors of subgames", RESOLVE_ERROR, response.total, error, first.response.total)


def estimate_error_bound(solutions: Sequence[SubgameSolution], joint: JointOptimum) -> Inequality:
    """Check Estimated-Maxmargin against twice its estimates' error (Brown and Sandholm 2018, Theorem 1).

    composed <= joint optimum + 2 Delta, where Delta is the most by which an alternative value at a live top
    differs from the opponent's counterfactual best-response value against the joint optimum. That optimum is
    not unique, and the bound holds with each; a poor choice only makes Delta large.

    Parameters
    ----------
    solutions : sequence of SubgameSolution
        At least one, by Maxmargin with estimates; disjoint subgames of one defender and one blueprint.
    joint : JointOptimum
        Of the same subgames.

    Raises
    ------
    ValueError
        If there are no solutions, they do not belong together, or one comes from a method without
        alternative values.
    """
    _, response = _composed(solutions)
    first = solutions[0].subgame
    delta = 0.0
    for solution in solutions:
        subgame = solution.subgame
        for (_, top), value in joint.estimates(subgame).items():
            alternative = float(_alternatives(solution).total[subgame.cut.tops.index(top)])
            delta = max(delta, abs(alternative - value))
    optimum = first.cut.own.treeplex.plan(joint.behaviour)
    start = first.cut.game.form.best_response(first.cut.opponent, optimum).total
    return Inequality("errors of estimates", ESTIMATE_ERROR, response.total, 2 * delta, start)


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


def _composed(solutions: Sequence[SubgameSolution]) -> tuple[Profile, BestResponse]:
    """Return the composed strategy and the opponent's best response to it."""
    if not solutions:
        raise ValueError("a theorem on subgames needs at least one solution, got none")
    first = solutions[0].subgame
    for solution in solutions:
        if solution.subgame.blueprint is not first.blueprint:
            raise ValueError(
                f"all subgames must have one blueprint, but {solution.subgame.cut.name!r} has another one "
                f"than {first.cut.name!r}"
            )
    composed = compose(first.blueprint, solutions)
    return composed, _won(first, composed)


def _won(subgame: Subgame, strategy: Profile) -> BestResponse:
    """Return the opponent's best response to the defender's strategy."""
    cut = subgame.cut
    return cut.game.form.best_response(cut.opponent, strategy.plans[cut.defender])


def _alternatives(solution: SubgameSolution) -> AlternativeValues:
    if solution.alternative_values is None:
        raise ValueError(
            f"the theorem is about alternative values: {solution.method} has none in "
            f"{solution.subgame.cut.name!r}"
        )
    return solution.alternative_values
