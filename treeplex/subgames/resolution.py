"""The report on subgames solved again: tops, margins, exploitability before and after."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.result import COUNTS
from treeplex.core.result_table import completed_text
from treeplex.gadgets.core.top_report import TopReport
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import six_decimals
from treeplex.games.display.shown import Shown
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile

COLUMNS = ("subgame", "top", "reach", "cbv", "alternative", "gift", "value", "margin")
HARMLESS = 1e-6
"""What solving again may add to the exploitability by rounding, in parts of the spread of payoffs."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Resolution(Shown):
    """A strategy with subgames solved again: tops, margins, exploitabilities in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
    method : str
    defender : int
        Whose strategy was changed.
    subgames : tuple of str
        The public states at which they begin.
    tops : tuple of TopReport
        Of every subgame, those that chance and the blueprint reach.
    kept : mapping from str to str
        Subgames in which the blueprint stays, and why.
    discretisation : float or None
        For distributional methods: by how much, at most, atoms understate what a top's draw is worth.
    exploitability_before, exploitability_after, exploitability_joint : float
        How much more than the game's value a best response wins against the defender's strategy: the
        blueprint, the composed strategy, and the best strategy that differs only in these subgames.
    spread : float
        The largest payoff less the smallest.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of looking at the subgames with the blueprint, the joint optimum, solving and composing.
        Enumerating and solving the game itself is not counted.
    parameters : mapping
        What was asked for.
    """

    game: str
    unit: str
    method: str
    defender: int
    subgames: tuple[str, ...]
    tops: tuple[TopReport, ...]
    kept: Mapping[str, str]
    discretisation: float | None = None
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    spread: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def strategy(self) -> Profile:
        """The composed strategy, as a strategy on boards is called."""
        return self.profile

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no top is reached."""
        return min((top.margin for top in self.tops), default=None)

    @property
    def safe(self) -> bool:
        """Whether the composed strategy is not more exploitable than the blueprint, up to rounding."""
        return self.exploitability_after - self.exploitability_before <= HARMLESS * self.spread

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each top, and below them what became of the whole strategy."""
        title = f"{self.game}: player {self.defender} solves again by {self.method}"
        return top_columns(title, self.tops), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, method, and exploitability before and after."""
        change = f"{self.exploitability_before:.6g} to {self.exploitability_after:.6g} {self.unit}"
        return f"{self.game}: player {self.defender} by {self.method}, exploitability {change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            "safe": self.safe,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }


def top_columns(title: str, tops: Iterable[TopReport]) -> Columns:
    """Return a table with one row a top."""
    return Columns(title, COLUMNS, tuple(map(_cells, tops)), left=("subgame", "top"))


def _cells(top: TopReport) -> tuple[str, ...]:
    alternative = "-" if top.alternative is None else six_decimals(top.alternative)
    numbers = (top.cbv, top.gift, top.value, top.margin)
    cbv, gift, value, margin = map(six_decimals, numbers)
    return top.subgame, top.top, f"{top.reach:.4g}", cbv, alternative, gift, value, margin


def _footer(resolution: Resolution) -> list[str]:
    lines = [
        "",
        f"values are what player {1 - resolution.defender} gets, in {resolution.unit} per unit of reach",
        *(f"{name!r} keeps the blueprint: {why}" for name, why in resolution.kept.items()),
    ]
    if completed := completed_text(resolution.parameters):
        lines.append(f"blueprint completed: {completed}")
    if resolution.discretisation is not None:
        lines.append(f"atoms understate what a draw is worth by {resolution.discretisation:.3g} at most")
    if resolution.min_margin is not None:
        lines.append(f"smallest margin         {resolution.min_margin:.6g}")
    return [
        *lines,
        f"exploitability before   {resolution.exploitability_before:.6g}",
        f"               after    {resolution.exploitability_after:.6g}",
        f"               jointly  {resolution.exploitability_joint:.6g}, the least that these subgames allow",
        f"seconds                 {resolution.seconds:.3f}",
        _safety(resolution),
    ]


def _safety(resolution: Resolution) -> str:
    """Return in a line whether solving again made the strategy more exploitable."""
    added = resolution.exploitability_after - resolution.exploitability_before
    allowed = f"up to {HARMLESS * resolution.spread:.3g} for rounding"
    if resolution.safe:
        return f"safe here: not more exploitable than the blueprint, {allowed}"
    return f"NOT SAFE here: more exploitable than the blueprint by {added:.6g}"
