"""A game tree as arrays of records for sampled traversals, with nodes of one child left out."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index

Records = NDArray[np.void]
DRAW, LEAF = 2, 3
"""Kinds of nodes at which no player acts: chance and leaf."""
EXTERNAL, OUTCOME, CHANCES = 0, 1, 2
"""Sampling schemes: chance and the other player; every move; chance alone."""
NODE = np.dtype(
    [
        ("kind", "u1"),
        ("bits", "u1"),
        ("count", "u4"),
        ("first", "u4"),
        ("base", "u4"),
        ("payoff", "f8"),
        ("cumulative", "f8"),
    ],
    align=True,
)
"""Record of a node: 32 bytes, so that it lies in one cache line."""
MEMORY = np.dtype([("regret", "f8"), ("total", "f8"), ("gain", "f8")])
"""Record of a sequence: cumulative regret, sum of strategies, and regret of the current traversal."""
PLACE = np.dtype([("node", "u4"), ("below", "u4"), ("stack", "u8"), ("value", "f8"), ("reach", "f8")])
"""Record of a node reached by a traversal, called its place.

``below`` is the place of its first child, 0 if it has none; ``reach`` is the product of the other player's
probabilities that were not sampled, divided by the probabilities of own actions that were tried. ``stack``
belongs to no place: the k-th record holds entry k of the stack of places to visit.
"""


_PASSED = -2
"""In place of the ancestor, for nodes that are left out."""


class SampledMethod(NamedTuple):
    """A sampling method as kernels read it: one of the schemes above, and its parameters."""

    scheme: int
    exploration: float
    floor: float
    regret_exponent: float
    exponent: float


class Averaged(NamedTuple):
    """Parameters of average-strategy sampling: least probability, threshold and bonus."""

    epsilon: float
    tau: float
    beta: float


class Pruned(NamedTuple):
    """Parameters of pruning; ``weighted`` if results are divided by the probability of the try."""

    threshold: float
    constant: float
    floor: float
    weighted: bool


class SampledTree(NamedTuple):
    """The decisions, chance draws and leaves of a game as records.

    Nodes with a single child are left out, consecutive chance nodes are one draw, and children are
    consecutive, in preorder of their parents, so that subtrees are close in memory.

    Attributes
    ----------
    nodes : (N,) records of ``NODE``
        ``kind`` is 0 or 1 where a player acts, ``DRAW`` or ``LEAF``; the children are ``first`` to
        ``first + count - 1``. ``base`` is the infoset's first sequence, player 1's numbered after player
        0's, or where a draw's ``2**bits`` entries of ``guide`` begin. ``payoff`` is player 0's at leaves.
        ``cumulative`` is the probability of a draw's child and of those before it.
    guide : (G,) uint32
        Entry k of a draw is the first child that a number from ``[k / 2**bits, (k + 1) / 2**bits)`` can
        pick (Chen and Asau, On generating random variates from an empirical distribution, 1974).
    """

    nodes: Records
    guide: NDArray[np.uint32]


def sampled_tree(enumerated: NumberedTree) -> SampledTree:
    """Lay out a numbered tree for sampling.

    Raises
    ------
    OverflowError
        If a payoff is too large for a float.
    """
    tree = enumerated.tree
    above = _nearest(tree.parent, tree.player, np.bincount(tree.parent[1:], minlength=tree.n_nodes))
    kept = np.flatnonzero(above != _PASSED)
    old = kept[np.argsort(above[kept], kind="stable")]
    count = np.bincount(above[old[1:]], minlength=tree.n_nodes)
    nodes = np.zeros(len(old), dtype=NODE)
    kinds = np.where(tree.player == CHANCE, DRAW, np.where(tree.player == TERMINAL, LEAF, tree.player))
    nodes["kind"], nodes["count"], nodes["first"] = (a[old] for a in (kinds, count, 1 + _before(count)))
    for p, t in enumerate(enumerated.form.treeplexes):
        acting = nodes["kind"] == p
        offset = p * enumerated.form.treeplexes[0].n_sequences
        nodes["base"][acting] = offset + t.begin[enumerated.acting[p][old[acting]]]
    nodes["payoff"] = [int(v) / tree.payoff_den for v in tree.payoff[old]]
    return SampledTree(nodes, _number_draws(nodes, tree.chance[old].astype(object)))


@njit(cache=True)
def _nearest(parent: Any, player: Any, count: Any) -> Index:
    """Return each node's nearest ancestor that is kept, -1 at the root."""
    above, keeper = np.full(len(parent), _PASSED), np.full(len(parent), -1)
    for n in range(len(parent)):
        up = keeper[parent[n]] if n > 0 else -1
        follows = player[n] == CHANCE and up >= 0 and player[up] == CHANCE
        if count[n] == 1 or follows:
            keeper[n] = up
        else:
            keeper[n], above[n] = n, up
    return above


def _before(count: Index) -> Index:
    """Return the exclusive prefix sums."""
    return np.asarray(np.cumsum(count) - count)


def _number_draws(nodes: Records, chance: NDArray[Any]) -> NDArray[np.uint32]:
    """Return the guide; writes ``base`` and ``bits`` of draws and ``cumulative`` of their children."""
    guides, used = [np.zeros(0, dtype=np.uint32)], 0
    for n in np.flatnonzero(nodes["kind"] == DRAW).tolist():
        first, count = int(nodes["first"][n]), int(nodes["count"][n])
        sums = np.add.accumulate(chance[first : first + count]).tolist()
        cumulative = np.array([s / sums[-1] for s in sums])
        bits = (count - 1).bit_length()
        cells = np.arange(1 << bits) / (1 << bits)
        guides.append(np.searchsorted(cumulative, cells, side="right").astype(np.uint32))
        nodes["cumulative"][first : first + count] = cumulative
        nodes["base"][n], nodes["bits"][n] = used, bits
        used += 1 << bits
    return np.concatenate(guides)


def memory_of(regret: tuple[Floats, Floats], total: tuple[Floats, Floats]) -> Records:
    """Return both players' sequences as records of ``MEMORY``, player 1's after player 0's."""
    memory = np.zeros(sum(len(r) for r in regret), dtype=MEMORY)
    memory["regret"], memory["total"] = np.concatenate(regret), np.concatenate(total)
    return memory


def pair_of(form: SequenceForm, values: Floats) -> tuple[Floats, Floats]:
    """Split an array over both players' sequences into copies for each player."""
    n = form.treeplexes[0].n_sequences
    return values[:n].copy(), values[n:].copy()


@njit(cache=True)
def needs(tree: SampledTree, scheme: int, trials: int, player: int) -> tuple[int, int]:
    """Return the largest numbers of places and of random numbers that a player's traversal takes.

    ``trials`` is the number of draws per own action that decide whether it is tried.
    """
    places = np.ones(len(tree.nodes), dtype=np.int64)
    draws = np.zeros(len(tree.nodes), dtype=np.int64)
    for n in range(len(tree.nodes) - 1, -1, -1):
        kind, lo, hi = tree.nodes[n].kind, tree.nodes[n].first, tree.nodes[n].first + tree.nodes[n].count
        if kind != LEAF:
            whole = kind != DRAW and (scheme == CHANCES or (scheme == EXTERNAL and kind == player))
            places[n] = 1 + (places[lo:hi].sum() if whole else places[lo:hi].max())
            draws[n] = draws[lo:hi].sum() if whole else 1 + draws[lo:hi].max()
            if whole and kind == player:
                draws[n] += trials * tree.nodes[n].count
    return places[0], draws[0]
