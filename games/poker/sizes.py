"""Bet sizes: fractions of the pot, multiples of a bet, chips, all-in, and geometric bets; menus of them."""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Literal

from treeplex.games.inputs.reading import at_least_zero, shown

MOST_POTS = 1_000_000
"""The largest fraction of the pot; larger ones are typing errors, such as 3e200 for "3e200"."""
MOST_SIZES = 1000
"""The longest menu."""


@dataclass(frozen=True)
class Geometric:
    """A bet of the fraction of the pot that, bet and called n times, makes the last bet all-in.

    Each of the n bets multiplies a player's chips in the pot by the same factor: with t after calling and A
    when all-in, the first bet makes them t (A / t)^(1/n).

    Written as in PioSOLVER and postflop-solver: "e" over all streets left, "2e" over two, the current one
    included, "2e150" or "2e150%" the same with at most 150% of the pot.

    Attributes
    ----------
    streets : int or None
        Number of streets; None is all that are left.
    cap : Fraction or None
        The largest fraction of the pot after calling; None is no cap.

    Raises
    ------
    ValueError
        If the number of streets or the cap is not positive.
    """

    streets: int | None = None
    cap: Fraction | None = None

    def __post_init__(self) -> None:
        if self.streets is not None and self.streets < 1:
            raise ValueError(f"a geometric bet must be over at least 1 street, got {self.streets}")
        if self.cap is not None and self.cap <= 0:
            raise ValueError(f"the cap of a geometric bet must be greater than 0, got {self.cap}")

    def bets(self, left: int, earlier: int) -> int:
        """Return the number of bets n over which the stacks go in.

        Parameters
        ----------
        left : int
            Streets left, the current one included.
        earlier : int
            Earlier raises on this street: each uses one of the bets, as in postflop-solver.
        """
        return max(1, (left if self.streets is None else self.streets) - earlier)


@dataclass(frozen=True)
class Multiple:
    """A raise to a multiple of the bet or blind that it answers, written "2.5x".

    Attributes
    ----------
    times : Fraction
        The raiser's chips of this street over those of the bettor.

    Raises
    ------
    ValueError
        If it is not greater than 1.
    """

    times: Fraction

    def __post_init__(self) -> None:
        if self.times <= 1:
            raise ValueError(f"a multiple of a bet must be greater than 1x, got {shown(self.times)}x")


@dataclass(frozen=True)
class Chips:
    """A bet of so many chips, or a raise by so many beyond a call, written "15c".

    Attributes
    ----------
    amount : Fraction

    Raises
    ------
    ValueError
        If it is not greater than 0.
    """

    amount: Fraction

    def __post_init__(self) -> None:
        if self.amount <= 0:
            raise ValueError(f"a bet of chips must be greater than 0c, got {shown(self.amount)}c")


Size = Fraction | Literal["a"] | Geometric | Multiple | Chips
"""A bet's size: a fraction of the pot after calling, "a" for all-in, geometric, a multiple or chips."""


@dataclass(frozen=True)
class Sizes:
    """A player's legal bet and raise sizes in one round of a no-limit game.

    Attributes
    ----------
    bets : tuple of Size
        Sizes when there is nothing to call. A multiple is a size only of the option of the big blind.
    raises : tuple of Size
        Sizes when there is a bet or blind to call, reckoned after calling it.
    donks : tuple of Size, or None
        Sizes of donk bets: of the first action of a round by the player who called the last bet or raise of
        the round before. None: these are as ``bets``.

    Raises
    ------
    ValueError
        If a menu is too long or an entry is no size.
    """

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]
    donks: tuple[Size, ...] | None = None

    def __post_init__(self) -> None:
        for name, menu in (("bets", self.bets), ("raises", self.raises), ("donks", self.donks or ())):
            if len(menu) > MOST_SIZES:
                raise ValueError(f"{name} must be at most {MOST_SIZES} sizes, got {len(menu)}")
            for size in menu:
                exact = isinstance(size, Rational) and 0 < size <= MOST_POTS
                if not (exact or size == "a" or isinstance(size, Geometric | Multiple | Chips)):
                    legal = f'positive fractions of the pot up to {MOST_POTS}, "a", geometric'
                    raise ValueError(f"{name} must be {legal}, multiples or chips, got {shown(size)}")

    @property
    def donk_bets(self) -> tuple[Size, ...]:
        """The sizes of donk bets: ``donks``, or ``bets`` where none are given."""
        return self.bets if self.donks is None else self.donks

    @property
    def all_sizes(self) -> tuple[Size, ...]:
        """All sizes, those in several menus several times."""
        return (*self.bets, *self.raises, *(self.donks or ()))


@dataclass(frozen=True)
class Thresholds:
    """Where a menu's sizes become all-in, all-in joins them, and close ones are merged; 0 is never.

    The rules are those that postflop-solver documents, in exact numbers.

    Attributes
    ----------
    add_allin : Fraction
        All-in is legal beside a menu if it is at most this fraction of the pot after calling.
    force_allin : Fraction
        A size becomes all-in if the chips behind after its call are at most this fraction of the pot then.
    merging : Fraction
        From the largest size X on, sizes Y with (1 + X) / (1 + Y) < 1 + merging are left out, both as
        fractions of the pot after calling, all-in included; then the same below the largest that is left.

    Raises
    ------
    ValueError
        If one is not a number of at least 0.
    """

    add_allin: Fraction = Fraction(0)
    force_allin: Fraction = Fraction(0)
    merging: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        at_least_zero("add_allin_threshold", self.add_allin)
        at_least_zero("force_allin_threshold", self.force_allin)
        at_least_zero("merging_threshold", self.merging)


NO_THRESHOLDS = Thresholds()
"""Menus as they are."""
