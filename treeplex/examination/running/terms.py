"""The terms on which a solver is examined on one game."""

from dataclasses import dataclass
from math import inf

UNKNOWN = 0.01
"""NashConv that a method which is not recognised must reach, in parts of the scale; some games have more."""
MOST_ITERATIONS = 1 << 22
"""Most iterations that are asked for, unless the caller says another number."""
SECONDS = 10.0
"""Default limit on a solver's processor time on one game."""
FIRST = 6
"""How many times the limit the first answer may take, uncounted: it imports, loads and compiles."""


@dataclass(frozen=True)
class Terms:
    """On what terms a solver is examined on one game.

    Attributes
    ----------
    within : float
        NashConv, in parts of the game's scale, that an iterating method which is not recognised must reach.
    iterations : int
        Most iterations that are asked for at once; at least 1.
    seconds : float
        Limit on the solver's processor time after its first answer; positive. On the clock it may take
        twelve times as long. Up to the first answer it may take ``FIRST`` times this.
    is_spot : bool
        Whether the game is for solvers alone that say so by an attribute ``takes_spots``: its histories are
        too many to be walked.
    """

    within: float = UNKNOWN
    iterations: int = MOST_ITERATIONS
    seconds: float = SECONDS
    is_spot: bool = False

    def __post_init__(self) -> None:
        if type(self.iterations) is not int or self.iterations < 1:
            raise ValueError(f"iterations must be an integer of at least 1, got {self.iterations!r}")
        if not (isinstance(self.seconds, int | float) and 0 < self.seconds < inf):
            raise ValueError(f"seconds must be positive and finite, got {self.seconds!r}")
