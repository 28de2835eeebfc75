"""The published gadgets Resolve and Maxmargin, and the gadget of unsafe solving.

Resolve: at each top the opponent enters or takes the alternative value. Maxmargin: the opponent chooses the
top with the smallest margin. Unsafe: tops are dealt by both players' blueprint reaches.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.direct_programs import (
    DirectProgram,
    ProgramBlock,
    largest_margin,
    least_above,
    least_value,
)
from treeplex.gadgets.gadget import AlternativesGadget, RootGadget, UndefinedError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.forest import NOTHING, choice, choices
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH, Entry, RootDecisions, Tops, nothing


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
        block = ProgramBlock.of(subgame)
        reach, least = subgame.reach[block.tops], self.alternatives.of(subgame).total[block.tops]
        return least_above(block, np.arange(len(reach)), least, reach)


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
        block = ProgramBlock.of(subgame)
        return largest_margin(block, self.alternatives.of(subgame).total[block.tops])


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
        block = ProgramBlock.of(subgame)
        weight = (_reach(subgame) * subgame.reach)[block.tops]
        return least_value(block, weight)


def _reach(tops: Tops) -> Floats:
    if not _come(tops).any():
        raise UndefinedError(f"unsafe is undefined on {tops.name!r}: the blueprint never comes there")
    return tops.opponent_reach


def _come(tops: Tops) -> NDArray[np.bool_]:
    """Which tops both players' blueprints reach, (T,)."""
    return tops.live & (tops.opponent_reach * tops.reach > SMALLEST_REACH)
