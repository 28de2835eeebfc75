"""Depth-limited solving: the trunk as a game in which the opponent chooses a continuation at each top.

Brown, Sandholm and Amos, Depth-limited solving for imperfect-information games (NeurIPS 2018). The defender
is held to a blueprint below the trunk. With one continuation, part of an equilibrium, the game has the right
value and its solutions may be exploitable all the same: a leaf's value depends on the strategy above it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treeplex.gadgets.core.game import game_of
from treeplex.gadgets.depth_limited.trunk import behaviour_above
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index, Treeplex
from treeplex.seqform.lp.solve import LPSolution, solve_lp
from treeplex.seqform.subgames.cut import Cut, check_disjoint, leaf_amounts, weighted
from treeplex.seqform.subgames.forest import Forest, choices
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.trunk import trunk_leaves, trunk_side


@dataclass(frozen=True)
class DepthLimited:
    """A trunk strategy with the blueprint below it, and what the opponent gets.

    Attributes
    ----------
    behaviour : (S,) f64
        The defender's, in the whole game: the solution's in the trunk, the blueprint's below and wherever
        the solution's own moves do not come.
    continuations : tuple of (S,) f64
        The opponent's behaviours among which it could choose.
    value : float
        What the opponent gets in the depth-limited game; no trunk strategy above the blueprint concedes less.
    response : BestResponse
        The opponent's to ``behaviour`` in the whole game, counterfactual: a continuation worth adding.
    solution : LPSolution
        Of the depth-limited game.
    seconds : float
    """

    behaviour: Floats
    continuations: tuple[Floats, ...]
    value: float
    response: BestResponse
    solution: LPSolution
    seconds: float

    @property
    def conceded(self) -> float:
        """Value of the opponent's best response in the whole game."""
        return self.response.total

    @property
    def gap(self) -> float:
        """Gap between the opponent's best response and the value of the depth-limited game."""
        return self.conceded - self.value


def root_values(cut: Cut, own: Floats, other: Floats) -> Floats:
    """Return what the opponent gets below each root, times chance's probability of the root, (R,).

    The defender plays on by ``own``, the opponent by ``other``, behaviours (S,) in the whole game.
    """
    z = cut.leaves
    paid = z.amount * cut.own.plan(own)[z.own] * cut.other.plan(other)[z.other]
    return weighted(z.root, paid, len(cut.roots))


def depth_limited_game(
    cuts: Sequence[Cut], blueprint: Profile, continuations: Sequence[Floats]
) -> SequenceForm:
    """Return the game of the trunk, which ends at the tops with the opponent's choice of a continuation.

    The defender has its infosets outside the cuts; the opponent has its own and, for each top of each cut,
    one with an action ``0``, ``1``, ... for each continuation. To choose k at a top pays, at each of its
    roots, chance times the defender's reach times what continuation k gets there against the blueprint.

    Parameters
    ----------
    cuts : sequence of Cut
        At least one; disjoint, of one tree and one defender.
    blueprint : Profile
        On the whole game, of which only the defender's part below the cuts is used.
    continuations : sequence of (S,) f64
        The opponent's behaviours in the whole game, at least one; only the parts below the cuts are used.

    Raises
    ------
    ValueError
        If cuts or continuations are none or unfit, or the blueprint does not fit the game.
    """
    check_cuts(cuts)
    _check_continuations(cuts[0], blueprint, continuations)
    game, defender, opponent = cuts[0].game, cuts[0].defender, cuts[0].opponent
    _, own, column = trunk_side(game, cuts, defender)
    _, trunk_other, row = trunk_side(game, cuts, opponent)
    other, first = _with_choices(trunk_other, row, cuts, len(continuations))
    z = trunk_leaves(game, cuts)
    amount = leaf_amounts(game, opponent, z)
    cells = [(row[game.last[opponent][z]], column[game.last[defender][z]], amount)]
    for cut, begin in zip(cuts, first, strict=True):
        at = column[game.last[defender][cut.roots]]
        for k, continuation in enumerate(continuations):
            values = root_values(cut, blueprint.behaviour[defender], continuation)
            cells.append((begin[cut.root_top] + k, at, values))
    rows, cols, paid = (np.concatenate(part) for part in zip(*cells, strict=True))
    payoff = ExactMatrix.of_floats(rows, cols, paid, (other.n_sequences, own.n_sequences))
    form = game_of(Subgame.of(cuts[0], blueprint), "depth-limited", other, own, payoff)
    return replace(form, name=f"{game.form.name} above {len(cuts)} cuts, {len(continuations)} continuations")


def solve_depth_limited(
    cuts: Sequence[Cut], blueprint: Profile, continuations: Sequence[Floats]
) -> DepthLimited:
    """Solve :func:`depth_limited_game`; raises what that and :func:`solve_lp` raise."""
    clock = time.perf_counter()
    solution = solve_lp(depth_limited_game(cuts, blueprint, continuations))
    behaviour = behaviour_above(cuts, blueprint, solution.profile)
    form, opponent = cuts[0].game.form, cuts[0].opponent
    response = form.best_response(opponent, form.treeplexes[1 - opponent].plan(behaviour))
    value = float(solution.certificate.value) * (1.0 if opponent == 0 else -1.0)
    seconds = time.perf_counter() - clock
    return DepthLimited(behaviour, tuple(continuations), value, response, solution, seconds)


def check_cuts(cuts: Sequence[Cut]) -> None:
    """Refuse no cuts, cuts of several trees or defenders, and cuts that overlap."""
    if not cuts:
        raise ValueError("cuts must hold at least one, got none")
    for cut in cuts:
        if cut.game is not cuts[0].game:
            raise ValueError(f"cuts must be of one tree, got {cuts[0].name!r} and {cut.name!r} of two")
    check_disjoint(cuts)


def _check_continuations(cut: Cut, blueprint: Profile, continuations: Sequence[Floats]) -> None:
    form = cut.game.form
    check_profile(form, blueprint)
    if len(continuations) == 0:
        raise ValueError("continuations must hold at least one, got none")
    for continuation in continuations:
        x, y = (continuation if p == cut.opponent else blueprint.behaviour[p] for p in (0, 1))
        check_profile(form, Profile(form.treeplexes, (x, y)))


def _with_choices(
    outside: Treeplex, number: Index, cuts: Sequence[Cut], count: int
) -> tuple[Treeplex, list[Index]]:
    """Hang a choice below each top; also return the first sequence of each, an array (T,) for each cut."""
    keys = tuple(f"continue {top} in {cut.name}" for cut in cuts for top in cut.tops)
    tops, actions = np.arange(len(keys)), tuple(str(k) for k in range(count))
    at = number[np.concatenate([cut.entry for cut in cuts])]
    other, to = Forest.of(choices(keys, actions), tops, tops, len(tops)).graft(outside, at)
    return other, np.split(to[len(tops) :: count], np.cumsum([len(cut.tops) for cut in cuts])[:-1])
