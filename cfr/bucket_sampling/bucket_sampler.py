"""Bucket sampling: external-sampling Monte Carlo CFR with a card abstraction on flat tables.

Traversals run side by side on threads; their kernels need no lock of the interpreter. And what a result says
of the blueprint that was sampled.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.cfr.bucket_sampling.sampler_config import UNPRUNED, BlueprintConfig, PrunedBuckets
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout, blueprint_layout
from treeplex.cfr.bucket_sampling.sampler_tables import (
    BlueprintState,
    add_gains,
    add_snapshot,
    check_shapes,
    check_state,
    discount,
    discount_factor,
    floor_of,
    fresh_state,
)
from treeplex.cfr.bucket_sampling.sampler_walk import (
    SATURATED,
    VISITED,
    SampledDeals,
    SampledTables,
    draw_deals,
    empty_places,
    key_of,
    traverse,
)
from treeplex.cfr.engine import check_iterations
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import Units
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.treeplex import Index

RunAll = Callable[[Iterable[Callable[[], Any]]], list[Any]]
"""Calls functions and returns what they return, in their order."""


def on_threads(stack: ExitStack, workers: int) -> RunAll:
    """Return what calls functions on so many threads, which end with the stack; one after the other if 1."""
    if workers == 1:
        return _one_by_one
    threads = stack.enter_context(ThreadPoolExecutor(workers))

    def run_all(tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        return [future.result() for future in [threads.submit(task) for task in tasks]]

    return run_all


def _one_by_one(tasks: Iterable[Callable[[], Any]]) -> list[Any]:
    return [task() for task in tasks]


MOST_WORKERS = 256
DEALT = 1 << 14
"""Most traversals whose deals are drawn at a time."""


@dataclass(frozen=True)
class BlueprintCFR:
    """External-sampling MCCFR with a card abstraction; advancing overwrites the state's arrays.

    An iteration is one traversal by one player, player 0's first, then by turns. It deals hands and the whole
    board, tries all actions of its player, and samples those of the other (Lanctot, Waugh, Zinkevich and
    Bowling, Monte Carlo sampling for regret minimization in extensive games, 2009). Regrets are integers.

    The tables of lines after the first board cards are split by public cluster. The traversals of a cluster
    are run one after the other, those of different clusters side by side: during a batch, what they share is
    not changed. So the bits of a run do not depend on the number of workers. In a game of one cluster all
    traversals follow each other.

    With imperfect recall no theorem says that this converges.

    Attributes
    ----------
    layout : BlueprintLayout
    config : BlueprintConfig
    workers : int
        Threads that walk clusters and draw deals; their number changes nothing but the time.
    """

    layout: BlueprintLayout
    config: BlueprintConfig
    workers: int

    def start(self) -> BlueprintState:
        """Return the state before the first traversal."""
        return fresh_state(self.layout, self.config)

    def check(self, state: BlueprintState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_state(self.layout, self.config, state, self._floor)

    def advance(self, state: BlueprintState, iterations: int) -> BlueprintState:
        """Return the state after some more traversals; the arrays of ``state`` are overwritten.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or the state's arrays are of another game or config.
        """
        check_iterations(iterations)
        check_shapes(self.layout, self.config, state)
        last = state.iterations + iterations
        with ExitStack() as stack:
            run_all = on_threads(stack, self.workers)
            while state.iterations < last:
                first = state.iterations
                until = min(last, first + DEALT)
                deals = self._deals(first, until, run_all)
                while state.iterations < until:
                    end = min(until, self._next_end(state.iterations))
                    part = deals.part(state.iterations - first, end - first)
                    state = self._ended(self._traversed(state, part, run_all), run_all)
        return state

    def strategy(self, state: BlueprintState) -> BlueprintStrategy:
        """Return the average strategy."""
        return BlueprintStrategy(self.layout, state.total)

    @property
    def _floor(self) -> int:
        return floor_of(self.layout, self.config)

    def _next_end(self, done: int) -> int:
        """Return the number of traversals at which a batch ends or pruning starts next."""
        rule, batch = self.config.pruning, self.config.batch
        ends = (done // batch + 1) * batch
        return ends if rule is None or rule.start <= done else min(ends, rule.start)

    def _traversed(self, state: BlueprintState, deals: SampledDeals, run_all: RunAll) -> BlueprintState:
        """Return the state after the traversals under some deals, all of one batch and all pruned or none."""
        count = self.layout.clusters.count
        order = np.argsort(deals.cluster, kind="stable")
        ends = np.searchsorted(deals.cluster[order], np.arange(count + 1))
        tallies = np.zeros((count, 2), np.int64)
        run_all(
            partial(self._walk, state, deals, order[ends[c] : ends[c + 1]], c, tallies[c])
            for c in range(count)
            if ends[c] < ends[c + 1]
        )
        return replace(
            state,
            iterations=state.iterations + len(order),
            visited=state.visited + int(tallies[:, VISITED].sum()),
            saturated=state.saturated + int(tallies[:, SATURATED].sum()),
        )

    def _ended(self, state: BlueprintState, run_all: RunAll) -> BlueprintState:
        """Return the state with what follows a batch and a period, if it is at the end of one."""
        if state.iterations % self.config.batch == 0:
            saturated = add_gains(state.regret, state.gain, self._floor)
            state = replace(state, saturated=state.saturated + saturated)
        if state.iterations % self.config.period == 0:
            self._end_period(state, run_all)
        return state

    def _deals(self, first: int, until: int, run_all: RunAll) -> SampledDeals:
        """Draw the deals of traversals ``first`` to ``until - 1``, a part on each thread."""
        n = min(self.workers, until - first)
        cuts = [first + (until - first) * k // n for k in range(n + 1)]
        parts = run_all(
            partial(draw_deals, self.layout, self.config.seed, lo, hi - lo) for lo, hi in pairwise(cuts)
        )
        return SampledDeals.joined(parts)

    def _walk(
        self, state: BlueprintState, deals: SampledDeals, numbers: Index, cluster: int, tally: Index
    ) -> None:
        """Run traversals under some of the deals, all of one cluster."""
        start, counts = state.iterations, self.config.average == "counts"
        total = state.total[cluster] if counts else np.zeros(0, np.int32)
        traverse(
            self.layout.nodes,
            SampledTables(state.regret[cluster], state.gain[cluster], total, tally),
            empty_places(self.layout.nodes),
            numbers,
            deals.buckets,
            deals.sign,
            start,
            key_of(self.config.seed),
            self.layout.drawn,
            self.config.weight(start) if counts else 0,
            self._pruned(start),
            self._floor,
        )

    def _pruned(self, done: int) -> PrunedBuckets:
        rule = self.config.pruning
        if rule is None or done < rule.start:
            return UNPRUNED
        return rule.numbers(self.layout.stake, len(self.layout.abstraction.streets) - 1)

    def _end_period(self, state: BlueprintState, run_all: RunAll) -> None:
        """Add a snapshot where these are averaged, and discount regrets."""
        number = state.iterations // self.config.period
        clusters, nodes = range(self.layout.clusters.count), self.layout.nodes
        if self.config.average == "snapshots":
            counts, weight = np.array(self.layout.abstraction.counts), min(number, self.config.linear_periods)
            run_all(
                partial(add_snapshot, nodes, counts, state.regret[c], state.total[c], float(weight))
                for c in clusters
            )
        factor = discount_factor(number, self.config.linear_periods)
        if factor < 1.0:
            run_all(partial(discount, state.regret[c], factor) for c in clusters)


def prepare(
    game: PokerGame,
    abstraction: CardAbstraction,
    config: BlueprintConfig,
    workers: int = 1,
    *,
    report: Report = quiet,
) -> BlueprintCFR:
    """Lay out a game with a card abstraction; ``report`` is told of betting lines.

    Raises
    ------
    ValueError
        If the abstraction is of another game, it has too many betting lines, or ``workers`` is out of range.
    OverflowError
        If a payoff is too large for a float.
    """
    check_workers(workers)
    layout = blueprint_layout(game, abstraction, config.clusters, report)
    return BlueprintCFR(layout, replace(config, abstraction=layout.abstraction.identity), workers)


def check_workers(workers: int) -> None:
    """Raise ``ValueError`` unless a number of workers is from 1 to ``MOST_WORKERS``."""
    if not 1 <= workers <= MOST_WORKERS:
        raise BadInputError(f"threads must be between 1 and {MOST_WORKERS}, got {workers}")


@dataclass(frozen=True, kw_only=True, repr=False)
class BlueprintFacts(Shown):
    """How a blueprint was sampled, beside the number of traversals.

    Attributes
    ----------
    config : BlueprintConfig
    clusters : int
        Number of public clusters there are.
    unit : float
        The unit of regrets, in chips.
    visited : int
        Decisions that traversals visited.
    saturated : int
        How often a regret or a count was cut off at the largest int32.
    """

    config: BlueprintConfig
    clusters: int
    unit: float
    visited: int
    saturated: int

    @staticmethod
    def of(engine: BlueprintCFR, state: BlueprintState) -> "BlueprintFacts":
        """Return what is to be said of a run."""
        return BlueprintFacts(
            config=engine.config,
            clusters=engine.layout.clusters.count,
            unit=engine.layout.unit,
            visited=state.visited,
            saturated=state.saturated,
        )

    def brief(self) -> str:
        """Return the number of decisions visited."""
        return f"{self.visited:,} decisions visited, {self.saturated:,} entries cut off"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        config = self.config
        yield "public clusters", f"{self.clusters:,}, batches of {config.batch:,} traversals"
        yield "averages", f"{config.average}, periods of {config.period:,} traversals"
        if config.pruning is not None:
            yield "pruning", repr(config.pruning)
        yield "visited", f"{self.visited:,} decisions"
        yield "regrets", f"int32 in units of {self.unit:g} chips, {self.saturated:,} times cut off"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        config, rule = self.config, self.config.pruning
        blueprint = {
            "clusters": self.clusters,
            "batch": config.batch,
            "period": config.period,
            "linear_periods": config.linear_periods,
            "averages": config.average,
            "pruning": None if rule is None else {"kind": rule.kind, **asdict(rule)},
            "unit": self.unit,
            "visited": self.visited,
            "saturated": self.saturated,
        }
        return {"blueprint": blueprint}
