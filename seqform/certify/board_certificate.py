"""Certificates of factored strategies: intervals by best responses on every real board.

They allow for how far the values that the judge computes may be off by rounding.
"""

import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.cards import Range, held
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_strategy
from treeplex.seqform.certify.betting_rows import largest_stake
from treeplex.seqform.certify.board_walk import BoardWalk, runouts
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS

TERMS = 9
"""The largest number of sums with an opponent's hand at a showdown: (all, two cards) x 3."""


def hand_rounding(game: PokerGame, tree: FactoredTree, other: int, weight: float, more: int = 0) -> float:
    """Bound the rounding error of the value of one hand of a player, computed by the judge.

    With ``n`` roundings behind a sum of terms of total magnitude m, the error is at most
    ``n u / (1 - n u) m`` (u = 2**-53; Higham 2002, section 3.1). On a real board, the opponent's reach
    probabilities of the leaves of a pure plan sum to one for each of the opponent's hands. So ``m`` is at
    most (largest stake) x ``TERMS`` x (weight of all of the opponent's hands, also of those that share cards)
    x (ratio of the number of boards for equal hands to that for disjoint hands).

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards.
    tree : FactoredTree
        The strategy's.
    other : int
        The player against whose strategy and reaches the value is.
    weight : float
        The sum of what that player's hands come to the root with.
    more : int, optional
        So many roundings are behind each reach or after each value besides.
    """
    betting, hands = tree.betting, tree.boards.hands
    widest = max(len(c) for c in betting.children)
    depth = deepest(betting.parent)
    # Each weight is rounded once. A reach multiplies, at each decision of its line, a probability that sums
    # and divides the weights of a decision (twice where they are rescaled) and adds a zero. A leaf sums
    # hands, by card and in all, nine such sums, times a stake. On the way up nodes add as many as they have
    # children, boards as many as there are, each times a share; last the own hands, times their weights.
    # The expected payoff multiplies the own reach in and adds leaves instead.
    sizes = len(hands[0].weight) + len(hands[1].weight)
    sums = sum(every + 3 for every, _ in runouts(game))
    # Values of locked hands take a product and a sum an action, each share rounded once.
    n = 2 * depth * (2 * widest + 8) + sizes + sums + betting.n_nodes + 30 + more
    n += depth * (widest + 3) if betting.locks else 0
    stake = float(largest_stake(game, betting))
    # Products below the smallest normal float lose less than that one each, at every line and hand, before
    # the stake is multiplied in or after it.
    lost = float(np.finfo(np.float64).tiny) * betting.n_nodes * len(hands[other].weight)
    off = UNIT_ROUNDOFF * weight * stake + lost * (1.0 + stake)
    return 2.0 * n * TERMS * _boards_of_shared_hands(game) * off


def _boards_of_shared_hands(game: PokerGame) -> float:
    """Return the ratio of the number of boards given two equal hands to that given two disjoint ones."""
    cards, times = len(game.deck.cards) - len(game.board) - 2 * game.hole_cards, 1.0
    for street, n in enumerate(n for n in game.board_cards if n):
        # A listed flop was drawn before the hands: what shares no card with one hand is at most all of them.
        listed = street == 0 and game.flops is not None
        times *= 1.0 if listed else comb(cards + game.hole_cards, n) / comb(cards, n)
        cards -= n
    return times


def deepest(parent: NDArray[np.int32]) -> int:
    """Return the largest number of moves before a node, given the parent of each, (N,)."""
    depth = np.zeros(len(parent), np.int64)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    return int(depth.max())


@dataclass(frozen=True, repr=False)
class FactoredCertificate(Certificate):
    """A certificate of a factored strategy.

    Attributes
    ----------
    n_boards : int
        Number of real boards visited, the starting one included.
    """

    n_boards: int


