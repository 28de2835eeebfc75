"""Seats apportioned to groups by their sizes."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heapreplace


def apportioned(sizes: Sequence[int], most: Sequence[int], seats: int) -> list[int]:
    """Return how many seats each group gets, by the method of Huntington and Hill, none above its limit.

    Groups without a seat come first, the largest first; then the next seat goes to the group of the largest
    size / sqrt(n (n + 1)), n being its seats so far. Of equal groups the last comes first.

    Parameters
    ----------
    sizes : (G,) ints
        Above 0.
    most : (G,) ints
        At least 1.
    seats : int
        At most the sum of ``most``.
    """
    numbers = [0] * len(sizes)
    # Squares of the quotients, which are rational; a whole group is at the end.
    queue = [(0, -Fraction(size * size), -g) for g, size in enumerate(sizes)]
    heapify(queue)
    for _ in range(seats):
        group = -queue[0][2]
        numbers[group] += 1
        n = numbers[group]
        whole = n == most[group]
        heapreplace(queue, (2 if whole else 1, -Fraction(sizes[group] ** 2, n * (n + 1)), -group))
    return numbers
