"""A game tree as the records that sampled traversals read and write: chance merged, one record a node."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index

Records = NDArray[np.void]
DRAW, LEAF = 2, 3
"""What a node is where no player acts."""
EXTERNAL, OUTCOME, CHANCES = 0, 1, 2
"""What is sampled: all that the player does not decide, every move, or chance alone."""
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
"""A node: 32 bytes, so that a visit costs one cache line."""
MEMORY = np.dtype([("regret", "f8"), ("total", "f8"), ("gain", "f8")])
"""A sequence: cumulative regret, the sum that is averaged, and regret gathered, zero between traversals."""
PLACE = np.dtype([("node", "u4"), ("below", "u4"), ("stack", "u8"), ("value", "f8"), ("reach", "f8")])
"""A node that a traversal reached.

``below`` is the place of its first child, 0 if it has none; ``reach``, the other player's part of the
probability of getting there, 1 as far as that was sampled. ``stack`` is apart: the k-th record holds the k-th
place that waits.
"""


_PASSED = -2
"""What stands in place of an ancestor at nodes that are passed over."""


class Method(NamedTuple):
    """A sampling method as the kernels read it: one of the schemes above, and its numbers."""

    scheme: int
    exploration: float
    floor: float
    regret_exponent: float
    exponent: float


class Averaged(NamedTuple):
    """How own actions are tried by the average strategy: least probability, threshold and bonus."""

    epsilon: float
    tau: float
    beta: float


class Pruned(NamedTuple):
    """How own actions of negative regret are tried, and whether what is found is divided by how likely."""

    threshold: float
    constant: float
    floor: float
    weighted: bool


class SampledTree(NamedTuple):
    """The decisions, draws and leaves of a game; what leaves no choice is passed over.

    Nodes with a single child are not there, chance that follows chance is one draw, and children are
    neighbours, in preorder of their parents: what lies below a node stays close together.

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
    """Return each node's nearest ancestor that is kept, -1 at the first of all."""
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
    """Return how many are counted before each entry."""
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
    """Return both players' parts of what lies behind one another, as arrays of their own."""
    n = form.treeplexes[0].n_sequences
    return values[:n].copy(), values[n:].copy()


@njit(cache=True)
def needs(tree: SampledTree, scheme: int, trials: int, player: int) -> tuple[int, int]:
    """Return how many places, and how many draws, a player's traversal takes at most.

    ``trials`` is how many draws decide whether an own action is tried, where all may be.
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
