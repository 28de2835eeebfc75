"""CFR+ on a sequence form: one regret minimiser an infoset, composed over the treeplex."""

import time
from dataclasses import dataclass

import numpy as np
from numba import njit

from cfr.arrays import Csr, UpdateArrays, update_arrays
from seqform.profile import Profile
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats


@dataclass(frozen=True)
class CfrPlusState:
    """Everything that a later iteration depends on; continuing from it equals never having stopped.

    Attributes
    ----------
    iterations : int
        Iterations done so far.
    regret : pair of (S,) f64
        Cumulative regret, clipped at zero after each update (regret matching+).
    total : pair of (S,) f64
        Sum of the plans after each update, that of iteration t weighted t.
    plan : pair of (S,) f64
        The current plans.
    """

    iterations: int
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]
    plan: tuple[Floats, Floats]


@dataclass(frozen=True)
class CfrPlusRun:
    """The outcome of a run: the average profile, the state to go on from, and the seconds it took."""

    profile: Profile
    state: CfrPlusState
    seconds: float


def start(form: SequenceForm) -> CfrPlusState:
    """Return the state before the first iteration: no regret, uniform play."""
    plans = [t.plan(t.uniform()) for t in form.treeplexes]
    zero = [np.zeros(t.n_sequences) for t in form.treeplexes]
    nil = [np.zeros(t.n_sequences) for t in form.treeplexes]
    return CfrPlusState(0, (zero[0], zero[1]), (nil[0], nil[1]), (plans[0], plans[1]))


def cfr_plus(
    form: SequenceForm,
    iterations: int,
    state: CfrPlusState | None = None,
) -> CfrPlusRun:
    """Run CFR+ (Tammelin 2014; Bowling et al. 2017) and return the average profile.

    Updates alternate: in iteration t player 0 updates against player 1's current plan, then player 1
    against player 0's new one. Averages weigh the plan after the update of iteration t by t. Kuhn poker
    after 1,000 iterations has NashConv 1.4817e-4 under exactly this order and weighting.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, or the state is of another game.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    clock = time.perf_counter()
    old = start(form) if state is None else state
    _check_state(form, old)
    regret, total, plan = ((a.copy(), b.copy()) for a, b in (old.regret, old.total, old.plan))
    sides = update_arrays(form, 0), update_arrays(form, 1)
    _iterate(sides[0], sides[1], *regret, *total, *plan, old.iterations, iterations)
    new = CfrPlusState(old.iterations + iterations, regret, total, plan)
    behaviour = [t.behaviour(s) for t, s in zip(form.treeplexes, total, strict=True)]
    profile = Profile(form.treeplexes, (behaviour[0], behaviour[1]))
    return CfrPlusRun(profile, new, time.perf_counter() - clock)


def _check_state(form: SequenceForm, state: CfrPlusState) -> None:
    """Refuse arrays of the wrong length: the compiled loops check no bounds."""
    for p, t in enumerate(form.treeplexes):
        for array in (state.regret[p], state.total[p], state.plan[p]):
            if array.shape != (t.n_sequences,):
                raise ValueError(
                    f"player {p}'s state must have arrays of shape ({t.n_sequences},), got {array.shape}"
                )


@njit(cache=True)
def _iterate(
    side0: UpdateArrays,
    side1: UpdateArrays,
    regret0: Floats,
    regret1: Floats,
    total0: Floats,
    total1: Floats,
    x: Floats,
    y: Floats,
    done: int,
    iterations: int,
) -> None:
    """Run alternating iterations; writes regrets, totals and plans in place."""
    gradient0, gradient1 = np.empty(len(x)), np.empty(len(y))
    sums = np.empty(len(side0.link))
    for t in range(done + 1, done + iterations + 1):
        _gradient(side0, y, sums, gradient0)
        _update(side0, gradient0, regret0, x)
        for s in range(len(x)):
            total0[s] += t * x[s]
        _gradient(side1, x, sums, gradient1)
        _update(side1, gradient1, regret1, y)
        for s in range(len(y)):
            total1[s] += t * y[s]


@njit(cache=True)
def _gradient(side: UpdateArrays, plan: Floats, sums: Floats, gradient: Floats) -> None:
    """Write what each sequence of the side earns against the other player's plan."""
    gradient[:] = 0.0
    _add_product(side.base, plan, gradient)
    if len(sums) == 0:
        return
    sums[:] = 0.0
    _add_product(side.into, plan, sums)
    if side.backward:
        for k in range(len(sums) - 1, 0, -1):
            if side.link[k]:
                sums[k - 1] += sums[k]
    else:
        for k in range(1, len(sums)):
            if side.link[k]:
                sums[k] += sums[k - 1]
    _add_product(side.out, sums, gradient)


@njit(cache=True)
def _add_product(m: Csr, v: Floats, out: Floats) -> None:
    for r in range(len(out)):
        acc = 0.0
        for k in range(m.indptr[r], m.indptr[r + 1]):
            acc += m.data[k] * v[m.indices[k]]
        out[r] += acc


@njit(cache=True)
def _update(side: UpdateArrays, q: Floats, regret: Floats, plan: Floats) -> None:  # noqa: PLR0912
    """Observe the gradient q, update regrets by regret matching+, write the next plan.

    Bottom-up, the value of an infoset under the plan just played goes to its parent sequence; the
    regret of each action is its value less that (Zinkevich et al. 2008, counterfactual regret).
    """
    begin, end, parent = side.begin, side.end, side.parent
    for i in range(len(begin) - 1, -1, -1):
        lo, hi = begin[i], end[i]
        mass = 0.0
        for s in range(lo, hi):
            mass += regret[s]
        value = 0.0
        if mass > 0.0:
            for s in range(lo, hi):
                value += regret[s] * q[s]
            value /= mass
        else:
            for s in range(lo, hi):
                value += q[s]
            value /= hi - lo
        for s in range(lo, hi):
            regret[s] = max(regret[s] + q[s] - value, 0.0)
        q[parent[i]] += value
    for i in range(len(begin)):
        lo, hi = begin[i], end[i]
        mass = 0.0
        for s in range(lo, hi):
            mass += regret[s]
        reach = plan[parent[i]]
        if mass > 0.0:
            reach /= mass
            for s in range(lo, hi):
                plan[s] = regret[s] * reach
        else:
            for s in range(lo, hi):
                plan[s] = reach / (hi - lo)
