"""A hand that was played, from the root to its payoff."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Hand:
    """A hand that was played.

    Attributes
    ----------
    moves : tuple of str
        Labels of chance's outcomes and of both players' actions, in order, from the root.
    payoff : Fraction
        Player 0's payoff.
    """

    moves: tuple[str, ...]
    payoff: Fraction
