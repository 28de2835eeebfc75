"""Strategies on betting times boards as .npz files: one table of weights a player."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from treeplex.core.problem import Problem
from treeplex.games.inputs.reading import complaint
from treeplex.games.poker.game import PokerGame
from treeplex.outputs.formats import check_output, check_suffix
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.store.files import read_arrays, write_arrays

SUFFIXES: Mapping[str, str] = {".npz": "npz"}
FORMAT = "treeplex streets 1"
TABLES = "player0", "player1"
WHAT = "strategy on boards that treeplex wrote"
WRITTEN = "a strategy on boards"


def rules_of(game: PokerGame) -> str:
    """Return a digest of a game's rules and ranges, whatever its name: that says little about its content."""
    return hashlib.sha256(repr(replace(game, name="")).encode()).hexdigest()


def write_boards(strategy: FactoredStrategy, path: str | Path, format: str | None = None) -> None:
    """Write a strategy; the file appears whole or not at all.

    Raises
    ------
    ValueError
        As :func:`treeplex.outputs.formats.check_output`.
    """
    check_output(path, SUFFIXES, WRITTEN, format)
    game, boards = strategy.tree.game, strategy.tree.boards.n_boards
    head = {"format": FORMAT, "game": game.name, "rules": rules_of(game), "boards": boards}
    write_arrays(path, head, dict(zip(TABLES, strategy.weight, strict=True)))


def read_boards(problem: Problem, path: str | Path) -> FactoredStrategy:
    """Read a strategy of a poker game.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, or is of another game.
    """
    check_suffix(path, SUFFIXES, WRITTEN)
    game = problem.game
    if not isinstance(game, PokerGame):
        raise ValueError(f"{WRITTEN} is of a poker game, got {game.name}")
    head, tables = read_arrays(Path(path), WHAT)
    if head.get("format") != FORMAT or tables.keys() != set(TABLES):
        raise ValueError(f"{path} is no {WHAT}")
    if head.get("rules") != rules_of(game):
        other = f"{path} is of another game, {head.get('game')}, or of other rules than {game.name}"
        raise ValueError(complaint(other))
    for isomorphism in (True, False):
        tree = problem.boards(isomorphism=isomorphism, entry_bytes=1)
        if tree.boards.n_boards == head.get("boards"):
            break
    strategy = FactoredStrategy(tree, (tables[TABLES[0]], tables[TABLES[1]]))
    check_strategy(game, strategy)
    return strategy
