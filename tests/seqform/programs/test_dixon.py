"""Exact sparse solves against elimination in fractions, flint's dense solver, and awkward systems."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.seqform.programs.dixon import (
    PRIMES,
    common_denominator,
    factorise,
    from_digits,
    reconstruct,
)
from treeplex.seqform.programs.modular_lu import (
    SingularModuloPrimeError,
    factorise_modulo,
    inverse_modulo,
    substitute,
)


def solve_exact(matrix, n, rhs):
    """Return the exact solution of a square integer system."""
    return factorise(matrix, n).solve(rhs)


def naive_solve(dense, rhs):
    """Return the solution by Gauss-Jordan elimination in fractions; None if the matrix is singular."""
    n = len(rhs)
    a = [[Fraction(v) for v in row] + [Fraction(b)] for row, b in zip(dense, rhs, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if a[i][k] != 0), None)
        if pivot is None:
            return None
        a[k], a[pivot] = a[pivot], a[k]
        a[k] = [v / a[k][k] for v in a[k]]
        for i in range(n):
            if i != k and a[i][k] != 0:
                a[i] = [v - a[i][k] * w for v, w in zip(a[i], a[k], strict=True)]
    return [row[n] for row in a]


def coo(dense):
    """Return the nonzeros of a list of rows."""
    entries = [(i, j, v) for i, row in enumerate(dense) for j, v in enumerate(row) if v]
    return tuple(map(list, zip(*entries, strict=True))) if entries else ([], [], [])


def fractions(solution):
    num, den = solution
    assert den > 0
    assert all(type(v) is int for v in (*num, den))
    return [Fraction(v, den) for v in num]


def to_dense(triple, n):
    dense = [[0] * n for _ in range(n)]
    for i, j, v in zip(*triple, strict=True):
        dense[i][j] += int(v)
    return dense


def random_system(rng, n, per_row, size):
    """Return a sparse regular matrix with up to ``per_row`` + 1 nonzeros a row, and a right-hand side."""
    rows = np.concatenate((np.repeat(np.arange(n), per_row), np.arange(n)))
    cols = np.concatenate((rng.integers(0, n, n * per_row), rng.permutation(n)))
    values = rng.integers(1, size + 1, len(rows)) * rng.choice([-1, 1], len(rows))
    return (rows, cols, values), rng.integers(-9, 10, n).tolist()


def nearly_triangular(rng, n, bump):
    """Return a permuted matrix of flow rows and payoffs: triangular but for a block of ``bump`` rows."""
    entries = {}
    for i in range(n):
        for j in rng.integers(0, i, min(i, 4)).tolist():
            entries[i, j] = -1 if rng.random() < 0.5 else int(rng.integers(-10_000, 10_001))
        entries[i, i] = 1 if rng.random() < 0.8 else int(rng.integers(1, 10_001))
    for _ in range(2 * bump):
        i, j = rng.integers(n - bump, n, 2).tolist()
        entries[i, j] = int(rng.integers(-300, 301))
    p, q = rng.permutation(n), rng.permutation(n)
    triples = [(int(p[i]), int(q[j]), v) for (i, j), v in entries.items()]
    return tuple(map(list, zip(*triples, strict=True))), [int(i == p[0]) for i in range(n)]


numbers = st.one_of(
    st.just(0),
    st.integers(-3, 3),
    st.integers(-(2**31), 2**31),
    st.integers(-(10**40), 10**40),
    st.sampled_from([2**63, 2**64 - 1, -(2**63), *PRIMES]),
)


@st.composite
def small_systems(draw):
    n = draw(st.integers(1, 6))
    line = st.lists(numbers, min_size=n, max_size=n)
    return draw(st.lists(line, min_size=n, max_size=n)), draw(line)


@given(small_systems())
def test_solutions_of_both_systems_are_those_of_elimination_in_fractions(system):
    dense, rhs = system
    expected = naive_solve(dense, rhs)
    if expected is None:
        with pytest.raises(ValueError, match="singular"):
            factorise(coo(dense), len(rhs))
        return
    factors = factorise(coo(dense), len(rhs))
    assert fractions(factors.solve(rhs)) == expected
    transposed = [list(col) for col in zip(*dense, strict=True)]
    assert fractions(factors.solve_transposed(rhs)) == naive_solve(transposed, rhs)


@over([(40, 2, 1), (40, 3, 10**4), (150, 2, 100), (300, 3, 10), (120, 40, 9)])
def test_sparse_and_filling_systems_agree_with_a_dense_solver(n, per_row, size):
    matrix, rhs = random_system(np.random.default_rng(n + per_row), n, per_row, size)
    dense = fmpz_mat(to_dense(matrix, n))
    b = fmpz_mat([[v] for v in rhs])
    factors = factorise(matrix, n)
    for (num, den), a in ((factors.solve(rhs), dense), (factors.solve_transposed(rhs), dense.transpose())):
        x = a.solve(b)
        assert all(x[i, 0] * den == num[i] for i in range(n))


@over([(50, 10), (400, 80)])
def test_bases_of_programs_are_solved_with_little_fill(n, bump):
    matrix, rhs = nearly_triangular(np.random.default_rng(n), n, bump)
    factors = factorise(matrix, n)
    assert len(factors.lu.lower.indices) + len(factors.lu.upper.indices) < 2 * len(matrix[0])
    for (num, den), (rows, cols, values) in (
        (factors.solve(rhs), matrix),
        (factors.solve_transposed(rhs), (matrix[1], matrix[0], matrix[2])),
    ):
        product = [0] * n
        for i, j, v in zip(rows, cols, values, strict=True):
            product[i] += v * num[j]
        assert product == [den * b for b in rhs]


def test_small_factors_of_denominators_are_not_lost():
    """A combination of the unknowns cancels 2 and 3 half and a third of the time; single unknowns do not."""
    for n in range(1, 40):
        diagonal = [1 + i % 6 for i in range(n)]
        num, den = solve_exact((range(n), range(n), diagonal), n, [1] * n)
        assert den == lcm(*diagonal)
        assert [Fraction(v, den) for v in num] == [Fraction(1, d) for d in diagonal]


def test_determinants_as_large_as_hadamard_allows_are_within_the_bound():
    h = np.array([[1]])
    for _ in range(5):
        h = np.block([[h, h], [h, -h]])
    rhs = [10**9 * (-1) ** (i // 3) + i for i in range(32)]
    x = fractions(solve_exact(coo(h.tolist()), 32, rhs))
    assert x == [Fraction(int(v), 32) for v in h @ np.array(rhs)]


def test_a_prime_that_divides_the_determinant_is_passed_over():
    p, q, r = PRIMES
    assert factorise(([0], [0], [p]), 1).lu.prime == q
    assert fractions(solve_exact(([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1 + p * q]), 2, [0, 1])) == [
        Fraction(-1, p * q),
        Fraction(1, p * q),
    ]
    with pytest.raises(ValueError, match="singular"):
        factorise(([0], [0], [p * q * r]), 1)


@over([0, 20, 29, 30, 31, 32, 61, 62, 63, 64, 200])
def test_sizes_around_the_limits_of_machine_integers(power):
    big = 2**power
    dense = [[big, -1, 0], [big - 1, big, 3], [0, -big, big + 1]]
    for rhs in ([1, 0, 0], [big, -big, 1], [10**60, -(10**60), 7]):
        expected = naive_solve(dense, rhs)
        assert fractions(solve_exact(coo(dense), 3, rhs)) == expected


def test_repeated_places_are_summed_without_overflow():
    top = 2**63 - 1
    assert fractions(solve_exact(([0, 0], [0, 0], np.array([top, top])), 1, [2 * top])) == [1]
    assert fractions(solve_exact(([0, 0, 0, 1], [0, 1, 1, 1], [2, 5, -5, 3]), 2, [1, 1])) == [
        Fraction(1, 2),
        Fraction(1, 3),
    ]
    assert fractions(solve_exact(([0], [0], np.array([2**64 - 1], np.uint64)), 1, [1])) == [
        Fraction(1, 2**64 - 1)
    ]


def test_a_wrong_candidate_is_caught_by_the_check_in_integers(monkeypatch):
    calls = []

    def wrong_at_first(digits, prime, num, den):
        calls.append(len(digits))
        nums, den = common_denominator(digits, prime, num, den)
        return (nums + 1, den) if len(calls) == 1 else (nums, den)

    monkeypatch.setattr("treeplex.seqform.programs.dixon.common_denominator", wrong_at_first)
    n = 200
    assert solve_exact((range(n), range(n), [6] * n), n, [5] * n) == ([5] * n, 6)
    assert len(calls) == 2
    assert calls[0] < calls[1]


def test_a_zero_right_hand_side_gives_zero():
    assert solve_exact(([0, 1], [1, 0], [3, 5]), 2, [0, 0]) == ([0, 0], 1)


@over([[[0]], [[1, 2], [0, 0]], [[1, 0], [2, 0]], [[1, 2], [2, 4]], [[1, 1, 0], [0, 1, 1], [1, 2, 1]]])
def test_singular_matrices_are_refused(dense):
    with pytest.raises(ValueError, match=f"singular one of dimension {len(dense)}"):
        factorise(coo(dense), len(dense))


@over(
    [
        (([], [], []), 0, "at least 1, got 0"),
        (([0], [0, 0], [1]), 1, r"one length, got \(1,\), \(2,\), \(1,\)"),
        (([0], [0], [[1]]), 1, "one length"),
        (([2], [0], [1]), 2, r"row indices must be in 0\.\.1, got 2\.\.2"),
        (([0], [-1], [1]), 2, r"column indices must be in 0\.\.1, got -1\.\.-1"),
        (([0], [2**70], [1]), 2, "column indices"),
        (([0], [0], [0.5]), 1, r"integers only, got 0\.5"),
        (([0], [0], np.array([2.0])), 1, r"integers only, got .*2\.0"),
        (([0], [0], [Fraction(1, 2)]), 1, "integers only"),
        (([0], ["0"], [1]), 1, "integers only"),
    ]
)
def test_malformed_matrices_are_refused(matrix, n, message):
    with pytest.raises(ValueError, match=message):
        factorise(matrix, n)


@over(
    [
        ([1], "must have 2 entries"),
        ([[1], [2]], "must have 2 entries"),
        ([1, 0.5], r"integers only, got 0\.5"),
    ]
)
def test_malformed_right_hand_sides_are_refused(rhs, message):
    factors = factorise(([0, 1], [0, 1], [1, 1]), 2)
    with pytest.raises(ValueError, match=message):
        factors.solve(rhs)
    with pytest.raises(ValueError, match=message):
        factors.solve_transposed(rhs)


def unit_triangle(t, prime):
    """Write a triangle out as a dense matrix of Python ints, its unit diagonal added."""
    n = len(t.indptr) - 1
    dense = np.eye(n, dtype=object).astype(int).astype(object)
    for i in range(n):
        for k in range(t.indptr[i], t.indptr[i + 1]):
            dense[i, t.indices[k]] = prime - int(t.negated[k])
    return dense


@over([(101, 2), (PRIMES[0], 2), (PRIMES[0], 12), (PRIMES[0], 60)])
def test_factors_multiply_to_the_matrix_and_substitution_inverts_it(prime, per_row):
    n = 40
    rng = np.random.default_rng(per_row)
    (rows, cols, values), rhs = random_system(rng, n, per_row, 10**9)
    dense = np.array(to_dense((rows, cols, values), n), dtype=object) % prime
    i, j = np.nonzero(dense)
    lu = factorise_modulo(i, j, dense[i, j].astype(np.int64), n, prime)
    for factors, a in ((lu, dense), (lu.transposed(), dense.T)):
        lower, upper = unit_triangle(factors.lower, prime), unit_triangle(factors.upper, prime)
        assert (np.triu(lower, 1) == 0).all()
        assert (np.tril(upper, -1) == 0).all()
        pivots = np.array([pow(int(v), -1, prime) for v in factors.inverse_pivots], dtype=object)
        ordered = a[np.ix_(factors.rows, factors.cols)]
        assert ((lower * pivots).dot(upper) % prime == ordered).all()
        x = np.array(rhs)[factors.rows] % prime
        substitute(x, factors.factors)
        assert (ordered.dot(x.astype(object)) % prime == np.array(rhs)[factors.rows] % prime).all()


@over([np.zeros((3, 3)), np.ones((3, 3)), np.diag([1, 1, 0]), np.eye(20, k=1)])
def test_a_matrix_without_a_pivot_is_singular_modulo_the_prime(dense):
    i, j = np.nonzero(dense)
    with pytest.raises(SingularModuloPrimeError):
        factorise_modulo(i, j, dense[i, j].astype(np.int64), len(dense), 7)


@given(st.integers(1, PRIMES[0] - 1))
def test_inverses_modulo_a_prime(a):
    assert a * inverse_modulo(a, PRIMES[0]) % PRIMES[0] == 1


@given(st.lists(st.integers(0, 2**62), min_size=1, max_size=40), st.sampled_from([2, 10, PRIMES[0]]))
def test_digits_are_read_lowest_first(digits, prime):
    two = np.array([digits, digits[::-1]]).T
    expected = [sum(d * prime**k for k, d in enumerate(ds)) for ds in (digits, digits[::-1])]
    assert from_digits(two, prime).tolist() == expected


@given(st.integers(-(10**50), 10**50), st.integers(1, 10**50))
def test_short_fractions_are_reconstructed(num, den):
    modulus = fmpz(PRIMES[0]) ** 16
    f = Fraction(num, den)
    residue = fmpz(f.numerator * pow(f.denominator, -1, int(modulus))) % modulus
    assert reconstruct(residue, modulus) == (f.numerator, f.denominator)


def test_residues_of_no_short_fraction_are_not_believed():
    modulus = PRIMES[0] ** 16
    rng = np.random.default_rng(3)
    for _ in range(50):
        residue = sum(int(d) * PRIMES[0] ** k for k, d in enumerate(rng.integers(0, PRIMES[0], 16)))
        assert reconstruct(fmpz(residue), fmpz(modulus)) is None


def to_digits(fraction, prime, k):
    residue = fraction.numerator * pow(fraction.denominator, -1, prime**k) % prime**k
    return [residue // prime**i % prime for i in range(k)]


def test_a_common_denominator_grows_until_it_fits_every_number():
    p = PRIMES[0]
    numbers = [Fraction(7, 10), Fraction(-1, 21), Fraction(5), Fraction(10**40, 11)]
    digits = np.array([to_digits(f, p, 20) for f in numbers]).T
    nums, den = common_denominator(digits, p, fmpz(1), fmpz(1))
    assert den == 2310
    assert [Fraction(int(v), int(den)) for v in nums] == numbers
    assert common_denominator(digits[:4], p, fmpz(1), fmpz(1)) is None
