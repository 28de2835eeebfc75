"""Preflop hold'em: the 169 classes of hands, and wins and ties of each pair of classes over all boards."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import N_CARDS, RANKS, SUITS
from treeplex.games.cards.evaluator import NO_CARDS, Tables, strength_of, tables
from treeplex.games.cards.ranges import Hand, parse_range

Ints = NDArray[np.int64]

N_BOARDS = comb(N_CARDS - 4, 5)
"""Boards of five cards without the cards of two disjoint hands: 1,712,304."""
MAX_PAIRS = 1_000
"""The largest number of pairs of hands that are compared board by board, about 5 ms each."""
_SIDE = len(RANKS)


def _label(row: int, column: int) -> str:
    """Return the class in a cell of the 13 x 13 square, aces in the corner, suited above the diagonal."""
    high, low = RANKS[-1 - min(row, column)], RANKS[-1 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


CLASSES = tuple(_label(row, column) for row, column in product(range(_SIDE), repeat=2))
"""The labels of the 169 classes, AA, AKs, ..., A2s, AKo, KK, ..., 22: rows of the 13 x 13 square."""


def class_of(hand: Hand) -> int:
    """Return the class of two different cards, in either order, as an index into ``CLASSES``."""
    (low, low_suit), (high, high_suit) = sorted(divmod(card, len(SUITS)) for card in hand)
    row, column = _SIDE - 1 - high, _SIDE - 1 - low
    return _SIDE * row + column if low_suit == high_suit else _SIDE * column + row


@cache
def class_hands() -> tuple[tuple[Hand, ...], ...]:
    """Return the 4, 6 or 12 hands of each class, in order of ``CLASSES``."""
    hands: list[list[Hand]] = [[] for _ in CLASSES]
    for hand in combinations(range(N_CARDS), 2):
        hands[class_of(hand)].append(hand)
    return tuple(map(tuple, hands))


@dataclass(frozen=True)
class Matchups:
    """Showdowns of each pair of classes: counts over all pairs of disjoint hands and all boards.

    Attributes
    ----------
    pairs : (169, 169) int64
        Pairs of disjoint hands, the first of the row's class and the second of the column's; 1,624,350 in
        all. Each pair has 1,712,304 boards.
    wins, ties : (169, 169) int64
        Number of (pair, board) on which the row's hand wins; on which the hands tie.
    """

    pairs: Ints
    wins: Ints
    ties: Ints

    @property
    def losses(self) -> Ints:
        """Number of (pair, board) on which the row's hand loses, (169, 169)."""
        return self.wins.T


class Equity(NamedTuple):
    """Probabilities of winning and tying a showdown, and ``equity = win + tie / 2``."""

    win: Fraction
    tie: Fraction
    equity: Fraction


