"""The gadget of unsafe solving: tops are dealt by both players' blueprint reaches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.gadget import KeyedGadget, UndefinedError
from treeplex.gadgets.core.game import Entry, enter, nothing
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_value
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.subgame import SMALLEST_REACH, Subgame


@dataclass(frozen=True)
class Unsafe(KeyedGadget):
    """Chance picks the start by both players' blueprint reaches (Ganzfried and Sandholm 2015)."""

    @property
    def name(self) -> str:
        """Name in reports."""
        return "unsafe"

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the game whose value is the sum over tops of the opponent's reach times the top's value.

        Raises
        ------
        UndefinedError
            If the blueprint comes to no top.
        """
        weight = _reach(subgame)
        at = np.where(_come(subgame), 0, -1)
        return enter(subgame, self.name, NOTHING, [Entry(at, weight)], nothing())

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_t x_t V_t on the shared block."""
        block = Block.of(subgame)
        weight = (_reach(subgame) * subgame.reach)[block.tops]
        return least_value(block, weight)


def _reach(subgame: Subgame) -> Floats:
    if not _come(subgame).any():
        raise UndefinedError(f"unsafe is undefined on {subgame.cut.name!r}: the blueprint never comes there")
    return subgame.opponent_reach


def _come(subgame: Subgame) -> NDArray[np.bool_]:
    """Which tops both players' blueprints reach, (T,)."""
    return subgame.live & (subgame.opponent_reach * subgame.reach > SMALLEST_REACH)
