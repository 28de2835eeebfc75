"""What is shown of the counted sizes of a poker game: round by round, and of each player."""

from collections.abc import Iterator

from treeplex.games.counting.game_sizes import GameSizes, Pair, RoundSizes
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import count_text

LONGEST_STATES = 39
"""Most characters of a count that has a line for itself."""


def sizes_table(sizes: GameSizes) -> tuple[Block, ...]:
    """Return the sizes round by round, those of each player below, and the game's histories last."""
    headers = ("round", "board", "decision nodes", "leaves", "infosets", "canonical")
    rounds = [(str(k), str(one.n_board), *_together(one)) for k, one in enumerate(sizes.rounds, start=1)]
    players = tuple(
        (name, *(("-", "-") if pair is None else map(count_text, pair))) for name, pair in _pairs(sizes)
    )
    return (
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
