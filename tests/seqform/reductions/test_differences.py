"""Payoffs as running sums of differences: the same matrix, fewer entries, the same values."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.forms import compiled
from tests.helpers.twins.games import exact_entries
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.reductions.sparsification import _Chains, running_differences, sparsified


def exact_matrix(dense: list[list[int]], den: int = 1) -> ExactMatrix:
    table = np.array(dense, dtype=object)
    rows, cols = np.nonzero(table)
    return ExactMatrix.of(rows, cols, table[rows, cols], den, table.shape)


def fractions(dense: Any, den: int = 1) -> dict[tuple[int, int], Fraction]:
    """Return the entries of a matrix, zeros left out."""
    return {at: Fraction(int(a), den) for at, a in np.ndenumerate(np.array(dense, dtype=object)) if a}


def plain_form(spec: str) -> SequenceForm:
    """Return the sequence form of a game walked history by history, whatever its family."""
    return compiled(spec)


matrices = st.integers(1, 7).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([0, 0, 1, -1, 3, 10**30]), min_size=n, max_size=n), min_size=1, max_size=9
    )
)


@given(matrices, st.integers(1, 12))
def test_the_factors_multiply_to_the_matrix(dense: list[list[int]], den: int) -> None:
    matrix = exact_matrix(dense, den)
    payoff = running_differences(matrix)
    assert exact_entries(payoff) == fractions(dense, den)
    assert payoff.n_entries == _Chains.best(matrix).n_entries  # what was counted before it was built
    assert payoff.n_entries <= sum(a != 0 for row in dense for a in row)


@given(st.integers(3, 12), st.integers(0, 2**32 - 1))
def test_a_shuffled_win_lose_matrix_takes_a_few_entries_a_row(n: int, seed: int) -> None:
    """sign(i - j) for n hands in no order: 2 entries a row, one in left, two in M."""
    rng = np.random.default_rng(seed)
    strength = rng.permutation(n)
    dense = np.sign(strength[:, np.newaxis] - rng.permutation(n)[np.newaxis, :]).tolist()
    payoff = running_differences(exact_matrix(dense))
    assert exact_entries(payoff) == fractions(dense)
    if n >= 8:
        assert len(payoff.link) > 0


def test_a_large_shuffled_win_lose_matrix_takes_five_entries_a_row() -> None:
    n = 300
    rng = np.random.default_rng(3)
    strength, other = rng.permutation(n), rng.permutation(n)
    payoff = running_differences(exact_matrix(np.sign(strength[:, None] - other[None, :]).tolist()))
    # The first row of the chain is written out; each other differs from its neighbour in two columns.
    assert payoff.n_entries <= n + 5 * n
    assert len(payoff.link) == n


@over([False, True])
def test_rows_or_columns_are_chained_whichever_is_better(transposed: bool) -> None:
    """Rows that differ in two columns each, written out or with rows and columns exchanged."""
    rng = np.random.default_rng(5)
    half = rng.integers(1, 9, (1, 40)).repeat(30, axis=0)
    half[np.arange(30), np.arange(30)] = 0
    dense = half.T if transposed else half
    payoff = running_differences(exact_matrix(dense.tolist()))
    assert exact_entries(payoff) == fractions(dense)
    assert payoff.n_entries < 300


@pytest.mark.seconds(3)
@over([(50, None), (100, Fraction(-1121, 19800))])
def test_kuhn_poker_walked_as_any_game_shrinks_to_what_its_rules_give(
    ranks: int, value: Fraction | None
) -> None:
    form = plain_form(f"kuhn_poker(ranks={ranks})")
    small = sparsified(form)
    assert small.payoff.n_entries * 8 < form.payoff.nnz
    rng = np.random.default_rng(0)
    for player in (0, 1):
        plan = rng.random(form.n_sequences[1 - player])
        np.testing.assert_allclose(
            small.payoff.against(player, plan), form.payoff.against(player, plan), rtol=1e-12, atol=1e-15
        )
    solution = solve_lp(small)
    lifted = solve_lp(form)
    assert not solution.certificate.disjoint(lifted.certificate)
    assert solution.certificate.nash_conv < 1e-9
    if value is not None:
        assert float(solution.certificate.value) == pytest.approx(float(value), abs=1e-10)


def test_what_does_not_pay_is_left_alone() -> None:
    dice = plain_form("liars_dice(faces=5)")
    assert sparsified(dice) is dice
    few = plain_form("kuhn_poker")
    assert sparsified(few) is few
    once = sparsified(plain_form("kuhn_poker(ranks=50)"))
    assert sparsified(once) is once


class Disguised:
    """A game that nobody knows to be poker."""

    def __init__(self, spec: str) -> None:
        self.game = load_game(spec)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def test_the_exact_optimum_is_found_through_running_sums() -> None:
    problem = tp.load(Disguised("kuhn_poker(ranks=50)"))
    assert problem.tree is None
    assert len(problem.small.form.payoff.link) > 0
    assert len(problem.form.payoff.link) == 0  # certificates are on the matrix as it came
    result = tp.solve(problem, exact=True)
    assert result.exact_value == tp.solve("kuhn_poker(ranks=50)", exact=True).exact_value


def test_entries_of_any_size_survive() -> None:
    """Numbers beyond 64 bits, and neighbours that differ by one unit in 1e40."""
    big = 10**40
    dense = [[big + i, big, big, big, big, big, big, big] for i in range(12)]
    payoff = running_differences(exact_matrix(dense, 7))
    assert exact_entries(payoff) == fractions(dense, 7)
    assert payoff.n_entries < 60


def test_an_empty_matrix_stays_empty() -> None:
    form = plain_form("matrix_game(payoff=[[0,0],[0,0]])")
    payoff = running_differences(form.payoff.base)
    assert payoff.n_entries == 0
    assert replace(form, payoff=payoff).payoff.base.shape == form.payoff.base.shape
