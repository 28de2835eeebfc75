"""CFR with regret-based pruning: what lies below a sequence of negative regret waits until it may matter."""

import time
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from treeplex.cfr.sequence_form.arrays import Csr, side_of
from treeplex.cfr.sequence_form.pruning_kernels import Course, Layout, PrunedMemory, iterate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, closed
from treeplex.seqform.forms.treeplex import Index, Treeplex

PATIENCE = 4.0
"""A sequence is pruned when its regret would stay negative in so many iterations like the last."""

Bounds = tuple[csr_array, csr_array]


@dataclass(frozen=True)
class PrunedState:
    """Everything that a later iteration depends on, in the form's numbering.

    Attributes
    ----------
    iterations : int
        Done so far.
    memories : pair of PrunedMemory
        Regrets below a pruned sequence are those of the iteration after which it was pruned.
    """

    iterations: int
    memories: tuple[PrunedMemory, PrunedMemory]


@dataclass(frozen=True)
class PrunedRun:
    """The outcome of a run.

    Attributes
    ----------
    profile : Profile
        The average.
    state : PrunedState
    touched : int
        Nonzeros multiplied by this run, those of bounds and of catching up counted.
    possible : int
        Nonzeros that as many iterations of CFR without pruning multiply.
    seconds : float
    """

    profile: Profile
    state: PrunedState
    touched: int
    possible: int
    seconds: float


def minimise_pruned(
    form: SequenceForm, iterations: int, state: PrunedState | None = None, bounds: Bounds | None = None
) -> PrunedRun:
    """Run CFR (regret matching, alternating updates, uniform average) with regret-based pruning.

    After Brown and Sandholm (Regret-based pruning in extensive-form games, NIPS 2015). A sequence of negative
    regret is not played, so what lies below it may wait. While it waits, its regret is bounded from above:
    by what it was, less what its infoset earns, plus the most that it can earn against the other's plans.
    When that bound turns positive, its true regret and those below are booked as if the player had
    played a best response there to the sum of the plans that were missed; since the player never came there,
    no plan and no average changes by that. So a player's external regret is still at most the sum of its
    positive immediate regrets.

    Parameters
    ----------
    form : SequenceForm
        Its payoff one sparse matrix.
    iterations : int
        How many more.
    state : PrunedState, optional
        What an earlier run on the same game ended with; going on from it equals never having stopped.
    bounds : pair of csr_array, (S0, S1) and (S1, S0), optional
        What each sequence can earn its player in one iteration, at most, as linear functions of the other's
        plan; :func:`earning_bounds` unless given. With infinity nothing is pruned.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, the payoff is factored, or state or bounds are of another game.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if len(form.payoff.link):
        raise ValueError(
            "pruning needs a payoff that is one sparse matrix (factored=False), got one with running sums of "
            f"length {len(form.payoff.link)}"
        )
    clock = time.perf_counter()
    old = start_pruned(form) if state is None else state
    limits = (earning_bounds(form, 0), earning_bounds(form, 1)) if bounds is None else bounds
    _check(form, old, limits)
    orders = _Order(form.treeplexes[0]), _Order(form.treeplexes[1])
    layouts = [_layout(form, p, orders, limits[p]) for p in (0, 1)]
    memories = [o.into(m) for o, m in zip(orders, old.memories, strict=True)]
    courses = [_course(t) for t in form.treeplexes]
    iterate(*layouts, *memories, *courses, old.iterations, iterations, PATIENCE)
    first, second = (o.back(m) for o, m in zip(orders, memories, strict=True))
    new = PrunedState(old.iterations + iterations, (first, second))
    return PrunedRun(
        pruned_average(form, new),
        new,
        sum(int(c.tally[3]) for c in courses),
        2 * iterations * form.payoff.base.nnz,
        time.perf_counter() - clock,
    )


def pruned_average(form: SequenceForm, state: PrunedState) -> Profile:
    """Return the average of a run."""
    x, y = (t.behaviour(m.total) for t, m in zip(form.treeplexes, state.memories, strict=True))
    return Profile(form.treeplexes, (x, y))


def start_pruned(form: SequenceForm) -> PrunedState:
    """Return the state before the first iteration: no regret, uniform play, nothing pruned."""
    first, second = (_fresh(t) for t in form.treeplexes)
    return PrunedState(0, (first, second))


def earning_bounds(form: SequenceForm, player: int) -> csr_array:
    """Bound what each sequence can earn in one iteration, all that follows included, (S, S_other).

    A row times the other's plan is at least what the player's sequence is worth, whatever the player does
    below it. It is what both together could make of each of the other's sequences that lead there: the player
    takes the best of its actions against each column apart, and where the other has a choice below the
    sequence, the bound is put at the sequence before that choice. So a row has about as many nonzeros as
    the other player has hands.
    """
    t, other = form.treeplexes[player], form.treeplexes[1 - player]
    csr = form.payoff.base.csr if player == 0 else (-form.payoff.base.csr.T).tocsr()
    rows = [
        dict(zip(csr.indices[lo:hi].tolist(), csr.data[lo:hi].tolist(), strict=True))
        for lo, hi in zip(csr.indptr, csr.indptr[1:], strict=False)
    ]
    for i in range(t.n_infosets - 1, -1, -1):
        actions = range(t.begin[i], t.end[i])
        for s in actions:
            rows[s] = _lifted(other, rows[s])
        above = rows[t.parent[i]]
        for column in set().union(*(rows[s] for s in actions)):
            above[column] = above.get(column, 0.0) + max(rows[s].get(column, 0.0) for s in actions)
    rows[0] = _lifted(other, rows[0])
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.array([c for row in rows for c in sorted(row)], dtype=np.int64)
    data = np.array([row[c] for row in rows for c in sorted(row)], dtype=np.float64)
    return csr_array((data, columns, indptr), shape=csr.shape)


def _lifted(other: Treeplex, row: dict[int, float]) -> dict[int, float]:
    """Return a bound that is nowhere smaller, put at the sequences before the other player's choices."""
    lifted = dict(row)
    waiting = {-int(other.infoset_of[c]) for c in row if c}
    heap = sorted(waiting)
    while heap:
        i = -heappop(heap)
        actions = range(other.begin[i], other.end[i])
        found = [lifted[s] for s in actions if s in lifted]
        # One action of several is no choice: it was made on the way to the sequence.
        if len(found) < min(len(actions), 2):
            continue
        for s in actions:
            lifted.pop(s, None)
        parent = int(other.parent[i])
        most = max(found) if len(found) == len(actions) else max(*found, 0.0)
        lifted[parent] = lifted.get(parent, 0.0) + most
        above = -int(other.infoset_of[parent])
        if parent and above not in waiting:
            waiting.add(above)
            heappush(heap, above)
    return lifted


