"""What gadgets know of the tops of a subgame, wherever it is from, as vectors over tops."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Floats

SMALLEST_REACH = 1e-290
"""Reach below this counts as zero: quotients of such numbers are dominated by rounding."""


class Tops(Protocol):
    """The T tops of a subgame under a blueprint; values are the opponent's.

    Unnormalised values are payoffs times the probability that chance and the defender come there; values per
    unit of reach are divided by ``reach``. ``Subgame`` has these of enumerated games, where a top is what the
    opponent knows, ``BoardSubgame`` of betting times boards, where it is a hand.
    """

    @property
    def name(self) -> str:
        """The name of the subgame."""

    @property
    def tops(self) -> tuple[str, ...]:
        """What the opponent knows at each top."""

    @property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender's blueprint, (T,)."""

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether they reach each top, (T,)."""

    @property
    def opponent_reach(self) -> Floats:
        """The opponent's own reach of each top under the blueprint, (T,)."""

    @property
    def cbv(self) -> Floats:
        """The counterfactual best-response value of each live top per unit of reach, (T,), NaN elsewhere."""

    @property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""

    @property
    def lower_bound_gifts(self) -> Floats:
        """What the opponent gave away on the way by not ending the game at once, (T,), per unit of reach."""

    @property
    def estimated_gifts(self) -> Floats:
        """What it gave away by not playing the best action of all, (T,), if nothing else changes."""

    def normalised(self, values: Floats) -> Floats:
        """Return unnormalised values (T,) per unit of reach; NaN where that is zero."""


class Valued(Protocol):
    """Tops with reaches and counterfactual best-response values."""

    @property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender's blueprint, (T,)."""

    @property
    def value(self) -> Floats:
        """The opponent's counterfactual best-response value of each top, (T,), unnormalised."""


class PerReach:
    """What follows from the ``reach`` and the ``value`` of a ``Valued``: a base of classes of tops."""

    @property
    def live(self: Valued) -> NDArray[np.bool_]:
        """Whether chance and the defender reach each top, (T,); values of the others are zero."""
        return self.reach > SMALLEST_REACH

    @property
    def cbv(self: Valued) -> Floats:
        """The counterfactual best-response value of each live top per unit of reach, (T,), NaN elsewhere."""
        return per_reach(self.value, self.reach)

    def normalised(self: Valued, values: Floats) -> Floats:
        """Return unnormalised values (T,) per unit of reach; NaN where that is zero."""
        return per_reach(values, self.reach)


def per_reach(values: Floats, reach: Floats) -> Floats:
    """Return unnormalised values (T,) per unit of reach (T,); NaN where that is zero."""
    unknown = np.full(len(values), np.nan)
    return np.asarray(np.divide(values, reach, out=unknown, where=reach > SMALLEST_REACH))
