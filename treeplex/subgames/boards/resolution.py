"""The report on subgames solved again on boards: tops, margins, what is proved, best responses."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.result import COUNTS
from treeplex.gadgets.core.top_report import TopReport
from treeplex.games.display.blocks import Block
from treeplex.games.display.shown import Shown
from treeplex.seqform.factored.strategy import FactoredStrategy


@dataclass(frozen=True)
class SolvedSubgame:
    """One subgame solved again on boards.

    Attributes
    ----------
    name : str
        The key of the public state.
    gadget_value : pair of float
        The interval that best responses prove for the gadget's game, to the opponent, per unit of the most
        reach with which it can enter: minus the least margin for Maxmargin, the mean over the opponent's
        hands of the larger of value and alternative for Resolve.
    error : float
        By how much, at most, the opponent's best response gains in the whole game if the solution is played.
    iterations : int
    seconds : float
    """

    name: str
    gadget_value: tuple[float, float]
    error: float
    iterations: int
    seconds: float


@dataclass(frozen=True, kw_only=True, repr=False)
class BoardResolution(Shown):
    """A strategy on boards with subgames solved again, in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
    size : float
        What tolerances and widths are parts of: the pot, the big blind, or the largest stake.
    method : str
    defender : int
        Whose strategy was changed.
    subgames : tuple of str
        The public states at which they begin.
    solved : tuple of SolvedSubgame
        Those that a gadget could be applied to, also where the blueprint was kept then.
    tops : tuple of TopReport
        The opponent's hands in every subgame, those that chance and the blueprint reach.
    kept : mapping from str to str
        Subgames in which the blueprint stays, and why.
    promised : bool
        Whether the method promises that its error vanishes with more iterations.
    tolerance : float
        The largest error at which a solution is played, and what ``safe`` allows, in parts of ``size``.
    best_response_before, best_response_after : float
        What the opponent's best response gets against the blueprint, and against the composed strategy.
    value : float or None
        The game's value to player 0; None where it is not known.
    error : float
        The sum of the errors of the solutions that are played: ``best_response_after`` is at most
        ``best_response_before`` plus this, whatever the method.
    strategy : FactoredStrategy
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of judging, solving and composing.
    parameters : mapping
        What was asked for.
    """

    game: str
    unit: str
    size: float
    method: str
    defender: int
    subgames: tuple[str, ...]
    solved: tuple[SolvedSubgame, ...]
    tops: tuple[TopReport, ...]
    kept: Mapping[str, str]
    promised: bool
    tolerance: float
    best_response_before: float
    best_response_after: float
    value: float | None
    error: float
    strategy: FactoredStrategy
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no top is reached."""
        return min((top.margin for top in self.tops), default=None)

    @property
    def exploitability_before(self) -> float | None:
        """How much more than the game's value a best response wins against the blueprint."""
        return self._above_value(self.best_response_before)

    @property
    def exploitability_after(self) -> float | None:
        """How much more than the game's value a best response wins against the composed strategy."""
        return self._above_value(self.best_response_after)

    @property
    def safe(self) -> bool:
        """Whether the opponent's best response gains no more than the tolerance."""
        return self.best_response_after - self.best_response_before <= self.tolerance * self.size

    @property
    def gadget_value(self) -> tuple[float, float] | None:
        """The gadget's value where one subgame was solved."""
        return self.solved[0].gadget_value if len(self.solved) == 1 else None

    def _above_value(self, best_response: float) -> float | None:
        if self.value is None:
            return None
        return best_response - (self.value if self.defender == 1 else -self.value)

    def blocks(self, *, hands: bool = False) -> tuple[Block, ...]:
        """Return a row for each class of hands or each subgame, or for each hand, and the best responses."""
        # Imported late: the table is of this class.
        from treeplex.subgames.boards.table import board_resolution_table

        return board_resolution_table(self, hands=hands)

    def brief(self) -> str:
        """Return game, defender, method, and what best responses get before and after."""
        change = f"{self.best_response_before:.6g} to {self.best_response_after:.6g} {self.unit}"
        return f"{self.game}: player {self.defender} by {self.method}, best response {change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        interval = self.gadget_value
        return {
            "game": self.game,
            "form": "boards",
            "method": self.method,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "best_response_before": self.best_response_before,
            "best_response_after": self.best_response_after,
            "gadget_value": None if interval is None else list(interval),
            "value": self.value,
            "error": self.error,
            "solved": [asdict(one) for one in self.solved],
            "kept": dict(self.kept),
            "promised": self.promised,
            "tolerance": self.tolerance,
            "safe": self.safe,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }
