"""The real boards of a game, each with the board of a board tree that represents its class."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.suit_symmetry import Group, Permutation, moved, stabiliser, symmetries


@dataclass(frozen=True)
class RealBoard:
    """A board as dealt, and the permutation of suits to the board of a tree that represents it.

    Attributes
    ----------
    cards : tuple of card ids
        In the order of dealing.
    street : int
        Number of deals of board cards.
    image : int
        The board of the tree that represents it.
    permutation : tuple of int
        The image of each suit; maps the cards of each street to those of ``image``.
    group : tuple of permutations
        Those that fix both ranges and the image, street by street.
    weight : int
        Of a listed flop, 1 of other boards.
    """

    cards: Cards
    street: int
    image: int
    permutation: Permutation
    group: Group
    weight: int = 1


def starting_board(game: PokerGame) -> RealBoard:
    """Return the board on which a game starts, which represents itself."""
    group = symmetries(game)
    return RealBoard(game.board, 0, 0, group[0], group)


def next_boards(game: PokerGame, tree: BoardTree, board: RealBoard) -> Iterator[RealBoard]:
    """Yield every board right after a board.

    Raises
    ------
    ValueError
        If the tree has no board that represents one of them.
    """
    images = _children(tree, board.image)
    n_cards = [n for n in game.board_cards if n][board.street]
    streets = sorted((tuple(sorted(cards)), weight) for cards, weight in game.streets(board.cards, n_cards))
    for cards, weight in streets:
        yield _after(game, board, cards, images, weight)


def real_boards(game: PokerGame, tree: BoardTree) -> Iterator[RealBoard]:
    """Yield every board of a game in preorder; raises as :func:`next_boards`."""
    last = sum(1 for n in game.board_cards if n)
    stack = [starting_board(game)]
    while stack:
        board = stack.pop()
        yield board
        if board.street < last:
            stack.extend(next_boards(game, tree, board))


def images_of(game: PokerGame, tree: BoardTree, boards: BoardTree) -> Iterator[RealBoard]:
    """Yield how a tree represents each board of another tree of the same game, in that tree's order.

    Raises
    ------
    ValueError
        If the tree has no board that represents one of them.
    """
    line: list[tuple[RealBoard, dict[Cards, int]]] = []
    for board, street in enumerate(boards.street.tolist()):
        del line[street:]
        if street:
            above, below = line[-1]
            found = _after(game, above, tuple(sorted(boards.cards[board][len(above.cards) :])), below)
        else:
            found = starting_board(game)
        line.append((found, _children(tree, found.image)))
        yield found


def boards_to(game: PokerGame, tree: BoardTree, cards: Cards) -> tuple[RealBoard, ...]:
    """Return a board and its ancestors, the starting one first.

    Parameters
    ----------
    game : PokerGame
    tree : BoardTree
    cards : tuple of card ids
        In the order of dealing, the starting board first.

    Raises
    ------
    ValueError
        If the cards are not a board of the game, or the tree has no board that represents one of them.
    """
    start = len(game.board)
    if cards[:start] != game.board or tree.cards[0] != game.board:
        text = game.deck.text(game.board) or "no cards"
        raise BadInputError(f"boards of {game.name} must begin with {text}, got {cards}")
    line, known = [starting_board(game)], start
    for n_cards in (n for n in game.board_cards if n):
        if known == len(cards):
            break
        new = tuple(sorted(cards[known : known + n_cards]))
        listed = {} if line[-1].cards else dict(game.flops or ())
        weight = listed.get(new[::-1], 1)
        line.append(_after(game, line[-1], new, _children(tree, line[-1].image), weight))
        known += n_cards
    if known != len(cards) or not {*cards} <= {*game.deck.cards} or len({*cards}) < known:
        raise BadInputError(f"the board must be one of {game.name}, got {cards}")
    return tuple(line)


def _after(
    game: PokerGame, board: RealBoard, cards: Cards, images: dict[Cards, int], weight: int = 1
) -> RealBoard:
    """Return the board after some more cards; ``images`` are the tree's candidates to represent it."""
    there = moved(board.permutation, cards)
    found = next((p for p in board.group if moved(p, there) in images), None)
    if found is None:
        text = game.deck.text(board.cards + cards)
        raise BadInputError(f"the strategy's boards must be those of {game.name}; none stands for {text}")
    there = moved(found, there)
    return RealBoard(
        board.cards + cards,
        board.street + 1,
        images[there],
        tuple(found[suit] for suit in board.permutation),
        stabiliser(board.group, there),
        weight,
    )


def real_hands(tree: BoardTree, player: int, board: RealBoard) -> NDArray[np.int64]:
    """Return the live hands (H, K) of a board, in the order of their images on its image.

    A hand's two cards are in either order.
    """
    hands = tree.hands[player]
    there = hands.cards[hands.hand[hands.on(board.image)]]
    suit = there % 4
    return there - suit + np.argsort(board.permutation)[suit]


def _children(tree: BoardTree, board: int) -> dict[Cards, int]:
    """Return the children of a board of the tree by their new cards, ascending."""
    found, child, known = {}, board + 1, len(tree.cards[board])
    while child < tree.end[board]:
        found[tuple(sorted(tree.cards[child][known:]))] = child
        child = int(tree.end[child])
    return found
