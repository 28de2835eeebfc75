"""The gadget Maxmargin: the opponent chooses the top with the smallest margin."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treeplex.gadgets.core.gadget import AlternativesGadget
from treeplex.gadgets.core.game import Entry, enter
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, largest_margin
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.subgames.forest import choice
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class Maxmargin(AlternativesGadget):
    """The gadget of Moravcik et al. 2016, with whatever alternative values."""

    base: ClassVar[str] = "maxmargin"

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the game in which the opponent starts by choosing a top.

        A top's payoffs are divided by its reach and shifted by its alternative value: the value of the
        game, to the opponent, is the largest smallest margin, negated.
        """
        tops = np.flatnonzero(subgame.live)
        header = choice("choose a top", tuple(subgame.cut.tops[t] for t in tops.tolist()))
        at, weight = np.full(len(subgame.reach), -1), np.zeros(len(subgame.reach))
        at[tops], weight[tops] = 1 + np.arange(len(tops)), 1.0 / subgame.reach[tops]
        stay = at[tops], -self.alternatives.of(subgame).total[tops]
        return enter(subgame, self.name, header, [Entry(at, weight)], stay)

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return max m with V_t / w_t + m <= alternative_t for every top on the shared block."""
        block = Block.of(subgame)
        return largest_margin(block, self.alternatives.of(subgame).total[block.tops])
