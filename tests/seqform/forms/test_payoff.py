"""The bilinear form: exact against dense fractions, floats within their bound, factors against products."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.twins.games import exact_entries
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF, ExactMatrix, Payoff


def dense(m):
    """Write an exact matrix out in fractions."""
    out = np.full(m.shape, Fraction(0), dtype=object)
    for r, c, a in zip(m.rows, m.cols, m.num, strict=True):
        assert out[r, c] == 0
        out[r, c] = Fraction(int(a), m.den)
    return out


def naive_entries(payoff):
    """Return base + left inv(M) right' with the running sums written out row by row."""
    sums = dense(payoff.right).T.copy()
    for k in range(1, len(payoff.link)):
        if payoff.link[k]:
            sums[k] = sums[k] + sums[k - 1]
    return dense(payoff.base) + dense(payoff.left).dot(sums)


def draw_matrix(rng, shape, power):
    n = int(rng.integers(0, 2 * max(shape) + 1)) if min(shape) else 0
    num = np.array(
        [int(a) * 10 ** int(rng.integers(0, power + 1)) for a in rng.integers(-9, 10, n)], dtype=object
    )
    den = int(rng.integers(1, 50)) * 10 ** int(rng.integers(0, power + 1))
    return ExactMatrix.of(
        rng.integers(0, max(shape[0], 1), n), rng.integers(0, max(shape[1], 1), n), num, den, shape
    )


def draw_payoff(seed, power=20):
    """Return a random payoff: chains of all lengths, none, or without any link; numbers up to 10 ** power."""
    rng = np.random.default_rng(seed)
    n0, n1, k = (int(a) for a in rng.integers((1, 1, 0), (7, 7, 12)))
    link = rng.random(k) < rng.choice([0.0, 0.5, 0.9])
    link[:1] = False
    return Payoff(
        draw_matrix(rng, (n0, n1), power),
        draw_matrix(rng, (n0, k), power),
        link,
        draw_matrix(rng, (n1, k), power),
    )


PAYOFFS = st.integers(0, 10**9).map(draw_payoff)


@given(PAYOFFS, st.integers(0, 10**6))
def test_against_exact_is_the_dense_product(payoff, seed):
    entries = naive_entries(payoff)
    rng = np.random.default_rng(seed)
    for player, matrix in ((0, entries), (1, entries.T)):
        plan = np.array([int(a) * 10**25 for a in rng.integers(-5, 6, matrix.shape[1])], dtype=object)
        before = plan.copy()
        num, den = payoff.against_exact(player, plan)
        assert (plan == before).all()
        assert den > 0
        assert [Fraction(int(a), den) for a in num] == matrix.dot(plan).tolist()


@given(PAYOFFS)
def test_the_twin_that_writes_a_payoff_out_agrees(payoff):
    assert exact_entries(payoff) == {at: a for at, a in np.ndenumerate(naive_entries(payoff)) if a}


@given(PAYOFFS, st.integers(0, 10**6))
def test_floats_are_within_the_bound(payoff, seed):
    """|error| <= n u |A| plan with n the longest sum, all factors taken absolutely."""
    rng = np.random.default_rng(seed)
    for player in (0, 1):
        n = payoff.base.shape[1 - player]
        plan = rng.random(n) * 10.0 ** rng.integers(-16, 1, n)
        exact, den = payoff.against_exact(player, np.array([Fraction(p) for p in plan], dtype=object))
        size, size_den = payoff.magnitude.against_exact(
            player, np.array([Fraction(p) for p in plan], dtype=object)
        )
        bound = payoff.longest_sum * Fraction(UNIT_ROUNDOFF)
        before, found = plan.copy(), payoff.against(player, plan)
        assert (plan == before).all()
        for got, want, most in zip(found, exact, size, strict=True):
            assert abs(Fraction(want) / den) <= Fraction(most) / size_den
            assert abs(Fraction(float(got)) - Fraction(want) / den) <= bound * Fraction(most) / size_den


@given(PAYOFFS, st.integers(0, 10**6))
def test_select_is_the_submatrix_in_the_order_given(payoff, seed):
    rng = np.random.default_rng(seed)
    kept = [rng.permutation(n)[: rng.integers(1, n + 1)] for n in payoff.base.shape]
    part = payoff.select(kept)
    assert part.base.shape == (len(kept[0]), len(kept[1]))
    assert (naive_entries(part) == naive_entries(payoff)[np.ix_(*kept)]).all()


