"""CFR+ and its relatives on betting times boards: hold'em of several streets, all hands at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from threading import Event
from typing import Literal, NamedTuple, get_args

import numpy as np
from numba import njit

from cfr.schedule import numbers_of
from cfr.street_arrays import BOARD_ABOVE, Boards, Floats, Index, StreetArrays, street_arrays
from cfr.street_kernels import EXITS, START, Learner, Room, tour
from cfr.street_learning import Rule, Tables
from cfr.variant import Matching, Variant, variant_named
from seqform.street_strategy import StreetStrategy, StreetTree

Storage = Literal["float32", "int16"]
LIMITS = {"float32": (0.0, 0.0), "int16": (32_767.0, 65_535.0)}
"""The largest integers that regrets and averages are kept as; 0 where they are kept as floats."""
BYTES = {"float32": 8, "int16": 4}
"""What a hand's action on a board takes: a regret and an average."""
MOST_THREADS = 64
GROUPS = 32
"""Into at most so many groups the boards next after the starting one are put, however many threads there are.

What groups send back is kept apart and added up in their order, so that threads change no bit.
"""
STRETCH = 0.25
"""Seconds that compiled code runs at a stretch, about, unless one iteration takes longer."""


@dataclass(frozen=True)
class StreetState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    variant : Variant
    storage : {"float32", "int16"}
    iterations : int
        Done so far.
    tables : pair of Tables
    """

    variant: Variant
    storage: Storage
    iterations: int
    tables: tuple[Tables, Tables]


class StreetMinimiser:
    """A run of full-width iterations on betting times boards, which goes on as often as it is told to.

    The iterations are those of ``cfr.full_width.minimise`` with alternating updates, in which the plan of
    before the update is counted. Plans, values and sums are float64; regrets and averages are kept as
    float32, or as 16-bit integers times a scale for each decision on each board.

    Parameters
    ----------
    tree : StreetTree
    variant : Variant
        Both players by the same regret matching, alternating, the average finite and of plans ``before``.
    storage : {"float32", "int16"}
    threads : int
        From 1 to ``MOST_THREADS``. Their number changes nothing but the time.
    state : StreetState, optional
        Where an earlier run of the same variant and storage on the same tree ended; it is taken over.

    Raises
    ------
    ValueError
        If a number is out of range, or the state is of another tree, variant or storage.
    """

    def __init__(
        self,
        tree: StreetTree,
        variant: Variant,
        *,
        storage: Storage = "float32",
        threads: int = 1,
        state: StreetState | None = None,
    ) -> None:
        _check(variant, storage, threads)
        self.tree, self.variant, self.storage, self.threads = tree, variant, storage, threads
        self.arrays = street_arrays(tree.betting, tree.boards)
        self.iterations = 0 if state is None else state.iterations
        self.seconds = 0.0
        tables = [_fresh(self.arrays, p, variant, storage) for p in (0, 1)] if state is None else state.tables
        if state is not None:
            _check_state(self.arrays, variant, storage, state)
        self._learners = tuple(Learner.of(self.arrays, p, tables[p]) for p in (0, 1))
        self._groups = _groups(self.arrays.boards, GROUPS)
        first, second = self._learners
        self._works = [
            _Work.of(self.arrays.boards, own, opponent, self._groups, threads)
            for own, opponent in ((first, second), (second, first))
        ]

    @property
    def state(self) -> StreetState:
        """What to go on from; its tables are those of this run, and change when it goes on."""
        first, second = (learner.tables for learner in self._learners)
        return StreetState(self.variant, self.storage, self.iterations, (first, second))

    @property
    def strategy(self) -> StreetStrategy:
        """The average strategy; its tables are those of this run, and change when it goes on."""
        first, second = (learner.tables.total for learner in self._learners)
        return StreetStrategy(self.tree, (first, second))

    def advance(self, iterations: int) -> None:
        """Run some more iterations, at least one.

        A ``KeyboardInterrupt`` is raised once the iteration under way is done, so that the state is whole.
        """
        if index(iterations) < 1:
            raise ValueError(f"iterations must be at least 1, got {iterations}")
        stop = Event()
        with ThreadPoolExecutor(1) as aside:
            running = aside.submit(self._advance, self.iterations + iterations, stop)
            try:
                running.result()
            except KeyboardInterrupt:
                stop.set()
                running.result()
                raise

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
        if self.threads == 1 or len(self._groups) == 1:
            numbers = np.array(rules)
            rooms = *self._works[0][:2], *self._works[1][:2]
            _iterate(boards, first, second, numbers, limits, self._groups, *rooms)
            return
        for rule in rules:
            for p, work in enumerate(self._works):
                own, opponent = self._learners[p], self._learners[1 - p]
                _half_in_threads(boards, own, opponent, rule, limits, work, p == 0, pool)


class _Work(NamedTuple):
    """What a player's half of an iteration overwrites.

    top : Room
    results : (G, .) float64
        What each group sends back to the first street.
    tasks : tuple of (groups, room, results), one a thread
    """

    top: Room
    results: Floats
    tasks: tuple[tuple[Index, Room, Floats], ...]

    @staticmethod
    def of(boards: Boards, own: Learner, opponent: Learner, groups: Index, threads: int) -> "_Work":
        """Deal the groups out to threads, each a stretch with about as many boards."""
        top = Room.of(boards, own, opponent)
        results = np.zeros((len(groups) - 1, int(own.levels[1, EXITS])))
        shares = np.linspace(groups[0], groups[-1], threads + 1)
        cuts = np.searchsorted(groups, shares).tolist()
        tasks = [
            (groups[a : b + 1], top if a == 0 else Room.of(boards, own, opponent), results[a:b])
            for a, b in pairwise(cuts)
            if b > a
        ]
        return _Work(top, results, tuple(tasks))


def _half_in_threads(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    work: _Work,
    forwards: bool,
    pool: ThreadPoolExecutor,
) -> None:
    tour(boards, own, opponent, rule, limits, 0, 1, -1, 1, work.top)
    done = [
        pool.submit(
            _tour_groups, boards, own, opponent, rule, limits, groups, work.top, room, results, forwards
        )
        for groups, room, results in work.tasks
    ]
    for one in done:
        one.result()
    _finish(boards, own, opponent, rule, limits, work.top, work.results)


@njit(cache=True, error_model="numpy", nogil=True)
def _tour_groups(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    groups: Index,
    top: Room,
    room: Room,
    results: Floats,
    forwards: bool,
) -> None:
    """Tour groups of boards; what each sends back goes to its row of the results.

    One player goes forwards, the other backwards: the tables touched last are still in the cache.
    """
    n, m, exits = own.levels[1, START], opponent.levels[1, START], own.levels[1, EXITS]
    room.plan[:n] = top.plan[:n]
    room.other[:m] = top.other[:m]
    for i in range(len(groups) - 1):
        group = i if forwards else len(groups) - 2 - i
        room.exits[:exits] = 0.0
        tour(boards, own, opponent, rule, limits, groups[group], groups[group + 1], 0, 1, room)
        results[group] = room.exits[:exits]


@njit(cache=True, error_model="numpy")
def _finish(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    room: Room,
    results: Floats,
) -> None:
    """Add up what groups sent back, in their order, and learn on the first street."""
    exits = room.exits[: results.shape[1]]
    exits[:] = 0.0
    for group in range(len(results)):
        exits += results[group]
    room.path[0] = 0
    tour(boards, own, opponent, rule, limits, 0, 0, 0, 0, room)


@njit(cache=True, error_model="numpy")
def _iterate(
    boards: Boards,
    first: Learner,
    second: Learner,
    rules: Floats,
    limits: tuple[float, float],
    groups: Index,
    room0: Room,
    results0: Floats,
    room1: Room,
    results1: Floats,
) -> None:
    """Run iterations in one thread, in the same order as in many."""
    for t in range(len(rules)):
        rule = Rule(rules[t, 0], rules[t, 1], rules[t, 2], rules[t, 3])
        _half(boards, first, second, rule, limits, groups, room0, results0, True)
        _half(boards, second, first, rule, limits, groups, room1, results1, False)


@njit(cache=True, error_model="numpy")
def _half(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    groups: Index,
    room: Room,
    results: Floats,
    forwards: bool,
) -> None:
    if len(groups) == 1:
        tour(boards, own, opponent, rule, limits, 0, 1, -1, 0, room)
        return
    tour(boards, own, opponent, rule, limits, 0, 1, -1, 1, room)
    _tour_groups(boards, own, opponent, rule, limits, groups, room, room, results, forwards)
    _finish(boards, own, opponent, rule, limits, room, results)


def street_variant(name: str, average: str | None = None) -> Variant:
    """Return a variant by its name as :class:`StreetMinimiser` takes it, the plans before updates counted.

    Raises
    ------
    ValueError
        If there is no such variant or average, or it is none of regret matching.
    """
    variant = variant_named(name, average=average, counted="before")
    _check(variant, "float32", 1)
    return variant


def _groups(boards: Boards, most: int) -> Index:
    """Return where groups of subtrees next after the starting board start, and where the last ends."""
    starts = np.flatnonzero(boards.boards[:, BOARD_ABOVE] == 0)
    end = len(boards.boards)
    if len(starts) == 0:
        return np.array([end], np.int64)
    wanted = np.linspace(1, end, min(most, len(starts)) + 1)[:-1]
    return np.append(np.unique(starts[np.searchsorted(starts, wanted)]), end).astype(np.int64)


def _rules(variant: Variant, done: int, count: int) -> tuple[Rule, ...]:
    numbers = numbers_of(variant, 0, done, count)
    assert numbers.discount is not None
    positive, negative, prediction = numbers.discount
    weights = numbers.counts.before
    return tuple(
        Rule(float(p), float(n), prediction, float(w))
        for p, n, w in zip(positive, negative, weights, strict=True)
    )


def no_state(variant: Variant, storage: Storage) -> StreetState:
    """Return a state of no iterations, its tables empty: what a state that is read from a file is like."""
    tables = _tables(0, 0, variant, storage)
    return StreetState(variant, storage, 0, (tables, tables))


def _fresh(arrays: StreetArrays, player: int, variant: Variant, storage: Storage) -> Tables:
    """Return the tables before the first iteration: no regret, nothing counted."""
    slots, steps = arrays.sides[player].base[-1].tolist()
    return _tables(slots, steps, variant, storage)


def _tables(slots: int, steps: int, variant: Variant, storage: Storage) -> Tables:
    regret, total = (np.float32, np.float32) if storage == "float32" else (np.int16, np.uint16)
    return Tables(
        regret=np.zeros(slots, regret),
        total=np.zeros(slots, total),
        gain=np.zeros(slots if is_predictive(variant) else 0, np.float32),
        regret_scale=np.ones(steps, np.float32),
        total_scale=np.ones(steps, np.float32),
    )


def is_predictive(variant: Variant) -> bool:
    """Return whether the last regrets are expected once more, and so kept."""
    matching = variant.minimisers[0]
    return isinstance(matching, Matching) and matching.prediction > 0


def _check(variant: Variant, storage: str, threads: int) -> None:
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


def _check_state(arrays: StreetArrays, variant: Variant, storage: Storage, state: StreetState) -> None:
    if (state.variant, state.storage) != (variant, storage):
        raise ValueError(f"the state is of {state.variant} in {state.storage}, got {variant} in {storage}")
    for p, tables in enumerate(state.tables):
        for name, fresh in _fresh(arrays, p, variant, storage)._asdict().items():
            kept = getattr(tables, name)
            if (kept.shape, kept.dtype) != (fresh.shape, fresh.dtype):
                raise ValueError(
                    f"the state must be of the same tree: player {p}'s {name} must be {fresh.shape} "
                    f"{fresh.dtype}, got {kept.shape} {kept.dtype}"
                )
