"""What a result says of a run in fixed point."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from treeplex.cfr.factored.layout.arrays import Index
from treeplex.cfr.factored.scales import FixedPoint
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.games.display.shown import Shown


@dataclass(frozen=True, kw_only=True, repr=False)
class FixedPointFacts(Shown):
    """The scales of a run in fixed point, and how often they were too large.

    Attributes
    ----------
    fixed : FixedPoint
        With the scales of all streets.
    regrets, averages : int
        How often a regret and an average were cut off at the largest int32, over all iterations.
    """

    fixed: FixedPoint
    regrets: int
    averages: int

    @staticmethod
    def of(config: object, state: "Saturating") -> "FixedPointFacts | None":
        """Return what is to be said of a run; None where tables are no integers in fixed point."""
        if not isinstance(config, FactoredConfig) or config.storage != "int32":
            return None
        regrets, averages = state.saturated.tolist()
        return FixedPointFacts(fixed=config.fixed, regrets=regrets, averages=averages)

    def brief(self) -> str:
        """Return how often numbers were cut off."""
        return f"{self.regrets:,} regrets and {self.averages:,} averages cut off"

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        scales, averages = self.fixed.scales, self.fixed.average_scales
        yield "scales", f"{_listed(scales)} a chip of regret, {_listed(averages)} a plan"
        if self.fixed.warm_up:
            yield "warm-up", f"{self.fixed.warm_up:,} iterations"
        yield "saturations", f"{self.regrets:,} of regrets, {self.averages:,} of averages"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        return {
            "scales": list(self.fixed.scales or ()),
            "average_scales": list(self.fixed.average_scales or ()),
            "warm_up": self.fixed.warm_up,
            "saturations": {"regrets": self.regrets, "averages": self.averages},
        }


class Saturating(Protocol):
    """A state that counts what was too large for its integers."""

    @property
    def saturated(self) -> Index:
        """How often a regret and an average were, (2,) int64."""


def _listed(scales: tuple[float, ...] | None) -> str:
    return ", ".join(f"{scale:g}" for scale in scales or ())
