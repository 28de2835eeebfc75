"""The ``TreeDeal`` of each board of a poker game: weights and strengths of hands, computed from the cards.

If suits are seen, a hand is a set of physical cards and is blocked by each of them. If only ranks are seen, a
hand is a rank, and the blocking depends on the number of cards of its rank left.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, lcm, prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards, Range
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.tree_arrays import Ints, TreeDeal

MAX_HOLE_CARDS = 2
"""With three or more cards, different hands could share two cards, which ``TreeDeal`` cannot express."""

_CODE = 1024
"""Larger than any card id."""


class Deals(Protocol):
    """The hands, streets and deals of a game, as the compiler of public trees uses them."""

    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The label of each hand of both players."""

    def n_streets(self, board: int, cards: int) -> int:
        """Return an upper bound on the number of streets of ``cards`` cards after ``board`` cards."""

    def streets(self, board: Cards, cards: int) -> Iterator[tuple[str, Cards]]:
        """Yield label and cards of each street that can follow a board, high to low."""

    def deal(self, board: Cards) -> TreeDeal | None:
        """Return the deal on a board; None if no pair of hands makes the board possible."""


def deals_of(game: PokerGame) -> Deals:
    """Return the deals of a game.

    Raises
    ------
    ValueError
        If a hand has more than two hole cards.
    """
    if game.hole_cards > MAX_HOLE_CARDS:
        raise BadInputError(f"a public tree needs 1 or {MAX_HOLE_CARDS} hole cards, got {game.hole_cards}")
    return RankDeals(game) if game.sees_ranks_only else CardDeals(game)


class CardDeals:
    """Deals of a game in which suits are seen.

    Two hands that share a card have weight 0: with two-card hands by keys, where inclusion-exclusion
    subtracts the hand that shares both cards twice; with one-card hands by ``same`` alone.
    """

    def __init__(self, game: PokerGame) -> None:
        self._game = game
        weights = [_integers(one) for one in game.reach]
        cards = [np.array(list(one), dtype=np.int64) for one in game.reach]
        held = _met(game, cards[0], cards[1]), _met(game, cards[1], cards[0])
        self._cards = cards[0][held[0]], cards[1][held[1]]
        self._weight = weights[0][held[0]], weights[1][held[1]]
        self._mate = mates(self._cards)
        self._same = self._product_with_mate()
        keyed = game.hole_cards if game.hole_cards > 1 else 0
        self._key = tuple(np.ascontiguousarray(c[:, :keyed], dtype=np.int32) for c in self._cards)
        self._flops = dict(game.flops or ())
        self._total = self._total_weight(self._weight, self._same)
        self._listed = sum((w * self._weight_on(cards) for cards, w in self._flops.items()), 0)
        first, second = ([game.hand_label(tuple(hand)) for hand in c.tolist()] for c in self._cards)
        self.hands = tuple(first), tuple(second)

    def n_streets(self, board: int, cards: int) -> int:
        """Return the number of sets of cards that can follow a board."""
        return (
            comb(len(self._game.deck.cards) - board, cards) if board or not self._flops else len(self._flops)
        )

    def streets(self, board: Cards, cards: int) -> Iterator[tuple[str, Cards]]:
        """Yield label and cards of each street, high to low."""
        for street, _ in self._game.streets(board, cards):
            yield self._game.deck.text(street), street

    def deal(self, board: Cards) -> TreeDeal | None:
        """Return the deal: hands that share a card with the board have weight 0, others their own.

        After a listed flop player 0's weights are multiplied by the flop's. Before it they belong to no
        payoff, as no hand is paid before the flop is turned up.
        """
        alive = self._alive(board)
        if not (_partners(self._cards[0][alive[0]], self._cards[1][alive[1]]) > 0).any():
            return None
        times, total, ways = self._chances(board)
        own = _multiplied(self._weight[0], times), self._weight[1]
        weight = [np.where(a, w, 0) for a, w in zip(alive, own, strict=True)]
        share = [np.repeat(w[:, None], k.shape[1], axis=1) for w, k in zip(weight, self._key, strict=True)]
        strength = [self._strength(c, a, board) for c, a in zip(self._cards, alive, strict=True)]
        return TreeDeal(
            weight=(weight[0], weight[1]),
            key=(self._key[0], self._key[1]),
            share=(share[0], share[1]),
            mate=self._mate,
            same=np.where(alive[0], _multiplied(self._same, times), 0),
            strength=(strength[0], strength[1]),
            den=total * ways,
        )

    def _alive(self, board: Cards) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        first, second = (np.asarray(~np.isin(cards, board).any(axis=1)) for cards in self._cards)
        return first, second

    def _chances(self, board: Cards) -> tuple[int, int, int]:
        """Return the weight of a board's flop, the weight of all pairs of hands, and the ways to a board."""
        ways = _ways_of_boards(self._game, board)
        if not self._flops or not board:
            return 1, self._total, ways
        flop = board[: len(next(iter(self._flops)))]
        return self._flops[flop], self._listed, ways // _ways_of_boards(self._game, flop)

    def _weight_on(self, flop: Cards) -> int:
        """Return the weight of disjoint pairs of hands that share no card with a flop."""
        alive = self._alive(flop)
        first, second = (np.where(a, w, 0) for a, w in zip(alive, self._weight, strict=True))
        return self._total_weight((first, second), np.where(alive[0], self._same, 0))

    def _product_with_mate(self) -> Ints:
        """Return ``same``: the product of a hand's and its mate's weights, negative for one-card hands."""
        sign = 1 if self._game.hole_cards > 1 else -1
        theirs = [int(self._weight[1][m]) if m >= 0 else 0 for m in self._mate]
        return narrow(sign * int(w) * other for w, other in zip(self._weight[0], theirs, strict=True))

    def _total_weight(self, weights: tuple[Ints, Ints], same: Ints) -> int:
        of_card = [Counter[int](), Counter[int]()]
        for counter, key, weight in zip(of_card, self._key, weights, strict=True):
            for cards, w in zip(key.tolist(), weight.tolist(), strict=True):
                for card in cards:
                    counter[card] += w
        shared = sum(w * of_card[1][card] for card, w in of_card[0].items())
        first, second = (sum(w.tolist()) for w in weights)
        return int(first * second - shared + sum(same.tolist()))

    def _strength(
        self, cards: NDArray[np.int64], alive: NDArray[np.bool_], board: Cards
    ) -> NDArray[np.int64]:
        strength = np.zeros(len(cards), np.int64)
        if len(board) < self._game.n_board:
            return strength
        if self._game.ranking == "holdem" and self._game.hole_cards == 2:
            strength[alive] = holdem_strength(board, cards[alive])
        else:
            strength[alive] = [self._game.strength(tuple(hand), board) for hand in cards[alive].tolist()]
        return strength


