"""Sampled traversals of betting lines, and what they write into flat tables.

Their deals are drawn from the seed and the traversal's number, with their buckets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.bucket_sampling.sampler_config import BY_COIN, BY_REGRET, PrunedBuckets
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout
from treeplex.cfr.sampling.draws import GAMMA, S11, mixed
from treeplex.cfr.sampling.poker_deals import DRAWN, CardArrays, Deal, empty_deal, outcome, shuffle
from treeplex.cfr.sampling.poker_infosets import SHOWDOWN, Records
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True)
class SampledDeals:
    """What traversals know of cards.

    Attributes
    ----------
    buckets : (N, 2, streets) int64
        Of both players, on each street.
    sign : (N,) int8
        1 if player 0 has the better hand on the full board, -1 if the worse, 0 if they tie.
    cluster : (N,) int64
        The public cluster.
    """

    buckets: Index
    sign: NDArray[np.int8]
    cluster: Index

    def part(self, begin: int, end: int) -> "SampledDeals":
        """Return the deals from one position to before another."""
        return SampledDeals(self.buckets[begin:end], self.sign[begin:end], self.cluster[begin:end])

    @staticmethod
    def joined(parts: "Sequence[SampledDeals]") -> "SampledDeals":
        """Return deals one after the other."""
        buckets, sign, cluster = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("buckets", "sign", "cluster")
        )
        return SampledDeals(buckets, sign, cluster)


def draw_deals(layout: BlueprintLayout, seed: int, first: int, count: int) -> SampledDeals:
    """Draw the deals of ``count`` traversals, the first of number ``first``; cards are drawn uniformly."""
    cards, n = layout.cards, layout.cards.n_dealt
    dealt, sign = np.empty((count, 2, cards.hole + n), np.int64), np.empty(count, np.int8)
    write_deals(cards, empty_deal(cards), np.zeros(3, np.int64), key_of(seed), first, dealt, sign)
    streets, known = len(layout.abstraction.streets), np.cumsum(layout.abstraction.rounds)
    buckets = np.empty((count, 2, streets), np.int64)
    for player in range(2):
        for street in range(streets):
            seen = np.ascontiguousarray(dealt[:, player, : known[street]])
            buckets[:, player, street] = layout.abstraction.of_deals(street, seen)
    board = dealt[:, 0, cards.hole : known[1] if streets > 1 else cards.hole]
    return SampledDeals(buckets, sign, layout.clusters.of(board))


def key_of(seed: int) -> Any:
    """Return the key of a seed's streams of random numbers, uint64."""
    return np.uint64(mixed(np.uint64(seed)))


@njit(cache=True)
def stream_of(key: Any, number: int) -> Any:
    """Return the state at which the random numbers of a traversal start, by splitmix64."""
    return mixed(key + np.uint64(number) * GAMMA)


@njit(cache=True, nogil=True)
def write_deals(
    cards: CardArrays, deal: Deal, counts: Index, key: Any, first: int, dealt: Index, sign: NDArray[np.int8]
) -> None:
    """Write the ids of both players' hands, each with the whole board behind it, and who wins.

    ``deal`` and ``counts`` are room; ``dealt`` is (N, 2, cards).
    """
    deck, live, hole = deal.deck, cards.live, cards.hole
    for i in range(len(sign)):
        counts[DRAWN] = 0
        shuffle(cards, deal, stream_of(key, first + i), counts)
        for player in range(2):
            for k in range(hole):
                dealt[i, player, k] = live[deck[player * hole + k]]
            for k in range(cards.n_dealt):
                dealt[i, player, hole + k] = live[deck[2 * hole + k]]
        sign[i] = outcome(cards, deal)


LARGEST = 2**31 - 1
"""The largest regret and count; more is cut off, and counted."""
LOWEST = -LARGEST
"""The lowest regret unless pruning has a floor above it."""
VISITED, SATURATED = 0, 1
"""Indices of tallies: decisions visited, and entries that were cut off at ``LARGEST``."""


