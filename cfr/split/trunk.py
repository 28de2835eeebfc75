"""The trunk of a split game laid out: what it sends to subgames, and its update by what they return."""

from dataclasses import dataclass

import numpy as np

from treeplex.cfr.factored.factored_cfr import every_hand_enters
from treeplex.cfr.factored.layout.arrays import FactoredArrays, Floats
from treeplex.cfr.factored.layout.tree_layout import factored_arrays
from treeplex.cfr.factored.regret_matching import FactoredMemory, Rule
from treeplex.cfr.factored.root_play import enter
from treeplex.cfr.factored.scales import fixed_of
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.factored.traversal import traverse
from treeplex.cfr.factored.workspace import Learner, StreetOffsets, Workspace, street_offsets
from treeplex.cfr.split.subgame_layout import NO_LIMITS, Update
from treeplex.cfr.split.trunk_walk import give_values, send_plans
from treeplex.seqform.split.split_tree import SplitTree

Memories = tuple[FactoredMemory, FactoredMemory]


@dataclass(frozen=True)
class Trunk:
    """The trunk as the kernels read it.

    Attributes
    ----------
    split : SplitTree
    config : FactoredConfig
        Of storage int32.
    arrays : FactoredArrays
    offsets : pair of StreetOffsets
    """

    split: SplitTree
    config: FactoredConfig
    arrays: FactoredArrays
    offsets: tuple[StreetOffsets, StreetOffsets]

    @staticmethod
    def of(split: SplitTree, config: FactoredConfig) -> "Trunk":
        """Lay out the trunk of a split game."""
        arrays = factored_arrays(split.trunk, every_hand_enters(split.trunk))
        return Trunk(split, config, arrays, (street_offsets(arrays, 0), street_offsets(arrays, 1)))

    def widths(self, player: int) -> list[int]:
        """Return the number of a player's hands on each of the last boards."""
        width: list[int] = np.diff(self.arrays.sides[player].hands.start)[list(self.split.flops)].tolist()
        return width

    def weights(self, player: int) -> Floats:
        """Return the weight of each of a player's hands at the root, (H,)."""
        weight: Floats = self.arrays.sides[player].root.weight[0]
        return weight

    def half(self, player: int, memories: Memories, rule: Rule) -> "TrunkHalf":
        """Begin one half of an iteration, which updates ``player``."""
        mine, theirs = (
            Learner.of(
                self.arrays.sides[p],
                memories[p],
                self.offsets[p],
                fixed=fixed_of(self.split.trunk, self.arrays, self.config.fixed, p),
            )
            for p in (player, 1 - player)
        )
        for one, weight in ((mine, rule.weight), (theirs, 0.0)):
            enter(one.side.root, one.memory, 0.0, weight, one.root_plan, one.root_play)
        workspace = Workspace.of(self.arrays.boards, mine, theirs, carries=True)
        return TrunkHalf(self, player, mine, theirs, rule, workspace)


@dataclass(frozen=True)
class TrunkHalf:
    """One half of an iteration in the trunk: plans sent, values received, then its own regrets updated."""

    trunk: Trunk
    player: int
    mine: Learner
    theirs: Learner
    rule: Rule
    workspace: Workspace

    def plans(self) -> tuple[Floats, Floats]:
        """Return both players' plans at the ends of lines on the last boards, (F, L, W) and (F, L, W').

        The updating player's as parts of its hands, the opponent's times the weights of its range.
        """
        split, widths = self.trunk.split, [max(self.trunk.widths(p)) for p in (self.player, 1 - self.player)]
        shape = len(split.flops), len(split.lines)
        plans, seen = (np.zeros((*shape, width)) for width in widths)
        silent = self.rule._replace(weight=0.0)
        boards = self.trunk.arrays.boards
        send_plans(boards, self.mine, self.theirs, silent, self.workspace, plans, seen)
        return plans, seen

    def receive(self, flop: int, first: int, values: Floats, best: Floats) -> None:
        """Take values and best values of a flop's subgames from line ``first`` on, (L, W) in chips."""
        trunk, here = self.trunk, self.trunk.split.flops[flop]
        scale = 1.0 / (trunk.arrays.units[self.player] * trunk.split.trunk.boards.runouts[trunk.split.street])
        for kind, found in enumerate((values, best)):
            boards, given = trunk.arrays.boards, self.workspace.given
            give_values(boards, self.mine, kind, here, first, found, scale, given)

    def update(self) -> Update:
        """Update the trunk's tables by all values received; return what each hand is worth at the root."""
        arrays, work = self.trunk.arrays, self.workspace
        boards = arrays.boards
        traverse(boards, self.mine, self.theirs, self.rule, NO_LIMITS, 0, len(boards.street), -1, 0, work)
        unit, width = arrays.units[self.player], len(self.mine.root_plan[0])
        entry = int(self.mine.side.betting.roots.entry[0] * self.mine.offsets.stride[0])
        root = slice(entry, entry + width)
        regrets, averages = work.saturated.tolist()
        return Update(work.values[root] * unit, work.best[root] * unit, (regrets, averages))
