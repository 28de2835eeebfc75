"""Compiled iterations of CFR that leave out what lies below sequences of negative regret."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.sequence_form.arrays import Csr, Unsigned
from treeplex.cfr.sequence_form.learning import value_of
from treeplex.seqform.forms.treeplex import Floats, Index


class Layout(NamedTuple):
    """One player's treeplex with all that follows a sequence in one piece, and the rows that it reads.

    Infoset i has the sequences ``begin[i]`` to ``begin[i + 1] - 1``, sequence s belongs to ``infoset[s]`` and
    is followed by the infosets ``first[s]`` to ``last[s] - 1``. Rows of ``base`` earn the player its payoff,
    rows of ``bound`` at least what their sequence can earn in one iteration; both read the other player's
    plan. ``most`` (S,) is no smaller than a bound against any plan.
    """

    begin: Unsigned
    infoset: Unsigned
    parent: Unsigned
    first: Unsigned
    last: Unsigned
    base: Csr
    bound: Csr
    most: Floats
    noise: Floats


class PrunedMemory(NamedTuple):
    """What one player remembers.

    regret : (S,) cumulative; of a pruned sequence its regret when pruned, less what its infoset earned since.
    play : (S,) what the next plan is proportional to at each infoset.
    mass : (I,) the sum of ``play`` over each infoset; 0 is uniform play.
    plan : (S,) the plan being played.
    total : (S,) the sum of the plans made.
    allowed : (S,) no less than a pruned sequence can have earned since it was pruned.
    mark : (S,) of a pruned sequence and all that follow it, what they would have earned against the sum of
        the other's plans until then.
    ceiling : (S,) of a pruned sequence, its bound against that sum.
    pruned : (S,) whether what lies below is left out.
    """

    regret: Floats
    play: Floats
    mass: Floats
    plan: Floats
    total: Floats
    allowed: Floats
    mark: Floats
    ceiling: Floats
    pruned: NDArray[np.bool_]


class Course(NamedTuple):
    """Where one player's passes go.

    active : (I,) the infosets that are visited, parents first; as many as ``tally[0]``.
    leap : (I,) where a pass goes on from an infoset: itself, or one past what is pruned from it on.
    late, idle : (S,) sequences to be caught up with and to be pruned; ``tally[1]`` and ``tally[2]``.
    q : (S,) scratch, values of sequences.
    tally : (4,) the last is how many nonzeros have been multiplied so far.
    """

    active: Unsigned
    leap: Unsigned
    late: Unsigned
    idle: Unsigned
    q: Floats
    tally: Index


@njit(cache=True)
def iterate(
    layout0: Layout,
    layout1: Layout,
    memory0: PrunedMemory,
    memory1: PrunedMemory,
    course0: Course,
    course1: Course,
    done: int,
    iterations: int,
    patience: float,
) -> None:
    """Run iterations after ``done``, player 1 against player 0's new plan; writes memories in place."""
    _follow(layout0, memory0, course0)
    _follow(layout1, memory1, course1)
    for t in range(done + 1, done + iterations + 1):
        _learn(layout0, memory0, course0, memory1.plan, memory1.total, t, patience)
        _move(layout0, memory0, course0)
        _learn(layout1, memory1, course1, memory0.plan, memory0.total, t, patience)
        _move(layout1, memory1, course1)


@njit(cache=True, inline="always")
def _row(matrix: Csr, r: int, plan: Floats) -> float:
    acc = 0.0
    for k in range(matrix.indptr[r], matrix.indptr[r + 1]):
        acc += matrix.data[k] * plan[matrix.indices[k]]
    return acc


@njit(cache=True)
def _follow(layout: Layout, memory: PrunedMemory, course: Course) -> None:
    """Lay the course around what is pruned."""
    for k in range(len(course.leap)):
        course.leap[k] = k
    for s in range(len(memory.pruned)):
        if memory.pruned[s]:
            course.leap[layout.first[s]] = layout.last[s]
    count, i, end = 0, np.uint64(0), np.uint64(len(course.leap))
    while i < end:
        if course.leap[i] != i:
            i = course.leap[i]
            continue
        course.active[count] = i
        count, i = count + 1, i + np.uint64(1)
    course.tally[0] = count


