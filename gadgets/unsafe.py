"""Unsafe subgame solving: the opponent is taken to have come here as the blueprint would."""

from dataclasses import dataclass

import numpy as np

from gadgets.block import Block
from gadgets.direct import DirectProgram, least_value
from gadgets.gadget import KeyedGadget
from gadgets.gadget_game import Entry, enter, nothing
from seqform.forest import NOTHING
from seqform.sequence_form import SequenceForm
from seqform.subgame import Subgame
from seqform.treeplex import Floats


class UndefinedError(ValueError):
    """A gadget has no meaning on a subgame, as the blueprint never comes there."""


@dataclass(frozen=True)
class Unsafe(KeyedGadget):
    """Chance picks the start by both players' blueprint reaches (Ganzfried and Sandholm 2015)."""

    @property
    def name(self) -> str:
        """What reports call it."""
        return "unsafe"

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the game whose value is the sum over tops of the opponent's reach times the top's value.

        Raises
        ------
        UndefinedError
            If the blueprint comes to no top.
        """
        weight = _reach(subgame)
        at = np.where(weight * subgame.reach > 0.0, 0, -1)
        return enter(subgame, self.name, NOTHING, [Entry(at, weight)], nothing())

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_t x_t V_t on the shared block."""
        block = Block.of(subgame)
        weight = (_reach(subgame) * subgame.reach)[block.tops]
        return least_value(block, weight)


def _reach(subgame: Subgame) -> Floats:
    reach = subgame.opponent_reach
    if not np.any(reach * subgame.reach > 0.0):
        raise UndefinedError(f"unsafe is undefined on {subgame.cut.name!r}: the blueprint never comes there")
    return reach
