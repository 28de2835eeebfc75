"""Strategies on betting times boards as .npz files: a table a player, in whatever numbers they were kept."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeplex.games.inputs.reading import complaint
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.games.specs.specs import load_game
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.strategy import StreetStrategy, StreetTree
from treeplex.store.files import check_suffix, read_arrays, write_arrays

SUFFIXES = (".npz",)
FORMAT = "treeplex streets 1"
TABLES = "player0", "player1"
WHAT = "strategy on boards that treeplex wrote"


def rules_of(game: PokerGame) -> str:
    """Return a digest of a game's rules and ranges, whatever its name: that says little about its content."""
    return hashlib.sha256(repr(replace(game, name="")).encode()).hexdigest()


def write_streets(game: PokerGame, strategy: StreetStrategy, path: str | Path) -> None:
    """Write a strategy; the file appears whole or not at all.

    Raises
    ------
    ValueError
        If the suffix is not ``.npz``, or the file cannot be written.
    """
    check_suffix(path, SUFFIXES, "a strategy on boards")
    boards = strategy.tree.boards.n_boards
    head = {"format": FORMAT, "game": game.name, "rules": rules_of(game), "boards": boards}
    write_arrays(path, head, dict(zip(TABLES, strategy.weight, strict=True)))


def read_streets(
    game: str | Game[Any], path: str | Path, *, bets: str | None = None, raises: str | None = None
) -> tuple[PokerGame, StreetStrategy]:
    """Read a strategy and the game that it is of.

    Parameters
    ----------
    game : str or Game
    path : str or Path
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, or is of another game.
    """
    check_suffix(path, SUFFIXES, "a strategy on boards")
    known = load_game(game, bets=bets, raises=raises) if isinstance(game, str) else game
    if not isinstance(known, PokerGame):
        raise ValueError(f"a strategy on boards is of a poker game, got {known.name}")
    head, tables = read_arrays(Path(path), WHAT)
    if head.get("format") != FORMAT or tables.keys() != set(TABLES):
        raise ValueError(f"{path} is no {WHAT}")
    if head.get("rules") != rules_of(known):
        other = f"{path} is of another game, {head.get('game')}, or of other rules than {known.name}"
        raise ValueError(complaint(other))
    betting = BettingTree.of(known)
    for isomorphism in (True, False):
        boards = BoardTree.of(known, isomorphism=isomorphism)
        if boards.n_boards == head.get("boards"):
            break
    strategy = StreetStrategy(StreetTree.of(betting, boards), (tables[TABLES[0]], tables[TABLES[1]]))
    check_strategy(known, strategy)
    return known, strategy
