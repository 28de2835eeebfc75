"""Depth-limited solving: the trunk as a game whose opponent chooses a continuation at each top.

Brown, Sandholm and Amos, Depth-limited solving for imperfect-information games (NeurIPS 2018). The defender
is held to a blueprint below the trunk. With one continuation, part of an equilibrium, the game has the right
value and its solutions may be exploitable all the same: a leaf's value depends on the strategy above it.
Continuations are biased behaviours, or best responses added one by one. Beside it the trunk solved with the
defender's blueprint below the cuts, the opponent free everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treeplex.gadgets.gadget import UNREACHED, game_of
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index, Treeplex
from treeplex.seqform.programs.lp_solution import LPSolution, solve_lp
from treeplex.seqform.subgames.cut import (
    Cut,
    check_disjoint,
    leaf_amounts,
    trunk_leaves,
    trunk_side,
    weighted,
)
from treeplex.seqform.subgames.forest import Forest, choices
from treeplex.seqform.subgames.subgame import Subgame


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
    """

    behaviour: Floats
    continuations: tuple[Floats, ...]
    value: float
    response: BestResponse
    solution: LPSolution

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
    solution = solve_lp(depth_limited_game(cuts, blueprint, continuations))
    behaviour = behaviour_above(cuts, blueprint, solution.profile)
    form, opponent = cuts[0].game.form, cuts[0].opponent
    response = form.best_response(opponent, form.treeplexes[1 - opponent].plan(behaviour))
    value = float(solution.certificate.value) * (1.0 if opponent == 0 else -1.0)
    return DepthLimited(behaviour, tuple(continuations), value, response, solution)


def check_cuts(cuts: Sequence[Cut]) -> None:
    """Refuse no cuts, cuts of several trees or defenders, and cuts that overlap."""
    if not cuts:
        raise BadInputError("cuts must hold at least one, got none")
    for cut in cuts:
        if cut.game is not cuts[0].game:
            raise BadInputError(f"cuts must be of one tree, got {cuts[0].name!r} and {cut.name!r} of two")
    check_disjoint(cuts)


def _check_continuations(cut: Cut, blueprint: Profile, continuations: Sequence[Floats]) -> None:
    form = cut.game.form
    check_profile(form, blueprint)
    if len(continuations) == 0:
        raise BadInputError("continuations must hold at least one, got none")
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


def trunk_game(cuts: Sequence[Cut], blueprint: Profile) -> SequenceForm:
    """Return the whole game in which the defender decides in the trunk and is the blueprint below the cuts.

    The payoff of the opponent's sequence s and the defender's trunk sequence t is the sum, over the leaves
    where t is the defender's last in the trunk, of chance times payoff times the blueprint's reach below.

    Parameters
    ----------
    cuts : sequence of Cut
        At least one; disjoint, of one tree and one defender.
    blueprint : Profile
        On the whole game, of which only the defender's part below the cuts is used.
    """
    game, defender, opponent = cuts[0].game, cuts[0].defender, cuts[0].opponent
    _, own, column = trunk_side(game, cuts, defender)
    z = trunk_leaves(game, cuts)
    rows, cols = [game.last[opponent][z]], [column[game.last[defender][z]]]
    paid = [leaf_amounts(game, opponent, z)]
    for cut in cuts:
        leaves = cut.leaves
        rows.append(leaves.other)
        cols.append(column[game.last[defender][cut.roots]][leaves.root])
        paid.append(leaves.amount * cut.own.plan(blueprint.behaviour[defender])[leaves.own])
    other = game.form.treeplexes[opponent]
    shape = other.n_sequences, own.n_sequences
    payoff = ExactMatrix.of_floats(np.concatenate(rows), np.concatenate(cols), np.concatenate(paid), shape)
    form = game_of(Subgame.of(cuts[0], blueprint), "trunk", other, own, payoff)
    return replace(form, name=f"{game.form.name} above {len(cuts)} cuts")


def trunk_optimum(cuts: Sequence[Cut], blueprint: Profile) -> Floats:
    """Return the least exploitable behaviour of the defender, (S,), that is the blueprint below the cuts.

    Parameters as for :func:`trunk_game`; raises what
    :func:`treeplex.seqform.programs.lp_solution.solve_lp` raises.
    """
    return behaviour_above(cuts, blueprint, solve_lp(trunk_game(cuts, blueprint)).profile)


