"""How far a profile on a public tree is from equilibrium, in time linear in hands."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from seqform.public_tree import PublicTree

from cfr.showdown import add_folds, add_showdowns
from cfr.vector_arrays import Floats, SideArrays, VectorArrays, live_hands, vector_arrays

Strategies = tuple[Sequence[NDArray[np.float64]], Sequence[NDArray[np.float64]]]
"""For each player, at each of its nodes in preorder, the probabilities (hands, actions)."""


class VectorGains(NamedTuple):
    """What a profile guarantees, in the tree's unit and player 0's view; floats without a rounding bound.

    Attributes
    ----------
    lower : float
        What player 0's strategy guarantees.
    upper : float
        What player 1's strategy concedes at most.
    value : float
        What player 0 gets when both play it.
    """

    lower: float
    upper: float
    value: float

    @property
    def nash_conv(self) -> float:
        """The sum of what both players would gain by deviating."""
        return self.upper - self.lower


def vector_gains(tree: PublicTree, strategies: Strategies) -> VectorGains:
    """Return what a profile guarantees to either player and what it is worth.

    Parameters
    ----------
    tree : PublicTree
    strategies : pair of sequences of (hands, actions) float64
        Behaviour at each node of ``tree.nodes_of(player)``, in its order; dead hands' rows do not count.

    Raises
    ------
    ValueError
        If an array is missing, has the wrong shape, or a living hand's row is no distribution.
    """
    arrays = vector_arrays(tree)
    current = [_checked(tree, arrays.sides[p], p, strategies[p]) for p in (0, 1)]
    return gains_of_rows(arrays, current[0], current[1])


def gains_of_rows(arrays: VectorArrays, strategy0: Floats, strategy1: Floats) -> VectorGains:
    """Return the same from behaviours laid out in rows."""
    plans = plan_of(arrays.sides[0], strategy0), plan_of(arrays.sides[1], strategy1)
    values = leaf_values(arrays, 0, plans[1]), leaf_values(arrays, 1, plans[0])
    value = float(plans[0] @ values[0])
    upper = best_response(arrays.sides[0], values[0])
    return VectorGains(lower=-best_response(arrays.sides[1], values[1]), upper=upper, value=value)


def plan_of(side: SideArrays, strategy: Floats) -> Floats:
    """Return the realization plan of a behaviour in rows."""
    plan = np.zeros(side.row_start[-1])
    spread_plan(side, strategy, plan)
    return plan


def leaf_values(arrays: VectorArrays, player: int, plan: Floats) -> Floats:
    """Return what the leaves give a player's rows against the opponent's plan."""
    own, opponent = arrays.sides[player], arrays.sides[1 - player]
    values = np.zeros(own.row_start[-1])
    sums = section_sums(opponent)
    add_showdowns(own, opponent, arrays.showdown_deal, arrays.showdown_stake, plan, sums, values)
    sign = 1.0 if player == 0 else -1.0
    add_folds(own, opponent, arrays.fold_deal, arrays.fold_stake, sign, plan, values)
    return values
