"""The report on an abstraction's strategy in the full game: off-tree moves and what they gain."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.result import COUNTS
from treeplex.core.result_table import completed_text
from treeplex.gadgets.core.top_report import OffTreeTop
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import six_decimals
from treeplex.games.display.shown import Shown
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile

COLUMNS = ("after", "off-tree moves", "tops", "reach", "smallest margin")


@dataclass(frozen=True, kw_only=True, repr=False)
class OffTreeResult(Shown):
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

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each public state right after an off-tree move, and the exploitabilities."""
        title = (
            f"{self.game}: player {self.defender} plays {self.abstraction}, answers the rest by {self._how}"
        )
        states: dict[tuple[str, int], list[OffTreeTop]] = defaultdict(list)
        for top in self.tops:
            states[top.state, top.level].append(top)
        rows = tuple(_cells(state, level, tops) for (state, level), tops in states.items())
        return Columns(title, COLUMNS, rows, left=("after",)), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, method, and exploitability before and after."""
        change = f"{self.exploitability_before:.6g} to {self.exploitability_after:.6g} {self.unit}"
        return f"{self.game}: player {self.defender} by {self._how}, exploitability {change}"

    @property
    def _how(self) -> str:
        return f"{self.method} ({self.approach})" if self.approach else self.method

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


def _cells(state: str, level: int, tops: list[OffTreeTop]) -> tuple[str, ...]:
    reach, margin = sum(top.reach for top in tops), min(top.margin for top in tops)
    return state, str(level), str(len(tops)), f"{reach:.4g}", six_decimals(margin)


def _footer(result: OffTreeResult) -> list[str]:
    lines = [
        "",
        f"a margin is what player {1 - result.defender} gets by the abstraction's best move less what by "
        f"this one, in {result.unit} per unit of reach",
    ]
    if completed := completed_text(result.parameters):
        lines.append(f"blueprint completed: {completed}")
    if result.min_margin is not None:
        lines.append(f"smallest margin         {result.min_margin:.6g}")
    return [
        *lines,
        f"exploitability before   {result.exploitability_before:.6g}, uniform after off-tree moves",
        f"               after    {result.exploitability_after:.6g}",
        f"               jointly  {result.exploitability_joint:.6g}, the least that play after them allows",
        f"seconds                 {result.seconds:.3f}",
    ]
