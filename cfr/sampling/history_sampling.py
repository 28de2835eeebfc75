"""Monte Carlo counterfactual regret minimisation on an enumerated game.

A stream is a run with its own random numbers; engines run several. One traversal with given random numbers
shows its regrets and sums of strategies.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.sampling.draws import GAMMA, mixed
from treeplex.cfr.sampling.history_kernels import gather, iterate
from treeplex.cfr.sampling.sampled_tree import (
    PLACE,
    SampledTree,
    memory_of,
    needs,
    pair_of,
    sampled_tree,
)
from treeplex.cfr.sampling.sampling_config import Sampling, kernel_of
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_shape, check_size
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats

BUFFERED = 4096
"""Least number of random numbers computed at a time."""


@dataclass(frozen=True, repr=False)
class StreamState(Shown):
    """The state of a stream between iterations; runs continued from it are bitwise those of unbroken runs.

    Attributes
    ----------
    iterations : int
        Number of iterations done.
    drawn : int
        Number of the stream's random numbers used.
    visited : int
        Number of histories visited, without those with a single action.
    regret : pair of (S,) f64
        Cumulative sampled counterfactual regrets, in units of payoff.
    total : pair of (S,) f64
        The weighted sum of sampled strategies. At each infoset it is in expectation proportional to the
        average plan, with a different factor at each.
    """

    iterations: int
    drawn: int
    visited: int
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]

    def brief(self) -> str:
        """Return the number of iterations."""
        return f"{self.iterations:,} iterations"


def start_stream(form: SequenceForm) -> StreamState:
    """Return the state before the first iteration, all zero."""
    regret, total = ([np.zeros(t.n_sequences) for t in form.treeplexes] for _ in range(2))
    return StreamState(0, 0, 0, (regret[0], regret[1]), (total[0], total[1]))


def advance_stream(
    form: SequenceForm, tree: SampledTree, sampling: Sampling, seed: int, state: StreamState, iterations: int
) -> StreamState:
    """Return the state after more iterations on a laid-out tree; the compiled loop does not hold the GIL.

    Parameters
    ----------
    seed : int
        Of this stream's random numbers.
    state : StreamState
        It is not changed.
    iterations : int
        At least 0.
    """
    memory, drawn, visited, done = memory_of(state.regret, state.total), state.drawn, state.visited, 0
    stream = np.uint64(mixed(np.uint64(seed)))
    for count in _parts(sampling, state.iterations, iterations):
        kernel = kernel_of(sampling, state.iterations + done)
        bounds = [needs(tree, kernel.method.scheme, kernel.trials, p) for p in (0, 1)]
        scratch, need = np.zeros(max(b[0] for b in bounds), dtype=PLACE), max(b[1] for b in bounds)
        draws = np.empty(max(BUFFERED, 8 * need))
        drawn, nodes = iterate(
            tree, *kernel, memory, state.iterations + done, count, stream, drawn, draws, need, scratch
        )
        done, visited = done + count, visited + nodes
    pairs = pair_of(form, memory["regret"]), pair_of(form, memory["total"])
    return StreamState(state.iterations + iterations, drawn, visited, *pairs)


def stream_seeds(seed: int, streams: int) -> tuple[int, ...]:
    """Return each stream's seed: the seed itself, then the outputs of splitmix64 that follow it."""
    words = (seed + k * int(GAMMA) & (1 << 64) - 1 for k in range(1, streams))
    return (seed, *(int(mixed(np.uint64(word))) for word in words))


