"""Exact values of matrix games by enumeration of square submatrices, in fractions."""

from fractions import Fraction
from itertools import combinations


def exact_matrix_value(payoff):
    """Return the value: some square submatrix has equalising mixtures that are optimal in the whole matrix.

    L. S. Shapley and R. N. Snow, "Basic solutions of discrete games" (1950): every game has one.
    """
    rows = [[Fraction(a) for a in row] for row in payoff]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for size in range(1, min(len(rows), len(columns)) + 1):
        for own in combinations(range(len(rows)), size):
            for other in combinations(range(len(columns)), size):
                x = equalising([[rows[i][j] for i in own] for j in other])
                y = equalising([[rows[i][j] for j in other] for i in own])
                if x is None or y is None or min(x) < 0 or min(y) < 0:
                    continue
                lower = min(sum(p * column[i] for p, i in zip(x, own, strict=True)) for column in columns)
                upper = max(sum(q * row[j] for q, j in zip(y, other, strict=True)) for row in rows)
                if lower == upper:
                    return lower
    raise AssertionError("a matrix game has a basic solution")


def equalising(lines):
    """Return the mixture that pays the same on every line, None unless there is just one."""
    n = len(lines)
    # Unknowns: the mixture and what it pays. Lines: pay as much as that; the mixture sums to one.
    system = [[*line, Fraction(-1), Fraction(0)] for line in lines]
    system.append([*[Fraction(1)] * n, Fraction(0), Fraction(1)])
    for k in range(n + 1):
        pivot = next((i for i in range(k, n + 1) if system[i][k]), None)
        if pivot is None:
            return None
        system[k], system[pivot] = system[pivot], system[k]
        for i in range(n + 1):
            if i != k and system[i][k]:
                factor = system[i][k] / system[k][k]
                system[i] = [a - factor * b for a, b in zip(system[i], system[k], strict=True)]
    return [system[k][-1] / system[k][k] for k in range(n)]
