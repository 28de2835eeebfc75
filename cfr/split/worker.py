"""A worker: it owns some flops, keeps their layouts, and runs jobs on tables from its shelf."""

import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.layout.arrays import Floats
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.split.job import Cost, Job, Outcome, Write
from treeplex.cfr.split.subgame_layout import FlopLayout, update_subgame
from treeplex.cfr.split.tables import Place, Put, Shelf, Tables
from treeplex.seqform.split.split_tree import SplitTree

LAYOUT_BYTES = 1_000_000_000
"""Most bytes of layouts that a worker keeps; those used least recently are made again when needed."""
NOT_WRITTEN = Put(b"", 0)


class Updated(NamedTuple):
    """What is found on a line, as in ``Outcome``."""

    values: Floats
    best: Floats
    hashes: tuple[bytes, bytes]
    saturated: tuple[int, int]
    cost: Cost


class Worker:
    """Runs the jobs of some flops.

    Parameters
    ----------
    split : SplitTree
    config : FactoredConfig
        Of storage int32.
    shelf : Shelf
    """

    def __init__(self, split: SplitTree, config: FactoredConfig, shelf: Shelf) -> None:
        self.split, self.config, self.shelf = split, config, shelf
        self._layouts: OrderedDict[int, FlopLayout] = OrderedDict()

    def layout(self, flop: int) -> FlopLayout:
        """Return the layout of a flop, laid out if it is not kept."""
        if flop not in self._layouts:
            self._layouts[flop] = FlopLayout.of(self.split, flop, self.config.fixed)
            while len(self._layouts) > 1 and self._bytes > LAYOUT_BYTES:
                self._layouts.popitem(last=False)
        self._layouts.move_to_end(flop)
        return self._layouts[flop]

    @property
    def _bytes(self) -> int:
        return sum(layout.n_bytes for layout in self._layouts.values())

    def run(self, job: Job) -> Outcome:
        """Run a job; the tables that it updated are on the shelf afterwards."""
        values, best, hashes, saturated, costs = zip(*self._updates(job), strict=True)
        regrets, averages = np.sum(saturated, axis=0).tolist()
        return Outcome(
            job.half,
            job.flop,
            job.lines,
            np.array(values),
            np.array(best),
            hashes,
            (regrets, averages),
            sum(costs, Cost()),
        )

    def tables(self, place: Place, half: int) -> Tables:
        """Return tables as they were after a half of an iteration; zeros before the first."""
        line = self.layout(place.flop).lines[place.line]
        if half <= 0:
            return line.zeros(place.player, averages=self.config.averages)
        return self.shelf.take(place, half, line.tree)

    def _updates(self, job: Job) -> Iterator[Updated]:
        """Yield what is found on each line, in order."""
        layout, player = self.layout(job.flop), job.player
        for i, line in enumerate(range(*job.lines)):
            mine, theirs = Place(job.flop, line, player), Place(job.flop, line, 1 - player)
            begun = time.perf_counter()
            own, other = self.tables(mine, job.half - 2), self.tables(theirs, job.half - 1)
            before = self._written(mine, job.half - 2, own, job.write == Write.BOTH)
            ready = time.perf_counter()
            update = update_subgame(
                layout.lines[line], player, own, other, job.rule, job.plan[i], job.seen[i]
            )
            walked = time.perf_counter()
            after = self._written(mine, job.half, own, job.write != Write.NONE)
            self.shelf.put(mine, job.half, own, written=job.write != Write.NONE)
            files = ready - begun + time.perf_counter() - walked
            cost = Cost(walked - ready, files, before.n_bytes + after.n_bytes)
            yield Updated(update.values, update.best, (after.hash, before.hash), update.saturated, cost)

    def _written(self, place: Place, half: int, tables: Tables, wanted: bool) -> Put:
        """Write tables if that is wanted and there are any: there are none at half 0."""
        if not wanted or half <= 0:
            return NOT_WRITTEN
        return self.shelf.write(place, half, self.layout(place.flop).lines[place.line].tree, tables)
