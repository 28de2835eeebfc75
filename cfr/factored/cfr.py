"""CFR+ and its relatives on betting times boards: hold'em of several streets, all hands at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import index

import numpy as np
from numba import njit

from treeplex.cfr.engine import PairState, check_iterations
from treeplex.cfr.factored.arrays import Boards, FactoredArrays, Floats
from treeplex.cfr.factored.kernels import follow
from treeplex.cfr.factored.layout import factored_arrays
from treeplex.cfr.factored.learning import Rule
from treeplex.cfr.factored.room import Learner, Legs, Levels, Room, levels_of
from treeplex.cfr.factored.tables import LIMITS, FactoredConfig, FactoredState, check_state, fresh_state
from treeplex.cfr.factored.work import Work, backwards, legs_of
from treeplex.cfr.sequence_form.schedule import CHUNK, numbers_of
from treeplex.cfr.variants.variant import Variant
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree

MOST_THREADS = 64
GROUPS = 16
"""Into at most so many groups the boards next after the starting one are put, however many threads there are.

What groups send back is kept apart and added up in their order, so that threads change no bit.
"""


@dataclass(frozen=True)
class FactoredCFR:
    """A variant on betting times boards; advancing overwrites all tables of the state.

    The iterations are those of ``full_width`` with alternating updates, in which the plan of
    before the update is counted. Plans, values and sums are float64; regrets and averages are kept as
    float32, or as 16-bit integers times a scale for each decision on each board. Hands that are locked play
    what is locked, and learn nothing.

    Attributes
    ----------
    tree : FactoredTree
    config : FactoredConfig
    threads : int
        Their number changes nothing but the time; beyond ``GROUPS`` they have nothing to do.
    arrays : FactoredArrays
        The tree laid out.
    levels : pair of Levels
    legs : Legs
        Of a tour of the boards.
    """

    tree: FactoredTree
    config: FactoredConfig
    threads: int
    arrays: FactoredArrays
    levels: tuple[Levels, Levels]
    legs: Legs

    def start(self) -> FactoredState:
        """Return the state before the first iteration: nothing regretted, nothing counted."""
        return fresh_state(self.arrays, self.config)

    def advance(self, state: FactoredState, iterations: int) -> FactoredState:
        """Return the state after more iterations, its tables those of ``state`` overwritten.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or the state is of another tree or storage.
        """
        check_iterations(iterations)
        check_state(self.arrays, state, self.config)
        first, second = (
            Learner(side, tables, levels)
            for side, tables, levels in zip(self.arrays.sides, state.memories, self.levels, strict=True)
        )
        boards, n = self.arrays.boards, self.threads
        works = (
            Work.of(boards, first, second, self.legs, n),
            Work.of(boards, second, first, backwards(self.legs), n),
        )
        with ThreadPoolExecutor(n) as pool:
            for done in range(state.iterations, state.iterations + iterations, CHUNK):
                rules = _rules(self.config.variant, done, min(CHUNK, state.iterations + iterations - done))
                self._run(rules, (first, second), works, pool)
        return PairState(state.iterations + iterations, state.memories)

    def strategy(self, state: FactoredState) -> FactoredStrategy:
        """Return the average strategy; its tables are those of the state."""
        first, second = (tables.total for tables in state.memories)
        return FactoredStrategy(self.tree, (first, second))

    def _run(
        self,
        rules: tuple[Rule, ...],
        learners: tuple[Learner, Learner],
        works: tuple[Work, Work],
        pool: ThreadPoolExecutor,
    ) -> None:
        """Run as many iterations as there are rules for."""
        first, second = learners
        limits, boards = LIMITS[self.config.storage], self.arrays.boards
        if len(works[0].tasks) <= 1:
            rooms = *works[0][:3], *works[1][:3]
            _iterate(boards, first, second, np.array(rules), limits, *rooms)
            return
        for rule in rules:
            for (own, opponent), work in zip(((first, second), (second, first)), works, strict=True):
                _half_in_threads(boards, own, opponent, rule, limits, work, pool)


def prepare(tree: FactoredTree, config: FactoredConfig, threads: int = 1) -> FactoredCFR:
    """Lay a game's betting and boards out for a variant.

    Parameters
    ----------
    tree : FactoredTree
    config : FactoredConfig
    threads : int
        From 1 to ``MOST_THREADS``.

    Raises
    ------
    ValueError
        If the number of threads is out of range.
    """
    check_threads(threads)
    arrays = factored_arrays(tree)
    levels = levels_of(arrays, 0), levels_of(arrays, 1)
    return FactoredCFR(tree, config, threads, arrays, levels, legs_of(arrays.boards, GROUPS))


def check_threads(threads: int) -> None:
    """Refuse a number of threads that is out of range; raises ``ValueError``."""
    if not 1 <= index(threads) <= MOST_THREADS:
        raise ValueError(f"threads must be between 1 and {MOST_THREADS}, got {threads}")


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
    go(work.legs.of(slice(0, 1)), work.room, work.results)
    n, m = own.levels.start[1], opponent.levels.start[1]
    for _, room in work.tasks:
        room.plan[:n] = work.room.plan[:n]
        room.other[:m] = work.room.other[:m]
    for done in [pool.submit(go, legs, room, work.results) for legs, room in work.tasks]:
        done.result()
    go(work.legs.of(slice(-1, None)), work.room, work.results)


@njit(cache=True, error_model="numpy")
def _iterate(
    boards: Boards,
    first: Learner,
    second: Learner,
    rules: Floats,
    limits: tuple[float, float],
    legs0: Legs,
    results0: Floats,
    room0: Room,
    legs1: Legs,
    results1: Floats,
    room1: Room,
) -> None:
    """Run iterations in one thread, in the same order as in many."""
    for t in range(len(rules)):
        rule = Rule(rules[t, 0], rules[t, 1], rules[t, 2], rules[t, 3])
        follow(boards, first, second, rule, limits, legs0, room0, results0)
        follow(boards, second, first, rule, limits, legs1, room1, results1)


def _rules(variant: Variant, done: int, count: int) -> tuple[Rule, ...]:
    numbers = numbers_of(variant, 0, done, count)
    assert numbers.discount is not None
    positive, negative, prediction = numbers.discount
    weights = numbers.counts.before
    return tuple(
        Rule(float(p), float(n), prediction, float(w))
        for p, n, w in zip(positive, negative, weights, strict=True)
    )
