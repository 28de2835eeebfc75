"""PTB+: Blackwell approachability on a whole treeplex, by projections on the cone that it generates."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.sequences.sequence_learning import Memory, UpdateArrays
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

FEW = 32
"""Knots up to which insertion is the faster way to sort."""


class ConeArrays(NamedTuple):
    """A treeplex for projections on its cone, with arrays that every projection overwrites.

    The least squared distance below a sequence or an infoset is a convex function of its scale, with
    a piecewise linear derivative. The knots of a sequence's derivative are at ``first[s]`` to
    ``first[s + 1] - 1``, those of an infoset's in the places of all its sequences; slopes hold after a knot.

    begin : (I + 1,) first sequence of each infoset, and S.
    parent : (I,) the sequence before each infoset.
    first : (S + 1,) first knot of each sequence, and the number K of all knots.
    filled : (S,) how many knots a sequence has so far.
    scale, level, slope : (K,) knots of sequences: the scale, the derivative there, and its slope.
    all_scale, all_level, all_slope : (K,) knots of infosets; before that a sequence's scales, not in order.
    change : (K,) changes of slopes, or of their inverses, at knots.
    order : (K,) knots in the order of scales or levels.
    """

    begin: Index
    parent: Index
    first: Index
    filled: Index
    scale: Floats
    level: Floats
    slope: Floats
    all_scale: Floats
    all_level: Floats
    all_slope: Floats
    change: Floats
    order: Index


def cone_arrays(treeplex: Treeplex) -> ConeArrays:
    """Lay a treeplex out: a sequence has a knot at 0, and all but the first of infosets right below it."""
    t = treeplex
    counts = np.ones(t.n_sequences, dtype=np.int64)
    for i in range(t.n_infosets - 1, -1, -1):
        counts[t.parent[i]] += counts[t.begin[i] : t.end[i]].sum() - 1
    first = np.concatenate(([0], np.cumsum(counts)))
    begin = np.append(t.begin, t.n_sequences)
    order = np.empty(first[-1], dtype=np.int64)
    a, b, c, d, e, f, g = np.empty((7, len(order)))
    return ConeArrays(begin, t.parent, first, np.empty_like(counts), a, b, c, d, e, f, g, order)


@njit(cache=True)
def project(cone: ConeArrays, point: Floats) -> None:
    """Replace a point (S,) by the nearest one of the cone: all multiples of plans by numbers of at least 0.

    Bottom up, the derivative at a sequence is its own, ``scale - point``, plus those of the infosets below
    it. At an infoset the scales of all sequences with the same derivative add up: inverse functions are
    added. Top down, the derivative at the empty sequence is 0 unless its scale is.
    """
    begin, filled, level, slope = cone.begin, cone.filled, cone.level, cone.slope
    for s in range(len(point)):
        k = cone.first[s]
        filled[s], cone.scale[k], level[k], slope[k] = 1, 0.0, -point[s], 1.0
    for i in range(len(begin) - 2, -1, -1):
        for s in range(begin[i], begin[i + 1]):
            _add_up(cone, s)
        _share_out(cone, i)
    _add_up(cone, 0)
    point[0] = _scale_at(cone, 0, 0.0)
    for i in range(len(begin) - 1):
        whole = point[cone.parent[i]]
        if whole > 0.0:
            derivative = _derivative_at(cone, i, whole)
            for s in range(begin[i], begin[i + 1]):
                point[s] = _scale_at(cone, s, derivative)
        else:
            point[begin[i] : begin[i + 1]] = 0.0


@njit(cache=True)
def _add_up(cone: ConeArrays, s: int) -> None:
    """Write a sequence's derivative from its own at 0 and the changes of slope of infosets below."""
    lo, hi = cone.first[s], cone.first[s + 1]
    scale, level, slope, order = cone.scale, cone.level, cone.slope, cone.order
    _sort(cone.all_scale, order, lo + 1, hi)
    for k in range(lo + 1, hi):
        scale[k] = cone.all_scale[order[k]]
        level[k] = level[k - 1] + slope[k - 1] * (scale[k] - scale[k - 1])
        # Every sequence adds 1, whatever rounding makes of what cancels out.
        slope[k] = max(slope[k - 1] + cone.change[order[k]], 1.0)


