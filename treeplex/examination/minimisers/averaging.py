"""Ways of averaging the plans of a run: weights, their offset, and which plan of an iteration is counted."""

import math
from dataclasses import dataclass
from typing import Literal

from treeplex.cfr.variants.variant import AVERAGES

Counted = Literal["after", "before", "seen", "during"]
TEXTS: dict[Counted, str] = {
    "after": "after the update",
    "before": "before the update",
    "seen": "as the other player updated against",
    "during": "met during the walk",
}
NAMES = {exponent: name for name, exponent in AVERAGES.items()}


@dataclass(frozen=True)
class Averaging:
    """A way of averaging plans: iteration t has weight ``(t + offset)**exponent``, 0 if t + offset is.

    Attributes
    ----------
    exponent : float
        0 is uniform, 1 linear; infinity is the last plan alone.
    counted : {"after", "before", "seen", "during"}
        Which plan of iteration t: that after its player's update, that before it, that against which the
        other player updated, or what was met during the walk over histories.
    offset : int
        1 counts iterations from one further; -d leaves out the first d (a delay).
    """

    exponent: float
    counted: Counted
    offset: int = 0

    @property
    def name(self) -> str:
        """The averaging in words, such as ``linear, before the update``."""
        words = NAMES[self.exponent]
        if math.isinf(self.exponent) and self.counted == "after":
            return words
        if self.offset > 0:
            words += f" with t + {self.offset}"
        elif self.offset < 0:
            words += f" with t - {-self.offset}" if self.exponent else f" from iteration {1 - self.offset}"
        return f"{words}, {TEXTS[self.counted]}"

    def weight(self, t: int) -> float:
        """Return the weight of iteration t; 1 where only the last plan counts."""
        if math.isinf(self.exponent):
            return 1.0
        return float((t + self.offset) ** self.exponent) if t + self.offset > 0 else 0.0

    def shown(self, player: int, first: int | None, t: int) -> int:
        """Return after how many iterations the average first counts a player's plan made by update t."""
        return t if self.is_after(player, first) else t + 1

    def sum_of_weights(self, t: int) -> float:
        """Return the sum of the weights that iterations 1 to t have in the average after t; 0 for none."""
        if math.isinf(self.exponent):
            return float(t > 0)
        return sum(self.weight(k) for k in range(1, t + 1))

    def keeps(self) -> float:
        """Return by what the sum of earlier plans is multiplied before one is added."""
        return 0.0 if math.isinf(self.exponent) else 1.0

    def is_after(self, player: int, first: int | None) -> bool:
        """Return whether a player's plan after the update is counted; ``first`` is who updates first."""
        return self.counted == "after" or (self.counted == "seen" and player == first)


def averagings(counted: tuple[Counted, ...], offsets: tuple[int, ...]) -> tuple[Averaging, ...]:
    """Return all ways with these plans and offsets, common ones first."""
    return tuple(
        Averaging(exponent, which, offset)
        for offset in offsets
        for exponent in NAMES
        for which in counted
        if not (math.isinf(exponent) and (offset or which not in ("after", "before")))
        and not (exponent == 0.0 and offset > 0)
    )
