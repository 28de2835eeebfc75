"""The boards of a poker game up to permutations of suits, in preorder, with the live hands on each.

Both players' hands have positions and orbits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import Cards, scaled_weights
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.suit_symmetry import (
    Group,
    orbits,
    representatives,
    stabiliser,
    symmetries,
)
from treeplex.seqform.trees.poker_deals import mates

Places = NDArray[np.uint16]
Index = NDArray[np.int64]


@dataclass(frozen=True)
class Hands:
    """One player's hands, and the live hands of each board with their positions.

    On the last street a board's live hands are sorted by strength, weakest first; before, as in ``cards``.

    Attributes
    ----------
    cards : (H, K) int64
        Card ids of each hand, increasing; hands in the order of the game's range.
    weight : (H,) float64
        The range, divided by its largest weight.
    start : (B + 1,) int64
        First entry of each board in the arrays below.
    hand : (.,) uint16
        The live hands of each board, as indices into ``cards``.
    above : (.,) uint16
        The hand's position on the parent board.
    home : (.,) uint16
        Position on the parent board of the first hand of the hand's orbit, under the suit permutations that
        fix the parent board.
    mate : (.,) uint16
        Position of the opponent's equal hand on the board; the number of the opponent's live hands if none.
    first : (.,) uint16
        Position on this board of the first hand of the hand's orbit, under the permutations that fix this
        board.
    size : (.,) uint8
        Number of hands of that orbit.
    group_start : (last boards, G + 1) uint16
        For each board of the last street, the first position of each strength; the strengths are those of
        either player's hands. Padded with the last entry.
    copies : (., 3) uint8 or None
        For how many cards of the deck the first and the second stand, and for how many hands the hand, where
        one stands for all that permutations of suits make of it; None where each stands for itself.
    """

    cards: NDArray[np.int64]
    weight: NDArray[np.float64]
    start: NDArray[np.int64]
    hand: Places
    above: Places
    home: Places
    mate: Places
    first: Places
    size: NDArray[np.uint8]
    group_start: Places
    copies: NDArray[np.uint8] | None = None

    def on(self, board: int) -> slice:
        """Return the slice of a board in ``hand`` and the arrays of the same length."""
        return slice(self.start[board], self.start[board + 1])


class Board(NamedTuple):
    """A board of the tree under construction."""

    street: int
    parent: int
    ways: int
    cards: Cards
    group: Group


def cards_dealt(game: PokerGame) -> list[int]:
    """Return the number of board cards of each deal."""
    return [n for n in game.board_cards if n]


class BoardHands:
    """Builder of both players' ``Hands`` from the boards of a tree."""

    def __init__(self, game: PokerGame, nodes: list[Board], report: Report = quiet) -> None:
        self._report = report
        self._game, self._nodes, self._last = game, nodes, len(cards_dealt(game))
        self._cards = [np.array([*one], np.int64).reshape(len(one), -1) for one in game.reach]
        first, second = self._cards
        self._mate = mates((first, second)), mates((second, first))
        self._hand: list[tuple[Index, Index]] = []
        self._groups: list[tuple[Index, Index]] = []
        for node in self._reported(nodes):
            self._add_board(node)

    def hands(self, player: int) -> Hands:
        """Return a player's hands."""
        live = [pair[player] for pair in self._hand]
        above: list[Index] = []
        home: list[Index] = []
        mate: list[Index] = []
        first: list[Index] = []
        size: list[Index] = []
        for b, node in enumerate(self._reported(self._nodes)):
            up = self._places(player, node.parent)[live[b]] if b else np.arange(len(live[0]))
            others = self._places(1 - player, b)
            mates = self._mate[player][live[b]]
            mate.append(np.where(mates < 0, len(self._hand[b][1 - player]), others[mates]))
            above.append(up)
            home.append(first[node.parent][up] if b else up)
            to, many = representatives(node.group, self._cards[player][live[b]])
            first.append(to)
            size.append(many)
        groups = [pair[player] for pair in self._groups]
        longest = max(map(len, groups), default=0)
        return Hands(
            cards=self._cards[player],
            weight=np.array(scaled_weights(self._game.reach[player])),
            start=np.concatenate([[0], np.cumsum([len(one) for one in live])]).astype(np.int64),
            hand=_short(live),
            above=_short(above),
            home=_short(home),
            mate=_short(mate),
            first=_short(first),
            size=np.concatenate(size).astype(np.uint8),
            group_start=np.array(
                [np.pad(g, (0, longest - len(g)), mode="edge") for g in groups], dtype=np.uint16
            ).reshape(len(groups), longest),
        )

    def _reported(self, nodes: list[Board]) -> Iterator[Board]:
        name, every = self._game.name, len(nodes)
        return reported(nodes, self._report, lambda n: f"{name}: hands on {n:,} of {every:,} boards")

    def _add_board(self, node: Board) -> None:
        """Append both players' live hands of a board, in order."""
        live = [np.flatnonzero(~np.isin(cards, node.cards).any(axis=1)) for cards in self._cards]
        if node.street == self._last:
            strength = [
                self._strength(cards[i], node.cards) for cards, i in zip(self._cards, live, strict=True)
            ]
            live = [i[np.argsort(s, kind="stable")] for i, s in zip(live, strength, strict=True)]
            scale = np.unique(np.concatenate(strength))
            first, second = (np.append(np.searchsorted(np.sort(s), scale), len(s)) for s in strength)
            self._groups.append((first, second))
        self._hand.append((live[0], live[1]))

    def _strength(self, hands: Index, board: Cards) -> Index:
        if self._game.ranking == "holdem" and self._game.hole_cards == 2:
            return holdem_strength(board, hands)
        return np.array([self._game.strength(tuple(hand), board) for hand in hands.tolist()], np.int64)

    def _places(self, player: int, board: int) -> Index:
        """Return the position of each hand on a board, (H,), -1 if it is dead."""
        hand = self._hand[board][player]
        place = np.full(len(self._cards[player]), -1)
        place[hand] = np.arange(len(hand))
        return place


