"""A limit on the betting moves that are enumerated, by which large games are refused within seconds."""

from treeplex.games.poker.betting import Betting

MOST_STEPS = 1_000_000
"""Moves times sizes of the longest menu: looking through so many takes seconds."""
WORD_BITS = 128
"""Chips of more digits than fit into so many bits take longer."""


class MoveLimit:
    """How many moves of a betting may still be looked at.

    Parameters
    ----------
    betting : Betting
    """

    def __init__(self, betting: Betting) -> None:
        menus = [menu for pair in betting.sizes or () for seat in pair for menu in (seat.bets, seat.raises)]
        chips = (*betting.invested, *(betting.cap or ()), *(betting.raise_sizes or ()), betting.chip or 1)
        bits = max(n.numerator.bit_length() + n.denominator.bit_length() for n in chips)
        # Roots of long numbers are found bit by bit, each with products of such numbers.
        self.most = MOST_STEPS // (max([4, *map(len, menus)]) * (1 + bits // WORD_BITS) ** 2)
        self.left = self.most

    def take(self) -> None:
        """Count a move.

        Raises
        ------
        ValueError
            If it is one too many.
        """
        self.left -= 1
        if self.left < 0:
            raise ValueError(
                f"the betting must have at most {self.most:,} moves where states that differ in their lines "
                "alone count once, got more; fewer chips, sizes or raises make it smaller"
            )
