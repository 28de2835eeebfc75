"""Bet sizes, menus of them, and their chips: what each size makes the pot.

Sizes are fractions of the pot, multiples of a bet, chips, all-in, and geometric bets. Thresholds change
some.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from numbers import Rational
from typing import Literal, NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import at_least_zero, shown

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
            raise BadInputError(f"a geometric bet must be over at least 1 street, got {self.streets}")
        if self.cap is not None and self.cap <= 0:
            raise BadInputError(f"the cap of a geometric bet must be greater than 0, got {self.cap}")

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
            raise BadInputError(f"a multiple of a bet must be greater than 1x, got {shown(self.times)}x")


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
            raise BadInputError(f"a bet of chips must be greater than 0c, got {shown(self.amount)}c")


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
                raise BadInputError(f"{name} must be at most {MOST_SIZES} sizes, got {len(menu)}")
            for size in menu:
                exact = isinstance(size, Rational) and 0 < size <= MOST_POTS
                if not (exact or size == "a" or isinstance(size, Geometric | Multiple | Chips)):
                    legal = f'positive fractions of the pot up to {MOST_POTS}, "a", geometric'
                    raise BadInputError(f"{name} must be {legal}, multiples or chips, got {shown(size)}")

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


FINEST = Fraction(1, 1000)
"""The unit, in chips, to which geometric bets are rounded in games without a chip."""


class Situation(NamedTuple):
    """What the sizes of a menu are reckoned from; totals are a player's chips in the pot."""

    top: Fraction
    """The total after calling."""
    before: Fraction
    """The total when the round began, without blinds."""
    least: Fraction
    """The least total that is legal after a raise."""
    all_in: Fraction
    """The total when all-in."""
    streets: int
    """Streets left, the current one included."""
    raises: int
    """Raises of the round so far; its opening bet is none, unless it raises a blind."""
    dead: Fraction
    """Totals are rounded to this plus whole chips."""
    chip: Fraction | None
    """The unit to which totals are rounded, halves up; None leaves them exact, geometric ones to FINEST."""


def menu_totals(menu: Iterable[Size], at: Situation, thresholds: Thresholds) -> list[Fraction]:
    """Return the totals that a menu's sizes lead to, ascending.

    In this order: totals below the least or beyond all-in become these; all-in is added; totals close to
    all-in become it; equal ones are one; close ones are merged.
    """
    totals = [max(_total(size, at), at.least) for size in menu if _applies(size, at)]
    if thresholds.add_allin and at.all_in - at.top <= thresholds.add_allin * 2 * at.top:
        totals.append(at.all_in)
    changed = {at.all_in if _is_forced(total, at, thresholds.force_allin) else total for total in totals}
    found = sorted(total for total in changed if total > at.top)
    return _unmerged(found, at.top, thresholds.merging) if thresholds.merging else found


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


def _applies(size: Size, at: Situation) -> bool:
    """Return whether there is a bet to multiply, where a size is a multiple of one."""
    return not isinstance(size, Multiple) or at.top > at.before


def _total(size: Size, at: Situation) -> Fraction:
    if size == "a":
        return at.all_in
    if isinstance(size, Multiple):
        return _rounded(at.before + size.times * (at.top - at.before), at)
    if isinstance(size, Chips):
        return _rounded(at.top + size.amount, at)
    if not isinstance(size, Geometric):
        return _rounded(at.top + size * 2 * at.top, at)
    bets = size.bets(at.streets, at.raises)
    total = geometric_total(at.top, at.all_in, bets, at.chip or FINEST, at.dead)
    return total if size.cap is None else min(total, _rounded(at.top + size.cap * 2 * at.top, at))


def _rounded(total: Fraction, at: Situation) -> Fraction:
    if at.chip is None:
        return total
    chips = floor((total - at.dead) / at.chip + Fraction(1, 2))
    return max(chips * at.chip + at.dead, at.top + at.chip)


def _is_forced(total: Fraction, at: Situation, threshold: Fraction) -> bool:
    """Return whether a total becomes all-in: it is beyond, or too little would remain after its call."""
    return total >= at.all_in or bool(threshold and at.all_in - total <= threshold * 2 * total)


def _unmerged(totals: list[Fraction], top: Fraction, threshold: Fraction) -> list[Fraction]:
    """Return the totals that are left, from the largest down, when those close to a larger one are not."""
    kept: list[Fraction] = []
    for total in reversed(totals):
        # With X = (kept - top) / (2 top) and Y alike, both sides times 2 top: a pot may be empty.
        if not kept or kept[-1] + top >= (1 + threshold) * (total + top):
            kept.append(total)
    return kept[::-1]
