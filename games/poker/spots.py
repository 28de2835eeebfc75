"""Hold'em spots, and whole hands from the blinds on: stacks, ranges and the sizes that may be bet.

A spot has a board, a pot, stacks and two ranges; a whole hand has stacks and blinds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text, at_least_zero, positive
from treeplex.games.cards.cards import cards_text
from treeplex.games.poker.bet_sizes import NO_THRESHOLDS, Sizes, Thresholds
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock

Hand = tuple[int, ...]
Range = Mapping[Hand, Fraction]

STREET_OF_CARDS = {3: "flop", 4: "turn", 5: "river"}
"""The street by number of board cards."""


@dataclass(frozen=True)
class Spot:
    """One hold'em situation, from a board to the end of the hand.

    Attributes
    ----------
    board : tuple of 3, 4 or 5 card ids
        The cards on the board.
    pot : Fraction
        Chips in the pot, half of them from each player; greater than 0.
    stack : pair of Fraction
        Chips behind, out of position first; at least 0.
    ranges : pair of mappings from hands (two card ids, the lower first) to Fraction
        The weight of each hand, in (0, 1]; no hand holds a card of the board.
    sizes : tuple of pairs of Sizes
        For each street from the board's to the river, and for each player.
    max_raises : tuple of int or None, optional
        For each street, the largest number of bets and raises, the opening bet included; None is no cap.
        By default no street has a cap.
    thresholds : Thresholds
    chip : Fraction, or None
        As in ``Betting``; a chip of None leaves sizes exact, geometric ones to a thousandth of a chip.
    locks : tuple of Lock, optional
        As in ``PokerGame``, which checks them.

    Raises
    ------
    ValueError
        If a field is out of its range, or if every pair of hands of the ranges shares a card.
    """

    board: tuple[int, ...]
    pot: Fraction
    stack: tuple[Fraction, Fraction]
    ranges: tuple[Range, Range]
    sizes: tuple[tuple[Sizes, Sizes], ...]
    max_raises: tuple[int | None, ...] | None = None
    thresholds: Thresholds = NO_THRESHOLDS
    chip: Fraction | None = None
    locks: tuple[Lock, ...] = ()

    def __post_init__(self) -> None:
        if len(self.board) not in STREET_OF_CARDS or len(set(self.board)) < len(self.board):
            raise BadInputError(f"board must have 3, 4 or 5 different cards, got {cards_text(self.board)!r}")
        positive("pot", self.pot)
        for chips in self.stack:
            at_least_zero("stack", chips)
        if self.chip is not None:
            positive("chip", self.chip)
        if len(self.sizes) != len(self.streets):
            raise BadInputError(f"sizes must have a pair for each of {self.streets}, got {len(self.sizes)}")
        if not any(set(hand).isdisjoint(other) for hand in self.ranges[0] for other in self.ranges[1]):
            raise BadInputError(
                "ranges must have hands that can be held together, but each pair shares a card"
            )

    @property
    def streets(self) -> tuple[str, ...]:
        """The streets still to be played, the board's own first."""
        return tuple(street for cards, street in STREET_OF_CARDS.items() if cards >= len(self.board))

    def game(self, name: str) -> PokerGame:
        """Return the spot as a game called ``name``."""
        rounds = len(self.streets)
        betting = Betting(
            first=(0,) * rounds,
            invested=(self.pot / 2, self.pot / 2),
            stacks=self.stack,
            raise_sizes=None,
            max_raises=self.max_raises or (None,) * rounds,
            sizes=self.sizes,
            thresholds=self.thresholds,
            chip=self.chip,
        )
        return PokerGame(
            name=name,
            ranks=13,
            suits=4,
            hole_cards=2,
            board_cards=(0,) + (1,) * (rounds - 1),
            betting=betting,
            ranking="holdem",
            board=self.board,
            ranges=self.ranges,
            locks=self.locks,
        )


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
            raise BadInputError(f"blinds must be the small and the larger big blind, as in [1, 2], got {got}")
        for chips, blind in zip(self.stack, (big, small), strict=True):
            if at_least_zero("stack", chips) < blind:
                least = f"the blind of {amount_text(blind)}"
                raise BadInputError(f"stack must be at least {least}, got {amount_text(chips)}")
        if self.chip is not None:
            positive("chip", self.chip)
        if not FEWEST <= len(self.sizes) <= len(STREETS):
            raise BadInputError(
                f"sizes must be for {FEWEST} to {len(STREETS)} streets, got {len(self.sizes)}"
            )

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
