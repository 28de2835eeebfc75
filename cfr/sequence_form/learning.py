"""Local regret minimisers at the infosets of a treeplex: values bottom up, regrets, plans top down."""

from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.sequence_form.arrays import Chain, Csr, UpdateArrays
from treeplex.cfr.variants.rules import add_square, discounted, predicted, preference, rate_at, share, unit_of
from treeplex.seqform.forms.treeplex import Floats, Treeplex


class Memory(NamedTuple):
    """The state of one player's local minimisers.

    regret : (S,) cumulative counterfactual regrets, discounted as the variant says.
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