def shares(iterations: int, streams: int) -> list[int]:
    """Return how many of ``iterations`` in all each stream does, as evenly as possible."""
    return [(iterations + streams - 1 - k) // streams for k in range(streams)]


def check_shapes(form: SequenceForm, state: StreamState) -> None:
    """Check the shapes of arrays, since compiled loops check no bounds.

    Raises
    ------
    ValueError
        If the state is of another game.
    """
    for p, t in enumerate(form.treeplexes):
        for array in (state.regret[p], state.total[p]):
            check_shape(f"player {p}'s regret and total", array, (t.n_sequences,))


def check_stream(name: str, form: SequenceForm, state: StreamState) -> None:
    """Refuse a damaged state of a stream.

    Raises
    ------
    ValueError
        If an array is of another game, or a number is out of its range; the message names it.
    """
    for what in ("iterations", "drawn", "visited"):
        check_count(f"{name}'s {what}", getattr(state, what))
    check_shapes(form, state)
    for p in (0, 1):
        check_size(f"{name}'s regret of player {p}", state.regret[p])
        check_range(f"{name}'s total of player {p}", state.total[p], 0.0, LARGEST["float64"])


def _parts(sampling: Sampling, done: int, iterations: int) -> list[int]:
    """Return the positive numbers of iterations before and after pruning begins."""
    plain = 0 if sampling.pruning is None else max(min(sampling.pruning.start - done, iterations), 0)
    return [count for count in (plain, iterations - plain) if count > 0]


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

    Streams are independent runs, each in its own thread; iterations are divided evenly by :func:`shares`.
    Results depend on the seed and the number of streams alone, not on the scheduling of threads. Sums of
    strategies are added: in expectation these are in proportion to the sum of the streams' average plans,
    each weighed by its iterations, and a mixture of plans has at most the mean of their NashConvs, as what a
    best response earns against a plan is convex in it. N streams reduce noise but do not equal one run of N
    times the length: each learns from its own iterations alone, so that regrets decrease as in a run N times
    shorter.

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
        raise BadInputError(f"the state must be of {streams} streams in step, got iterations {done}")


def prepare(game: NumberedTree, config: Sampling) -> SampledCFR:
    """Lay out an enumerated game for sampling.

    Raises
    ------
    OverflowError
        If a payoff is too large for a float.
    """
    return SampledCFR(game, config, sampled_tree(game))


@dataclass(frozen=True)
class Traversal:
    """The result of one sampled traversal of a player.

    Attributes
    ----------
    regret : (S,) f64
        The sampled counterfactual regret of each of the player's sequences; its expectation is the exact
        counterfactual regret, unless pruning is used without weights.
    total : (S,) f64
        Increment of the other player's sum of strategies with weight 1. Its expectation, with the same
        exception, is the plan times chance's reach of the infoset.
    drawn, visited : int
        Numbers of random numbers used and of histories visited.
    """

    regret: Floats
    total: Floats
    drawn: int
    visited: int


def traverse(
    enumerated: NumberedTree, sampling: Sampling, state: StreamState, player: int, draws: Floats
) -> Traversal:
    """Sample one traversal of ``player`` with given random numbers, as in the next iteration.

    Parameters
    ----------
    state : StreamState
        Regrets determine play and pruning, totals average-strategy sampling, and iterations whether
        pruning has begun.
    draws : (K,) f64
        Numbers from [0, 1), used in the order in which the traversal meets what it samples, in preorder;
        each picks the first child whose cumulative probability exceeds it. Where own actions are not surely
        tried, one number for each such action of an infoset in turn: it is tried if its probability
        exceeds the number.

    Raises
    ------
    ValueError
        If the player is not 0 or 1, the state is of another game, a number is out of range or there are
        fewer than a traversal can need.
    OverflowError
        If a payoff is too large for a float.
    """
    if player not in (0, 1):
        raise BadInputError(f"player must be 0 or 1, got {player}")
    check_shapes(enumerated.form, state)
    tree, kernel = sampled_tree(enumerated), kernel_of(sampling, state.iterations)
    places, need = needs(tree, kernel.method.scheme, kernel.trials, player)
    numbers = np.array(draws, dtype=np.float64)
    if numbers.ndim != 1 or len(numbers) < need:
        raise BadInputError(f"draws must be at least {need} numbers in one row, got shape {numbers.shape}")
    if not ((numbers >= 0.0) & (numbers < 1.0)).all():
        raise BadInputError(f"draws must be at least 0 and below 1, got {numbers.min()} to {numbers.max()}")
    memory, scratch = memory_of(state.regret, state.total), np.zeros(places, dtype=PLACE)
    _, used, visited = gather(tree, *kernel, player, memory, 1.0, numbers, 0, scratch)
    regret, total = pair_of(enumerated.form, memory["gain"]), pair_of(enumerated.form, memory["total"])
    return Traversal(regret[player], total[1 - player] - state.total[1 - player], used, visited)
