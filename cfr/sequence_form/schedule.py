"""The coefficients of a variant in each iteration, as arrays for compiled loops."""

import math
from typing import NamedTuple

import numpy as np

from treeplex.cfr.sequence_form.learning import Counts, Discount
from treeplex.cfr.variants.variant import Hedge, Matching, Variant
from treeplex.seqform.forms.treeplex import Floats

CHUNK = 1 << 14
"""Iterations whose coefficients are computed at a time."""


class Numbers(NamedTuple):
    """One player's coefficients for some iterations; None where its local minimiser has none."""

    discount: Discount | None
    rate: float | None
    counts: Counts


def numbers_of(variant: Variant, player: int, done: int, iterations: int) -> Numbers:
    """Return a player's coefficients for the iterations after ``done``."""
    t = np.arange(done + 1, done + iterations + 1, dtype=np.float64)
    minimiser, average = variant.minimisers[player], variant.average
    discount = rate = None
    if isinstance(minimiser, Matching):
        prediction = float(minimiser.prediction)
        discount = Discount(_discount(t, minimiser.alpha), _discount(t, minimiser.beta), prediction)
    elif isinstance(minimiser, Hedge):
        rate = float(minimiser.rate)
    last = math.isinf(average.exponent)
    weight, none = np.ones(iterations) if last else t**average.exponent, np.zeros(iterations)
    seen_after = player == 0 and variant.order == "alternating"
    after = average.counted == "after" or (average.counted == "seen" and seen_after)
    before, after_ = (none, weight) if after else (weight, none)
    return Numbers(discount, rate, Counts(none if last else np.ones(iterations), before, after_))


def numbers_by_kind(variant: Variant, done: int, iterations: int) -> tuple[object, ...]:
    """Return both players' coefficients in the order of kernel arguments: discounts, rates, counts."""
    pairs = zip(*(numbers_of(variant, p, done, iterations) for p in (0, 1)), strict=True)
    return tuple(part for pair in pairs for part in pair)


def _discount(t: Floats, exponent: float) -> Floats:
    if math.isinf(exponent):
        return np.full(len(t), 1.0 if exponent > 0 else 0.0)
    return np.asarray(1.0 / (1.0 + t**-exponent))
