"""Full-width regret minimisation on a sequence form: one compiled loop, every variant a choice of numbers."""

import time
from dataclasses import dataclass

import numpy as np
from numba import njit

from treeplex.cfr.sequence_form.arrays import Chain, Side, side_of
from treeplex.cfr.sequence_form.learning import (
    Counts,
    Discount,
    Memory,
    add_chained,
    best_respond,
    move,
    observe,
    sparse_gradient,
    weigh,
)
from treeplex.cfr.sequence_form.schedule import numbers_of
from treeplex.cfr.variants.variant import Variant
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

CHUNK = 1 << 14
"""Iterations whose weights are laid out at a time."""


@dataclass(frozen=True)
class State:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    variant : Variant
    iterations : int
        Done so far.
    memories : pair of Memory
    """

    variant: Variant
    iterations: int
    memories: tuple[Memory, Memory]


@dataclass(frozen=True)
class Run:
    """The outcome of a run.

    Attributes
    ----------
    profile : Profile
        The average, or the last plans where the variant averages none.
    state : State
    seconds : float
    """

    profile: Profile
    state: State
    seconds: float


def start(form: SequenceForm, variant: Variant) -> State:
    """Return the state before the first iteration: no regret, uniform play."""
    first, second = (Memory.fresh(t) for t in form.treeplexes)
    return State(variant, 0, (first, second))


def minimise(form: SequenceForm, variant: Variant, iterations: int, state: State | None = None) -> Run:
    """Run full-width iterations and return the average profile.

    Parameters
    ----------
    form : SequenceForm
    variant : Variant
    iterations : int
        How many more.
    state : State, optional
        What an earlier run of the same variant on the same game ended with.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, or the state is of another game or variant.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    clock = time.perf_counter()
    old = start(form, variant) if state is None else state
    _check_state(form, variant, old)
    memories = old.memories[0].copied(), old.memories[1].copied()
    sides = side_of(form, 0), side_of(form, 1)
    chains = sides[0].chain, sides[1].chain
    sums = np.empty(len(form.payoff.link))
    done, until = old.iterations, old.iterations + iterations
    while done < until:
        count = min(CHUNK, until - done)
        numbers = numbers_of(variant, 0, done, count), numbers_of(variant, 1, done, count)
        # Player by player the tuples hold (discount, rate, counts); the loop takes them kind by kind.
        kinds = (part for pair in zip(*numbers, strict=True) for part in pair)
        _iterate(*sides, *chains, *memories, *kinds, sums, variant.order == "simultaneous")
        done += count
    profile = average_profile(form, memories)
    return Run(profile, State(variant, done, memories), time.perf_counter() - clock)


def average_profile(form: SequenceForm, memories: tuple[Memory, Memory]) -> Profile:
    """Return the profile of the weighted sums of plans."""
    x, y = (t.behaviour(m.total) for t, m in zip(form.treeplexes, memories, strict=True))
    return Profile(form.treeplexes, (x, y))


def _check_state(form: SequenceForm, variant: Variant, state: State) -> None:
    if state.variant != variant:
        raise ValueError(f"the state is of the variant {state.variant}, got {variant}")
    check_memories(form, state.memories)


def check_memories(form: SequenceForm, memories: tuple[Memory, Memory]) -> None:
    """Refuse arrays of the wrong length: the compiled loops check no bounds.

    Raises
    ------
    ValueError
        That names the player and the array.
    """
    for p, t in enumerate(form.treeplexes):
        for what, array in memories[p]._asdict().items():
            size = t.n_infosets if what in ("mass", "seen") else t.n_sequences
            if array.shape != (size,):
                raise ValueError(f"player {p}'s {what} must have shape ({size},), got {array.shape}")


@njit(cache=True)
def _iterate(
    side0: Side,
    side1: Side,
    chain0: Chain | None,
    chain1: Chain | None,
    memory0: Memory,
    memory1: Memory,
    discount0: Discount | None,
    discount1: Discount | None,
    rate0: float | None,
    rate1: float | None,
    counts0: Counts,
    counts1: Counts,
    sums: Floats,
    simultaneous: bool,
) -> None:
    """Run as many iterations as there are counts for; writes both memories in place.

    An argument that is None leaves no test and no code behind: the compiler makes one loop a combination. It
    sees that of this function's own arguments alone, so both players' halves are written out.
    """
    q0, q1 = np.empty(len(memory0.plan)), np.empty(len(memory1.plan))
    for t in range(len(counts0.after)):
        sparse_gradient(side0.base, memory1.plan, q0)
        if chain0 is not None:
            add_chained(chain0, memory1.plan, sums, q0)
        if simultaneous:
            sparse_gradient(side1.base, memory0.plan, q1)
            if chain1 is not None:
                add_chained(chain1, memory0.plan, sums, q1)
        if discount0 is not None:
            observe(side0, memory0, q0, discount0, t)
        elif rate0 is not None:
            weigh(side0, memory0, q0, rate0)
        else:
            best_respond(side0, memory0, q0)
        move(side0, memory0, counts0, t)
        if not simultaneous:
            sparse_gradient(side1.base, memory0.plan, q1)
            if chain1 is not None:
                add_chained(chain1, memory0.plan, sums, q1)
        if discount1 is not None:
            observe(side1, memory1, q1, discount1, t)
        elif rate1 is not None:
            weigh(side1, memory1, q1, rate1)
        else:
            best_respond(side1, memory1, q1)
        move(side1, memory1, counts1, t)
