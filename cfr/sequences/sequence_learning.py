"""Local regret minimisers at the infosets of a treeplex, on a sequence form as flat arrays.

Values go bottom up, plans top down. The coefficients of a variant in each iteration are arrays too, for
compiled loops.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csr_array

from treeplex.cfr.asked_rules import Asked
from treeplex.cfr.local_rule import LocalRule
from treeplex.cfr.update_rules import (
    NOISE,
    add_square,
    discounted,
    predicted,
    preference,
    rate_at,
    share,
    unit_of,
)
from treeplex.cfr.variant import Exponent, Hedge, Matching, Ramp, Variant, numbered
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

Unsigned = NDArray[np.uint64]
"""Indices of compiled loops; unsigned, so that numba compiles no test for negative ones."""


class Csr(NamedTuple):
    """A sparse matrix by rows: indptr (n + 1,) and indices (nnz,) uint64, data (nnz,) f64."""

    indptr: Unsigned
    indices: Unsigned
    data: Floats


class Chain(NamedTuple):
    """The factored part of a gradient: ``out @ running_sums(into @ plan)``.

    Running sum k includes sum k - 1 where ``link[k]``; with ``backward`` (the transposed factor) sum k - 1
    includes sum k.
    """

    into: Csr
    link: NDArray[np.bool_]
    backward: bool
    out: Csr


class UpdateArrays(NamedTuple):
    """The arrays of one player's update: its treeplex, and the map from the other's plan to a gradient.

    Infoset i has the sequences ``begin[i]`` to ``begin[i + 1] - 1``. The gradient, in the player's
    own payoff, is ``base @ plan`` plus the chain's part; compiled loops contain no code for a chain that is
    None. Regrets smaller than an infoset's ``noise`` (I,) are rounded to zero: exact ties stay ties.
    """

    begin: Unsigned
    parent: Unsigned
    base: Csr
    chain: Chain | None
    noise: Floats


def update_arrays(form: SequenceForm, player: int) -> UpdateArrays:
    """Return the arrays of a player's update."""
    t, other, payoff = form.treeplexes[player], form.treeplexes[1 - player], form.payoff
    base, left, right = payoff.base.csr, payoff.left.csr, payoff.right.csr
    parts = (base, right.T, left) if player == 0 else (-base.T, left.T, -right)
    b, i, o = (_csr(m.tocsr()) for m in parts)
    # Noise is relative to the infoset: hands of probability 1e-16 must have regrets like others.
    largest = t.best_response(payoff.magnitude.against(player, other.plan(other.uniform()))).value
    begin = np.append(t.begin, t.n_sequences).astype(np.uint64)
    chain = Chain(i, payoff.link, player == 1, o) if len(payoff.link) else None
    return UpdateArrays(begin, t.parent.astype(np.uint64), b, chain, NOISE * largest)


def _csr(m: csr_array) -> Csr:
    return Csr(m.indptr.astype(np.uint64), m.indices.astype(np.uint64), m.data)


class Memory(NamedTuple):
    """The state of one player's local minimisers.

    regret : (S,) cumulative counterfactual regrets, discounted as the variant says. Of a user's rule (k S,),
        its k arrays one after another; of PTB+ (2 S,), as ``treeplex_blackwell.approach`` says.
    play : (S,) unnormalised behaviour of the next plan.
    mass : (I,) the sum of ``play`` over each infoset; 0 means uniform play.
    squared_ranges : (I,) the sum of squared ranges of the infoset's action values; Hedge only.
    plan : (S,) the current realization plan.
    total : (S,) the weighted sum of plans.
    """

    regret: Floats
    play: Floats
    mass: Floats
    squared_ranges: Floats
    plan: Floats
    total: Floats

    @staticmethod
    def fresh(treeplex: Treeplex) -> "Memory":
        """Return the memory before the first iteration: no regret, uniform play."""
        n, m = treeplex.n_sequences, treeplex.n_infosets
        plan = treeplex.plan(treeplex.uniform())
        return Memory(np.zeros(n), np.zeros(n), np.zeros(m), np.zeros(m), plan, np.zeros(n))

    def copied(self) -> "Memory":
        """Return a copy of all arrays."""
        return Memory(*(array.copy() for array in self))


class Discount(NamedTuple):
    """Factors of positive and negative cumulative regrets after each of T iterations, (T,).

    ``prediction`` is the weight of the last regret as prediction of the next.
    """

    positive: Floats
    negative: Floats
    prediction: float


