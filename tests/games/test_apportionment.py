"""Seats by the method of Huntington and Hill."""

from fractions import Fraction

from tests.helpers.cells import over
from treeplex.games.base.apportionment import apportioned


def naive(sizes, most, seats):
    numbers = [0] * len(sizes)
    for _ in range(seats):
        open_ = [g for g in range(len(sizes)) if numbers[g] < most[g]]
        new = [g for g in open_ if numbers[g] == 0]
        best = max(
            new or open_, key=lambda g: (Fraction(sizes[g] ** 2, max(1, numbers[g] * (numbers[g] + 1))), g)
        )
        numbers[best] += 1
    return numbers


@over(range(0, 24))
def test_seats_one_by_one(seats):
    sizes, most = [7, 1, 7, 30, 2], [9, 1, 2, 11, 3]
    assert apportioned(sizes, most, seats) == naive(sizes, most, seats)
