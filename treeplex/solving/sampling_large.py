"""Strategies for games too large to enumerate: sampled, kept on disk, written out; nothing is certified."""

import hashlib
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

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
from treeplex.problem import GameLike, load
from treeplex.seqform.forms.profile import Row
from treeplex.solving.guided import Progress, silent
from treeplex.solving.result import Result
from treeplex.store import checkpoint as checkpoints
from treeplex.store.checkpoint import FileKeeper, Keeper, NoKeeper, Position
from treeplex.store.files import check_writable

SCHEMES = ("external", "outcome")
MOST_INFOSETS = 1 << 32
FIRST_SLICE, SLICE_SECONDS = 64, 5.0
"""Iterations of the first stretch of compiled code, and how long later ones may take, about: each copies the
table, which takes a second where it is large."""


@dataclass(frozen=True)
class TableStrategy:
    """The average strategy of every infoset that a run met; of the others nothing is known.

    Attributes
    ----------
    run : PokerTableRun
    """

    run: PokerTableRun

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the run never met it.
        """
        found = self.run.strategy(player, infoset)
        if found is None:
            raise ValueError(f"the run never met player {player}'s infoset {infoset!r}")
        return found

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability, in the order in which infosets were met."""
        for player in (0, 1):
            for key, strategy in self.run.items(player):
                for action, probability in strategy.items():
                    yield player, key, action, probability


def sample(
    game: GameLike,
    iterations: int,
    *,
    scheme: str = "external",
    seed: int = 0,
    max_infosets: int = MAX_INFOSETS,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Result:
    """Run Monte Carlo CFR on a poker game of any size; nothing is enumerated, and nothing is certified.

    Parameters
    ----------
    game : str, Path, PokerGame or Problem
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
    problem = load(game)
    known = problem.game
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
    return Result(
        **problem.facts,
        form="table",
        method=f"mccfr-{scheme}",
        status=status,
        strategy=TableStrategy(PokerTableRun(sampling, state, seconds)),
        certificate=None,
        iterations=state.iterations,
        seconds=seconds,
        n_infosets=state.n_infosets,
        n_bytes=state.n_bytes,
        seed=seed,
        parameters=MappingProxyType({"iterations": iterations, "max_infosets": max_infosets}),
    )


def _identity(game: PokerGame, sampling: Sampling, seed: int) -> dict[str, str]:
    """Return what a run is of; the name of a file says little about its content."""
    rules = hashlib.sha256(repr(game).encode()).hexdigest()
    return {"game": game.name, "rules": rules, "parameters": f"seed {seed}, {sampling}"}


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
