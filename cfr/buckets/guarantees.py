"""What the best strategy in a player's buckets guarantees at most, by the regrets of CFR-BR."""

from math import factorial

import numpy as np

from treeplex.cfr.buckets.abstract_gains import best_total, by_slot
from treeplex.cfr.buckets.bucket_br import BucketBR
from treeplex.cfr.buckets.response_state import ResponseState
from treeplex.cfr.buckets.settling import tied_of
from treeplex.cfr.factored.factored_cfr import GROUPS
from treeplex.cfr.state_checks import sum_of_weights
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.judge.certificate import pair_weight
from treeplex.seqform.judge.rounding import deepest, hand_rounding


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
    weight = sum_of_weights(engine.learning.config.variant.average.exponent, state.iterations)
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
    :func:`treeplex.seqform.judge.rounding.hand_rounding` says for hands on one path, which counts the same
    sums, with these besides: leaves add hands by card, all hands and cards (``leaf``); hands that suits alone
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
