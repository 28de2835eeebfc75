"""Player 0's program of a game in integers, and its exact points, from which a simplex method pivots."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.seqform.certify.exact_certificate import ExactPlan
from treeplex.seqform.exact.dixon import Factorization, Solution, factorise
from treeplex.seqform.exact.integer_program import integer_program
from treeplex.seqform.exact.pivots import Mask, SingularBasisError
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.trees.deal import Ints


@dataclass(frozen=True)
class ExactPoint:
    """A basis of an ``ExactTableau``; see ``Point``.

    Attributes
    ----------
    values, reduced : (m, 1) and (n + m, 1) exact integers
        Each up to one positive factor.
    primal, dual : numerators and denominator
        Of the basic variables, and of the prices of the rows.
    """

    basic: Index
    values: Ints
    reduced: Ints
    primal: Solution
    dual: Solution
    matrix: ExactMatrix
    system: Factorization

    def column(self, entering: int) -> Ints:
        """Return -d(basic variables) / d(entering variable), (m,), up to a positive factor."""
        m = len(self.basic)
        rhs, entries = np.zeros(m, dtype=object), self.matrix.select(np.arange(m), np.array([entering]))
        rhs[entries.rows] = entries.num
        return np.array([Fraction(v) for v in self.system.solve(list(rhs))[0]], dtype=object)

    def row(self, leaving: int) -> Ints:
        """Return -d(leaving variable) / d(each variable), (n + m,), up to a positive factor."""
        unit = [int(i == leaving) for i in range(len(self.basic))]
        prices = np.array(self.system.solve_transposed(unit)[0], dtype=object)
        return np.array([Fraction(v) for v in self.matrix.transpose().dot(prices)], dtype=object)

    def plans(self, form: SequenceForm) -> tuple[ExactPlan, ExactPlan]:
        """Return both plans: basic variables, and prices of rows; they need not be nonnegative."""
        n0, n1 = form.n_sequences
        own = np.zeros(self.matrix.shape[1], dtype=object)
        own[self.basic] = self.primal[0]
        prices = np.array(self.dual[0][-n1:], dtype=object)
        return ExactPlan(own[:n0], self.primal[1]), ExactPlan(prices, self.dual[1])


@dataclass(frozen=True)
class ExactTableau:
    """Player 0's program in n columns and m slacks, in integers.

    Attributes
    ----------
    matrix : (m, n + m) ExactMatrix
    rhs, cost : (m,) and (n + m,) exact integers
        Each up to one positive factor.
    free, fixed : (n + m,) bool
    """

    matrix: ExactMatrix
    rhs: Ints
    cost: Ints
    free: Mask
    fixed: Mask
    zero: float = 0
    smallest: float = 0

    @staticmethod
    def of(form: SequenceForm) -> "ExactTableau":
        """Write player 0's program."""
        program, (n0, n1) = integer_program(form), form.n_sequences
        m, n = program.shape
        matrix = ExactMatrix.of(
            np.concatenate((program.rows, np.arange(m))),
            np.concatenate((program.cols, np.arange(n, n + m))),
            np.concatenate((program.num, np.ones(m, dtype=object))),
            1,
            (m, n + m),
        )
        rhs, cost = np.zeros(m, dtype=object), np.zeros(n + m, dtype=object)
        # The objective is the other player's root value, the first column after the plan.
        rhs[0] = cost[n0] = 1
        variable = np.arange(n + m)
        free, fixed = (variable >= n0) & (variable < n), (variable >= n) & (variable < n + m - n1)
        return ExactTableau(matrix, rhs, cost, free, fixed)

    def at(self, basic: Index) -> ExactPoint:
        """Return the point of a basis; raises SingularBasisError."""
        chosen = self.matrix.select(np.arange(len(basic)), basic)
        try:
            system = factorise((chosen.rows, chosen.cols, chosen.num), len(basic))
        except ValueError as error:
            raise SingularBasisError from error
        values, _ = primal = system.solve(list(self.rhs))
        prices, den = dual = system.solve_transposed(list(self.cost[basic]))
        reduced = self.cost * den - self.matrix.transpose().dot(np.array(prices, dtype=object))
        column = np.array(values, dtype=object)[:, np.newaxis]
        return ExactPoint(basic, column, reduced[:, np.newaxis], primal, dual, self.matrix, system)
