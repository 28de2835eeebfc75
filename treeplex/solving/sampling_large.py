"""Strategies for games too large to enumerate: sampled, kept on disk, written out; nothing is certified."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from treeplex.cfr.monte_carlo.config import Sampling, Scheme
from treeplex.cfr.monte_carlo.poker import sampling as poker_sampling
from treeplex.cfr.monte_carlo.poker.sampling import MAX_INFOSETS, PokerStrategy, PokerTableState
from treeplex.games.poker.game import PokerGame
from treeplex.games.specs.specs import load_game
from treeplex.seqform.certify.certificate import Certificate
from treeplex.solving.guided import Progress, silent
from treeplex.solving.iterating import Run, run_engine
from treeplex.store.checkpoint import SUFFIXES, CheckpointFile, identity_of
from treeplex.store.files import check_writable, write_text
from treeplex.store.strategy_file import write_table
from treeplex.store.strategy_rows import COLUMNS

SCHEMES = ("external", "outcome")
SLICE_SECONDS = 5.0
"""How long the engine advances at a stretch, about: each copies the table, a second where it is large."""


@dataclass(frozen=True)
class Sample:
    """What a run on a game too large to enumerate has come to.

    Attributes
    ----------
    game : str
    method : str
    status : str
        Whether all iterations were done, or the table was full before.
    state : PokerTableState
    strategy : PokerStrategy
        Of every infoset met.
    seed : int
    seconds : float
        Wall time, that before the run was taken up again included.
    """

    game: str
    method: str
    status: str
    state: PokerTableState
    strategy: PokerStrategy
    seed: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return what is known of the run; there is no certificate."""
        state = self.state
        return {
            "game": self.game,
            "method": self.method,
            "status": self.status,
            "iterations": state.iterations,
            "seed": self.seed,
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
    config = Sampling(cast(Scheme, scheme), seed=seed)
    known = load_game(game) if isinstance(game, str) else game
    if not isinstance(known, PokerGame):
        raise ValueError(f"sample is for poker games, got {known.name}; solve takes what can be enumerated")
    method, engine = f"mccfr-{scheme}", poker_sampling.prepare(known, config, max_infosets)
    file = None
    if checkpoint is not None:
        check_writable(checkpoint, SUFFIXES, "a checkpoint")
        file = CheckpointFile(Path(checkpoint), identity_of(known, method, "table", config))
    run: Run[PokerTableState, PokerStrategy, Certificate] = run_engine(
        method,
        engine,
        iterations,
        None,
        progress=progress or silent,
        note=_infosets,
        checkpoint=file,
        slice_seconds=SLICE_SECONDS,
    )
    return Sample(known.name, method, run.status, run.state, run.strategy, seed, run.seconds)


def _infosets(state: PokerTableState) -> str:
    return f"{state.n_infosets:,} infosets"


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
        for key, strategy in sampled.strategy.items(player):
            for action, probability in strategy.items():
                yield player, key, action, probability


def _write_csv(sampled: Sample) -> Callable[[IO[str]], object]:
    def write(file: IO[str]) -> None:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(sampled))

    return write
