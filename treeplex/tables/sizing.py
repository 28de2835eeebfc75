"""How big a poker game is: counted, as a table for people and as an object for programs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from treeplex.games.counting.game_sizes import GameSizes, Pair, RoundSizes, game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.problem import GameLike, game_of
from treeplex.solving.guided import Progress, silent
from treeplex.tables.rendering import scientific

LONGEST, FIGURES = 19, 6
"""Most characters of a number in a table, commas counted; how many figures are shown of longer ones."""
LONGEST_STATES = 39
"""The same for numbers that have a line for themselves."""


def size(
    game: GameLike,
    *,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> GameSizes:
    """Count how big a poker game is; nothing is built.

    Parameters
    ----------
    game : str, Path, PokerGame or Problem
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional

    Raises
    ------
    ValueError
        If the spec is unknown or malformed, or the game is no poker game.
    """
    rules = game_of(game, bets=bets, raises=raises)
    if not isinstance(rules, PokerGame):
        raise ValueError(f"sizes are counted for poker games only, got {rules.name}")
    return game_sizes(rules, lambda stage: progress(stage, float("inf")))


def sizes_json(sizes: GameSizes) -> dict[str, Any]:
    """Return the sizes as one JSON object: exact integers, pairs with player 0 first."""
    return {
        "game": sizes.game,
        "method": sizes.method,
        "seconds": sizes.seconds,
        "rounds": [
            {
                "n_board": one.n_board,
                "decisions": one.decisions,
                "leaves": one.leaves,
                "infosets": one.infosets,
                "canonical_infosets": one.canonical_infosets,
                "sequences": one.sequences,
                "canonical_sequences": one.canonical_sequences,
                "decision_states": one.decision_states,
            }
            for one in sizes.rounds
        ],
        "decisions": sizes.decisions,
        "leaves": sizes.leaves,
        "infosets": sizes.infosets,
        "canonical_infosets": sizes.canonical_infosets,
        "sequences": sizes.sequences,
        "canonical_sequences": sizes.canonical_sequences,
        "decision_states": sizes.decision_states,
        "leaf_states": sizes.leaf_states,
        "lp_rows": sizes.lp_rows,
        "lp_cols": sizes.lp_cols,
        "canonical_lp_rows": sizes.canonical_lp_rows,
        "canonical_lp_cols": sizes.canonical_lp_cols,
    }


def sizes_table(sizes: GameSizes) -> Group:
    """Return the sizes round by round, those of each player below, and the game's histories last."""
    headers = ("round", "board", "decision nodes", "leaves", "infosets", "canonical")
    rounds = _table(Text(sizes.game), headers)
    for number, one in enumerate(sizes.rounds, start=1):
        rounds.add_row(str(number), str(one.n_board), *_together(one))
    rounds.add_row("all", "", *_together(sizes))
    players = _table(None, ("of each player", "player 0", "player 1"))
    for name, pair in _pairs(sizes):
        players.add_row(name, *(["-", "-"] if pair is None else [number_text(n) for n in pair]))
    return Group(rounds, Text(), players, *map(Text, _footer(sizes)))


def number_text(number: int, longest: int = LONGEST) -> str:
    """Return a number with commas, or rounded with an exponent where that would be too long.

    >>> number_text(13803249787132), number_text(10**60)
    ('13,803,249,787,132', '1.00000e+60')
    """
    # Most numbers that are too long are far too long to be written out first.
    if number < 10**longest and len(text := f"{number:,}") <= longest:
        return text
    return scientific(Fraction(number), FIGURES, "near")


def _table(title: Text | None, headers: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1), pad_edge=False)
    for header in headers:
        first = header == headers[0]
        table.add_column(header, justify="left" if first else "right", overflow="fold", no_wrap=True)
    return table


def _together(sizes: RoundSizes | GameSizes) -> Iterator[str]:
    """Yield the cells of both players together."""
    for found in (sizes.decisions, sizes.leaves, sizes.infosets, sizes.canonical_infosets):
        yield "-" if found is None else number_text(found if isinstance(found, int) else sum(found))


def _pairs(sizes: GameSizes) -> Iterator[tuple[str, Pair | None]]:
    yield "decision nodes", sizes.decisions
    yield "infosets", sizes.infosets
    yield "canonical infosets", sizes.canonical_infosets
    yield "sequences", sizes.sequences
    yield "canonical sequences", sizes.canonical_sequences
    yield "LP rows", sizes.lp_rows
    yield "LP columns", sizes.lp_cols
    yield "canonical LP rows", sizes.canonical_lp_rows
    yield "canonical LP columns", sizes.canonical_lp_cols


def _footer(sizes: GameSizes) -> Iterator[str]:
    yield ""
    yield f"decision states  {number_text(sizes.decision_states, LONGEST_STATES)}"
    yield f"leaf states      {number_text(sizes.leaf_states, LONGEST_STATES)}"
    yield f"seconds          {sizes.seconds:.2f}, lines counted by {sizes.method}"
