"""One stream of Monte Carlo CFR on an enumerated game: a run with its own random numbers."""

from dataclasses import dataclass

import numpy as np

from treeplex.cfr.monte_carlo.arrays import PLACE, SampledTree, memory_of, needs, pair_of
from treeplex.cfr.monte_carlo.config import Sampling, kernel_of
from treeplex.cfr.monte_carlo.draws import GAMMA, mixed
from treeplex.cfr.monte_carlo.kernels import iterate
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_shape, check_size
from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.sequence_form import SequenceForm
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
