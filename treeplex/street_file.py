"""Strategies on betting times boards as .npz files: a table a player, in whatever numbers they were kept."""

import hashlib
import json
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from games.poker import PokerGame
from games.protocol import Game
from games.specs import load_game
from seqform.betting_tree import BettingTree
from seqform.board_tree import BoardTree
from seqform.street_checks import check_strategy
from seqform.street_strategy import StreetStrategy, StreetTree
from treeplex.files import check_suffix, write_bytes

SUFFIXES = (".npz",)
FORMAT = "treeplex streets 1"


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
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    first, second = strategy.weight
    write_bytes(path, lambda file: np.savez(file, head=text, player0=first, player1=second))


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
    head, tables = _load(Path(path))
    if head.get("rules") != rules_of(known):
        raise ValueError(
            f"{path} is of another game, {head.get('game')}, or of other rules than {known.name}"
        )
    betting = BettingTree.of(known)
    for isomorphism in (True, False):
        boards = BoardTree.of(known, isomorphism=isomorphism)
        if boards.n_boards == head.get("boards"):
            break
    strategy = StreetStrategy(StreetTree.of(betting, boards), tables)
    check_strategy(known, strategy)
    return known, strategy


def _load(path: Path) -> tuple[dict[str, Any], tuple[Any, Any]]:
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as whole:
            if whole.testzip() is not None:
                raise zipfile.BadZipFile
            file.seek(0)
            arrays = np.load(file, allow_pickle=False)
            head = json.loads(arrays["head"].tobytes().decode())
            if head.get("format") != FORMAT:
                raise ValueError("another format")
            return head, (arrays["player0"], arrays["player1"])
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from error
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        AttributeError,
        RuntimeError,
        EOFError,
        zlib.error,
    ) as error:
        raise ValueError(f"{path} is no strategy on boards that treeplex wrote") from error
