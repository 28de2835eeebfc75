"""Both sides of an inequality that a theorem states."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Inequality:
    """``left <= start + allowed``, in numbers.

    Attributes
    ----------
    name : str
        What is bounded, and by what.
    source : str
        Who proved it.
    left : float
        What is bounded.
    allowed : float
        How much more than ``start`` the theorem allows; negative where it promises an improvement.
    start : float
        What ``left`` is compared with; 0 unless given.
    """

    name: str
    source: str
    left: float
    allowed: float
    start: float = 0.0

    @property
    def right(self) -> float:
        """The right side."""
        return self.start + self.allowed

    @property
    def slack(self) -> float:
        """By how much the right side exceeds the left; the theorem says at least 0."""
        return self.right - self.left

    @property
    def ratio(self) -> float:
        """``right / left``: at least 1 where the bound holds; infinite where there is nothing to bound."""
        return self.right / self.left if self.left > 0.0 else math.inf
