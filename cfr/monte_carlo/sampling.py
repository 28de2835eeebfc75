"""Monte Carlo counterfactual regret minimisation on an enumerated game: regrets from samples of it."""

import math
import time
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from treeplex.cfr.monte_carlo.arrays import (
    CHANCES,
    EXTERNAL,
    OUTCOME,
    PLACE,
    Averaged,
    Method,
    Pruned,
    SampledTree,
    memory_of,
    needs,
    pair_of,
    sampled_tree,
)
from treeplex.cfr.monte_carlo.draws import mixed
from treeplex.cfr.monte_carlo.kernels import iterate
from treeplex.cfr.monte_carlo.pruning import Pruning
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats

Scheme = Literal["external", "outcome", "chance", "average"]
SCHEMES: tuple[Scheme, ...] = ("external", "outcome", "chance", "average")
BUFFERED = 4096
"""Random numbers laid out at a time, at least."""


@dataclass(frozen=True)
class Sampling:
    """A method of sampling, and what is made of the samples.

    Attributes
    ----------
    scheme : {"external", "outcome", "chance", "average"}
        In a player's traversal, ``external`` tries all actions of the player and samples the other's and
        chance's, ``outcome`` samples a single history (both: Lanctot, Waugh, Zinkevich and Bowling, Monte
        Carlo sampling for regret minimization in extensive games, 2009), and ``chance`` samples chance
        alone (Zinkevich et al. 2008). ``average`` samples as ``external``, but tries each action a of the
        player by itself with probability ``(beta + tau s(a)) / (beta + sum of s)``, s the average's sums
        so far, at least ``epsilon`` and at most 1 (Gibson, Burch, Lanctot and Szafron, Efficient Monte Carlo
        counterfactual regret minimization in games with many player actions, 2012); what is found below
        is divided by that, and an action that is not tried counts as worth 0. What is sampled is sampled
        anew at every history.
    exploration : float
        In outcome sampling, how often the player who updates takes an action uniformly at random; the
        other plays its strategy. In (0, 1].
    floor : float
        What no regret may fall below: minus infinity is regret matching, 0 regret matching+.
    regret_exponent : float
        The regrets of iteration t count ``t**regret_exponent``.
    exponent : float
        The average weighs iteration t by ``t**exponent``: 0 is uniform, 1 linear. What is known of regret
        matching is for equal exponents (linear CFR is 1 and 1: Brown and Sandholm, Solving
        imperfect-information games via discounted regret minimization, 2019); with floor 0 the average may
        weigh late iterations more than the regrets do (Tammelin 2014).
    epsilon, tau, beta : float
        Of average sampling: the least probability, in (0, 1]; the threshold, at least 1, so that actions
        with a share of 1/tau in the average are surely tried; the bonus, at least 0, until whose size the
        sums do not matter. The defaults are those of the experiments of Gibson et al.: in games as small as
        Leduc their bonus keeps to external sampling for about a million iterations.
    pruning : Pruning, optional
        For external sampling.
    """

    scheme: Scheme = "external"
    exploration: float = 0.6
    floor: float = -math.inf
    regret_exponent: float = 0.0
    exponent: float = 0.0
    epsilon: float = 0.05
    tau: float = 1e3
    beta: float = 1e6
    pruning: Pruning | None = None

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme must be one of {', '.join(SCHEMES)}, got {self.scheme!r}")
        for name, share in (("exploration", self.exploration), ("epsilon", self.epsilon)):
            if not 0.0 < share <= 1.0:
                raise ValueError(f"{name} must be above 0 and at most 1, got {share}")
        if not self.floor <= 0.0:
            raise ValueError(f"floor must be at most 0, got {self.floor}")
        least = {"regret_exponent": 0.0, "exponent": 0.0, "tau": 1.0, "beta": 0.0}
        for name, low in least.items():
            if not low <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be at least {low:.0f} and finite, got {getattr(self, name)}")
        if self.pruning is not None and self.scheme != "external":
            raise ValueError(f"pruning is for external sampling, got {self.scheme}")


@dataclass(frozen=True)
class SamplingState:
    """Everything that a later iteration depends on; continuing from it equals never having stopped.

    Attributes
    ----------
    iterations : int
        Iterations done so far.
    seed : int
        Which stream of random numbers is being used.
    drawn : int
        How many of its numbers are used up.
    visited : int
        How many histories were visited; those that leave no choice do not count.
    regret : pair of (S,) f64
        Cumulative sampled counterfactual regrets, in units of payoff.
    total : pair of (S,) f64
        The sum of sampled and weighted strategies. At one infoset it is in proportion to the average plan
        in expectation; between infosets it is not a plan.
    """

    iterations: int
    seed: int
    drawn: int
    visited: int
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]


@dataclass(frozen=True)
class SamplingRun:
    """The outcome of a run: the average profile, the state to go on from, and the seconds it took."""

    sampling: Sampling
    profile: Profile
    state: SamplingState
    seconds: float


