"""Quasi-perfect equilibria: limits of equilibria of games where every move has a least probability.

Both players must play each sequence of d own actions with probability at least epsilon**d. Equilibria of
that game tend to a quasi-perfect equilibrium as epsilon tends to zero (P. B. Miltersen and T. B. Sørensen,
"Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). They are computed
at one tiny epsilon in exact arithmetic, from a basis that is optimal for all small ones, and proved by
exact best responses (G. Farina, N. Gatti and T. Sandholm, "Practical exact algorithm for trembling-hand
equilibrium refinements in games", NeurIPS 2018).

Such a basis is found by a lexicographic simplex. In the variables plan - bounds the matrix does not depend
on epsilon; right-hand side and cost are polynomials in epsilon. A basis is optimal for all small epsilon if
the first nonzero coefficient of each basic variable and of each reduced cost has the right sign. Powers of
epsilon are never evaluated.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.sparse import csc_array, eye_array, hstack

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import Certificate, ExactPlan, behaviour_of, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.pivots import Mask, SingularBasisError, optimum
from treeplex.seqform.programs.rational_optimum import (
    ExactPoint,
    ExactTableau,
    NotExactError,
    is_plan,
)
from treeplex.seqform.programs.sequence_program import (
    LinearProgram,
    Scale,
    SequenceProgram,
    scale_of,
    sequence_program,
)
from treeplex.seqform.trees.tree_arrays import Ints

ZERO, SMALLEST = 1e-12, 1e-8
"""Floats up to ``ZERO`` count as zero, pivots up to ``SMALLEST`` are rejected; programs have order one."""


@dataclass(frozen=True)
class LexicographicPoint:
    """A basis of a ``LexicographicTableau``; see ``Point``."""

    basic: Index
    values: Floats
    reduced: Floats
    matrix: csc_array
    factors: Any

    def column(self, entering: int) -> Floats:
        """Return how fast each basic variable falls as a variable rises, (m,)."""
        return np.asarray(self.factors.solve(self.matrix[:, [entering]].toarray().ravel()))

    def row(self, leaving: int) -> Floats:
        """Return how fast the basic variable at a place falls as each variable rises, (n + m,)."""
        unit = np.zeros(len(self.basic))
        unit[leaving] = 1.0
        return np.asarray(self.matrix.T @ self.factors.solve(unit, "T"))


@dataclass(frozen=True)
class LexicographicTableau:
    """Player 0's scaled perturbed program for all small eps; column k of rhs and cost: coefficient of eps**k.

    Attributes
    ----------
    matrix : (m, n + m) csc_array of f64
    rhs : (m, 1 + depth of player 0) f64
    cost : (n + m, 1 + depth of player 1) f64
    free, fixed : (n + m,) bool
    """

    matrix: csc_array
    rhs: Floats
    cost: Floats
    free: Mask
    fixed: Mask
    zero: float = ZERO
    smallest: float = SMALLEST

    @staticmethod
    def of(form: SequenceForm, program: SequenceProgram) -> "LexicographicTableau":
        """Write player 0's program in the variables plan - lower bounds."""
        lp = program.program
        own, other = _lower_bounds(form, program)
        rhs = -(lp.matrix[:, : program.n_own] @ own)  # E x' = e - E l1,  F' q - A' x' <= A' l1
        rhs[:, 0] += lp.row_upper
        cost = np.zeros((lp.n_cols + lp.n_rows, other.shape[1]))
        cost[: lp.n_cols] = -(lp.matrix[-program.n_other :].T @ other)  # (f - F l2)' q + l2' A' x'
        cost[: lp.n_cols, 0] += lp.cost
        return LexicographicTableau(
            csc_array(hstack((lp.matrix, eye_array(lp.n_rows)), format="csc")),
            rhs,
            cost,
            np.concatenate((np.isinf(lp.col_lower), np.zeros(lp.n_rows, dtype=np.bool_))),
            np.concatenate((np.zeros(lp.n_cols, dtype=np.bool_), lp.row_lower == lp.row_upper)),
        )

    def at(self, basic: Index) -> LexicographicPoint:
        """Return the point of a basis; raises SingularBasisError."""
        from scipy.sparse.linalg import splu

        try:
            factors: Any = splu(csc_array(self.matrix[:, basic]))
        except RuntimeError as error:
            raise SingularBasisError from error
        prices = factors.solve(np.ascontiguousarray(self.cost[basic]), "T")
        reduced = self.cost - self.matrix.T @ prices
        reduced[basic] = 0.0
        return LexicographicPoint(basic, factors.solve(self.rhs), reduced, self.matrix, factors)


def perturbed_program(form: SequenceForm, program: SequenceProgram, epsilon: float) -> LinearProgram:
    """Return player 0's program when both must play each sequence s with probability ``epsilon**d(s)``.

    With l2 the bounds of the other plan the objective is ``(f - F l2)' q + l2' A' x``; the bounds l1 of the
    own plan are bounds of columns.
    """
    lp = program.program
    own, other = (part @ epsilon ** np.arange(part.shape[1]) for part in _lower_bounds(form, program))
    cost = lp.cost - lp.matrix[-program.n_other :].T @ other
    return replace(lp, cost=cost, col_lower=np.concatenate((own, lp.col_lower[program.n_own :])))


def _lower_bounds(form: SequenceForm, program: SequenceProgram) -> tuple[Floats, Floats]:
    """Return the coefficients (S, 1 + depth) of eps**k in the lower bounds of both players' scaled plans.

    The empty sequence has no bound.
    """
    own, other = (np.zeros((t.n_sequences, 1 + int(t.depth.max()))) for t in form.treeplexes)
    for t, d, lower in zip(form.treeplexes, program.scale.sequence, (own, other), strict=True):
        lower[np.arange(1, t.n_sequences), t.depth[1:]] = d[1:]
    return own, other


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
        raise BadInputError(
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
            pairs = zip(form.treeplexes, plans, strict=True)
            x, y = (behaviour_of(t, plan, t.uniform()) for t, plan in pairs)
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
    exact, more = optimum(perturbed_tableau(form, EPSILON), stable.basic, most)
    return perturbed_plans(exact, form, EPSILON), pivots + more


def perturbed_tableau(form: SequenceForm, epsilon: Fraction) -> ExactTableau:
    """Return player 0's program at one epsilon in the variables plan - lower bounds, in integers."""
    plain = ExactTableau.of(form)
    (l1, unit), (l2, unit_1) = (lower_bounds(t, epsilon) for t in form.treeplexes)
    m, n = plain.matrix.shape
    rhs = -plain.matrix.dot(np.concatenate((l1, np.zeros(n - len(l1), dtype=object))))
    cost = -plain.matrix.transpose().dot(np.concatenate((np.zeros(m - len(l2), dtype=object), l2)))
    cost[n - m :] = 0  # slacks
    # E x' = e - E l1,  F' q - A' x' <= A' l1,  max (f - F l2)' q + l2' A' x'
    return replace(plain, rhs=rhs + plain.rhs * unit, cost=cost + plain.cost * unit_1)


def perturbed_plans(point: ExactPoint, form: SequenceForm, epsilon: Fraction) -> tuple[ExactPlan, ExactPlan]:
    """Return both plans of a point of the perturbed tableau: lower bounds plus what it has above them."""
    x, y = (
        ExactPlan(above.num + bounds * above.den, above.den * unit)
        for above, (bounds, unit) in zip(
            point.plans(form), (lower_bounds(t, epsilon) for t in form.treeplexes), strict=True
        )
    )
    return x, y


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
        raise BadInputError(f"epsilon must be above 0 and below 1/{widest}, got {epsilon}")
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
