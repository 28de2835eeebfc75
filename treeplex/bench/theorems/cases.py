"""Games on which theorems are measured: named ones, and random ones by seed."""

from collections.abc import Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Instance

QUICK_GAMES = ("kuhn_poker", "coin_toss", "dummy_pennies", "leduc_poker(raises=1)")
"""Named games that are solved in a moment."""
MORE_GAMES = (
    "kuhn_poker(ranks=4)",
    "kuhn_poker(ranks=13)",
    "leduc_poker",
    "goofspiel(cards=3)",
    "goofspiel(cards=4)",
    "liars_dice(faces=4)",
    "coin_toss(forfeit=false,subgames=2)",
)
"""Named games of a full run."""


def named_games(effort: Effort) -> Iterator[Instance]:
    """Yield the named games, no seed."""
    for spec in effort.choose(QUICK_GAMES, MORE_GAMES):
        yield Instance(spec)


def random_games(effort: Effort, *, quick: int, full: int, depth: int = 5) -> Iterator[Instance]:
    """Yield random games of perfect recall, one for each seed."""
    for seed in effort.seeds(quick=quick, full=full):
        yield Instance(f"random_game(seed={seed},depth={depth},actions=3)", seed)


def named_and_random_games(effort: Effort, *, quick: int = 6, full: int = 60) -> Iterator[Instance]:
    """Yield the named games, then random ones."""
    yield from named_games(effort)
    yield from random_games(effort, quick=quick, full=full)
