"""The gadget Maxmargin: the opponent chooses the top with the smallest margin."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treeplex.gadgets.core.gadget import AlternativesGadget
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, largest_margin
from treeplex.seqform.subgames.forest import choice
from treeplex.seqform.subgames.root_decisions import Entry, RootDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class Maxmargin(AlternativesGadget):
    """The gadget of Moravcik et al. 2016, with whatever alternative values."""

    base: ClassVar[str] = "maxmargin"

    def root(self, tops: Tops) -> RootDecisions:
        """Return the choice of a top.

        A top's payoffs are divided by its reach and shifted by its alternative value: the value of the
        game, to the opponent, is the largest smallest margin, negated.
        """
        live = np.flatnonzero(tops.live)
        header = choice("choose a top", tuple(tops.tops[t] for t in live.tolist()))
        at, weight = np.full(len(tops.reach), -1), np.zeros(len(tops.reach))
        at[live], weight[live] = 1 + np.arange(len(live)), 1.0 / tops.reach[live]
        stay = at[live], -self.alternatives.of(tops).total[live]
        return RootDecisions(header, (Entry(at, weight),), stay)

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return max m with V_t / w_t + m <= alternative_t for every top on the shared block."""
        block = Block.of(subgame)
        return largest_margin(block, self.alternatives.of(subgame).total[block.tops])
