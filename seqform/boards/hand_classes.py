"""One board of the last street as a tree of its own, with hands that suits alone tell apart in one class."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.boards.board_tree import BoardTree, Hands, Places
from treeplex.seqform.boards.suit_symmetry import Group, representatives
from treeplex.seqform.forms.treeplex import Floats, Index

ALIKE = 1e-9
"""By so much, in parts of the largest, rounding of float64 may let numbers of hands that are alike differ.

Blueprints in float32 that were learned hand by hand differ by more: their hands stay apart.
"""


@dataclass(frozen=True, eq=False)
class HandClasses:
    """Both players' hands of two cards on a board, W a player, in C classes of hands that are alike.

    Attributes
    ----------
    boards : BoardTree
        The board alone. A class has a hand's place in it, that of its first, and the weight of all its hands;
        in place of its cards stand the first of those that permutations make of either, twice the same for
        two that are alike.
    first : pair of (C,) int64
        The position of the first hand of each class on the board.
    number : pair of (W,) int64
        The class of each hand.
    """

    boards: BoardTree
    first: tuple[Index, Index]
    number: tuple[Index, Index]

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
        (first0, number0), (first1, number1) = (
            np.unique(representatives(group, hands.cards)[0], return_inverse=True) for hands in boards.hands
        )
        one, other = boards.hands
        merged = (
            _merged(one, group, first0, number0, number1),
            _merged(other, group, first1, number1, number0),
        )
        return HandClasses(replace(boards, hands=merged), (first0, first1), (number0, number1))

    def are_alike(self, player: int, *numbers: Floats) -> bool:
        """Return whether numbers (W,) are those of the first hand in every class, up to rounding."""
        first = self.first[player][self.number[player]]
        return all(np.abs(one - one[first]).max() <= ALIKE * np.abs(one).max() for one in numbers)


def _merged(hands: Hands, group: Group, first: Index, number: Index, of_others: Index) -> Hands:
    """Return a player's hands, one for each class."""
    mate = np.append(of_others, of_others.max(initial=-1) + 1)[hands.mate[first]]
    smallest, many = _cards(group, hands.cards)
    size, copies = np.bincount(number, minlength=len(first)), None
    if many.max(initial=1) > 1:
        copies = np.column_stack([many[first], size]).astype(np.uint8)
    groups = np.searchsorted(first, hands.group_start).astype(np.uint16)
    return _alone(smallest[first], size * hands.weight[first], mate.astype(np.uint16), groups, copies)


def _cards(group: Group, cards: Index) -> tuple[Index, Index]:
    """Return for each card of hands (W, K) the first card that is alike, and how many are, (W, K) each."""
    used, place = np.unique(cards, return_inverse=True)
    first, many = representatives(group, used[:, None])
    return used[first][place].reshape(cards.shape), many[place].reshape(cards.shape)


def one_board(boards: BoardTree, board: int) -> BoardTree:
    """Return a board of the last street as a tree of its own, without suits merged.

    Hands are numbered as they lie on the board, by strength.
    """
    here = int((boards.street[:board] == boards.street.max()).sum())
    found = []
    for hands in boards.hands:
        on = hands.on(board)
        live = hands.hand[on].astype(np.int64)
        groups = hands.group_start[here : here + 1]
        found.append(_alone(hands.cards[live], hands.weight[live], hands.mate[on], groups))
    return BoardTree(
        street=np.zeros(1, np.int8),
        parent=np.full(1, -1, np.int32),
        ways=np.ones(1, np.int32),
        cards=(boards.cards[board],),
        symmetric=np.zeros(1, np.bool_),
        hands=(found[0], found[1]),
        runouts=(1.0,),
    )


def _alone(
    cards: Index, weight: Floats, mate: Places, groups: Places, copies: NDArray[np.uint8] | None = None
) -> Hands:
    """Return a player's hands, all of them on the one board, in their order there."""
    places: Places = np.arange(len(cards)).astype(np.uint16)
    return Hands(
        cards=cards,
        weight=weight,
        start=np.array([0, len(cards)], np.int64),
        hand=places,
        above=places,
        home=places,
        mate=mate,
        first=places,
        size=np.ones(len(cards), np.uint8),
        group_start=groups,
        copies=copies,
    )