@njit(cache=True)
def _share_out(cone: ConeArrays, i: int) -> None:
    """Write an infoset's derivative from those of its sequences; hand it on to the sequence before it."""
    scale, level, slope = cone.all_scale, cone.all_level, cone.all_slope
    change, order = cone.change, cone.order
    lo, hi = cone.first[cone.begin[i]], cone.first[cone.begin[i + 1]]
    for s in range(cone.begin[i], cone.begin[i + 1]):
        before = 0.0
        for k in range(cone.first[s], cone.first[s + 1]):
            change[k], before = 1.0 / cone.slope[k] - before, 1.0 / cone.slope[k]
    _sort(cone.level, order, lo, hi)
    rate, above = 0.0, cone.first[cone.parent[i]]
    at = above + cone.filled[cone.parent[i]]
    for k in range(lo, hi):
        level[k] = cone.level[order[k]]
        scale[k] = 0.0 if k == lo else scale[k - 1] + rate * (level[k] - level[k - 1])
        rate += change[order[k]]
        slope[k] = 1.0 / rate
        if k > lo:
            scale[at], change[at] = scale[k], slope[k] - slope[k - 1]
            at += 1
    cone.level[above] += level[lo]
    cone.slope[above] += slope[lo]
    cone.filled[cone.parent[i]] = at - above


@njit(cache=True)
def _sort(values: Floats, order: Index, lo: int, hi: int) -> None:
    """Write the places lo to hi - 1 into the same places of an order, by their values; ties keep theirs."""
    if hi - lo > FEW:
        order[lo:hi] = lo + np.argsort(values[lo:hi], kind="mergesort")
        return
    for k in range(lo, hi):
        at = k
        while at > lo and values[order[at - 1]] > values[k]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = k


@njit(cache=True)
def _scale_at(cone: ConeArrays, s: int, derivative: float) -> Any:
    """Return the scale at which a sequence's derivative is a number, 0 where it is larger everywhere."""
    lo, level = cone.first[s], cone.level
    if level[lo] > derivative:
        return 0.0
    k = _last(level, lo, cone.first[s + 1], derivative)
    return cone.scale[k] + (derivative - level[k]) / cone.slope[k]


@njit(cache=True)
def _derivative_at(cone: ConeArrays, i: int, scale: float) -> Any:
    """Return an infoset's derivative at a scale."""
    lo, hi = cone.first[cone.begin[i]], cone.first[cone.begin[i + 1]]
    k = _last(cone.all_scale, lo, hi, scale)
    return cone.all_level[k] + cone.all_slope[k] * (scale - cone.all_scale[k])


@njit(cache=True)
def _last(values: Floats, lo: int, hi: int, most: float) -> int:
    """Return the last place of lo to hi - 1 whose value is at most a number, as that at lo is."""
    while hi - lo > 1:
        middle = (lo + hi) >> 1
        if values[middle] > most:
            hi = middle
        else:
            lo = middle
    return lo


@njit(cache=True)
def approach(side: UpdateArrays, memory: Memory, q: Floats, cone: ConeArrays) -> None:
    """Update by PTB+ against the gradient q, which is overwritten.

    The first half of ``memory.regret`` is a point of the cone, the second the last gain: the gradient, less
    the value of the current plan at the empty sequence (Chakrabarti, Grand-Clément and Kroer, Extensive-form
    game solving via Blackwell approachability on treeplexes, 2024; their f is minus the gain).
    """
    n, value = len(q), 0.0
    aggregate, gain = memory.regret[:n], memory.regret[n:]
    for s in range(n):
        value += memory.plan[s] * q[s]
    q[0] -= value
    for s in range(n):
        gain[s] = q[s]
        aggregate[s] += q[s]
    project(cone, aggregate)
    play, mass, begin = memory.play, memory.mass, side.begin
    for s in range(n):
        play[s] = aggregate[s] + gain[s]
    project(cone, play)
    for i in range(len(mass)):
        total = 0.0
        for s in range(begin[i], begin[i + 1]):
            total += play[s]
        mass[i] = total