def _fresh(t: Treeplex) -> PrunedMemory:
    regret, play, total, allowed, mark, ceiling = (np.zeros(t.n_sequences) for _ in range(6))
    plan, pruned = t.plan(t.uniform()), np.zeros(t.n_sequences, dtype=np.bool_)
    return PrunedMemory(regret, play, np.zeros(t.n_infosets), plan, total, allowed, mark, ceiling, pruned)


def _check(form: SequenceForm, state: PrunedState, bounds: Bounds) -> None:
    """Refuse arrays of the wrong shape: the compiled loops check no bounds."""
    for p, t in enumerate(form.treeplexes):
        for what, array in state.memories[p]._asdict().items():
            size = t.n_infosets if what == "mass" else t.n_sequences
            if array.shape != (size,):
                raise ValueError(f"player {p}'s {what} must have shape ({size},), got {array.shape}")
        _check_pruned(t, state.memories[p].pruned, p)
        shape = t.n_sequences, form.treeplexes[1 - p].n_sequences
        if bounds[p].shape != shape:
            raise ValueError(f"player {p}'s bounds must have shape {shape}, got {bounds[p].shape}")


def _check_pruned(t: Treeplex, pruned: NDArray[np.bool_], player: int) -> None:
    """Refuse prunings that are none, or one inside another."""
    if pruned[0]:
        raise ValueError(f"player {player}'s sequence 0 cannot be pruned: it is always played")
    followed = np.isin(np.arange(t.n_sequences), t.parent)
    inside = pruned[1:] & ~closed(t, ~pruned)[t.parent_of[1:]]
    for bad, why in (
        (pruned & ~followed, "nothing follows it"),
        (np.append(False, inside), "it is below another"),
    ):
        if bad.any():
            s = int(np.flatnonzero(bad)[0])
            raise ValueError(f"player {player}'s sequence {s} cannot be pruned: {why}")


