"""Bet sizes: fractions of the pot, all-in, and geometric bets, which are all-in after several streets."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from numbers import Rational
from typing import Literal

SPELLING = re.compile(r"(?P<streets>[1-9]\d?)?e(?:(?P<percent>\d+(?:\.\d+)?)%?)?")
FINEST = Fraction(1, 1000)
"""The unit, in chips, to which geometric bets are rounded where a game has no chip of its own."""
MOST_POTS = 1_000_000
"""A larger size is a slip of the pen: 3e200 is a number, and "3e200" a geometric bet."""
MOST_SIZES = 1000
"""A longer menu is a slip too."""


@dataclass(frozen=True)
class Geometric:
    """A bet of the fraction of the pot that brings the effective stack in over several streets.

    If the same fraction is bet and called on this street and on each of the others, the last bet is all-in.
    Bet after bet, each player's chips then grow by one factor, so that a player who would have put in t
    after calling and can put in A at most brings them to t (A / t)^(1/n) by the first of n such bets.

    Spelled as in PioSOLVER and postflop-solver: "e" over all streets that are left, "2e" over two, this one
    counted, "2e150" or "2e150%" the same but at most 150% of the pot.

    Attributes
    ----------
    streets : int or None
        Over how many streets; None is all that are left.
    cap : Fraction or None
        The largest fraction of the pot after calling; None is no cap.

    Raises
    ------
    ValueError
        If there is no street, or a cap of nothing.
    """

    streets: int | None = None
    cap: Fraction | None = None

    def __post_init__(self) -> None:
        if self.streets is not None and self.streets < 1:
            raise ValueError(f"a geometric bet must be over at least 1 street, got {self.streets}")
        if self.cap is not None and self.cap <= 0:
            raise ValueError(f"the cap of a geometric bet must be greater than 0, got {self.cap}")

    def bets(self, left: int, earlier: int) -> int:
        """Return in how many bets the stacks come in.

        Parameters
        ----------
        left : int
            Streets that are left, this one counted.
        earlier : int
            Raises of this street before: each has spent one of the bets, as in postflop-solver.
        """
        return max(1, (left if self.streets is None else self.streets) - earlier)


Size = Fraction | Literal["a"] | Geometric
"""A bet's size: a fraction of the pot after calling, "a" for all-in, or geometric."""


@dataclass(frozen=True)
class Sizes:
    """What one player may bet and raise in one round of a no-limit game.

    Attributes
    ----------
    bets : tuple of Fraction, "a" or Geometric
        Sizes where there is nothing to call, as fractions of the pot.
    raises : tuple of Fraction, "a" or Geometric
        Sizes where there is something to call (a bet or a blind), as fractions of the pot after calling it.
    """

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]

    def __post_init__(self) -> None:
        for name, menu in (("bets", self.bets), ("raises", self.raises)):
            if len(menu) > MOST_SIZES:
                raise ValueError(f"{name} must be at most {MOST_SIZES} sizes, got {len(menu)}")
            for size in menu:
                exact = isinstance(size, Rational) and 0 < size <= MOST_POTS
                if not (exact or size == "a" or isinstance(size, Geometric)):
                    legal = f'positive fractions of the pot up to {MOST_POTS}, "a" or geometric'
                    raise ValueError(f"{name} must be {legal}, got {size!r}")


def geometric(text: object) -> Geometric | None:
    """Return the geometric bet that a text spells; None if it spells none.

    >>> geometric("3e200")
    Geometric(streets=3, cap=Fraction(2, 1))
    """
    found = SPELLING.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    streets, percent = found["streets"], found["percent"]
    cap = None if percent is None else Fraction(percent) / 100
    return None if cap == 0 else Geometric(int(streets) if streets else None, cap)


def geometric_total(top: Fraction, all_in: Fraction, bets: int, unit: Fraction, dead: Fraction) -> Fraction:
    """Return what the first of several geometric bets brings a player's chips to, rounded exactly.

    The total x has x**bets = top**(bets - 1) * all_in. The nearest multiple of ``unit`` above ``dead`` is
    found by comparing such powers, halves up, so that no float decides; it exceeds ``top``.

    Parameters
    ----------
    top : Fraction
        The player's chips after calling.
    all_in : Fraction
        What the chips come to when all are in.
    bets : int
        Over how many bets; the only one is all-in, unrounded.
    unit, dead : Fraction
        Totals are ``dead`` plus a multiple of ``unit``.
    """
    if bets == 1 or top <= 0:
        return all_in if bets == 1 else top
    power = top ** (bets - 1) * all_in
    fewest = floor((top - dead) / unit)
    most = ceil((all_in - dead) / unit)

    def halfway_below(count: int) -> Fraction:
        return max(Fraction(0), (count - Fraction(1, 2)) * unit + dead) ** bets

    while fewest < most:  # the standard library bisects no range that is longer than 2**63
        middle = (fewest + most + 1) // 2
        fewest, most = (middle, most) if halfway_below(middle) <= power else (fewest, middle - 1)
    return max(fewest * unit + dead, top + unit)
