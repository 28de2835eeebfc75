"""The gadget Resolve: at each top the opponent enters or takes the alternative value."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treeplex.gadgets.core.gadget import AlternativesGadget
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_above
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.root_decisions import Entry, RootDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class Resolve(AlternativesGadget):
    """The gadget of CFR-D (Burch, Johanson and Bowling 2014), with whatever alternative values."""

    base: ClassVar[str] = "resolve"

    def root(self, tops: Tops) -> RootDecisions:
        """Return a decision a top, which make the value sum_t max(V_t, w_t alternative_t), w_t the reach.

        Chance deals the tops by their reach; it is left unnormalised, so that values add up as in the whole
        game.
        """
        live = np.flatnonzero(tops.live)
        keys = tuple(f"enter {tops.tops[t]}" for t in live.tolist())
        header = choices(keys, ("stay", "enter"))
        at = np.full(len(tops.reach), -1)
        at[live] = header.begin + 1
        stay = header.begin, (tops.reach * self.alternatives.of(tops).total)[live]
        return RootDecisions(header, (Entry(at, np.ones(len(at))),), stay)

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_t z_t with z_t >= V_t and z_t >= w_t alternative_t on the shared block."""
        block = Block.of(subgame)
        reach, least = subgame.reach[block.tops], self.alternatives.of(subgame).total[block.tops]
        return least_above(block, np.arange(len(reach)), least, reach)
