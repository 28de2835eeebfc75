"""What a run on a split game takes: tables counted on some flops, an update of a subgame timed."""

import time
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.factored.regret_matching import Rule
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.split.subgame_layout import FlopLayout, update_subgame
from treeplex.games.display.estimate import Estimate
from treeplex.seqform.split.split_tree import SplitTree

SAMPLED_FLOPS = 3
RATIO = 10.0
"""Bytes of tables per byte of their files that is expected: what measured runs had at least."""
ENCODED, DECODED = 4e8, 6e8
"""Bytes of tables a second that a core writes to files and reads, about."""
A_PROCESS = 400e6
"""Bytes of a worker's process beside tables."""
JUDGED = 3.0
"""Seconds of a certificate in those of an iteration, about."""


@dataclass(frozen=True)
class SplitSize:
    """Sizes and seconds of a split game, extrapolated from some of its flops.

    Attributes
    ----------
    entries : float
        Of both players' tables in all subgames.
    update : float
        Seconds of an iteration's walks in all subgames on one core.
    subgame : float
        Bytes of the largest subgame's tables, both players' together.
    averages : bool
        Whether averages are kept beside regrets.
    """

    entries: float
    update: float
    subgame: float
    averages: bool

    @staticmethod
    def of(split: SplitTree, config: FactoredConfig) -> "SplitSize":
        """Count the entries of some flops' subgames, and time an update of one subgame."""
        n = len(split.flops)
        chosen = np.unique(np.linspace(0, n - 1, min(SAMPLED_FLOPS, n)).round().astype(int)).tolist()
        layouts = [FlopLayout.of(split, flop, config.fixed) for flop in chosen]
        lines = [line for layout in layouts for line in layout.lines]
        counts = [line.tree.n_entries for line in lines]
        a_value = _timed(layouts[len(layouts) // 2], config)
        entries = n * sum(counts) / len(layouts)
        each = 4 * (1 + config.averages)
        return SplitSize(entries, entries * a_value, float(max(counts) * each), config.averages)

    @property
    def raw(self) -> float:
        """Bytes of all tables."""
        return self.entries * 4 * (1 + self.averages)

    def memory(self, workers: int, *, in_memory: bool) -> float:
        """Return the bytes that workers take: with all tables, or with one subgame's each."""
        return (self.raw if in_memory else 2 * workers * self.subgame) + (workers + 1) * A_PROCESS

    def written(self, workers: int) -> float:
        """Return the seconds in which tables that are in memory are written: one player's twice."""
        return 1.5 * self.raw / ENCODED / workers

    def estimate(self, iterations: int, workers: int, *, in_memory: bool) -> Estimate:
        """Return what so many iterations take, one certificate included."""
        # Two generations: of one player the tables after its last half, of the other those before it too.
        disk = (1.5 if in_memory else 2.0) * self.raw / RATIO
        files = 0.0 if in_memory else self.raw * (1 / ENCODED + 2 / DECODED)
        each = (self.update + files) / workers
        seconds = (iterations + JUDGED) * each + (self.written(workers) if in_memory else 0.0)
        return Estimate(seconds, self.memory(workers, in_memory=in_memory), disk)


def _timed(layout: FlopLayout, config: FactoredConfig) -> float:
    """Return the seconds of one entry in one iteration, the second time that a subgame is updated."""
    line = max(layout.lines, key=lambda line: line.tree.n_entries)
    tables = [line.zeros(p, averages=config.averages) for p in (0, 1)]
    plans = [np.ones(int(line.arrays.sides[p].hands.start[1])) for p in (0, 1)]
    rule = Rule(1.0, 0.0, 0.0, 1.0)
    seconds = 0.0
    for _ in range(2):
        clock = time.perf_counter()
        for p in (0, 1):
            update_subgame(line, p, tables[p], tables[1 - p], rule, plans[p], plans[1 - p])
        seconds = time.perf_counter() - clock
    return seconds / line.tree.n_entries
