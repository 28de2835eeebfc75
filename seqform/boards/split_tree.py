"""A poker game split after a street into a trunk and the subgames below it.

The boards of the trunk and of subgames represent real boards.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import index

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree, cards_dealt
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.real_boards import RealBoard, boards_to
from treeplex.seqform.boards.suit_symmetry import Group, renamed, stabiliser, symmetries
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS


@dataclass(frozen=True, repr=False)
class SplitTree(Shown):
    """A poker game split after a street: the trunk, and one subgame for each line on each of its last boards.

    Bowling, Burch, Johanson and Tammelin (Heads-up limit hold'em poker is solved, 2015) split limit hold'em
    after the flop: the subgames are 63 lines on 1,755 flops. A subgame begins with a deal of cards.

    Attributes
    ----------
    game : PokerGame
    street : int
        The last street of the trunk, counted in deals of board cards.
    trunk : FactoredTree
        The betting of all streets, on the boards of the streets up to ``street``.
    """

    game: PokerGame
    street: int
    trunk: FactoredTree

    @staticmethod
    def of(game: PokerGame, street: int | None = None, *, report: Report = quiet) -> "SplitTree":
        """Split a game.

        Parameters
        ----------
        game : PokerGame
            With one or two hole cards, board cards to come, and without locks.
        street : int, optional
            From 0 (1 if flops are listed) to the last street but one; in the middle unless given, which is
            the flop in hold'em.
        report : callable, optional
            Told a few times a second how much is listed.

        Raises
        ------
        ValueError
            If the game or the street is none of these.
        """
        dealt = cards_dealt(game)
        if not dealt or game.hole_cards > MAX_HOLE_CARDS or game.locks:
            raise BadInputError(
                f"a game that is split must have board cards to come, at most {MAX_HOLE_CARDS} hole cards "
                f"and no locks, got {game.name}"
            )
        after = len(dealt) // 2 if street is None else index(street)
        if not 0 <= after < len(dealt):
            raise BadInputError(f"{game.name} can be split after street 0 to {len(dealt) - 1}, got {after}")
        if after == 0 and game.flops is not None:
            raise BadInputError(
                f"{game.name} lists flops, which hands see that end before: split it later, got 0"
            )
        boards = BoardTree.of(game, until=after, report=report)
        for board in np.flatnonzero(boards.street == after).tolist():
            if not boards.can_be_dealt(board):
                on = game.deck.text(boards.cards[board])
                raise BadInputError(
                    f"{game.name} cannot be split there: its ranges hold no two hands on {on}"
                )
        return SplitTree(game, after, FactoredTree.of(game, BettingTree.of(game, report=report), boards))

    def brief(self) -> str:
        """Return the game and the number of subgames."""
        return f"{self.game.name}: {self.n_subgames:,} subgames"

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The nodes of the betting at which the last street of the trunk ends and cards are dealt."""
        betting = self.trunk.betting
        leaving = (betting.player == CHANCE) & (betting.street == self.street)
        return tuple(np.flatnonzero(leaving).tolist())

    @cached_property
    def flops(self) -> tuple[int, ...]:
        """The last boards of the trunk, in its order."""
        return tuple(np.flatnonzero(self.trunk.boards.street == self.street).tolist())

    @property
    def n_subgames(self) -> int:
        """Number of subgames."""
        return len(self.lines) * len(self.flops)

    def subgame(self, flop: int, line: int) -> PokerGame:
        """Return the game that begins at the end of a line on a board, by their numbers in the lists."""
        state = self.game.point(self.trunk.betting.line[self.lines[line]]).betting
        return subgame_of(self.game, state, self.trunk.boards.cards[self.flops[flop]])

    def group(self, flop: int) -> Group:
        """Return the suit permutations that fix the whole game and a board, street by street."""
        found, boards, board = symmetries(self.game), self.trunk.boards, self.flops[flop]
        while boards.parent[board] >= 0:
            known = len(boards.cards[boards.parent[board]])
            found = stabiliser(found, boards.cards[board][known:])
            board = int(boards.parent[board])
        return found

    def boards(self, flop: int) -> BoardTree:
        """Return the boards of every subgame on a board.

        They are not merged where the subgames have symmetries that the whole game lacks, by hands of its
        ranges that are dead on the board or by other boards of its list: plans before the subgames tell
        apart what these would merge.
        """
        game = self.subgame(flop, 0)
        return BoardTree.of(game, isomorphism=self.group(flop) == symmetries(game))

    def tree(self, flop: int, line: int, boards: BoardTree) -> FactoredTree:
        """Return the tree of a subgame; ``boards`` are those of its flop."""
        game = self.subgame(flop, line)
        return FactoredTree.of(game, BettingTree.of(game), boards)


TreeOf = Callable[[int, int], FactoredTree]
"""Returns the tree of a subgame by its flop and line."""


def trees_of(split: SplitTree) -> TreeOf:
    """Return the trees of subgames; the last one and the boards of its flop are kept."""
    boards = lru_cache(maxsize=1)(split.boards)
    return lru_cache(maxsize=1)(lambda flop, line: split.tree(flop, line, boards(flop)))


def n_trunk_cards(split: SplitTree) -> int:
    """Return the number of cards of the last boards of the trunk."""
    return len(split.trunk.boards.cards[split.flops[0]])


def flop_of(split: SplitTree, cards: Cards) -> tuple[int, RealBoard]:
    """Return the number of the flop that represents a board's first cards, and how it does.

    Parameters
    ----------
    split : SplitTree
    cards : tuple of card ids
        In the order of dealing, the starting board first; of the trunk's last street or later.

    Raises
    ------
    ValueError
        If the cards are not those of a board of the game.
    """
    found = boards_to(split.game, split.trunk.boards, cards[: n_trunk_cards(split)])[-1]
    return split.flops.index(found.image), found


def below(split: SplitTree, boards: BoardTree, flop: int, before: RealBoard, cards: Cards) -> RealBoard:
    """Return how a board is represented by those of the subgames on a flop.

    Parameters
    ----------
    split : SplitTree
    boards : BoardTree
        Of the subgames.
    flop : int
    before : RealBoard
        How the flop represents the board's first cards; as :func:`flop_of` returns both.
    cards : tuple of card ids
        All of the board.

    Raises
    ------
    ValueError
        If the cards are not those of a board of the game.
    """
    rest = renamed(before.permutation, cards[len(before.cards) :])
    found = boards_to(split.subgame(flop, 0), boards, (*boards.cards[0], *rest))[-1]
    both = tuple(found.permutation[suit] for suit in before.permutation)
    return replace(found, cards=cards, permutation=both, street=split.street + found.street)
