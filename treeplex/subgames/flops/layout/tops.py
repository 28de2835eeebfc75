"""The opponent's hands right after an off-tree bet or a line to the flop, as gadgets read them."""

from dataclasses import dataclass

from treeplex.gadgets.core.gadget import UndefinedError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.tops import PerReach


@dataclass(frozen=True)
class HandTops(PerReach):
    """The opponent's T hands where an off-tree bet may be made or a flop is dealt; satisfies ``Tops``.

    Attributes
    ----------
    name : str
        The betting line after the bet, or to the flop.
    tops : tuple of T str
        Numbers of the hands: nobody reads more than that they differ.
    reach : (T,) f64
        The weight of the defender's hands that may be met, and come here.
    opponent_reach : (T,) f64
        The opponent's own.
    value : (T,) f64
        The best-response value of the infoset before the bet within the menu, or on the flop, unnormalised.
    lower_bound_gifts : (T,) f64
        Per unit of reach.
    played : (T,) f64 or None
        What the opponent gets if both play the blueprint, unnormalised; None of bets in no blueprint.
    """

    name: str
    tops: tuple[str, ...]
    reach: Floats
    opponent_reach: Floats
    value: Floats
    lower_bound_gifts: Floats
    played: Floats | None = None

    @property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""
        if self.played is None:
            raise UndefinedError("a bet that the blueprint lacks has no value under it")
        return self.played

    @property
    def estimated_gifts(self) -> Floats:
        """What is not computed for bets that are in no blueprint."""
        raise UndefinedError("off-tree bets have lower-bound gifts only")
