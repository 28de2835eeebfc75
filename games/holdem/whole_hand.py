"""Whole hands of hold'em, from the blinds on: stacks, blinds and the sizes that may be bet."""

from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.holdem.spot import Range
from treeplex.games.inputs.reading import amount_text, at_least_zero, positive
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock
from treeplex.games.poker.sizes import NO_THRESHOLDS, Sizes, Thresholds

STREETS = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 1, 1)
"""Number of board cards dealt before each street."""
FEWEST = 2
"""The least number of streets: hold'em compares at least five cards a player, so that there is a flop."""


@dataclass(frozen=True)
class WholeHand:
    """Heads-up no-limit hold'em from the first action; player 0, out of position, is the big blind.

    The button posts the small blind, acts first before the flop and second after it.

    Attributes
    ----------
    blinds : pair of Fraction
        The small and the big blind, 0 <= small < big. The least bet or raise is the big blind.
    stack : pair of Fraction
        Chips of each player before the blinds are posted, out of position first.
    sizes : tuple of pairs of Sizes
        For each street from the first, two to four of them, and for each player. A blind counts as a bet to
        call: before the flop ``bets`` applies to the big blind in an unraised pot only, ``raises`` elsewhere.
    max_raises : tuple of int or None
        For each street, the largest number of bets and raises, blinds excluded; None is no cap.
    ranges : pair of mappings from hands (two card ids, the lower first) to Fraction, or None
        The weight of each hand, out of position first; None gives all hands equal weight.
    thresholds : Thresholds
    chip : Fraction, or None
        As in ``Betting``; a chip of None leaves sizes exact, geometric ones to a thousandth of a chip.
    locks : tuple of Lock, optional
        As in ``PokerGame``, which checks them.

    Raises
    ------
    ValueError
        If a field is out of its range.
    """

    blinds: tuple[Fraction, Fraction]
    stack: tuple[Fraction, Fraction]
    sizes: tuple[tuple[Sizes, Sizes], ...]
    max_raises: tuple[int | None, ...]
    ranges: tuple[Range, Range] | None = None
    thresholds: Thresholds = NO_THRESHOLDS
    chip: Fraction | None = None
    locks: tuple[Lock, ...] = ()

    def __post_init__(self) -> None:
        small, big = self.blinds
        at_least_zero("blinds", small)
        if not big > small:
            got = f"[{amount_text(small)}, {amount_text(big)}]"
            raise ValueError(f"blinds must be the small and the larger big blind, as in [1, 2], got {got}")
        for chips, blind in zip(self.stack, (big, small), strict=True):
            if at_least_zero("stack", chips) < blind:
                least = f"the blind of {amount_text(blind)}"
                raise ValueError(f"stack must be at least {least}, got {amount_text(chips)}")
        if self.chip is not None:
            positive("chip", self.chip)
        if not FEWEST <= len(self.sizes) <= len(STREETS):
            raise ValueError(f"sizes must be for {FEWEST} to {len(STREETS)} streets, got {len(self.sizes)}")

    def game(self, name: str) -> PokerGame:
        """Return the hand as a game called ``name``."""
        rounds = len(self.sizes)
        small, big = self.blinds
        betting = Betting(
            first=(1, 0, 0, 0)[:rounds],
            invested=(big, small),
            stacks=(self.stack[0] - big, self.stack[1] - small),
            raise_sizes=None,
            max_raises=self.max_raises,
            sizes=self.sizes,
            min_bet=big,
            thresholds=self.thresholds,
            chip=self.chip,
        )
        return PokerGame(
            name,
            ranks=13,
            suits=4,
            hole_cards=2,
            board_cards=BOARD_CARDS[:rounds],
            betting=betting,
            ranking="holdem",
            ranges=self.ranges,
            locks=self.locks,
        )
