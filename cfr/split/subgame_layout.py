"""The subgames of a flop laid out for the kernels, and one half of an iteration in one of them."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_arrays import FactoredArrays, Floats
from treeplex.cfr.boards.board_layout import factored_arrays
from treeplex.cfr.boards.factored_cfr import every_hand_enters
from treeplex.cfr.boards.fixed_point import Fixed, FixedPoint, fixed_of
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.boards.traversal import traverse
from treeplex.cfr.boards.workspace import BoardLearner, BoardWorkspace, StreetOffsets, street_offsets
from treeplex.cfr.split.subgame_tables import SubgameTables
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.split_tree import SplitTree

NO_LIMITS = (0.0, 0.0)
"""Of the kernels' 16-bit integers, which are none here."""


def scales_below(fixed: FixedPoint, street: int) -> FixedPoint:
    """Return the fixed point of games that begin on a street: without the scales of streets before it."""
    regrets, averages = (
        None if one is None else one[street:] for one in (fixed.scales, fixed.average_scales)
    )
    return replace(fixed, scales=regrets, average_scales=averages)


class LineLayout(NamedTuple):
    """A subgame's tree laid out, with both players' row offsets and scales."""

    tree: FactoredTree
    arrays: FactoredArrays
    offsets: tuple[StreetOffsets, StreetOffsets]
    fixed: tuple[Fixed, Fixed]

    def zeros(self, player: int, *, averages: bool) -> SubgameTables:
        """Return a player's tables before the first iteration."""
        n = int(self.tree.base[player][-1])
        return SubgameTables(np.zeros(n, np.int32), np.zeros(n if averages else 0, np.int32))


@dataclass(frozen=True)
class FlopLayout:
    """The subgames of all lines on a flop; they share their boards and hands."""

    lines: tuple[LineLayout, ...]

    @staticmethod
    def of(split: SplitTree, flop: int, fixed: FixedPoint) -> "FlopLayout":
        """Lay out the subgames of a flop, by its number in ``split.flops``."""
        boards, below = split.boards(flop), scales_below(fixed, split.street)
        lines: list[LineLayout] = []
        for line in range(len(split.lines)):
            tree = split.tree(flop, line, boards)
            like = lines[0].arrays if lines else None
            arrays = factored_arrays(tree, every_hand_enters(tree), like=like)
            offsets = street_offsets(arrays, 0), street_offsets(arrays, 1)
            first, second = (fixed_of(tree, arrays, below, p) for p in (0, 1))
            lines.append(LineLayout(tree, arrays, offsets, (first, second)))
        return FlopLayout(tuple(lines))

    @property
    def n_bytes(self) -> int:
        """Bytes of the hands on all boards, nearly all there are."""
        sides = self.lines[0].arrays.sides
        return sum(array.nbytes for side in sides for array in side.hands)


class SplitUpdate(NamedTuple):
    """What an update found: values and best values in chips (W,), and counts of saturations."""

    values: Floats
    best: Floats
    saturated: tuple[int, int]


def update_subgame(
    layout: LineLayout,
    player: int,
    own: SubgameTables,
    other: SubgameTables,
    rule: Rule,
    plan: Floats,
    seen: Floats,
) -> SplitUpdate:
    """Update a player's tables in a subgame, in their arrays, against the opponent's current plan.

    Parameters
    ----------
    layout : LineLayout
    player : int
    own, other : SubgameTables
        The player's, and the opponent's.
    rule : Rule
    plan, seen : (W,), (W',) float64
        As in ``Job``, of one line.
    """
    arrays, offsets = layout.arrays, layout.offsets
    mine, theirs = (
        BoardLearner.of(arrays.sides[p], memory_of(arrays, p, tables), offsets[p], fixed=layout.fixed[p])
        for p, tables in ((player, own), (1 - player, other))
    )
    mine.root_plan[0, : len(plan)] = plan
    theirs.root_plan[1, : len(seen)] = seen
    workspace = BoardWorkspace.of(arrays.boards, mine, theirs, carries=True)
    traverse(arrays.boards, mine, theirs, rule, NO_LIMITS, 0, len(arrays.boards.street), -1, 0, workspace)
    unit, entry = arrays.units[player], int(mine.side.betting.roots.entry[0] * mine.offsets.stride[0])
    root = slice(entry, entry + len(plan))
    regrets, averages = workspace.saturated.tolist()
    return SplitUpdate(workspace.values[root] * unit, workspace.best[root] * unit, (regrets, averages))


def memory_of(arrays: FactoredArrays, player: int, tables: SubgameTables) -> FactoredMemory:
    """Return tables as the kernels take them; no scales, no predictions, no root decisions."""
    ones = np.ones(int(arrays.sides[player].step_base[-1]), np.float32)
    root = np.zeros(len(arrays.sides[player].root.stay))
    none = np.zeros(0)
    return FactoredMemory(
        tables.regret, tables.average, none.astype(np.float32), ones, ones, root, root, none
    )
