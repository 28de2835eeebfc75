"""Monte Carlo counterfactual regret minimisation on an enumerated game."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.monte_carlo.arrays import SampledTree, sampled_tree
from treeplex.cfr.monte_carlo.config import Sampling
from treeplex.cfr.monte_carlo.streams import (
    StreamState,
    advance_stream,
    check_shapes,
    check_stream,
    shares,
    start_stream,
    stream_seeds,
)
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.tree_form import NumberedTree


@dataclass(frozen=True)
class SamplingState:
    """The states of all streams.

    Attributes
    ----------
    streams : tuple of StreamState
    """

    streams: tuple[StreamState, ...]

    @property
    def iterations(self) -> int:
        """Number of iterations of all streams together."""
        return sum(s.iterations for s in self.streams)


@dataclass(frozen=True)
class SampledCFR:
    """Monte Carlo CFR on an enumerated game; advancing leaves the state's arrays alone.

    An iteration is a traversal of player 0, who updates against player 1's current strategy, then one of
    player 1 against player 0's new one. OpenSpiel counts in the same way; programs that count traversals
    report twice as many. The strategy of the player who does not update is averaged, so iteration t averages
    player 1's strategy before its update and player 0's after it (stochastically weighted averaging).

    Streams are independent runs, each in its own thread; iterations are divided evenly by
    ``cfr.monte_carlo.streams.shares``. Results depend on the seed and the number of streams alone, not on the
    scheduling of threads. Sums of strategies are added: in expectation these are in proportion to the sum
    of the streams' average plans, each weighed by its iterations, and a mixture of plans has at most the mean
    of their NashConvs, as what a best response earns against a plan is convex in it. N streams reduce
    noise but do not equal one run of N times the length: each learns from its own iterations alone, so that
    regrets decrease as in a run N times shorter.

    Attributes
    ----------
    game : NumberedTree
    config : Sampling
    tree : SampledTree
        The game as arrays of records.
    """

    game: NumberedTree
    config: Sampling
    tree: SampledTree

    def start(self) -> SamplingState:
        """Return the state before the first iteration."""
        return SamplingState(tuple(start_stream(self.game.form) for _ in range(self.config.streams)))

    def check(self, state: SamplingState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_in_step(state, self.config.streams)
        for k, one in enumerate(state.streams):
            check_stream(f"stream {k}", self.game.form, one)

    def advance(self, state: SamplingState, iterations: int) -> SamplingState:
        """Return the state after more iterations, of all streams together.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or the state is of another game or number of streams.
        """
        check_iterations(iterations)
        n = self.config.streams
        check_in_step(state, n)
        for one in state.streams:
            check_shapes(self.game.form, one)
        seeds, until = stream_seeds(self.config.seed, n), shares(state.iterations + iterations, n)
        with ThreadPoolExecutor(min(n, os.cpu_count() or 1)) as threads:
            return SamplingState(tuple(threads.map(self._stream, seeds, state.streams, until)))

    def strategy(self, state: SamplingState) -> Profile:
        """Return the average over all streams."""
        first, *others = state.streams
        x, y = (
            t.behaviour(sum((s.total[p] for s in others), first.total[p]))
            for p, t in enumerate(self.game.form.treeplexes)
        )
        return Profile(self.game.form.treeplexes, (x, y))

    def _stream(self, seed: int, state: StreamState, until: int) -> StreamState:
        """Return a stream's state after ``until`` iterations in all."""
        return advance_stream(self.game.form, self.tree, self.config, seed, state, until - state.iterations)


def check_in_step(state: SamplingState, streams: int) -> None:
    """Raise ``ValueError`` unless a state has so many streams with even shares of the iterations."""
    done = [s.iterations for s in state.streams]
    if done != shares(sum(done), streams):
        raise ValueError(f"the state must be of {streams} streams in step, got iterations {done}")


def prepare(game: NumberedTree, config: Sampling) -> SampledCFR:
    """Lay out an enumerated game for sampling.

    Raises
    ------
    OverflowError
        If a payoff is too large for a float.
    """
    return SampledCFR(game, config, sampled_tree(game))