class Counts(NamedTuple):
    """Coefficients of the sum of plans in each of T iterations, (T,).

    ``total = keep * total + before * (plan before the update) + after * (plan after it)``.
    """

    keep: Floats
    before: Floats
    after: Floats


@njit(cache=True, inline="always")
def sparse_gradient(base: Csr, plan: Floats, q: Floats) -> None:
    """Write ``base @ plan`` into q."""
    for r in range(len(q)):
        acc = 0.0
        for k in range(base.indptr[r], base.indptr[r + 1]):
            acc += base.data[k] * plan[base.indices[k]]
        q[r] = acc


@njit(cache=True)
def add_chained(chain: Chain, plan: Floats, sums: Floats, q: Floats) -> None:
    """Add a chain's part of the gradient to q; sums are scratch."""
    sparse_gradient(chain.into, plan, sums)
    link = chain.link
    if chain.backward:
        for k in range(len(sums) - 1, 0, -1):
            if link[k]:
                sums[k - 1] += sums[k]
    else:
        for k in range(1, len(sums)):
            if link[k]:
                sums[k] += sums[k - 1]
    out = chain.out
    for r in range(len(q)):
        for k in range(out.indptr[r], out.indptr[r + 1]):
            q[r] += out.data[k] * sums[out.indices[k]]


@njit(cache=True, inline="always")
def match_regrets(side: UpdateArrays, memory: Memory, q: Floats, discount: Discount, t: int) -> None:
    """Update by regret matching; the gradient q becomes the values of sequences.

    The value of an infoset under the plan just played goes to its parent sequence; the regret of each
    action is its value less that (Zinkevich et al. 2008, counterfactual regret).
    """
    regret, play, mass, begin = memory.regret, memory.play, memory.mass, side.begin
    positive, negative = discount.positive[t], discount.negative[t]
    for back in range(len(mass)):
        i = np.uint64(len(mass) - 1 - back)
        lo, hi = begin[i], begin[i + 1]
        value, noise = value_of(play, mass[i], q, lo, hi), side.noise[i]
        total = 0.0
        for s in range(lo, hi):
            r = discounted(regret[s] + q[s] - value, noise, positive, negative)
            p = predicted(r, q[s] - value, discount.prediction)
            regret[s], play[s] = r, p
            total += p
        mass[i] = total
        q[side.parent[i]] += value


@njit(cache=True, inline="always")
def value_of(play: Floats, mass: float, q: Floats, lo: int, hi: int) -> float:
    """Return the value of an infoset under the current behaviour: ``sum play q / mass``."""
    value = 0.0
    if mass > 0.0:
        for s in range(lo, hi):
            value += play[s] * q[s]
        return value / mass
    for s in range(lo, hi):
        value += q[s]
    return value / (hi - lo)


@njit(cache=True)
def hedge(side: UpdateArrays, memory: Memory, q: Floats, rate: float) -> None:
    """Update by Hedge; the gradient q becomes the values of sequences."""
    regret, play, mass, begin = memory.regret, memory.play, memory.mass, side.begin
    squared_ranges = memory.squared_ranges
    for back in range(len(mass)):
        i = np.uint64(len(mass) - 1 - back)
        lo, hi = begin[i], begin[i + 1]
        value = value_of(play, mass[i], q, lo, hi)
        worst, best, most = np.inf, -np.inf, -np.inf
        for s in range(lo, hi):
            worst, best = min(worst, q[s]), max(best, q[s])
            regret[s] += q[s] - value
            most = max(most, regret[s])
        squared_ranges[i] = add_square(squared_ranges[i], best - worst, side.noise[i])
        eta, total = rate_at(squared_ranges[i], rate), 0.0
        for s in range(lo, hi):
            play[s] = preference(regret[s], most, eta)
            total += play[s]
        mass[i] = total
        q[side.parent[i]] += value


@njit(cache=True)
def best_respond(side: UpdateArrays, memory: Memory, q: Floats) -> None:
    """Play a best response to the gradient q, ties to the first action; q becomes values of sequences."""
    play, mass, begin = memory.play, memory.mass, side.begin
    for back in range(len(mass)):
        i = np.uint64(len(mass) - 1 - back)
        best = begin[i]
        for s in range(begin[i], begin[i + 1]):
            play[s] = 0.0
            if q[s] > q[best]:
                best = s
        play[best], mass[i] = 1.0, 1.0
        q[side.parent[i]] += q[best]


