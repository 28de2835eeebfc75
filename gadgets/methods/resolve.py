"""The gadget Resolve: at each top the opponent enters or takes the alternative value."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treeplex.gadgets.core.gadget import AlternativesGadget
from treeplex.gadgets.core.game import Entry, enter
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_above
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class Resolve(AlternativesGadget):
    """The gadget of CFR-D (Burch, Johanson and Bowling 2014), with whatever alternative values."""

    base: ClassVar[str] = "resolve"

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the game with value sum_t max(V_t, w_t alternative_t), w_t the reach.

        Chance deals the tops by their reach; it is left unnormalised, so that values add up as in the whole
        game.
        """
        tops = np.flatnonzero(subgame.live)
        keys = tuple(f"enter {subgame.cut.tops[t]}" for t in tops.tolist())
        header = choices(keys, ("stay", "enter"))
        at = np.full(len(subgame.reach), -1)
        at[tops] = header.begin + 1
        stay = header.begin, (subgame.reach * self.alternatives.of(subgame).total)[tops]
        return enter(subgame, self.name, header, [Entry(at, np.ones(len(at)))], stay)

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_t z_t with z_t >= V_t and z_t >= w_t alternative_t on the shared block."""
        block = Block.of(subgame)
        reach, least = subgame.reach[block.tops], self.alternatives.of(subgame).total[block.tops]
        return least_above(block, np.arange(len(reach)), least, reach)
