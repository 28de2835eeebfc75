"""Reading and writing of strategies, the format chosen by the file's suffix."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treeplex.cfr.blueprint.strategy import BlueprintStrategy
from treeplex.core.loading import GameLike, load
from treeplex.core.result import Result
from treeplex.core.strategy import Judged, Strategy
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.outputs.formats import check_output, check_suffix
from treeplex.seqform.buckets.bucket_strategy import BucketStrategy
from treeplex.seqform.factored.infosets import check_suits
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.store.abstractions.blueprint_file import write_blueprint
from treeplex.store.boards_file import SUFFIXES as BOARDS
from treeplex.store.boards_file import WRITTEN, write_boards
from treeplex.store.strategy_like import strategy_of
from treeplex.store.table_file import SUFFIXES as TABLES
from treeplex.store.table_file import WHAT, check_table, write_rows, write_table

SUFFIXES: Mapping[str, str] = {**TABLES, **BOARDS}
"""Formats by suffix."""
MOST_ROWS = 20_000_000
"""Most rows of a table of a strategy on boards, about a gigabyte."""


def write(strategy: Strategy | Result, path: str | Path, format: str | None = None) -> None:
    """Write a strategy; a file appears whole or not at all.

    Probabilities are written with as many digits as it takes to read the same floats back.

    Parameters
    ----------
    strategy : Strategy or Result
    path : str or Path
        Symbolic links are followed; devices and FIFOs are written straight; ``-`` is standard output.
    format : {"csv", "json", "parquet", "npz"}, optional
        What the path's suffix says unless given: a row an action; or, for a strategy on betting times boards,
        its arrays in its number format.

    Raises
    ------
    TypeError
        If it is no strategy.
    ValueError
        If suffix and format say nothing or differ, the path cannot be written, Parquet is asked for and
        pyarrow is absent, or a strategy on boards has too many rows for a table or hides suits.
    """
    one = strategy.strategy if isinstance(strategy, Result) else strategy
    if not isinstance(one, Strategy):
        raise TypeError(f"a strategy or a result is written, got {type(one).__name__}")
    game = one.tree.game if isinstance(one, FactoredStrategy | BucketStrategy) else None
    if isinstance(one, BlueprintStrategy):
        game = one.layout.game
    chosen = check_strategy_output(path, format, game)
    if isinstance(one, Profile):
        write_table(one.table(), path, chosen)
    elif isinstance(one, FactoredStrategy | BucketStrategy) and chosen in BOARDS.values():
        write_boards(one, path, chosen)
    elif isinstance(one, BlueprintStrategy) and chosen in BOARDS.values():
        write_blueprint(one, path, chosen)
    else:
        write_rows(one.rows(), path, chosen)


def read(
    game: GameLike,
    path: str | Path,
    *,
    missing: str = "error",
    bets: str | None = None,
    raises: str | None = None,
) -> Judged:
    """Read a strategy of a game: a profile of all infosets, or from ``.npz`` one on betting times boards.

    Parameters
    ----------
    game : str, Path, Game or Problem
    path : str or Path
        Of a file that :func:`write` wrote, or of a table of anybody's: columns player, infoset, action,
        probability, rows in any order, or infosets nested in JSON.
    missing : {"error", "uniform"}
        What becomes of infosets without rows.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.

    Raises
    ------
    ValueError
        If the game is none, or the file cannot be read or is no strategy of the game; the row is named.
    """
    check_suffix(path, SUFFIXES, WHAT)
    return strategy_of(load(game, bets=bets, raises=raises), Path(path), missing).strategy


def strategy_format(path: str | Path, format: str | None = None) -> str:
    """Return a strategy's format before it is known on what form it will be; raises as :func:`write`."""
    return check_output(path, SUFFIXES, "a strategy", format)


def check_strategy_output(
    path: str | Path, format: str | None = None, boards_of: Game[Any] | None = None
) -> str:
    """Return a strategy's format, or refuse what could not be written, before any time is spent on it.

    Parameters
    ----------
    path : str or Path
    format : str, optional
        As for :func:`write`.
    boards_of : Game, optional
        The game, if the strategy is one on betting times boards.

    Raises
    ------
    ValueError
        If suffix and format are none for such a strategy or differ, the path cannot be written, pyarrow is
        absent, or a strategy on boards has too many rows for a table or hides suits.
    """
    if boards_of is None:
        chosen = check_output(path, TABLES, WHAT, format)
    else:
        chosen = check_output(path, {**BOARDS, **TABLES}, WRITTEN, format)
        if chosen in TABLES.values():
            _check_rows(boards_of)
    check_table(chosen)
    return chosen


def _check_rows(game: Game[Any]) -> None:
    if isinstance(game, PokerGame):
        check_suits(game)
        n_rows = sum(game_sizes(game).sequences)
        if n_rows > MOST_ROWS:
            raise ValueError(
                f"{game.name}: a table takes at most {MOST_ROWS:,} rows, got {n_rows:,}; write an .npz file"
            )
