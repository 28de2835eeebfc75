"""Quasi-perfect equilibria: limits of equilibria of games in which every move has a least probability.

Both players must play each sequence of d own actions with probability at least epsilon**d. Equilibria of
that game tend to a quasi-perfect equilibrium as epsilon tends to zero (P. B. Miltersen and T. B. Sørensen,
"Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). They are computed at
one tiny epsilon in exact arithmetic, from a basis that is optimal for all small ones, and proved by exact
best responses (G. Farina, N. Gatti and T. Sandholm, "Practical exact algorithm for trembling-hand equilibrium
refinements in games", NeurIPS 2018).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import ExactPlan
from treeplex.seqform.exact.dixon import Factorization, Solution, factorise
from treeplex.seqform.exact.rational_optimum import NotExactError, integer_program, is_plan
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.lp.highs import run_highs
from treeplex.seqform.lp.program import SequenceProgram, sequence_program
from treeplex.seqform.lp.scaling import Scale, scale_of
from treeplex.seqform.refinements.perturbed_basis import (
    LexicographicTableau,
    Mask,
    SingularBasisError,
    optimum,
    perturbed_program,
)
from treeplex.seqform.trees.deal import Ints

EPSILON = Fraction(1, 2**40)
"""The epsilon at which the equilibrium is proved."""


@dataclass(frozen=True)
class QuasiPerfect:
    """An equilibrium of the perturbed game, with its certificate in the unperturbed game.

    Attributes
    ----------
    profile : Profile
        The behaviour of ``plans``, rounded to floats; positive everywhere.
    plans : pair of ExactPlan
        Exact realization plans within their bounds, each a best response to the other.
    epsilon : Fraction
        Sequences of d own actions have probability at least ``epsilon**d``.
    value : Fraction
        Player 0's value of the perturbed game.
    certificate : Certificate
        Of ``profile`` in the unperturbed game.
    solver : str
        The solver of the float program whose basis led to ``plans``.
    attempts : int
        Number of float programs solved.
    pivots : int
        Pivots from the last program's basis to the proved one.
    seconds : float
    """

    profile: Profile
    plans: tuple[ExactPlan, ExactPlan]
    epsilon: Fraction
    value: Fraction
    certificate: Certificate
    solver: str
    attempts: int
    pivots: int
    seconds: float


def quasi_perfect(form: SequenceForm) -> QuasiPerfect:
    """Return a quasi-perfect equilibrium of a game, proved at ``EPSILON``.

    The limit can be another one only if payoffs differ by factors of 2**40.

    Raises
    ------
    ValueError
        If the payoff has running sums.
    NotExactError
        If no basis is optimal in the perturbed game in exact arithmetic.
    """
    if len(form.payoff.link):
        raise ValueError(
            f"{form.name}: a perturbed game's payoff must be one sparse matrix, got {len(form.payoff.link)} "
            f"running sums"
        )
    clock = time.perf_counter()
    for attempts, (scale, moderate, solver, most) in enumerate(_tries(form), 1):
        try:
            plans, pivots = _attempt(form, sequence_program(form, 0, scale), moderate, solver, most)
        except SingularBasisError:
            continue
        value = proved_value(form, plans, EPSILON)
        if value is not None:
            x, y = (_behaviour(t, plan) for t, plan in zip(form.treeplexes, plans, strict=True))
            profile = Profile(form.treeplexes, (x, y))
            proof = certify(form, profile)
            seconds = time.perf_counter() - clock
            return QuasiPerfect(profile, plans, EPSILON, value, proof, solver, attempts, pivots, seconds)
    raise NotExactError(f"{form.name}: no basis was optimal in exact arithmetic at epsilon = {EPSILON}")


def _tries(form: SequenceForm) -> Iterator[tuple[Scale, float, str, int]]:
    """Yield scale, epsilon and solver of float programs, and the largest number of exact pivots after each.

    Mostly no pivots are needed. Another program may have a closer basis; exact pivots are slow.
    """
    scale = scale_of(form)
    deepest = max(int(t.depth.max()) for t in form.treeplexes)
    widest = max(int(np.max(t.end - t.begin, initial=1)) for t in form.treeplexes)
    # Bounds of the deepest sequences must exceed the solver's tolerance; each infoset's must sum below one.
    moderate = min(max(0.03, 1e-6 ** (1 / max(deepest, 1))), 0.5 / widest)
    yield scale.softened(), moderate, "simplex", 50
    yield scale, moderate, "simplex", 50
    yield scale.softened(), moderate / 4, "simplex", 50
    yield scale.softened(), moderate, "ipm", 1000


def _attempt(
    form: SequenceForm, program: SequenceProgram, moderate: float, solver: str, most: int
) -> tuple[tuple[ExactPlan, ExactPlan], int]:
    """Solve at ``moderate``, pivot in floats to a basis for all small epsilon, then pivot exactly."""
    run = run_highs(perturbed_program(form, program, moderate), solver, tolerance=1e-9)
    basic = np.flatnonzero(np.concatenate((run.basic_cols, run.basic_rows)))
    if not run.has_basis:
        raise SingularBasisError(f"{solver} ended {run.status!r} without a basis")
    stable, pivots = optimum(LexicographicTableau.of(form, program), basic, 2 * len(basic) + 50)
    exact, more = optimum(ExactTableau.of(form, EPSILON), stable.basic, most)
    return exact.plans(form, EPSILON), pivots + more


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

    def plans(self, form: SequenceForm, epsilon: Fraction) -> tuple[ExactPlan, ExactPlan]:
        """Return both plans: lower bounds plus basic variables, and lower bounds plus prices of rows."""
        (num, den), (prices, den_1) = self.primal, self.dual
        (l1, unit), (l2, unit_1) = (lower_bounds(t, epsilon) for t in form.treeplexes)
        above = np.zeros(self.matrix.shape[1], dtype=object)
        above[self.basic] = num
        x, y = above[: len(l1)], np.array(prices[-len(l2) :], dtype=object)
        return ExactPlan(x + l1 * den, den * unit), ExactPlan(y + l2 * den_1, den_1 * unit_1)


@dataclass(frozen=True)
class ExactTableau:
    """Player 0's perturbed program at one epsilon, in integers.

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
    def of(form: SequenceForm, epsilon: Fraction) -> "ExactTableau":
        """Write player 0's program in the variables plan - lower bounds."""
        program = integer_program(form)
        m, n = program.shape
        (l1, unit), (l2, unit_1) = (lower_bounds(t, epsilon) for t in form.treeplexes)
        rhs = -program.dot(np.concatenate((l1, np.zeros(n - len(l1), dtype=object))))
        rhs[0] += unit  # E x' = e - E l1,  F' q - A' x' <= A' l1
        cost = -program.transpose().dot(np.concatenate((np.zeros(m - len(l2), dtype=object), l2)))
        cost[len(l1)] += unit_1  # (f - F l2)' q + l2' A' x'
        matrix = ExactMatrix.of(
            np.concatenate((program.rows, np.arange(m))),
            np.concatenate((program.cols, np.arange(n, n + m))),
            np.concatenate((program.num, np.ones(m, dtype=object))),
            1,
            (m, n + m),
        )
        variable = np.arange(n + m)
        free, fixed = (variable >= len(l1)) & (variable < n), (variable >= n) & (variable < n + m - len(l2))
        return ExactTableau(matrix, rhs, np.concatenate((cost, np.zeros(m, dtype=object))), free, fixed)

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


