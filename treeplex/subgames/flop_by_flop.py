"""What has been computed of a seat, kept flop by flop in a folder, so that an ended run goes on.

Functions of a number run in threads, their results in order.
"""

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeplex.core.progress import Progress
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.street_answers import Answer, Plan

_T = TypeVar("_T")
AHEAD = 4
"""So many results a thread are kept at most until they are asked for."""
PATIENCE = 0.2
"""Seconds between two calls of ``alive``."""

LONG = 60.0
"""From so many seconds on that are left progress says how many minutes."""


def flop_by_flop(
    run: Callable[[int], _T], count: int, threads: int, stage: str, progress: Progress
) -> Iterator[_T]:
    """Yield what a function returns of the number of each flop, and tell how many are done and left."""
    clock = time.perf_counter()

    def alive(done: int) -> None:
        left = (time.perf_counter() - clock) / max(done, 1) * (count - done)
        until = f", about {left / 60:,.0f} min left" if done and left > LONG else ""
        progress(f"{stage}: {done:,} of {count:,} flops{until}", inf)

    return in_order(run, count, threads, alive)


def in_order(
    run: Callable[[int], _T], count: int, threads: int, alive: Callable[[int], None]
) -> Iterator[_T]:
    """Yield ``run(0)``, ``run(1)``, ... up to ``count``.

    Parameters
    ----------
    run : callable
        Spends its time in kernels that release Python's lock.
    count, threads : int
    alive : callable
        Called often from the calling thread with the number of results so far.
    """
    pool, waiting, begun = ThreadPoolExecutor(threads), deque[Future[_T]](), 0
    try:
        for done in range(count):
            while begun < min(count, done + AHEAD * threads):
                waiting.append(pool.submit(run, begun))
                begun += 1
            yield _result(waiting.popleft(), partial(alive, done))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[_T], alive: Callable[[], None]) -> _T:
    while True:
        alive()
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            if future.done():
                raise


NAME = "run.json"


@dataclass(frozen=True)
class Store:
    """A folder with one file a flop and one for each bet before the flop.

    Attributes
    ----------
    folder : Path
    plans : bool
        Whether the answers are kept beside their values, so that they can be judged again.
    """

    folder: Path
    plans: bool

    @staticmethod
    def open(folder: Path, identity: dict[str, Any], *, plans: bool) -> "Store":
        """Return the store of a run, made if it is new; raises ``ValueError`` as :func:`open_run`."""
        open_run(folder, identity)
        return Store(folder, plans)

    def early(self, number: int) -> Answer | None:
        """Return the answer to a bet before the flop; None unless it is kept."""
        path = self._early(number)
        if not path.exists():
            return None
        with np.load(path, allow_pickle=False) as kept:
            return Answer(*(kept[name] for name in Answer._fields))

    def keep_early(self, number: int, answer: Answer) -> None:
        """Keep the answer to a bet before the flop."""
        _write(self._early(number), **answer._asdict())

    def values(self, flop: int) -> Floats | None:
        """Return the values of a flop, (E, H); None unless they are kept."""
        path = self._flop(flop)
        if not path.exists():
            return None
        with np.load(path, allow_pickle=False) as kept:
            return np.asarray(kept["values"])

    def answers(self, flop: int) -> list[Plan]:
        """Return the answers of a flop in the order in which they were given.

        Raises
        ------
        ValueError
            If none are kept.
        """
        if not self._flop(flop).exists():
            raise BadInputError(
                f"{self.folder} must hold the answers on flop {flop}, got no {self._flop(flop).name}"
            )
        with np.load(self._flop(flop), allow_pickle=False) as kept:
            return [kept[f"plan{k}"] for k in range(len(kept.files) - 1)]

    def keep(self, flop: int, values: Floats, plans: list[Plan]) -> None:
        """Keep the values of a flop, and its answers if plans are kept."""
        kept = {f"plan{k}": plan for k, plan in enumerate(plans)} if self.plans else {}
        _write(self._flop(flop), values=values, **kept)

    def _flop(self, flop: int) -> Path:
        return self.folder / f"flop{flop:04d}.npz"

    def _early(self, number: int) -> Path:
        return self.folder / f"before{number}.npz"


def open_run(folder: Path, identity: dict[str, Any]) -> None:
    """Make the folder of a run, or see that it holds this one.

    Parameters
    ----------
    folder : Path
    identity : dict
        What makes the run this one, as JSON has it.

    Raises
    ------
    ValueError
        If the folder holds another run, or cannot be read or written.
    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None
    except (OSError, TypeError, ValueError) as error:
        raise BadInputError(f"{path} must say what run {folder} holds: {error}") from error
    if known is None:
        write_text(path, lambda file: file.write(json.dumps(identity)))
    elif known != identity:
        other = next(key for key in {**identity, **known} if known.get(key) != identity.get(key))
        got = f"its {other} is {known.get(other)!r}, not {identity.get(other)!r}"
        raise BadInputError(f"{folder} holds another run: {got}")


def _write(path: Path, **arrays: NDArray[Any]) -> None:
    """Write arrays so that the file is there whole or not at all."""
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    os.replace(partial, path)