def certify_factored(game: PokerGame, strategy: FactoredStrategy) -> FactoredCertificate:
    """Return a proved interval for the value of a poker game, from best responses to a factored strategy.

    Every real board is visited and evaluated by itself; its strategy is that of the board that represents
    it, hand by hand, through a permutation of suits. Strengths, stakes and the number of boards come from the
    rules, not from the strategy's tree. Memory: a few rows of hands for each action of one board a street.
    Locked hands play what is locked, in best responses too.

    Rounding: with ``n`` roundings behind a sum of terms of total magnitude m, the error is at most
    ``n u / (1 - n u) m`` (u = 2**-53; Higham 2002, section 3.1); see
    :func:`treeplex.seqform.certify.board_certificate.hand_rounding`.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards. Hidden suits are treated as visible, which changes no value.
    strategy : FactoredStrategy
        On a tree of this game, with boards merged or not. Weights are converted to float64.

    Raises
    ------
    ValueError
        If the strategy's tree is not the game's, or a weight is negative, NaN or infinite; it is named.
    OverflowError
        If the payoffs are too large for floats.
    """
    clock = time.perf_counter()
    check_strategy(game, strategy)
    walk = BoardWalk(game, strategy)
    return certificate_of(game, strategy.tree, walk, clock)


def certificate_of(
    game: PokerGame, tree: FactoredTree, walk: BoardWalk, clock: float, more: int = 0
) -> FactoredCertificate:
    """Return the certificate of a strategy from what a walk over the boards says that it is worth.

    Parameters
    ----------
    game : PokerGame
    tree : FactoredTree
    walk : BoardWalk
    clock : float
        ``time.perf_counter()`` when the walk was begun.
    more : int, optional
        Roundings behind each reach, or after each value, beyond those of a walk over the whole game.

    Raises
    ------
    OverflowError
        If the payoffs are too large for floats.
    """
    pairs, most = float(pair_weight(game)), [float(hands.weight.sum()) for hands in tree.boards.hands]
    earned, best = ([amount / pairs for amount in both] for both in walk.worth())
    off = max(most[p] * hand_rounding(game, tree, 1 - p, most[1 - p], more) for p in (0, 1)) / pairs
    if not np.isfinite([*earned, *best, off]).all():
        raise OverflowError(f"{game.name}: payoffs are too large for floats")
    assert abs(earned[0] + earned[1]) <= 2.0 * off, "both players' expected payoffs must be one number"
    return FactoredCertificate(
        earned[0],
        float(np.nextafter(-best[1] - off, -np.inf)),
        float(np.nextafter(best[0] + off, np.inf)),
        off,
        time.perf_counter() - clock,
        walk.n_visited,
    )


def pair_weight(game: PokerGame) -> Fraction:
    """Return the total weight of disjoint pairs of hands, each range scaled to largest weight 1.

    With listed flops it is the mean over the flops of this weight among the hands that share no card with
    the flop, as the flop is drawn first. Where all hands are equally likely, it is the same on all flops.
    """
    first, second = (_scaled(one) for one in game.reach)
    if game.flops is None:
        return _disjoint(first, second)
    flops = dict(game.flops if game.ranges is not None else game.flops[:1])
    weights = [weight * _disjoint(held(first, cards), held(second, cards)) for cards, weight in flops.items()]
    return sum(weights, Fraction(0)) / sum(flops.values())


def _disjoint(first: Range, second: Range) -> Fraction:
    """Return the total weight of disjoint pairs of hands."""
    of_card: Counter[int] = Counter()
    for hand, weight in second.items():
        for card in hand:
            of_card[card] += weight  # type: ignore[assignment]
    everything, total = sum(second.values(), Fraction(0)), Fraction(0)
    for hand, weight in first.items():
        met = everything - sum(of_card[card] for card in hand)
        if len(hand) == MAX_HOLE_CARDS:
            met += second.get(hand, 0)
        total += weight * met
    return total


def _scaled(one: Range) -> dict[tuple[int, ...], Fraction]:
    largest = Fraction(max(one.values()))
    return {hand: weight / largest for hand, weight in one.items()}
