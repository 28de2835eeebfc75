"""Best responses by bucket: what a player could gain without leaving the abstraction, with perfect recall."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from treeplex.cfr.buckets.bucket_cfr import BucketCFR, gathered, prepare, unused_memory
from treeplex.cfr.buckets.settling import tied_of
from treeplex.cfr.factored.factored_cfr import run_half
from treeplex.cfr.factored.partition import Partition
from treeplex.cfr.factored.regret_matching import Rule
from treeplex.cfr.factored.state import LIMITS, factored_config, fresh_memory
from treeplex.cfr.factored.workspace import Learner
from treeplex.seqform.buckets.bucket_strategy import BucketStrategy
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.certificate import pair_weight

NOTHING_LEARNT = Rule(1.0, 1.0, 0.0, 0.0)


def abstract_nash_conv(strategy: BucketStrategy, threads: int = 1) -> float | None:
    """Return the sum of both players' best-response values among strategies by bucket, in the game's unit.

    A player without buckets responds hand by hand, which is not computed here. With perfect recall this is
    the NashConv of the abstract game; what the judge finds above it is the price of the abstraction.

    Parameters
    ----------
    strategy : BucketStrategy
    threads : int

    Returns
    -------
    float or None
        None where a player has no buckets or the recall is imperfect: there finding a best response among
        strategies by bucket is NP-hard (Koller and Megiddo 1992). In floats, no bound on rounding.
    """
    tree = strategy.tree
    if not all(tree.abstracted) or tree.recall != "perfect":
        return None
    engine = prepare(tree, factored_config("cfr"), threads)
    return sum(response_value(engine, strategy, p) for p in (0, 1))


def response_value(engine: BucketCFR, strategy: BucketStrategy, player: int) -> float:
    """Return a player's best-response value among its strategies by bucket; its buckets have perfect recall.

    One traversal with play of zero at all of its decisions adds up, for each bucket and action, what leaves
    pay before the player acts again; the rest is backward induction on buckets.

    Parameters
    ----------
    engine : BucketCFR
    strategy : BucketStrategy
        Of which the other player's part is read; that player need not have buckets.
    player : int
        In buckets.
    """
    paid, unacted = _paid(engine, strategy, player)
    value = unacted + best_total(engine.tree, player, paid)
    return value * engine.arrays.units[player] / float(pair_weight(engine.tree.tree.game))


def _paid(engine: BucketCFR, strategy: BucketStrategy, player: int) -> tuple[tuple[Floats, ...], float]:
    """Return for each street what leaves pay after each action, (slots, buckets), and before any action."""
    tree, boards = engine.tree, engine.arrays.boards
    side, offsets = engine.arrays.sides[player], engine.offsets[player]
    own = Learner.of(side, unused_memory(len(side.root.stay)), offsets, tied_of(tree, player))
    other = _playing(engine, strategy, 1 - player)
    partition = Partition.of(boards, own, other, engine.segments, engine.threads)
    with ThreadPoolExecutor(engine.threads) as pool:
        run_half(boards, own, other, NOTHING_LEARNT, LIMITS["float32"], partition, pool)
    means = gathered(partition).regret / np.repeat(own.tied.scale, np.diff(own.tied.start))
    return by_slot(tree, player, means), engine.worth(player, partition)


def _playing(engine: BucketCFR, strategy: BucketStrategy, player: int) -> Learner:
    """Return a player that plays its part of a strategy."""
    side, offsets, tree = engine.arrays.sides[player], engine.offsets[player], engine.tree
    if not tree.abstracted[player]:
        # In proportion to positive regrets, for which the weights stand.
        memory = fresh_memory(engine.arrays, player, engine.config.on_boards)
        return Learner.of(side, memory._replace(regret=strategy.weight[player]), offsets)
    tied = tied_of(tree, player)
    for s, cut in enumerate(engine.cuts[player]):
        a, b = int(tree.base[player][s]), int(tree.base[player][s + 1])
        weight = strategy.weight[player][a:b].reshape(cut[-1], tree.count[player][s]).astype(np.float64)
        for first, last in pairwise(cut.tolist()):
            mass = weight[first:last].sum(axis=0)
            even = 1.0 / (last - first)
            weight[first:last] = np.where(mass > 0, weight[first:last] / np.where(mass > 0, mass, 1), even)
        tied.play[a:b] = weight.T.ravel()
    return Learner.of(side, unused_memory(len(side.root.stay)), offsets, tied)


def by_slot(tree: BucketTree, player: int, means: Floats) -> tuple[Floats, ...]:
    """Return means of buckets, as tables have them, times how often chance deals these.

    Parameters
    ----------
    tree : BucketTree
    player : int
    means : (.,) float64
        Ordered by street, bucket and slot.

    Returns
    -------
    tuple of (slots, buckets) float64
    """
    base = tree.base[player]
    return tuple(
        means[base[s] : base[s + 1]].reshape(len(weight), -1).T * weight
        for s, weight in enumerate(tree.weight(player))
    )


def best_total(tree: BucketTree, player: int, paid: tuple[Floats, ...]) -> float:
    """Return the most that is earned along a plan in buckets of perfect recall, by backward induction.

    Parameters
    ----------
    tree : BucketTree
    player : int
    paid : tuple of (slots, buckets) float64
        What each action of each bucket earns at once, street by street; overwritten.
    """
    betting, slot, total = tree.tree.betting, tree.tree.slot, 0.0
    parents, before = tree.parents(player), _own_action_before(tree, player)
    for node in np.flatnonzero(betting.player == player)[::-1].tolist():
        street, first = int(betting.street[node]), int(slot[node])
        best = paid[street][first : first + len(betting.children[node])].max(axis=0)
        above = before[node]
        if above is None:
            total += float(best.sum())
            continue
        up, row = above
        bucket: Index = np.arange(len(best))
        for s in range(street, up, -1):
            parent = parents[s]
            assert parent is not None
            bucket = parent[bucket]
        met = bucket >= 0
        np.add.at(paid[up][row], bucket[met], best[met])
    return total


def _own_action_before(tree: BucketTree, player: int) -> dict[int, tuple[int, int] | None]:
    """Return the street and the slot of a player's last action before each of its decisions."""
    betting, slot = tree.tree.betting, tree.tree.slot
    last: list[tuple[int, int] | None] = [None] * betting.n_nodes
    for node, parent in enumerate(betting.parent.tolist()):
        if parent < 0:
            continue
        last[node] = last[parent]
        if betting.player[parent] == player:
            place = int(np.searchsorted(betting.children[parent], node))
            last[node] = int(betting.street[parent]), int(slot[parent]) + place
    return {node: last[node] for node in np.flatnonzero(betting.player == player).tolist()}
