"""The gadget Distributional: alternative values are drawn at random and seen by the opponent alone."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.gadget import KeyedGadget
from treeplex.gadgets.core.game import Entry, enter
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectProgram, least_above
from treeplex.gadgets.methods.atoms import Distribution
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class Distributional(KeyedGadget):
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

    def alternative_values(self, subgame: Subgame) -> AlternativeValues:
        """Return what the distributions are centred at."""
        return self.distribution.centre(subgame)

    def error(self, subgame: Subgame) -> float:
        """Return by how much, at most, atoms understate a top's E max(v, X), per unit of reach."""
        return float(self.distribution.atoms(subgame).error[subgame.live].max(initial=0.0))

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the game with value sum_t w_t E max(V_t / w_t, X_t).

        The opponent's decisions inside are there once for every atom: who remembers the draw has perfect
        recall, and playing on as if it were forgotten is among the choices.
        """
        atoms, tops = self.distribution.atoms(subgame), np.flatnonzero(subgame.live)
        n_atoms = atoms.value.shape[1]
        keys = tuple(f"enter {subgame.cut.tops[t]} #{k}" for k in range(n_atoms) for t in tops.tolist())
        header = choices(keys, ("stay", "enter"))
        entries, paid = [], []
        for k in range(n_atoms):
            at = np.full(len(subgame.reach), -1)
            at[tops] = header.begin[k * len(tops) : (k + 1) * len(tops)] + 1
            entries.append(Entry(at, atoms.probability[:, k], f" #{k}"))
            paid.append((subgame.reach * atoms.probability[:, k] * atoms.value[:, k])[tops])
        return enter(subgame, self.name, header, entries, (header.begin, np.concatenate(paid)))

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