class Kernel(NamedTuple):
    """A method as the compiled loops take it, and how many draws decide whether an own action is tried."""

    method: Method
    averaged: Averaged | None
    pruned: Pruned | None

    @property
    def trials(self) -> int:
        """One draw an action where not all are tried."""
        return int(self.averaged is not None or self.pruned is not None)


def start(form: SequenceForm, seed: int) -> SamplingState:
    """Return the state before the first iteration: no regret, nothing averaged, nothing drawn."""
    regret, total = ([np.zeros(t.n_sequences) for t in form.treeplexes] for _ in range(2))
    return SamplingState(0, seed, 0, 0, (regret[0], regret[1]), (total[0], total[1]))


def mccfr(
    trunk: NumberedTree,
    sampling: Sampling,
    iterations: int,
    seed: int,
    state: SamplingState | None = None,
) -> SamplingRun:
    """Run Monte Carlo counterfactual regret minimisation and return the average profile.

    An iteration is a traversal of player 0, who updates against player 1's current strategy, then one of
    player 1 against player 0's new one. OpenSpiel counts alike; programs that count traversals report
    twice as many. The player who does not update averages the strategy it plays, so iteration t counts
    player 1's strategy before its update and player 0's after (stochastically weighted averaging).

    Parameters
    ----------
    seed : int
        Of the random numbers, 0 to 2**64 - 1; the same seed gives the same bits.
    state : SamplingState, optional
        Where an earlier run with the same seed stopped.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, the seed is out of range, or the state is of another game or seed.
    OverflowError
        If a payoff is too large for a float.
    """
    clock = time.perf_counter()
    old = start(trunk.form, seed) if state is None else state
    check_run(trunk.form, iterations, seed, old)
    new = advanced(trunk.form, sampled_tree(trunk), sampling, old, iterations)
    return SamplingRun(sampling, average_profile(trunk.form, new.total), new, time.perf_counter() - clock)


def advanced(
    form: SequenceForm, tree: SampledTree, sampling: Sampling, state: SamplingState, iterations: int
) -> SamplingState:
    """Return the state after more iterations on a laid-out tree; the compiled loop does not hold the GIL."""
    memory, drawn, visited, done = memory_of(state.regret, state.total), state.drawn, state.visited, 0
    stream = np.uint64(mixed(np.uint64(state.seed)))
    for count in _parts(sampling, state.iterations, iterations):
        kernel = kernel_of(sampling, state.iterations + done)
        bounds = [needs(tree, kernel.method.scheme, kernel.trials, p) for p in (0, 1)]
        room, need = np.zeros(max(b[0] for b in bounds), dtype=PLACE), max(b[1] for b in bounds)
        draws = np.empty(max(BUFFERED, 8 * need))
        drawn, seen = iterate(
            tree, *kernel, memory, state.iterations + done, count, stream, drawn, draws, need, room
        )
        done, visited = done + count, visited + seen
    pairs = pair_of(form, memory["regret"]), pair_of(form, memory["total"])
    return SamplingState(state.iterations + iterations, state.seed, drawn, visited, *pairs)


def average_profile(form: SequenceForm, total: tuple[Floats, Floats]) -> Profile:
    """Return the profile of sums of strategies."""
    x, y = (t.behaviour(sums) for t, sums in zip(form.treeplexes, total, strict=True))
    return Profile(form.treeplexes, (x, y))


def kernel_of(sampling: Sampling, done: int) -> Kernel:
    """Return a method as it is after ``done`` iterations: pruning may not have begun."""
    codes = {"external": EXTERNAL, "outcome": OUTCOME, "chance": CHANCES, "average": EXTERNAL}
    numbers = sampling.exploration, sampling.floor, sampling.regret_exponent, sampling.exponent
    method = Method(codes[sampling.scheme], *map(float, numbers))
    averaged, pruned = None, None
    if sampling.scheme == "average":
        averaged = Averaged(float(sampling.epsilon), float(sampling.tau), float(sampling.beta))
    if sampling.pruning is not None and done >= sampling.pruning.start:
        pruned = sampling.pruning.numbers
    return Kernel(method, averaged, pruned)


def check_run(form: SequenceForm, iterations: int, seed: int, state: SamplingState) -> None:
    """Refuse what no run can start from.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, the seed is out of range, or the state is of another game or seed.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    if state.seed != seed:
        raise ValueError(f"the state is of seed {state.seed}, got seed {seed}")
    check_shapes(form, state)


def check_shapes(form: SequenceForm, state: SamplingState) -> None:
    """Refuse arrays of the wrong length: the compiled loops check no bounds.

    Raises
    ------
    ValueError
        If the state is of another game.
    """
    for p, t in enumerate(form.treeplexes):
        for array in (state.regret[p], state.total[p]):
            if array.shape != (t.n_sequences,):
                raise ValueError(
                    f"player {p}'s state must have arrays of shape ({t.n_sequences},), got {array.shape}"
                )


def _parts(sampling: Sampling, done: int, iterations: int) -> list[int]:
    """Return how many iterations come before pruning begins, and after, where there are any."""
    plain = 0 if sampling.pruning is None else max(min(sampling.pruning.start - done, iterations), 0)
    return [count for count in (plain, iterations - plain) if count > 0]