def lower_bounds(treeplex: Treeplex, epsilon: Fraction) -> tuple[Ints, int]:
    """Return ``epsilon**d`` for each sequence of d own actions: numerators (S,), common denominator.

    It is 0 for the empty sequence, whose probability is one.

    Raises
    ------
    ValueError
        If ``epsilon`` is not above zero and below one over the largest number of actions.
    """
    widest = int(np.max(treeplex.end - treeplex.begin, initial=1))
    if not 0 < epsilon * widest < 1:
        raise ValueError(f"epsilon must be above 0 and below 1/{widest}, got {epsilon}")
    deepest = int(treeplex.depth.max())
    num, den = epsilon.numerator, epsilon.denominator
    power = [num**d * den ** (deepest - d) for d in range(deepest + 1)]
    bounds = np.array([power[d] for d in treeplex.depth], dtype=object)
    bounds[0] = 0
    return bounds, den**deepest


def proved_value(
    form: SequenceForm, plans: tuple[ExactPlan, ExactPlan], epsilon: Fraction
) -> Fraction | None:
    """Return the perturbed game's value if the plans are an equilibrium of it, else None.

    Checked without a program: flows exact, plans within bounds, and the value that x guarantees equals that
    which y guarantees.
    """
    for t, plan in zip(form.treeplexes, plans, strict=True):
        bounds, den = lower_bounds(t, epsilon)
        if not is_plan(t, plan) or not np.all(plan.num * den >= bounds * plan.den):
            return None
    conceded = perturbed_best_response(form, 0, plans[1], epsilon)
    return conceded if -perturbed_best_response(form, 1, plans[0], epsilon) == conceded else None


def perturbed_best_response(form: SequenceForm, player: int, plan: ExactPlan, epsilon: Fraction) -> Fraction:
    """Return the value of ``player``'s best response within its bounds to a plan, in its own payoff.

    It is the unrestricted best response's total minus the sum over sequences s of
    ``epsilon**d(s) (v(infoset of s) - q(s))``, both counterfactual best-response values.
    """
    treeplex = form.treeplexes[player]
    bounds, unit = lower_bounds(treeplex, epsilon)
    gradient, den = form.payoff.against_exact(player, plan.num)
    q = np.array(gradient if player == 0 else -gradient, dtype=object)
    loss = 0
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True)
    for lo, hi, parent in reversed(list(spans)):
        best = max(q[lo:hi])
        loss += int(bounds[lo:hi].dot(best - q[lo:hi]))
        q[parent] += best
    return Fraction(int(q[0]) * unit - loss, den * plan.den * unit)


def _behaviour(treeplex: Treeplex, plan: ExactPlan) -> Floats:
    """Return each sequence's share of its parent's probability, rounded once, (S,)."""
    odds = [int(plan.num[s]) / int(plan.num[p]) for s, p in enumerate(treeplex.parent_of) if s]
    return np.array([1.0, *odds])
