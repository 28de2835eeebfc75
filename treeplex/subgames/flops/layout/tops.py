"""The opponent's hands right after an off-tree bet, as gadgets read them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.gadget import UndefinedError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import SMALLEST_REACH


@dataclass(frozen=True)
class HandTops:
    """The opponent's T hands where an off-tree bet may be made; satisfies ``Tops``.

    Attributes
    ----------
    name : str
        The betting line after the bet.
    tops : tuple of T str
        Numbers of the hands: nobody reads more than that they differ.
    reach : (T,) f64
        The weight of the defender's hands that may be met, and come here.
    opponent_reach : (T,) f64
        The opponent's own.
    value : (T,) f64
        The best-response value of the infoset before the bet within the menu, unnormalised.
    lower_bound_gifts : (T,) f64
        Per unit of reach.
    """

    name: str
    tops: tuple[str, ...]
    reach: Floats
    opponent_reach: Floats
    value: Floats
    lower_bound_gifts: Floats

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether the defender comes to each top, (T,)."""
        return self.reach > SMALLEST_REACH

    @property
    def cbv(self) -> Floats:
        """The alternative value of each live top per unit of reach, (T,), NaN elsewhere."""
        return self.normalised(self.value)

    @property
    def blueprint_value(self) -> Floats:
        """What is not known of bets that are in no blueprint."""
        raise UndefinedError("a bet that the blueprint lacks has no value under it")

    @property
    def estimated_gifts(self) -> Floats:
        """What is not computed for bets that are in no blueprint."""
        raise UndefinedError("off-tree bets have lower-bound gifts only")

    def normalised(self, values: Floats) -> Floats:
        """Return unnormalised values (T,) per unit of reach; NaN where that is zero."""
        unknown = np.full(len(values), np.nan)
        return np.asarray(np.divide(values, self.reach, out=unknown, where=self.live))
