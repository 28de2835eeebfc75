"""Real boards in a split game: the boards of its trunk and of its subgames that represent them."""

from dataclasses import replace

from treeplex.games.cards.deck import Cards
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.real_boards import RealBoard, boards_to
from treeplex.seqform.factored.suit_symmetry import renamed
from treeplex.seqform.split.split_tree import SplitTree


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
