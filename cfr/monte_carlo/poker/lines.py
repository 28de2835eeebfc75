"""A betting tree as flat records for sampled traversals, nodes with one child left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.protocol import TERMINAL
from treeplex.seqform.factored.betting_tree import BettingTree

Records = NDArray[np.void]
SHOWDOWN, FOLDED = 2, 3
"""Kinds of nodes at which no player acts."""
LINE = np.dtype(
    [("kind", "u1"), ("round", "u1"), ("count", "u2"), ("first", "u4"), ("payoff", "f8")], align=True
)
"""Record of a betting line with several actions, or of the end of a hand.

``kind`` is 0 or 1 where a player acts, ``SHOWDOWN`` or ``FOLDED``; ``round`` is that of the last board cards
dealt. The children are ``first`` to ``first + count - 1``. ``payoff`` is player 0's after a fold, else what
the better hand wins.
"""


@dataclass(frozen=True)
class BettingLines:
    """All betting lines with several actions and all ends, parents before children.

    Attributes
    ----------
    nodes : (N,) records of ``LINE``
        Children are neighbours, in preorder of their parents.
    names : tuple of N str
        The betting line as infosets are keyed by it; empty at leaves.
    actions : tuple of N tuples of str
        The labels of the legal actions; none at leaves.
    """

    nodes: Records
    names: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """The node of each line with several actions."""
        return {self.names[n]: n for n, actions in enumerate(self.actions) if actions}


def betting_lines(tree: BettingTree, board_cards: Sequence[int]) -> BettingLines:
    """Lay out a betting tree, nodes with a single child left out.

    In preorder such a node comes right before its child. So each node that is kept replaces, among the
    children of its nearest kept ancestor, the first node after the previous kept one.

    Parameters
    ----------
    tree : BettingTree
    board_cards : sequence of int
        Cards dealt before each round; the tree's streets after the first are the rounds with cards.

    Raises
    ------
    OverflowError
        If a payoff is too large for a float.
    """
    n_children = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    kept = np.flatnonzero(n_children != 1)
    count = n_children[kept]
    first = 1 + np.cumsum(count) - count
    child = kept[:-1] + 1
    place = np.argsort(tree.parent[child], kind="stable")  # of node 1, 2, ... among ``child``
    by_number = np.concatenate(([0], 1 + place))
    node = kept[by_number]
    round_of = np.array([0, *(r for r, n in enumerate(board_cards) if n)])
    over = tree.player[node] == TERMINAL
    nodes = np.zeros(len(node), dtype=LINE)
    nodes["kind"] = np.where(over, np.where(tree.showdown[node], SHOWDOWN, FOLDED), tree.player[node])
    nodes["round"] = round_of[tree.street[node]]
    nodes["count"], nodes["first"] = count[by_number], first[by_number]
    nodes["payoff"] = [int(stake) / tree.stake_den for stake in tree.stake[node]]
    labels = [tree.action[c] for c in child[place].tolist()]
    ends = zip(nodes["first"].tolist(), (nodes["first"] + nodes["count"]).tolist(), strict=True)
    return BettingLines(
        nodes,
        tuple("" if end else tree.line[n] for n, end in zip(node.tolist(), over.tolist(), strict=True)),
        tuple(tuple(labels[lo - 1 : hi - 1]) for lo, hi in ends),
    )


@njit(cache=True)
def line_needs(nodes: Records, player: int) -> tuple[int, int, int]:
    """Return the largest numbers of infosets, actions and places of a player's traversal.

    All actions of the player are tried and one of the other player.
    """
    infosets, actions, places = np.zeros((3, len(nodes)), dtype=np.int64)
    for n in range(len(nodes) - 1, -1, -1):
        kind, lo, hi = nodes[n].kind, nodes[n].first, nodes[n].first + nodes[n].count
        if kind == player:
            infosets[n] = 1 + infosets[lo:hi].sum()
            actions[n] = hi - lo + actions[lo:hi].sum()
            places[n] = hi - lo + places[lo:hi].sum()
        elif kind == 1 - player:
            infosets[n] = 1 + infosets[lo:hi].max()
            actions[n] = hi - lo + actions[lo:hi].max()
            places[n] = places[lo:hi].max()
    return infosets[0], actions[0], 1 + places[0]
