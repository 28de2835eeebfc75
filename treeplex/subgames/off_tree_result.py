"""The report on an abstraction's strategy in the full game: off-tree moves and what they gain."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.result import COUNTS
from treeplex.gadgets.core.top_report import OffTreeTop
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile


@dataclass(frozen=True, kw_only=True)
class OffTreeResult:
    """A defender's strategy of an abstraction in the full game, and what off-tree moves gain against it.

    Attributes
    ----------
    game, abstraction : str
        The names of the full game and of the one with fewer bet sizes.
    unit : str
    method : str
        ``translation``, or the gadget that answers off-tree moves.
    approach : str or None
        ``inexpensive`` or ``expensive``; None for translation.
    defender : int
    tops : tuple of OffTreeTop
        For every off-tree move of the opponent and each of its infosets, where chance and the strategy come.
    exploitability_before, exploitability_after, exploitability_joint : float
        The defender's distance from the full game's value, in its unit: of the blueprint, uniform after
        off-tree moves; of ``profile``; of the best strategy that differs from the blueprint only there.
    value : Certificate
        The proved interval for the full game's value that they are measured from.
    profile : Profile
        On the full game.
    seconds : float
        Wall time of answering or translating alone.
    parameters : mapping
        What was asked for.
    """

    game: str
    abstraction: str
    unit: str
    method: str
    approach: str | None
    defender: int
    tops: tuple[OffTreeTop, ...]
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no off-tree move is met."""
        return min((top.margin for top in self.tops), default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "abstraction": self.abstraction,
            "method": self.method,
            "approach": self.approach,
            "defender": self.defender,
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }
