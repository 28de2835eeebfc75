"""Every sample of a random program with its probability; runs of CFR and Monte Carlo CFR by their cost."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import treeplex as tp
from treeplex.bench.theorems_on_learning import samples
from treeplex.cfr.sampling import history_sampling
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS

T = TypeVar("T")
Pick = Callable[[Any], int]
"""Takes probabilities and returns the number of one alternative."""


def every_sample(run: Callable[[Pick], T]) -> list[tuple[Fraction, T]]:
    """Return the probability of each sequence of picks of a random program, and what it then returns.

    Parameters
    ----------
    run : callable
        The program. It gets a function ``pick``, and must draw by it alone; ``pick`` takes a list or array
        of probabilities. With Fractions the probabilities of samples are exact.
    """
    found = samples.every_sample(lambda script: run(script.pick))
    return [(_probability(script), result) for script, result in found]


def _probability(script: samples.Script) -> Fraction:
    picked = zip(script.rows, script.picks, strict=True)
    return math.prod((Fraction(row[k]) for row, k in picked), start=Fraction(1))


def sampled(
    problem: tp.Problem, scheme: str, counts: Sequence[int], seed: int = 1, **options: Any
) -> NDArray[np.float64]:
    """Return histories visited by a run of Monte Carlo CFR and NashConv of its average, (2, K).

    Parameters
    ----------
    problem : Problem
    scheme : {"chance", "external", "outcome"}
    counts : K ints
        After how many iterations, ascending.
    seed : int
    **options
        Further fields of ``Sampling``: ``floor``, the least regret; ``exponent``, that of the weights of
        averages.
    """
    engine = _sampling(problem, scheme, seed, **options)
    state, rows = engine.start(), []
    for n in counts:
        state = engine.advance(state, n - state.iterations)
        conv = tp.certify(problem.enumerated.form, engine.strategy(state)).nash_conv
        rows.append((state.streams[0].visited, conv))
    return np.array(rows, dtype=np.float64).T


def timed(problem: tp.Problem, method: str, counts: Sequence[int]) -> NDArray[np.float64]:
    """Return the processor's seconds of a run, without certificates, and NashConv of its average, (2, K).

    Parameters
    ----------
    problem : Problem
    method : str
        ``cfr`` or another variant of full width; or ``mccfr-`` and a scheme.
    counts : K ints
        After how many iterations, ascending.
    """
    engine: Any
    if method.startswith("mccfr-"):
        form, engine = problem.enumerated.form, _sampling(problem, method.removeprefix("mccfr-"), 1)
    else:
        form, engine = problem.form, full_width.prepare(problem.form, VARIANTS[method])
    state, spent, rows = engine.start(), 0.0, []
    for n in counts:
        began = time.process_time()
        state = engine.advance(state, n - state.iterations)
        spent += time.process_time() - began
        rows.append((spent, tp.certify(form, engine.strategy(state)).nash_conv))
    return np.array(rows, dtype=np.float64).T


def _sampling(problem: tp.Problem, scheme: str, seed: int, **options: Any) -> Any:
    config: dict[str, Any] = {"scheme": scheme, "seed": seed} | options
    return history_sampling.prepare(problem.enumerated, Sampling(**config))
