"""A limit on the number of betting moves enumerated, so that too large games fail within seconds."""

from treeplex.games.poker.betting import Betting

MOST_STEPS = 1_000_000
"""The largest (number of moves) x (length of the longest menu); so many take seconds."""
WORD_BITS = 128
"""Amounts of chips with more bits cost more a move."""


class MoveLimit:
    """A counter of betting moves with an upper limit.

    Parameters
    ----------
    betting : Betting
    """

    def __init__(self, betting: Betting) -> None:
        menus = [menu for pair in betting.sizes or () for seat in pair for menu in (seat.bets, seat.raises)]
        chips = (*betting.invested, *(betting.cap or ()), *(betting.raise_sizes or ()), betting.chip or 1)
        bits = max(n.numerator.bit_length() + n.denominator.bit_length() for n in chips)
        # Geometric sizes are roots found by bisection: number of bits times products of such numbers.
        self.most = MOST_STEPS // (max([4, *map(len, menus)]) * (1 + bits // WORD_BITS) ** 2)
        self.left = self.most

    def take(self) -> None:
        """Count one move.

        Raises
        ------
        ValueError
            If the limit is exceeded.
        """
        self.left -= 1
        if self.left < 0:
            raise ValueError(
                f"the betting must have at most {self.most:,} moves where states that differ in their lines "
                "alone count once, got more; fewer chips, sizes or raises make it smaller"
            )
