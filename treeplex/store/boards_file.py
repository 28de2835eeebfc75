"""Strategies on betting times boards as .npz files: one table of weights a player."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.inputs.reading import complaint, shown
from treeplex.games.poker.game import PokerGame
from treeplex.outputs.formats import check_output, check_suffix
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.judge.range_hands import n_real_boards
from treeplex.store.archives import opened
from treeplex.store.array_headers import Expected
from treeplex.store.files import write_arrays

SUFFIXES: Mapping[str, str] = {".npz": "npz"}
FORMAT = "treeplex streets 1"
TABLES = "player0", "player1"
REAL = tuple(map(np.dtype, "efdbBhHiIlL"))
"""Dtypes of tables."""
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
    with opened(Path(path), WHAT) as archive:
        head = archive.head
        if head.get("format") != FORMAT:
            raise ValueError(f"{path} is no {WHAT}")
        if head.get("rules") != rules_of(game):
            other = f"of another game, {shown(head.get('game'))}, or of other rules than {game.name}"
            raise ValueError(complaint(f"{path} is {other}"))
        isomorphism = head.get("boards") != n_real_boards(game)
        tree = problem.boards(isomorphism=isomorphism, entry_bytes=1)
        if head.get("boards") != tree.boards.n_boards:
            legal = f"{tree.boards.n_boards:,} or {n_real_boards(game):,}"
            raise archive.damaged(f"its number of boards must be {legal}, got {shown(head.get('boards'))}")
        lengths = zip(TABLES, tree.base, strict=True)
        tables = archive.arrays({name: Expected(REAL, (int(base[-1]),)) for name, base in lengths})
    strategy = FactoredStrategy(tree, (tables[TABLES[0]], tables[TABLES[1]]))
    try:
        check_strategy(game, strategy)
    except ValueError as error:
        raise archive.damaged(str(error)) from error
    return strategy
