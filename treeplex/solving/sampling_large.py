"""Strategies for games too large to enumerate: sampled, kept on disk, written out; nothing is certified."""

import csv
import hashlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

from treeplex.cfr.monte_carlo.poker.sampling import (
    MAX_INFOSETS,
    PokerTableRun,
    PokerTableState,
    TableFullError,
    mccfr_poker,
    start,
)
from treeplex.cfr.monte_carlo.sampling import Sampling, Scheme
from treeplex.games.poker.game import PokerGame
from treeplex.games.specs.specs import load_game
from treeplex.solving.guided import Progress, silent
from treeplex.store import checkpoint as checkpoints
from treeplex.store.checkpoint import FileKeeper, Keeper, NoKeeper, Position
from treeplex.store.files import check_writable, write_text
from treeplex.store.strategy_file import write_table
from treeplex.store.strategy_rows import COLUMNS

SCHEMES = ("external", "outcome")
MOST_INFOSETS = 1 << 32
FIRST_SLICE, SLICE_SECONDS = 64, 5.0
"""Iterations of the first stretch of compiled code, and how long later ones may take, about: each copies the
table, which takes a second where it is large."""


@dataclass(frozen=True)
class Sample:
    """What a run on a game too large to enumerate has come to.

    Attributes
    ----------
    game : str
    method : str
    status : str
        Whether all iterations were done, or the table was full before.
    run : PokerTableRun
        With the strategy of every infoset met.
    seconds : float
        Wall time of this call.
    """

    game: str
    method: str
    status: str
    run: PokerTableRun
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return what is known of the run; there is no certificate."""
        state = self.run.state
        return {
            "game": self.game,
            "method": self.method,
            "status": self.status,
            "iterations": state.iterations,
            "seed": state.seed,
            "n_infosets": state.n_infosets,
            "bytes": state.n_bytes,
            "seconds": self.seconds,
            "certified": False,
        }


def sample(
    game: str | PokerGame,
    iterations: int,
    *,
    scheme: str = "external",
    seed: int = 0,
    max_infosets: int = MAX_INFOSETS,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Sample:
    """Run Monte Carlo CFR on a poker game of any size; nothing is enumerated, and nothing is certified.

    Parameters
    ----------
    game : str or PokerGame
    iterations : int
        In all, those of a checkpoint included.
    scheme : {"external", "outcome"}
    seed : int
    max_infosets : int
        The run ends, and is kept, when the table has more.
    checkpoint : str or Path, optional
        An .npz file in which the run is kept, and from which it goes on if the file is there.
    progress : callable, optional

    Raises
    ------
    ValueError
        If the game is no poker game, or an option is not what it must be.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if scheme not in SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(SCHEMES)}, got {scheme!r}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    if not 1 <= max_infosets <= MOST_INFOSETS:
        raise ValueError(f"max_infosets must be between 1 and {MOST_INFOSETS:,}, got {max_infosets:,}")
    known = load_game(game) if isinstance(game, str) else game
    if not isinstance(known, PokerGame):
        raise ValueError(f"sample is for poker games, got {known.name}; solve takes what can be enumerated")
    tell, clock = progress or silent, time.perf_counter()
    sampling = Sampling(cast(Scheme, scheme))
    keeper: Keeper = NoKeeper()
    if checkpoint is not None:
        check_writable(checkpoint, checkpoints.SUFFIXES, "a checkpoint")
        keeper = FileKeeper(Path(checkpoint), _identity(known, sampling, seed))
    first = start(known, seed)
    found = keeper.found(Position(_bare(first), (), (), 0.0))
    position = replace(found, state=replace(found.state, layout=first.layout))
    try:
        status, state = _run(position, known, sampling, iterations, max_infosets, keeper, tell)
    finally:
        keeper.close()
    seconds = time.perf_counter() - clock
    return Sample(known.name, f"mccfr-{scheme}", status, PokerTableRun(sampling, state, seconds), seconds)


def _identity(game: PokerGame, sampling: Sampling, seed: int) -> dict[str, str]:
    """Return what a run is of; the name of a file says little about its content."""
    rules = hashlib.sha256(repr(game).encode()).hexdigest()
    return {"game": game.name, "rules": rules, "parameters": f"seed {seed}, {sampling}"}


def write_sample(sampled: Sample, path: str | Path) -> None:
    """Write the strategy of every infoset met as a strategy file, which appears whole or not at all.

    Raises
    ------
    ValueError
        As :func:`treeplex.store.strategy_file.write_strategy`.
    """
    if Path(path).suffix.lower() == ".csv":  # row by row: these strategies may be larger than memory is
        write_text(path, _write_csv(sampled))
    else:
        import pandas as pd

        write_table(pd.DataFrame(_rows(sampled), columns=COLUMNS), path)


def _rows(sampled: Sample) -> Iterator[tuple[int, str, str, float]]:
    for player in (0, 1):
        for key, strategy in sampled.run.items(player):
            for action, probability in strategy.items():
                yield player, key, action, probability


def _write_csv(sampled: Sample) -> Callable[[IO[str]], object]:
    def write(file: IO[str]) -> None:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(sampled))

    return write


def _bare(state: PokerTableState) -> Any:
    """Return a state without its layout, which follows from the game and is not kept."""
    return replace(state, layout=None)  # type: ignore[arg-type]


def _run(
    position: Position,
    game: PokerGame,
    sampling: Sampling,
    iterations: int,
    max_infosets: int,
    keeper: Keeper,
    tell: Progress,
) -> tuple[str, PokerTableState]:
    """Run in slices, kept on the way; return how it ended and the last state."""
    state, clock, step = position.state, time.perf_counter() - position.seconds, FIRST_SLICE
    if state.iterations > iterations:
        raise ValueError(
            f"the checkpoint has {state.iterations:,} iterations done, got {iterations:,} to do in all"
        )
    status = "iterations done"
    while state.iterations < iterations and status == "iterations done":
        begun = time.perf_counter()
        step = min(step, iterations - state.iterations)
        try:
            state = mccfr_poker(game, sampling, step, state.seed, state, max_infosets).state
        except TableFullError as full:
            state, status = full.run.state, f"the table is full: at most {max_infosets:,} infosets"
        tell(f"{state.iterations:,} iterations, {state.n_infosets:,} infosets", math.inf)
        keeper.keep(Position(_bare(state), (), (), time.perf_counter() - clock))
        if time.perf_counter() - begun < SLICE_SECONDS:
            step *= 2
    return status, state