class SampledTables(NamedTuple):
    """A cluster's tables, with the layout of ``BlueprintLayout``.

    Attributes
    ----------
    regret : (L,) int32
        In units; the first P entries, of what all clusters share, are only read.
    gain : (P,) int64
        What is to be added to those.
    total : (L,) int32
        Weights of the actions that were sampled; empty if they are not counted.
    tally : (2,) int64
    """

    regret: NDArray[np.int32]
    gain: Index
    total: NDArray[np.int32]
    tally: Index


class Places(NamedTuple):
    """Room for a traversal: the updating player's decisions, and values of their actions one after the other.

    Attributes
    ----------
    node : (N,) uint32
        The betting line of each place.
    above : (N,) int64
        Index of the value that a place's own value is.
    first : (N,) int64
        Index of its first action's value.
    value : (N + 1,) float64
    tried : (N + 1,) bool
    """

    node: NDArray[np.uint32]
    above: Index
    first: Index
    value: Floats
    tried: NDArray[np.bool_]


def empty_places(nodes: Records) -> Places:
    """Allocate room for traversals: every node is an action's child but the root."""
    n = len(nodes)
    index = np.zeros((2, n), np.int64)
    return Places(np.zeros(n, np.uint32), index[0], index[1], np.zeros(n + 1), np.zeros(n + 1, np.bool_))


@njit(cache=True)
def draw(stream: Any, number: Any) -> Any:
    """Return a number of a stream, uniform on [0, 1), as ``treeplex.cfr.sampling.draws.fill``."""
    return np.float64(mixed(stream + np.uint64(number) * GAMMA) >> S11) * 2.0**-53


@njit(cache=True)
def positive_sum(regret: NDArray[np.int32], row: Any, n: Any) -> Any:
    """Return the sum of the positive regrets of a row, an exact integer."""
    mass = np.int64(0)
    for a in range(n):
        mass += max(regret[row + a], 0)
    return mass


@njit(cache=True, error_model="numpy")
def sampled_action(regret: NDArray[np.int32], row: Any, n: Any, u: float) -> Any:
    """Return the action that regret matching picks by a number u in [0, 1)."""
    mass = positive_sum(regret, row, n)
    if mass == 0:
        return np.int64(u * n)
    rest, a = np.int64(u * mass), -1
    while rest >= 0:
        a += 1
        rest -= max(regret[row + a], 0)
    return a


@njit(cache=True, error_model="numpy")
def follow_other(
    nodes: Records,
    tables: SampledTables,
    buckets: Index,
    player: Any,
    stream: Any,
    used: Any,
    weight: Any,
    line: Any,
) -> Any:
    """Sample the other player's actions from a line on; return the line where they end, and numbers used.

    Sampled actions are counted with a weight, unless that is 0.
    """
    regret, total, tally = tables.regret, tables.total, tables.tally
    while nodes[line].kind == 1 - player:
        n = nodes[line].count
        row = nodes[line].base + buckets[1 - player, nodes[line].street] * n
        used += 1
        a = sampled_action(regret, row, n, draw(stream, used))
        if weight > 0:
            more = np.int64(total[row + a]) + weight
            tally[SATURATED] += more > LARGEST
            total[row + a] = min(more, LARGEST)
        tally[VISITED] += 1
        line = nodes[line].first + np.uint32(a)
    return line, used


@njit(cache=True, error_model="numpy")
def is_tried(
    pruned: PrunedBuckets, skips: bool, nodes: Records, line: Any, a: Any, regret: Any, stream: Any, used: Any
) -> Any:
    """Return whether an own action is tried, and numbers used; ``skips`` is the traversal's coin."""
    if regret >= pruned.threshold:
        return True, used
    if pruned.kind == BY_REGRET:
        rate = max(pruned.least, pruned.constant / (pruned.constant + pruned.threshold - regret))
        return draw(stream, used + 1) < rate, used + 1
    ends = nodes[nodes[line].first + np.uint32(a)].kind >= SHOWDOWN
    return not skips or ends or nodes[line].street == pruned.last_street, used


