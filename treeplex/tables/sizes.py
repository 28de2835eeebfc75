"""The counted sizes of a poker game, as tables and as one JSON object."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group

from treeplex.games.counting.game_sizes import GameSizes, Pair, RoundSizes
from treeplex.tables.layout import Columns, Line
from treeplex.tables.numbers import count_text

LONGEST_STATES = 39
"""Most characters of a count that has a line for itself."""
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
"""Keys of a round in JSON."""
GAME_KEYS = (*COUNTED, "leaf_states", "lp_rows", "lp_cols", "canonical_lp_rows", "canonical_lp_cols")
"""Keys of the whole game in JSON."""


def sizes_json(sizes: GameSizes) -> dict[str, Any]:
    """Return the sizes as one JSON object: exact integers, pairs with player 0 first."""
    rounds = [{key: getattr(one, key) for key in ROUND_KEYS} for one in sizes.rounds]
    head = {"game": sizes.game, "method": sizes.method, "seconds": sizes.seconds, "rounds": rounds}
    return head | {key: getattr(sizes, key) for key in GAME_KEYS}


def sizes_table(sizes: GameSizes) -> Group:
    """Return the sizes round by round, those of each player below, and the game's histories last."""
    headers = ("round", "board", "decision nodes", "leaves", "infosets", "canonical")
    rounds = [(str(k), str(one.n_board), *_together(one)) for k, one in enumerate(sizes.rounds, start=1)]
    players = tuple(
        (name, *(("-", "-") if pair is None else map(count_text, pair))) for name, pair in _pairs(sizes)
    )
    return Group(
        Columns(sizes.game, headers, (*rounds, ("all", "", *_together(sizes))), left=headers[:1]),
        Line(""),
        Columns(None, ("of each player", "player 0", "player 1"), players, left=("of each player",)),
        *map(Line, _footer(sizes)),
    )


def _together(sizes: RoundSizes | GameSizes) -> Iterator[str]:
    """Yield the cells of both players together."""
    for count in (sizes.decisions, sizes.leaves, sizes.infosets, sizes.canonical_infosets):
        yield "-" if count is None else count_text(count if isinstance(count, int) else sum(count))


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
    yield f"decision states  {count_text(sizes.decision_states, LONGEST_STATES)}"
    yield f"leaf states      {count_text(sizes.leaf_states, LONGEST_STATES)}"
    yield f"seconds          {sizes.seconds:.2f}, lines counted by {sizes.method}"
