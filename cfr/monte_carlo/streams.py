"""Several independent runs of Monte Carlo CFR side by side in threads, and their common average."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.monte_carlo.arrays import SampledTree, sampled_tree
from treeplex.cfr.monte_carlo.draws import GAMMA, mixed
from treeplex.cfr.monte_carlo.sampling import (
    Sampling,
    SamplingState,
    advanced,
    average_profile,
    check_run,
    start,
)
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree

MOST_STREAMS = 1024


@dataclass(frozen=True)
class StreamsState:
    """Where each of several streams stands.

    Attributes
    ----------
    streams : tuple of SamplingState
    """

    streams: tuple[SamplingState, ...]

    @property
    def iterations(self) -> int:
        """Of all streams together."""
        return sum(s.iterations for s in self.streams)


@dataclass(frozen=True)
class StreamsRun:
    """The outcome of several runs side by side.

    Attributes
    ----------
    sampling : Sampling
    profile : Profile
        The average over all streams.
    state : StreamsState
        To go on from.
    seconds : float
    """

    sampling: Sampling
    profile: Profile
    state: StreamsState
    seconds: float


def stream_seeds(seed: int, streams: int) -> tuple[int, ...]:
    """Return each stream's seed: the first has the seed itself, the k-th after it splitmix64's k-th output.

    Raises
    ------
    ValueError
        If the seed is out of range or there is no stream.
    """
    if not 1 <= streams <= MOST_STREAMS:
        raise ValueError(f"streams must be between 1 and {MOST_STREAMS}, got {streams}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    words = (seed + k * int(GAMMA) & (1 << 64) - 1 for k in range(1, streams))
    return (seed, *(int(mixed(np.uint64(word))) for word in words))


def start_streams(form: SequenceForm, seed: int, streams: int) -> StreamsState:
    """Return the state before the first iteration; raises what :func:`stream_seeds` raises."""
    return StreamsState(tuple(start(form, s) for s in stream_seeds(seed, streams)))


def shares(iterations: int, streams: int) -> list[int]:
    """Return how many iterations each stream has done after so many in all."""
    return [(iterations + streams - 1 - k) // streams for k in range(streams)]


def mccfr_streams(
    trunk: NumberedTree,
    sampling: Sampling,
    iterations: int,
    seed: int,
    streams: int,
    state: StreamsState | None = None,
    tree: SampledTree | None = None,
) -> StreamsRun:
    """Run independent streams of Monte Carlo CFR, each in a thread of its own, and average over all.

    The iterations are shared out as evenly as :func:`shares` can. Streams share nothing while they run, so
    the same seed and number of streams give the same bits however threads are scheduled, and also if the run
    is stopped and taken up again. One stream is :func:`treeplex.cfr.monte_carlo.sampling.mccfr`, to the bit.

    The streams' sums of strategies are added up. In expectation these are in proportion to the sum of the
    streams' average plans, each weighed by its iterations, and a mixture of plans has at most the mean of
    their NashConvs: what a best response earns against a plan is convex in it. What is gained is less noise
    in a shorter time. Each stream learns from its own iterations alone, though, so that N streams are not one
    run of N times the length: regrets shrink as in a run N times shorter.

    Parameters
    ----------
    iterations : int
        How many more, of all streams together.
    state : StreamsState, optional
        Where an earlier run with the same seed and as many streams stopped.
    tree : SampledTree, optional
        The trunk laid out by ``sampled_tree``, for those who go on often; it is laid out here unless given.

    Raises
    ------
    ValueError
        If a number is out of range, or the state is of another game, seed or number of streams.
    OverflowError
        If a payoff is too large for a float.
    """
    clock, seeds = time.perf_counter(), stream_seeds(seed, streams)
    old = (start_streams(trunk.form, seed, streams) if state is None else state).streams
    done = [s.iterations for s in old]
    if done != shares(sum(done), streams):
        raise ValueError(f"the state must be of {streams} streams in step, got iterations {done}")
    for one, own_seed in zip(old, seeds, strict=True):
        check_run(trunk.form, iterations, own_seed, one)
    until = shares(sum(done) + iterations, streams)
    laid_out = sampled_tree(trunk) if tree is None else tree

    def advance(one: SamplingState, end: int) -> SamplingState:
        return advanced(trunk.form, laid_out, sampling, one, end - one.iterations)

    with ThreadPoolExecutor(min(streams, os.cpu_count() or 1)) as threads:
        new = tuple(threads.map(advance, old, until))
    advanced_to = StreamsState(new)
    profile = common_average(trunk.form, advanced_to)
    return StreamsRun(sampling, profile, advanced_to, time.perf_counter() - clock)


def common_average(form: SequenceForm, state: StreamsState) -> Profile:
    """Return the average over all streams."""
    first, *others = state.streams
    x, y = (sum((s.total[p] for s in others), first.total[p]) for p in (0, 1))
    return average_profile(form, (x, y))
