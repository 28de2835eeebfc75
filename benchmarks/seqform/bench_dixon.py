"""Exact arithmetic: the final bases of Leduc programs, and random systems whose solutions are long."""

from functools import partial

import numpy as np

from benchmarks.measure import Case, main
from treeplex import load
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.dixon import Coo, factorise
from treeplex.seqform.programs.highs import HighsRun, run_highs
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import sequence_program


def final_basis(spec: str) -> partial[str]:
    """Solve a game in floats; return the exact part of the work, kernels loaded."""
    rational_optimum(load("kuhn_poker").form)
    form = load(spec).form
    return partial(proof, form, run_highs(sequence_program(form, 0).program, "simplex"))


def proof(form: SequenceForm, run: HighsRun) -> str:
    """Solve the basis system and its transpose exactly and prove the optimum."""
    optimum = rational_optimum(form, run)
    bits = optimum.value.denominator.bit_length()
    return f"{len(run.basic_rows):,} rows, value {float(optimum.value):.12f}, denominator {bits} bits"


def random_system(n: int, per_row: int, size: int) -> partial[str]:
    """Return the solving of a sparse system that fills in, unlike a basis; ``size`` bounds its entries."""
    factorise(([0], [0], [1]), 1).solve([1])
    rng = np.random.default_rng(n)
    rows = np.concatenate((np.repeat(np.arange(n), per_row), np.arange(n)))
    cols = np.concatenate((rng.integers(0, n, n * per_row), rng.permutation(n)))
    # A float has 53 bits: enough to spread entries of any size.
    values = [1 + int(u * 2**53) * size // 2**53 for u in rng.random(len(rows))]
    return partial(solution, (rows, cols, values), rng.integers(-9, 10, n).tolist())


def solution(matrix: Coo, rhs: list[int]) -> str:
    """Factorise and solve once."""
    _, den = factorise(matrix, len(rhs)).solve(rhs)
    return f"dimension {len(rhs)}, denominator {den.bit_length()} bits"


def call(prepared: object) -> str:
    """Do what was prepared."""
    assert isinstance(prepared, partial)
    return str(prepared())


GAMES = {
    "leduc": "leduc_poker",
    "leduc-suits": "leduc_poker(suits_visible=true)",
    "leduc-13": "leduc_poker(ranks=13)",
    "leduc-16": "leduc_poker(ranks=16)",
}
SYSTEMS = {
    "random-1000": (1000, 3, 10),
    "random-2000": (2000, 3, 10),
    "random-large-entries": (300, 3, 10**30),
}
CASES = [Case(name, "5 s", partial(final_basis, spec), call) for name, spec in GAMES.items()]
CASES += [Case(name, "5 s", partial(random_system, *sizes), call) for name, sizes in SYSTEMS.items()]

if __name__ == "__main__":
    main("benchmarks.seqform.bench_dixon", CASES)
