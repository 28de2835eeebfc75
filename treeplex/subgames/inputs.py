"""Games, menus and places from the arguments of subgame solving.

Enumerated games and cuts; abstractions of a poker game from a game with fewer sizes, or from the
sizes to keep; where subgames on boards begin, from keys of public states, or all of the usual places.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import combinations
from math import inf
from typing import Any, TypeAlias

import numpy as np

from treeplex.core.limits import walk
from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, Game
from treeplex.games.base.reading import Number
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.poker.bet_sizes import Size, Sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.size_menus import size_of, size_text
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.factored_strategy import FactoredTree, board_cards, check_suits
from treeplex.seqform.boards.real_boards import RealBoard, boards_to
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.subgames.cut import JOINER, Cut, check_disjoint, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS

MOST_HISTORIES = 500_000
"""Subgames are cut from games that are enumerated history by history, up to so many."""
ALL = "all"
"""Stands for every subgame right after the first chance move that follows a decision."""


FORMS = ("tree", "boards")
"""Where subgames are solved: on the enumerated game by linear programs, on boards by regret minimisers."""


def form_of(game: Game[Any], form: str | None = None) -> str:
    """Return where subgames of a game are solved: on the enumerated game unless that is too large.

    Raises
    ------
    ValueError
        If there is no such form, or it is boards and the game is none of cards on boards.
    """
    if form is not None and form not in FORMS:
        raise BadInputError(f"form must be {' or '.join(FORMS)}, got {form!r}")
    on_boards = isinstance(game, PokerGame) and game.hole_cards <= MAX_HOLE_CARDS
    if form == "boards" and not on_boards:
        raise BadInputError(f"boards are for poker games of one or two hole cards, got {game.name}")
    if form is not None:
        return form
    return "boards" if isinstance(game, PokerGame) and on_boards and _is_large(game) else "tree"


def _is_large(game: PokerGame) -> bool:
    sizes = game_sizes(game)
    return sizes.decision_states + sizes.leaf_states > MOST_HISTORIES


def check_defender(defender: int) -> None:
    """Refuse a defender that is no player."""
    if type(defender) is not int or defender not in (0, 1):
        raise BadInputError(f"defender must be 0 or 1, got {defender!r}")


def unlocked_game(game: GameLike, progress: Progress = silent) -> Game[Any]:
    """Return the game of a spec, of a problem, or as it is; ``progress`` is called while a file is read.

    Raises
    ------
    ValueError
        If the spec is of no game, or hands are locked in it.
    """
    rules = game_of(game, progress=progress)
    if isinstance(rules, PokerGame) and rules.locks:
        raise BadInputError(f"subgames are of games without locks, got {rules.name}")
    return rules


def enumerated(game: Game[Any], progress: Progress = silent) -> NumberedTree:
    """Return a game history by history; ``progress`` is called with how many there are so far.

    Raises
    ------
    treeplex.seqform.trees.walk_watch.TooManyHistoriesError
        If there are more than ``MOST_HISTORIES``.
    """
    return number_tree(walk(game, MOST_HISTORIES, lambda text: progress(text, inf)))


def cuts_of(rules: Game[Any], game: NumberedTree, defender: int, at: str | Sequence[str] = ALL) -> list[Cut]:
    """Cut a game at the public states that ``at`` names, as :func:`treeplex.resolve` takes them.

    Of a poker game a betting line alone is a place too: on the starting board, as :func:`places_of` says.

    Raises
    ------
    ValueError
        If there is none, a name is no public state, or the subgames cut an infoset or overlap.
    """
    states = PublicStates.of(game.tree)
    names = names_of(at)
    if names == (ALL,) and ALL not in states.index:
        names = states.first_subgames(defender)
    unions = [[name] if name in states.index else name.split(JOINER) for name in names]
    unions = [[_public_key(rules, states, name) for name in union] for union in unions]
    cuts = [cut(states, game, union, defender) for union in unions]
    check_disjoint(cuts)
    return cuts


def _public_key(rules: Game[Any], states: PublicStates, name: str) -> str:
    """Return the key of a public state that a betting line on the starting board names, or the name."""
    key = rules.public_key(rules.board, name) if isinstance(rules, PokerGame) else name
    return key if name not in states.index and key in states.index else name


def names_of(at: str | Sequence[str]) -> tuple[str, ...]:
    """Return the keys of public states that ``at`` holds.

    Raises
    ------
    TypeError, ValueError
        If it is neither a key nor several, or holds none.
    """
    names = (at,) if isinstance(at, str) else tuple(at) if isinstance(at, Sequence) else (at,)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"at must be keys of public states, or all, got {name!r}")
    if not names:
        raise BadInputError("at must be one public state at least, or all, got none")
    return names


ABSTRACTION = "the abstraction"
AbstractionLike: TypeAlias = GameLike | Sequence[Number]
"""A game with fewer bet sizes, or the sizes to keep, also as text: ``1/2,1``."""


def abstraction_of(full: PokerGame, abstraction: AbstractionLike) -> PokerGame:
    """Return a game with fewer bet sizes: as given, or the full game with only some sizes in its menus.

    Raises
    ------
    ValueError
        If what is given is no poker game, or a size to keep is in no menu of the full game.
    """
    if isinstance(abstraction, str) and (pieces := _sizes(abstraction.split(","))) is not None:
        return _with_sizes(full, pieces)
    if isinstance(abstraction, Sequence) and not isinstance(abstraction, str):
        return _with_sizes(full, [size_of(ABSTRACTION, size) for size in abstraction])
    return game_with_menus(abstraction)


def game_with_menus(game: GameLike) -> PokerGame:
    """Return a poker game with menus of bet sizes.

    Raises
    ------
    ValueError
        If the game is no such game, or hands are locked in it.
    """
    rules = unlocked_game(game)
    if not isinstance(rules, PokerGame) or rules.betting.sizes is None:
        raise BadInputError(f"an abstraction is of a poker game with menus of bet sizes, got {rules.name}")
    return rules


def _sizes(texts: Sequence[str]) -> list[Size] | None:
    """Return the sizes that all of some texts spell, or None, as for a game's spec."""
    try:
        return [size_of(ABSTRACTION, text) for text in texts]
    except ValueError:
        return None