def _short(parts: list[Index]) -> Places:
    return np.concatenate(parts).astype(np.uint16)


@dataclass(frozen=True, repr=False)
class BoardTree(Shown):
    """Boards in preorder, the starting one first; one of each class under permutations of suits.

    At each chance node one set of next cards of each orbit is listed, under the group of suit permutations
    that fix the parent board and both ranges. Values of the parent's hands are equal within each orbit O of
    hands; the ``ways`` boards of a class together add to each hand of O
    ``ways / |O| * sum of the listed board's values over O``.

    Attributes
    ----------
    street : (B,) int8
        Number of deals of board cards.
    parent : (B,) int32
        -1 for the starting board.
    ways : (B,) int64
        Number of children of the parent in its class; with listed flops their total weight.
    cards : tuple of B tuples of card ids
        In the order of dealing.
    symmetric : (B,) bool
        Whether a suit permutation other than the identity fixes the board and both ranges.
    hands : pair of Hands
    runouts : tuple of floats
        For each street, the number of ways to deal its board from the starting one, both hands given; with
        listed flops, each counts as often as its weight says, whatever the hands.
    """

    street: NDArray[np.int8]
    parent: NDArray[np.int32]
    ways: NDArray[np.int64]
    cards: tuple[Cards, ...]
    symmetric: NDArray[np.bool_]
    hands: tuple[Hands, Hands]
    runouts: tuple[float, ...]

    def brief(self) -> str:
        """Return the number of boards."""
        return f"{self.n_boards:,} boards"

    @property
    def n_boards(self) -> int:
        """Number of boards."""
        return len(self.street)

    @property
    def is_merged(self) -> bool:
        """Whether a board stands for several that suits alone tell apart."""
        return bool(self.symmetric[self.parent[1:]].any())

    @cached_property
    def end(self) -> Index:
        """One past the last board of each board's subtree, (B,)."""
        end = np.arange(1, self.n_boards + 1)
        for board in range(self.n_boards - 1, 0, -1):
            end[self.parent[board]] = max(end[self.parent[board]], end[board])
        return end

    def can_be_dealt(self, board: int) -> bool:
        """Return whether a live hand of one player shares no card with one of the other's."""
        first, second = (hands.cards[hands.hand[hands.on(board)]] for hands in self.hands)
        return any(not np.isin(second, hand).any(axis=1).all() for hand in first)

    @staticmethod
    def of(
        game: PokerGame, *, isomorphism: bool = True, until: int | None = None, report: Report = quiet
    ) -> "BoardTree":
        """List the boards of a game.

        Parameters
        ----------
        game : PokerGame
            With one or two hole cards. Hidden suits are treated as visible; since no ranking of such games
            uses them, values are the same.
        isomorphism : bool, default True
            Whether boards are merged under permutations of suits.
        until : int, optional
            The last street whose boards are listed; all streets unless given.
        report : callable, optional
            Told a few times a second how many boards there are so far.
        """
        group = symmetries(game)
        boards = _boards(game, group if isomorphism else group[:1], until)
        listed = list(reported(boards, report, lambda n: f"{game.name}: {n:,} boards so far"))
        return _tree(game, listed, report)


def _boards(game: PokerGame, group: Group, until: int | None) -> Iterator[Board]:
    """Yield boards in preorder, those of the street ``until`` last."""
    stack, here = [Board(0, -1, 1, game.board, group)], -1
    dealt = cards_dealt(game)
    while stack:
        node = stack.pop()
        here += 1
        yield node
        if node.street in (len(dealt), until):
            continue
        streets = dict(game.streets(node.cards, dealt[node.street]))
        nexts = orbits(node.group, [*streets])
        stack += [
            Board(
                node.street + 1,
                here,
                n_alike * streets[cards],
                node.cards + cards,
                stabiliser(node.group, cards),
            )
            for cards, n_alike in reversed(nexts.items())
        ]


def _tree(game: PokerGame, nodes: list[Board], report: Report) -> BoardTree:
    deals = BoardHands(game, nodes, report)
    return BoardTree(
        street=np.array([node.street for node in nodes], np.int8),
        parent=np.array([node.parent for node in nodes], np.int32),
        ways=np.array([node.ways for node in nodes], np.int64),
        cards=tuple(node.cards for node in nodes),
        symmetric=np.array([len(node.group) > 1 for node in nodes]),
        hands=(deals.hands(0), deals.hands(1)),
        runouts=_runouts(game),
    )


def _runouts(game: PokerGame) -> tuple[float, ...]:
    left, ways = len(game.deck.cards) - len(game.board) - 2 * game.hole_cards, [1.0]
    for street, n in enumerate(cards_dealt(game)):
        listed = street == 0 and game.flops is not None
        ways.append(ways[-1] * (sum(dict(game.flops or ()).values()) if listed else comb(left, n)))
        left -= n
    return tuple(ways)
