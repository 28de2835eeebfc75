"""Monte Carlo counterfactual regret minimisation on an enumerated game: regrets from samples of it."""

import math
import time
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cfr.sampling_arrays import MEMORY, PLACE, Method, Records, SampledTree, needs, sampled_tree
from cfr.sampling_kernels import iterate, mixed, update
from seqform.certificate import check_profile
from seqform.profile import Profile
from seqform.sequence_form import SequenceForm
from seqform.tree_form import NumberedTree
from seqform.treeplex import Floats

Scheme = Literal["external", "outcome", "chance"]
SCHEMES: tuple[Scheme, ...] = ("external", "outcome", "chance")
BUFFERED = 4096
"""Random numbers laid out at a time, at least."""


@dataclass(frozen=True)
class Sampling:
    """A method of sampling, and what is made of the samples.

    Attributes
    ----------
    scheme : {"external", "outcome", "chance"}
        In a player's traversal, ``external`` tries all actions of the player and samples the other's and
        chance's, ``outcome`` samples a single history (both: Lanctot, Waugh, Zinkevich and Bowling, Monte
        Carlo sampling for regret minimization in extensive games, 2009), and ``chance`` samples chance
        alone (Zinkevich et al. 2008). What is sampled is sampled anew at every history.
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
    """

    scheme: Scheme = "external"
    exploration: float = 0.6
    floor: float = -math.inf
    regret_exponent: float = 0.0
    exponent: float = 0.0

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme must be one of {', '.join(SCHEMES)}, got {self.scheme!r}")
        if not 0.0 < self.exploration <= 1.0:
            raise ValueError(f"exploration must be above 0 and at most 1, got {self.exploration}")
        if not self.floor <= 0.0:
            raise ValueError(f"floor must be at most 0, got {self.floor}")
        for name, exponent in (("regret_exponent", self.regret_exponent), ("exponent", self.exponent)):
            if not 0.0 <= exponent < math.inf:
                raise ValueError(f"{name} must be at least 0 and finite, got {exponent}")


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
    regret : pair of (S,) f64
        Cumulative sampled counterfactual regrets, in units of payoff.
    total : pair of (S,) f64
        The sum of sampled and weighted strategies. At one infoset it is in proportion to the average plan
        in expectation; between infosets it is not a plan.
    """

    iterations: int
    seed: int
    drawn: int
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]


@dataclass(frozen=True)
class SamplingRun:
    """The outcome of a run: the average profile, the state to go on from, and the seconds it took."""

    sampling: Sampling
    profile: Profile
    state: SamplingState
    seconds: float


@dataclass(frozen=True)
class Traversal:
    """What one sampled traversal of a player finds.

    Attributes
    ----------
    regret : (S,) f64
        The sampled counterfactual regret of each of the player's sequences; its expectation is the exact
        counterfactual regret.
    total : (S,) f64
        What the other player's average is given, weight one. Its expectation is the plan times a constant of
        the infoset: how likely chance is to lead to its histories.
    drawn : int
        How many of the numbers offered were used.
    """

    regret: Floats
    total: Floats
    drawn: int


def start(form: SequenceForm, seed: int) -> SamplingState:
    """Return the state before the first iteration: no regret, nothing averaged, nothing drawn."""
    regret, total = ([np.zeros(t.n_sequences) for t in form.treeplexes] for _ in range(2))
    return SamplingState(0, seed, 0, (regret[0], regret[1]), (total[0], total[1]))


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
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    clock = time.perf_counter()
    form, tree, method = trunk.form, sampled_tree(trunk), _method(sampling)
    old = start(form, seed) if state is None else state
    _check_state(form, seed, old)
    memory = _memory(old.regret, old.total)
    room, need = _room(tree, method)
    stream, draws = np.uint64(mixed(np.uint64(seed))), np.empty(max(BUFFERED, 8 * need))
    drawn = iterate(tree, method, memory, old.iterations, iterations, stream, old.drawn, draws, need, room)
    pairs = _pair(form, memory["regret"]), _pair(form, memory["total"])
    new = SamplingState(old.iterations + iterations, seed, drawn, *pairs)
    behaviour = [t.behaviour(total) for t, total in zip(form.treeplexes, new.total, strict=True)]
    profile = Profile(form.treeplexes, (behaviour[0], behaviour[1]))
    return SamplingRun(sampling, profile, new, time.perf_counter() - clock)


def traverse(
    trunk: NumberedTree, sampling: Sampling, profile: Profile, player: int, draws: Floats
) -> Traversal:
    """Sample one traversal of ``player`` under a profile, by given random numbers.

    Parameters
    ----------
    draws : (K,) f64
        Numbers from [0, 1), used in the order in which the traversal meets what it samples, in preorder;
        each picks the first child whose cumulative probability exceeds it.

    Raises
    ------
    ValueError
        If the player is not 0 or 1, the profile does not fit the game, a number is out of range or there
        are fewer than a traversal can need.
    OverflowError
        If a payoff is too large for a float.
    """
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, got {player}")
    check_profile(trunk.form, profile)
    tree, method = sampled_tree(trunk), _method(replace(sampling, floor=-math.inf))
    numbers, need = np.array(draws, dtype=np.float64), needs(tree, method.scheme, player)[1]
    if numbers.ndim != 1 or len(numbers) < need:
        raise ValueError(f"draws must be at least {need} numbers in one row, got shape {numbers.shape}")
    if not ((numbers >= 0.0) & (numbers < 1.0)).all():
        raise ValueError(f"draws must be at least 0 and below 1, got {numbers.min()} to {numbers.max()}")
    # Regret matching plays a behaviour that stands in place of the regrets.
    x, y = profile.behaviour
    memory, (room, _) = _memory(profile.behaviour, (np.zeros(len(x)), np.zeros(len(y)))), _room(tree, method)
    used = update(tree, method, player, memory, (1.0, 1.0), numbers, 0, room)
    regret, total = _pair(trunk.form, memory["regret"]), _pair(trunk.form, memory["total"])
    return Traversal(regret[player] - profile.behaviour[player], total[1 - player], used)


def _method(sampling: Sampling) -> Method:
    return Method(
        SCHEMES.index(sampling.scheme),
        float(sampling.exploration),
        float(sampling.floor),
        float(sampling.regret_exponent),
        float(sampling.exponent),
    )


def _memory(regret: tuple[Floats, Floats], total: tuple[Floats, Floats]) -> Records:
    """Return both players' sequences as the kernels' records, player 1's after player 0's."""
    memory = np.zeros(sum(len(r) for r in regret), dtype=MEMORY)
    memory["regret"], memory["total"] = np.concatenate(regret), np.concatenate(total)
    return memory


def _pair(form: SequenceForm, values: Floats) -> tuple[Floats, Floats]:
    """Return both players' parts of what lies behind one another, as arrays of their own."""
    n = form.treeplexes[0].n_sequences
    return values[:n].copy(), values[n:].copy()


def _room(tree: SampledTree, method: Method) -> tuple[Records, int]:
    """Return places enough for either player's traversals, and how many draws one takes at most."""
    first, second = (needs(tree, method.scheme, p) for p in (0, 1))
    return np.zeros(max(first[0], second[0]), dtype=PLACE), max(first[1], second[1])


def _check_state(form: SequenceForm, seed: int, state: SamplingState) -> None:
    """Refuse another seed and arrays of the wrong length: the compiled loops check no bounds."""
    if state.seed != seed:
        raise ValueError(f"the state is of seed {state.seed}, got seed {seed}")
    for p, t in enumerate(form.treeplexes):
        for array in (state.regret[p], state.total[p]):
            if array.shape != (t.n_sequences,):
                raise ValueError(
                    f"player {p}'s state must have arrays of shape ({t.n_sequences},), got {array.shape}"
                )
