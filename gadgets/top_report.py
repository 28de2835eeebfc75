"""Reports on tops: values and margins of a composed strategy, gains by off-tree moves."""

from dataclasses import dataclass

from treeplex.games.base.display import Shown


@dataclass(frozen=True, repr=False)
class TopReport(Shown):
    """One top under a composed strategy. Values are the opponent's, per unit of reach.

    Attributes
    ----------
    subgame, top : str
    reach : float
        The probability that chance and the defender's blueprint come there.
    cbv : float
        The opponent's counterfactual best-response value against the blueprint.
    alternative : float or None
        The alternative value offered, gift not counted; None where the method offers nothing.
    gift : float
    value : float
        The counterfactual best-response value against the new strategy.
    margin : float
        ``alternative + gift - value``, with ``cbv`` for an alternative that was not offered. At least 0 is
        safe, where alternatives are blueprint values.
    """

    subgame: str
    top: str
    reach: float
    cbv: float
    alternative: float | None
    gift: float
    value: float
    margin: float

    def brief(self) -> str:
        """Return the top and its margin."""
        return f"{self.top} in {self.subgame}: margin {self.margin:.6g}"


@dataclass(frozen=True, repr=False)
class OffTreeTop(Shown):
    """Gain of an off-tree move at one infoset of the opponent; values are its own, per unit of reach.

    Attributes
    ----------
    state : str
        The public state right after the move.
    level : int
        How many off-tree moves of the opponent lead there, this one counted.
    top : str
        What the opponent knows there.
    reach : float
        The probability that chance and the defender play there.
    alternative : float
        What the best move of the abstraction is worth at the opponent's infoset before the move, if from
        there on the opponent keeps to the abstraction.
    value : float
        What the opponent's best response gets after the move.
    margin : float
        ``alternative - value``; at least 0 where the move gains nothing.
    """

    state: str
    level: int
    top: str
    reach: float
    alternative: float
    value: float
    margin: float

    def brief(self) -> str:
        """Return the top and its margin."""
        return f"{self.top} after {self.state}: margin {self.margin:.6g}"
