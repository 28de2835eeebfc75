"""When CFR and CFR+ reach exploitabilities in matrix games of normal payoffs, which are drawn by seed.

``python -m benchmarks.cfr.study_matrices [--size 1000] [--matrices 10] [--methods cfr,cfr+]``
prints a row a matrix and method: the first iteration after which the average's exploitability, half of its
NashConv, is at most each level. The figures that it is held against are those of section 5.3 of Tammelin,
Burch, Johanson and Bowling (Solving heads-up limit Texas hold'em, 2015).
"""

import argparse
from collections.abc import Sequence

import numpy as np

from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences.full_width import prepare
from treeplex.cfr.variant import variant_named
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

LEVELS = {"cfr": (1e-3,), "cfr+": (1e-3, 1e-4, 1e-6)}
"""Exploitabilities that each method is run to; others to the first of these."""
MOST = 20_000


def matrix_form(payoffs: Floats) -> SequenceForm:
    """Return the sequence form of a matrix game: one infoset a player; its rows are player 0's actions."""
    rows, columns = payoffs.shape
    treeplexes = [
        Treeplex(np.array([1]), np.array([n + 1]), np.array([0]), ("",), ("", *map(str, range(n))))
        for n in (rows, columns)
    ]
    i, j = (index.ravel() + 1 for index in np.indices(payoffs.shape))
    base = ExactMatrix.of_floats(i, j, payoffs.ravel(), (rows + 1, columns + 1))
    size = np.abs(payoffs)
    name, (first, second) = f"matrix of {rows} x {columns}", treeplexes
    return SequenceForm(name, "", (first, second), Payoff.sparse(base), (size.min(), size.max()))


def first_below(payoffs: Floats, method: str, counted: str, levels: Sequence[float]) -> list[int | None]:
    """Return the first iterations after which exploitability is at most each level; None after ``MOST``."""
    engine = prepare(matrix_form(payoffs), variant_named(method, counted=counted))
    state, found = engine.start(), list[int | None]()
    while state.iterations < MOST and len(found) < len(levels):
        state = iterate(engine, 1, state)
        x, y = (one.total[1:] / one.total[0] for one in state.memories)
        exploitability = ((payoffs @ y).max() - (x @ payoffs).min()) / 2
        while len(found) < len(levels) and exploitability <= levels[len(found)]:
            found.append(state.iterations)
    return [*found, *[None] * (len(levels) - len(found))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw matrices, run the methods, and print a row each and their means."""
    parser = argparse.ArgumentParser("python -m benchmarks.cfr.study_matrices")
    parser.add_argument("--size", type=int, default=1000, help="rows and columns")
    parser.add_argument("--matrices", type=int, default=10, help="with the seeds 0, 1, ...")
    parser.add_argument("--methods", default="cfr,cfr+")
    parser.add_argument("--counted", default="seen", help="which plans are averaged: before, after, seen")
    asked = parser.parse_args(arguments)
    for method in asked.methods.split(","):
        levels, rows = LEVELS.get(method, LEVELS["cfr"]), []
        for seed in range(asked.matrices):
            payoffs = np.random.default_rng(seed).standard_normal((asked.size, asked.size))
            rows.append(first_below(payoffs, method, asked.counted, levels))
            print(f"{method:8} seed {seed:2}  {rows[-1]}", flush=True)
        means = [np.mean([np.nan if n is None else n for n in column]) for column in zip(*rows, strict=True)]
        print(f"{method:8} mean at {levels}: {', '.join(f'{mean:.0f}' for mean in means)}", flush=True)


if __name__ == "__main__":
    main()
