"""What a result says of the blueprint that was sampled."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from treeplex.cfr.blueprint.blueprint_cfr import BlueprintCFR
from treeplex.cfr.blueprint.config import BlueprintConfig
from treeplex.cfr.blueprint.state import BlueprintState
from treeplex.games.display.shown import Shown


@dataclass(frozen=True, kw_only=True, repr=False)
class BlueprintFacts(Shown):
    """How a blueprint was sampled, beside the number of traversals.

    Attributes
    ----------
    config : BlueprintConfig
    clusters : int
        Number of public clusters there are.
    unit : float
        The unit of regrets, in chips.
    visited : int
        Decisions that traversals visited.
    saturated : int
        How often a regret or a count was cut off at the largest int32.
    """

    config: BlueprintConfig
    clusters: int
    unit: float
    visited: int
    saturated: int

    @staticmethod
    def of(engine: BlueprintCFR, state: BlueprintState) -> "BlueprintFacts":
        """Return what is to be said of a run."""
        return BlueprintFacts(
            config=engine.config,
            clusters=engine.layout.clusters.count,
            unit=engine.layout.unit,
            visited=state.visited,
            saturated=state.saturated,
        )

    def brief(self) -> str:
        """Return the number of decisions visited."""
        return f"{self.visited:,} decisions visited, {self.saturated:,} entries cut off"

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        config = self.config
        yield "public clusters", f"{self.clusters:,}, batches of {config.batch:,} traversals"
        yield "averages", f"{config.average}, periods of {config.period:,} traversals"
        if config.pruning is not None:
            yield "pruning", repr(config.pruning)
        yield "visited", f"{self.visited:,} decisions"
        yield "regrets", f"int32 in units of {self.unit:g} chips, {self.saturated:,} times cut off"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        config, rule = self.config, self.config.pruning
        return {
            "clusters": self.clusters,
            "batch": config.batch,
            "period": config.period,
            "linear_periods": config.linear_periods,
            "averages": config.average,
            "pruning": None if rule is None else {"kind": rule.kind, **asdict(rule)},
            "unit": self.unit,
            "visited": self.visited,
            "saturated": self.saturated,
        }