@given(PAYOFFS)
def test_matrices_are_transposed_and_their_floats_rounded_once(payoff):
    for m in (payoff.base, payoff.left, payoff.right):
        assert (m.csr.toarray() == dense(m).astype(np.float64)).all()
        assert (dense(m.transpose()) == dense(m).T).all()
        assert (dense(m.transpose().transpose()) == dense(m)).all()


def of(*triples, den=1, shape=(3, 3), dtype=object):
    rows, cols, num = zip(*triples, strict=True)
    return ExactMatrix.of(np.array(rows), np.array(cols), np.array(num, dtype=dtype), den, shape)


def test_repeats_are_summed_zeros_dropped_and_rows_sorted():
    m = of((2, 1, 5), (0, 2, 3), (2, 1, -5), (0, 0, 1), (0, 2, 4), (1, 1, 0))
    assert list(zip(m.rows, m.cols, m.num, strict=True)) == [(0, 0, 1), (0, 2, 7)]
    assert m.nnz == 2


def test_sums_of_machine_integers_do_not_overflow():
    m = of((0, 0, 2**62), (0, 0, 2**62), (1, 1, -(2**63)), dtype=np.int64)
    assert m.num.tolist() == [2**63, -(2**63)]
    assert Payoff.sparse(m).magnitude.base.num.tolist() == [2**63, 2**63]


def test_absolute_values_of_machine_integers_do_not_overflow():
    m = of((1, 1, -(2**63)), dtype=np.int64)
    assert Payoff.sparse(m).magnitude.base.num.tolist() == [2**63]


def test_products_of_machine_integers_do_not_overflow():
    big = of((0, 0, 2**62), (1, 2, 3), dtype=np.int64)
    payoff = Payoff(big, big, np.array([False, True, True]), big)
    plan = np.array([2**40, 1, 1], dtype=object)
    num, den = payoff.against_exact(0, plan)
    assert (Fraction(int(num[0]), den), den) == (2**102 + 2**124 * 2**40, 1)


def test_quotients_of_numbers_beyond_floats():
    m = of((0, 0, 3 * 10**400), (1, 1, 10**50), den=10**400)
    assert m.csr[[0], [0]] == 3.0
    assert m.csr[[1], [1]] == 0.0


def test_an_empty_matrix():
    none = np.zeros(0, dtype=np.int64)
    m = ExactMatrix.of(none, none, none, 7, (3, 2))
    assert (m.nnz, m.shape) == (0, (3, 2))
    assert m.dot(np.array([1, 2], dtype=object)).tolist() == [0, 0, 0]
    assert m.csr.toarray().tolist() == [[0, 0]] * 3
    assert m.select(np.array([2]), none).shape == (1, 0)
    payoff = Payoff.sparse(m)
    assert payoff.against(0, np.ones(2)).tolist() == [0, 0, 0]
    assert payoff.against(1, np.ones(3)).tolist() == [0, 0]
    assert payoff.nnz == 0


def test_chains_run_up_for_player_0_and_down_for_player_1():
    """One chain of three: element k holds the sum of right's columns 0 to k."""
    identity = of((0, 0, 1), (1, 1, 1), (2, 2, 1))
    payoff = Payoff(ExactMatrix.zero((3, 3)), identity, np.array([False, True, True]), identity)
    assert payoff.against(0, np.array([1.0, 10, 100])).tolist() == [1, 11, 111]
    assert payoff.against(1, np.array([1.0, 10, 100])).tolist() == [111, 110, 100]
    assert payoff.nnz == 6


def test_chains_stop_where_links_are_missing():
    identity = of((0, 0, 1), (1, 1, 1), (2, 2, 1))
    payoff = Payoff(ExactMatrix.zero((3, 3)), identity, np.array([False, False, True]), identity)
    assert payoff.against(0, np.array([1.0, 10, 100])).tolist() == [1, 10, 110]
    assert payoff.against(1, np.array([1.0, 10, 100])).tolist() == [1, 110, 100]


@over([0, 1])
def test_plans_of_the_wrong_length_are_refused(player):
    payoff = Payoff.sparse(of((0, 0, 1), shape=(3, 4)))
    with pytest.raises(ValueError, match="mismatch"):
        payoff.against(player, np.ones(5))