class RankDeals:
    """Deals of a game in which only ranks are seen, hands and boards alike.

    Given ranks g and h of the hands, the number of ways to deal a board is the product over its ranks b of
    n(b, t), the ways to deal b's cards when t = [b = g] + [b = h] of them are held. For g != h,
    n(b, t) n(b, 0) = n(b, [b = g]) n(b, [b = h]): the weight factors into one term a hand. ``same`` corrects
    the diagonal g = h.
    """

    def __init__(self, game: PokerGame) -> None:
        self._game = game
        self._copies = Counter(card // 4 for card in game.deck.cards if card not in game.board)
        of_card = [dict(zip(one, _integers(one).tolist(), strict=True)) for one in game.reach]
        self._both = _by_rank({hand: w * of_card[1].get(hand, 0) for hand, w in of_card[0].items()})
        of_rank = [_by_rank(weights) for weights in of_card]
        totals = [sum(weights.values()) for weights in of_rank]
        self._total = totals[0] * totals[1] - sum(self._both.values())
        self._weight = [
            {rank: w for rank, w in weights.items() if w * other > self._both[rank]}
            for weights, other in zip(of_rank, reversed(totals), strict=True)
        ]
        first, second = (tuple(game.hand_label((4 * rank,)) for rank in weights) for weights in self._weight)
        self.hands = first, second
        place = {rank: i for i, rank in enumerate(self._weight[1])}
        self._mate = np.array([place.get(rank, -1) for rank in self._weight[0]], np.int32)

    def n_streets(self, board: int, cards: int) -> int:
        """Return the number of multisets of ranks."""
        return comb(len(self._copies) + cards - 1, cards)

    def streets(self, board: Cards, cards: int) -> Iterator[tuple[str, Cards]]:
        """Yield label and cards of each street, high to low; one card stands for all of its rank."""
        gone = Counter(card // 4 for card in board[len(self._game.board) :])
        for ranks in combinations_with_replacement(sorted(self._copies, reverse=True), cards):
            if all(gone[rank] + n <= self._copies[rank] for rank, n in Counter(ranks).items()):
                street = tuple(4 * rank for rank in ranks)
                yield "".join(self._game.deck.rank_text[card] for card in street), street

    def deal(self, board: Cards) -> TreeDeal | None:
        """Return the deal on a board of ranks."""
        drawn = self._drawn(board)
        total = prod(self._ways(rank, counts, 0) for rank, counts in drawn.items())
        rows = [[w * self._factor(rank, 1, drawn) for rank, w in one.items()] for one in self._weight]
        same = [self._diagonal(rank, drawn, total) for rank in self._weight[0]]
        if sum(rows[0]) * sum(rows[1]) + sum(same) == 0:
            return None
        weight = narrow(rows[0]), narrow(rows[1])
        no_keys = [np.zeros((len(row), 0), np.int32) for row in rows]
        return TreeDeal(
            weight=weight,
            key=(no_keys[0], no_keys[1]),
            share=(no_keys[0].astype(np.int64), no_keys[1].astype(np.int64)),
            mate=self._mate,
            same=narrow(same),
            strength=(self._strength(0, weight[0], board), self._strength(1, weight[1], board)),
            den=self._total * _ways_of_boards(self._game, board) * total,
        )

    def _drawn(self, board: Cards) -> dict[int, list[int]]:
        """Return the number of cards of each rank on each street of the board."""
        drawn: dict[int, list[int]] = {}
        start = len(self._game.board)
        for street, size in enumerate(self._game.board_cards):
            for card in board[start : start + size]:
                drawn.setdefault(card // 4, [0] * len(self._game.board_cards))[street] += 1
            start += size
        return drawn

    def _ways(self, rank: int, counts: Iterable[int], held: int) -> int:
        return _ways(max(self._copies[rank] - held, 0), counts)

    def _factor(self, hand: int, held: int, drawn: dict[int, list[int]]) -> int:
        """Return the number of ways to deal the board's cards when ``held`` copies of one rank are held."""
        return prod(self._ways(rank, counts, held * (rank == hand)) for rank, counts in drawn.items())

    def _diagonal(self, rank: int, drawn: dict[int, list[int]], total: int) -> int:
        """Return the exact weight of two hands of one rank minus the product of their factors."""
        product = self._weight[0][rank] * self._weight[1].get(rank, 0)
        if product == 0:
            return 0
        pairs = product - self._both[rank]
        return total * pairs * self._factor(rank, 2, drawn) - product * self._factor(rank, 1, drawn) ** 2

    def _strength(self, player: int, weight: Ints, board: Cards) -> NDArray[np.int64]:
        strength = np.zeros(len(weight), np.int64)
        if len(board) == self._game.n_board:
            for i, rank in enumerate(self._weight[player]):
                strength[i] = self._game.strength((4 * rank,), board) if weight[i] else 0
        return strength


def narrow(values: Iterable[int]) -> Ints:
    """Return integers as int64, or as Python ints where one does not fit."""
    values = list(values)
    fits = all(-(2**63) <= value < 2**63 for value in values)
    return np.array(values, dtype=np.int64 if fits else object)


def _multiplied(values: Ints, times: int) -> Ints:
    return values if times == 1 else narrow(times * int(value) for value in values)


def _integers(one: Range) -> Ints:
    """Return the weights of a range as integers, up to their common denominator."""
    scale = lcm(*(Fraction(w).denominator for w in one.values()))
    return narrow(int(w * scale) for w in one.values())


def _by_rank(of_hand: Mapping[Cards, int]) -> Counter[int]:
    of_rank = Counter[int]()
    for (card,), weight in of_hand.items():
        of_rank[card // 4] += weight
    return of_rank


def _ways(cards: int, streets: Iterable[int]) -> int:
    """Return the number of ways to deal streets of the given sizes from ``cards`` cards."""
    ways = 1
    for size in streets:
        ways, cards = ways * comb(max(cards, 0), size), cards - size
    return ways


def _ways_of_boards(game: PokerGame, board: Cards) -> int:
    """Return the number of ways to deal the streets up to a board when both hands are held."""
    left = len(game.deck.cards) - len(game.board) - 2 * game.hole_cards
    rounds = np.searchsorted(np.cumsum(game.board_cards), len(board) - len(game.board), side="right")
    return _ways(left, game.board_cards[:rounds])


def _met(game: PokerGame, cards: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each hand can be dealt: with one of the other player's, and with a listed flop."""
    if game.flops is None:
        return _partners(cards, others) > 0
    met = np.zeros(len(cards), np.bool_)
    for flop, _ in game.flops:
        alive = ~np.isin(cards, flop).any(axis=1)
        met[alive] |= _partners(cards[alive], others[~np.isin(others, flop).any(axis=1)]) > 0
    return met


def _partners(cards: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each hand the number of the other player's hands that share no card with it."""
    held = np.bincount(others.ravel(), minlength=_CODE)
    twice = np.isin(codes(cards), codes(others)) if cards.shape[1] > 1 else 0
    return np.asarray(len(others) - held[cards].sum(axis=1) + twice)


def codes(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a unique integer for each hand (H, K)."""
    return cards @ _CODE ** np.arange(cards.shape[1])


def mates(cards: tuple[NDArray[np.int64], NDArray[np.int64]]) -> NDArray[np.int32]:
    """Return for each of player 0's hands the index of player 1's equal hand, -1 if there is none."""
    place = {code: i for i, code in enumerate(codes(cards[1]).tolist())}
    return np.array([place.get(code, -1) for code in codes(cards[0]).tolist()], np.int32)
