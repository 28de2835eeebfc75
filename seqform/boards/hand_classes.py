"""One board of the last street as a tree of its own, with hands that suits alone tell apart in one class."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.seqform.boards.board_tree import BoardTree, Hands, Places
from treeplex.seqform.boards.suit_symmetry import Group, representatives
from treeplex.seqform.forms.treeplex import Floats, Index

ALIKE = 1e-9
"""Numbers of hands that suits alone tell apart may differ by so much, in parts of the largest."""


@dataclass(frozen=True, eq=False)
class HandClasses:
    """Both players' hands on a board in classes; W hands of a player in C classes, those of W alike.

    Attributes
    ----------
    boards : BoardTree
        The board alone. A class has a hand's place in it, as the first of its hands, and the weight of all.
    first : pair of (C,) int64
        The position of the first hand of each class on the board.
    of : pair of (W,) int64
        The class of each hand.
    """

    boards: BoardTree
    first: tuple[Index, Index]
    of: tuple[Index, Index]

    @staticmethod
    def under(group: Group, boards: BoardTree) -> "HandClasses":
        """Return the classes of hands that permutations of suits make of each other.

        Parameters
        ----------
        group : Group
            Permutations that fix the board and both ranges.
        boards : BoardTree
            As of :func:`one_board`.
        """
        first, of = [], []
        for hands in boards.hands:
            kept, number = np.unique(representatives(group, hands.cards)[0], return_inverse=True)
            first.append(kept)
            of.append(number)
        merged = [_merged(hands, group, first[p], of[p], of[1 - p]) for p, hands in enumerate(boards.hands)]
        alone = replace(boards, hands=(merged[0], merged[1]))
        return HandClasses(alone, (first[0], first[1]), (of[0], of[1]))

    def are_alike(self, player: int, *numbers: Floats) -> bool:
        """Return whether numbers (W,) are those of the first hand in every class, up to rounding."""
        first = self.first[player][self.of[player]]
        return all(np.abs(one - one[first]).max() <= ALIKE * np.abs(one).max() for one in numbers)

    def totals(self, player: int, numbers: Floats) -> Floats:
        """Return the sums of numbers (W,) over the hands of each class, (C,)."""
        return _totals(self.of[player], numbers, len(self.first[player]))


def _merged(hands: Hands, group: Group, first: Index, of: Index, of_others: Index) -> Hands:
    """Return a player's hands, one for each class."""
    size, places = np.bincount(of, minlength=len(first)), np.arange(len(first)).astype(np.uint16)
    mate = np.append(of_others, of_others.max(initial=-1) + 1)[hands.mate[first]]
    smallest, many = _cards(group, hands.cards)
    copies = None
    if len(first) < len(of):
        copies = np.column_stack([many[first], size]).astype(np.uint8)
    return Hands(
        cards=smallest[first],
        weight=_totals(of, hands.weight, len(first)),
        start=np.array([0, len(first)], np.int64),
        hand=places,
        above=places,
        home=places,
        mate=mate.astype(np.uint16),
        first=places,
        size=np.ones(len(first), np.uint8),
        group_start=np.searchsorted(first, hands.group_start).astype(np.uint16),
        copies=copies,
    )


def _totals(of: Index, numbers: Floats, count: int) -> Floats:
    return np.bincount(of, numbers, count).astype(np.float64)


def _cards(group: Group, cards: Index) -> tuple[Index, Index]:
    """Return for each card of hands (W, K) the first card that is alike, and how many are, (W, K) each."""
    used, place = np.unique(cards, return_inverse=True)
    first, many = representatives(group, used[:, None])
    return used[first][place].reshape(cards.shape), many[place].reshape(cards.shape)


def one_board(boards: BoardTree, board: int) -> BoardTree:
    """Return a board of the last street as a tree of its own, without suits merged.

    Hands are numbered as they lie on the board, by strength.
    """
    number = int((boards.street[:board] == boards.street.max()).sum())
    first, second = (_alone(hands, board, number) for hands in boards.hands)
    return BoardTree(
        street=np.zeros(1, np.int8),
        parent=np.full(1, -1, np.int32),
        ways=np.ones(1, np.int32),
        cards=(boards.cards[board],),
        symmetric=np.zeros(1, np.bool_),
        hands=(first, second),
        runouts=(1.0,),
    )


def _alone(hands: Hands, board: int, number: int) -> Hands:
    on = hands.on(board)
    live = hands.hand[on].astype(np.int64)
    places: Places = np.arange(len(live)).astype(np.uint16)
    return Hands(
        cards=hands.cards[live],
        weight=hands.weight[live],
        start=np.array([0, len(live)], np.int64),
        hand=places,
        above=places,
        home=places,
        mate=hands.mate[on],
        first=places,
        size=np.ones(len(live), np.uint8),
        group_start=hands.group_start[number : number + 1],
    )
