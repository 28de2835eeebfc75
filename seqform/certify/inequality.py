"""The numbers in an inequality that a theorem states."""

import math
from dataclasses import dataclass

from treeplex.games.base.display import Shown


@dataclass(frozen=True, repr=False)
class Inequality(Shown):
    """The inequality ``left <= start + allowed``.

    Attributes
    ----------
    name : str
        The bounded quantity and the bound, in words.
    source : str
        The paper.
    left : float
        The bounded quantity.
    allowed : float
        The bound on ``left - start``; negative if the theorem promises an improvement.
    start : float
        The reference of ``left``; 0 by default.
    """

    name: str
    source: str
    left: float
    allowed: float
    start: float = 0.0

    def brief(self) -> str:
        """Return both sides."""
        return f"{self.name}: {self.left:.6g} <= {self.right:.6g}"

    @property
    def right(self) -> float:
        """The right side."""
        return self.start + self.allowed

    @property
    def slack(self) -> float:
        """``right - left``; at least 0 by the theorem."""
        return self.right - self.left

    @property
    def ratio(self) -> float:
        """``right / left``: at least 1 if the bound holds; infinite if ``left`` is zero."""
        return self.right / self.left if self.left > 0.0 else math.inf
