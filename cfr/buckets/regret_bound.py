"""Regrets of buckets added up: how far an average of CFR-BR is at most from the best strategy in buckets."""

from collections.abc import Sequence

import numpy as np

from treeplex.cfr.buckets.bucket_br import BucketBR
from treeplex.cfr.buckets.state import BucketMemory, BucketState
from treeplex.cfr.factored.layout.arrays import Floats, Index
from treeplex.cfr.state_checks import sum_of_weights
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.judge.certificate import pair_weight


def regret_bounds(engine: BucketBR, state: BucketState) -> tuple[float, float] | None:
    """Return how much more each player's average concedes, at most, than the best strategy in its buckets.

    With best responses y_t to the plans x_t the average concedes at most ``v - sum_t w_t u(x_t, y_t) / W``,
    and no strategy in buckets guarantees more than ``(sum_t w_t u(x_t, y_t) + R) / W``, where R is the
    player's regret for strategies in buckets (theorem ``cfr-br-finds-the-price``). R is at most the largest
    sum along a plan of the regrets of buckets, as each decision's regrets sum up along plans if recall is
    perfect (Zinkevich et al. 2008). With weights that never decrease the weighted regret of an action is at
    most ``w_T`` times what regret matching+ stores, which is at least its regret since any iteration.

    In floats, without a bound on their rounding. In the game's unit.

    Returns
    -------
    pair of float, or None
        None with imperfect recall, where regrets of buckets bound nothing, and before the first iteration.
    """
    tree = engine.learning.tree
    if tree.recall != "perfect" or state.iterations == 0:
        return None
    exponent = engine.learning.config.variant.average.exponent
    weight = float(state.iterations) ** exponent / sum_of_weights(exponent, state.iterations)
    pairs = float(pair_weight(tree.tree.game))
    first, second = (
        weight * engine.learning.arrays.units[p] * _largest_sum(tree, p, memory) / pairs
        for p, memory in enumerate(state.memories)
        if isinstance(memory, BucketMemory)
    )
    return first, second


def _largest_sum(tree: BucketTree, player: int, memory: BucketMemory) -> float:
    """Return the largest sum of stored regrets along a plan in buckets, times the weights of buckets."""
    betting, weights, parents = tree.tree.betting, tree.weight(player), tree.parents(player)
    below: list[Floats] = [np.zeros(0)] * betting.n_nodes
    for node in range(betting.n_nodes - 1, -1, -1):
        street, children = int(betting.street[node]), betting.children[node].tolist()
        weight, who = weights[street], int(betting.player[node])
        if who == TERMINAL:
            below[node] = np.zeros(len(weight))
        elif who == CHANCE:
            below[node] = _before(below[children[0]], parents[street + 1], len(weight))
        elif who == player:
            rows = _rows(tree, player, memory, node, len(children))
            below[node] = np.max([weight * r + below[c] for r, c in zip(rows, children, strict=True)], axis=0)
        else:
            below[node] = np.sum([below[c] for c in children], axis=0)
        for child in children:
            below[child] = np.zeros(0)
    return float(below[0].sum())


def _before(values: Floats, parent: Index | None, count: int) -> Floats:
    """Return the sums of the values of buckets over those that follow each bucket of the street before."""
    assert parent is not None
    held = parent >= 0
    return np.asarray(np.bincount(parent[held], values[held], count), dtype=np.float64)


def _rows(tree: BucketTree, player: int, memory: BucketMemory, node: int, n_actions: int) -> Sequence[Floats]:
    """Return the stored regrets of a decision, a row of buckets for each action."""
    street, slot = int(tree.tree.betting.street[node]), int(tree.tree.slot[node])
    a, b = tree.base[player][street : street + 2]
    table = memory.regret[a:b].reshape(-1, int(tree.slots[player][street]))
    return [table[:, slot + action] for action in range(n_actions)]