@njit(cache=True, error_model="numpy")
def expand(
    nodes: Records,
    tables: SampledTables,
    places: Places,
    buckets: Index,
    sign: Any,
    player: Any,
    stream: Any,
    used: Any,
    weight: Any,
    pruned: PrunedBuckets,
) -> Any:
    """Visit a player's decisions under one deal, breadth first; return their number.

    Random numbers are used in the order of visits: the traversal's coin, if there is one; then for each
    action of a decision whether it is tried, if that is not sure, and the other player's actions after it.
    """
    node, above, first = places.node, places.above, places.first
    value, tried, regret = places.value, places.tried, tables.regret
    own = 1.0 if player == 0 else -1.0
    skips = False
    if pruned.kind == BY_COIN:
        used += 1
        skips = draw(stream, used) < pruned.share
    line, used = follow_other(nodes, tables, buckets, player, stream, used, weight, np.uint32(0))
    found, done, slots = 0, 0, 1
    if nodes[line].kind < SHOWDOWN:
        node[0], above[0], found = line, 0, 1
    while done < found:
        line = node[done]
        n = nodes[line].count
        row = nodes[line].base + buckets[player, nodes[line].street] * n
        prunes = pruned.kind > 0 and positive_sum(regret, row, n) > 0
        first[done] = slots
        for a in range(n):
            tried[slots], value[slots] = True, 0.0
            if prunes:
                tried[slots], used = is_tried(pruned, skips, nodes, line, a, regret[row + a], stream, used)
            if tried[slots]:
                child = nodes[line].first + np.uint32(a)
                child, used = follow_other(nodes, tables, buckets, player, stream, used, weight, child)
                kind = nodes[child].kind
                if kind >= SHOWDOWN:
                    value[slots] = nodes[child].payoff * own * (sign if kind == SHOWDOWN else 1)
                else:
                    node[found], above[found] = child, slots
                    found += 1
            slots += 1
        done += 1
    tables.tally[VISITED] += found
    return found


@njit(cache=True, error_model="numpy")
def back_up(
    nodes: Records, tables: SampledTables, places: Places, buckets: Index, player: Any, found: Any, floor: Any
) -> None:
    """Compute values from the last decision to the first, and add regrets, rounded to integers."""
    node, above, first = places.node, places.above, places.first
    value, tried, regret, gain, tally = places.value, places.tried, tables.regret, tables.gain, tables.tally
    shared = len(gain)
    for k in range(found - 1, -1, -1):
        n, lo = nodes[node[k]].count, first[k]
        row = nodes[node[k]].base + buckets[player, nodes[node[k]].street] * n
        mass = positive_sum(regret, row, n)
        worth = 0.0
        for a in range(n):
            worth += (max(regret[row + a], 0) if mass > 0 else 1) * value[lo + a]
        worth /= mass if mass > 0 else n
        for a in range(n):
            if not tried[lo + a]:
                continue
            more = np.int64(np.rint(value[lo + a] - worth))
            if row < shared:
                gain[row + a] += more
                continue
            total = regret[row + a] + more
            tally[SATURATED] += total > LARGEST
            regret[row + a] = max(min(total, LARGEST), floor)
        value[above[k]] = worth


@njit(cache=True, error_model="numpy", nogil=True)
def traverse(
    nodes: Records,
    tables: SampledTables,
    places: Places,
    numbers: Index,
    buckets: Index,
    sign: NDArray[np.int8],
    start: int,
    key: Any,
    drawn: int,
    weight: int,
    pruned: PrunedBuckets,
    floor: int,
) -> None:
    """Run traversals under deals of one cluster, one after the other; even ones are player 0's.

    Parameters
    ----------
    numbers : (n,) int64
        Positions in ``buckets`` and ``sign``; the number of a traversal is its position plus ``start``.
    buckets : (N, 2, streets) int64
    sign : (N,) int8
    drawn : int
        Random numbers of each traversal that were used to deal.
    weight : int
        Of sampled actions; 0 counts none.
    floor : int
        Lowest regret, in units.
    """
    for i in numbers:
        player, stream = (start + i) % 2, stream_of(key, start + i)
        found = expand(nodes, tables, places, buckets[i], sign[i], player, stream, drawn, weight, pruned)
        back_up(nodes, tables, places, buckets[i], player, found, floor)
