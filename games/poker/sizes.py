"""Bet sizes: fractions of the pot, all-in, and geometric bets, which are all-in after several bets."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from numbers import Rational
from typing import Literal

from treeplex.games.inputs.reading import shown, spelled

SPELLING = re.compile(r"(?P<streets>[1-9]\d?)?e(?:(?P<percent>\d+(?:\.\d+)?)%?)?")
FINEST = Fraction(1, 1000)
"""The unit, in chips, to which geometric bets are rounded in games without a chip."""
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


Size = Fraction | Literal["a"] | Geometric
"""A bet's size: a fraction of the pot after calling, "a" for all-in, or geometric."""


@dataclass(frozen=True)
class Sizes:
    """A player's legal bet and raise sizes in one round of a no-limit game.

    Attributes
    ----------
    bets : tuple of Fraction, "a" or Geometric
        Sizes when there is nothing to call, as fractions of the pot.
    raises : tuple of Fraction, "a" or Geometric
        Sizes when there is a bet or blind to call, as fractions of the pot after calling it.
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
                    raise ValueError(f"{name} must be {legal}, got {shown(size)}")


def geometric(text: object) -> Geometric | None:
    """Return the geometric bet written in a text; None if it is not one.

    >>> geometric("3e200")
    Geometric(streets=3, cap=Fraction(2, 1))
    """
    found = SPELLING.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    streets, percent = found["streets"], found["percent"]
    cap = None if percent is None else spelled(percent) / 100
    return None if cap == 0 else Geometric(int(streets) if streets else None, cap)


def geometric_total(top: Fraction, all_in: Fraction, bets: int, unit: Fraction, dead: Fraction) -> Fraction:
    """Return a player's chips in the pot after the first of several geometric bets, correctly rounded.

    The exact total x solves ``x**bets = top**(bets - 1) * all_in``. It is rounded to ``dead`` plus the
    nearest multiple of ``unit``, halves up, by exact comparison of these powers; the result exceeds ``top``.

    Parameters
    ----------
    top : Fraction
        The player's chips in the pot after calling.
    all_in : Fraction
        The player's chips in the pot when all-in.
    bets : int
        Number of bets n; if 1, the result is ``all_in``, unrounded.
    unit, dead : Fraction
        The result is ``dead`` plus a multiple of ``unit``.
    """
    if bets == 1 or top <= 0:
        return all_in if bets == 1 else top
    power = top ** (bets - 1) * all_in
    fewest = floor((top - dead) / unit)
    most = ceil((all_in - dead) / unit)

    def halfway_below(count: int) -> Fraction:
        return max(Fraction(0), (count - Fraction(1, 2)) * unit + dead) ** bets

    while fewest < most:  # bisect takes no range longer than 2**63
        middle = (fewest + most + 1) // 2
        fewest, most = (middle, most) if halfway_below(middle) <= power else (fewest, middle - 1)
    return max(fewest * unit + dead, top + unit)