@njit(cache=True)
def ask_rule(side: UpdateArrays, memory: Memory, q: Floats, asked: Asked, t: int) -> None:
    """Update by a user's rule; the gradient q becomes the values of sequences."""
    mass, begin, number = memory.mass, side.begin, asked.number[t]
    for back in range(len(mass)):
        i = np.uint64(len(mass) - 1 - back)
        lo, hi = np.int64(begin[i]), np.int64(begin[i + 1])
        value = value_of(memory.play, mass[i], q, lo, hi)
        asked.observe(memory.regret, lo, hi, q, value, number, side.noise[i], asked.failed)
        mass[i] = ask_strategy(memory, asked, lo, hi)
        q[side.parent[i]] += value


@njit(cache=True)
def ask_strategy(memory: Memory, asked: Asked, lo: int, hi: int) -> float:
    """Write the unnormalised behaviour of an infoset by a user's rule; return its sum."""
    asked.strategy(memory.regret, lo, hi, memory.play, asked.failed)
    total = 0.0
    for s in range(lo, hi):
        total += memory.play[s]
    return total


@njit(cache=True)
def ask_first(side: UpdateArrays, memory: Memory, asked: Asked) -> None:
    """Write the plan of a user's rule before the first iteration."""
    play, mass, plan, begin = memory.play, memory.mass, memory.plan, side.begin
    for i in range(len(mass)):
        lo, hi = np.int64(begin[i]), np.int64(begin[i + 1])
        mass[i] = ask_strategy(memory, asked, lo, hi)
        unit = unit_of(plan[side.parent[i]], mass[i], hi - lo)
        for s in range(lo, hi):
            plan[s] = share(play[s], mass[i], unit)


@njit(cache=True, inline="always")
def update_plan(side: UpdateArrays, memory: Memory, counts: Counts, t: int) -> None:
    """Compute the next plan top down, and add plans to the average."""
    play, mass, plan, total, begin = memory.play, memory.mass, memory.plan, memory.total, side.begin
    keep, before, after = counts.keep[t], counts.before[t], counts.after[t]
    total[0] = keep * total[0] + before + after
    for i in range(len(mass)):
        lo, hi = begin[i], begin[i + 1]
        unit = unit_of(plan[side.parent[i]], mass[i], hi - lo)
        for s in range(lo, hi):
            x = share(play[s], mass[i], unit)
            total[s] = keep * total[s] + before * plan[s] + after * x
            plan[s] = x


CHUNK = 1 << 14
"""Iterations whose coefficients are computed at a time."""


class Numbers(NamedTuple):
    """One player's coefficients for some iterations; None where its local minimiser has none."""

    discount: Discount | None
    rate: float | None
    counts: Counts


def numbers_of(variant: Variant, player: int, done: int, iterations: int) -> Numbers:
    """Return a player's coefficients for the iterations after ``done``."""
    t = numbered(done, iterations)
    minimiser, average = variant.minimisers[player], variant.average
    discount = rate = None
    if isinstance(minimiser, Matching):
        positive, negative = (_discount(t, exponent) for exponent in (minimiser.alpha, minimiser.beta))
        discount = Discount(positive, negative, float(minimiser.prediction))
    elif isinstance(minimiser, Hedge):
        rate = float(minimiser.rate)
    keep, weight = average.steps(done, iterations)
    none = np.zeros(iterations)
    seen_after = player == 0 and variant.order == "alternating"
    after = average.counted == "after" or (average.counted == "seen" and seen_after)
    return Numbers(discount, rate, Counts(keep, *((none, weight) if after else (weight, none))))


def asked_of(variant: Variant, player: int, done: int, iterations: int) -> Asked | None:
    """Return a player's own rule for the iterations after ``done``, or None."""
    rule = variant.minimisers[player]
    if not isinstance(rule, LocalRule):
        return None
    return Asked(*rule.compiled, numbered(done, iterations), np.zeros(1))


def numbers_by_kind(variant: Variant, done: int, iterations: int) -> tuple[object, ...]:
    """Return both players' coefficients in the order of kernel arguments: as in ``Numbers``."""
    pairs = zip(*(numbers_of(variant, p, done, iterations) for p in (0, 1)), strict=True)
    return tuple(part for pair in pairs for part in pair)


def _discount(t: Floats, exponent: Exponent) -> Floats:
    if isinstance(exponent, Ramp):
        return np.asarray(1.0 / (1.0 + t ** -exponent.at(t)))
    if math.isinf(exponent):
        return np.full(len(t), 1.0 if exponent > 0 else 0.0)
    return np.asarray(1.0 / (1.0 + t**-exponent))
