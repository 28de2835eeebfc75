"""The boards of a poker game up to permutations of suits, in preorder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.display.shown import Shown
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.board_hands import Board, BoardHands, Hands, Index, cards_dealt
from treeplex.seqform.factored.suit_symmetry import Group, orbits, stabiliser, symmetries


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