@cache
def preflop_matchups() -> Matchups:
    """Return the counts of all pairs of classes, from the file that ``preflop_table`` writes.

    Returns
    -------
    Matchups
        Exact counts; the arrays are read-only.
    """
    with (
        files("treeplex.games.cards").joinpath("data", "preflop.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as stored,
    ):
        wins = stored["wins"].astype(np.int64)
    pairs = _count_pairs()
    # ties = showdowns - wins - losses
    matchups = Matchups(pairs, wins, pairs * N_BOARDS - wins - wins.T)
    for array in (matchups.pairs, matchups.wins, matchups.ties):
        array.flags.writeable = False
    return matchups


def _count_pairs() -> Ints:
    """Return the number of pairs of disjoint hands of each pair of classes, by inclusion-exclusion."""
    holding = np.zeros((len(CLASSES), N_CARDS), dtype=np.int64)
    for cls, hands in enumerate(class_hands()):
        np.add.at(holding[cls], np.array(hands).ravel(), 1)
    size = holding.sum(axis=1) // 2
    # a pair of equal hands is subtracted for each of its two cards: add it back once
    pairs: Ints = np.outer(size, size) - holding @ holding.T + np.diag(size)
    return pairs


def equity(first: str, second: str) -> Equity:
    """Return the exact preflop equity of the first of two ranges.

    The probability of a pair of disjoint hands is proportional to the product of its weights; boards are
    equally likely.

    Parameters
    ----------
    first, second : str
        Ranges as :func:`parse_range` reads them: a class such as ``AKs``, a hand such as
        ``AsKd``, ``random``, or ``22+,AK:0.5``. Unless one of them gives all hands of a class one weight,
        pairs of hands are compared one by one on all their boards, up to 1,000 of them.

    Returns
    -------
    Equity
        Probabilities as Fractions.

    Raises
    ------
    ValueError
        If a range cannot be read, no two hands are disjoint, or there are too many pairs to compare.
    """
    ranges = parse_range(first), parse_range(second)
    counts = _by_classes(*ranges) if any(map(_is_uniform_in_classes, ranges)) else _by_hands(*ranges)
    win, tie, showdowns = counts
    if showdowns == 0:
        raise BadInputError(f"two hands must have no card in common, got {first!r} and {second!r}")
    return Equity(win / showdowns, tie / showdowns, (win + tie / 2) / showdowns)


def _is_uniform_in_classes(weights: Mapping[Hand, Fraction]) -> bool:
    """Return whether all hands of a class have one weight."""
    return all(len({weights.get(hand, 0) for hand in hands}) == 1 for hands in class_hands())


def _by_classes(
    first: Mapping[Hand, Fraction], second: Mapping[Hand, Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the weights of wins, of ties and of all showdowns, from the counts of pairs of classes.

    If one range is symmetric under permutations of suits, all hands of a class have the same equity against
    it; so each class of the other range is weighted by its mean.
    """
    matchups = preflop_matchups()
    rows, columns = _class_weights(first), _class_weights(second)
    win, tie, pairs = Fraction(0), Fraction(0), Fraction(0)
    for (c, u), (d, v) in product(rows.items(), columns.items()):
        win += u * v * int(matchups.wins[c, d])
        tie += u * v * int(matchups.ties[c, d])
        pairs += u * v * int(matchups.pairs[c, d])
    return win, tie, pairs * N_BOARDS


def _class_weights(weights: Mapping[Hand, Fraction]) -> dict[int, Fraction]:
    """Return the mean weight of each class of positive weight."""
    totals: dict[int, Fraction] = {}
    for hand, weight in weights.items():
        cls = class_of(hand)
        totals[cls] = totals.get(cls, Fraction(0)) + weight
    return {cls: total / len(class_hands()[cls]) for cls, total in totals.items()}


def _by_hands(
    first: Mapping[Hand, Fraction], second: Mapping[Hand, Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the weights of wins, of ties and of all showdowns, from all pairs of hands and all boards."""
    pairs = [(g, h) for g, h in product(first, second) if not set(g) & set(h)]
    if len(pairs) > MAX_PAIRS:
        raise BadInputError(
            f"two ranges that look at suits may have {MAX_PAIRS:,} pairs of hands at most, got {len(pairs):,}"
        )
    win, tie, total = Fraction(0), Fraction(0), Fraction(0)
    for g, h in pairs:
        weight = first[g] * second[h]
        wins, ties = _count_boards(tables(), *g, *h)
        win, tie, total = win + weight * wins, tie + weight * ties, total + weight
    return win, tie, total * N_BOARDS


@njit(cache=True)
def _count_boards(tables: Tables, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Return the numbers of boards on which the hand (a, b) beats (c, d), and on which they tie."""
    w, s = tables.word, tables.suited
    deck = np.array([card for card in range(N_CARDS) if card not in (a, b, c, d)])
    mine, my_suits = w[a] + w[b], s[a] | s[b]
    other, other_suits = w[c] + w[d], s[c] | s[d]
    wins, ties = 0, 0
    for i in range(len(deck)):
        wi, si = NO_CARDS + w[deck[i]], s[deck[i]]
        for j in range(i):
            wj, sj = wi + w[deck[j]], si | s[deck[j]]
            for k in range(j):
                wk, sk = wj + w[deck[k]], sj | s[deck[k]]
                for m in range(k):
                    wm, sm = wk + w[deck[m]], sk | s[deck[m]]
                    for n in range(m):
                        word, suited = wm + w[deck[n]], sm | s[deck[n]]
                        gap = strength_of(tables, word + mine, suited | my_suits) - strength_of(
                            tables, word + other, suited | other_suits
                        )
                        wins += gap > 0
                        ties += gap == 0
    return wins, ties
