"""Checks of the numbers and arrays of engines' states, which may come from damaged files."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.errors import BadInputError

MOST = 2**53
"""Largest count of a state: floats hold every integer up to it."""
LARGEST: Mapping[str, float] = MappingProxyType({"float32": 1e35, "float64": 1e180})
"""Largest sizes of regrets and averages: sums of them times payoffs, of 1e120 at most, are still finite."""
LARGEST_SQUARE = 1e270
"""The same for sums of squared values."""
ROUNDING, TINY = 1e-9, 1e-290
"""Relative and absolute errors that rounding may make of sums over actions and of products along lines."""
SUMMED = 1 << 14
"""Most weights of iterations that are added up one by one."""


def check_count(name: str, count: int, least: int = 0, most: int = MOST) -> None:
    """Raise ``ValueError`` unless ``least <= count <= most``."""
    if not least <= count <= most:
        raise BadInputError(f"{name} must be between {least:,} and {most:,}, got {count:,}")


def check_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Raise ``ValueError`` if an array has another shape: compiled loops check no bounds."""
    if array.shape != shape:
        raise BadInputError(f"{name} must have shape {shape}, got {array.shape}")


def check_range(name: str, array: NDArray[Any], low: ArrayLike, high: ArrayLike) -> None:
    """Raise ``ValueError`` if an entry is NaN or not between two limits, numbers or arrays of its shape.

    Limits that are numbers take no memory.
    """
    if array.size == 0 or _is_within(array, low, high):
        return
    at = int(np.argmin((array >= low) & (array <= high)))
    lowest, highest = (np.broadcast_to(limit, array.shape)[at] for limit in (low, high))
    raise BadInputError(f"{name} must be between {lowest:g} and {highest:g}, got {array[at]:g} at place {at}")


def check_size(name: str, array: NDArray[Any]) -> None:
    """Raise ``ValueError`` if an entry of floats is not finite, or larger than ``LARGEST``."""
    check_range(name, array, -LARGEST[array.dtype.name], LARGEST[array.dtype.name])


def check_close(name: str, array: NDArray[Any], expected: NDArray[Any], rounding: float = ROUNDING) -> None:
    """Raise ``ValueError`` if an entry is not what it must be, up to a relative error."""
    off = rounding * np.abs(expected) + TINY
    check_range(name, array, expected - off, expected + off)


def sum_of_weights(exponent: float, iterations: int) -> float:
    """Return the sum of ``t**exponent`` over iterations; with an infinite exponent that of the last alone."""
    if math.isinf(exponent):
        return float(min(iterations, 1))
    first = math.fsum(np.arange(1.0, min(iterations, SUMMED) + 1) ** exponent)
    if iterations <= SUMMED:
        return first
    return first + _integral(exponent, iterations) - _integral(exponent, SUMMED)


def drift(iterations: int) -> float:
    """Return the relative error that rounding may make of sums over iterations."""
    return ROUNDING + iterations * 2.0**-50


def _integral(exponent: float, iterations: int) -> float:
    """Return what differs by the sum of weights between two numbers of iterations (Euler and Maclaurin)."""
    t = np.float64(iterations)
    return float(t ** (exponent + 1) / (exponent + 1) + t**exponent / 2 + exponent * t ** (exponent - 1) / 12)


def _is_within(array: NDArray[Any], low: ArrayLike, high: ArrayLike) -> bool:
    with np.errstate(invalid="ignore"):
        if np.ndim(low) == np.ndim(high) == 0:
            return bool(low <= array.min() and array.max() <= high)
        return bool(((array >= low) & (array <= high)).all())