@njit(cache=True)
def _learn(
    layout: Layout, memory: PrunedMemory, course: Course, other: Floats, seen: Floats, t: int, patience: float
) -> None:
    """Learn by regret matching at the active infosets; ``seen`` sums the other's plans up to this one."""
    _gradient(layout, memory.pruned, course, other)
    _observe(layout, memory, course, other, seen, patience)
    # Neither changes a value of this iteration: what is or was pruned is not played in it.
    for k in range(course.tally[1]):
        _catch_up(layout, memory, course, seen, course.late[k], t)
    for back in range(course.tally[2]):
        # From the root down: what is below a sequence just pruned is not pruned by itself.
        s = course.idle[course.tally[2] - 1 - back]
        if not _is_below(layout, memory.pruned, s):
            _prune(layout, memory, course, seen, s, t)


@njit(cache=True)
def _is_below(layout: Layout, pruned: NDArray[np.bool_], s: int) -> bool:
    """Whether a sequence is below a pruned one."""
    above = layout.parent[layout.infoset[s]]
    while above > 0 and not pruned[above]:
        above = layout.parent[layout.infoset[above]]
    return bool(above > 0)


@njit(cache=True)
def _gradient(layout: Layout, pruned: NDArray[np.bool_], course: Course, other: Floats) -> None:
    """Write what each sequence of an active infoset earns by itself into q; nothing where pruned."""
    begin, base, active, q, work = layout.begin, layout.base, course.active, course.q, 0
    for k in range(course.tally[0]):
        for s in range(begin[active[k]], begin[active[k] + np.uint64(1)]):
            q[s] = 0.0
            if not pruned[s]:
                q[s] = _row(base, s, other)
                work += base.indptr[s + np.uint64(1)] - base.indptr[s]
    course.tally[3] += np.int64(work)


@njit(cache=True)
def _observe(
    layout: Layout, memory: PrunedMemory, course: Course, other: Floats, seen: Floats, patience: float
) -> None:
    """Update regrets and play from q at the active infosets, and list what is late and what is idle."""
    regret, play, mass, pruned = memory.regret, memory.play, memory.mass, memory.pruned
    allowed, ceiling, most = memory.allowed, memory.ceiling, layout.most
    begin, first, last, bound = layout.begin, layout.first, layout.last, layout.bound
    q, active, late, idle, n = course.q, course.active, course.late, course.idle, course.tally[0]
    n_late, n_idle, work = 0, 0, np.uint64(0)
    for back in range(n):
        i = active[n - 1 - back]
        lo, hi = begin[i], begin[i + np.uint64(1)]
        value, noise, total = value_of(play, mass[i], q, lo, hi), layout.noise[i], 0.0
        q[layout.parent[i]] += value
        for s in range(lo, hi):
            if pruned[s]:
                regret[s] -= value
                allowed[s] += most[s]
                continue
            r = regret[s] + q[s] - value
            r = 0.0 if abs(r) < noise else r
            regret[s] = r
            p = max(r, 0.0)
            play[s] = p
            total += p
        mass[i] = total
        if first[lo] == last[hi - np.uint64(1)]:
            # Nothing follows: the rest is about what does.
            continue
        for s in range(lo, hi):
            if pruned[s]:
                if regret[s] + allowed[s] > 0.0:
                    # What any plan allows is not enough: what the plans that were played allow.
                    allowed[s] = _row(bound, s, seen) - ceiling[s]
                    work += bound.indptr[s + np.uint64(1)] - bound.indptr[s]
                # Uniform play would come to what is pruned.
                if regret[s] + allowed[s] > 0.0 or total == 0.0:
                    late[n_late] = s
                    n_late += 1
            elif regret[s] < 0.0 and total > 0.0 and first[s] < last[s]:
                work += bound.indptr[s + np.uint64(1)] - bound.indptr[s]
                if regret[s] + patience * (_row(bound, s, other) - value) <= 0.0:
                    idle[n_idle] = s
                    n_idle += 1
    course.tally[1], course.tally[2] = n_late, n_idle
    course.tally[3] += np.int64(work)


