"""Where subgames on boards begin: places from keys of public states, or all of the usual ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import CHANCE
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.infosets import board_cards, check_suits
from treeplex.seqform.factored.real_boards import RealBoard, boards_to
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.subgames.inputs import ALL, names_of


@dataclass(frozen=True)
class BoardPlace:
    """A decision on a board, at which a subgame begins.

    Attributes
    ----------
    name : str
        The key of the public state.
    node : int
        Of the betting.
    board : RealBoard
        The board as dealt, and the tree's board that represents it.
    """

    name: str
    node: int
    board: RealBoard

    @property
    def at(self) -> tuple[int, int]:
        """The node, and the tree's board."""
        return self.node, self.board.image


def places_of(tree: FactoredTree, defender: int, at: str | Sequence[str]) -> tuple[BoardPlace, ...]:
    """Return the places that ``at`` names.

    Parameters
    ----------
    tree : FactoredTree
    defender : int
    at : str or sequence of str
        Keys of public states, ``BOARD:LINE``; ``LINE`` alone on the starting board. Or ``all``: right after
        the first deal that follows a decision, or after the first decision where no deal does, wherever the
        defender acts at or below it; one board of each class that suits alone tell apart on a tree that
        merges them.

    Raises
    ------
    ValueError
        If the game hides suits, there is none, a name is no public state at which a player acts, or a
        subgame lies in another.
    """
    check_suits(tree.game)
    names = names_of(at)
    if names == (ALL,):
        found = tuple(_usual(tree, defender))
        if not found:
            raise ValueError(f"{tree.game.name}: player {defender} decides nothing after the first decision")
        return found
    found = tuple(_place(tree, name) for name in names)
    _check_apart(tree, found)
    return found


def _place(tree: FactoredTree, name: str) -> BoardPlace:
    """Return the place with a key, or with a line on the starting board."""
    game, betting = tree.game, tree.betting
    text, colon, line = name.rpartition(":")
    node = betting.node_of.get(line)
    if node is None:
        near = get_close_matches(line, betting.node_of, n=3, cutoff=0.3)
        hint = f"; there is {', '.join(map(repr, near))}" if near else ""
        where = f" in {name!r}" if colon else ""
        raise ValueError(f"{game.name} has no betting line {line!r}{where}{hint}")
    if betting.player[node] < 0:
        raise ValueError(f"a subgame begins where a player acts, and nobody does after {line!r}")
    board = _board(tree, text, name) if colon else boards_to(game, tree.boards, game.board)[-1]
    if board.street != betting.street[node]:
        cards = game.deck.text(board.cards) or "no cards"
        raise ValueError(
            f"the line {line!r} is played on {_n_cards(game, int(betting.street[node]))} board cards, got "
            f"{cards} with {name!r}; a place is BOARD:LINE"
        )
    return BoardPlace(game.public_key(board.cards, line), node, board)


def _board(tree: FactoredTree, text: str, name: str) -> RealBoard:
    try:
        return boards_to(tree.game, tree.boards, board_cards(tree.game, text))[-1]
    except (KeyError, ValueError):
        start = tree.game.deck.text(tree.game.board)
        legal = f"begin with {start}" if start else "have no card twice"
        raise ValueError(
            f"the board of {name!r} must {legal} and be one of {tree.game.name}, got {text!r}"
        ) from None


def _n_cards(game: PokerGame, street: int) -> int:
    return len(game.board) + sum([n for n in game.board_cards if n][:street])


def _usual(tree: FactoredTree, defender: int) -> Iterator[BoardPlace]:
    """Yield the places that ``all`` stands for."""
    betting, boards = tree.betting, tree.boards
    for node in _first_nodes(betting, defender):
        for board in np.flatnonzero(boards.street == betting.street[node]).tolist():
            seen = boards_to(tree.game, boards, boards.cards[board])[-1]
            yield BoardPlace(tree.game.public_key(seen.cards, betting.line[node]), node, seen)


def _first_nodes(betting: BettingTree, defender: int) -> list[int]:
    """Return the first nodes after a deal that follows a decision, or after a decision, as for ``all``."""
    decided = np.zeros(betting.n_nodes, np.bool_)
    dealt = np.zeros(betting.n_nodes, np.bool_)
    for node in range(1, betting.n_nodes):
        above = int(betting.parent[node])
        decided[node] = decided[above] or betting.player[above] >= 0
        dealt[node] = dealt[above] or (betting.player[above] == CHANCE and decided[above])
    for after in (dealt, decided):
        first = [n for n in np.flatnonzero(after).tolist() if not after[betting.parent[n]]]
        first = [n for n in first if betting.player[n] >= 0 and _decides(betting, n, defender)]
        if first:
            return first
    return []


def _decides(betting: BettingTree, node: int, defender: int) -> bool:
    return bool((betting.player[node : betting.end[node]] == defender).any())


def _check_apart(tree: FactoredTree, places: Iterable[BoardPlace]) -> None:
    """Refuse places of which one is below another, or twice the same up to suits."""
    boards = tree.boards
    for one, other in combinations(sorted(places, key=lambda place: place.node), 2):
        within = one.node <= other.node < tree.betting.end[one.node]
        if within and one.board.image <= other.board.image < boards.end[one.board.image]:
            raise ValueError(f"subgames must lie apart, got {one.name!r} and {other.name!r}")
