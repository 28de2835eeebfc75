"""Gadgets that users wrote, on boards: what they return is checked, what they raise becomes a ValueError."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.checks import call_user, check_values
from treeplex.gadgets.core.gadget import Gadget, RootGadget
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class OwnGadget(RootGadget):
    """A gadget of a user's that says what the opponent decides before the subgame.

    Attributes
    ----------
    gadget : Gadget
    """

    gadget: Gadget

    def __post_init__(self) -> None:
        if not callable(getattr(self.gadget, "root", None)):
            raise ValueError(f"on boards a gadget needs root(tops), and {self.gadget.name} has none")

    @property
    def name(self) -> str:
        """Name in reports."""
        return self.gadget.name

    def root(self, tops: Tops) -> RootDecisions:
        """Return the opponent's root decisions.

        Raises
        ------
        ValueError
            If the gadget raises anything, or returns no decisions over these tops.
        """
        where = f"{self.name}.root"
        root = call_user(where, lambda: self.gadget.root(tops))  # type: ignore[attr-defined]
        if not (isinstance(root, RootDecisions) and isinstance(root.header, Treeplex)):
            raise ValueError(f"{where} must return RootDecisions, got {type(root).__name__}")
        call_user(where, lambda: _check(root, len(tops.tops)))
        return root

    def alternative_values(self, tops: Tops) -> AlternativeValues | None:
        """Return the alternative values, or None.

        Raises
        ------
        ValueError
            If the gadget raises anything, or returns other than one finite number for each top with reach.
        """
        where = f"{self.name}.alternative_values"
        found = call_user(where, lambda: self.gadget.alternative_values(tops))
        return check_values(where, found, tops)


def _check(root: RootDecisions, n_tops: int) -> None:
    """Refuse decisions that do not fit the tops."""
    n = root.header.n_sequences
    for entry in root.entries:
        at, weight = np.asarray(entry.at), np.asarray(entry.weight)
        if at.shape != (n_tops,) or at.dtype.kind != "i" or at.min() < -1 or at.max() >= n:
            raise ValueError(f"at of an entry must be {n_tops} integers from -1 to {n - 1}, got {at!r}")
        if weight.shape != (n_tops,) or not (np.isfinite(weight).all() and weight.min() >= 0):
            raise ValueError(
                f"weight of an entry must be {n_tops} finite numbers of at least 0, got {weight!r}"
            )
    where, paid = (np.asarray(part) for part in root.stay)
    inside = len(where) == 0 or (where.dtype.kind == "i" and where.min() >= 0 and where.max() < n)
    if where.shape != paid.shape or where.ndim != 1 or not inside or not np.isfinite(paid).all():
        raise ValueError(
            f"stay must be sequences from 0 to {n - 1} and a finite payoff each, got {root.stay!r}"
        )