def behaviour_above(cuts: Sequence[Cut], blueprint: Profile, solution: Profile) -> Floats:
    """Return the defender's behaviour, (S,): the solution's where it comes, the blueprint's elsewhere.

    Parameters
    ----------
    cuts : sequence of Cut
    blueprint : Profile
        On the whole game.
    solution : Profile
        Of a game in which the defender's treeplex is that of the trunk.
    """
    defender = cuts[0].defender
    game, number = solution.treeplexes[defender], trunk_side(cuts[0].game, cuts, defender).sequences
    reached = solution.plans[defender][game.parent] > UNREACHED
    played = np.flatnonzero(number > 0)
    played = played[reached[game.infoset_of[number[played]]]]
    behaviour = blueprint.behaviour[defender].copy()
    behaviour[played] = solution.behaviour[defender][number[played]]
    return behaviour


@dataclass(frozen=True)
class SelfGenerated:
    """Depth-limited solutions, each with one continuation more than the one before.

    Attributes
    ----------
    history : tuple of DepthLimited
        The least that can be conceded lies between ``history[-1].value`` and ``best.conceded``.
    tolerance : float
        The gap at which to stop, in the game's unit.
    """

    history: tuple[DepthLimited, ...]
    tolerance: float

    @property
    def best(self) -> DepthLimited:
        """The solution that concedes least, the first among equals."""
        return min(self.history, key=lambda solved: solved.conceded)

    @property
    def converged(self) -> bool:
        """Whether the last gap is within the tolerance."""
        return self.history[-1].gap <= self.tolerance


def biased(treeplex: Treeplex, behaviour: Floats, label: str, factor: float) -> Floats:
    """Return a behaviour in which one action is played more often, (S,).

    Wherever an infoset has the label the action's probability is multiplied and the infoset normalised: zero
    stays zero. Several labels, such as all sizes of a raise, take one call each, in any order. Where nothing
    would be left (a factor of 0 on the only action played) the infoset stays as it is.

    Parameters
    ----------
    treeplex : Treeplex
    behaviour : (S,) f64
    label : str
    factor : float
        At least 0; Brown, Sandholm and Amos (2018) take 10.

    Raises
    ------
    ValueError
        If no action has the label, or the factor or the behaviour's shape is not as above.
    """
    labels = dict.fromkeys(treeplex.actions[1:])
    if label not in labels:
        raise BadInputError(f"label must be that of an action, one of {', '.join(labels)}, got {label!r}")
    if not 0 <= factor < np.inf:
        raise BadInputError(f"factor must be at least 0 and finite, got {factor!r}")
    factors = np.array([factor if action == label else 1.0 for action in treeplex.actions])
    return treeplex.behaviour(factors * behaviour, behaviour)


def biased_continuations(
    treeplex: Treeplex, behaviour: Floats, kinds: Sequence[Sequence[str]], factor: float = 10.0
) -> tuple[Floats, ...]:
    """Return a behaviour and, for each kind of action, the behaviour biased towards it.

    The bias approach of Brown, Sandholm and Amos (2018), whose kinds are folds, calls and raises.

    Parameters
    ----------
    treeplex : Treeplex
    behaviour : (S,) f64
    kinds : sequence of sequences of str
        The labels of each kind.
    factor : float
        As for :func:`biased`, which says what is raised.
    """
    ways = [behaviour]
    for labels in kinds:
        way = behaviour
        for label in labels:
            way = biased(treeplex, way, label, factor)
        ways.append(way)
    return tuple(ways)


def self_generate(
    cuts: Sequence[Cut], blueprint: Profile, *, rounds: int = 20, tolerance: float = 1e-9
) -> SelfGenerated:
    """Start from the opponent's blueprint alone and add best responses until they are worth nothing.

    The self-generative approach of Brown, Sandholm and Amos (2018): each round solves the trunk and adds the
    opponent's best response to it. When the gap is closed no trunk strategy above this blueprint concedes
    less. What is conceded may rise on the way; the value of the depth-limited game never falls.

    Parameters
    ----------
    cuts, blueprint
        As in :func:`treeplex.gadgets.off_tree.depth_limited.depth_limited_game`.
    rounds : int
        How many solutions at most, 1 or more.
    tolerance : float
        The gap at which to stop, in the game's unit, at least 0.

    Raises
    ------
    ValueError
        If a parameter is out of its range; besides, all that :func:`solve_depth_limited` raises.
    """
    if rounds < 1:
        raise BadInputError(f"rounds must be at least 1, got {rounds!r}")
    if not 0.0 <= tolerance < np.inf:
        raise BadInputError(f"tolerance must be at least 0 and finite, got {tolerance!r}")
    check_cuts(cuts)
    history = [solve_depth_limited(cuts, blueprint, [blueprint.behaviour[cuts[0].opponent]])]
    while history[-1].gap > tolerance and len(history) < rounds:
        last = history[-1]
        history.append(solve_depth_limited(cuts, blueprint, (*last.continuations, last.response.behaviour())))
    return SelfGenerated(tuple(history), tolerance)
