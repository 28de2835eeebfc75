"""A limit on the number of betting moves enumerated, so that too large games fail within seconds."""

from treeplex.games.poker.betting import Betting
from treeplex.games.reporting import Report, Ticker, quiet

MOST_STEPS = 1_000_000
"""The largest (number of moves) x (length of the longest menu); so many take seconds."""
WORD_BITS = 128
"""Amounts of chips with more bits cost more a move."""


class MoveLimit:
    """A counter of betting moves with an upper limit.

    Parameters
    ----------
    betting : Betting
    report : callable, optional
        Told a few times a second how many there are so far.

    Raises
    ------
    ValueError
        If it is known at once that there are more: where stacks are unlimited each raise is a move.
    """

    def __init__(self, betting: Betting, report: Report = quiet) -> None:
        menus = [
            menu
            for pair in betting.sizes or ()
            for seat in pair
            for menu in (seat.bets, seat.raises, seat.donk_bets)
        ]
        chips = (*betting.invested, *(betting.cap or ()), *(betting.raise_sizes or ()), betting.chip or 1)
        bits = max(n.numerator.bit_length() + n.denominator.bit_length() for n in chips)
        # Geometric sizes are roots found by bisection: number of bits times products of such numbers.
        self.most = MOST_STEPS // (max([4, *map(len, menus)]) * (1 + bits // WORD_BITS) ** 2)
        self._ticker, self._taken, self._due = Ticker(report), 0, 1
        if betting.stacks is None:
            self._check(max(raises or 0 for raises in betting.max_raises))

    def take(self) -> None:
        """Count one move.

        Raises
        ------
        ValueError
            If the limit is exceeded.
        """
        self._taken += 1
        if self._taken >= self._due:
            self._check(self._taken)
            text = f"counting betting moves: {self._taken:,} so far, limit {self.most:,}"
            self._due = min(self._ticker.tell(self._taken, text), self.most + 1)

    def _check(self, moves: int) -> None:
        if moves > self.most:
            raise ValueError(
                f"the betting must have at most {self.most:,} moves where states that differ in their lines "
                "alone count once, got more; fewer chips, sizes or raises make it smaller"
            )
