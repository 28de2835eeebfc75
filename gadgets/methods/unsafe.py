"""The gadget of unsafe solving: tops are dealt by both players' blueprint reaches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.gadget import RootGadget, UndefinedError
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_value
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.root_decisions import Entry, RootDecisions, nothing
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH, Tops


@dataclass(frozen=True)
class Unsafe(RootGadget):
    """Chance picks the start by both players' blueprint reaches (Ganzfried and Sandholm 2015)."""

    @property
    def name(self) -> str:
        """Name in reports."""
        return "unsafe"

    def root(self, tops: Tops) -> RootDecisions:
        """Return no decision: the value is the sum over tops of the opponent's reach times the top's value.

        Raises
        ------
        UndefinedError
            If the blueprint comes to no top.
        """
        weight = _reach(tops)
        at = np.where(_come(tops), 0, -1)
        return RootDecisions(NOTHING, (Entry(at, weight),), nothing())

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_t x_t V_t on the shared block."""
        block = Block.of(subgame)
        weight = (_reach(subgame) * subgame.reach)[block.tops]
        return least_value(block, weight)


def _reach(tops: Tops) -> Floats:
    if not _come(tops).any():
        raise UndefinedError(f"unsafe is undefined on {tops.name!r}: the blueprint never comes there")
    return tops.opponent_reach


def _come(tops: Tops) -> NDArray[np.bool_]:
    """Which tops both players' blueprints reach, (T,)."""
    return tops.live & (tops.opponent_reach * tops.reach > SMALLEST_REACH)