class _Order:
    """A treeplex's infosets and sequences in the order of a walk that goes to the bottom first.

    In the form's numbering what follows a sequence lies scattered: an infoset stands where its first history
    does, and one deal meets only some of a hand's boards and answers.

    infosets (I,), sequences (S,): which stands where. place (S,): where each sequence stands.
    """

    def __init__(self, t: Treeplex) -> None:
        below: list[list[int]] = [[] for _ in range(t.n_sequences)]
        for i, parent in enumerate(t.parent.tolist()):
            below[parent].append(i)
        walk: list[int] = []
        waiting = below[0][::-1]
        while waiting:
            i = waiting.pop()
            walk.append(i)
            for s in range(t.end[i] - 1, t.begin[i] - 1, -1):
                waiting += below[s][::-1]
        self.infosets: Index = np.array(walk, dtype=np.int64)
        pieces = [np.arange(t.begin[i], t.end[i]) for i in walk]
        self.sequences: Index = np.concatenate([np.zeros(1, dtype=np.int64), *pieces])
        self.place: Index = np.argsort(self.sequences)

    def into(self, memory: PrunedMemory) -> PrunedMemory:
        """Return a copy of a memory in this order."""
        parts = {what: array[self.sequences] for what, array in memory._asdict().items() if what != "mass"}
        return PrunedMemory(**parts, mass=memory.mass[self.infosets])

    def back(self, memory: PrunedMemory) -> PrunedMemory:
        """Return a copy of a memory in the form's order."""
        parts = {what: array[self.place] for what, array in memory._asdict().items() if what != "mass"}
        return PrunedMemory(**parts, mass=memory.mass[np.argsort(self.infosets)])


def _layout(form: SequenceForm, player: int, orders: tuple[_Order, _Order], bound: csr_array) -> Layout:
    """Lay out what a player's passes read, rows and columns in the order of both walks."""
    t, own, other = form.treeplexes[player], orders[player], orders[1 - player]
    side = side_of(form, player)
    sizes = (t.end - t.begin)[own.infosets]
    begin = np.concatenate(([1], 1 + np.cumsum(sizes)))
    parent = own.place[t.parent[own.infosets]]
    infoset = np.concatenate(([0], np.repeat(np.arange(t.n_infosets), sizes)))
    # Infosets below each sequence, the deepest first.
    counts, starts, above = [0] * t.n_sequences, begin.tolist(), parent.tolist()
    for i in range(t.n_infosets - 1, -1, -1):
        counts[above[i]] += 1 + sum(counts[starts[i] : starts[i + 1]])
    below = np.array(counts, dtype=np.int64)
    # An infoset's first sequence is followed at once, each further one after what follows those before.
    ends = np.concatenate(([0], np.cumsum(below[1:])))
    first = np.zeros_like(below)
    first[1:] = infoset[1:] + 1 + ends[:-1] - ends[begin[infoset[1:]] - 1]
    base = csr_array((side.base.data, side.base.indices, side.base.indptr), shape=bound.shape)
    most = np.asarray(bound.maximum(0.0).sum(axis=1), dtype=np.float64)[own.sequences]
    return Layout(
        begin.astype(np.uint64),
        infoset.astype(np.uint64),
        parent.astype(np.uint64),
        first.astype(np.uint64),
        (first + below).astype(np.uint64),
        _moved(base, own, other),
        _moved(bound, own, other),
        most,
        side.noise[own.infosets],
    )


def _moved(matrix: csr_array, own: _Order, other: _Order) -> Csr:
    """Return a matrix in the order of both walks; entries of a row are summed in the order that they had."""
    indptr, columns = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    lengths = np.diff(indptr)[own.sequences]
    starts = np.concatenate(([0], np.cumsum(lengths)))
    taken = np.repeat(indptr[own.sequences] - starts[:-1], lengths) + np.arange(starts[-1])
    return Csr(
        starts.astype(np.uint64), other.place[columns[taken]].astype(np.uint64), matrix.data[taken].copy()
    )


def _course(t: Treeplex) -> Course:
    n, i = t.n_sequences, t.n_infosets
    active, leap, late, idle = (np.empty(size, dtype=np.uint64) for size in (i, i, n, n))
    return Course(active, leap, late, idle, np.zeros(n), np.zeros(4, dtype=np.int64))
