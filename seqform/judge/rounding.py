"""How far the values that the judge computes may be off by rounding."""

from math import comb

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF
from treeplex.seqform.judge.betting_rows import largest_stake
from treeplex.seqform.judge.range_hands import runouts

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
    most = (1.0 + float(largest_stake(game, betting))) * TERMS * _boards_of_shared_hands(game)
    # Products below the smallest normal float lose less than that one each, at every line and hand.
    lost = float(np.finfo(np.float64).tiny) * betting.n_nodes * len(hands[other].weight)
    return 2.0 * n * most * (UNIT_ROUNDOFF * weight + lost)


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
