"""Best responses by bucket: what a player could gain within the abstraction, and what it guarantees.

The gain without leaving the abstraction needs perfect recall, a response on one street does not. What the
best strategy in a player's buckets guarantees at most follows from the regrets of CFR-BR.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import factorial

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.boards.board_state import LIMITS, factored_config, fresh_memory
from treeplex.cfr.boards.bucket_br import BucketBR
from treeplex.cfr.boards.bucket_cfr import BucketCFR, gathered, prepare, unused_memory
from treeplex.cfr.boards.bucket_state import ResponseState
from treeplex.cfr.boards.factored_cfr import GROUPS, run_half
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.boards.tied_hands import tied_of
from treeplex.cfr.boards.workspace import BoardLearner, BoardPartition
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.certify.board_certificate import deepest, hand_rounding, pair_weight
from treeplex.seqform.forms.treeplex import Floats, Index

NOTHING_LEARNT = Rule(1.0, 1.0, 0.0, 1.0, 0.0)


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
    own = BoardLearner.of(side, unused_memory(len(side.root.stay)), offsets, tied_of(tree, player))
    other = _playing(engine, strategy, 1 - player)
    partition = BoardPartition.of(boards, own, other, engine.segments, engine.threads)
    with ThreadPoolExecutor(engine.threads) as pool:
        run_half(boards, own, other, NOTHING_LEARNT, LIMITS["float32"], partition, pool)
    means = gathered(partition).regret / np.repeat(own.tied.scale, np.diff(own.tied.start))
    return by_slot(tree, player, means), engine.worth(player, partition)


def _playing(engine: BucketCFR, strategy: BucketStrategy, player: int) -> BoardLearner:
    """Return a player that plays its part of a strategy."""
    side, offsets, tree = engine.arrays.sides[player], engine.offsets[player], engine.tree
    if not tree.abstracted[player]:
        # In proportion to positive regrets, for which the weights stand.
        memory = fresh_memory(engine.arrays, player, engine.config.on_boards)
        return BoardLearner.of(side, memory._replace(regret=strategy.weight[player]), offsets)
    tied = tied_of(tree, player)
    for s, cut in enumerate(engine.cuts[player]):
        a, b = int(tree.base[player][s]), int(tree.base[player][s + 1])
        weight = strategy.weight[player][a:b].reshape(cut[-1], tree.count[player][s]).astype(np.float64)
        for first, last in pairwise(cut.tolist()):
            mass = weight[first:last].sum(axis=0)
            even = 1.0 / (last - first)
            weight[first:last] = np.where(mass > 0, weight[first:last] / np.where(mass > 0, mass, 1), even)
        tied.play[a:b] = weight.T.ravel()
    return BoardLearner.of(side, unused_memory(len(side.root.stay)), offsets, tied)


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


def last_street_response(strategy: BucketStrategy, threads: int = 1) -> BucketStrategy:
    """Return a strategy with both players responding to the other on the last street, bucket by bucket.

    On the last street each bucket plays the action that is best against the other player's part: of the
    largest sum over its hands and boards of counterfactual values, as the regrets of the last iterations of
    CFR have it. Before the last street play stays what it is. Brown and Sandholm 2017, section 6, estimate by
    its values.

    Parameters
    ----------
    strategy : BucketStrategy
        With both players' hands in buckets.
    threads : int
    """
    tree = strategy.tree
    engine = prepare(tree, factored_config("cfr"), threads)
    first, second = (_responding(engine, strategy, p) for p in (0, 1))
    return BucketStrategy(tree, (first, second))


def _responding(engine: BucketCFR, strategy: BucketStrategy, player: int) -> NDArray[np.float32]:
    tree = engine.tree
    betting, slot, last = tree.tree.betting, tree.tree.slot, tree.tree.betting.n_streets - 1
    paid, before = _paid(engine, strategy, player)[0][last], _own_action_before(tree, player)
    weight = strategy.weight[player].copy()
    table = weight[tree.base[player][last] : tree.base[player][last + 1]].reshape(paid.shape)
    table[:] = 0.0
    for node in np.flatnonzero((betting.player == player) & (betting.street == last))[::-1].tolist():
        first = int(slot[node])
        actions = paid[first : first + len(betting.children[node])]
        table[first + actions.argmax(axis=0), np.arange(paid.shape[1])] = 1.0
        above = before[node]
        if above is not None and above[0] == last:
            paid[above[1]] += actions.max(axis=0)
    return weight


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


def guarantee_bounds(engine: BucketBR, state: ResponseState) -> tuple[float, float] | None:
    """Return what no strategy in a player's buckets guarantees more than, for each player.

    With best responses y_t to the plans x_t of weights w_t, no strategy in buckets guarantees more than its
    best response to their mean: ``max_x sum_t w_t u(x, y_t) / W = (sum_t w_t u(x_t, y_t) + R) / W``. R, the
    player's regret, is the most that weighted regrets of buckets add up to along a plan in buckets, as
    regrets of decisions add up along plans if recall is perfect (Zinkevich et al. 2008, Theorem 3).
    The first term is what the average guarantees at least.

    Rounding: each bound is widened by :func:`guarantee_rounding`, so that it is proved. In the game's unit,
    each in the player's own payoff.

    Returns
    -------
    pair of float, or None
        None with imperfect recall, where regrets of buckets bound nothing, and before the first iteration.
    """
    tree, arrays = engine.learning.tree, engine.learning.arrays
    if tree.recall != "perfect" or state.iterations == 0:
        return None
    weight = engine.learning.config.variant.average.total(state.iterations)
    mass = weight * float(pair_weight(tree.tree.game))
    bounds = []
    for p, memory in enumerate(state.memories):
        gained = arrays.units[p] * best_total(tree, p, by_slot(tree, p, memory.gained)) / mass
        earned = arrays.units[1 - p] * float(memory.earned[0]) / mass
        bounds.append(float(np.nextafter(gained - earned + guarantee_rounding(engine, state, p), np.inf)))
    return bounds[0], bounds[1]


def guarantee_rounding(engine: BucketBR, state: ResponseState, player: int) -> float:
    """Bound how far floats and fixed-point sums may take a player's bound from exact arithmetic; in the unit.

    Regrets along a plan telescope whatever the values of decisions are, since what a decision is worth is
    taken off there and added above it. So only the roundings of what leaves pay, of sums of action values, of
    differences and of sums over iterations count, once for each of the player's decisions on a path, and
    twice more for the values of the root in two traversals. Each is at most what
    :func:`treeplex.seqform.certify.board_certificate.hand_rounding` says for hands on one path, which counts
    the same sums, with these besides: leaves add hands by card, all hands and cards (``leaf``); hands that
    suits alone
    tell apart are averaged (``alike``); groups of boards and iterations are added up; buckets are summed
    under the one before (``joined``). Differences and running sums are of at most four times the size.

    Of integers, each hand of a bucket is rounded by half a unit, in one action at each decision.
    """
    tree, arrays = engine.learning.tree, engine.learning.arrays
    factored, game = tree.tree, tree.tree.game
    hands = [float(one.weight.sum()) for one in factored.boards.hands]
    leaf = 4 * max(len(one.weight) for one in factored.boards.hands) + len(game.deck.cards)
    alike = len(tree.count[player]) * 2 * factorial(game.deck.suits)
    joined = factored.betting.n_nodes * most_below(tree, player)
    more = leaf + alike + GROUPS + state.iterations + joined + 32
    on_path = deepest(factored.betting.parent) + 2
    floats = (
        4.0 * on_path * hands[player] * hand_rounding(game, factored, 1 - player, hands[1 - player], more)
    )
    integers = arrays.units[player] * _half_units(tree, player)
    return 2.0 * (floats + integers) / float(pair_weight(game))


def most_below(tree: BucketTree, player: int) -> int:
    """Return the most buckets that follow one bucket, or that there are on the first street."""
    most = [int(tree.count[player][0])]
    for parent in tree.parents(player)[1:]:
        assert parent is not None
        most.append(int(np.bincount(parent[parent >= 0]).max(initial=1)))
    return max(most)


def _half_units(tree: BucketTree, player: int) -> float:
    """Return how far rounding to integers may take the regrets of a plan, times how often they are dealt."""
    label, total = tree.label[player], 0.0
    assert label is not None
    boards, scale = tree.tree.boards, tied_of(tree, player).scale
    street = np.repeat(boards.street, np.diff(boards.hands[player].start))
    for s, weight in enumerate(tree.weight(player)):
        steps = int(((tree.tree.betting.player == player) & (tree.tree.betting.street == s)).sum())
        hands = np.bincount(label[street == s], minlength=len(weight))
        total += steps * 0.5 * float(hands @ weight) / float(scale[s])
    return total
