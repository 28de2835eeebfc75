"""Run a regret minimiser until its certificate is narrow enough, on whichever form of the game is faster."""

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cfr.full_width import State, minimise
from cfr.sampling import Sampling, SamplingState, mccfr
from cfr.variant import Variant
from cfr.vector_cfr import VectorState, vector_cfr_plus
from seqform.certificate import certify
from seqform.exact_certificate import certify_exactly
from seqform.game_tree import build_tree
from seqform.profile import Profile
from seqform.public_tree import PublicTree
from seqform.sequence_form import SequenceForm
from seqform.tree_form import number_tree
from treeplex.guided import Progress, silent
from treeplex.problem import Problem
from treeplex.result import Result
from treeplex.trace import Checkpoint

Runner = Callable[[int], Profile]
"""Runs so many more iterations and returns the average profile of all so far."""


@dataclass(frozen=True)
class Checks:
    """When a run is certified: after so many iterations, then at geometric times, and at its end."""

    first: int
    growth: float


FOR_TARGETS, FOR_TRACES, AT_THE_END = Checks(64, 1.5), Checks(1, 1.25), Checks(sys.maxsize, 1.0)
FIRST_SLICE = 64
MOST_HISTORIES = 2_000_000
"""Games are sampled that are enumerated history by history, up to so many."""
SLICE_SECONDS = 0.25
"""How long compiled code may run at a stretch, about."""


def run_minimiser(
    problem: Problem,
    runner: Runner,
    method: str,
    iterations: int,
    target: float,
    *,
    exact: bool,
    progress: Progress | None,
    checks: Checks,
) -> Result:
    """Run up to ``iterations``, stopping early once the certificate's width is at most ``target``."""
    clock = time.perf_counter()
    tell = silent if progress is None else progress
    done, width = 0, math.inf
    trace: list[Checkpoint] = []
    while True:
        until = min(iterations, max(checks.first, done + 1, int(done * checks.growth)))
        profile = _run_until(until, done, runner, method, tell, width)
        certificate = certify(problem.form, profile)
        done, width = until, certificate.nash_conv
        trace.append(Checkpoint(done, time.perf_counter() - clock, certificate))
        tell(f"{method}, {done:,} iterations", width)
        if width <= target or done >= iterations:
            break
    if exact:
        certificate = certify_exactly(problem.form, profile)
    return Result(
        game=problem.game.name,
        method=method,
        status="target reached" if target > 0 and certificate.nash_conv <= target else "iterations done",
        profile=profile,
        certificate=certificate,
        unit=problem.game.unit,
        pot=problem.pot,
        iterations=done,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(problem.form.n_infosets),
        trace=tuple(trace),
    )


def _run_until(until: int, done: int, runner: Runner, method: str, tell: Progress, width: float) -> Profile:
    """Run from iteration ``done`` to ``until`` in slices: a long run shows progress and hears Ctrl-C."""
    step = FIRST_SLICE
    while True:
        clock = time.perf_counter()
        step = min(step, until - done)
        profile = runner(step)
        done += step
        if done == until:
            return profile
        tell(f"{method}, {done:,} iterations", width)
        if time.perf_counter() - clock < SLICE_SECONDS:
            step *= 2


def treeplex_runner(form: SequenceForm, variant: Variant) -> Runner:
    """Return a runner of a variant on the sequence form."""
    state: State | None = None

    def run(iterations: int) -> Profile:
        nonlocal state
        outcome = minimise(form, variant, iterations, state)
        state = outcome.state
        return outcome.profile

    return run


def sampling_runner(problem: Problem, sampling: Sampling, seed: int) -> Runner:
    """Return a runner of Monte Carlo CFR on the enumerated game, its profiles in the problem's numbering.

    Raises
    ------
    seqform.game_tree.TooManyHistoriesError
        If the game has more than ``MOST_HISTORIES`` histories.
    """
    trunk = number_tree(build_tree(problem.game, max_nodes=MOST_HISTORIES))
    state: SamplingState | None = None

    def run(iterations: int) -> Profile:
        nonlocal state
        outcome = mccfr(trunk, sampling, iterations, seed, state)
        state = outcome.state
        return outcome.profile.numbered_as(problem.form.treeplexes)

    return run


def vector_runner(tree: PublicTree, form: SequenceForm) -> Runner:
    """Return a runner of vector CFR+ on the public tree, its profiles in the numbering of ``form``."""
    state: VectorState | None = None

    def run(iterations: int) -> Profile:
        nonlocal state
        outcome = vector_cfr_plus(tree, iterations, state=state)
        state = outcome.state
        return public_profile(tree, form, outcome.strategies)

    return run


def public_profile(
    tree: PublicTree,
    form: SequenceForm,
    strategies: tuple[Sequence[NDArray[np.float64]], Sequence[NDArray[np.float64]]],
) -> Profile:
    """Return a profile on the sequence form from behaviours (hands, actions) at each public node."""
    behaviour = []
    for p in (0, 1):
        rows = [
            at[tree.deals[tree.deal[n]].alive[p]].ravel()
            for n, at in zip(tree.nodes_of(p), strategies[p], strict=True)
        ]
        behaviour.append(np.concatenate([np.ones(1), *rows]))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
