"""Certificates of factored strategies: intervals for the value, by best responses on every real board."""

import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.games.cards.deck import Range, held
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.judge.board_walk import BoardWalk
from treeplex.seqform.judge.rounding import hand_rounding
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS


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
    :func:`treeplex.seqform.judge.rounding.hand_rounding`.

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
    pairs = float(pair_weight(game))
    earned, best = ([amount / pairs for amount in both] for both in walk.worth())
    off = _rounding(game, strategy.tree) / pairs
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


def _rounding(game: PokerGame, tree: FactoredTree) -> float:
    """Bound the rounding error of either best response, and of the expected payoff, times the pair weight."""
    most = [float(hands.weight.sum()) for hands in tree.boards.hands]
    return max(most[p] * hand_rounding(game, tree, 1 - p, most[1 - p]) for p in (0, 1))
