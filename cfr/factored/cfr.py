"""CFR+ and its relatives on betting times boards: hold'em of several streets, all hands at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import index
from threading import Event, Lock, Thread
from typing import get_args

import numpy as np
from numba import njit

from treeplex.cfr.factored.arrays import Boards, Floats, Index
from treeplex.cfr.factored.kernels import follow
from treeplex.cfr.factored.layout import factored_arrays
from treeplex.cfr.factored.learning import Rule
from treeplex.cfr.factored.room import START, Learner, Room
from treeplex.cfr.factored.tables import LIMITS, FactoredState, Storage, check_state, fresh_state
from treeplex.cfr.factored.work import Work, backwards, legs_of
from treeplex.cfr.sequence_form.schedule import numbers_of
from treeplex.cfr.variants.variant import Matching, Variant, variant_named
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree

MOST_THREADS = 64
GROUPS = 16
"""Into at most so many groups the boards next after the starting one are put, however many threads there are.

What groups send back is kept apart and added up in their order, so that threads change no bit.
"""
STRETCH = 0.25
"""Seconds that compiled code runs at a stretch, about, unless one iteration takes longer."""


class FactoredMinimiser:
    """A run of full-width iterations on betting times boards, which goes on as often as it is told to.

    The iterations are those of ``minimise`` with alternating updates, in which the plan of
    before the update is counted. Plans, values and sums are float64; regrets and averages are kept as
    float32, or as 16-bit integers times a scale for each decision on each board. Hands that are locked play
    what is locked, and learn nothing.

    Parameters
    ----------
    tree : FactoredTree
    variant : Variant
        Both players by the same regret matching, alternating, the average finite and of plans ``before``.
    storage : {"float32", "int16"}
    threads : int
        From 1 to ``MOST_THREADS``. Their number changes nothing but the time; beyond ``GROUPS`` they have
        nothing to do.
    state : FactoredState, optional
        Where an earlier run of the same variant and storage on the same tree ended; it is taken over.

    Raises
    ------
    ValueError
        If a number is out of range, or the state is of another tree, variant or storage.
    """

    def __init__(
        self,
        tree: FactoredTree,
        variant: Variant,
        *,
        storage: Storage = "float32",
        threads: int = 1,
        state: FactoredState | None = None,
    ) -> None:
        check_options(variant, storage, threads)
        self.tree, self.variant, self.storage, self.threads = tree, variant, storage, threads
        self.arrays = factored_arrays(tree)
        self.seconds = 0.0
        if state is None:
            state = fresh_state(self.arrays, variant, storage)
        else:
            check_state(self.arrays, state, variant, storage)
        self.iterations = state.iterations
        first, second = (Learner.of(self.arrays, p, state.tables[p]) for p in (0, 1))
        self._learners = first, second
        legs = legs_of(self.arrays.boards, GROUPS)
        self._works = (
            Work.of(self.arrays.boards, first, second, legs, threads),
            Work.of(self.arrays.boards, second, first, backwards(legs), threads),
        )

    @property
    def state(self) -> FactoredState:
        """What to go on from; its tables are those of this run, and change when it goes on."""
        first, second = (learner.tables for learner in self._learners)
        return FactoredState(self.variant, self.storage, self.iterations, (first, second))

    @property
    def strategy(self) -> FactoredStrategy:
        """The average strategy; its tables are those of this run, and change when it goes on."""
        first, second = (learner.tables.total for learner in self._learners)
        return FactoredStrategy(self.tree, (first, second))

    def advance(self, iterations: int) -> None:
        """Run some more iterations, at least one.

        A ``KeyboardInterrupt`` is raised once the iteration under way is done, so that the state is whole.
        """
        if index(iterations) < 1:
            raise ValueError(f"iterations must be at least 1, got {iterations}")
        stop, under_way, failed = Event(), Lock(), []
        until = self.iterations + iterations

        def go() -> None:
            with under_way:
                try:
                    self._advance(until, stop)
                except BaseException as error:
                    failed.append(error)

        aside = Thread(target=go)
        try:
            aside.start()
            aside.join()
        except KeyboardInterrupt:
            stop.set()  # a thread that has not begun yet will do nothing
            with under_way:
                raise
        if failed:
            raise failed[0]

    def _advance(self, until: int, stop: Event) -> None:
        step = 1
        with ThreadPoolExecutor(self.threads) as pool:
            while self.iterations < until and not stop.is_set():
                clock, step = time.perf_counter(), min(step, until - self.iterations)
                self._run(_rules(self.variant, self.iterations, step), pool)
                self.iterations += step
                seconds = time.perf_counter() - clock
                self.seconds += seconds
                step = 2 * step if seconds < STRETCH else step

    def _run(self, rules: tuple[Rule, ...], pool: ThreadPoolExecutor) -> None:
        """Run as many iterations as there are rules for."""
        first, second = self._learners
        limits, boards = LIMITS[self.storage], self.arrays.boards
        if len(self._works[0].tasks) <= 1:
            rooms = *self._works[0][:3], *self._works[1][:3]
            _iterate(boards, first, second, np.array(rules), limits, *rooms)
            return
        for rule in rules:
            for (own, opponent), work in zip(((first, second), (second, first)), self._works, strict=True):
                _half_in_threads(boards, own, opponent, rule, limits, work, pool)


def _half_in_threads(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    work: Work,
    pool: ThreadPoolExecutor,
) -> None:
    """Go a player's tour, the groups' legs in threads."""
    go = partial(follow, boards, own, opponent, rule, limits)
    go(work.legs[:1], work.room, work.results)
    n, m = own.levels[1, START], opponent.levels[1, START]
    for _, room in work.tasks:
        room.plan[:n] = work.room.plan[:n]
        room.other[:m] = work.room.other[:m]
    for done in [pool.submit(go, legs, room, work.results) for legs, room in work.tasks]:
        done.result()
    go(work.legs[-1:], work.room, work.results)


@njit(cache=True, error_model="numpy")
def _iterate(
    boards: Boards,
    first: Learner,
    second: Learner,
    rules: Floats,
    limits: tuple[float, float],
    legs0: Index,
    results0: Floats,
    room0: Room,
    legs1: Index,
    results1: Floats,
    room1: Room,
) -> None:
    """Run iterations in one thread, in the same order as in many."""
    for t in range(len(rules)):
        rule = Rule(rules[t, 0], rules[t, 1], rules[t, 2], rules[t, 3])
        follow(boards, first, second, rule, limits, legs0, room0, results0)
        follow(boards, second, first, rule, limits, legs1, room1, results1)


def factored_variant(name: str, average: str | None = None) -> Variant:
    """Return a variant by its name as :class:`FactoredMinimiser` takes it, the plans before updates counted.

    Raises
    ------
    ValueError
        If there is no such variant or average, or it is none of regret matching.
    """
    variant = variant_named(name, average=average, counted="before")
    check_options(variant, "float32", 1)
    return variant


def _rules(variant: Variant, done: int, count: int) -> tuple[Rule, ...]:
    numbers = numbers_of(variant, 0, done, count)
    assert numbers.discount is not None
    positive, negative, prediction = numbers.discount
    weights = numbers.counts.before
    return tuple(
        Rule(float(p), float(n), prediction, float(w))
        for p, n, w in zip(positive, negative, weights, strict=True)
    )


def check_options(variant: Variant, storage: str, threads: int) -> None:
    """Refuse what :class:`FactoredMinimiser` does not take; raises ``ValueError``."""
    first, second = variant.minimisers
    average = variant.average
    if not isinstance(first, Matching) or first != second:
        raise ValueError(f"both players must learn by the same regret matching, got {first} and {second}")
    if variant.order != "alternating" or average.counted != "before" or np.isinf(average.exponent):
        raise ValueError(
            "updates must alternate and the average be finite and of the plans before them, got "
            f"{variant.order} and {average}"
        )
    if storage not in get_args(Storage):
        raise ValueError(f"storage must be one of {', '.join(get_args(Storage))}, got {storage!r}")
    if not 1 <= index(threads) <= MOST_THREADS:
        raise ValueError(f"threads must be between 1 and {MOST_THREADS}, got {threads}")
