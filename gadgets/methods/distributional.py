"""The gadget Distributional: alternative values are drawn at random and seen by the opponent alone."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.gadget import RootGadget
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_above
from treeplex.gadgets.methods.atoms import Distribution
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.root_decisions import Entry, RootDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class Distributional(RootGadget):
    """Resolve with alternative values drawn at random (Brown and Sandholm 2017, Appendix C).

    The opponent sees the draw and then stays out or enters; the defender sees nothing of it.

    Attributes
    ----------
    distribution : Distribution
    """

    distribution: Distribution

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.distribution.prefix}distributional"

    def alternative_values(self, tops: Tops) -> AlternativeValues:
        """Return what the distributions are centred at."""
        return self.distribution.centre(tops)

    def error(self, tops: Tops) -> float:
        """Return by how much, at most, atoms understate a top's E max(v, X), per unit of reach."""
        return float(self.distribution.atoms(tops).error[tops.live].max(initial=0.0))

    def root(self, tops: Tops) -> RootDecisions:
        """Return a decision a top and draw, which make the value sum_t w_t E max(V_t / w_t, X_t).

        The opponent's decisions inside are there once for every atom: who remembers the draw has perfect
        recall, and playing on as if it were forgotten is among the choices.
        """
        atoms, live = self.distribution.atoms(tops), np.flatnonzero(tops.live)
        n_atoms = atoms.value.shape[1]
        keys = tuple(f"enter {tops.tops[t]} #{k}" for k in range(n_atoms) for t in live.tolist())
        header = choices(keys, ("stay", "enter"))
        entries, paid = [], []
        for k in range(n_atoms):
            at = np.full(len(tops.reach), -1)
            at[live] = header.begin[k * len(live) : (k + 1) * len(live)] + 1
            entries.append(Entry(at, atoms.probability[:, k], f" #{k}"))
            paid.append((tops.reach * atoms.probability[:, k] * atoms.value[:, k])[live])
        return RootDecisions(header, tuple(entries), (header.begin, np.concatenate(paid)))

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_tk w_t p_tk z_tk with z_tk >= V_t / w_t and z_tk >= X_tk on the shared block."""
        block, atoms = Block.of(subgame), self.distribution.atoms(subgame)
        n_atoms = atoms.value.shape[1]
        weight = subgame.reach[block.tops, None] * atoms.probability[block.tops]
        return least_above(
            block,
            np.repeat(np.arange(len(block.tops)), n_atoms),
            atoms.value[block.tops].ravel(),
            weight.ravel(),
        )
