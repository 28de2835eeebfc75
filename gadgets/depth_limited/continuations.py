"""Continuations of depth-limited solving: biased behaviours, and best responses added one by one.

Brown, Sandholm and Amos, Depth-limited solving for imperfect-information games (NeurIPS 2018).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.depth_limited.game import DepthLimited, check_cuts, solve_depth_limited
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.subgames.cut import Cut


@dataclass(frozen=True)
class SelfGenerated:
    """Depth-limited solutions, each with one continuation more than the one before.

    Attributes
    ----------
    history : tuple of DepthLimited
        The least that can be conceded lies between ``history[-1].value`` and ``best.conceded``.
    tolerance : float
        The gap at which to stop, in the game's unit.
    seconds : float
    """

    history: tuple[DepthLimited, ...]
    tolerance: float
    seconds: float

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
        raise ValueError(f"label must be that of an action, one of {', '.join(labels)}, got {label!r}")
    if not 0 <= factor < np.inf:
        raise ValueError(f"factor must be at least 0 and finite, got {factor!r}")
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
        As in :func:`treeplex.gadgets.depth_limited.game.depth_limited_game`.
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
        raise ValueError(f"rounds must be at least 1, got {rounds!r}")
    if not 0.0 <= tolerance < np.inf:
        raise ValueError(f"tolerance must be at least 0 and finite, got {tolerance!r}")
    clock = time.perf_counter()
    check_cuts(cuts)
    history = [solve_depth_limited(cuts, blueprint, [blueprint.behaviour[cuts[0].opponent]])]
    while history[-1].gap > tolerance and len(history) < rounds:
        last = history[-1]
        history.append(solve_depth_limited(cuts, blueprint, (*last.continuations, last.response.behaviour())))
    return SelfGenerated(tuple(history), tolerance, time.perf_counter() - clock)
