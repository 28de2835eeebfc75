"""What has been computed of a seat, kept flop by flop in a folder, so that an ended run goes on.

Functions of a number run in threads, their results in order.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from treeplex.core.progress import Progress
from treeplex.files.kept import Kept
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.street_answers import Plan, StreetAnswer

_T = TypeVar("_T")
AHEAD = 4
"""So many results a thread are kept at most until they are asked for."""
PATIENCE = 0.2
"""Seconds between two calls of ``alive``."""
READ = 0.05
"""Seconds that no flop takes which is read from a folder; others say how long those to come will take."""
LONG = 60.0
"""From so many seconds on that are left progress says how many minutes."""


def flop_by_flop(
    run: Callable[[int], _T], count: int, threads: int, stage: str, progress: Progress
) -> Iterator[_T]:
    """Yield what a function returns of the number of each flop, and tell how many are done and left."""
    took: list[float] = []

    def timed(number: int) -> _T:
        clock = time.perf_counter()
        found = run(number)
        took.append(time.perf_counter() - clock)
        return found

    def alive(done: int) -> None:
        computed = [seconds for seconds in took if seconds > READ]
        left = sum(computed) / max(len(computed), 1) * (count - done) / threads
        until = f", about {left / 60:,.0f} min left" if left > LONG else ""
        progress(f"{stage}: {done:,} of {count:,} flops{until}", inf)

    return in_order(timed, count, threads, alive)


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
                # In a copy of this context, which knows the interruption: writes end before a stop.
                waiting.append(pool.submit(copy_context().run, run, begun))
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


@dataclass(frozen=True)
class Store:
    """What is kept of a seat: the answers to bets before the flop, and values and answers flop by flop.

    Attributes
    ----------
    kept : Kept
    plans : bool
        Whether the answers are kept beside their values, so that they can be judged again.
    """

    kept: Kept
    plans: bool

    @staticmethod
    def open(folder: Path, identity: dict[str, Any], *, plans: bool) -> "Store":
        """Return the store of a run, made if it is new; raises ``ValueError`` as :meth:`Kept.open`."""
        return Store(Kept.open(folder, identity), plans)

    def early(self, number: int) -> StreetAnswer | None:
        """Return the answer to a bet before the flop; None unless it is kept."""
        found = self.kept.get(f"before{number}", needed=StreetAnswer._fields)
        return None if found is None else StreetAnswer(*(found[name] for name in StreetAnswer._fields))

    def keep_early(self, number: int, answer: StreetAnswer) -> None:
        """Keep the answer to a bet before the flop."""
        self.kept.put(f"before{number}", answer._asdict())

    def values_or(self, flop: int, run: Callable[[], tuple[Floats, list[Plan]]]) -> Floats:
        """Return the kept values of a flop, (E, H); if there are none, run a function and keep its result."""
        if (found := self.kept.get(_name(flop), needed=("values",))) is not None:
            return found["values"]
        values, plans = run()
        answers = {f"plan{k}": plan for k, plan in enumerate(plans)} if self.plans else {}
        self.kept.put(_name(flop), {"values": values, **answers})
        return values

    def answers(self, flop: int) -> Iterator[Plan]:
        """Return the answers of a flop in the order in which they were given.

        Raises
        ------
        ValueError
            If none are kept, or more are taken than there are.
        """
        name = _name(flop)
        found, path = self.kept.get(name, needed=("values",)), self.kept.path(name)
        if found is None:
            raise BadInputError(
                f"{self.kept.folder} must hold the answers on flop {flop}, got no {path.name}"
            )
        return (_plan(found, path, number) for number in count())


def _name(flop: int) -> str:
    return f"flop{flop:04d}"


def _plan(found: Mapping[str, NDArray[Any]], path: Path, number: int) -> Plan:
    if (plan := found.get(f"plan{number}")) is None:
        raise BadInputError(f"{path} must hold the answer plan{number}, got {', '.join(sorted(found))}")
    return plan


def n_kept_flops(row: Path, name: str = "flop") -> int:
    """Return how many flops both seats of a row's folder keep, in files whose names begin so."""
    return sum(1 for _ in row.glob(f"player[01]/{name}*.npz"))
