"""Quasi-perfect equilibria: sensible at every infoset, reached or not, for all but a vanishing trembling.

Both players must play each sequence of d own actions with probability at least epsilon**d. Equilibria of
that game tend to a quasi-perfect equilibrium as epsilon tends to zero (P. B. Miltersen and T. B. Sørensen,
"Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). They are computed at
one tiny epsilon in exact arithmetic, from a basis that serves for all small ones, and proved by exact best
responses (G. Farina, N. Gatti and T. Sandholm, "Practical exact algorithm for trembling-hand equilibrium
refinements in games", NeurIPS 2018).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.certificate import Certificate, certify
from seqform.deal import Ints
from seqform.dixon import factorise
from seqform.exact_certificate import ExactPlan
from seqform.highs import run_highs
from seqform.perturbed_basis import lower_bounds, perturbed_program, optimal_plans, STAT
from seqform.profile import Profile
from seqform.program import sequence_program
from seqform.rational_optimum import NotExactError, is_plan
from seqform.scaling import scale_of
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats, Treeplex

EPSILON = Fraction(1, 2**40)
"""The perturbation at which a profile is proved."""


@dataclass(frozen=True)
class QuasiPerfect:
    """An equilibrium of the perturbed game, and what it is worth in the game itself.

    Attributes
    ----------
    profile : Profile
        The behaviour of ``plans``, rounded to floats; positive everywhere.
    plans : pair of ExactPlan
        Realization plans with exact flows, at or above their bounds, each a best response to the other.
    epsilon : Fraction
        Sequences of d own actions have probability at least ``epsilon**d``.
    value : Fraction
        Of the perturbed game, player 0's.
    certificate : Certificate
        On the game itself, of ``profile``.
    solver : str
        Of the float program whose basis led to ``plans``.
    attempts : int
        How many float programs were solved.
    pivots : int
        From the last one's basis to the one that was proved.
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
    """Find an equilibrium that is sensible at every infoset.

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
    attempts = 0
    for solver, basis in _bases(form):
        attempts += 1
        plans = None if basis is None else basis[0]
        value = None if plans is None else proved_value(form, plans, EPSILON)
        if basis is None or plans is None or value is None:
            continue
        x, y = (_behaviour(t, plan) for t, plan in zip(form.treeplexes, plans, strict=True))
        profile = Profile(form.treeplexes, (x, y))
        certificate = certify(form, profile)
        seconds = time.perf_counter() - clock
        return QuasiPerfect(
            profile, plans, EPSILON, value, certificate, solver, attempts, list(STAT), seconds
        )
    raise NotExactError(
        f"{form.name}: none of {attempts} bases is optimal in exact arithmetic when sequences of d actions "
        f"must have probability 2**(-40 d)"
    )


def _bases(form: SequenceForm) -> Iterator[tuple[str, Any]]:
    """Yield solvers and the bases that they led to; other perturbations and scales lead elsewhere."""
    scale = scale_of(form)
    widest = max(int(np.max(t.end - t.begin, initial=1)) for t in form.treeplexes)
    deepest = max(int(t.depth.max()) for t in form.treeplexes)
    # A solver in floats must see the bounds of the deepest sequences.
    epsilon = min(0.03 if deepest <= 4 else 1e-6 ** (1 / deepest), 0.5 / widest)
    tries = (
        (scale.softened(), epsilon, "simplex"),
        (scale, epsilon, "simplex"),
        (scale.softened(), epsilon / 4, "simplex"),
        (scale.softened(), epsilon, "ipm"),
    )
    for measured, moderate, solver in tries:
        program = sequence_program(form, 0, measured)
        run = run_highs(perturbed_program(form, program, moderate), solver, tolerance=1e-9)
        yield solver, optimal_plans(form, program, run, EPSILON) if run.has_basis else None


def proved_value(
    form: SequenceForm, plans: tuple[ExactPlan, ExactPlan], epsilon: Fraction
) -> Fraction | None:
    """Return the perturbed game's value if the plans are an equilibrium of it, else None.

    Judged without any program: flows exact, bounds kept, and what x guarantees is what y concedes.
    """
    for t, plan in zip(form.treeplexes, plans, strict=True):
        bounds, den = lower_bounds(t, epsilon)
        if not is_plan(t, plan) or not np.all(plan.num * den >= bounds * plan.den):
            return None
    conceded = perturbed_best_response(form, 0, plans[1], epsilon)
    return conceded if -perturbed_best_response(form, 1, plans[0], epsilon) == conceded else None


def perturbed_best_response(form: SequenceForm, player: int, plan: ExactPlan, epsilon: Fraction) -> Fraction:
    """Return the most that ``player`` gets against a plan while keeping its own bounds, in its own payoff.

    That is the best response's total, less what each sequence's bound loses: ``epsilon**d(s)`` times the
    value of its infoset minus its own, counterfactual best-response values both.
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
