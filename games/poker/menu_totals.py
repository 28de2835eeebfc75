"""From menus of bet sizes to chips: what each size makes the pot, and which sizes thresholds change."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from treeplex.games.poker.sizes import Chips, Geometric, Multiple, Size, Thresholds

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