@njit(cache=True)
def _prune(layout: Layout, memory: PrunedMemory, course: Course, seen: Floats, s: int, t: int) -> None:
    """Leave out what follows sequence s from the next iteration on."""
    begin, base, first, last = layout.begin, layout.base, layout.first[s], layout.last[s]
    lo, hi = begin[first], begin[last]
    for r in range(lo, hi):
        if memory.pruned[r]:
            _catch_up(layout, memory, course, seen, r, t)
    for r in range(lo, hi):
        memory.mark[r] = _row(base, r, seen)
        memory.plan[r] = 0.0
    memory.mark[s], memory.ceiling[s] = _row(base, s, seen), _row(layout.bound, s, seen)
    for of in (base, layout.bound):
        course.tally[3] += np.int64(of.indptr[s + np.uint64(1)] - of.indptr[s])
    course.tally[3] += np.int64(base.indptr[hi] - base.indptr[lo])
    memory.allowed[s] = 0.0
    memory.pruned[s] = True
    course.leap[first] = last


@njit(cache=True)
def _catch_up(layout: Layout, memory: PrunedMemory, course: Course, seen: Floats, s: int, t: int) -> None:
    """Book what a best response below sequence s would have earned since it was pruned."""
    q, begin, base, first, last = course.q, layout.begin, layout.base, layout.first[s], layout.last[s]
    lo, hi = begin[first], begin[last]
    for r in range(lo, hi):
        q[r] = _row(base, r, seen) - memory.mark[r]
    q[s] = _row(base, s, seen) - memory.mark[s]
    course.tally[3] += np.int64(base.indptr[hi] - base.indptr[lo])
    course.tally[3] += np.int64(base.indptr[s + np.uint64(1)] - base.indptr[s])
    memory.pruned[s] = False
    course.leap[first] = first
    for i in range(last - np.uint64(1), first - np.uint64(1), -1):
        value = q[begin[i] : begin[i + np.uint64(1)]].max()
        for r in range(begin[i], begin[i + np.uint64(1)]):
            _book(layout, memory, i, r, q[r] - value, t)
        _match(layout, memory, i)
        q[layout.parent[i]] += value
    _book(layout, memory, layout.infoset[s], s, q[s], t)
    _match(layout, memory, layout.infoset[s])


@njit(cache=True, inline="always")
def _book(layout: Layout, memory: PrunedMemory, i: int, s: int, step: float, t: int) -> None:
    """Add to a regret a difference of sums over t iterations, of which rounding makes t times the noise."""
    r = memory.regret[s] + step
    memory.regret[s] = 0.0 if abs(r) < t * layout.noise[i] else r


@njit(cache=True, inline="always")
def _match(layout: Layout, memory: PrunedMemory, i: int) -> None:
    """Play infoset i by its regrets."""
    total = 0.0
    for s in range(layout.begin[i], layout.begin[i + np.uint64(1)]):
        p = 0.0 if memory.pruned[s] else max(memory.regret[s], 0.0)
        memory.play[s] = p
        total += p
    memory.mass[i] = total


@njit(cache=True)
def _move(layout: Layout, memory: PrunedMemory, course: Course) -> None:
    """Make the next plan from the root down around what is pruned, and add it to the sum."""
    play, mass, plan, total, begin = memory.play, memory.mass, memory.plan, memory.total, layout.begin
    total[0] += 1.0
    count, i, end = 0, np.uint64(0), np.uint64(len(mass))
    while i < end:
        if course.leap[i] != i:
            i = course.leap[i]
            continue
        course.active[count] = i
        count += 1
        lo, hi = begin[i], begin[i + np.uint64(1)]
        reach = plan[layout.parent[i]]
        if mass[i] > 0.0:
            reach /= mass[i]
            for s in range(lo, hi):
                x = play[s] * reach
                plan[s] = x
                total[s] += x
        else:
            reach /= hi - lo
            for s in range(lo, hi):
                plan[s] = reach
                total[s] += reach
        i += np.uint64(1)
    course.tally[0] = count
