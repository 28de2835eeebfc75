"""Full-width regret minimisation on a sequence form, all variants in one compiled loop."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from treeplex.cfr.asked_rules import Asked, check_asked
from treeplex.cfr.engine import PairState, check_done, check_iterations
from treeplex.cfr.local_rule import LocalRule, n_arrays
from treeplex.cfr.sequences.sequence_learning import (
    CHUNK,
    Chain,
    Counts,
    Discount,
    Memory,
    Numbers,
    UpdateArrays,
    add_chained,
    ask_first,
    ask_rule,
    asked_of,
    best_respond,
    hedge,
    match_regrets,
    numbers_by_kind,
    sparse_gradient,
    update_arrays,
    update_plan,
)
from treeplex.cfr.sequences.treeplex_blackwell import ConeArrays, approach, cone_arrays
from treeplex.cfr.state_checks import (
    LARGEST,
    LARGEST_SQUARE,
    check_close,
    check_count,
    check_range,
    check_shape,
    check_size,
    drift,
)
from treeplex.cfr.variant import Minimiser, TreeplexBlackwell, Variant
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

FullWidthState = PairState[Memory]


@dataclass(frozen=True)
class SequenceCFR:
    """A variant on a sequence form; advancing leaves the state's arrays alone.

    Attributes
    ----------
    form : SequenceForm
    config : Variant
    sides : pair of UpdateArrays
        The arrays of each player's update.
    """

    form: SequenceForm
    config: Variant
    sides: tuple[UpdateArrays, UpdateArrays]

    def start(self) -> FullWidthState:
        """Return the state before the first iteration: no regret, uniform play or that of a user's rule."""
        return PairState(0, fresh_memories(self.form, self.config, self.sides))

    def check(self, state: FullWidthState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_full_width(self.form, self.sides, self.config, state.iterations, state.memories)

    def advance(self, state: FullWidthState, iterations: int) -> FullWidthState:
        """Return the state after more iterations; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_iterations(iterations)
        check_done(state)
        check_memories(self.form, self.config, state.memories)
        memories = state.memories[0].copied(), state.memories[1].copied()
        chains = self.sides[0].chain, self.sides[1].chain
        sums = np.empty(len(self.form.payoff.link))
        done, until = state.iterations, state.iterations + iterations
        simultaneous = self.config.order == "simultaneous"
        cones = [
            cone_arrays(t) if isinstance(minimiser, TreeplexBlackwell) else None
            for t, minimiser in zip(self.form.treeplexes, self.config.minimisers, strict=True)
        ]
        while done < until:
            count = min(CHUNK, until - done)
            kinds = numbers_by_kind(self.config, done, count)
            rules = [asked_of(self.config, p, done, count) for p in (0, 1)]
            _iterate(*self.sides, *chains, *memories, *kinds, *rules, *cones, sums, simultaneous)
            done += count
            for asked in rules:
                check_asked(asked)
        return PairState(done, memories)

    def strategy(self, state: FullWidthState) -> Profile:
        """Return the average profile, or the last plans where the variant averages none."""
        return average_profile(self.form, state.memories)


def prepare(form: SequenceForm, variant: Variant) -> SequenceCFR:
    """Lay a form out for a variant."""
    return SequenceCFR(form, variant, (update_arrays(form, 0), update_arrays(form, 1)))


def fresh_memories(
    form: SequenceForm, variant: Variant, sides: tuple[UpdateArrays, UpdateArrays]
) -> tuple[Memory, Memory]:
    """Return the memories before the first iteration: no regret, uniform play or that of a user's rule."""
    first, second = (Memory.fresh(t) for t in form.treeplexes)
    memories = [first, second]
    for p, minimiser in enumerate(variant.minimisers):
        n = _n_arrays(minimiser) * form.treeplexes[p].n_sequences
        memories[p] = memories[p]._replace(regret=np.zeros(n))
        asked = asked_of(variant, p, 0, 0)
        if asked is not None:
            ask_first(sides[p], memories[p], asked)
            check_asked(asked)
    return memories[0], memories[1]


def _n_arrays(minimiser: Minimiser) -> int:
    """Return how many numbers a minimiser keeps for each sequence as its regret."""
    return 2 if isinstance(minimiser, TreeplexBlackwell) else n_arrays(minimiser)


def learn(side: UpdateArrays, memory: Memory, gradient: Floats, numbers: Numbers) -> None:
    """Update one player's memory in place by one iteration against a gradient (S,), which is overwritten.

    ``numbers`` are the player's coefficients for that iteration alone; a user's rule has none.
    """
    if numbers.discount is not None:
        match_regrets(side, memory, gradient, numbers.discount, 0)
    elif numbers.rate is not None:
        hedge(side, memory, gradient, numbers.rate)
    else:
        best_respond(side, memory, gradient)
    update_plan(side, memory, numbers.counts, 0)


def average_profile(form: SequenceForm, memories: tuple[Memory, Memory]) -> Profile:
    """Return the profile of the weighted sums of plans."""
    x, y = (t.behaviour(m.total) for t, m in zip(form.treeplexes, memories, strict=True))
    return Profile(form.treeplexes, (x, y))


def check_memories(form: SequenceForm, variant: Variant, memories: tuple[Memory, Memory]) -> None:
    """Check the shapes of arrays, since compiled loops check no bounds.

    Raises
    ------
    ValueError
        If a shape is wrong; the message names the player and the array.
    """
    for p, t in enumerate(form.treeplexes):
        for what, array in memories[p]._asdict().items():
            size = t.n_infosets if what in ("mass", "squared_ranges") else t.n_sequences
            size *= _n_arrays(variant.minimisers[p]) if what == "regret" else 1
            check_shape(f"player {p}'s {what}", array, (size,))


def check_full_width(
    form: SequenceForm,
    sides: tuple[UpdateArrays, UpdateArrays],
    variant: Variant,
    iterations: int,
    memories: tuple[Memory, Memory],
) -> None:
    """Check the ranges of memories after some iterations, and that plans are plans.

    Raises
    ------
    ValueError
        If a number is out of its range or no such memory could have it; the message names the array.
    """
    check_count("iterations", iterations)
    check_memories(form, variant, memories)
    weight = variant.average.total(iterations)
    for p, (t, side, memory) in enumerate(zip(form.treeplexes, sides, memories, strict=True)):
        if isinstance(variant.minimisers[p], LocalRule):
            check_size(f"player {p}'s regret", memory.regret)
        elif isinstance(variant.minimisers[p], TreeplexBlackwell):
            check_size(f"player {p}'s regret", memory.regret)
            check_range(f"player {p}'s regret", memory.regret[: t.n_sequences], 0.0, LARGEST["float64"])
        else:  # where nothing can be won there are no regrets
            limit = np.where(side.noise > 0.0, LARGEST["float64"], 0.0)[t.infoset_of[1:]]
            check_range(f"player {p}'s regret", memory.regret[1:], -limit, limit)
        check_range(f"player {p}'s play", memory.play, 0.0, LARGEST["float64"])
        check_range(f"player {p}'s squared_ranges", memory.squared_ranges, 0.0, LARGEST_SQUARE)
        check_close(f"player {p}'s mass", memory.mass, np.add.reduceat(memory.play, t.begin))
        check_close(f"player {p}'s plan", memory.plan, t.plan(t.behaviour(memory.play)))
        check_range(f"player {p}'s total", memory.total, 0.0, LARGEST["float64"])
        whole = weight * t.plan(t.behaviour(memory.total))
        check_close(f"player {p}'s total", memory.total, whole, drift(iterations))


@njit(cache=True, nogil=True)
def _iterate(  # noqa: PLR0912 (both players' halves are written out)
    side0: UpdateArrays,
    side1: UpdateArrays,
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
    asked0: Asked | None,
    asked1: Asked | None,
    cone0: ConeArrays | None,
    cone1: ConeArrays | None,
    sums: Floats,
    simultaneous: bool,
) -> None:
    """Run one iteration for each entry of the counts; writes both memories in place.

    The compiler specialises on arguments that are None and drops their branches. It does so only for this
    function's own arguments, so that both players' halves are written out.
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
            match_regrets(side0, memory0, q0, discount0, t)
        elif rate0 is not None:
            hedge(side0, memory0, q0, rate0)
        elif asked0 is not None:
            ask_rule(side0, memory0, q0, asked0, t)
        elif cone0 is not None:
            approach(side0, memory0, q0, cone0)
        else:
            best_respond(side0, memory0, q0)
        update_plan(side0, memory0, counts0, t)
        if not simultaneous:
            sparse_gradient(side1.base, memory0.plan, q1)
            if chain1 is not None:
                add_chained(chain1, memory0.plan, sums, q1)
        if discount1 is not None:
            match_regrets(side1, memory1, q1, discount1, t)
        elif rate1 is not None:
            hedge(side1, memory1, q1, rate1)
        elif asked1 is not None:
            ask_rule(side1, memory1, q1, asked1, t)
        elif cone1 is not None:
            approach(side1, memory1, q1, cone1)
        else:
            best_respond(side1, memory1, q1)
        update_plan(side1, memory1, counts1, t)