def _with_sizes(full: PokerGame, sizes: Sequence[Size]) -> PokerGame:
    """Return the game with menus of those of its sizes that are among the given ones."""
    menus = full.betting.sizes
    assert menus is not None
    known = list(dict.fromkeys(s for pair in menus for menu in pair for s in menu.all_sizes))
    unknown = [size_text(size) for size in sizes if size not in known]
    if unknown:
        raise BadInputError(
            f"sizes of the abstraction must be among those of {full.name}: "
            f"{', '.join(map(size_text, known))}; got {', '.join(unknown)}"
        )
    fewer = tuple((_restricted(first, sizes), _restricted(second, sizes)) for first, second in menus)
    name = f"{full.name} with sizes {', '.join(map(size_text, sizes))}"
    return replace(full, name=name, betting=replace(full.betting, sizes=fewer))


def _restricted(menu: Sizes, sizes: Sequence[Size]) -> Sizes:
    parts = (menu.bets, menu.raises, menu.donk_bets)
    bets, raises, donks = (tuple(s for s in part if s in sizes) for part in parts)
    return Sizes(bets, raises, None if menu.donks is None else donks)


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
            raise BadInputError(
                f"{tree.game.name}: player {defender} decides nothing after the first decision"
            )
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
        raise BadInputError(f"{game.name} has no betting line {line!r}{where}{hint}")
    if betting.player[node] < 0:
        raise BadInputError(f"a subgame begins where a player acts, and nobody does after {line!r}")
    board = _board(tree, text, name) if colon else boards_to(game, tree.boards, game.board)[-1]
    if board.street != betting.street[node]:
        cards = game.deck.text(board.cards) or "no cards"
        raise BadInputError(
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
        raise BadInputError(
            f"the board of {name!r} must {legal} and be one of {tree.game.name}, got {text!r}"
        ) from None


def _n_cards(game: PokerGame, street: int) -> int:
    return len(game.board) + sum([n for n in game.board_cards if n][:street])


def _usual(tree: FactoredTree, defender: int) -> Iterator[BoardPlace]:
    """Yield the places that ``all`` stands for."""
    betting, boards = tree.betting, tree.boards
    for node in _first_nodes(betting, defender):
        for board in np.flatnonzero(boards.street == betting.street[node]).tolist():
            if not boards.can_be_dealt(board):  # nobody comes to it
                continue
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
            raise BadInputError(f"subgames must lie apart, got {one.name!r} and {other.name!r}")
