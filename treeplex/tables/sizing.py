"""How big a poker game is: counted, as a table for people and as an object for programs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.console import Group
from rich.text import Text

from treeplex.core.problem import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.games.counting.game_sizes import GameSizes, Pair, RoundSizes, game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.tables.rendering import columns_table, scientific

LONGEST, FIGURES = 19, 6
"""Most characters of a number in a table, commas counted; how many figures are shown of longer ones."""
LONGEST_STATES = 39
"""The same for numbers that have a line for themselves."""
COUNTED = (
    "decisions",
    "leaves",
    "infosets",
    "canonical_infosets",
    "sequences",
    "canonical_sequences",
    "decision_states",
)
ROUND_KEYS = ("n_board", *COUNTED)
"""What JSON tells of a round."""
GAME_KEYS = (*COUNTED, "leaf_states", "lp_rows", "lp_cols", "canonical_lp_rows", "canonical_lp_cols")
"""What JSON tells of the whole game."""


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
    rounds = [{key: getattr(one, key) for key in ROUND_KEYS} for one in sizes.rounds]
    head = {"game": sizes.game, "method": sizes.method, "seconds": sizes.seconds, "rounds": rounds}
    return head | {key: getattr(sizes, key) for key in GAME_KEYS}


def sizes_table(sizes: GameSizes) -> Group:
    """Return the sizes round by round, those of each player below, and the game's histories last."""
    headers = ("round", "board", "decision nodes", "leaves", "infosets", "canonical")
    rounds = columns_table(sizes.game, headers, left=headers[:1])
    for number, one in enumerate(sizes.rounds, start=1):
        rounds.add_row(str(number), str(one.n_board), *_together(one))
    rounds.add_row("all", "", *_together(sizes))
    players = columns_table(None, ("of each player", "player 0", "player 1"), left=("of each player",))
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
